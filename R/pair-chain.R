# Aggregation by a Markov chain with learned transitions: the probability that one document is
# better than another, given the rankers' outputs for both.

#' Aggregate by a learned Markov chain
#'
#' Learns from validation grades the probability that one document is better than another, given the raw
#' outputs of the rankers for both. New documents are ranked by a Markov chain that moves to better
#' documents. Busa-Fekete et al. (2011) found this method worse than calibrating and mixing. Use it to
#' compare with [mix()] and [aggregate_ranks()].
#'
#' @param rankers The named list of rankers, as for [evaluate()], or one ranker. The raw outputs of a
#' classifier, such as [adaboost_mh()], are its discriminants, one for each grade. The raw output of another
#' ranker is its score. For [best_feature()] a missing value counts as the lowest value of the training data.
#' @param data The validation data, on which the rankers were not trained, made by [ranking_data()] or
#'   [read_letor()].
#' @param damping The probability that the chain jumps to a random document of the query instead of making a
#'   step, in (0, 1]; default 0.05.
#' @param pairs Number of pairs of documents for training the network, at most; default 10000. Each pair is
#'   used in both orders. More pairs take more time.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#' @param object The result of `pair_chain()`.
#' @param newdata The ranking data to rank. Grades are not used.
#' @param type The result: `"score"` (the default), or `"rank"` within the query.
#' @param scores The scores on `newdata` of the rankers that were given as scores: a named
#'   list or a data frame.
#'
#' @return A ranker of class `rankmix_pair_chain`, for [predict()] and [evaluate()]. `glance()` has
#'   one row: the numbers of `rankers`, `inputs`, `pairs` and `all_pairs`; the `error`, the fraction of
#'   the pairs that the network orders wrongly (ties count a half); and `converged`.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' rankers <- list(boosted = fit(adaboost_mh(base_tree(4), 20), train, seed = 1, threads = 1),
#'                 ridge = fit(linear_ranker(penalty = 0.1), train, threads = 1))
#' chain <- pair_chain(rankers, valid, pairs = 1000, threads = 1)
#' chain
#' mixed <- mix(rankers, valid, threads = 1)
#' summary(evaluate(list(chain = chain, mix = mixed), test, metric_ndcg(10)))
#'
#' @details
#' \eqn{u_i}{u_i} are the raw outputs for document i, each standardised on `data`, with the weights of queries. The
#' network has five logistic units and a logistic output. Training minimises the sum over pairs of weighted
#' cross-entropies, plus 0.001 times the sum of squared weights. The training pairs are two documents of a
#' query with different grades. The output \eqn{g(u_i, u_j)}{g(u_i, u_j)} of the network predicts whether j has
#' the higher grade. The probability that j is better than i is \deqn{p_{ij} =
#' (g(u_i, u_j) + 1 - g(u_j, u_i)) / 2,}{
#'   p_ij = (g(u_i, u_j) + 1 - g(u_j, u_i)) / 2,}
#' so \eqn{p_{ij} + p_{ji} = 1}{p_ij + p_ji = 1}. From i, the chain draws a document j of the query, and
#' moves to j with the probability \eqn{p_{ij}}{p_ij}. Otherwise the chain stays at i. The score of a document is n
#' times its probability in the stationary distribution, so the mean score is 1. Documents with equal outputs
#' have equal scores. A query of one document has the score 1.
#'
#' Pairs have the weights of their queries. Whole weights count as copies. Pairs of weight 0 are left out. If
#' there are more than `pairs`, a systematic sample is used. The pairs are first sorted by size and contents of
#' queries, and by outputs and grades of documents. So results are invariant to row order. The network starts
#' from fixed weights. Each step of training is a damped Newton step with the exact Hessian (Bishop, 1992).
#' Training converges when a step lowers the objective by less than 1e-10 of its value. It stops after 500
#' steps at most. `print()` and `glance()` report if training stopped at this limit.
#'
#' Cost of training with m raw outputs: O(m^2) for a pair and a step. Cost of prediction: O(n^2) for the
#' probabilities of a query of n documents and O(n^3) for the chain. Memory: 8 n^2 bytes, for several queries at a
#' time.
#'
#' @section Conditions:
#' * `rankmix_error_scores`: scores of the wrong length, missing or infinite.
#' * `rankmix_error_argument`: rankers without names.
#' * `rankmix_error_unjudged`: `data` has no grades.
#' * `rankmix_error_validation`: fewer than two queries of `data` (of weight above 0) have documents
#'   of different grades.
#' @references Bishop (1992). Exact calculation of the Hessian matrix for the multilayer perceptron.
#'   \doi{10.1162/neco.1992.4.4.494}
#'
#'   Busa-Fekete, Kegl, Elteto and Szarvas (2011). Ranking by calibrated AdaBoost, section
#'   2.4.
#'
#'   Dwork, Kumar, Naor and Sivakumar (2001). Rank aggregation methods for the web.
#'   \doi{10.1145/371920.372165}
#' @export
pair_chain <- function(rankers, data, damping = 0.05, pairs = 10000, threads = NULL, ...) {
  check_no_others(...)
  check_all_given()
  threads <- check_threads(threads)
  check_ranking_data(data)
  check_graded(data, "`pair_chain()`")
  check_number(damping, "damping", 0, 1, open_min = TRUE)
  check_count(pairs, "pairs", max = 1e6)
  check_can_choose(data, "data")
  rankers <- chained_rankers(rankers)
  outputs <- raw_outputs(rankers, data, threads)
  u <- do.call(cbind, outputs)
  scale <- standard_scale(u, data)
  u <- standardise(u, scale)
  taken <- sampled_pairs(u, data, pairs)
  # The largest weight of a pair is 1. The decay is relative to a weight of one copy.
  network <- fit_pair_network(u, taken, threads, decay = pair_decay / largest_copies(data$weight[data$query]))
  given <- vapply(rankers, is.atomic, NA)
  structure(
    list(rankers = replace(rankers, given, list(NULL)), given = given,
         inputs = vapply(outputs, ncol, 0L), scale = scale, network = network,
         damping = damping, pairs = length(taken$worse), all_pairs = taken$all,
         error = pair_error(network, u, taken, threads)),
    class = c("rankmix_pair_chain", "rankmix_ranker")
  )
}

