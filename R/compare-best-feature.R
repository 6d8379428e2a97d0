#' The ranker by a single feature
#'
#' Specifies the baseline of the papers: the single feature that ranks the training data best. No other
#' ranker should be worse.
#'
#' @param metric The metric that chooses the feature, such as `metric_ndcg(10)`, or its text.
#' @param direction The direction of the feature. `"higher"`: a higher value means more relevant, as in
#'   the papers (the default). `"both"`: a feature may also rank by its lowest values.
#' @param ... Must be empty.
#'
#' @return A specification for [fit()], of class `rankmix_best_feature`. `tidy()` of the model has
#'   the mean of the metric for every feature.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' model <- fit(best_feature(metric_err()), train)
#' model
#' evaluate(model, test, metric_err())
#'
#' @details `fit()` ranks the training data by every feature, and keeps the feature with the highest mean
#'   of the metric over queries. Ties go to the first feature. Validation data are not used.
#'
#'   For documents with equal values, the metric is the mean over their orders, unless the metric or its convention sets
#'   `ties`. So a constant feature cannot be best because of the row order. The score of a document is the value of the
#'   feature, with the opposite sign if lower values are better. A document with a missing value comes last.
#'
#'   Cost: one evaluation and one copy of the column for each feature.
#'
#' @section Conditions: `rankmix_error_metric`: no training query counts for the metric.
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013), section 7.2 (BF.NDCG, BF.ERR),
#'   \doi{10.1007/s10994-013-5360-9}.
#' @export
best_feature <- function(metric = metric_ndcg(10), direction = "higher", ...) {
  check_no_others(...)
  new_spec("best_feature", metric = metric, direction = direction)
}

entry_of_best_feature <- function() {
  registry_entry(
    "best_feature",
    parameters = list(
      metric = parameter(function(x, name, call) read_metric(x, call), show = "bare"),
      direction = parameter(a_choice("higher", "both"), tune = c("higher", "both"))
    ),
    traits = c("missing", "weights", "real_relevance", "sparse", "one_grade"),
    complete = function(spec, call) {
      spec$metric <- read_metric(spec$metric, call)
      spec
    },
    train = train_best_feature
  )
}

train_best_feature <- function(spec, task) {
  data <- task$data
  signs <- if (spec$direction == "both") c(1, -1) else 1
  table <- expand.grid(feature = seq_along(data$features), sign = signs)
  table$value <- feature_means(spec$metric, data, signs, task$threads)
  if (all(is.na(table$value))) {
    stop_input("metric", sprintf("No training query counts for %s.", format(spec$metric)),
               remedy = "Give queries with relevant documents.", call = task$call)
  }
  best <- which.max(table$value)
  table$feature <- data$features[table$feature]
  structure(
    c(list(spec = spec), schema_of(data),
      list(feature = table$feature[best], sign = table$sign[best], value = table$value[best],
           lowest = lowest_score(data$x, (best - 1L) %% ncol(data$x) + 1L, table$sign[best]),
           table = table)),
    class = c("rankmix_best_feature_model", "rankmix_ranker")
  )
}

# The mean of the metric for each feature, with each sign. Blocks of columns bound the memory
# for copies.
feature_means <- function(metric, data, signs, threads, block = 16L) {
  columns <- seq_len(ncol(data$x))
  blocks <- split(columns, (columns - 1L) %/% block)
  unlist(lapply(signs, function(sign) {
    unlist(lapply(blocks, function(columns) {
      metric_means(metric, feature_scores(data$x, columns, sign), data, threads)
    }), use.names = FALSE)
  }))
}

feature_scores <- function(x, columns, sign) {
  scores <- sign * unname(as.matrix(x[, columns, drop = FALSE]))
  scores[is.na(scores)] <- -Inf
  scores
}

# The lowest score on the training data; 0 if all values are missing.
lowest_score <- function(x, column, sign) {
  scores <- feature_scores(x, column, sign)
  if (any(is.finite(scores))) min(scores[is.finite(scores)]) else 0
}

#' @export
discriminants.rankmix_best_feature_model <- function(model, x, rounds, threads) {
  scores <- feature_scores(x, match(model$feature, model$features), model$sign)
  array(scores, c(dim(scores), length(rounds)))
}

#' @export
calibrator_input.rankmix_best_feature_model <- function(model, x, rounds, threads) {
  missing_as_lowest(discriminants(model, x, rounds, threads), model)
}

# The scores of a ranker for calibration or a weighted sum. A missing value of best_feature(), which ranks last, counts
# as the lowest of the training data. A score of -Inf in a sum would hide the scores of all other rankers.
missing_as_lowest <- function(scores, ranker) {
  if (inherits(ranker, "rankmix_best_feature_model") && !is.null(ranker$lowest)) {
    scores[scores == -Inf] <- ranker$lowest
  }
  scores
}

#' @export
tidy.rankmix_best_feature_model <- function(x, ...) {
  table <- x$table[order(-x$table$value), ]
  rownames(table) <- NULL
  table
}

#' @export
glance.rankmix_best_feature_model <- function(x, ...) {
  data.frame(feature = x$feature, sign = x$sign, features = length(x$features),
             metric = format(x$spec$metric), value = x$value)
}

#' @export
print.rankmix_best_feature_model <- function(x, ...) {
  say(sprintf("<best feature> %s%s of %d: %s %.4f on the training data",
              if (x$sign < 0) "lowest " else "", x$feature, length(x$features),
              format(x$spec$metric), x$value))
  invisible(x)
}
