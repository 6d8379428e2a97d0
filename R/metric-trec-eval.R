#' Other measures of trec_eval
#'
#' Specifies a measure of trec_eval that no other metric of the package computes.
#'
#' @param name The name of the measure: `"iprec_at_recall"`, `"11pt_avg"`, `"gm_map"`,
#'   `"infAP"`, `"num_rel_ret"` or `"set_map"`.
#' @param recall The recall of `"iprec_at_recall"`, from 0 to 1.
#' @param relevant The lowest grade that counts as relevant; a whole number from 1 (the default) to 127.
#' @param ties The order of equal scores: `"order"` (the default), `"best"`, `"worst"` or `"document"`, as in
#'   [metric_ndcg()]. The convention "trec_eval" breaks ties as trec_eval does, see [conventions].
#'
#' @details [as_metric()] reads the names as trec_eval writes them, such as
#'   `"iprec_at_recall_0.10"`. The ranking \eqn{d_1, ..., d_n} holds the retrieved documents,
#'   \eqn{r_i} of the top i are relevant, and R documents are judged relevant.
#'
#'   * `iprec_at_recall`: interpolated precision, the highest \eqn{r_i / i} from the rank of the c-th
#'     relevant document on. c is `recall` times R, rounded to the nearest whole number (halves up)
#'     as in trec_eval 10; earlier versions round differently. The value is 0 if fewer than c
#'     relevant documents are retrieved.
#'   * `11pt_avg`: the mean of the interpolated precision at the recalls 0, 0.1, ..., 1.
#'   * `gm_map`: the logarithm of average precision, or log(0.00001) if that is larger. trec_eval
#'     prints the geometric mean of average precision, which is `exp()` of the mean from `summary()`.
#'   * `num_rel_ret`: the number of relevant documents that are retrieved. trec_eval prints its
#'     sum over queries, `summary()` gives the mean.
#'   * `set_map`: precision times recall of all retrieved documents, \eqn{r_n^2 / (n R)}.
#'   * `infAP`: inferred average precision (Yilmaz and Aslam). Documents without a judgement, or with
#'     a negative grade, count as documents outside the pool. trec_eval counts documents with a
#'     negative grade as unjudged documents of the pool. Without negative grades the values agree.
#'
#'   A query without a relevant document, or without a retrieved one, has the value 0
#'   (`gm_map`: log(0.00001)), and counts in the mean.
#'
#' @return A value of class `rankmix_metric`. Rankers cannot be trained on it.
#' @section Conditions: `rankmix_error_argument`: an invalid argument.
#'   `rankmix_error_convention`: another convention than "trec_eval".
#' @references trec_eval 10.0, \url{https://github.com/usnistgov/trec_eval}. Yilmaz and Aslam
#'   (2006). Estimating average precision with incomplete and imperfect judgments.
#'   \doi{10.1145/1183614.1183633}
#' @examples
#' data <- ranking_data(cbind(bm25 = c(3, 1, 2, 5)), relevance = c(0, 1, 2, 0),
#'                      query = c(1, 1, 1, 2))
#' evaluate(data$x[, "bm25"], data, c("iprec_at_recall_0.10", "11pt_avg", "num_rel_ret"))
#' e <- evaluate(data$x[, "bm25"], data, metric_trec("gm_map"))
#' exp(summary(e)$mean)
#' @export
metric_trec <- function(name, recall = NULL, relevant = 1, ties = "order") {
  check_all_given()
  check_choice(name, "name", names(trec_values))
  if (name == "iprec_at_recall") {
    check_given(is.null(recall), "recall", "Such as `recall = 0.1`.")
    check_number(recall, "recall", 0, 1)
  } else if (!is.null(recall)) {
    stop_input("argument", sprintf("`recall` can only be used with \"iprec_at_recall\", not with \"%s\".",
                                   name))
  }
  check_count(relevant, "relevant", max = largest_grade)
  check_choice(ties, "ties", c("order", "best", "worst", "document"))
  structure(
    list(name = name, k = Inf, recall = recall, relevant = as.double(relevant), ties = ties,
         single_precision = "none", convention = NULL),
    class = c("rankmix_trec_measure", "rankmix_custom", "rankmix_metric")
  )
}

#' @export
format.rankmix_trec_measure <- function(x, ...) {
  name <- x$name
  if (!is.null(x$recall)) {
    text <- if (isTRUE(all.equal(x$recall, round(x$recall, 2), tolerance = 0))) {
      with_points(sprintf("%.2f", x$recall))
    } else {
      id_text(x$recall)
    }
    name <- paste0(name, "_", text)
  }
  set <- c(if (x$relevant != 1) sprintf("relevant = %s", plain_number(x$relevant)),
           if (x$ties != "order") sprintf("ties = \"%s\"", x$ties))
  if (length(set) > 0L) sprintf("%s(%s)", name, paste(set, collapse = ", ")) else name
}

