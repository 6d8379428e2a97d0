#' Custom metrics
#'
#' Specifies a metric that an R function computes from the ranked grades of a query.
#'
#' @param name The name of the metric in results.
#' @param value The function. The argument of the function has the grades of one query, with the
#'   best-ranked document first. A grade is -1 if a retrieved document was not judged. The function must
#'   return one number. `NaN` leaves the query out of the mean.
#' @param ties The order of equal scores: `"order"` (the default), `"best"`, `"worst"` or `"document"`, as in
#'   [metric_ndcg()].
#' @param single_precision The values that are rounded to single precision: `"none"` (the default), or
#'   `"scores"`.
#'
#' @details rankmix ranks the documents. The function is called in R once per query and ranker, by one
#' thread.
#'
#' A model that is chosen by the metric, and its file, store the function with the variables of the function that made
#' it. So do not make the metric in a function with large data.
#'
#' @return A value of class `rankmix_metric`.
#' @section Conditions: `rankmix_error_metric`, from evaluation: the function fails, or does not return
#'   one number.
#' @examples
#' # The fraction of the top three documents that have the highest grade.
#' top <- metric_custom("top3", function(grades) mean(head(grades, 3) == 2))
#' data <- ranking_data(cbind(bm25 = c(3, 1, 2, 5)), relevance = c(0, 1, 2, 0),
#'                      query = c(1, 1, 1, 2))
#' evaluate(data$x[, "bm25"], data, top)
#' @export
metric_custom <- function(name, value, ties = "order", single_precision = "none") {
  check_all_given()
  if (!is.character(name) || length(name) != 1L || is.na(name) || !nzchar(name)) {
    stop_input("argument",
               sprintf("`name` must be one string, not %s.", show_value(name)))
  }
  if (name %in% metric_names()) {
    stop_input("argument",
               sprintf("`%s` is a metric of the package.", name),
               remedy = "Give your metric another name.")
  }
  if (!is.function(value)) {
    stop_input("argument",
               sprintf("`value` must be a function of the ranked grades, not %s.",
                       show_value(value)))
  }
  check_choice(ties, "ties", c("order", "best", "worst", "document"))
  check_choice(single_precision, "single_precision", c("none", "scores"))
  structure(
    list(name = name, k = Inf, value = value, ties = ties, single_precision = single_precision,
         convention = NULL),
    class = c("rankmix_custom", "rankmix_metric")
  )
}

#' @export
format.rankmix_custom <- function(x, ...) {
  x$name
}

# The values of a custom metric, queries x rankers.
custom_values <- function(metric, scores, judged, positions, call) {
  queries <- length(judged$offsets) - 1L
  if (inherits(metric, "rankmix_trec_measure")) check_graded(judged, metric$name, call)
  grades_of_core <- core_grades(judged)
  vapply(seq_len(ranker_count(scores)), function(j) {
    rows <- ranked_rows(scores_of_ranker(scores, j), grades_of_core, positions, judged$order,
                        judged$offsets, metric$ties, metric$single_precision)
    vapply(seq_len(queries), function(q) {
      places <- seq.int(judged$offsets[q] + 1L,
                        length.out = judged$offsets[q + 1L] - judged$offsets[q])
      grades <- judged$relevance[rows[places]]
      if (inherits(metric, "rankmix_trec_measure")) {
        return(trec_value(metric, grades, judged$relevance[judged$order[places] + 1L],
                          judged$pooled[rows[places]]))
      }
      custom_value(metric, grades, judged$query_ids[q], call)
    }, numeric(1))
  }, numeric(queries)) |> matrix(queries)
}

custom_value <- function(metric, grades, query, call) {
  value <- tryCatch(metric$value(grades), error = function(e) {
    stop_input("metric",
               sprintf("The function of the metric `%s` fails.", metric$name),
               sprintf("It was called for query %s.", query),
               call = call, parent = e)
  })
  if (!is_plain_number(value) || length(value) != 1L || is.infinite(value) ||
        (is.na(value) && !is.nan(value))) {
    stop_input(
      "metric",
      sprintf("The function of the metric `%s` must give one number.", metric$name),
      sprintf("For query %s it gave %s.", query, show_value(value)),
      "Give a finite number, or NaN to leave the query out.",
      call = call
    )
  }
  as.double(value)
}
