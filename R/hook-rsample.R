#' Folds of queries for rsample
#'
#' @param split What [query_folds()] or [split_queries()] gave.
#' @param data The ranking data that it is of.
#' @param frame A data frame with a row for each document of `data`, which is resampled.
#'
#' @return A `manual_rset` of the package rsample, with a split for each fold: its analysis part is
#'   what trains and validates, its assessment part what tests. Rows of a query are never in both.
#' @section Conditions: `rankmix_error_query`: the data lack a query of the split.
#'   `rankmix_error_length`: `frame` has not as many rows as `data`.
#' @section Use:
#' ```r
#' folds <- as_rset(query_folds(data, 5, seed = 1), data)
#' analysis(folds$splits[[1]])
#' ```
#' @export
as_rset <- function(split, data, frame = as.data.frame(data)) {
  check_given(missing(split), "split")
  check_given(missing(data), "data")
  check_class(split, "split", c("rankmix_folds", "rankmix_split"),
              "`query_folds()` or `split_queries()`")
  check_ranking_data(data, judged = FALSE)
  if (!is.data.frame(frame) || nrow(frame) != nrow(data)) {
    stop_input("length", sprintf("`frame` must be a data frame of %d rows, one a document.",
                                 nrow(data)))
  }
  parts <- if (inherits(split, "rankmix_folds")) split$folds else list(split)
  rows <- function(ids) which(data$query %in% query_positions(data, ids))
  make_splits <- of_package("rsample", "make_splits", "for `as_rset()`.")
  splits <- lapply(parts, function(part) {
    make_splits(list(analysis = rows(c(part$train, part$valid)), assessment = rows(part$test)),
                data = frame)
  })
  of_package("rsample", "manual_rset")(splits, paste0("Fold", seq_along(splits)))
}
