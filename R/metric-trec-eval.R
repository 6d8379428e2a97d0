#' Other measures of trec_eval
#'
#' Specifies a measure of trec_eval that no other metric of the package computes.
#'
#' @param name The name of the measure, one of the names under Details.
#' @param recall The recall of `"iprec_at_recall"`, from 0 to 1.
#' @param k The cut-off of `"relative_P"` and `"unj"`.
#' @param multiple The multiple of R of `"Rprec_mult"`, above 0. At 1 the measure is R-precision.
#' @param weights The four weights of `"utility"`; the default `c(1, -1, 0, 0)` is the default of trec_eval. The
#' weights are for, in this order: relevant retrieved documents, other retrieved documents, relevant documents
#' that are not retrieved, and all other documents.
#' @param collection The number of documents in the collection, for `"utility"` with a fourth weight.
#' @param persistence The persistence of `"rbp_resid"`, above 0 and below 1; default 0.9, as in trec_eval.
#' @param relevant The lowest grade that counts as relevant; a whole number from 1 (the default) to 127.
#' @param ties The order of equal scores: `"order"` (the default), `"best"`, `"worst"` or `"document"`, as in
#'   [metric_ndcg()]. The convention "trec_eval" breaks ties as trec_eval does, see [conventions].
#'
#' @details [as_metric()] reads the names as trec_eval writes them, such as
#'   `"iprec_at_recall_0.10"`, `"relative_P_5"` or `"Rprec_mult_0.20"`. The ranking
#'   \eqn{d_1, ..., d_n} has the retrieved documents, \eqn{r_i} of the top i are relevant, and R
#'   documents are judged relevant.
#'
#'   Precision and recall:
#'
#'   * `iprec_at_recall`: interpolated precision, the highest \eqn{r_i / i} from the rank of the c-th
#'     relevant document on. Here c is `recall` times R, rounded to the nearest whole number (halves up) as in
#'     trec_eval 10. Earlier versions round differently. The value is 0 if fewer than c relevant documents are
#'     retrieved.
#'   * `11pt_avg`: the mean of the interpolated precision at the recalls 0, 0.1, ..., 1.
#'   * `relative_P`: \eqn{r_k} divided by the smaller of k and R, which is the highest possible \eqn{r_k}.
#'   * `Rprec_mult`: precision at the rank m, the integer part of `multiple` times R plus 0.9. The value
#'     is 0 if m is 0.
#'   * `set_map`: precision times recall of all retrieved documents, \eqn{r_n^2 / (n R)}.
#'   * `set_relative_P`: \eqn{r_n} divided by the smaller of n and R.
#'   * `utility`: the weighted sum of the four numbers of documents, see `weights`.
#'
#'   Averages of precision and of gain:
#'
#'   * `gm_map`: the logarithm of average precision, or log(0.00001) if that is larger. [trec_summary()]
#'     gives the geometric mean of average precision, which trec_eval prints.
#'   * `gm_bpref`: the same for [metric_bpref()].
#'   * `infAP`: inferred average precision (Yilmaz and Aslam). Documents with a negative grade in the
#'     judgements are the unjudged documents of the pool. Documents that are not in the judgements are
#'     outside the pool.
#'   * `yaap`: log((1 + s) / (1 + R - s)), where s is R times average precision (Robertson).
#'   * `binG`: the sum of 1 / log2(2 + u) over the retrieved relevant documents, divided by R. Here u is the
#'     number of other documents above.
#'   * `G`: the sum of g / log2(2 + c - s) over the retrieved documents, divided by the sum of all grades.
#'     Here g is the grade of the document, and s the sum of the grades up to its rank. c is the same sum for
#'     the ideal ranking, with each grade at least 1.
#'   * `ndcg_rel`: the mean of NDCG (with linear gain) at the ranks of the documents with a grade above 0. A
#'     document that is not retrieved contributes the DCG of the whole list over the ideal DCG.
#'   * `Rndcg`: the mean of NDCG (with linear gain) at the ranks after which the ideal ranking has lower
#'     grades. The end of the list counts too, if at least two documents follow the last of these ranks.
#'
#'   Counts, and documents without a judgement:
#'
#'   * `num_q`: 1. `num_ret`: n. `num_rel`: R. `num_rel_ret`: \eqn{r_n}. trec_eval prints the sums of these
#'     counts, which [trec_summary()] gives. `summary()` gives means.
#'   * `num_nonrel_judged_ret`: the number of retrieved documents that are judged and not relevant.
#'   * `unj`: the number of documents without a judgement among the top k, divided by k.
#'   * `rbp_resid`: the sum of \eqn{(1 - p) p^{i - 1}} over the ranks i without a judgement, plus \eqn{p^n}.
#'     p is the `persistence`. As in trec_eval, the value is 0 if all retrieved documents are judged.
#'
#'   A query without a relevant document, or without a retrieved document, counts in the mean. The value of such a query
#'   is 0 where the formula divides by 0, and log(0.00001) for `gm_map` and `gm_bpref`. `utility` and `rbp_resid`
#'   of an empty list are 0, as with the option `-c` of trec_eval.
#'
#'   Other names of trec_eval belong to other metrics, see [as_metric()]. Left out are `runid` and
#'   `relstring`, which are texts, and the measures `prefs` and `avgjg`, which need other judgements.
#'   Gains other than the grades, such as `"G.1=3"`, are not supported.
#'
#' @return A value of class `rankmix_metric`. Rankers cannot be trained on it.
#' @section Conditions: `rankmix_error_argument`: an invalid argument, or an argument of another measure.
#'   `rankmix_error_convention`: another convention than "trec_eval".
#' @references trec_eval 10.0, \url{https://github.com/usnistgov/trec_eval}.
#'
#'   Yilmaz and Aslam (2006). Estimating average precision with incomplete and imperfect judgments.
#'   \doi{10.1145/1183614.1183633}
#'
#'   Robertson (2012). On smoothing average precision. ECIR, LNCS 7224, 158-169.
#' @seealso [trec_summary()], the values that trec_eval prints for all queries.
#' @examples
#' data <- ranking_data(cbind(bm25 = c(3, 1, 2, 5)), relevance = c(0, 1, 2, 0),
#'                      query = c(1, 1, 1, 2))
#' evaluate(data$x[, "bm25"], data, c("iprec_at_recall_0.10", "relative_P_2", "num_rel_ret"))
#' trec_summary(evaluate(data$x[, "bm25"], data, metric_trec("gm_map")))
#' metric_trec("utility", weights = c(2, -1, 0, 0))
#' @export
metric_trec <- function(name, recall = NULL, k = NULL, multiple = NULL, weights = NULL, collection = NULL,
                        persistence = NULL, relevant = 1, ties = "order") {
  check_all_given()
  check_trec_name(name, rlang::current_env())
  given <- list(recall = recall, k = k, multiple = multiple, weights = weights, collection = collection,
                persistence = persistence)
  given <- check_trec_parameters(name, Filter(Negate(is.null), given), rlang::current_env())
  check_count(relevant, "relevant", max = largest_grade)
  if (relevant != 1 && !trec_measures[[name]]$relevant) {
    stop_input("argument", sprintf("`relevant` cannot be used with \"%s\".", name),
               "The measure does not depend on what counts as relevant.")
  }
  check_choice(ties, "ties", c("order", "best", "worst", "document"))
  structure(
    list(name = name, k = Inf, set = given, relevant = as.double(relevant), ties = ties,
         single_precision = "none", convention = NULL),
    class = c("rankmix_trec_measure", "rankmix_custom", "rankmix_metric")
  )
}

