#' Read a metric from its text
#'
#' Turns a text such as `"ndcg@10"` into a metric. [evaluate()], [fit()] and other functions do this for
#' their metrics.
#'
#' @param x A metric; or a string such as `"ndcg@10"`, `"err"` or `"precision@5(relevant = 2)"`: the
#'   name, the cut-off, and other arguments as in R. Case does not matter.
#'
#' @details Short names are `"ap"` and `"map"` for [metric_average_precision()], `"p"` for
#'   [metric_precision()], `"rr"` and `"mrr"` for [metric_reciprocal_rank()], `"hit@5"` for
#'   [metric_success()] and `"F1"` for [metric_f_measure()].
#'
#'   Names of trec_eval are read too: `"P_10"`, `"ndcg_cut_10"`, `"map_cut_10"`, `"recall_100"`,
#'   `"recip_rank"`, `"Rprec"`, `"success_5"`, `"set_P"`, `"set_recall"`, `"set_F"`. The number of
#'   `"set_F.2"` is the square of `beta`. A dot may replace the last underscore (`"P.10"`).
#'   `"iprec_at_recall_0.10"`, `"gm_map"`, `"relative_P_5"` and the other names under [metric_trec()]
#'   give the metric of this name. Names of ir_measures are also read, such as `"SetP"`, `"R@100"` and
#'   `"P(rel=2)@5"`. For the rules of trec_eval add `convention = "trec_eval"`.
#'
#'   `format()` of a metric returns its text, unless the metric contains a function. Arguments are constants
#'   or vectors of constants; no code is run.
#'
#' @return A value of class `rankmix_metric`.
#' @section Conditions: `rankmix_error_argument`: a string that is not a metric.
#' @examples
#' as_metric("ndcg@10")
#' as_metric("ndcg@10(convention = \"yahoo\")")
#' identical(as_metric(format(metric_ndcg(10, empty = 1))), metric_ndcg(10, empty = 1))
#' @export
as_metric <- function(x) {
  check_all_given()
  read_metric(x)
}

# `call` is the call of the exported function, for errors.
read_metric <- function(x, call = rlang::caller_env()) {
  if (inherits(x, "rankmix_metric")) {
    return(x)
  }
  if (inherits(x, "rankmix_metrics")) {
    stop_input("argument",
               sprintf("One metric is needed here, not %d: %s.", length(x),
                       enumerate(vapply(x, format, ""))),
               remedy = sprintf("Take one, such as \"%s\".", format(x[[length(x)]])),
               call = call)
  }
  if (inherits(x, "ranking_data")) {
    stop_input("argument", "Data are given in place of a metric.",
               remedy = if (rlang::env_has(call, "data")) "Name the argument: `data = `." else {
                 data_elsewhere(x)
               }, call = call)
  }
  # A single metric is a list of one.
  if (is.list(x) && !is.object(x) && length(x) == 1L) {
    return(read_metric(x[[1L]], call))
  }
  if (!is.character(x) || length(x) != 1L || is.na(x)) {
    stop_input("argument",
               sprintf("A metric must be a value such as `metric_ndcg(10)` or a string such as \"ndcg@10\", not %s.",
                       show_value(x)),
               remedy = if (inherits(x, "rankmix_diversity_metric")) {
                 "Metrics of diversity belong to `evaluate_diversity()`."
               } else if (is.character(x) && length(x) > 1L) {
                 "Give one metric."
               }, call = call)
  }
  whole <- x <- printable(x)
  measure <- trec_measure_of_text(x, call)
  if (!is.null(measure)) {
    return(measure)
  }
  text <- own_notation(x)
  pattern <- paste0("^\\s*(?:metric_)?([A-Za-z_]+?|[Ff]1)(?:_(?i:cut))?(?:\\s*[@_.]\\s*([0-9]+|Inf))?",
                    "\\s*(?:\\((.*)\\))?\\s*$")
  parts <- regmatches(text, regexec(pattern, text, perl = TRUE))[[1L]]
  name <- if (length(parts) > 0L) full_name(parts[2L])
  if (is.null(name) || !name %in% metric_names()) {
    stop_input(
      "argument",
      sprintf("There is no metric %s.", show_value(x)),
      sprintf("Known metrics: %s.", paste(metric_names(), collapse = ", ")),
      c(meant_metric(x),
        "Write a name, `@` and the cut-off, and other arguments in parentheses: \"ndcg@10(empty = 1)\"."),
      call = call
    )
  }
  arguments <- parse_arguments(parts[4L], x, call)
  if (nzchar(parts[3L])) {
    if ("k" %in% names(arguments)) {
      stop_input("argument", sprintf("The metric %s has two cut-offs.", show_value(x)),
                 call = call)
    }
    arguments$k <- as.numeric(parts[3L])
  }
  constructor <- component_constructor("metric", name)
  unknown <- setdiff(names(arguments), names(formals(constructor)))
  if (length(unknown) > 0L) {
    stop_input("argument",
               sprintf("%s has no argument %s.", name, enumerate(unknown)),
               remedy = did_you_mean(unknown[1L], names(formals(constructor))), call = call)
  }
  tryCatch(do.call(constructor, arguments), rankmix_error = function(e) {
    rlang::abort(c(e$message, x = sprintf("It belongs to the metric %s.", show_value(whole)), e$body),
                 class = setdiff(class(e), c("rlang_error", "error", "condition")), call = call)
  })
}

