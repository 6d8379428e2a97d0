# The theorems of Ruan, Lin and Tsai (2013), as functions that return both sides.

#' Bounds behind ordinal classification via regression
#'
#' Compute both sides of the two inequalities behind [cocr()]: the error of the sum of predictions, and the
#' loss in ERR.
#'
#' @param levels The predictions \eqn{h_k(x)}{h_k(x)} of the subproblems "is the grade at least k?":
#'   documents x K, such as `predict(model, data, "level")`.
#' @param probability The true probabilities of the grades 0, ..., K: documents x (K + 1).
#' @param relevance The grades of the documents, whole numbers from 0.
#' @param scores The predicted grades, one per document, on the scale of the grades.
#' @param query The queries of the documents. By default all documents are of one query.
#' @param max_grade The highest possible grade G, which the paper calls K.
#'
#' @return `bound_cocr()`: a data frame with a row for each document: `excess`, the left side, and
#'   `bound`. `bound_err()`: a data frame with a row for each query: `query`, `excess`, `bound`, and its two
#'   factors `places` and `stops`.
#' @examples
#' simulation <- simulate_ranking(60, seed = 1)
#' data <- simulation$data
#' model <- fit(cocr(linear_ranker(), "absolute"), data, threads = 1)
#' head(bound_cocr(predict(model, data, "level"), simulation$probability))
#' head(bound_err(data$relevance, predict(model, data), data$query, max_grade = 4))
#'
#' @details **`bound_cocr()`** is theorem 1. For each document, with \eqn{P_k = P(y \ge k \mid x)}{P_k =
#'   P(y >= k | x)}:
#'   \deqn{\Big(\sum_k h_k - E[y \mid x]\Big)^2 \le K \sum_k (h_k - P_k)^2.}{ (sum_k h_k - E[y |
#'   x])^2 <= K sum_k (h_k - P_k)^2.} The theorem does not say whether \eqn{h_k}{h_k} estimates
#'   \eqn{P_k}{P_k}. With the cost `"absolute"`, \eqn{h_k}{h_k} estimates \eqn{P_k}{P_k}. With other costs the weights
#'   \eqn{w^{(k)}(y)}{w_k(y)} depend on the grade, and the best regression is \eqn{E[w^{(k)} [y \ge k] \mid x] /
#'   E[w^{(k)} \mid x]}{E[w_k [y >= k] | x] / E[w_k | x]}. For grades with probabilities .6, .2, .1, .07, .03 the
#'   expected grade is 0.73. The sum of the best regressions is 0.73 with `"absolute"`, 0.872 with `"squared"` and
#'   1.292 with `"oerr"`.
#'
#'   **`bound_err()`** is theorem 2, for each query. Let \eqn{R(y) = (2^y - 1) / 2^G}{R(y) = (2^y - 1)
#'   / 2^G}. \eqn{\pi(i)}{pi(i)} is the rank of document i by the scores \eqn{\hat y}{yhat}, and
#'   \eqn{\rho(i)}{rho(i)} its rank by the grades. A user who reads in the order \eqn{\pi}{pi} and takes z for the
#'   grades stops at document i with probability \deqn{F_i(\pi, z) = R(z_i) \prod_{j: \pi(j) < \pi(i)} (1 - R(z_j)).}{
#'   F_i(pi, z) = R(z_i) prod of (1 - R(z_j)) over j with pi(j) < pi(i).}
#'
#'   The theorem is
#'   \deqn{\mathrm{ERR}(\rho) - \mathrm{ERR}(\pi) \le \Big(\sum_i \Big(\frac{1}{\rho(i)} -
#'   \frac{1}{\pi(i)}\Big)^2 \Big)^{1/2} \Big(\sum_i \big(F_i(\rho, y) - F_i(\pi, \hat
#'   y)\big)^2\Big)^{1/2}.}{ ERR(rho) - ERR(pi) <= sqrt(sum_i (1/rho(i) - 1/pi(i))^2) sqrt(sum_i
#'   (F_i(rho, y) - F_i(pi, yhat))^2).}
#'
#'   The paper prints the left side with the opposite sign, which is never positive. Its step (12), that
#'   each \eqn{F_i(\pi, y) \ge F_i(\rho, y)}{F_i(pi, y) >= F_i(rho, y)}, does not hold. The inequality holds for the
#'   sum weighted by \eqn{1 / \pi(i)}{1 / pi(i)}, which is enough for the theorem. Step (11) needs \eqn{R(\hat y) \le
#'   1}{R(yhat) <= 1}, so scores above `max_grade` count as `max_grade`. Documents with equal scores are ranked in row
#'   order. Documents with equal grades are ranked by their scores.
#' @section Conditions: `rankmix_error_argument`: probabilities that do not sum to 1, or arguments
#'   whose shapes differ.
#' @references Ruan, Lin and Tsai (2014), theorems 1 and 2. \doi{10.1007/s10791-013-9219-2}
#'
#'   Chapelle, Metzler, Zhang and Grinspan (2009). Expected reciprocal rank for graded relevance.
#'   \doi{10.1145/1645953.1646033}
#' @seealso [bound_edcg()], for the expected DCG
#' @export
bound_cocr <- function(levels, probability) {
  check_all_given()
  probability <- check_probability(probability, "probability")
  if (is_plain_number(levels) || is.data.frame(levels)) levels <- value_matrix(levels)
  size <- dim(probability) - c(0L, 1L)
  if (!is_plain_number(levels) || !identical(dim(levels), size)) {
    stop_input("argument",
               sprintf("`levels` must be %d x %d finite numbers, %s, not %s.", size[1L], size[2L],
                       "documents x grades above 0", show_value(levels)))
  }
  check_documents(levels, rowSums(!is.finite(levels)) > 0, "`levels` must be finite numbers.")
  dimnames(levels) <- NULL
  cumulative <- probability_of_levels(probability)
  data.frame(excess = (rowSums(levels) - rowSums(cumulative))^2,
             bound = size[2L] * rowSums((levels - cumulative)^2))
}

