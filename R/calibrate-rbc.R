#' Regression-based calibration
#'
#' @param model The regression: `"linear"`, `"logistic"`, `"polynomial"`, `"network"` or
#'   `"gaussian_process"`.
#' @param degree Degree of the `"polynomial"`, 2 to 5.
#' @param normalize Whether gains are divided by the ideal DCG of their query.
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
#' * network: five logistic units and a linear one ([nnet::nnet()], weight decay 0.001, 200
#'   steps at most) on
#'   standardised discriminants, from fixed starting weights, on at most 20,000 documents.
#' * gaussian_process: the mean given the data, with a constant prior mean and the
#'   covariance \eqn{s^2 e^{-|x - x'|^2 / (2 \ell^2)}}{s^2 exp(-|x - x'|^2 / (2 l^2))} of
#'   standardised discriminants, and independent noise. Length \eqn{\ell}{l}, \eqn{s^2} and
#'   noise have the largest likelihood on 256 documents, the length being at least 0.5. Up to
#'   2000 documents it is exact; beyond, it is the regression on the kernels of at most 256
#'   of them (subset of regressors), chosen one after the other where the variance that the
#'   others leave is largest.
#'
#' Samples of documents are taken regularly from the documents sorted by discriminants and
#' grade. Another order of the rows may change the scores in their last digits. Cost: O(n K^2)
#' for linear, O(n m^2) for m monomials or kernels.
#'
#' @return A value of class `rankmix_calibrator`.
#' @section Conditions: `rankmix_error_argument`, when fitted: more than 2000 monomials.
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013), equations 20 and 21.
#'   \doi{10.1007/s10994-013-5360-9}
#'
#'   Busa-Fekete, Kegl, Elteto and Szarvas (2011). Ranking by calibrated AdaBoost, section
#'   2.3.
#' @examples
#' rbc("linear")
#' rbc("polynomial", degree = 3, normalize = TRUE)
#' @export
rbc <- function(model = "linear", degree = 2, normalize = FALSE) {
  check_choice(model, "model", names(rbc_models))
  check_count(degree, "degree", min = 2, max = 5)
  check_flag(normalize, "normalize")
  new_calibrator("rbc", model = model, degree = if (model == "polynomial") degree,
                 normalize = if (normalize) TRUE)
}

# A regression is a function fit(f, z, weight, method, threads), weights empty where all
# are 1, that gives a list, and one scores(fit, f, threads).
rbc_models <- list(
  linear = list(
    fit = function(f, z, weight, method, threads) {
      root <- if (length(weight) == 0L) 1 else sqrt(weight)
      beta <- qr.coef(qr(cbind(1, f) * root), z * root)
      beta[is.na(beta)] <- 0
      list(beta = unname(beta))
    },
    scores = function(fit, f, threads) {
      fit$beta[1L] + weighted_columns(f, fit$beta[-1L])
    }
  ),
  logistic = list(
    fit = function(f, z, weight, method, threads) fit_logistic(f, z, weight),
    scores = function(fit, f, threads) {
      fit$largest * stats::plogis(fit$beta[1L] + weighted_columns(f, fit$beta[-1L]))
    }
  ),
  polynomial = list(
    fit = function(f, z, weight, method, threads) {
      fit_polynomial(f, z, weight, method$degree, threads)
    },
    scores = function(fit, f, threads) {
      regression_values(fit$basis, f, fit$coefficients, threads)
    }
  ),
  network = list(
    fit = function(f, z, weight, method, threads) fit_network(f, z, weight),
    scores = function(fit, f, threads) network_values(fit, f)
  ),
  gaussian_process = list(
    fit = function(f, z, weight, method, threads) {
      fit_gaussian_process(f, z, weight, threads)
    },
    scores = function(fit, f, threads) {
      fit$mean + regression_values(fit$basis, f, fit$coefficients, threads)
    }
  )
)

#' @export
fit_calibrator.rankmix_rbc <- function(method, f, held, range, threads) {
  z <- regression_gains(method, held)
  fit <- rbc_models[[method$model]]$fit(f, z, held$weight, method, threads)
  do.call(new_fitted, c(list(method), fit))
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

#' @export
calibrated_scores.rankmix_fitted_rbc <- function(fitted, f, threads) {
  rbc_models[[fitted$method$model]]$scores(fitted, f, threads)
}

fit_logistic <- function(f, z, weight) {
  largest <- max(z)
  if (largest == 0) {
    return(list(largest = 0, beta = numeric(ncol(f) + 1L)))
  }
  # It warns of fitted values of 0 or 1, which are what they should be.
  fit <- suppressWarnings(stats::glm.fit(
    cbind(1, f), z / largest, if (length(weight) > 0L) weight else rep(1, length(z)),
    family = stats::quasibinomial()
  ))
  beta <- fit$coefficients
  beta[is.na(beta)] <- 0
  list(largest = largest, beta = unname(beta), converged = fit$converged)
}

most_monomials <- 2000

fit_polynomial <- function(f, z, weight, degree, threads) {
  count <- choose(ncol(f) + degree, degree)
  if (count > most_monomials) {
    stop_input("argument",
               sprintf("A polynomial of degree %d of %d discriminants has %s monomials.",
                       as.integer(degree), ncol(f), plain_number(count)),
               sprintf("At most %d are fitted.", most_monomials),
               "Lower `degree`, or group grades by `grouping`.", call = NULL)
  }
  basis <- list(lower = apply(f, 2L, min), upper = apply(f, 2L, max), degree = degree)
  equations <- regression_equations(basis, f, z, weight, threads)
  list(basis = basis, coefficients = solve_equations(equations$gram, equations$right))
}

# Symmetric and not negative. Functions that are 0 everywhere get the coefficient 0.
solve_equations <- function(gram, right) {
  size <- sqrt(diag(gram))
  size[size == 0] <- 1
  scaled <- gram / outer(size, size)
  diag(scaled) <- 1
  if (rcond(scaled) < 1e-10) {
    diag(scaled) <- 1 + 1e-8
  }
  root <- chol(scaled)
  drop(backsolve(root, backsolve(root, right / size, transpose = TRUE))) / size
}

# Center and inverse standard deviation of each discriminant; constant ones count nothing.
standard_scale <- function(f) {
  center <- colMeans(f)
  spread <- apply(f, 2L, stats::sd)
  list(center = center, factor = ifelse(is.finite(spread) & spread > 0, 1 / spread, 0))
}

standardise <- function(f, scale) {
  (f - rep(scale$center, each = nrow(f))) * rep(scale$factor, each = nrow(f))
}

# Every so many rows of the sorted ones, at most `most`: the same documents, in the same
# order, for any order of the rows.
regular_sample <- function(f, z, most) {
  keys <- c(lapply(seq_len(ncol(f)), function(l) f[, l]), list(z))
  sorted <- do.call(order, c(keys, list(method = "radix")))
  if (nrow(f) <= most) sorted else sorted[round(seq(1, nrow(f), length.out = most))]
}