# The texts of other tools in our notation. ir_measures writes arguments before the cut-off,
# "P(rel=2)@5", under other names. The number of "set_F.2" of trec_eval is not a cut-off
# but the square of beta.
own_notation <- function(x) {
  before <- regmatches(x, regexec("^\\s*([A-Za-z_0-9]+)\\s*\\(([^()]*)\\)\\s*@\\s*([0-9]+)\\s*$",
                                  x))[[1L]]
  if (length(before) > 0L) {
    x <- sprintf("%s@%s(%s)", before[2L], before[4L], before[3L])
  }
  x <- gsub("([(,]\\s*)rel\\s*=", "\\1relevant =", x)
  if (grepl("^\\s*RBP\\b", x, ignore.case = FALSE)) {
    x <- gsub("([(,]\\s*)p\\s*=", "\\1persistence =", x)
  }
  weight <- regmatches(x, regexec("^\\s*set_?f[._]([0-9]*[.]?[0-9]+)\\s*([(](.*)[)])?\\s*$",
                                  x, ignore.case = TRUE))[[1L]]
  if (length(weight) > 0L) {
    x <- sprintf("f_measure(beta = %s%s%s)", exact_text(sqrt(as.numeric(weight[2L]))),
                 if (nzchar(trimws(weight[4L]))) ", " else "", weight[4L])
  }
  x
}

# A suggestion for a text that is not a metric: "ndcg@10" for "ndcg10", metric_f_measure() for F, a
# parameter for the number after RBP or F. In other cases the suggestion is the most similar name.
meant_metric <- function(x) {
  several <- if (!grepl("[()]", x)) strsplit(trimws(x), "\\s*[,;]\\s*|\\s+")[[1L]]
  if (length(several) > 1L && all(nzchar(several))) {
    return(sprintf("Give several metrics as a vector: `c(%s)`.",
                   paste0("\"", several, "\"", collapse = ", ")))
  }
  parts <- regmatches(x, regexec("^\\s*([A-Za-z]+)\\s*([@_.]?)\\s*([0-9]*[.]?[0-9]+)\\s*$", x))[[1L]]
  if (length(parts) > 0L) {
    name <- if (ascii_lower(parts[2L]) == "f") "f_measure" else full_name(parts[2L])
    parameter <- c(rbp = "persistence", f_measure = "beta")[name]
    number <- as.numeric(parts[4L])
    is_parameter <- !is.na(parameter) &&
      (number %% 1 != 0 || (name == "f_measure" && !nzchar(parts[3L])))
    text <- if (is_parameter) {
      sprintf("%s(%s = %s)", name, parameter, format(number))
    } else if (number %% 1 == 0) {
      sprintf("%s@%s", name, format(number, scientific = FALSE))
    }
    if (is_metric_text(name, text)) {
      return(sprintf("Did you mean \"%s\"?", text))
    }
  }
  if (!is.null(diversity_name(sub("^\\s*([A-Za-z_-]*).*", "\\1", x)))) {
    return("It needs judgements of subtopics: use `evaluate_diversity()`.")
  }
  name <- full_name(sub("^\\s*([A-Za-z_]*).*", "\\1", x))
  if (!name %in% metric_names()) did_you_mean(name, metric_names())
}

