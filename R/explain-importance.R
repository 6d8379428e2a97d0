#' Importance of features in an explanation
#'
#' Summarises the contributions of [explain()] by feature.
#'
#' @param x,object The explanation, made by [explain()].
#' @param by The groups: `"all"` for all documents (the default), or `"query"` for each query.
#' @param ... Must be empty.
#'
#' @return `tidy()` returns a data frame with a row for each feature, most important first: `feature`,
#'   `importance`, `within` (`NA` without queries), `fraction` (`NaN` if all are 0) and `mean`. With `by =
#'   "query"` there is a row for each query and feature, and a first column `query`. `summary()`
#'   returns the table over all documents, of class `summary.rankmix_shap`, which prints.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' shap <- explain(fit(gbrt(trees = 50), train, threads = 1), train)
#' head(tidy(shap))
#' head(tidy(shap, by = "query"))
#'
#' @details \eqn{\phi_{ij}}{phi_ij} is the contribution of feature j to document i. All columns are in units
#'   of
#'   the score, except `fraction`.
#'   * `importance` is the mean of \eqn{|\phi_{ij}|}{|phi_ij|} over documents.
#'   * `within` is the mean of \eqn{|\phi_{ij} - \bar\phi_{q(i)j}|}{|phi_ij - mean of phi_.j over the
#'     query of i|}. `within` measures the effect on rankings, because a contribution that is the same for
#'     all documents of a query changes no ranking.
#'   * `fraction` is `within` divided by its sum over all features. Without queries, `importance` takes the
#'     place of `within`.
#'   * `mean` is the mean of \eqn{\phi_{ij}}{phi_ij}.
#'
#'   A factor that [gbrt()] splits by subsets is one feature, with one row.
#' @section Conditions: `rankmix_error_argument`: `by = "query"` for data without queries.
#' @export
tidy.rankmix_shap <- function(x, by = "all", ...) {
  check_no_others(...)
  check_choice(by, "by", c("all", "query"))
  values <- whole_contributions(x)
  within <- within_queries(values, x$query)
  if (by == "all") {
    return(importance_rows(values, within))
  }
  if (is.null(x$query)) {
    stop_input("argument", "The explanation has no queries.",
               remedy = "Give `explain()` data made by `ranking_data()`.")
  }
  rows <- lapply(unique(x$query), function(id) {
    of_query <- x$query == id
    cbind(query = id, importance_rows(values[of_query, , drop = FALSE],
                                      within[of_query, , drop = FALSE]))
  })
  do.call(rbind, rows)
}

# The contributions of whole features. A factor that trees split by subsets is one feature. Its contributions are
# in the columns of its levels, one of them for each document. The factor takes the place of its first level.
whole_contributions <- function(shap) {
  if (length(shap$factors) == 0L) {
    return(shap$values)
  }
  feature <- colnames(shap$values)
  for (name in names(shap$factors)) feature[shap$factors[[name]]] <- name
  t(rowsum(t(shap$values), feature, reorder = FALSE))
}

# Contributions minus the mean of their query.
within_queries <- function(values, query) {
  if (is.null(query)) {
    return(NULL)
  }
  group <- match(query, unique(query))
  means <- rowsum(values, group, reorder = TRUE) / tabulate(group)
  values - means[group, , drop = FALSE]
}

importance_rows <- function(values, within) {
  table <- data.frame(feature = colnames(values), importance = colMeans(abs(values)),
                      within = if (is.null(within)) NA_real_ else colMeans(abs(within)),
                      row.names = NULL)
  size <- if (is.null(within)) table$importance else table$within
  table$fraction <- size / sum(size)
  table$mean <- unname(colMeans(values))
  table <- table[order(-size, -table$importance), ]
  rownames(table) <- NULL
  table
}

#' @rdname tidy.rankmix_shap
#' @export
summary.rankmix_shap <- function(object, ...) {
  check_no_others(...)
  structure(tidy(object), class = c("summary.rankmix_shap", "data.frame"),
            documents = nrow(object$values), model = object$model)
}

#' @export
print.summary.rankmix_shap <- function(x, ...) {
  say(sprintf("Importance of features in %s over %s", attr(x, "model"),
              counted(attr(x, "documents"), "document")))
  print_features(x, 10L)
  invisible(x)
}
