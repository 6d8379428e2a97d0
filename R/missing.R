# Missing values, for rankers that need all values. The fill values are learned from the training
# data, stored in the model as its `filling`, and used for new data. A registry entry requests filling by the
# setting `missing = filling_parameter()`. The functions here are called in training
# (fit.R) and prediction (discriminants.R).

#' Missing values
#'
#' Trees and [best_feature()] use missing values (`NA`) directly. Other rankers, such as [linear_ranker()]
#' and [mcsvm()], need a number for every value. Their setting `missing` chooses the number that replaces a
#' missing value.
#'
#' | `missing` | a missing value of feature j is replaced by |
#' |---|---|
#' | `"mean"` | the mean \eqn{m_j}{m_j} of the feature in the training data |
#' | `"zero"` | 0 |
#' | `"indicator"` | \eqn{m_j}{m_j}; a new feature `is.na(j)` marks missing values by 1 |
#' | `"error"` | nothing; missing values are an error |
#'
#' @details The mean is over the documents i in which the value \eqn{x_{ij}}{x_ij} is present. The weight
#'   \eqn{w_i}{w_i} of a document is the weight of its query, or 1:
#'   \deqn{m_j = \sum_i w_i x_{ij} / \sum_i w_i.}{m_j = sum_i w_i x_ij / sum_i w_i.}
#'   If a feature is missing in all documents, \eqn{m_j}{m_j} is 0. An entry that a sparse matrix does not
#'   store is 0, not missing. Documents of weight 0 have no effect. The model stores the numbers of the
#'   training data for all features. The same numbers fill validation data and new data.
#'
#'   `"indicator"` adds an indicator for each feature with missing training values. A linear model can then
#'   learn from the fact that a value is missing. Indicators are scaled like other features. [coef()] and
#'   [tidy()] call them `is.na(<feature>)`. If a feature without an indicator has missing values in new data,
#'   only the mean is used.
#'
#'   `print()` of a model shows the number of filled values. Filling takes one pass over the features. Data
#'   without missing values are not copied; other data are copied during training and prediction. A ranker of
#'   [new_ranker()] has the setting `missing` if it has the trait `"filled"`. Each member of a [mixture()]
#'   fills
#'   by its own setting.
#'
#' @section Conditions: `rankmix_error_missing`: values are missing, and the ranker is set to
#'   `missing = "error"` or is a [new_ranker()] with neither the trait `"missing"` nor `"filled"`.
#' @seealso [standardize_queries()], which keeps missing values; `print()` of [ranking_data()], which shows
#'   their number.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' train$missing
#' fit(linear_ranker(penalty = 0.1), train, threads = 1)
#' marked <- fit(linear_ranker(penalty = 0.1, missing = "indicator"), train, threads = 1)
#' tail(coef(marked), 3)
#' @name missing_values
NULL

filling_methods <- c("mean", "zero", "indicator", "error")

# The setting of a registry entry; its constructor has `missing = "mean"`. Unless it is "error", the
# ranker has the trait `missing`.
filling_parameter <- function() {
  c(parameter(a_choice(filling_methods)), list(fills = TRUE))
}

# Whether missing values are filled before the ranker receives them. Without a specification:
# whether the ranker has the setting.
fills_missing <- function(row, spec = NULL) {
  isTRUE(row$parameters$missing$fills) &&
    (is.null(spec) || spec$missing != "error")
}

# The filling: `way`, the setting; `numbers`, the fill value of each feature; `missing`, the number
# of missing training values of each; `marked`, the positions of the features with an indicator.
# NULL if nothing is filled.
learn_filling <- function(spec, task) {
  if (!fills_missing(entry_of(spec), spec)) {
    return(NULL)
  }
  known <- known_values(task$data$x, as.double(filling_weights(task)), task$threads)
  list(way = spec$missing,
       numbers = if (spec$missing == "zero") 0 * known$mean else known$mean,
       missing = known$missing,
       marked = if (spec$missing == "indicator") which(known$missing > 0) else integer())
}

# Whole weights of queries as counts: the means then have the same bits as with copies of the queries.
filling_weights <- function(task) {
  counts <- document_counts(task$data)
  if (length(counts) > 0L && identical(task$weights, row_weights(task$data))) counts else task$weights
}

# Filled data already have the indicators.
needs_filling <- function(filling, x) {
  !is.null(filling) &&
    (length(filling$marked) > 0L && dim(x)[2L] == length(filling$numbers) ||
       anyNA(if (isS4(x)) x@x else x))
}

# New data must have the features in the order of the training data.
fill_features <- function(filling, x, threads, rows = dim(x)[1L]) {
  if (is_sparse(x)) {
    return(fill_sparse(filling, x))
  }
  filled <- fill_missing(x, rows, filling$numbers, filling$marked - 1L, threads)
  if (!is.null(colnames(x))) {
    colnames(filled) <- c(colnames(x), mark_names(colnames(x)[filling$marked]))
  }
  filled
}

fill_sparse <- function(filling, x) {
  column <- rep(seq_len(dim(x)[2L]), diff(x@p))
  lost <- is.na(x@x)
  marks <- lapply(filling$marked, function(j) x@i[lost & column == j])
  rows <- dim(x)[1L]
  names <- colnames(x)
  x@x[lost] <- filling$numbers[column[lost]]
  # Stored zeros are dropped, so that equal data are identical.
  if (any(x@x == 0)) x <- Matrix::drop0(x)
  if (length(marks) == 0L) {
    return(x)
  }
  parts <- list(i = c(x@i, unlist(marks)), p = c(x@p, length(x@i) + cumsum(lengths(marks))),
                x = c(x@x, rep(1, sum(lengths(marks)))))
  new_sparse(parts, rows, if (!is.null(names)) c(names, mark_names(names[filling$marked])))
}

mark_names <- function(features) {
  if (length(features) > 0L) sprintf("is.na(%s)", features)
}

# The task with filled features. The means use `weights`, which the task keeps.
filled_task <- function(task, filling) {
  if (needs_filling(filling, task$data$x)) {
    data <- task$data
    data$x <- fill_features(filling, data$x, task$threads)
    data$features <- c(data$features, mark_names(data$features[filling$marked]))
    data$missing <- 0
    task$data <- data
    task$bins <- function(spec) bins_of(spec, data, task$threads)
  }
  if (!is.null(task$x) && needs_filling(filling, task$x)) {
    task$x <- fill_features(filling, task$x, task$threads)
  }
  task
}

# Makes a model, and all models of its path, accept data with missing values.
with_filling <- function(model, filling, schema) {
  model$filling <- filling
  model[names(schema)] <- schema
  if (!is.null(model$path)) {
    model$path[] <- lapply(model$path, with_filling, filling, schema)
  }
  model
}

# The names of the features that the model was trained on, including indicators.
input_names <- function(model) {
  c(model$features, mark_names(model$features[model$filling$marked]))
}

# A line for print() with the number of features that were filled, or nothing.
say_filling <- function(model) {
  filling <- model$filling
  lacking <- sum(filling$missing > 0)
  if (lacking > 0L) {
    by <- c(mean = "filled by the mean", zero = "filled by 0",
            indicator = "filled by the mean and marked")
    say(sprintf("%d of %s missing values, %s (%s)", lacking,
                paste(counted(length(filling$missing), "feature"),
                      if (lacking == 1L) "has" else "have"),
                by[[filling$way]], counted(sum(filling$missing), "value")))
  }
}
