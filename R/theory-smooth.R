#' Bounds on a smooth NDCG
#'
#' Each function computes both sides of a statement about the smooth NDCG of SmoothRank: its distance
#' from NDCG and from a constant, its Lipschitz constant, its invariance to scaling, and its
#' generalization.
#'
#' @param object,other The ranker, or one score for each document of `data`.
#' @param data The judged data, made by [ranking_data()] or [read_letor()].
#' @param sigma The width \eqn{\sigma}{sigma}, positive, in units of squared differences of scores.
#' @param k The cut-off of NDCG; default `Inf`, none.
#' @param weights The weights w, a number for each feature of `data`, or a linear ranker.
#' @param penalty The penalty \eqn{\lambda}{lambda}, 0 or more.
#' @param factor The factor c, above 0.
#' @param norm The largest norm B of the weights, fixed before the data were seen; `NULL` is the norm of
#'   `weights`.
#' @param radius The largest norm R of the features of any possible document; `NULL` is the largest norm in
#'   `data`.
#' @param delta The probability \eqn{\delta}{delta} that the bound fails, in (0, 1); default 0.05.
#' @param threads Number of threads. Results do not depend on it.
#'
#' @return A data frame. The first three functions return a row per query, with `query` and
#'   * `bound_smooth_error()`: the `smooth` and `exact` NDCG, their distance `error`, the `gap`
#'     \eqn{\mu}{mu}, or `Inf`, and the `bound`;
#'   * `bound_smooth_flat()`: `smooth`, `flat`, `error` and `bound`;
#'   * `bound_smooth_gradient()`: the `change` of A, the `distance` of the scores, `lipschitz`, which is L,
#'     and the
#'     `bound`.
#'
#'   `bound_smooth_scaling()` returns one row: the objectives `as_is` and `scaled`.
#'   `bound_smooth_risk()` returns one row: `queries`, `documents`, and the `bound`, the sum of
#'   `training`, `complexity` and `confidence`.
#' @examples
#' data <- simulate_ranking(5, documents = 8, seed = 1)$data
#' model <- fit(linear_ranker(penalty = 0.1), data, threads = 1)
#' bound_smooth_error(model, data, sigma = 0.001)
#' bound_smooth_flat(model, data, sigma = 64)
#' bound_smooth_gradient(model, predict(model, data) / 2, data, sigma = 1)
#' bound_smooth_scaling(model, data, sigma = 1, penalty = 0.1, factor = 4)
#' bound_smooth_risk(model, data, sigma = 1)
#'
#' @details A query has m documents with scores f and gains \eqn{G_i = 2^{g_i} - 1}{G_i = 2^g_i - 1}, and
#'   d(j) is the document with the j-th highest score. The discounts \eqn{D_j = 1 / \log_2(1 +
#'   j)}{D_j = 1 / log2(1 + j)} up to k are divided by the ideal DCG. The smooth NDCG is
#'   \deqn{A(f, \sigma) = \sum_j D_j \sum_i G_i h_{ij}, \quad h_{ij} =
#'     \frac{e^{-(f_i - f_{d(j)})^2 / \sigma}}{\sum_l e^{-(f_l - f_{d(j)})^2 / \sigma}}.}{
#'     A(f, sigma) = sum_j D_j sum_i G_i h_ij,
#'     h_ij = exp(-(f_i - f_d(j))^2 / sigma) / sum_l exp(-(f_l - f_d(j))^2 / sigma).}
#'   It is continuous, with jumps of the gradient at ties. The value is at least 0, and can exceed 1, because
#'   close relevant documents can count at several ranks. A query without a gain has `NA` throughout.
#'
#'   **`bound_smooth_error()`.** \eqn{T_j} are the \eqn{t_j} documents with the score of d(j), and
#'   \eqn{\mu}{mu} is
#'   the smallest squared difference of unequal scores:
#'   \deqn{|A(f, \sigma) - \mathrm{NDCG}(f)| \le e^{-\mu / \sigma} \sum_j D_j \Big(
#'     \frac{m - t_j}{t_j^2} \sum_{i \in T_j} G_i + \frac{1}{t_j} \sum_{i \notin T_j} G_i \Big).}{
#'     |A(f, sigma) - NDCG(f)| <= exp(-mu / sigma) sum_j D_j ((m - t_j) / t_j^2 sum of G_i in T_j
#'     + 1 / t_j sum of G_i not in T_j).}
#'   NDCG is [metric_ndcg()] with `ties = "average"`. Without ties this is section 5.1. With ties the
#'   paper's bound is void, because its \eqn{\mu}{mu} is 0.
#'
#'   **`bound_smooth_flat()`.** With s the squared range of the scores divided by \eqn{\sigma}{sigma},
#'   \deqn{|A(f, \sigma) - A_\infty| \le (e^s - 1) A_\infty, \quad A_\infty = \sum_j D_j
#'     \sum_i G_i / m,}{|A(f, sigma) - A_inf| <= (exp(s) - 1) A_inf,
#'     A_inf = sum_j D_j sum_i G_i / m,}
#'   because each \eqn{h_{ij}}{h_ij} is between \eqn{e^{-s} / m}{exp(-s) / m} and \eqn{e^s / m}{exp(s) / m}
#'   (section 5.3).
#'
#'   **`bound_smooth_gradient()`.** With \eqn{\rho}{rho} half the range of all numbers in f and f',
#'   \deqn{|A(f, \sigma) - A(f', \sigma)| \le L |f - f'|, \quad L = 8 \rho m^{3/2} / \sigma
#'     }{|A(f, sigma) - A(f', sigma)| <= L |f - f'|, L = 8 rho m^1.5 / sigma}
#'   (section 5.2, whose BR bounds \eqn{|f_i|}; \eqn{\rho}{rho} is enough).
#'
#'   **`bound_smooth_scaling()`.** \eqn{A(f / \sqrt c, \sigma / c) = A(f, \sigma)}{A(f / sqrt(c), sigma / c)
#'   = A(f, sigma)}. So the objective around \eqn{w_0 = 0}{w_0 = 0},
#'   \deqn{\lambda |w|^2 - \sum_q A_q(X w, \sigma),}{lambda |w|^2 - sum over queries of A(X w,
#'     sigma),}
#'   is the same at \eqn{w}{w} with \eqn{\lambda}{lambda} and \eqn{\sigma}{sigma} as at \eqn{w / \sqrt c}{w /
#'   sqrt(c)} with \eqn{\lambda c}{lambda c} and \eqn{\sigma / c}{sigma / c} (lemma 1).
#'
#'   **`bound_smooth_risk()`.** For n independently sampled queries, with probability at
#'   least \eqn{1 - \delta}{1 - delta}, for all weights with \eqn{|w| \le B}{|w| <= B} at once,
#'   \deqn{E \phi \le \frac1n \sum_q \phi_q + \frac{24 (B R m)^2}{\sigma \sqrt n} +
#'     \sqrt{\frac{8 \log(2 / \delta)}{n}}, \quad \phi = \max(0, 1 - A)}{E phi <= mean of phi +
#'     24 (B R m)^2 / (sigma sqrt(n)) + sqrt(8 log(2 / delta) / n), phi = max(0, 1 - A)}
#'   (theorem 1, with L as above). m is the largest number of documents of a query. The loss must lie in
#'   \[0, 1\], as \eqn{\phi}{phi} does. The paper uses 1 - A, which can be negative. Centring features by query makes R
#'   smaller. For data of usual size the middle term is far above 1; the bound shows the dependence on
#'   \eqn{\sigma}{sigma}.
#'
#' @section Conditions: `rankmix_error_argument`: a number out of its range; invalid weights, or weights
#'   larger than `norm`. `rankmix_error_scores`: see [evaluate()].
#' @references Chapelle and Wu (2010). Gradient descent optimization of smoothed information
#'   retrieval metrics, section 5. \doi{10.1007/s10791-009-9110-3}
#'
#'   Bartlett and Mendelson (2002). Rademacher and Gaussian complexities: risk bounds and
#'   structural results. Journal of Machine Learning Research 3.
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
  check_graded(data, "The bound", call)
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

