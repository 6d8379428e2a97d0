#' Expected DCG, and the loss due to wrong probabilities
#'
#' `expected_dcg()` computes the expected DCG of a ranking if the probabilities of the grades are known.
#' The bounds of Busa-Fekete et al. (2013) limit the loss of expected DCG if documents are ranked by
#' estimated probabilities. Each bound function returns both sides of its inequality, query by query.
#'
#' @param scores The scores of the documents. Ties go to the first row.
#' @param probability The true probabilities p* of the grades 0, 1, ...: documents x grades.
#' @param estimate The estimated probabilities p, of the same shape.
#' @param query The queries of the documents. By default all documents are of one query.
#' @param q The norm of the difference of the probabilities, from 1 to `Inf`. Default 2, as in
#'   [bound_edcg_kl()].
#' @param epsilon The \eqn{\epsilon} of proposition 3, above 0 and at most 1/2. Default 0.5. Smaller values
#'   make the printed bound smaller.
#'
#' @return `expected_dcg()`: one number per query. `bound_edcg()`: a data frame with a row per query:
#'   `excess`, `proposition1` and `corollary2`. `bound_edcg_kl()`: `excess`, `bound`,
#'   `printed` and the `divergence` D, which is `Inf` if p is 0 and p* is not.
#' @examples
#' simulation <- simulate_ranking(20, seed = 1)
#' p <- simulation$probability
#' flat <- 0.7 * p + 0.3 / ncol(p)
#' head(bound_edcg(p, flat, simulation$data$query))
#' head(bound_edcg_kl(p, flat, simulation$data$query))
#'
#' @details
#' With \eqn{z_l = 2^l - 1}, \eqn{c_r = 1 / \log_2(1 + r)}{c_r = 1 / log2(1 + r)} without a
#' cut-off and the expected gain \eqn{v^*(x) = \sum_l z_l p^*_l(x)}{v*(x) = sum_l z_l
#' p*_l(x)}, `expected_dcg()` is \eqn{\sum_r c_r v^*(x_{j_r})}{sum_r c_r v*(x_jr)}. The documents \eqn{j_1,
#' j_2, \ldots} are sorted by score. The excess is the expected DCG of sorting by v* minus the expected DCG
#' of sorting by \eqn{v = \sum_l z_l p_l}{v = sum_l z_l p_l}.
#'
#' **`bound_edcg()`**, with 1/p + 1/q = 1 and \eqn{r_i, r^*_i} the ranks of document i by v and
#' v*:
#' \deqn{\mathrm{excess} \le \Big( \sum_{i,l} |(c_{r_i} - c_{r^*_i}) z_l|^p \Big)^{1/p}
#'   \Big( \sum_{i,l} |p_l(x_i) - p^*_l(x_i)|^q \Big)^{1/q} \quad \mathrm{(proposition\ 1)}}{
#'   excess <= (sum_il |(c_ri - c_r*i) z_l|^p)^(1/p) (sum_il |p_l(x_i) - p*_l(x_i)|^q)^(1/q)
#'   (proposition 1)}
#' Corollary 2 replaces the first factor by \eqn{C_1}, its largest value for any two rankings, which a
#' ranking and its reverse reach.
#'
#' **`bound_edcg_kl()`** uses the divergence \eqn{D = \sum_i \sum_l p^*_l \log (p^*_l / p_l)}{
#' D = sum_i sum_l p*_l log(p*_l / p_l)}. Corollary 2 with q = 2 and Pinsker's inequality,
#' \eqn{|p - p^*|_2^2 \le |p - p^*|_1^2 \le 2 D_i}{|p - p*|_2^2 <= |p - p*|_1^2 <= 2 D_i},
#' give \deqn{\mathrm{excess} \le C_1 \sqrt{2 D}}{excess <= C_1 sqrt(2 D)}
#' for any probabilities. The paper prints proposition 3 as \eqn{C_2 D} with \eqn{C_2 = C_1
#' \max_i (1 + 2 \epsilon) / (\frac12 \min_l 1 / p_l(x_i))}{C_2 = C_1 max_i (1 + 2 epsilon) /
#' (min_l 1 / p_l(x_i) / 2)}. This formula lacks a square root that its proof needs. The formula is not a bound if p
#' is so close to p* that D is much smaller than its root. Column `printed` has the value of this formula.
#'
#' @section Conditions: `rankmix_error_argument`: probabilities that are negative, do not
#'   sum to 1 (within 1e-6), or of another shape.
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013), section 4.
#'   \doi{10.1007/s10994-013-5360-9}
#' @export
expected_dcg <- function(scores, probability, query = NULL) {
  check_all_given()
  probability <- check_probability(probability, "probability")
  if (!is_plain_number(scores) || length(scores) != nrow(probability) || anyNA(scores)) {
    stop_input("argument",
               sprintf("`scores` must be one number for each row of `probability`, not %s.",
                       show_value(scores)))
  }
  gains <- expected_gain(probability)
  query_rows <- rows_of_queries(query, nrow(probability))
  vapply(query_rows, function(rows) ranking_dcg(scores[rows], gains[rows]), numeric(1))
}

