#' Evaluate a ranker or any scores, query by query
#'
#' @param object A ranker (anything with a [predict()] method that takes `data`
#'   and gives one score a row), or numeric scores in the row order of `data`; higher means
#'   more relevant.
#' @param data Judged data, made by [ranking_data()] or [read_letor()].
#' @param metrics A metric such as `ndcg(10)`, or a list of metrics.
#' @param threads Number of threads; results do not depend on it.
#'
#' @details Documents with equal scores keep the order of the input.
#'
#' @return A data frame of class `rankmix_evaluation` with one row per query and
#'   metric: `query` (the id), `documents` (their number), `metric` (its name)
#'   and `value` (`NaN` where the metric leaves the query out). `summary()`
#'   gives for each metric its `mean` over queries, the standard error of that
#'   mean, `se` (the standard deviation over queries divided by the root of
#'   their number; `NA` for a single query), and the number of `queries` that
#'   count.
#'
#' @section Conditions: `rankmix_error_scores`: scores of the wrong length, that
#'   are not numbers, or `NA`.
#'
#' @examples
#' data <- ranking_data(cbind(bm25 = c(3, 1, 2, 5)), relevance = c(0, 1, 2, 0),
#'                      query = c(1, 1, 1, 2))
#' result <- evaluate(data$x[, "bm25"], data, list(ndcg(10), err()))
#' result
#' summary(result)
#' @export
evaluate <- function(object, data, metrics, threads = NULL) {
  threads <- check_threads(threads)
  check_class(data, "data", "ranking_data", "`ranking_data()`")
  metrics <- check_list_of(metrics, "metrics", "rankmix_metric",
                           "`ndcg()` or `err()`")
  scores <- check_scores(scores_of(object, data, threads), data)
  names <- vapply(metrics, format, character(1))
  if (anyDuplicated(names)) {
    stop_input("argument",
               sprintf("`metrics` holds %s more than once.",
                       enumerate(unique(names[duplicated(names)]))))
  }
  resolved <- lapply(metrics, resolve_metric, data = data)
  values <- lapply(resolved, metric_matrix, scores = cbind(scores),
                   data = data, threads = threads)
  rows <- lapply(seq_along(metrics), function(m) {
    data.frame(query = data$query_ids, documents = diff(data$offsets),
               metric = names[m], value = values[[m]][, 1L])
  })
  structure(
    do.call(rbind, rows),
    class = c("rankmix_evaluation", "data.frame"),
    resolved = stats::setNames(vapply(resolved, format, character(1)), names)
  )
}

# Scores as they are, or those of a ranker: of this package, or of any other
# with a predict() method.
scores_of <- function(object, data, threads, call = rlang::caller_env()) {
  if (inherits(object, "rankmix_ranker")) {
    return(predict(object, data, threads = threads))
  }
  if (is.atomic(object) || is.data.frame(object)) {
    return(object)
  }
  predict(object, data)
}

check_scores <- function(scores, data, call = rlang::caller_env()) {
  rows <- length(data$relevance)
  if (!is.numeric(scores) || length(scores) != rows) {
    stop_input(
      "scores",
      sprintf("The scores must be one number a row of `data`: %d numbers, not %s.",
              rows, show_value(scores)),
      remedy = "Give scores in the row order of `data`.",
      call = call
    )
  }
  if (anyNA(scores)) {
    stop_input(
      "scores",
      sprintf("The score of row %d is missing.", which(is.na(scores))[1L]),
      sprintf("%d scores are missing in all.", sum(is.na(scores))),
      "A document without a score has no rank; give it a lowest score.",
      call = call
    )
  }
  as.double(scores)
}

#' @export
summary.rankmix_evaluation <- function(object, ...) {
  if (anyDuplicated(object[c("query", "metric")])) {
    stop_input("argument",
               "Some queries have more than one value of a metric.",
               remedy = "Summarise the evaluations of each ranker and fold alone.")
  }
  names <- unique(object$metric)
  rows <- lapply(names, function(name) {
    values <- object$value[object$metric == name]
    values <- values[!is.na(values)]
    data.frame(metric = name, mean = mean(values),
               se = stats::sd(values) / sqrt(length(values)),
               queries = length(values))
  })
  do.call(rbind, rows)
}

#' @export
print.rankmix_evaluation <- function(x, ...) {
  if (!all(c("query", "metric", "value") %in% names(x))) {
    return(NextMethod())
  }
  cat(sprintf("<rankmix_evaluation> %s queries\n",
              format_count(length(unique(x$query)))))
  table <- summary(x)
  resolved <- attr(x, "resolved")
  for (i in seq_len(min(nrow(table), 8L))) {
    name <- table$metric[i]
    full <- if (name %in% names(resolved)) resolved[[name]] else name
    cat(sprintf("%s: %.4f +- %.4f (mean +- standard error, %d queries)\n", full,
                table$mean[i], table$se[i], table$queries[i]))
  }
  invisible(x)
}
