#' Naive calibration
#'
#' Specifies a calibrator that shifts discriminants to positive values and scales them to sum 1. Nothing is
#' fitted.
#'
#' @param score The quantity that is averaged under the probabilities: `"gain"` (the default),
#'   \eqn{2^l - 1}, or `"grade"`, l.
#'
#' @details
#' \deqn{f'_l = 1 + f_l / R, \quad p_l = f'_l / \sum_m f'_m}{
#'   f'_l = 1 + f_l / R,  p_l = f'_l / sum_m f'_m}
#' R is a bound of the discriminants. For AdaBoost.MH, R is the sum of the weights \eqn{\alpha_t} of the rounds.
#' For [mcsvm()], R is the largest magnitude on the training data. For a matrix of discriminants, R is the
#' largest magnitude on the calibration data. New values beyond the bound are clipped to it. If all \eqn{f'_l}
#' are 0 or R is 0, the probabilities are equal.
#'
#' The score of a document is \eqn{\sum_l (2^l - 1) p_l}{sum_l (2^l - 1) p_l}, l = 0, 1, ..., as in the
#' paper of 2013. With `score = "grade"` the score is \eqn{\sum_l l p_l}{sum_l l p_l}, the uncalibrated score of
#' 2011 (minus 1, because grades start at 1 there). The two scores can rank differently for three grades or
#' more. For two grades they are equal.
#'
#' @return A value of class `rankmix_calibrator`.
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013), equation 12.
#'   \doi{10.1007/s10994-013-5360-9}
#'
#'   Busa-Fekete, Kegl, Elteto and Szarvas (2011). Ranking by calibrated AdaBoost, equation 1.
#' @examples
#' calibrator_naive()
#' calibrator_naive(score = "grade")
#' @export
calibrator_naive <- function(score = "gain") {
  check_choice(score, "score", c("gain", "grade"))
  new_calibrator("naive", score = if (score != "gain") score)
}

#' @export
calibrated_probabilities.rankmix_fitted_naive <- function(fitted, f, threads) {
  naive_probabilities(f, fitted$range)
}

naive_probabilities <- function(f, range) {
  positive <- if (range > 0) 1 + clip(f / range, 1) else f * 0
  sums <- rowSums(positive)
  none <- sums == 0
  if (any(none, na.rm = TRUE)) {
    positive[none, ] <- 1
    sums[none] <- ncol(f)
  }
  positive / sums
}

# Clips x to [-bound, bound]. For the few documents of a query, this is several times as fast as pmin() and
# pmax().
clip <- function(x, bound) {
  x[x > bound] <- bound
  x[x < -bound] <- -bound
  x
}

# The expected gain under naive probabilities, in one pass of the core. The result has the same bits as the sum
# of the probabilities times the gains.
naive_scores <- function(f, range) {
  naive_gains(f, range, gains_of_grades(ncol(f)))
}

# The tolerance allows for rounding of f.
warn_range <- function(fitted, f) {
  beyond <- sum(abs(f) > fitted$range * (1 + 1e-9))
  if (is.null(fitted$range) || beyond == 0L) {
    return(invisible())
  }
  warn_input("range",
             sprintf("%s of %s discriminants are beyond the bound %s and were clipped to it.",
                     plain_number(beyond), plain_number(length(f)),
                     number_text(fitted$range, digits = 4)),
             remedy = "Are the new data like the old? `calibrator_cpc()` and `calibrator_rbc()` need no bound.")
}
