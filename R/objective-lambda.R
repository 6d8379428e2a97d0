#' Lambdas of a metric
#'
#' An objective of [gbrt()] and [network_ranker()], that of LambdaRank and LambdaMART: each pair of
#' documents is pulled apart as much as the metric would change if the two changed places.
#'
#' @param metric What is to be large: [metric_ndcg()], [metric_mean_ndcg()], [metric_dcg()], [metric_precision()], [metric_recall()],
#'   [metric_f_measure()], [metric_r_precision()], [metric_rbp()], [metric_average_precision()], [metric_reciprocal_rank()] or
#'   [metric_err()], with any gain, discount, cut-off and convention.
#' @param pairs `"top"`: pairs of which one document at least is among the top `truncation` by the
#'   scores so far; `"all"`; or a number: so many partners of another grade, drawn anew each
#'   round for each document.
#' @param sigma How steep the pull of a pair falls with the difference of its scores, above 0; one by
#'   it is the unit of scores.
#' @param normalize `"none"`; `"gap"`, pulls are divided by 0.01 plus the distance of the scores of
#'   the pair; `"query"`, those of a query are multiplied by \eqn{\log_2(1 + S) / S}{log2(1 + S) /
#'   S}, S being the sum of their magnitudes; or `"both"`.
#' @param truncation How many documents are the top of `pairs = "top"`: by default the cut-off of
#'   the metric, or 30 where it has none.
#' @param unbiased For grades that are clicks, 0 or 1, at positions that the data know
#'   (`ranking_data(position = )`), what is to keep positions out of the scores, of [gbrt()] alone:
#'   `"none"` or `FALSE`; `"additive"` or `TRUE`; or `"pairs"`, see Position bias. `TRUE` is the one that
#'   ranks better in three of the four simulated settings of `bench/position-bias.md`.
#' @param position_l2 How much what is learned of positions is held back, 0 or more.
#'
#' @details Let document i be above j by the scores f, and \eqn{\Delta_{ij}}{Delta_ij} be the metric
#'   of the query as it is ranked less the metric with i and j exchanged. Of the two the one that the
#'   metric would have above, a, and the other, b, get
#'   \deqn{\lambda = \sigma |\Delta_{ij}| p, \quad p = \frac{1}{1 + e^{\sigma (f_a - f_b)}}:}{
#'     lambda = sigma |Delta_ij| p, p = 1 / (1 + exp(sigma (f_a - f_b))):}
#'   the slope of a is less by \eqn{\lambda}{lambda}, that of b more, so that those of a query add up
#'   to 0, and the curvature of both is more by \eqn{\sigma^2 |\Delta_{ij}| p (1 - p)}{sigma^2
#'   |Delta_ij| p (1 - p)}. These are the derivatives of \eqn{|\Delta_{ij}| \log(1 + e^{-\sigma (f_a -
#'   f_b)})}{|Delta_ij| log(1 + exp(-sigma (f_a - f_b)))} while the weight stays as it is. There is
#'   no function of which they are the derivatives always, so that there is no value to look at. For
#'   [metric_ndcg()] it is \eqn{\Delta_{ij} = (G_i - G_j) (D_i - D_j) / \mathrm{IDCG}}{Delta_ij = (G_i - G_j)
#'   (D_i - D_j) / IDCG}, with gains G and the discounts D of the ranks, 0 beyond the cut-off: so
#'   pairs below the cut-off have none, and `"top"` and `"all"` are the same but for another
#'   `truncation`.
#'
#'   A metric with a small cut-off has few pairs, and documents that are far down have none but with
#'   those at the top. `metric_ndcg()` with its truncation of 30 can do better than `metric_ndcg(10)`, by NDCG@10 too.
#'
#'   An order that is perfect has lambdas too: exchanges would do harm, and weigh. They fall with the
#'   differences of the scores, as \eqn{e^{-\sigma (f_a - f_b)}}{exp(-sigma (f_a - f_b))}, and come to
#'   an end with them, not with the order.
#'
#'   Where documents tie, as all do before the first tree, \eqn{|\Delta_{ij}|}{|Delta_ij|} is its mean
#'   over all orders of the tied documents: exact for metrics that are sums over ranks with discounts
#'   that do not increase, of others (average precision, reciprocal rank, ERR) over eight orders that
#'   are drawn anew each round. The metric's own rule for ties has no meaning here. What is drawn
#'   depends on the seed, the round and the grades of the query in the order of its scores. So the order of rows and of
#'   queries changes nothing, and documents of the same score and grade have the same lambda.
#'
#'   With drawn pairs, a pair weighs one by how often it comes on average: the mean over draws is what
#'   `"all"` has. `"gap"` divides nothing in a query whose scores are all the same. S of `"query"`
#'   counts the pull of a pair for both its documents. Weights of queries multiply what they have in
#'   the end. A query that all rankings serve as well, such as one of one grade or without a relevant
#'   document, has no part; rules of the metric for short lists hold.
#'
#'   Cost of an evaluation, of n documents a query: n `truncation` steps and n exponentials for sums over
#'   ranks, for other metrics as many exponentials as steps, eight times that with ties; with drawn
#'   pairs one exponential a pair.
#' @section Position bias: Users click what is good and what they see, and see the top. With
#'   `unbiased = "pairs"` (unbiased LambdaMART) the pull of a clicked document a at position p and
#'   another b at position q is divided by \eqn{t^+_p t^-_q}{t+_p t-_q}, which are learned along the
#'   rounds: 1 for the first tree, and then, with the losses \eqn{L_{ab} = |\Delta_{ab}| \log(1 +
#'   e^{-\sigma (f_a - f_b)})}{L_ab = |Delta_ab| log(1 + exp(-sigma (f_a - f_b)))} at the scores
#'   so far,
#'   \deqn{t^+_p = \left(\frac{\sum_{a \textrm{ at } p} L_{ab} / t^-_q}{\sum_{a \textrm{ at } 1} L_{ab} /
#'     t^-_q}\right)^{1 / (1 + l)}, \quad t^-_q = \left(\frac{\sum_{b \textrm{ at } q} L_{ab} /
#'     t^+_p}{\sum_{b \textrm{ at } 1} L_{ab} / t^+_p}\right)^{1 / (1 + l)},}{
#'     t+_p = (sum of L_ab / t-_q over a at p / that over a at 1)^(1 / (1 + l)),
#'     t-_q = (sum of L_ab / t+_p over b at q / that over b at 1)^(1 / (1 + l)),}
#'   l being `position_l2`, with the last ones on the right. A position without losses keeps what it
#'   has. \eqn{t^+_p}{t+_p} is about how likely users look at position p beside position 1.
#'
#'   With `"additive"` lambdas are those of \eqn{f_i + b_p}{f_i + b_p}, with a number for each position.
#'   Before each tree but the first it moves by a tenth of Newton's step, \eqn{-0.1 (G + l n b) / (H +
#'   l n)}{-0.1 (G + l n b) / (H + l n)}, with the sums G and H of slopes and curvatures of the n
#'   documents at the position. Simulated (`bench/position-bias.md`), `"pairs"` ranks
#'   better than `"additive"` where the lists that were shown had nothing to do with relevance and users look
#'   at a position whatever they clicked. It ranks worse where shown lists were good, or where users stop
#'   at a click, and can then rank worse than no correction. Neither models users who stop at a click.
#'
#'   Predictions are f, without positions, which new data need not have. A model has `position_bias`:
#'   matrices `clicked` and `other` for \eqn{t^+}{t+} and \eqn{t^-}{t-}, or `added` for b, a row for each
#'   tree, a column for each position. With `"pairs"` ties count by eight drawn orders, as for
#'   average precision.
#' @return A value of class `rankmix_objective`.
#' @section Conditions: `rankmix_error_metric`: a metric that does not say what an exchange changes:
#'   [metric_bpref()], [metric_success()], [metric_judged()] and custom ones. `rankmix_error_argument`: another setting that is
#'   not allowed, or a `truncation` beside other `pairs` than `"top"`. `rankmix_error_position`, of
#'   [fit()]: `unbiased` without positions.
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
                   truncation = NULL, unbiased = FALSE, position_l2 = 0) {
  metric <- lambda_metric(metric, rlang::current_env())
  if (is.numeric(pairs)) {
    check_count(pairs, "pairs", max = 1e6)
  } else {
    check_choice(pairs, "pairs", c("top", "all"))
  }
  check_number(sigma, "sigma", 0, Inf, open_min = TRUE)
  check_choice(normalize, "normalize", c("none", "gap", "query", "both"))
  if (!is.null(truncation)) check_truncation(truncation, pairs, rlang::current_env())
  unbiased <- check_unbiased(unbiased, rlang::current_env())
  check_number(position_l2, "position_l2", 0, Inf)
  new_objective("lambda", metric = metric, pairs = unless(pairs, "top"),
                sigma = unless(as.double(sigma), 1), normalize = unless(normalize, "none"),
                truncation = truncation, unbiased = unless(unbiased, "none"),
                position_l2 = unless(as.double(position_l2), 0))
}

