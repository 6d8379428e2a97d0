#' Combine p-values of independent tests
#'
#' Computes one p-value from independent tests of one hypothesis, such as the folds of a benchmark.
#'
#' @param p The two-sided p-values in \[0, 1\], one a test.
#' @param sign The sign of the difference of each test, as any number. Without it, `fisher_combine()`
#'   ignores directions.
#' @param weight The weight of each test, 0 or more, such as the root of its number of queries; by default 1.
#'
#' @return A number, the two-sided combined p-value.
#' @examples
#' fisher_combine(c(0.04, 0.2, 0.6, 0.03, 0.11))
#' # Two folds in opposite directions.
#' fisher_combine(c(0.01, 0.01))
#' fisher_combine(c(0.01, 0.01), sign = c(1, -1))
#' stouffer_combine(c(0.04, 0.2, 0.6, 0.03, 0.11), sign = c(1, 1, -1, 1, 1))
#'
#' @details
#' **Fisher**: \eqn{X = -2 \sum_f \log p_f}{X = -2 sum log p} has the chi-squared distribution with
#' \eqn{2F} degrees of freedom. This method ignores directions: significant folds in opposite directions
#' give a small p-value. The p-value does not show which ranker is better.
#'
#' **Fisher with `sign`**: each p-value becomes one-sided in both directions, p / 2 and 1 - p / 2 (1/2
#' if the sign is 0). Both sets are combined by Fisher's method. The result is twice the smaller
#' p-value, at most 1. [compare_rankers()] uses this version, and reports neither ranker as worse if both
#' directions are significant.
#'
#' **Stouffer**: \eqn{Z = \sum_f w_f s_f \Phi^{-1}(1 - p_f / 2) / \sqrt{\sum_f
#' w_f^2}}{Z = sum w s qnorm(1 - p / 2) / sqrt(sum w^2)} is standard normal. Opposite
#' directions cancel.
#'
#' A p-value of 0 makes the combined p-value 0. With Stouffer's method, two p-values of 0 in opposite directions give 1.
#'
#' @references Fisher (1932), *Statistical Methods for Research Workers*, 4th edition,
#'   section 21.1. Stouffer et al. (1949), *The American Soldier*, volume 1. Busa-Fekete,
#'   Kegl, Elteto and Szarvas (2013), section 7.7, \doi{10.1007/s10994-013-5360-9}.
#' @section Conditions: `rankmix_error_argument`: no p-value, one outside \[0, 1\] or
#'   missing; signs or weights that do not fit.
#' @export
fisher_combine <- function(p, sign = NULL) {
  check_all_given()
  check_p_values(p)
  if (is.null(sign)) {
    return(fisher(p))
  }
  check_beside_p(sign, "sign", p)
  min(1, 2 * min(fisher_directions(p, sign)))
}

fisher <- function(p) stats::pchisq(-2 * sum(log(p)), 2 * length(p), lower.tail = FALSE)

# One-sided p-values of folds, combined in both directions. Both can be small if folds differ
# significantly in opposite directions.
fisher_directions <- function(p, sign) {
  greater <- ifelse(sign > 0, p / 2, ifelse(sign < 0, 1 - p / 2, 0.5))
  c(greater = fisher(greater), less = fisher(1 - greater))
}

#' @rdname fisher_combine
#' @export
stouffer_combine <- function(p, sign, weight = rep(1, length(p))) {
  check_all_given()
  check_p_values(p)
  check_beside_p(sign, "sign", p)
  check_beside_p(weight, "weight", p)
  if (any(weight < 0) || all(weight == 0)) {
    stop_input("argument", "`weight` must not be negative, nor 0 in every test.")
  }
  z <- base::sign(sign) * stats::qnorm(p / 2, lower.tail = FALSE)
  # Avoids the NaN of Inf * 0, for a sign of 0 or a p-value of 1.
  z[sign == 0] <- 0
  sum <- sum((weight * z)[weight > 0])
  if (is.nan(sum)) {
    return(1)
  }
  2 * stats::pnorm(-abs(sum) / sqrt(sum(weight^2)))
}

check_p_values <- function(p, call = rlang::caller_env()) {
  if (!is_plain_number(p) || length(p) == 0L) {
    stop_input("argument", sprintf("`p` must be numbers in [0, 1], not %s.", show_value(p)),
               call = call)
  }
  bad <- which(is.na(p) | p < 0 | p > 1)[1L]
  if (!is.na(bad)) {
    stop_input("argument", "`p` must be numbers in [0, 1].",
               sprintf("Number %d is %s.", bad, plain_number(p[bad])),
               "If a test is not possible, use the p-value 1.", call = call)
  }
}

check_beside_p <- function(x, name, p, call = rlang::caller_env()) {
  if (!is_plain_number(x) || length(x) != length(p) || !all(is.finite(x))) {
    stop_input("argument",
               sprintf("`%s` must be one number per p-value: %d numbers, not %s.", name,
                       length(p), show_value(x)), call = call)
  }
}
