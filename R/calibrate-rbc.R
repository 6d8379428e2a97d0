#' Regression-based calibration
#'
#' Specifies a calibrator that regresses the gain of a document on its discriminants. The result is a
#' score, not a probability.
#'
#' @param model The regression: `"linear"` (the default), `"logistic"`, `"polynomial"`, `"network"`,
#'   `"gaussian_process"` or `"isotonic"`.
#' @param degree The degree of the `"polynomial"`, 2 (the default) to 5.
#' @param normalize Whether gains are divided by the ideal DCG of their query; default `FALSE`.
#' @param weight_decay The weight decay of the `"network"`: the factor of the sum of squared weights, 0 or
#'   more; default 1. Larger values regularize more.
#'
#' @details
#' The gain \eqn{z = 2^l - 1} of a document is regressed on its discriminants \eqn{f_l(x)} over the validation
#' documents, weighted if there are weights. Whole weights count as copies, other weights are scaled to the
#' mean 1. For a ranker in a [mixture()] that is not a classifier, the score takes the place of the
#' discriminants. The score of a document is the value of the regression. With `normalize` the gain is
#' \eqn{z / \mathrm{IDCG}_k}{z / IDCG_k}, with the IDCG of the document's query without a cut-off, and 0 if the
#' IDCG is 0. Least squares regression is then consistent with NDCG.
#'
#' * linear: least squares. Discriminants that are linear combinations of others get the
#'   coefficient 0.
#' * logistic: \eqn{z_{max} / (1 + e^{-\beta_0 - \sum_l \beta_l f_l})}{
#'   z_max / (1 + exp(-beta_0 - sum_l beta_l f_l))}, \eqn{z_{max}}{z_max} the largest gain,
#'   by quasi-likelihood.
#' * polynomial: least squares on all monomials of the discriminants up to `degree`, at most
#'   2000. Discriminants are clipped to their ranges in the validation data, because polynomials do not
#'   extrapolate. Ill-conditioned equations (a reciprocal condition number below 1e-10 after
#'   scaling) get a ridge of 1e-8.
#' * network: five logistic units and a linear output on standardised discriminants. The network minimises the sum
#'   of squares, with gains divided by the largest gain, plus `weight_decay` times the sum of all squared
#'   weights. The method of Levenberg and Marquardt starts from fixed weights. Fitting stops if a step
#'   reduces the sum by less than the fraction 1e-5, or after 50 steps. At most 8192 documents are used.
#' * gaussian_process: the posterior mean with a constant prior mean, the
#'   covariance \eqn{s^2 e^{-|x - x'|^2 / (2 \ell^2)}}{s^2 exp(-|x - x'|^2 / (2 l^2))} of
#'   standardised discriminants, and independent noise. Length \eqn{\ell}{l}, \eqn{s^2} and
#'   noise maximise the likelihood on 256 documents; the search starts at length 2 and stays within 0.5 and
#'   100. The regression uses the kernels of up to 256 of at most 4096 documents. These documents are chosen greedily,
#'   by the largest remaining variance. The choice ends early if no document has more than 1e-8 of its
#'   variance left. `left` of the fitted calibrator is the largest fraction of variance that a document has left.
#' * isotonic: the nondecreasing function of one score with the least weighted squares, linear between documents
#'   and constant outside of their range. For a classifier the score is its expected gain under the probabilities
#'   of [calibrator_naive()].
#'
#' Documents are sorted by discriminants and grade before a systematic sample is taken. So the result is
#' invariant to row order. Cost: O(n K^2) for linear, O(n m^2) for m monomials or kernels, O(n log n) for
#' isotonic.
#'
#' @return A value of class `rankmix_calibrator`.
#' @section Conditions: `rankmix_error_argument`, when fitted: more than 2000 monomials.
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013), equations 20 and 21.
#'   \doi{10.1007/s10994-013-5360-9}
#'
#'   Busa-Fekete, Kegl, Elteto and Szarvas (2011). Ranking by calibrated AdaBoost, section
#'   2.3.
#'
#'   Zadrozny and Elkan (2002). Transforming classifier scores into accurate multiclass
#'   probability estimates (isotonic). \doi{10.1145/775047.775151}
#' @examples
#' calibrator_rbc("linear")
#' calibrator_rbc("polynomial", degree = 3, normalize = TRUE)
#' @export
calibrator_rbc <- function(model = "linear", degree = 2, normalize = FALSE, weight_decay = 1) {
  check_choice(model, "model", rbc_models)
  check_count(degree, "degree", min = 2, max = 5)
  check_flag(normalize, "normalize")
  check_number(weight_decay, "weight_decay", min = 0, max = 1e6)
  new_calibrator("rbc", model = model, degree = if (model == "polynomial") degree,
                 normalize = if (normalize) TRUE,
                 weight_decay = if (model == "network" && weight_decay != 1) weight_decay)
}

rbc_models <- c("linear", "logistic", "polynomial", "network", "gaussian_process", "isotonic")

max_monomials <- 2000

# Number of monomials that a calibrator fits to this number of discriminants; 0 for other regressions.
monomials_of <- function(method, discriminants) {
  if (!identical(method$model, "polynomial")) {
    return(0)
  }
  choose(discriminants + method$degree, method$degree)
}

check_monomials <- function(method, discriminants, call = NULL) {
  count <- monomials_of(method, discriminants)
  if (count > max_monomials) {
    stop_input("argument",
               sprintf("A polynomial of degree %d of %d discriminants has %s monomials.",
                       as.integer(method$degree), discriminants, plain_number(count)),
               sprintf("At most %d are fitted.", max_monomials),
               "Lower `degree`, or group grades by `grouping`.", call = call)
  }
}

# The gains that the regression fits.
regression_gains <- function(method, held) {
  z <- exponential_gain(held$relevance)
  if (!isTRUE(method$normalize)) {
    return(z)
  }
  ideal <- held$ideal[held$query]
  ifelse(ideal > 0, z / ideal, 0)
}