# The measure of a text as trec_eval and ir_measures write it, or NULL.
trec_measure_of_text <- function(x, call) {
  parts <- regmatches(x, regexec("^\\s*([A-Za-z0-9_@.]+?)\\s*(?:\\((.*)\\))?\\s*$", x, perl = TRUE))[[1L]]
  if (length(parts) == 0L) {
    return(NULL)
  }
  arguments <- gsub("\\brel\\s*=", "relevant =", parts[3L])
  name <- ascii_lower(parts[2L])
  recall <- regmatches(name, regexec("^(?:iprec_at_recall[_.]|iprec@)([0-9]*[.]?[0-9]+)$", name))[[1L]]
  names <- c("11pt_avg" = "11pt_avg", gm_map = "gm_map", infap = "infAP",
             num_rel_ret = "num_rel_ret", numrelret = "num_rel_ret", set_map = "set_map",
             setap = "set_map")
  given <- if (length(recall) > 0L) {
    list(name = "iprec_at_recall", recall = as.numeric(recall[2L]))
  } else if (name %in% names(names)) {
    list(name = names[[name]])
  }
  if (is.null(given)) {
    return(NULL)
  }
  arguments <- parse_arguments(arguments, x, call)
  unknown <- setdiff(names(arguments), c("relevant", "ties"))
  if (length(unknown) > 0L) {
    stop_input("argument", sprintf("%s has no argument %s.", given$name, enumerate(unknown)),
               "It has `relevant` and `ties`.", call = call)
  }
  do.call(metric_trec, c(given, arguments))
}

# Applies the rules of trec_eval.
with_trec_convention <- function(metric, convention, call) {
  if (!identical(convention, "trec_eval")) {
    stop_input("convention",
               sprintf("`%s` is a measure of trec_eval; no other convention rules it.",
                       format(metric)), call = call)
  }
  rules <- convention_rules(convention, "average_precision")
  metric$ties <- rules$ties
  metric$single_precision <- if (is.null(rules$single_precision)) "none" else rules$single_precision
  metric
}

# `grades` are the grades of the ranked documents, in order; `all` those of all documents of the query.
trec_value <- function(metric, grades, all) {
  relevant <- grades >= metric$relevant
  known <- sum(all >= metric$relevant)
  if (length(grades) == 0L || known == 0L) {
    relevant <- logical()
  }
  trec_values[[metric$name]](relevant, grades, known, metric$recall)
}

interpolated_precision <- function(relevant, known, recalls) {
  if (!any(relevant)) {
    return(numeric(length(recalls)))
  }
  hits <- cumsum(relevant)
  best <- rev(cummax(rev(hits / seq_along(hits))))
  counts <- floor(recalls * known + 0.5)
  value <- best[match(pmax(counts, 1), hits)]
  value[counts == 0] <- best[1L]
  ifelse(is.na(value), 0, value)
}

average_precision_of <- function(relevant, known) {
  at <- which(relevant)
  if (length(at) == 0L) 0 else sum(seq_along(at) / at) / known
}

trec_values <- list(
  iprec_at_recall = function(relevant, grades, known, recall) {
    interpolated_precision(relevant, known, recall)
  },
  "11pt_avg" = function(relevant, grades, known, recall) {
    mean(interpolated_precision(relevant, known, 0:10 / 10))
  },
  gm_map = function(relevant, grades, known, recall) {
    log(max(average_precision_of(relevant, known), 0.00001))
  },
  infAP = function(relevant, grades, known, recall) {
    if (!any(relevant)) {
      return(0)
    }
    epsilon <- 0.00001
    above <- which(relevant) - 1
    judged_above <- (cumsum(grades >= 0))[which(relevant)] - 1
    hits_above <- seq_along(above) - 1
    precision <- (hits_above + epsilon) / (judged_above + 2 * epsilon)
    # 1 / (j + 1) + j / (j + 1) * (judged / j) * precision; j cancels in the second term.
    sum(ifelse(above == 0, 1, (1 + judged_above * precision) / (above + 1))) / known
  },
  num_rel_ret = function(relevant, grades, known, recall) as.double(sum(relevant)),
  set_map = function(relevant, grades, known, recall) {
    if (length(relevant) == 0L) 0 else sum(relevant)^2 / (length(relevant) * known)
  }
)
