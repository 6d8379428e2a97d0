#' Class-probability calibration by a sigmoid
#'
#' @param target The target that is minimised: `"log_sigmoid"`.
#'
#' @details
#' \deqn{s(f) = \frac{1}{1 + e^{-a (f - b)}}, \quad
#'   p_l(x) = \frac{s(f_l(x))}{\sum_m s(f_m(x))}}{
#'   s(f) = 1 / (1 + exp(-a (f - b))),  p_l(x) = s(f_l(x)) / sum_m s(f_m(x))}
#' The log-sigmoid target is \eqn{L(a, b) = -\sum_i \log p_{l_i}(x_i)} over the
#' documents i of the held-out data with grades \eqn{l_i}, weighted by the weights of
#' their queries if there are any. It is not convex in
#' (a, b): it is minimised by [stats::nlminb()] with its gradient from several
#' fixed starts, and the best is kept. With R a bound of the discriminants, a R
#' is held between e^-10 and e^10 and b / R between -10 and 10. The score of a
#' document is \eqn{\sum_l (2^l - 1) p_l}, l = 0, 1, .... The sum over documents
#' is rounded, so that another order of the rows may change a and b in their last
#' digits. Cost: O(n K) for an evaluation of the target.
#'
#' @return A value of class `rankmix_calibrator`.
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013), equations 13
#'   and 15. \doi{10.1007/s10994-013-5360-9}
#' @examples
#' cpc("log_sigmoid")
#' @export
cpc <- function(target = "log_sigmoid") {
  check_choice(target, "target", "log_sigmoid")
  new_calibrator("cpc", target = target)
}

# (log a R, b / R) where the search starts: gentle to steep, and both sides.
cpc_starts <- list(c(0, 0), c(2, 0), c(4, 0), c(2, -0.5), c(2, 0.5))

#' @export
fit_calibrator.rankmix_cpc <- function(method, f, relevance, weight, range,
                                       threads) {
  scale <- if (range > 0) range else 1
  a_of <- function(theta) exp(theta[1L]) / scale
  b_of <- function(theta) theta[2L] * scale
  # nlminb() asks for the gradient where it just asked for the value.
  last <- new.env()
  target <- function(theta) {
    if (!identical(theta, last$theta)) {
      last$theta <- theta
      last$value <- log_sigmoid_target(f, relevance, as.double(weight), a_of(theta),
                                       b_of(theta), threads)
    }
    last$value
  }
  objective <- function(theta) target(theta)[["value"]]
  gradient <- function(theta) {
    slope <- target(theta)
    c(slope[["da"]] * a_of(theta), slope[["db"]] * scale)
  }
  runs <- lapply(cpc_starts, stats::nlminb, objective = objective,
                 gradient = gradient, lower = c(-10, -10), upper = c(10, 10))
  best <- runs[[which.min(vapply(runs, `[[`, numeric(1), "objective"))]]
  new_fitted(method, a = a_of(best$par), b = b_of(best$par),
             value = best$objective, converged = best$convergence == 0L)
}

#' @export
calibrated_probabilities.rankmix_fitted_cpc <- function(fitted, f, threads) {
  sigmoid_probabilities(f, fitted$a, fitted$b, threads)
}