# The rankers as a list with names.
chained_rankers <- function(rankers, call = rlang::caller_env()) {
  if (is.matrix(rankers)) rankers <- as.data.frame(rankers)
  if (is.data.frame(rankers)) rankers <- as.list(rankers)
  if (!is.list(rankers) || is.object(rankers)) {
    return(list(ranker = rankers))
  }
  ranker_names(rankers, call)
  rankers
}

# A matrix for each ranker: documents x grades for a classifier, documents x 1 for others.
raw_outputs <- function(rankers, data, threads, call = rlang::caller_env()) {
  Map(function(ranker, name) {
    if (inherits(ranker, "rankmix_classifier")) {
      return(unname(predict(ranker, data, type = "raw", threads = threads)))
    }
    scores <- score_columns(stats::setNames(list(ranker), name), data, threads, call)[[1L]]
    unname(cbind(finite_scores(as.double(scores), ranker, name, call)))
  }, rankers, names(rankers))
}

# Centre and inverse standard deviation of each column, with query weights. Constant columns get 0.
standard_scale <- function(u, data) {
  weight <- query_row_weights(data)
  spread <- apply(u, 2L, deviation_of, data)
  list(center = if (is.null(weight)) colMeans(u) else colSums(weight * u) / sum(weight),
       factor = ifelse(is.finite(spread) & spread > 0, 1 / spread, 0))
}

standardise <- function(u, scale) {
  (u - rep(scale$center, each = nrow(u))) * rep(scale$factor, each = nrow(u))
}

# A network cannot use infinite scores.
finite_scores <- function(scores, ranker, name, call) {
  scores <- missing_as_lowest(scores, ranker)
  if (any(is.infinite(scores))) {
    stop_input("scores", sprintf("The score of row %d in `%s` is infinite.",
                                 which(is.infinite(scores))[1L], name),
               remedy = "Replace it by a finite number. For -Inf, take a score below all others.", call = call)
  }
  scores
}

# Row numbers, sorted by query, and within a query by the outputs.
rows_by_outputs <- function(u, query, ...) {
  columns <- lapply(seq_len(ncol(u)), function(j) u[, j])
  do.call(order, c(list(query), columns, list(..., method = "radix")))
}

# Pairs of documents of one query with different grades. `worse` and `better` are row numbers, and
# `weight` is the weight of the pair. `all` is the number of pairs before thinning.
sampled_pairs <- function(u, data, most) {
  held <- list(relevance = data$relevance, order = data$order,
               offsets = data$offsets, weight = as.double(query_row_weights(data)))
  # Queries are sorted by size, sum of grades and extremes of the first outputs, which makes
  # thinning invariant to row order.
  held$ideal <- as.double(rowsum(as.double(data$relevance), data$query)[, 1L])
  queries <- sorted_queries(held, u)
  rows <- split(rows_by_outputs(u, data$query, data$relevance), sort(data$query))
  counts <- vapply(queries, function(q) {
    sizes <- tabulate(data$relevance[rows[[q]]] + 1L)
    (sum(sizes)^2 - sum(as.double(sizes)^2)) / 2
  }, 0)
  every <- ceiling(sum(counts) / most)
  passed <- c(0, cumsum(counts))
  taken <- lapply(seq_along(queries), function(k) {
    pairs_of_query(rows[[queries[k]]], data$relevance, passed[k], every)
  })
  worse <- unlist(lapply(taken, `[[`, "worse"))
  list(worse = worse, better = unlist(lapply(taken, `[[`, "better")),
       weight = if (length(held$weight) > 0L) held$weight[worse] else rep(1, length(worse)),
       all = sum(counts))
}