check_truncation <- function(truncation, pairs, call) {
  check_count(truncation, "truncation", max = 1e9, call = call)
  if (!identical(pairs, "top")) {
    stop_input("argument", "`truncation` says what `pairs = \"top\"` takes for the top.",
               remedy = "Leave one of them out.", call = call)
  }
}

# Those that say what an exchange changes, and for which it can change anything.
lambda_metrics <- function() setdiff(metric_names(), c("bpref", "success", "judged"))

lambda_metric <- function(metric, call) {
  metric <- read_metric(metric, call)
  if (is_custom(list(metric)) || !metric$name %in% lambda_metrics()) {
    stop_input("metric", sprintf("%s does not say what an exchange of two documents changes.",
                                 format(metric)),
               remedy = sprintf("Take one of %s.",
                                enumerate(paste0(component_name("metric", lambda_metrics()), "()"), 20L)), call = call)
  }
  metric
}

# As the core takes it: `top` documents, or `partners` of each, 0 for all pairs.
settled_lambda <- function(objective) {
  pairs <- if (is.null(objective$pairs)) "top" else objective$pairs
  top <- objective$truncation
  if (is.null(top)) top <- objective$metric$k
  if (is.null(top) || is.infinite(top)) top <- 30
  list(name = "lambda", sigma = if (is.null(objective$sigma)) 1 else objective$sigma,
       normalize = if (is.null(objective$normalize)) "none" else objective$normalize,
       top = if (identical(pairs, "top")) as.double(top) else Inf,
       partners = if (is.numeric(pairs)) as.double(pairs) else 0,
       unbiased = if (is.null(objective$unbiased)) "none" else objective$unbiased,
       position_l2 = if (is.null(objective$position_l2)) 0 else objective$position_l2)
}

# Fails where no query has documents that the objective can tell apart.
check_lambda_pairs <- function(objective, settled, documents, threads, call) {
  if (objective_weight(settled, documents, threads) > 0) {
    return(invisible())
  }
  stop_input("pairs", sprintf("`%s` can learn nothing from these data.", format(objective)),
             "No training query has documents that the metric tells apart.",
             "Give queries with documents of several grades, of weight above 0.", call = call)
}

# What chooses where nobody says: what is learned, where that is a metric itself.
own_metric <- function(spec) {
  objective <- spec[["objective"]]
  if (inherits(objective, "rankmix_objective") && objective$name == "lambda") {
    objective$metric
  } else {
    metric_ndcg(10)
  }
}