# Whether the text can be read. The name is checked first, because read_metric() calls this function for its
# suggestions and would recurse without end.
is_metric_text <- function(name, text) {
  if (is.null(text) || !name %in% metric_names()) {
    return(FALSE)
  }
  tryCatch(inherits(read_metric(text), "rankmix_metric"), rankmix_error = function(e) FALSE)
}

full_name <- function(name) {
  name <- ascii_lower(name)
  short <- c(ap = "average_precision", map = "average_precision",
             p = "precision", rr = "reciprocal_rank", mrr = "reciprocal_rank",
             recip_rank = "reciprocal_rank", rprec = "r_precision", f1 = "f_measure",
             set_p = "precision", setp = "precision", set_recall = "recall", setr = "recall",
             set_f = "f_measure", setf = "f_measure", r = "recall", hit = "success", hits = "success",
             hit_rate = "success")
  if (name %in% names(short)) short[[name]] else name
}

# "empty = 1, ties = \"best\"" as a list. Only constants are evaluated.
parse_arguments <- function(text, whole, call = rlang::caller_env(), of = "metric") {
  parsed <- tryCatch(str2lang(paste0("list(", text, ")")),
                     error = function(e) NULL)
  one_call <- is.call(parsed) && identical(parsed[[1L]], quote(list))
  values <- if (one_call) as.list(parsed)[-1L]
  named <- length(values) == 0L ||
    (!is.null(names(values)) && all(nzchar(names(values))) &&
       !anyDuplicated(names(values)))
  if (!one_call || !named ||
        !all(vapply(values, is_constant, logical(1)))) {
    stop_input(
      "argument",
      sprintf("The arguments of the %s %s cannot be read.", of, show_value(whole)),
      remedy = sprintf("Write `name = constant`, separated by commas: \"%s\".",
                       if (of == "metric") "ndcg@10(empty = 1)" else "fuse_rrf(k = 60)"),
      call = call
    )
  }
  lapply(values, eval, envir = baseenv())
}

is_constant <- function(x) {
  if (!is.call(x)) {
    return(is_plain_number(x) || is.character(x) || is.null(x))
  }
  arguments <- as.list(x)[-1L]
  if (identical(x[[1L]], quote(`-`))) {
    return(length(arguments) == 1L && is_plain_number(arguments[[1L]]))
  }
  identical(x[[1L]], quote(c)) && all(vapply(arguments, is_constant, logical(1)))
}

# A metric, its text, or a list of them, as a named list of metrics. Names are the names of the list,
# or else the texts.
check_metrics <- function(metrics, convention = NULL,
                          call = rlang::caller_env()) {
  if (inherits(metrics, "rankmix_metric")) {
    metrics <- list(metrics)
  }
  if (is.list(metrics) && length(metrics) > 0L) {
    metrics <- flatten_metrics(if (is.object(metrics)) list(metrics) else metrics)
  }
  if (!(is.list(metrics) || is.character(metrics)) || length(metrics) == 0L) {
    stop_input(
      "argument",
      sprintf("`metrics` must be metrics such as `metric_ndcg(10)` or \"ndcg@10\", not %s.",
              show_value(metrics)),
      remedy = if (is.function(metrics)) {
        "Make a metric of a function by `metric_custom(name, f)`."
      } else if (is_plain_number(metrics) && length(metrics) > 1L) {
        "For vectors write `metric_vec(\"ndcg@10\", truth, estimate, query)`."
      },
      call = call
    )
  }
  given <- names(metrics)
  metrics <- lapply(metrics, read_metric, call = call)
  if (!is.null(convention)) {
    metrics <- lapply(metrics, with_convention, convention = convention,
                      call = call)
  }
  labels <- vapply(metrics, format, character(1), USE.NAMES = FALSE)
  if (!is.null(given)) {
    labels <- ifelse(nzchar(given), given, labels)
  }
  if (anyDuplicated(labels)) {
    stop_input("argument",
               sprintf("`metrics` contains %s more than once.",
                       enumerate(unique(labels[duplicated(labels)]))),
               remedy = "Leave one out, or name them: `list(a = ..., b = ...)`.",
               call = call)
  }
  stats::setNames(metrics, labels)
}
