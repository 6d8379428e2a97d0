#' How far a smooth NDCG is from NDCG, and what its width costs
#'
#' The theory of SmoothRank. Each function gives both sides of its statement: how far the smooth
#' NDCG is from NDCG where the width \eqn{\sigma}{sigma} is small, and from a constant where it is
#' large; how steep it is; what scaling of scores and width leaves as it is; and what is sure of
#' the mean over all queries from that over some.
#'
#' @param object,other A ranker, or one score for each document of `data`, higher is ranked first.
#' @param data Judged data, made by [ranking_data()] or [read_letor()].
#' @param sigma The width \eqn{\sigma}{sigma}, above 0: the square of a difference of scores.
#' @param k The cut-off of NDCG, or `Inf`.
#' @param weights Weights w of the features of `data`, whose sums are the scores: a number for
#'   each feature, or a linear ranker.
#' @param penalty The penalty \eqn{\lambda}{lambda}, 0 or more.
#' @param factor The factor c, above 0.
#' @param norm The largest norm B of the weights that were to be chosen from, chosen before the
#'   data were seen; `NULL` for that of `weights`.
#' @param radius The largest norm R of the features of a document, of all there can be; `NULL` for
#'   the largest in `data`.
#' @param delta The probability \eqn{\delta}{delta} that the bound fails, above 0 and below 1.
#' @param threads Number of threads; results do not depend on it.
#'
#' @details For a query with m documents, scores f, gains \eqn{G_i = 2^{g_i} - 1}{G_i = 2^g_i - 1},
#'   d(j) the document with the j-th highest score, and the discounts \eqn{D_j = 1 / \log_2(1 +
#'   j)}{D_j = 1 / log2(1 + j)} up to k, divided by the ideal DCG, the smooth NDCG is
#'   \deqn{A(f, \sigma) = \sum_j D_j \sum_i G_i h_{ij}, \quad h_{ij} =
#'     \frac{e^{-(f_i - f_{d(j)})^2 / \sigma}}{\sum_l e^{-(f_l - f_{d(j)})^2 / \sigma}}.}{
#'     A(f, sigma) = sum_j D_j sum_i G_i h_ij,
#'     h_ij = exp(-(f_i - f_d(j))^2 / sigma) / sum_l exp(-(f_l - f_d(j))^2 / sigma).}
#'   It is continuous, at ties too, where its slope jumps. A number added to all scores of a query
#'   changes nothing. It is at least 0, and can be above 1: documents that are relevant and close
#'   to each other lend their gains to places that one document would have. Queries without a gain
#'   have no NDCG and `NA` throughout.
#'
#'   `bound_smooth_error()`: with \eqn{T_j} the documents that have the score of d(j), \eqn{t_j}
#'   of them, and \eqn{\mu}{mu} the smallest squared difference of scores that are not the same,
#'   \deqn{|A(f, \sigma) - \mathrm{NDCG}(f)| \le e^{-\mu / \sigma} \sum_j D_j \Big(
#'     \frac{m - t_j}{t_j^2} \sum_{i \in T_j} G_i + \frac{1}{t_j} \sum_{i \notin T_j} G_i \Big),}{
#'     |A(f, sigma) - NDCG(f)| <= exp(-mu / sigma) sum_j D_j ((m - t_j) / t_j^2 sum of G_i in T_j
#'     + 1 / t_j sum of G_i not in T_j),}
#'   where NDCG is the mean over all orders of documents that tie, [metric_ndcg()] with `ties =
#'   "average"`. Without ties that is the argument of section 5.1 with its constant; with ties
#'   the paper says nothing, as its \eqn{\mu}{mu} is 0 then.
#'
#'   `bound_smooth_flat()`: with s the squared range of the scores divided by \eqn{\sigma}{sigma},
#'   \deqn{|A(f, \sigma) - A_\infty| \le (e^s - 1) A_\infty, \quad A_\infty = \sum_j D_j
#'     \sum_i G_i / m,}{|A(f, sigma) - A_inf| <= (exp(s) - 1) A_inf,
#'     A_inf = sum_j D_j sum_i G_i / m,}
#'   since each \eqn{h_{ij}}{h_ij} is between \eqn{e^{-s} / m}{exp(-s) / m} and
#'   \eqn{e^s / m}{exp(s) / m} (section 5.3).
#'
#'   `bound_smooth_gradient()`: with \eqn{\rho}{rho} half the range of all numbers in f and f',
#'   \deqn{|A(f, \sigma) - A(f', \sigma)| \le L |f - f'|, \quad L = 8 \rho m^{3/2} / \sigma
#'     }{|A(f, sigma) - A(f', sigma)| <= L |f - f'|, L = 8 rho m^1.5 / sigma}
#'   (section 5.2, whose BR is a bound of \eqn{|f_i|}, for which \eqn{\rho}{rho} will do).
#'
#'   `bound_smooth_scaling()`: \eqn{A(f / \sqrt c, \sigma / c) = A(f, \sigma)}{A(f / sqrt(c), sigma / c)
#'   = A(f, sigma)}, so that the objective around \eqn{w_0 = 0}{w_0 = 0} is the same at
#'   \eqn{w}{w} with \eqn{\lambda}{lambda} and \eqn{\sigma}{sigma} as at \eqn{w / \sqrt c}{w /
#'   sqrt(c)} with \eqn{\lambda c}{lambda c} and \eqn{\sigma / c}{sigma / c} (lemma 1),
#'   \deqn{\lambda |w|^2 - \sum_q A_q(X w, \sigma).}{lambda |w|^2 - sum over queries of A(X w,
#'     sigma).}
#'
#'   `bound_smooth_risk()`: for n queries that were drawn independently, with a probability of at
#'   least \eqn{1 - \delta}{1 - delta} for all weights with \eqn{|w| \le B}{|w| <= B} at once,
#'   \deqn{E \phi \le \frac1n \sum_q \phi_q + \frac{24 (B R m)^2}{\sigma \sqrt n} +
#'     \sqrt{\frac{8 \log(2 / \delta)}{n}}, \quad \phi = \max(0, 1 - A)}{E phi <= mean of phi +
#'     24 (B R m)^2 / (sigma sqrt(n)) + sqrt(8 log(2 / delta) / n), phi = max(0, 1 - A)}
#'   (theorem 1, with L as above). The paper leaves out that the loss must lie in \[0, 1\], as this
#'   one does and 1 - A does not; m is the largest number of documents of a query. Only differences
#'   within a query matter, so that features may be centred there, which makes R smaller. Of ranking data of any
#'   usual size the middle term is far above 1: the bound says how things depend on
#'   \eqn{\sigma}{sigma}, not how large they are.
#'
#' @return A data frame, of `bound_smooth_error()`, `bound_smooth_flat()` and
#'   `bound_smooth_gradient()` with a row a query: `query`, and
#'   * error: the `smooth` NDCG and the `exact` one, the `error`, which is their distance, `gap`,
#'     which is \eqn{\mu}{mu}, or `Inf`, and the `bound`;
#'   * flat: `smooth`, `flat`, `error` and `bound`;
#'   * slope: the `change` of A, the `distance` of the scores, `lipschitz`, which is L, and the
#'     `bound`.
#'
#'   Of `bound_smooth_scaling()` one row: the objectives `as_is` and `scaled`. Of `bound_smooth_risk()`
#'   one row: `queries`, `documents`, and the terms `training`, `complexity` and `confidence`,
#'   whose sum is the `bound`.
#' @section Conditions: `rankmix_error_argument`: a number out of its range; weights that are none,
#'   or larger than `norm`. `rankmix_error_scores`: see [evaluate()].
#' @references Chapelle and Wu (2010). Gradient descent optimization of smoothed information
#'   retrieval metrics, section 5. \doi{10.1007/s10791-009-9110-3}
#'
#'   Bartlett and Mendelson (2002). Rademacher and Gaussian complexities: risk bounds and
#'   structural results. Journal of Machine Learning Research 3.
#' @examples
#' data <- simulate_ranking(5, documents = 8, seed = 1)$data
#' model <- fit(linear_ranker(penalty = 0.1), data, threads = 1)
#' bound_smooth_error(model, data, sigma = 0.001)
#' bound_smooth_flat(model, data, sigma = 64)
#' bound_smooth_gradient(model, predict(model, data) / 2, data, sigma = 1)
#' bound_smooth_scaling(model, data, sigma = 1, penalty = 0.1, factor = 4)
#' bound_smooth_risk(model, data, sigma = 1)
#' @export
bound_smooth_error <- function(object, data, sigma, k = Inf, threads = NULL) {
  check_all_given()
  threads <- check_smooth(data, sigma, k, threads)
  scores <- scores_for(object, data, threads)
  exact <- evaluate(scores, data, metric_ndcg(k, ties = "average", empty = "drop"),
                    threads = threads)$value
  smooth <- smooth_ndcg(scores, data, sigma, k, threads)
  sides <- of_queries(scores, data, k, function(f, gains, discounts) {
    gap <- smallest_gap(f)
    c(gap = gap, bound = exp(-gap / sigma) * tie_constant(f, gains, discounts))
  })
  data.frame(query = data$query_ids, smooth = smooth, exact = ifelse(is.nan(exact), NA, exact),
             error = abs(smooth - exact), sides)
}