# Numbers the pairs through all queries, and keeps each pair whose number is a multiple of `every`.
# `passed` is the number of pairs of earlier queries.
pairs_of_query <- function(rows, grades, passed, every) {
  grades <- grades[rows]
  n <- length(rows)
  first <- rep(seq_len(n), n - seq_len(n))
  second <- sequence(n - seq_len(n), seq_len(n) + 1L)
  differ <- which(grades[first] != grades[second])
  differ <- differ[(passed + seq_along(differ) - 1) %% every == 0]
  first <- first[differ]
  second <- second[differ]
  up <- grades[first] < grades[second]
  list(worse = rows[ifelse(up, first, second)], better = rows[ifelse(up, second, first)])
}

max_network_steps <- 500L
pair_decay <- 1e-3

# Each pair is used in both orders, with target 1 if the second document is better.
fit_pair_network <- function(u, pairs, threads, steps = max_network_steps,
                             start = network_start(2L * ncol(u)), decay = pair_decay) {
  pair_network_fit(u, pairs$worse, pairs$better, pairs$weight, decay, steps, start, threads)
}

# The weighted fraction of pairs that are ordered wrongly.
pair_error <- function(network, u, pairs, threads) {
  outputs <- pair_network_outputs(network$weights, u, pairs$worse, pairs$better, threads)
  up <- outputs[, 1L]
  down <- outputs[, 2L]
  sum(pairs$weight * ((up < down) + 0.5 * (up == down))) / sum(pairs$weight)
}

#' @rdname pair_chain
#' @export
predict.rankmix_pair_chain <- function(object, newdata, type = c("score", "rank"),
                                       scores = NULL, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  type <- check_score_type(type[1L], c("score", "rank"))
  threads <- check_threads(threads)
  check_ranking_data(newdata, "newdata", judged = FALSE)
  rankers <- object$rankers
  lacking <- setdiff(names(rankers)[object$given], names(scores))
  if (length(lacking) > 0L) {
    stop_input("scores",
               sprintf("The scores of %s on the new data are not given.", enumerate(lacking)),
               remedy = "Give `scores`, a named list with a vector for each.")
  }
  rankers[object$given] <- as.list(scores)[names(rankers)[object$given]]
  sizes <- diff(newdata$offsets)
  remedy <- "Use `mix()`, or give only the first documents of each query."
  check_products_of_documents("`pair_chain()`", sizes, remedy)
  warn_all_pairs("`pair_chain()`", sizes, remedy, max(sizes))
  u <- standardise(do.call(cbind, raw_outputs(rankers, newdata, threads)), object$scale)
  chained <- chained_scores(object, u, newdata, threads)
  if (type == "score") chained else rank_within_queries(chained, newdata, model = object)
}

# Limit of the number of pairs in memory. A query is never split.
max_chances <- 2e6

chained_scores <- function(object, u, data, threads) {
  # Rows are sorted, because another order would round differently.
  rows <- rows_by_outputs(u, data$query)
  u <- u[rows, , drop = FALSE]
  query <- data$query[rows]
  sizes <- diff(data$offsets)
  batch <- cumsum(as.double(sizes)^2) %/% max_chances
  scores <- lapply(split(seq_along(sizes), batch), function(queries) {
    offsets <- data$offsets[c(queries, queries[length(queries)] + 1L)]
    chances <- pair_network_chances(object$network$weights, u, offsets, threads)
    chain_scores(chances, offsets, object$damping, threads)
  })
  scores <- unlist(scores, use.names = FALSE)
  # Equal documents are neighbours, and get the same score.
  same <- c(FALSE, query[-1L] == query[-length(query)] &
              rowSums(u[-1L, , drop = FALSE] != u[-nrow(u), , drop = FALSE]) == 0)
  scores <- scores[cummax(ifelse(same, 0L, seq_along(same)))]
  chained <- numeric(length(rows))
  chained[rows] <- scores
  chained
}

#' @export
glance.rankmix_pair_chain <- function(x, ...) {
  data.frame(rankers = length(x$rankers), inputs = sum(x$inputs), pairs = x$pairs,
             all_pairs = x$all_pairs, error = x$error, converged = x$network$converged)
}

#' @export
tidy.rankmix_pair_chain <- function(x, ...) {
  data.frame(ranker = names(x$rankers), inputs = unname(x$inputs))
}

#' @export
print.rankmix_pair_chain <- function(x, ...) {
  say("<Markov chain> of ", counted(length(x$rankers), "ranker"), ", ",
      counted(sum(x$inputs), "raw output"))
  say(sprintf("Network trained on %s of %s; %.1f %% of them are ordered wrongly",
              format_count(x$pairs), counted(x$all_pairs, "pair"), 100 * x$error))
  if (!x$network$converged) {
    say(sprintf("Its training stopped after %d steps", x$network$steps))
  }
  say("Damping: ", format(x$damping))
  invisible(x)
}
