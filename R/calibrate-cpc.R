#' Class-probability calibration by a sigmoid
#'
#' @param target The target that is minimised: `"log_sigmoid"`, `"entropy_weighted"`,
#'   `"expected_loss"`, `"expected_label_loss"` or `"soft_ndcg"`, see Details.
#' @param exponent C of `"entropy_weighted"`, from 0 to 10; 0 gives `"log_sigmoid"`.
#' @param sigma The width \eqn{\sigma} of `"soft_ndcg"`: smaller is closer to NDCG, and
#'   harder to optimise.
#'
#' @details
#' \deqn{s(f) = \frac{1}{1 + e^{-a (f - b)}}, \quad
#'   p_l(x) = \frac{s(f_l(x))}{\sum_m s(f_m(x))}}{
#'   s(f) = 1 / (1 + exp(-a (f - b))),  p_l(x) = s(f_l(x)) / sum_m s(f_m(x))}
#' (a, b), a > 0, minimise a target over the documents i of the held-out data, with grades
#' \eqn{l_i}, each weighted by the weight of its query if there are any:
#'
#' * log-sigmoid (15): \eqn{-\sum_i \log p_{l_i}(x_i)}{- sum_i log p_li(x_i)}
#' * entropy-weighted log-sigmoid (16): \eqn{-\sum_i \log p_{l_i}(x_i) H(p(x_i))^C}{
#'   - sum_i log p_li(x_i) H(p(x_i))^C} with \eqn{H(p) = -\sum_l p_l \log p_l}{
#'   H(p) = - sum_l p_l log p_l}
#' * expected loss (17): \eqn{\sum_i \sum_l (l - l_i)^2 p_l(x_i)}{
#'   sum_i sum_l (l - l_i)^2 p_l(x_i)}
#' * expected label loss (18): \eqn{\sum_i (\sum_l l p_l(x_i) - l_i)^2}{
#'   sum_i (sum_l l p_l(x_i) - l_i)^2}
#' * soft NDCG (19): with the scores v, the documents of a query sorted by them,
#'   \eqn{j_1, j_2, \ldots}, and \eqn{h(x, x') \propto e^{-(v(x) - v(x'))^2 / \sigma}}{
#'   h(x, x') proportional to exp(-(v(x) - v(x'))^2 / sigma)}, which sums to 1 over the
#'   documents x' of the query, \eqn{-\sum_k \frac{1}{\mathrm{IDCG}_k} \sum_r
#'   \frac{1}{\log_2 (1 + r)} \sum_i (2^{l_i} - 1) h(x_{j_r}, x_i)}{
#'   - sum_k 1 / IDCG_k sum_r 1 / log2(1 + r) sum_i (2^l_i - 1) h(x_jr, x_i)} over the
#'   queries k that have relevant documents. IDCG has no cut-off.
#'
#' None is convex in (a, b): each is looked at on a grid, on about 4,000 documents of
#' every so many queries where there are more, and minimised by [stats::nlminb()] with its
#' gradient, on all documents, from the three best places of the grid that are lower than
#' those around them; the soft NDCG, which has many small dents, from the four best of a
#' finer grid around the best places. With m and s the mean and the standard deviation of all
#' discriminants, a s is held between \eqn{e^{-6}} and \eqn{e^6} and (b - m) / s between
#' -10 and 10. The score of a
#' document is \eqn{v = \sum_l (2^l - 1) p_l}, l = 0, 1, .... Sums over documents
#' are rounded, so that another order of the rows may change a and b in their last
#' digits. Cost: O(n K) for an evaluation of a target, and O(m^2) of a query of m documents
#' for the soft NDCG.
#'
#' @return A value of class `rankmix_calibrator`.
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013), equations 13
#'   and 15 to 19. \doi{10.1007/s10994-013-5360-9}
#' @examples
#' cpc("log_sigmoid")
#' cpc("soft_ndcg", sigma = 0.05)
#' @export
cpc <- function(target = "log_sigmoid", exponent = 2, sigma = 0.01) {
  check_choice(target, "target", names(cpc_targets))
  check_number(exponent, "exponent", 0, 10)
  check_number(sigma, "sigma", 1e-6, 1e6)
  new_calibrator("cpc", target = target,
                 exponent = if (target == "entropy_weighted") exponent,
                 sigma = if (target == "soft_ndcg") sigma)
}