check_trec_name <- function(name, call) {
  known <- if (rlang::is_string(name) && !name %in% names(trec_measures)) {
    tryCatch(read_metric(name, call), rankmix_error = function(e) NULL)
  }
  if (!is.null(known)) {
    stop_input("argument", sprintf("\"%s\" is not a measure of `metric_trec()`.", name),
               remedy = sprintf("Write the text \"%s\" in place of `metric_trec()`.", name),
               call = call)
  }
  check_choice(name, "name", names(trec_measures), call)
}

# The parameters of the measure: the `given` parameters, and the defaults of the others.
check_trec_parameters <- function(name, given, call) {
  own <- trec_measures[[name]]$parameters
  for (parameter in setdiff(names(given), own)) {
    users <- Filter(function(measure) parameter %in% trec_measures[[measure]]$parameters,
                    names(trec_measures))
    stop_input("argument",
               sprintf("`%s` can only be used with %s, not with \"%s\".", parameter,
                       paste0("\"", users, "\"", collapse = " and "), name), call = call)
  }
  for (parameter in own) {
    rule <- trec_parameters[[parameter]]
    value <- given[[parameter]]
    if (is.null(value)) value <- rule$default
    if (is.null(value) && parameter != "collection") {
      check_given(TRUE, parameter, rule$remedy, call)
    }
    if (!is.null(value)) {
      rule$check(value, call)
      given[[parameter]] <- as.double(value)
    }
  }
  if (name == "utility" && given$weights[4L] != 0) {
    check_given(is.null(given$collection), "collection",
                "The fourth weight needs the number of documents in the collection.", call)
  }
  given[intersect(own, names(given))]
}

