#' Importance of features, and one-row summaries
#'
#' `tidy()` returns the importance of each feature of a boosted model. `glance()` returns a one-row summary
#' of the
#' training.
#'
#' @param x A model of [adaboost_mh()], [gbrt()] or [rankboost()], trained by [fit()].
#' @param ... Not used.
#'
#' @details The gain of a split is the edge of its stump minus the edge of the best constant votes in the leaf
#'   that is split. Gains are summed over the first `best_rounds` rounds. Special cases:
#'   * [base_product()]: the gain of a stump is the edge of the product minus the edge of the same product
#'     with constant votes in place of the stump.
#'   * With confidence-rated votes, the gain of a split is the reduction of Z (see [base_tree()]). In a
#'     product, only the first stump has such votes. The gains of the other stumps are differences of edges.
#'   * [gbrt()]: the reduction of the mean squared residual. For objectives other than [loss_squared()], the
#'     reduction of the objective to second order.
#'   * [rankboost()]: \eqn{|r|}{|r|}.
#'
#' @return `tidy()`: a data frame with a row for each feature in use, largest gain first: `feature`, `gain`,
#'   `fraction` (of the sum of gains) and `used` (the number of splits).
#'
#'   `glance()`: a data frame with one row. All models have `best_rounds`, `status`, `features` and
#'   `features_used`, the number of features in the first `best_rounds` rounds. With validation data they also
#'   have `metric` and `value` at `best_rounds`. Further columns:
#'   * [adaboost_mh()]: `rounds`, `grades`, the edges `edge_first` and `edge_last` of the first and last
#'     round, and
#'     `bound`, the bound \eqn{\prod_t \sqrt{1 - \gamma_t^2}}{prod_t sqrt(1 - gamma_t^2)} of the weighted
#'     Hamming
#'     error on the training data.
#'   * [gbrt()]: `trees`, and `start`, the mean grade or the best constant. If the specification has
#'     `feature_cost`, also `feature_cost`, the sum of the costs of the features in use. [yetirank()]
#'     has the same columns.
#'   * [rankboost()]: `rounds`, \eqn{|r|}{|r|} of the first and last round as `edge_first` and `edge_last`,
#'     and
#'     `bound`, the bound \eqn{\prod_t Z_t}{prod_t Z_t} of the fraction of training pairs that are ordered
#'     wrongly.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(adaboost_mh(base_tree(4), rounds = 50), train, threads = 1)
#' head(tidy(model))
#' glance(model)
#' @importFrom generics tidy
#' @export
tidy.rankmix_adaboost_mh_model <- function(x, ...) {
  importance(x)
}

#' @rdname tidy.rankmix_adaboost_mh_model
#' @export
tidy.rankmix_gbrt_model <- function(x, ...) {
  importance(x)
}

importance <- function(model) {
  forest <- first_rounds(model, model$best_rounds)$forest
  features <- features_of_trees(model)
  feature <- factor(forest$feature + 1L, seq_along(features))
  used <- tabulate(feature, length(features))
  gain <- as.vector(tapply(forest$gain, feature, sum, default = 0))
  table <- data.frame(feature = features, gain = gain,
                      fraction = gain / max(sum(gain), 1e-300), used = used)
  table <- table[used > 0L, ]
  table <- table[order(-table$gain), ]
  rownames(table) <- NULL
  table
}

#' @rdname tidy.rankmix_adaboost_mh_model
#' @importFrom generics glance
#' @export
glance.rankmix_adaboost_mh_model <- function(x, ...) {
  rounds <- length(x$alpha)
  edge_at <- function(t) if (rounds > 0L) x$edge[t] else NA_real_
  row <- data.frame(
    rounds = rounds, best_rounds = x$best_rounds, status = x$status,
    grades = x$classes, features = length(x$features),
    features_used = length(unique(first_rounds(x, x$best_rounds)$forest$feature)),
    edge_first = edge_at(1L),
    edge_last = edge_at(rounds), bound = prod(sqrt(1 - x$edge^2))
  )
  with_held_out(row, x)
}

#' @rdname tidy.rankmix_adaboost_mh_model
#' @export
glance.rankmix_gbrt_model <- function(x, ...) {
  used <- first_rounds(x, x$best_rounds)$forest$feature
  row <- data.frame(trees = rounds_used(x), best_rounds = x$best_rounds, status = x$status,
                    features = length(x$features), features_used = length(unique(used)), start = x$start)
  row$feature_cost <- paid_cost(x)
  with_held_out(row, x)
}

# Adds the metric at the chosen number of rounds, if validation data chose it.
with_held_out <- function(row, model) {
  if (!is.null(model$curve)) {
    row$metric <- format(model$metric)
    row$value <- model$curve$value[model$curve$rounds == model$best_rounds]
  }
  row
}