# The value and the derivatives of each target at (a, b).
cpc_targets <- local({
  by_document <- function(name) {
    function(method, f, held, a, b, threads) {
      exponent <- if (is.null(method$exponent)) 0 else method$exponent
      sigmoid_target(name, exponent, f, held$relevance, held$weight, a, b, threads)
    }
  }
  names <- c("log_sigmoid", "entropy_weighted", "expected_loss", "expected_label_loss")
  targets <- lapply(names, by_document)
  names(targets) <- names
  targets$soft_ndcg <- function(method, f, held, a, b, threads) {
    soft_ndcg_target(method$sigma, f, held$relevance, held$weight, held$order,
                     held$offsets, held$ideal, a, b, threads)
  }
  targets
})

cpc_limits <- list(lower = c(-6, -10), upper = c(6, 10))
# (log a s, (b - m) / s) where the search looks first.
cpc_grid <- list(steepness = seq(-4, 5, 0.75), shift = seq(-3, 3, 0.5))
cpc_fine <- list(steepness = seq(-0.5, 0.5, 0.25), shift = seq(-0.5, 0.5, 0.125))

#' @export
fit_calibrator.rankmix_cpc <- function(method, f, held, range, threads) {
  center <- mean(f)
  scale <- stats::sd(f)
  if (!is.finite(scale) || scale == 0) {
    scale <- 1
  }
  a_of <- function(theta) exp(theta[1L]) / scale
  b_of <- function(theta) center + theta[2L] * scale
  target_on <- function(part) {
    function(theta) {
      cpc_targets[[method$target]](method, part$f, part$held, a_of(theta), b_of(theta),
                                   threads)
    }
  }
  starts <- cpc_starts(target_on(thin_held_out(held, f, 4096)),
                       several_dips = method$target == "soft_ndcg")
  target <- remember_last(target_on(list(f = f, held = held)))
  objective <- function(theta) target(theta)[["value"]]
  gradient <- function(theta) {
    slope <- target(theta)
    c(slope[["da"]] * a_of(theta), slope[["db"]] * scale)
  }
  runs <- lapply(starts, stats::nlminb, objective = objective, gradient = gradient,
                 lower = cpc_limits$lower, upper = cpc_limits$upper)
  best <- runs[[which.min(vapply(runs, `[[`, numeric(1), "objective"))]]
  new_fitted(method, a = a_of(best$par), b = b_of(best$par),
             value = best$objective, converged = best$convergence == 0L)
}

# nlminb() asks for the gradient where it just asked for the value.
remember_last <- function(target) {
  last <- new.env()
  function(theta) {
    if (!identical(theta, last$theta)) {
      last$theta <- theta
      last$value <- target(theta)
    }
    last$value
  }
}

# The places of the grid that are as low as those around them, the three best. The soft NDCG
# has small dips: around its best places the grid is finer.
cpc_starts <- function(target, several_dips) {
  value_at <- function(grid) apply(grid, 1L, function(theta) target(theta)[["value"]])
  grid <- expand.grid(cpc_grid)
  values <- value_at(grid)
  if (several_dips) {
    fine <- lapply(utils::head(order(values), 8L), function(i) {
      expand.grid(steepness = grid$steepness[i] + cpc_fine$steepness,
                  shift = grid$shift[i] + cpc_fine$shift)
    })
    fine <- unique(do.call(rbind, fine))
    lowest <- utils::head(order(value_at(fine)), 4L)
    return(lapply(lowest, function(i) as.numeric(fine[i, ])))
  }
  values <- matrix(values, length(cpc_grid$steepness))
  around <- function(i, j) {
    values[max(1L, i - 1L):min(nrow(values), i + 1L),
           max(1L, j - 1L):min(ncol(values), j + 1L)]
  }
  lowest <- mapply(function(i, j) values[i, j] <= min(around(i, j)),
                   as.vector(row(values)), as.vector(col(values)))
  chosen <- which(lowest)
  chosen <- utils::head(chosen[order(values[chosen])], 3L)
  lapply(chosen, function(i) as.numeric(grid[i, ]))
}

#' @export
calibrated_probabilities.rankmix_fitted_cpc <- function(fitted, f, threads) {
  sigmoid_probabilities(f, fitted$a, fitted$b, threads)
}
