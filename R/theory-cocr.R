# The theorems of Ruan, Lin and Tsai (2013), as functions that give both sides.

#' How far sums of answers, and ERR, may be off
#'
#' The two bounds behind [cocr()], with both sides of each inequality.
#'
#' @param levels Answers \eqn{h_k(x)}{h_k(x)} to the questions whether the grade is at least k:
#'   documents x K, such as `predict(model, data, "level")` gives them.
#' @param probability True probabilities of the grades 0, ..., K: documents x (K + 1).
#' @param relevance The grade of each document, a whole number from 0.
#' @param scores Predicted grades, one a document, on their scale.
#' @param query The query of each document; all are of one by default.
#' @param max_grade The highest grade G there may be, K of the paper.
#'
#' @details `bound_cocr()`, theorem 1, for each document, with \eqn{P_k = P(y \ge k \mid x)}{P_k =
#'   P(y >= k | x)}:
#'   \deqn{\Big(\sum_k h_k - E[y \mid x]\Big)^2 \le K \sum_k (h_k - P_k)^2.}{ (sum_k h_k - E[y |
#'   x])^2 <= K sum_k (h_k - P_k)^2.} It says nothing of whether \eqn{h_k}{h_k} estimates
#'   \eqn{P_k}{P_k}: with the cost `"absolute"` it does. With other costs the weights
#'   \eqn{w^{(k)}(y)}{w_k(y)} depend on the grade, and the best regression is \eqn{E[w^{(k)} [y
#'   \ge k] \mid x] / E[w^{(k)} \mid x]}{E[w_k [y >= k] | x] / E[w_k | x]}. For grades of
#'   probabilities .6, .2, .1, .07, .03 the expected grade is 0.73, and the sum of best answers
#'   0.73 with `"absolute"`, 0.872 with `"squared"` and 1.292 with `"oerr"`.
#'
#'   `bound_err()`, theorem 2, for each query, with \eqn{R(y) = (2^y - 1) / 2^G}{R(y) = (2^y - 1)
#'   / 2^G}, an order \eqn{\pi}{pi} by scores \eqn{\hat y}{yhat} and an order \eqn{\rho}{rho} by
#'   grades, both giving the place 1, 2, ... of document i, and what a user who reads in that
#'   order and believes z stops at,
#'   \deqn{F_i(\pi, z) = R(z_i) \prod_{j: \pi(j) < \pi(i)} (1 - R(z_j)),}{ F_i(pi, z) = R(z_i)
#'   prod of (1 - R(z_j)) over j with pi(j) < pi(i),}
#'   \deqn{\mathrm{ERR}(\rho) - \mathrm{ERR}(\pi) \le \Big(\sum_i \Big(\frac{1}{\rho(i)} -
#'   \frac{1}{\pi(i)}\Big)^2 \Big)^{1/2} \Big(\sum_i \big(F_i(\rho, y) - F_i(\pi, \hat
#'   y)\big)^2\Big)^{1/2}.}{ ERR(rho) - ERR(pi) <= sqrt(sum_i (1/rho(i) - 1/pi(i))^2) sqrt(sum_i
#'   (F_i(rho, y) - F_i(pi, yhat))^2).} The paper prints the left side the other way round, where
#'   it is never above 0. Its step (12), that each \eqn{F_i(\pi, y) \ge F_i(\rho, y)}{F_i(pi, y)
#'   >= F_i(rho, y)}, does not hold; the sum of these weighted by \eqn{1 / \pi(i)}{1 / pi(i)},
#'   which is all that is needed, does. Step (11) needs \eqn{R(\hat y) \le 1}{R(yhat) <= 1}:
#'   scores above `max_grade` count as `max_grade`. Ties of scores go to the first row, ties of
#'   grades to the order by scores.
#' @return `bound_cocr()`: a data frame with a row for each document: `excess`, the left side, and
#'   `bound`. `bound_err()`: with a row for each query: `query`, `excess`, `bound`, and its two
#'   factors `places` and `stops`.
#' @section Conditions: `rankmix_error_argument`: probabilities that do not sum to 1, or arguments
#'   whose shapes differ.
#' @references Ruan, Lin and Tsai (2014), theorems 1 and 2. \doi{10.1007/s10791-013-9219-2}
#'
#'   Chapelle, Metzler, Zhang and Grinspan (2009). Expected reciprocal rank for graded relevance.
#'   \doi{10.1145/1645953.1646033}
#' @seealso [bound_edcg()], for the expected DCG
#' @examples
#' simulation <- simulate_ranking(60, seed = 1)
#' data <- simulation$data
#' model <- fit(cocr(linear_ranker(), "absolute"), data, threads = 1)
#' head(bound_cocr(predict(model, data, "level"), simulation$probability))
#' head(bound_err(data$relevance, predict(model, data), data$query, max_grade = 4))
#' @export
bound_cocr <- function(levels, probability) {
  check_all_given()
  probability <- check_probability(probability, "probability")
  if (is.numeric(levels) || is.data.frame(levels)) levels <- as.matrix(levels)
  size <- dim(probability) - c(0L, 1L)
  if (!is.numeric(levels) || !identical(dim(levels), size) || any(!is.finite(levels))) {
    stop_input("argument",
               sprintf("`levels` must be %d x %d finite numbers, %s, not %s.", size[1L], size[2L],
                       "documents x grades above 0", show_value(levels)))
  }
  dimnames(levels) <- NULL
  cumulative <- probability_of_levels(probability)
  data.frame(excess = (rowSums(levels) - rowSums(cumulative))^2,
             bound = size[2L] * rowSums((levels - cumulative)^2))
}