# The user's bound, checked against the smallest valid one; if NULL, the smallest valid one.
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

# The weights: one number for each feature.
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

# For each query, sides() of the scores, the gains and the normalized discounts. One row each; NA
# for queries without gains.
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

# Discounts divided by the ideal DCG; NULL if there is no gain.
position_discounts <- function(gains, k) {
  discounts <- (seq_along(gains) <= k) / log2(seq_along(gains) + 1)
  ideal <- sum(sort(gains, decreasing = TRUE) * discounts)
  if (ideal > 0) discounts / ideal
}

smallest_gap <- function(f) {
  values <- sort(unique(f))
  if (length(values) < 2L) Inf else min(diff(values))^2
}

# The sum over ranks that bounds the error.
tie_constant <- function(f, gains, discounts) {
  m <- length(f)
  group <- match(f, f)
  ties <- tabulate(group, m)[group]
  own <- rowsum(gains, group)[as.character(group), ]
  sorted <- order(-f)
  sum(discounts * ((m - ties) / ties^2 * own + (sum(gains) - own) / ties)[sorted])
}

# The smooth NDCG of each query; NA for queries without gains. If all documents of a query have one
# grade, every ranking is ideal, so the value is 1.
smooth_ndcg <- function(scores, data, sigma, k, threads) {
  highest <- tapply(data$relevance, data$query, max)
  lowest <- tapply(data$relevance, data$query, min)
  data$weight <- NULL
  value <- -objective_value(loss_smooth(metric_ndcg(k), sigma), scores, data, threads)$value
  value[lowest == highest] <- 1
  value[highest == 0L] <- NA
  value
}