#' @rdname bound_smooth_error
#' @export
bound_smooth_flat <- function(object, data, sigma, k = Inf, threads = NULL) {
  check_all_given()
  threads <- check_smooth(data, sigma, k, threads)
  scores <- scores_for(object, data, threads)
  smooth <- smooth_ndcg(scores, data, sigma, k, threads)
  sides <- of_queries(scores, data, k, function(f, gains, discounts) {
    flat <- sum(discounts) * mean(gains)
    c(flat = flat, bound = expm1(diff(range(f))^2 / sigma) * flat)
  })
  data.frame(query = data$query_ids, smooth = smooth, flat = sides$flat,
             error = abs(smooth - sides$flat), bound = sides$bound)
}

#' @rdname bound_smooth_error
#' @export
bound_smooth_gradient <- function(object, other, data, sigma, k = Inf, threads = NULL) {
  check_all_given()
  threads <- check_smooth(data, sigma, k, threads)
  scores <- scores_for(object, data, threads)
  others <- scores_for(other, data, threads)
  change <- abs(smooth_ndcg(scores, data, sigma, k, threads) -
                  smooth_ndcg(others, data, sigma, k, threads))
  rows <- split(seq_along(scores), data$query)
  distance <- vapply(rows, function(at) sqrt(sum((scores[at] - others[at])^2)), 0)
  lipschitz <- vapply(rows, function(at) {
    8 * diff(range(scores[at], others[at])) / 2 * length(at)^1.5 / sigma
  }, 0)
  data.frame(query = data$query_ids, change = change, distance = unname(distance),
             lipschitz = unname(lipschitz), bound = unname(lipschitz * distance))
}