# An error that names the first document whose value, or row of values, is `bad`.
check_documents <- function(values, bad, problem, call = rlang::caller_env()) {
  row <- which(bad)[1L]
  if (!is.na(row)) {
    own <- if (is.matrix(values)) values[row, ] else values[row]
    stop_input("argument", problem, sprintf("Document %d has %s.", row, paste(format(own), collapse = ", ")),
               call = call)
  }
}

# The probabilities P(y >= k) for k = 1, 2 and so on: documents x levels.
probability_of_levels <- function(probability) {
  levels <- levels_of_fractions(unname(probability))
  dimnames(levels) <- NULL
  levels
}

#' @rdname bound_cocr
#' @export
bound_err <- function(relevance, scores, query = NULL, max_grade = max(1, relevance)) {
  check_all_given()
  if (!is_plain_number(relevance) || length(relevance) == 0L) {
    stop_input("argument", sprintf("`relevance` must be grades, whole numbers from 0, not %s.",
                                   show_value(relevance)))
  }
  check_documents(relevance, is.na(relevance) | relevance < 0 | relevance != round(relevance),
                  "`relevance` must be grades, whole numbers from 0.")
  if (!is_plain_number(scores) || length(scores) != length(relevance)) {
    stop_input("argument",
               sprintf("`scores` must be one finite number for each of the %d documents, not %s.",
                       length(relevance), show_value(scores)))
  }
  check_documents(scores, !is.finite(scores), "`scores` must be finite numbers.")
  check_count(max_grade, "max_grade", min = max(1, relevance), max = 50)
  rows <- rows_of_queries(query, length(relevance))
  sides <- vapply(rows, function(rows) {
    err_sides(relevance[rows], pmin(scores[rows], max_grade), max_grade)
  }, c(excess = 0, bound = 0, places = 0, stops = 0))
  data.frame(query = if (is.null(query)) 1L else unique(query), t(sides), row.names = NULL)
}

# Both sides of the bound for one query.
err_sides <- function(grades, scores, max_grade) {
  by_scores <- order(-scores)
  by_grades <- order(-grades, order(by_scores))
  ideal <- stops_at(grades, by_grades, max_grade)
  places <- inverse_rank(by_grades) - inverse_rank(by_scores)
  stops <- ideal - stops_at(scores, by_scores, max_grade)
  err <- function(order) sum(inverse_rank(order) * stops_at(grades, order, max_grade))
  factors <- c(sqrt(sum(places^2)), sqrt(sum(stops^2)))
  c(excess = err(by_grades) - err(by_scores), bound = prod(factors), places = factors[1L],
    stops = factors[2L])
}

inverse_rank <- function(order) {
  place <- order
  place[order] <- seq_along(order)
  1 / place
}

# The probability that a user who reads in this order stops at each document.
stops_at <- function(grades, order, max_grade) {
  satisfied <- (2^grades[order] - 1) / 2^max_grade
  stops <- grades
  stops[order] <- satisfied * c(1, cumprod(1 - satisfied))[seq_along(order)]
  stops
}
