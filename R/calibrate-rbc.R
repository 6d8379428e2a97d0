#' Regression-based calibration
#'
#' @param model The regression: `"linear"`, `"logistic"`, `"polynomial"`, `"network"`,
#'   `"gaussian_process"` or `"isotonic"`.
#' @param degree Degree of the `"polynomial"`, 2 to 5.
#' @param normalize Whether gains are divided by the ideal DCG of their query.
#' @param weight_decay Weight weight_decay of the `"network"`, 0 or more.
#'
#' @details
#' The gain \eqn{z = 2^l - 1} of a document is regressed on its discriminants
#' \eqn{f_l(x)} over the
#' held-out documents (on the one score of a ranker that is no classifier, in a [mixture()]),
#' weighted by the weights of their queries if there are any; the score of a document is the
#' value of the regression. With `normalize` the gain is \eqn{z /
#' \mathrm{IDCG}_k}{z / IDCG_k}, IDCG of the document's query without a cut-off, and 0 where
#' that is 0: least squares is then consistent with NDCG.
#'
#' * linear: least squares. Discriminants that are linear combinations of others get the
#'   coefficient 0.
#' * logistic: \eqn{z_{max} / (1 + e^{-\beta_0 - \sum_l \beta_l f_l})}{
#'   z_max / (1 + exp(-beta_0 - sum_l beta_l f_l))}, \eqn{z_{max}}{z_max} the largest gain,
#'   by quasi-likelihood.
#' * polynomial: least squares on all monomials of the discriminants up to `degree`, at most
#'   2000 of them. Discriminants are clipped to their ranges in the held-out
#'   data, beyond which a polynomial means nothing. Where the equations are ill-conditioned
#'   (a reciprocal condition number below 1e-10, of functions scaled to one size), a ridge of
#'   1e-8 is added to them.
#' * network: five logistic units and a linear one on standardised discriminants, which minimise
#'   the sum of squares (of gains divided by the largest) and `weight_decay` times the sum of the squares
#'   of all weights, by Levenberg and Marquardt's method from fixed starting weights, until a step
#'   gains less than 1e-5 of the sum, 50 steps at most, on at most 8192 documents.
#' * gaussian_process: the mean given the data, with a constant prior mean and the
#'   covariance \eqn{s^2 e^{-|x - x'|^2 / (2 \ell^2)}}{s^2 exp(-|x - x'|^2 / (2 l^2))} of
#'   standardised discriminants, and independent noise. Length \eqn{\ell}{l}, \eqn{s^2} and
#'   noise have the largest likelihood on 256 documents that is found from a length of 2, within
#'   0.5 and 100. It is the
#'   regression on the kernels of documents that are chosen one after the other where the
#'   variance that the others leave is largest, until no document (of at most 4096 that are
#'   looked at) keeps more than 1e-8 of its variance, or 256 are chosen; `left` of the
#'   fitted calibrator is the largest share that one keeps.
#' * isotonic: the nondecreasing function of one score with the least weighted squares, linear
#'   between documents and constant beyond them. Of a classifier the score is its expected gain
#'   under the probabilities of [calibrator_naive()].
#'
#' Samples of documents are taken regularly from the documents sorted by discriminants and
#' grade. The order of the rows makes no difference. Cost: O(n K^2) for linear, O(n m^2) for m
#' monomials or kernels, O(n log n) for isotonic.
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

most_monomials <- 2000

# How many a calibrator fits to so many discriminants; 0 of what is no polynomial.
monomials_of <- function(method, discriminants) {
  if (!identical(method$model, "polynomial")) {
    return(0)
  }
  choose(discriminants + method$degree, method$degree)
}

check_monomials <- function(method, discriminants, call = NULL) {
  count <- monomials_of(method, discriminants)
  if (count > most_monomials) {
    stop_input("argument",
               sprintf("A polynomial of degree %d of %d discriminants has %s monomials.",
                       as.integer(method$degree), discriminants, plain_number(count)),
               sprintf("At most %d are fitted.", most_monomials),
               "Lower `degree`, or group grades by `grouping`.", call = call)
  }
}

# What the regression is fitted to.
regression_gains <- function(method, held) {
  z <- exponential_gain(held$relevance)
  if (!isTRUE(method$normalize)) {
    return(z)
  }
  ideal <- held$ideal[held$query]
  ifelse(ideal > 0, z / ideal, 0)
}