# P(y >= k), k = 1, ...: documents x levels.
probability_of_levels <- function(probability) {
  levels <- levels_of_shares(unname(probability))
  dimnames(levels) <- NULL
  levels
}

#' @rdname bound_cocr
#' @export
bound_err <- function(relevance, scores, query = NULL, max_grade = max(1, relevance)) {
  check_all_given()
  if (!is_plain_number(relevance) || length(relevance) == 0L || anyNA(relevance) ||
        any(relevance < 0 | relevance != round(relevance))) {
    stop_input("argument", sprintf("`relevance` must be grades, whole numbers from 0, not %s.",
                                   show_value(relevance)))
  }
  if (!is_plain_number(scores) || length(scores) != length(relevance) || any(!is.finite(scores))) {
    stop_input("argument",
               sprintf("`scores` must be one finite number for each of the %d documents, not %s.",
                       length(relevance), show_value(scores)))
  }
  check_count(max_grade, "max_grade", min = max(1, relevance), max = 50)
  rows <- rows_of_queries(query, length(relevance))
  sides <- vapply(rows, function(rows) {
    err_sides(relevance[rows], pmin(scores[rows], max_grade), max_grade)
  }, c(excess = 0, bound = 0, places = 0, stops = 0))
  data.frame(query = if (is.null(query)) 1L else unique(query), t(sides), row.names = NULL)
}

# Of one query.
err_sides <- function(grades, scores, max_grade) {
  by_scores <- order(-scores)
  by_grades <- order(-grades, order(by_scores))
  ideal <- stops_at(grades, by_grades, max_grade)
  places <- inverse_place(by_grades) - inverse_place(by_scores)
  stops <- ideal - stops_at(scores, by_scores, max_grade)
  err <- function(order) sum(inverse_place(order) * stops_at(grades, order, max_grade))
  factors <- c(sqrt(sum(places^2)), sqrt(sum(stops^2)))
  c(excess = err(by_grades) - err(by_scores), bound = prod(factors), places = factors[1L],
    stops = factors[2L])
}

inverse_place <- function(order) {
  place <- order
  place[order] <- seq_along(order)
  1 / place
}

# The probability to stop at each document, read in this order.
stops_at <- function(grades, order, max_grade) {
  satisfied <- (2^grades[order] - 1) / 2^max_grade
  stops <- grades
  stops[order] <- satisfied * c(1, cumprod(1 - satisfied))[seq_along(order)]
  stops
}
