#' LambdaMART
#'
#' Specifies boosted trees that are grown on the lambdas of a metric: [gbrt()] of [lambda()]. To be
#' trained by [fit()].
#'
#' @param metric As in [lambda()]; by default NDCG of the whole list, with pairs of which one document
#'   at least is among the top 30.
#' @param pairs,sigma,normalize,truncation,unbiased,position_l2 As in [lambda()].
#' @param trees,leaves,depth,step,min_documents,l2,feature_share,document_share As in [gbrt()].
#'   `min_documents` counts documents, by whole weights as there, whatever their curvature.
#' @param ... Other settings, as `gbrt()` takes them.
#'
#' @details A leaf's value is the Newton step \eqn{-G / (H + \mathrm{l2})}{-G / (H + l2)} of the
#'   slopes and curvatures of its documents, see [lambda()] and [gbrt()]. Where scores have moved far
#'   in the wrong direction, curvatures are near 0 and steps large, which an `l2` above 0 keeps
#'   small. With validation data [fit()] chooses the number of trees by `metric`, unless it is
#'   given another one.
#'
#'   Trees of whole lists' NDCG rank as well by NDCG@10 as those of [ndcg()] cut at 10, or better: more
#'   pairs tell more. A few thousand documents want trees of few leaves, 4 to 10, and a number of them
#'   that validation data choose.
#' @return A value of class `rankmix_gbrt`, a specification, as of [gbrt()].
#' @section Conditions: As in [lambda()] and [gbrt()]. `rankmix_error_pairs`, of [fit()]: no query
#'   has documents that the metric tells apart.
#' @references Wu, Burges, Svore and Gao (2010). Adapting boosting for information retrieval
#'   measures. \doi{10.1007/s10791-009-9112-1}
#' @examples
#' data <- simulate_ranking(60, seed = 1)$data
#' parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
#' model <- fit(lambdamart(ndcg(10), trees = 50, leaves = 8), parts$train, parts$test, threads = 1)
#' model
#' lambdamart("err", trees = 200, step = 0.05)
#' @export
lambdamart <- function(metric = ndcg(), trees = 500, leaves = NULL, depth = NULL, step = 0.1,
                       pairs = "top", sigma = 1, normalize = "none", truncation = NULL,
                       min_documents = 20, l2 = 1, feature_share = 1, document_share = 1,
                       unbiased = FALSE, position_l2 = 0, ...) {
  call <- rlang::current_env()
  force(metric)
  others <- list(...)
  check_variant_settings(others, lambdamart, gbrt, "objective", lambdamart_remedy, call)
  in_the_name_of(call, {
    objective <- lambda(metric, pairs, sigma, normalize, truncation, unbiased, position_l2)
    do.call(gbrt, c(list(trees = trees, leaves = leaves, depth = depth, step = step,
                         min_documents = min_documents, feature_share = feature_share,
                         document_share = document_share, objective = objective, l2 = l2), others),
            quote = TRUE)
  })
}

# What to type in place of an `objective`, which is the lambdas of a metric here.
lambdamart_remedy <- function(objective) {
  ours <- our_objective(objective)
  if (inherits(objective, "rankmix_objective")) ours <- format(objective)
  call <- if (is.null(ours)) "gbrt(objective = ...)" else if (startsWith(ours, "lambda")) {
    sub("^lambda", "lambdamart", ours)
  } else {
    sprintf("gbrt(objective = %s)", ours)
  }
  c("`lambdamart()` always learns the lambdas of its `metric`.", sprintf("Write `%s`.", call))
}

# Trees of lambdas are written as lambdamart() makes them, by the settings of the objective.
lambdamart_variant <- function(spec) {
  if (spec$objective$name == "lambda") {
    list(name = "lambdamart", lead = sub("^lambda\\((.*)\\)$", "\\1", format(spec$objective)),
         instead = "objective")
  }
}
