#' LambdaMART
#'
#' Specifies boosted trees that optimise NDCG, ERR or another ranking metric, to be trained by [fit()].
#' LambdaMART is [gbrt()] with [loss_lambda()].
#'
#' @param metric The metric to optimise, as in [loss_lambda()]. The default is NDCG of the whole list.
#' @param pairs,sigma,normalize,truncation,unbiased,position_l2,examination The settings of
#'   [loss_lambda()], with the same defaults: `pairs = "top"`, `sigma = 1`, `normalize = "none"`,
#'   `truncation = NULL`, `unbiased = FALSE`, `position_l2 = 0` and `examination = NULL`.
#'   `truncation = NULL` is the cut-off of `metric`, or 30.
#' @param
#'   trees,num_leaves,max_depth,learning_rate,min_data_in_leaf,lambda_l2,feature_fraction,bagging_fraction
#'   The settings of [gbrt()], with the same defaults except for `lambda_l2`: `trees = 500`, 31 leaves
#'   (or 2^depth), no `max_depth`, `learning_rate = 0.1`, `min_data_in_leaf = 20` and both fractions 1.
#'   The default `lambda_l2 = 1` is explained in Details. `min_data_in_leaf` counts documents, not
#'   hessians.
#' @param ... Other settings of [gbrt()], by name.
#'
#' @details Leaf values are Newton steps \eqn{-G / (H + \lambda)}{-G / (H + lambda)}, with the leaf's
#'   sums of gradients G and hessians H. If pairs are ordered wrongly by a large difference of scores,
#'   hessians are near 0. A `lambda_l2` above 0 then keeps leaf values small. With validation data [fit()]
#'   chooses the number of trees by `metric`, unless you set the `metric` of [fit()].
#'
#'   Training with the default metric uses more pairs than training with `metric_ndcg(10)`. The NDCG@10 is usually the
#'   same or higher. A few thousand documents need trees of 4 to 10 leaves.
#' @return A specification of class `rankmix_gbrt`, as from [gbrt()].
#' @section Conditions: The conditions of [loss_lambda()] and [gbrt()]. From [fit()] `rankmix_error_pairs`: in no
#'   query does the order of documents change the metric.
#' @references Wu, Burges, Svore and Gao (2010). Adapting boosting for information retrieval
#'   measures. \doi{10.1007/s10791-009-9112-1}
#' @examples
#' data <- simulate_ranking(60, seed = 1)$data
#' parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
#' model <- fit(lambdamart(metric_ndcg(10), trees = 50, num_leaves = 8), parts$train, parts$test,
#'              threads = 1)
#' model
#' lambdamart("err", trees = 200, learning_rate = 0.05)
#' @export
lambdamart <- function(metric = metric_ndcg(), trees = 500, num_leaves = NULL, max_depth = NULL, learning_rate = 0.1,
                       pairs = "top", sigma = 1, normalize = "none", truncation = NULL,
                       min_data_in_leaf = 20, lambda_l2 = 1, feature_fraction = 1, bagging_fraction = 1,
                       unbiased = FALSE, position_l2 = 0, examination = NULL, ...) {
  call <- rlang::current_env()
  force(metric)
  others <- list(...)
  check_variant_settings(others, lambdamart, gbrt, "objective", lambdamart_remedy, call)
  in_the_name_of(call, {
    objective <- loss_lambda(metric, pairs, sigma, normalize, truncation, unbiased, position_l2,
                             examination)
    do.call(gbrt, c(list(trees = trees, num_leaves = num_leaves, max_depth = max_depth,
                         learning_rate = learning_rate,
                         min_data_in_leaf = min_data_in_leaf, feature_fraction = feature_fraction,
                         bagging_fraction = bagging_fraction, objective = objective, lambda_l2 = lambda_l2),
                    others),
            quote = TRUE)
  })
}

# The remedy for a given `objective`, which lambdamart() does not accept.
lambdamart_remedy <- function(objective) {
  ours <- our_objective(objective)
  if (inherits(objective, "rankmix_objective")) ours <- format(objective)
  call <- if (is.null(ours)) "gbrt(objective = ...)" else if (startsWith(ours, "loss_lambda")) {
    sub("^loss_lambda", "lambdamart", ours)
  } else {
    sprintf("gbrt(objective = %s)", ours)
  }
  c("`lambdamart()` always learns the lambdas of its `metric`.", sprintf("Write `%s`.", call))
}

# gbrt() with loss_lambda() is printed as a call of lambdamart().
lambdamart_variant <- function(spec) {
  if (spec$objective$name == "lambda") {
    list(name = "lambdamart", lead = sub("^loss_lambda\\((.*)\\)$", "\\1", format(spec$objective)),
         instead = "objective")
  }
}