trec_parameters <- list(
  recall = list(remedy = "For example `recall = 0.1`.",
                check = function(x, call) check_number(x, "recall", 0, 1, call = call)),
  k = list(remedy = "For example `k = 10`.", check = function(x, call) check_count(x, "k", call = call)),
  multiple = list(remedy = "For example `multiple = 0.5`.", check = function(x, call) {
    check_number(x, "multiple", 0, 1e6, open_min = TRUE, call = call)
  }),
  weights = list(default = c(1, -1, 0, 0), check = function(x, call) {
    if (!is_plain_number(x) || length(x) != 4L || !all(is.finite(x))) {
      stop_input("argument", sprintf("`weights` must be four numbers, not %s.", show_value(x)),
                 remedy = "For example `weights = c(1, -1, 0, 0)`.", call = call)
    }
  }),
  collection = list(check = function(x, call) check_count(x, "collection", call = call)),
  persistence = list(default = 0.9, check = function(x, call) {
    metric_parameters$persistence(x, "rbp_resid", call)
  })
)

#' @export
format.rankmix_trec_measure <- function(x, ...) {
  set <- x$set
  in_name <- intersect(names(set), c("recall", "k", "multiple"))
  name <- paste(c(x$name, vapply(in_name, function(parameter) {
    if (parameter == "k") plain_number(set$k) else two_decimals(set[[parameter]])
  }, "")), collapse = "_")
  set <- set[setdiff(names(set), in_name)]
  set <- set[!vapply(names(set), function(parameter) {
    identical(set[[parameter]], trec_parameters[[parameter]]$default)
  }, NA)]
  if (x$relevant != 1) set$relevant <- x$relevant
  if (x$ties != "order") set$ties <- x$ties
  if (length(set) == 0L) {
    return(name)
  }
  sprintf("%s(%s)", name, paste(names(set), "=", vapply(set, show_parameter, ""), collapse = ", "))
}

# As trec_eval writes the number, unless that loses digits.
two_decimals <- function(x) {
  if (isTRUE(all.equal(x, round(x, 2), tolerance = 0))) with_points(sprintf("%.2f", x)) else id_text(x)
}

# The measure of a text as trec_eval and ir_measures write it, or NULL.
trec_measure_of_text <- function(x, call) {
  parts <- regmatches(x, regexec("^\\s*([A-Za-z0-9_@.,+-]+?)\\s*(?:\\((.*)\\))?\\s*$", x, perl = TRUE))[[1L]]
  if (length(parts) == 0L) {
    return(NULL)
  }
  given <- trec_name(ascii_lower(parts[2L]))
  if (is.null(given)) {
    return(NULL)
  }
  arguments <- parse_arguments(gsub("\\brel\\s*=", "relevant =", parts[3L]), x, call)
  # NumRet(rel = 1) of ir_measures counts relevant documents only.
  if (grepl("NumRet", x, fixed = TRUE) && given$name == "num_ret" && "relevant" %in% names(arguments)) {
    given$name <- "num_rel_ret"
  }
  known <- c(setdiff(trec_measures[[given$name]]$parameters, names(given)), "relevant", "ties")
  unknown <- setdiff(names(arguments), known)
  if (length(unknown) > 0L) {
    stop_input("argument", sprintf("%s has no argument %s.", given$name, enumerate(unknown)),
               sprintf("It has %s.", enumerate(known)), call = call)
  }
  do.call("metric_trec", c(given, arguments))
}

# The name of a measure and the numbers in it, as arguments of metric_trec(). NULL for other names.
trec_name <- function(name) {
  plain <- stats::setNames(names(trec_measures), ascii_lower(names(trec_measures)))
  others <- c(numrelret = "num_rel_ret", numret = "num_ret", numrel = "num_rel", numq = "num_q",
              setap = "set_map")
  whole <- c(plain, others)
  if (name %in% names(whole)) {
    return(list(name = whole[[name]]))
  }
  # Parameters follow the name, separated by one of these.
  parts <- regmatches(name, regexec("^(.*[a-z])[_.@]([-+0-9.,]+)$", name))[[1L]]
  if (length(parts) == 0L) {
    return(NULL)
  }
  base <- if (parts[2L] == "iprec") "iprec_at_recall" else parts[2L]
  numbers <- suppressWarnings(as.numeric(strsplit(parts[3L], ",", fixed = TRUE)[[1L]]))
  parameter <- c(iprec_at_recall = "recall", relative_p = "k", unj = "k", rprec_mult = "multiple",
                 utility = "weights")[base]
  if (is.na(parameter) || anyNA(numbers)) {
    return(NULL)
  }
  c(list(name = plain[[base]]), stats::setNames(list(numbers), parameter))
}

# Applies the rules of trec_eval.
with_trec_convention <- function(metric, convention, call) {
  if (!identical(convention, "trec_eval")) {
    stop_input("convention",
               sprintf("`%s` is a measure of trec_eval, so no other convention applies to it.",
                       format(metric)), call = call)
  }
  rules <- convention_rules(convention, "average_precision")
  metric$ties <- rules$ties
  metric$single_precision <- if (is.null(rules$single_precision)) "none" else rules$single_precision
  metric
}
