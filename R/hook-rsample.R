#' Folds of queries for rsample
#'
#' Converts folds or a split of queries into a resampling object of rsample.
#'
#' @param split The folds or split, from [query_folds()] or [split_queries()].
#' @param data The ranking data that were split.
#' @param frame The data frame to resample, with a row for each document of `data`.
#'
#' @return A `manual_rset` of the package rsample, with a split for each fold. The analysis part has the
#'   training and validation queries, the assessment part the test queries. No query is in both parts.
#' @section Conditions: `rankmix_error_query`: the data lack a query of the split.
#'   `rankmix_error_length`: `frame` and `data` have different numbers of rows.
#' @section Use:
#' ```r
#' folds <- as_rset(query_folds(data, 5, seed = 1), data)
#' analysis(folds$splits[[1]])
#' ```
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' folds <- query_folds(train, 5, seed = 1)
#' if (rlang::is_installed("rsample")) as_rset(folds, train)
#' @export
as_rset <- function(split, data, frame = as.data.frame(data)) {
  check_given(missing(split), "split")
  check_given(missing(data), "data")
  check_class(split, "split", c("rankmix_folds", "rankmix_split"),
              "`query_folds()` or `split_queries()`")
  check_ranking_data(data, judged = FALSE, binned = TRUE)
  if (!is.data.frame(frame) || nrow(frame) != nrow(data)) {
    stop_input("length", sprintf("`frame` must be a data frame of %d rows, one per document.",
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