#' @rdname expected_dcg
#' @export
bound_edcg <- function(probability, estimate, query = NULL, q = 2) {
  check_all_given()
  if (!is_plain_number(q) || length(q) != 1L || is.na(q) || q < 1) {
    stop_input("argument", sprintf("`q` must be a number from 1 to Inf, not %s.",
                                   show_value(q)))
  }
  p <- if (q == 1) Inf else if (q == Inf) 1 else q / (q - 1)
  by_query(probability, estimate, query, function(true, wrong) {
    n <- nrow(true)
    gains <- gains_of_grades(ncol(true))
    away <- abs(rank_discounts(expected_gain(wrong)) - rank_discounts(expected_gain(true)))
    distance <- power_norm(true - wrong, q)
    c(proposition1 = power_norm(outer(away, gains), p) * distance,
      corollary2 = largest_factor(n, gains, p) * distance)
  })
}

#' @rdname expected_dcg
#' @export
bound_edcg_kl <- function(probability, estimate, query = NULL, epsilon = 0.5) {
  check_all_given()
  check_number(epsilon, "epsilon", 0, 0.5, open_min = TRUE)
  by_query(probability, estimate, query, function(true, wrong) {
    gains <- gains_of_grades(ncol(true))
    terms <- ifelse(true > 0, true * log(true / wrong), 0)
    divergence <- max(0, sum(terms))
    factor <- largest_factor(nrow(true), gains, 2)
    lipschitz <- max((1 + 2 * epsilon) / (0.5 * apply(1 / wrong, 1L, min)))
    c(bound = factor * sqrt(2 * divergence), printed = factor * lipschitz * divergence,
      divergence = divergence)
  })
}

# One row for each query: the excess, and the columns of sides().
by_query <- function(probability, estimate, query, sides, call = rlang::caller_env()) {
  probability <- check_probability(probability, "probability", call = call)
  estimate <- check_probability(estimate, "estimate", dim(probability), call)
  query_rows <- rows_of_queries(query, nrow(probability), call)
  rows <- vapply(query_rows, function(rows) {
    true <- probability[rows, , drop = FALSE]
    wrong <- estimate[rows, , drop = FALSE]
    gains <- expected_gain(true)
    excess <- ranking_dcg(gains, gains) - ranking_dcg(expected_gain(wrong), gains)
    c(excess = excess, sides(true, wrong))
  }, c(excess = 0, sides(probability[1L, , drop = FALSE], estimate[1L, , drop = FALSE])))
  data.frame(query = if (is.null(query)) 1L else unique(query), t(rows), row.names = NULL)
}

rows_of_queries <- function(query, rows, call = rlang::caller_env()) {
  if (is.null(query)) {
    return(list(seq_len(rows)))
  }
  if (length(query) != rows || anyNA(query)) {
    stop_input("argument",
               sprintf("`query` must name the query of each of the %d documents.", rows),
               call = call)
  }
  unname(split(seq_len(rows), match(query, unique(query))))
}

rank_discounts <- function(scores) {
  discounts <- numeric(length(scores))
  discounts[order(-scores)] <- 1 / log2(seq_along(scores) + 1)
  discounts
}

ranking_dcg <- function(scores, gains) {
  sum(rank_discounts(scores) * gains)
}

power_norm <- function(x, p) {
  if (p == Inf) max(abs(x)) else sum(abs(x)^p)^(1 / p)
}

# C_1: sum_i |c_i - c_s(i)|^p is largest if s reverses the order.
largest_factor <- function(n, gains, p) {
  discounts <- 1 / log2(seq_len(n) + 1)
  power_norm(outer(abs(discounts - rev(discounts)), gains), p)
}

check_probability <- function(x, name, shape = NULL, call = rlang::caller_env()) {
  x <- if (is_plain_number(x) || is.data.frame(x)) value_matrix(x) else matrix(NA)
  good <- is_plain_number(x) && nrow(x) > 0L && ncol(x) > 1L && !anyNA(x) && all(x >= 0) &&
    all(abs(rowSums(x) - 1) < 1e-6)
  if (!good || !is.null(shape) && !identical(dim(x), shape)) {
    stop_input("argument",
               sprintf("`%s` must be probabilities, documents x grades%s, whose rows sum to 1.",
                       name, if (is.null(shape)) "" else sprintf(", %d x %d", shape[1L],
                                                                 shape[2L])),
               call = call)
  }
  x
}
