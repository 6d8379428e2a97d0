#' Lambdas of a metric (LambdaRank, LambdaMART)
#'
#' An objective of [gbrt()] and [network_ranker()] that optimises a ranking metric. Each pair's gradient
#' is scaled by the change in the metric when its documents are swapped.
#'
#' @param metric The metric to optimise: [metric_ndcg()], [metric_mean_ndcg()], [metric_dcg()],
#'   [metric_precision()], [metric_recall()], [metric_f_measure()], [metric_r_precision()],
#'   [metric_rbp()], [metric_average_precision()], [metric_reciprocal_rank()] or [metric_err()], with
#'   any gain, discount, cut-off and convention.
#' @param pairs The pairs to learn from. `"top"`, the default: pairs with at least one document in the
#'   top `truncation` by the current scores. `"all"`: all pairs. A number: in each round, each document is
#'   paired with this number of random documents of other grades.
#' @param sigma The steepness of the pairwise logistic loss, above 0; default 1. Scores are on the scale
#'   1 / sigma.
#' @param normalize The normalization of lambdas. `"none"` is the default. `"gap"` divides each lambda
#'   by 0.01 plus the difference in scores. `"query"` multiplies the lambdas of a query by
#'   \eqn{\log_2(1 + S) / S}{log2(1 + S) / S}, where S is the sum of their magnitudes. `"both"` does both.
#' @param truncation The number of top documents for `pairs = "top"`. The default `NULL` is the metric's
#'   cut-off, or 30 if the metric has no cut-off.
#' @param unbiased The correction for position bias, only for [gbrt()]: `"none"` or `FALSE` (the
#'   default), `"additive"` or `TRUE`, or `"pairs"`. Use it if grades are clicks, 0 or 1, and
#'   `ranking_data(position = )` has the positions. See Position bias.
#' @param position_l2 The regularization of position effects, 0 (the default) or more. Larger values
#'   shrink the correction.
#' @param examination The known probability of examining position 1, 2, ..., for `"pairs"`. Numbers above 0, a
#'   position-based [click_model()], or the result of [examination()] or [examination_from_swaps()]. By default
#'   (`NULL`), factors are learned. See Position bias.
#'
#' @details Document i ranks above j by the scores f, and \eqn{\Delta_{ij}}{Delta_ij} is the metric
#'   minus its value after i and j are swapped. Let a be the document of the pair that the metric prefers above
#'   the other document b. The lambda of the pair is \deqn{\lambda = \sigma |\Delta_{ij}| p, \quad p =
#'   \frac{1}{1 + e^{\sigma (f_a - f_b)}}.}{
#'     lambda = sigma |Delta_ij| p, p = 1 / (1 + exp(sigma (f_a - f_b))).}
#'   The lambda is subtracted from the gradient of a and added to the gradient of b. The hessians of both
#'   increase by \eqn{\sigma^2 |\Delta_{ij}| p (1 - p)}{sigma^2
#'   |Delta_ij| p (1 - p)}. These are the derivatives of \eqn{|\Delta_{ij}| \log(1 + e^{-\sigma (f_a -
#'   f_b)})}{|Delta_ij| log(1 + exp(-sigma (f_a - f_b)))} for a constant weight. LambdaRank defines
#'   gradients but no loss, so there is no value to monitor.
#'
#'   For [metric_ndcg()], \eqn{\Delta_{ij} = (G_i - G_j) (D_i - D_j) / \mathrm{IDCG}}{Delta_ij = (G_i - G_j)
#'   (D_i - D_j) / IDCG}, with gains G, and with discounts D of the ranks that are 0 beyond the cut-off. Pairs below the
#'   cut-off have no lambda, so `"top"` and `"all"` only differ with another `truncation`. A small cut-off leaves few
#'   pairs. `metric_ndcg()` can therefore rank better than `metric_ndcg(10)`, even by NDCG@10.
#'
#'   Pairs in the right order have lambdas, too, which go to 0 as the difference of scores grows.
#'
#'   **Ties.** For tied documents, \eqn{|\Delta_{ij}|}{|Delta_ij|} is averaged over the orders of the tied documents.
#'   The average is exact for metrics that are sums over ranks with nonincreasing discounts. For average precision,
#'   reciprocal rank and ERR, the average is over eight random orders a round. The metric's rule for ties does not
#'   apply. Samples depend on the seed, the round and the grades of the query in score order, so the model is invariant
#'   to the order of rows and queries.
#'
#'   **Weights and sampling.** Sampled pairs are weighted by their inverse expected frequency, so that
#'   the mean over samples equals `"all"`. `"gap"` has no effect in a query with equal scores. In the sum S for
#'   `"query"`, each lambda counts twice, once for each document. Query weights multiply the final gradients. Weights of
#'   documents multiply the final gradient and hessian of their document, as in LightGBM. A query for which all rankings
#'   are equally good has no effect. The metric's rules for short lists apply.
#'
#'   **Cost** of an evaluation, for n documents of a query: n `truncation` steps and n exponentials for
#'   sums over ranks. In queries of more than 5,000 documents, tied documents of equal gain are joined. Other metrics
#'   need one exponential per step, and eight with ties. Sampled pairs need one exponential each.
#' @section Position bias: Users see the top of a list more often, so they click there more often. With
#'   `unbiased = "pairs"` (unbiased LambdaMART) the lambda of a clicked document a at position p and another document b
#'   at position q is divided by \eqn{t^+_p t^-_q}{t+_p t-_q}. These factors are 1 for the first tree. Later they are
#'   estimated from the losses \eqn{L_{ab} = |\Delta_{ab}| \log(1 + e^{-\sigma (f_a - f_b)})}{L_ab = |Delta_ab| log(1 +
#'   exp(-sigma (f_a - f_b)))} at the current scores: \deqn{t^+_p = \left(\frac{\sum_{a \textrm{ at } p} L_{ab} /
#'     t^-_q}{\sum_{a \textrm{ at } 1} L_{ab} / t^-_q}\right)^{1 / (1 + l)}, \quad t^-_q = \left(\frac{\sum_{b \textrm{
#'     at } q} L_{ab} / t^+_p}{\sum_{b \textrm{ at } 1} L_{ab} / t^+_p}\right)^{1 / (1 + l)},}{
#'     t+_p = (sum over a at p of L_ab / t-_q / sum over a at 1 of L_ab / t-_q)^(1 / (1 + l)),
#'     t-_q = (sum over b at q of L_ab / t+_p / sum over b at 1 of L_ab / t+_p)^(1 / (1 + l)),}
#'   where l is `position_l2`, and the right sides use the previous factors. A position without losses
#'   keeps its factor. \eqn{t^+_p}{t+_p} estimates how often users see position p relative to position 1.
#'   With `"pairs"`, tied documents are treated as for average precision, by eight random orders.
#'
#'   With `"additive"` the scores in the lambdas are \eqn{f_i + b_p}{f_i + b_p}, with a number b for each
#'   position. Before each tree except the first, b changes by a tenth of a Newton step, \eqn{-0.1 (G + l n
#'   b) / (H + l n)}{-0.1 (G + l n b) / (H + l n)}. G and H are the sums of gradients and hessians of the n
#'   documents at the position. Query weights multiply gradients, hessians and n.
#'
#'   With `examination`, \eqn{t^+_p}{t+_p} is the examination of position p relative to position 1 in every
#'   round, and \eqn{t^-_q}{t-_q} is 1. Each click then has the weight of its inverse propensity (Joachims
#'   et al. 2017). `unbiased` is then not needed.
#'
#'   In simulations (`bench/position-bias.md`), `"pairs"` ranks better than `"additive"` if shown lists
#'   are unrelated to relevance and users see positions independently of clicks. Otherwise `"pairs"` ranks worse than
#'   `"additive"`, and can be worse than no correction. Neither method models users who stop at a click.
#'
#'   Predictions are the scores f, without effects of positions. A model has `position_bias`: the matrices `clicked` and
#'   `other` for \eqn{t^+}{t+} and \eqn{t^-}{t-}, or `added` for b, with a row for each tree and a column for each
#'   position.
#' @return A value of class `rankmix_objective`.
#' @section Conditions: `rankmix_error_metric`: a metric for which the effect of a swap is not computed:
#'   [metric_bpref()], [metric_success()], [metric_judged()] and custom metrics. `rankmix_error_argument`: another
#'   invalid setting, or a `truncation` with other `pairs` than `"top"`. `rankmix_error_position`, from [fit()]:
#'   `unbiased` without positions, or a position without `examination`.
#' @references Burges (2010). From RankNet to LambdaRank to LambdaMART: an overview. Microsoft
#'   Research MSR-TR-2010-82
#'
#'   Burges, Ragno and Le (2006). Learning to rank with nonsmooth cost functions. Advances in Neural
#'   Information Processing Systems 19
#'
#'   Donmez, Svore and Burges (2009). On the local optimality of LambdaRank.
#'   \doi{10.1145/1571941.1572021}
#'
#'   Hu, Wang, Peng and Li (2019). Unbiased LambdaMART: an unbiased pairwise learning-to-rank
#'   algorithm. \doi{10.1145/3308558.3313447}
#' @seealso [lambdamart()], [simulate_clicks()]
#' @examples
#' loss_lambda(metric_err())
#' clicks <- simulate_clicks(simulate_ranking(30, seed = 1)$data, sessions = 5, seed = 2)
#' model <- fit(lambdamart(trees = 20, num_leaves = 4, unbiased = TRUE), clicks, threads = 1)
#' model$position_bias$clicked[20, ]
#' network_ranker(loss_lambda(metric_ndcg(10)), hidden = 16)
#' gbrt(objective = loss_lambda(metric_ndcg(), truncation = 30, normalize = "both"))
#' @export
loss_lambda <- function(metric = metric_ndcg(10), pairs = "top", sigma = 1, normalize = "none",
                   truncation = NULL, unbiased = FALSE, position_l2 = 0, examination = NULL) {
  metric <- lambda_metric(metric, rlang::current_env())
  if (is_plain_number(pairs)) {
    check_count(pairs, "pairs", max = 1e6)
  } else {
    check_choice(pairs, "pairs", c("top", "all"))
  }
  check_number(sigma, "sigma", 0, Inf, open_min = TRUE)
  check_choice(normalize, "normalize", c("none", "gap", "query", "both"))
  if (!is.null(truncation)) check_truncation(truncation, pairs, rlang::current_env())
  unbiased <- check_unbiased(unbiased, rlang::current_env())
  check_number(position_l2, "position_l2", 0, Inf)
  if (!is.null(examination)) {
    examination <- known_examination(examination, rlang::current_env())
    unbiased <- pairs_for_examination(unbiased, rlang::current_env())
  }
  new_objective("lambda", metric = metric, pairs = unless(pairs, "top"),
                sigma = unless(as.double(sigma), 1), normalize = unless(normalize, "none"),
                truncation = truncation, unbiased = unless(unbiased, "none"),
                position_l2 = unless(as.double(position_l2), 0), examination = examination)
}

