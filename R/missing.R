# Missing values, for rankers that need all of them: what stands for a missing value is learned
# from the training data, kept in the model as its `filling`, and used for new data. A row says
# that its ranker does so by the setting `missing = filling_parameter()`; the rest is here, called
# where rows train (fit.R) and where models predict (discriminants.R).

#' Missing values
#'
#' Trees and [best_feature()] take features that are `NA` as they are. Rankers that need a number
#' for each of them, such as [linear_ranker()] and [mcsvm()], have the setting `missing`, which says what
#' stands for a missing value.
#'
#' | `missing` | a missing value of feature j is |
#' |---|---|
#' | `"mean"` | the mean \eqn{m_j}{m_j} of its known values in the training data |
#' | `"zero"` | 0 |
#' | `"indicator"` | \eqn{m_j}{m_j}, and a feature `is.na(j)` is 1 there, else 0 |
#' | `"error"` | an error |
#'
#' @details With weights \eqn{w_i}{w_i} of the training documents, those of their queries or 1, and
#'   the documents i whose \eqn{x_{ij}}{x_ij} is known,
#'   \deqn{m_j = \sum_i w_i x_{ij} / \sum_i w_i.}{m_j = sum_i w_i x_ij / sum_i w_i.}
#'   Where none is known \eqn{m_j}{m_j} is 0. Of sparse features what has no entry is a known 0.
#'   Documents of weight 0 are as good as absent. New data, validation data too, are filled by the
#'   numbers of the training data, which the model keeps, also for features that lacked nothing
#'   there.
#'
#'   `"indicator"` adds a feature for each that lacks values in the training data, so that a linear
#'   model learns what it means that a value is missing; it scales them as others. `coef()` and
#'   [tidy()] call it `is.na(<feature>)`. Where new data lack values of other features these count
#'   as the mean alone.
#'
#'   `print()` of a model says how many values were filled. Cost: one pass over the
#'   features. Data that lack nothing are not copied; others are copied while the ranker is trained
#'   or predicts. A ranker of [new_ranker()] has the setting `missing` by its trait `"filled"`;
#'   members of a [mixture()] fill for themselves.
#'
#' @section Conditions: `rankmix_error_missing`: values are missing, and the ranker is set to
#'   `missing = "error"` or is a [new_ranker()] with neither the trait `"missing"` nor `"filled"`.
#' @seealso [standardize_queries()], by which missing values stay missing;
#'   [print()][ranking_data()] of data, which says how many there are.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' train$missing
#' fit(linear_ranker(penalty = 0.1), train, threads = 1)
#' marked <- fit(linear_ranker(penalty = 0.1, missing = "indicator"), train, threads = 1)
#' tail(coef(marked), 3)
#' @name missing_values
NULL

ways_to_fill <- c("mean", "zero", "indicator", "error")

# Of a row; its constructor has `missing = "mean"`. It gives the trait `missing` but for "error".
filling_parameter <- function() {
  c(parameter(a_choice(ways_to_fill)), list(fills = TRUE))
}

# Whether missing values are filled before the ranker of a row sees them; without a
# specification, whether they can be.
fills_missing <- function(row, spec = NULL) {
  isTRUE(row$parameters$missing$fills) &&
    (is.null(spec) || spec$missing != "error")
}

# A list of what stands for missing values: `way`, the setting; `numbers`, one a feature;
# `missing`, how many values each lacks in the training data; `marked`, the positions of the
# features that get a mark of their own. NULL where nothing is to be filled.
learn_filling <- function(spec, task) {
  if (!fills_missing(row_of(spec), spec)) {
    return(NULL)
  }
  known <- known_values(task$data$x, as.double(filling_weights(task)), task$threads)
  list(way = spec$missing,
       numbers = if (spec$missing == "zero") 0 * known$mean else known$mean,
       missing = known$missing,
       marked = if (spec$missing == "indicator") which(known$missing > 0) else integer())
}

# Whole weights of queries as counts: means are then those of copies of the queries, bit for bit.
filling_weights <- function(task) {
  counts <- document_counts(task$data)
  if (length(counts) > 0L && identical(task$weights, row_weights(task$data))) counts else task$weights
}

# What is filled already has the marks.
needs_filling <- function(filling, x) {
  !is.null(filling) &&
    (length(filling$marked) > 0L && dim(x)[2L] == length(filling$numbers) ||
       anyNA(if (isS4(x)) x@x else x))
}

# New data in the order of the training data.
fill_features <- function(filling, x, threads) {
  if (is_sparse(x)) {
    return(fill_sparse(filling, x))
  }
  filled <- fill_missing(x, filling$numbers, filling$marked - 1L, threads)
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
  # An entry of 0 is none.
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

# The task as the ranker sees it. `weights` are heeded by the means, and stay.
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

# A model, and the steps of a path, for data as they were before they were filled.
with_filling <- function(model, filling, schema) {
  model$filling <- filling
  model[names(schema)] <- schema
  if (!is.null(model$path)) {
    model$path[] <- lapply(model$path, with_filling, filling, schema)
  }
  model
}

# The names of what a model was trained on: its features and the marks.
input_names <- function(model) {
  c(model$features, mark_names(model$features[model$filling$marked]))
}

# How many values were filled, as a line of print(), or nothing.
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
