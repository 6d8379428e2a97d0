#' Class-probability calibration by a sigmoid
#'
#' Specifies a calibrator with two parameters, which gives grade probabilities.
#'
#' @param target The target to minimise: `"log_sigmoid"` (the default), `"entropy_weighted"`,
#'   `"expected_loss"`, `"expected_label_loss"` or `"soft_ndcg"`. See Details.
#' @param exponent The exponent C of `"entropy_weighted"`, from 0 to 10; default 2. 0 gives `"log_sigmoid"`.
#' @param sigma The width \eqn{\sigma} of `"soft_ndcg"`; default 0.01. Smaller values are closer to NDCG
#'   and harder to optimise.
#'
#' @details
#' \deqn{s(f) = \frac{1}{1 + e^{-a (f - b)}}, \quad
#'   p_l(x) = \frac{s(f_l(x))}{\sum_m s(f_m(x))}}{
#'   s(f) = 1 / (1 + exp(-a (f - b))),  p_l(x) = s(f_l(x)) / sum_m s(f_m(x))}
#' The parameters (a, b), a > 0, minimise a target over the documents i of the validation data, with
#' grades \eqn{l_i}, weighted by query weights if there are any:
#'
#' * log-sigmoid (15): \eqn{-\sum_i \log p_{l_i}(x_i)}{- sum_i log p_li(x_i)}
#' * entropy-weighted log-sigmoid (16): \eqn{-\sum_i \log p_{l_i}(x_i) H(p(x_i))^C}{
#'   - sum_i log p_li(x_i) H(p(x_i))^C} with \eqn{H(p) = -\sum_l p_l \log p_l}{
#'   H(p) = - sum_l p_l log p_l}
#' * expected loss (17): \eqn{\sum_i \sum_l (l - l_i)^2 p_l(x_i)}{
#'   sum_i sum_l (l - l_i)^2 p_l(x_i)}
#' * expected label loss (18): \eqn{\sum_i (\sum_l l p_l(x_i) - l_i)^2}{
#'   sum_i (sum_l l p_l(x_i) - l_i)^2}
#' * soft NDCG (19): \eqn{-\sum_k \frac{1}{\mathrm{IDCG}_k} \sum_r
#'   \frac{1}{\log_2 (1 + r)} \sum_i (2^{l_i} - 1) h(x_{j_r}, x_i)}{
#'   - sum_k 1 / IDCG_k sum_r 1 / log2(1 + r) sum_i (2^l_i - 1) h(x_jr, x_i)} over the
#'   queries k that have relevant documents. \eqn{j_1, j_2, \ldots} are the documents of a query sorted
#'   by the scores v. \eqn{h(x, x') \propto e^{-(v(x) - v(x'))^2 / \sigma}}{
#'   h(x, x') proportional to exp(-(v(x) - v(x'))^2 / sigma)} sums to 1 over the
#'   documents x' of the query. IDCG has no cut-off.
#'
#' The score of a document is \eqn{v = \sum_l (2^l - 1) p_l}, l = 0, 1, ....
#'
#' No target is convex in (a, b). So each target is first evaluated on a grid, on a sample of about 1,000
#' documents. BFGS then starts from the three best local minima of the grid, within bounds, on about 4,000
#' documents. The soft NDCG has many small local minima, so its search starts from the four best points of a finer grid.
#' The best minimum is then refined on all documents. With m and s the mean and the standard deviation of all
#' discriminants, a s is bounded by \eqn{e^{-6}} and \eqn{e^6}, and (b - m) / s by -10 and 10. The result is
#' invariant to row order. Cost of an evaluation: O(n K). The soft NDCG adds O(m r) for a query of m documents,
#' of which r have scores close to another document's score.
#'
#' @return A value of class `rankmix_calibrator`.
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013), equations 13
#'   and 15 to 19. \doi{10.1007/s10994-013-5360-9}
#' @examples
#' calibrator_cpc("log_sigmoid")
#' calibrator_cpc("soft_ndcg", sigma = 0.05)
#' @export
calibrator_cpc <- function(target = "log_sigmoid", exponent = 2, sigma = 0.01) {
  check_choice(target, "target", cpc_targets)
  check_number(exponent, "exponent", 0, 10)
  check_number(sigma, "sigma", 1e-6, 1e6)
  new_calibrator("cpc", target = target,
                 exponent = if (target == "entropy_weighted") exponent,
                 sigma = if (target == "soft_ndcg") sigma)
}

cpc_targets <- c("log_sigmoid", "entropy_weighted", "expected_loss", "expected_label_loss",
                 "soft_ndcg")

#' @export
calibrated_probabilities.rankmix_fitted_cpc <- function(fitted, f, threads) {
  sigmoid_probabilities(f, fitted$a, fitted$b, threads)
}