check_truncation <- function(truncation, pairs, call) {
  check_count(truncation, "truncation", max = 1e9, call = call)
  if (!identical(pairs, "top")) {
    stop_input("argument", "`truncation` can only be used with `pairs = \"top\"`.",
               remedy = "Leave one of them out.", call = call)
  }
}

# The metrics that a swap can change, and whose change can be computed.
lambda_metrics <- function() setdiff(metric_names(), c("bpref", "success", "judged"))

lambda_metric <- function(metric, call) {
  metric <- read_metric(metric, call)
  if (is_custom(list(metric)) || !metric$name %in% lambda_metrics()) {
    stop_input("metric", sprintf("%s does not define its change when two documents are swapped.",
                                 format(metric)),
               remedy = sprintf("Take one of %s.",
                                enumerate(paste0(component_name("metric", lambda_metrics()), "()"), 20L)), call = call)
  }
  metric
}

# The settings as the core needs them: `top` documents, or `partners` of each, 0 for all pairs.
settled_lambda <- function(objective) {
  pairs <- if (is.null(objective$pairs)) "top" else objective$pairs
  top <- objective$truncation
  if (is.null(top)) top <- objective$metric$k
  if (is.null(top) || is.infinite(top)) top <- 30
  list(name = "lambda", sigma = if (is.null(objective$sigma)) 1 else objective$sigma,
       normalize = if (is.null(objective$normalize)) "none" else objective$normalize,
       top = if (identical(pairs, "top")) as.double(top) else Inf,
       partners = if (is_plain_number(pairs)) as.double(pairs) else 0,
       unbiased = if (is.null(objective$unbiased)) "none" else objective$unbiased,
       position_l2 = if (is.null(objective$position_l2)) 0 else objective$position_l2)
}

# Fails if the order of documents matters to the objective in no query.
check_lambda_pairs <- function(objective, settled, documents, threads, call, cluster = NULL) {
  if (cluster_any(cluster, objective_weight(settled, documents, threads) > 0)) {
    return(invisible())
  }
  stop_input("pairs", sprintf("`%s` can learn nothing from these data.", format(objective)),
             "No training query has documents that the metric distinguishes.",
             "Give queries with documents of several grades, of weight above 0.", call = call)
}

# The default metric for choosing settings: the metric that the objective optimises, if there is one.
own_metric <- function(spec) {
  objective <- spec[["objective"]]
  if (inherits(objective, "rankmix_objective") && objective$name == "lambda") {
    objective$metric
  } else {
    metric_ndcg(10)
  }
}