#' @rdname bound_smooth_error
#' @export
bound_smooth_scaling <- function(weights, data, sigma, penalty, factor, k = Inf, threads = NULL) {
  check_all_given()
  threads <- check_smooth(data, sigma, k, threads)
  check_number(penalty, "penalty", 0, Inf)
  check_number(factor, "factor", 0, Inf, open_min = TRUE)
  weights <- feature_weights(weights, data)
  objective <- function(weights, penalty, sigma) {
    scores <- linear_predict(data$x, cbind(weights), 0, threads)[, 1L]
    penalty * sum(weights^2) - sum(smooth_ndcg(scores, data, sigma, k, threads), na.rm = TRUE)
  }
  data.frame(as_is = objective(weights, penalty, sigma),
             scaled = objective(weights / sqrt(factor), penalty * factor, sigma / factor))
}

#' @rdname bound_smooth_error
#' @export
bound_smooth_risk <- function(weights, data, sigma, k = Inf, norm = NULL, radius = NULL,
                              delta = 0.05, threads = NULL) {
  check_all_given()
  threads <- check_smooth(data, sigma, k, threads)
  weights <- feature_weights(weights, data)
  check_number(delta, "delta", 0, 1, open_min = TRUE)
  norm <- at_least(norm, "norm", sqrt(sum(weights^2)), "the weights")
  radius <- at_least(radius, "radius", sqrt(max(rowSums(dense_features(data)^2))),
                     "the features")
  scores <- linear_predict(data$x, cbind(weights), 0, threads)[, 1L]
  smooth <- smooth_ndcg(scores, data, sigma, k, threads)
  counts <- !is.na(smooth)
  queries <- sum(counts)
  documents <- max(diff(data$offsets)[counts])
  terms <- data.frame(
    queries = queries, documents = documents, training = mean(pmax(0, 1 - smooth[counts])),
    complexity = 24 * (norm * radius * documents)^2 / (sigma * sqrt(queries)),
    confidence = sqrt(8 * log(2 / delta) / queries)
  )
  terms$bound <- terms$training + terms$complexity + terms$confidence
  terms
}

