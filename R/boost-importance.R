#' Importance of features, and a fit in a row
#'
#' @param x A model of [adaboost_mh()], [gbrt()] or [rankboost()], trained by [fit()].
#' @param ... Not used.
#'
#' @details The gain of a split is the edge of its stump beyond that of the best constant
#'   votes of the leaf that it splits, summed over the first `best_rounds` rounds. In a
#'   [base_product()] it is the edge of the whole beyond that with the best constant votes in
#'   place of the stump, the others as they are in the end. With confidence-rated votes it
#'   is what the split takes off Z; in a product only the first stump has such votes, and
#'   the others keep their gains. In [gbrt()] it is what the split takes off the mean
#'   squared residual, or, of another objective than [loss_squared()], off the objective, to second
#'   order. In [rankboost()] it is \eqn{|r|}{|r|}.
#'
#' @return `tidy()`: a data frame with a row for each feature that is used, most gain first:
#'   `feature`, `gain`, `fraction` (of all gain) and `used` (how many splits). `glance()`: a
#'   data frame with one row; of [adaboost_mh()] `rounds`, `best_rounds`, `status`, `grades`, `features`,
#'   `features_used` (in `best_rounds`), `edge_first`, `edge_last`, and `bound`, the bound
#'   \eqn{\prod_t \sqrt{1 - \gamma_t^2}}{prod_t sqrt(1 - gamma_t^2)} of the weighted Hamming
#'   error on the training data; of [gbrt()] `trees`, `best_rounds`, `status`, `features`,
#'   `features_used` and `start`, the mean grade or the best constant; of [rankboost()] `rounds`,
#'   `best_rounds`, `status`, `features`, `features_used`, `edge_first` and `edge_last`,
#'   \eqn{|r|}{|r|} of the first and the last round, and `bound`, \eqn{\prod_t Z_t}{prod_t Z_t},
#'   of the share of training pairs that all rounds order wrongly; with validation data also
#'   `metric` and `value`, at `best_rounds`.
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
  feature <- factor(forest$feature + 1L, seq_along(model$features))
  used <- tabulate(feature, length(model$features))
  gain <- as.vector(tapply(forest$gain, feature, sum, default = 0))
  table <- data.frame(feature = model$features, gain = gain,
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
  with_held_out(data.frame(trees = rounds_used(x), best_rounds = x$best_rounds,
                           status = x$status, features = length(x$features),
                           features_used = length(unique(used)), start = x$start), x)
}

# The metric at the chosen number of rounds, where validation data chose it.
with_held_out <- function(row, model) {
  if (!is.null(model$curve)) {
    row$metric <- format(model$metric)
    row$value <- model$curve$value[model$curve$rounds == model$best_rounds]
  }
  row
}
