#' Regression-based calibration
#'
#' @param model The regression: `"linear"`.
#'
#' @details
#' The gain \eqn{z = 2^l - 1} of a document is regressed on its discriminants,
#' \eqn{\hat z(x) = \beta_0 + \sum_l \beta_l f_l(x)}, by least squares over the
#' held-out documents, weighted by the weights of their queries if there are any. Discriminants that are linear combinations of others get
#' the coefficient 0. Another order of the rows may change the coefficients in
#' their last digits. The score of a document is \eqn{\hat z(x)}. Cost:
#' O(n K^2).
#'
#' @return A value of class `rankmix_calibrator`.
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013), equation 20.
#'   \doi{10.1007/s10994-013-5360-9}
#' @examples
#' rbc("linear")
#' @export
rbc <- function(model = "linear") {
  check_choice(model, "model", "linear")
  new_calibrator("rbc", model = model)
}

#' @export
fit_calibrator.rankmix_rbc <- function(method, f, relevance, weight, range,
                                       threads) {
  root <- if (is.null(weight)) 1 else sqrt(weight)
  beta <- qr.coef(qr(cbind(1, f) * root), exponential_gain(relevance) * root)
  beta[is.na(beta)] <- 0
  new_fitted(method, beta = unname(beta))
}

#' @export
calibrated_scores.rankmix_fitted_rbc <- function(fitted, f, threads) {
  fitted$beta[1L] + weighted_columns(f, fitted$beta[-1L])
}
