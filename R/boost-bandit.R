#' Search for splits by a bandit
#'
#' Specifies a faster search for [adaboost_mh()]: the search for a stump uses one feature instead of all
#' features. The adversarial bandit EXP3.P selects this feature. A round with [base_stump()] then costs a
#' few passes over the documents for any number of features. Features whose stumps had large edges are
#' selected more often.
#'
#' @param exploration The fraction of selections that are uniformly random over all features, in (0, 1]; default
#'   0.15.
#' @param eta The weight of the confidence bound, 0 or more; default 0.3. Larger values select rarely
#'   tried features more often.
#' @param horizon The number of selections for which the confidence bound is set; default 10000.
#' @param ... Must be empty.
#'
#' @details Feature j of M is selected with probability \eqn{p_j = (1 - g) w_j / \sum w
#'   + g / M}{p_j = (1 - g) w_j / sum w + g / M}, where g is `exploration`. The best stump on feature j has the
#'   normaliser Z, which is \eqn{\sqrt{1 - \gamma^2}}{sqrt(1 - gamma^2)} for the edge \eqn{\gamma}{gamma}. The reward
#'   of this stump is \eqn{r = \min(1, -\log Z)}{r = min(1, -log Z)}. Then \eqn{w_i}{w_i} is multiplied by
#'   \eqn{\exp(\tfrac{g}{3M} (\hat r_i + \eta / (p_i \sqrt{M T})))}{exp(g / (3 M) (r'_i + eta / (p_i sqrt(M T))))} for
#'   every feature i, where T is `horizon`, \eqn{\hat r_j = r / p_j}{r'_j = r / p_j}, and \eqn{\hat r_i}{r'_i} is 0
#'   for other features. A [base_tree()] selects a feature for each leaf that might be split, a [base_hamming_tree()]
#'   also selects a feature for its votes. A [base_product()] selects a feature each time it fits a stump. If a round
#'   has no edge, all features are searched.
#'
#' @return A value of class `rankmix_bandit`, for the argument `search` of [adaboost_mh()].
#' @references Auer, Cesa-Bianchi, Freund and Schapire (2002). The nonstochastic multiarmed
#'   bandit problem. \doi{10.1137/S0097539701398375}
#'
#'   Busa-Fekete and Kegl (2010). Fast boosting using adversarial bandits.
#' @examples
#' adaboost_mh(base_tree(8), search = search_bandit())
#' @export
search_bandit <- function(exploration = 0.15, eta = 0.3, horizon = 10000, ...) {
  check_no_others(...)
  check_number(exploration, "exploration", 0, 1, open_min = TRUE)
  check_number(eta, "eta", 0, Inf)
  check_number(horizon, "horizon", 1, Inf)
  structure(list(exploration = exploration, eta = eta, horizon = horizon),
            class = "rankmix_bandit")
}

#' @export
format.rankmix_bandit <- function(x, ...) {
  defaults <- formals(search_bandit)
  changed <- names(x)[vapply(names(x), function(name) x[[name]] != defaults[[name]], NA)]
  values <- vapply(changed, function(name) plain_number(x[[name]]), character(1))
  sprintf("search_bandit(%s)", paste(changed, "=", values, recycle0 = TRUE, collapse = ", "))
}

#' @export
print.rankmix_bandit <- function(x, ...) {
  say("<search> ", format(x))
  invisible(x)
}