check_smooth <- function(data, sigma, k, threads, call = rlang::caller_env()) {
  check_ranking_data(data, call = call)
  check_number(sigma, "sigma", 0, Inf, open_min = TRUE, call = call)
  check_count(k, "k", infinite = TRUE, call = call)
  if (all(data$relevance == 0L)) {
    stop_input("one_grade", "No document has a grade above 0: there is no NDCG.",
               remedy = "Give data with relevant documents.", call = call)
  }
  check_threads(threads, call)
}

scores_for <- function(object, data, threads, call = rlang::caller_env()) {
  check_scores(scores_of(object, data, threads, call), data, call = call)
}

# The value itself, or the least that it can be.
at_least <- function(value, name, least, of, call = rlang::caller_env()) {
  if (is.null(value)) {
    return(least)
  }
  check_number(value, name, 0, Inf, call = call)
  if (value < least) {
    stop_input("argument", sprintf("`%s` is %s, but %s have a norm of %s.", name, format(value),
                                   of, format(least)),
               remedy = "Give a number that bounds it.", call = call)
  }
  value
}

# A number for each feature.
feature_weights <- function(weights, data, call = rlang::caller_env()) {
  if (inherits(weights, "rankmix_ranker")) {
    weights <- stats::coef(weights)
    weights <- weights[names(weights) != "(Intercept)"]
  }
  if (!is_plain_number(weights) || length(weights) != length(data$features) ||
        !all(is.finite(weights))) {
    stop_input("argument",
               sprintf("`weights` must be a number for each of the %d features, not %s.",
                       length(data$features), show_value(weights)), call = call)
  }
  refuse_missing(data$missing, "A linear score", call)
  as.double(weights)
}

# sides() of the scores, the gains and the discounts, divided by the ideal, of each query that
# has gains; a row each, NA where there is none.
of_queries <- function(scores, data, k, sides) {
  gains <- exponential_gain(data$relevance)
  rows <- lapply(unname(split(seq_along(scores), data$query)), function(at) {
    discounts <- position_discounts(gains[at], k)
    if (!is.null(discounts)) sides(scores[at], gains[at], discounts)
  })
  found <- do.call(rbind, rows)
  all <- matrix(NA_real_, length(rows), ncol(found), dimnames = list(NULL, colnames(found)))
  all[!vapply(rows, is.null, NA), ] <- found
  as.data.frame(all)
}

# NULL without a gain.
position_discounts <- function(gains, k) {
  discounts <- (seq_along(gains) <= k) / log2(seq_along(gains) + 1)
  ideal <- sum(sort(gains, decreasing = TRUE) * discounts)
  if (ideal > 0) discounts / ideal
}

smallest_gap <- function(f) {
  values <- sort(unique(f))
  if (length(values) < 2L) Inf else min(diff(values))^2
}

# The sum over places that bounds the error.
tie_constant <- function(f, gains, discounts) {
  m <- length(f)
  group <- match(f, f)
  ties <- tabulate(group, m)[group]
  own <- rowsum(gains, group)[as.character(group), ]
  sorted <- order(-f)
  sum(discounts * ((m - ties) / ties^2 * own + (sum(gains) - own) / ties)[sorted])
}

# Query by query, NA where there is no gain. Of a query whose documents have one gain all rankings
# are the best, and the objective leaves it out.
smooth_ndcg <- function(scores, data, sigma, k, threads) {
  highest <- tapply(data$relevance, data$query, max)
  lowest <- tapply(data$relevance, data$query, min)
  data$weight <- NULL
  value <- -objective_value(loss_smooth(metric_ndcg(k), sigma), scores, data, threads)$value
  value[lowest == highest] <- 1
  value[highest == 0L] <- NA
  value
}
