#' Does a ranker fail on queries where a baseline works?
#'
#' Computes how much rankers gain and lose against a baseline. A loss counts more than a gain. Use it if a new
#' ranker must not harm the users of some queries, even if its mean is higher.
#'
#' @param x The comparison, benchmark or evaluation of the rankers. Or a matrix, queries x rankers.
#' @param baseline The name of the ranker that users have now.
#' @param alpha The extra weights of losses, 0 or above; default 0, 1 and 5. Losses are multiplied by 1 +
#' `alpha`. With 0, `urisk` is the mean difference. Larger values punish losses more.
#' @param metric The names of the metrics; by default all.
#'
#' @return A value of class `rankmix_risk`. `tidy()` returns a data frame with a row for each metric, `alpha`
#'   and ranker:
#'   * `mean`: the mean of the ranker; `difference`: the mean minus the mean of the baseline;
#'   * `wins`, `losses`: fractions of the queries; `robustness`: `wins` - `losses`;
#'   * `urisk`: the mean difference to the baseline, with losses multiplied by 1 + `alpha`. A value below 0
#'     means that weighted losses exceed gains;
#'   * `trisk`: `urisk` divided by its standard error, with its two-sided p-value `p`;
#'   * `georisk`: a score of mean and risk together, against all rankers in `x`; larger is better;
#'   * `best`: whether the ranker may be the best, according to the comparison. `NA` for other values of `x`.
#'
#'   [autoplot.rankmix_risk()] draws means against `urisk`.
#' @examples
#' values <- cbind(bm25 = c(0.3, 0.5, 0.2, 0.6, 0.4, 0.3),
#'                 trees = c(0.4, 0.7, 0.3, 0.8, 0.2, 0.6),
#'                 ridge = c(0.4, 0.6, 0.2, 0.7, 0.4, 0.4))
#' risk(values, baseline = "bm25")
#'
#' @details
#' With the differences \eqn{d_q}{d_q} to the baseline on n queries, and \eqn{u_q = d_q}{u_q = d_q} for gains
#' and \eqn{u_q = (1 + \alpha) d_q}{u_q = (1 + alpha) d_q} for losses:
#' \deqn{URisk = \bar u, \quad TRisk = \bar u / (s_u / \sqrt n).}{URisk = mean(u), TRisk = mean(u) / (sd(u) /
#' sqrt(n)).}
#' `trisk` has n - 1 degrees of freedom. With folds and weights, its standard error and degrees of freedom are
#' as in [compare_rankers()]. For `alpha` above 0, the p-value tests the hypothesis that gains and weighted
#' losses cancel, not the hypothesis of no difference.
#'
#' GeoRisk of ranker i is \eqn{\sqrt{\bar v_i \Phi(Z_i / n)}}{sqrt(mean_i Phi(Z_i / n))}. \eqn{Z_i}{Z_i} is
#' the sum over queries of \eqn{z_{iq} = (v_{iq} - e_{iq}) / \sqrt{e_{iq}}}{z_iq = (v_iq - e_iq) /
#' sqrt(e_iq)}, where negative \eqn{z_{iq}}{z_iq} are multiplied by 1 + `alpha`. The expected value is \eqn{e_{iq} =
#' S_i T_q / N}{e_iq = S_i T_q / N}, with the sum \eqn{S_i}{S_i} of the ranker, the sum \eqn{T_q}{T_q} of the query,
#' and the sum N of all values. **GeoRisk depends on which other rankers are in `x`.** So compare values of GeoRisk
#' within one call only.
#'
#' **Ties and undefined cases.** Equal values are neither gain nor loss. The baseline has `urisk` 0 and no
#' `trisk`. `trisk` is `NA` with one query, or if all u are equal. `georisk` is `NA` if a value is negative,
#' and \eqn{z_{iq}}{z_iq} is 0 where \eqn{e_{iq}}{e_iq} is 0.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: an unknown baseline or metric; negative or missing values of `alpha`; one
#'   ranker.
#' * `rankmix_error_values`: missing or infinite values in a matrix.
#' @references Collins-Thompson et al. (2013), *TREC 2013 Web Track Overview*. Dincer, Macdonald and Ounis
#'   (2014), \doi{10.1145/2600428.2609625}. Dincer, Macdonald and Ounis (2016), \doi{10.1145/2911451.2911511}.
#' @seealso [query_report()] for the queries that lose.
#' @export
risk <- function(x, baseline, alpha = c(0, 1, 5), metric = NULL) {
  check_given(missing(x), "x", "Give a comparison, an evaluation, or a matrix of queries x rankers.")
  check_given(missing(baseline), "baseline", "Give the name of the ranker that users have now.")
  check_alpha(alpha)
  values <- values_by_metric(x, metric, "x", rlang::current_env())
  rankers <- colnames(values[[1L]]$values)
  check_baseline(baseline, rankers, rlang::current_env())
  rated <- if (inherits(x, "rankmix_comparison")) x$rankers
  rows <- lapply(stats::setNames(nm = names(values)), function(name) {
    own <- rated[rated$metric == name, ]
    rows <- risk_of_metric(values[[name]], baseline, unique(alpha))
    rows$best <- if (is.null(rated)) NA else own$best[match(rows$ranker, own$ranker)]
    rows
  })
  structure(list(values = bind_named(rows, "metric"), baseline = baseline, alpha = unique(alpha),
                 queries = nrow(values[[1L]]$values)), class = "rankmix_risk")
}

check_alpha <- function(alpha, call = rlang::caller_env()) {
  if (!is_plain_number(alpha) || length(alpha) == 0L || any(!is.finite(alpha) | alpha < 0)) {
    stop_input("argument", sprintf("`alpha` must be numbers of 0 or more, not %s.", show_value(alpha)),
               remedy = "A loss counts 1 + `alpha` times.", call = call)
  }
}

risk_of_metric <- function(paired, baseline, alpha) {
  rankers <- colnames(paired$values)
  means <- query_means(paired$values, as.double(paired$weight))
  weight <- if (is.null(paired$weight)) rep(1, nrow(paired$values)) else paired$weight
  rows <- lapply(alpha, function(one) {
    geo <- geo_risk(paired$values, weight, one)
    own <- Map(function(ranker, mean, geo) {
      d <- snapped_difference(paired$values[, ranker], paired$values[, baseline])
      wins <- sum(weight[d > 0]) / sum(weight)
      losses <- sum(weight[d < 0]) / sum(weight)
      data.frame(alpha = one, ranker = ranker, mean = mean, difference = query_means(cbind(d), weight),
                 wins = wins, losses = losses, robustness = wins - losses, risk_test(d, paired, one),
                 georisk = geo)
    }, rankers, means, geo)
    do.call(rbind, unname(own))
  })
  do.call(rbind, rows)
}

# URisk and TRisk of the differences d.
risk_test <- function(d, paired, alpha) {
  u <- ifelse(d < 0, (1 + alpha) * d, d)
  moments <- stratified_moments(u, paired$weight, paired$fold)
  flat <- has_no_spread(moments$mean, moments$se)
  data.frame(urisk = moments$mean, trisk = if (flat) NA_real_ else moments$mean / moments$se,
             p = if (all(d == 0)) NA_real_ else t_test_p(moments, length(d)))
}

# A weight counts copies of a query.
geo_risk <- function(values, weight, alpha) {
  n <- sum(weight)
  sums <- colSums(weight * values)
  if (any(values < 0) || sum(sums) == 0) {
    return(rep(NA_real_, ncol(values)))
  }
  expected <- outer(rowSums(values), sums) / sum(sums)
  z <- ifelse(expected > 0, (values - expected) / sqrt(expected), 0)
  z <- ifelse(z < 0, (1 + alpha) * z, z)
  sqrt(sums / n * stats::pnorm(colSums(weight * z) / n))
}

#' @export
tidy.rankmix_risk <- function(x, ...) {
  check_no_others(...)
  x$values
}

#' @export
print.rankmix_risk <- function(x, ...) {
  values <- x$values
  say(sprintf("<rankmix_risk> %s against %s, %s", counted(length(unique(values$ranker)) - 1L, "ranker"),
              x$baseline, counted(x$queries, "query", "queries")))
  metric <- values$metric[1L]
  rows <- values[values$metric == metric & values$ranker != x$baseline, ]
  for (one in x$alpha) {
    own <- utils::head(rows[rows$alpha == one, ], max_printed_pairs)
    say(sprintf("%s, losses count %s", if (metric == "values") "values" else metric,
                if (one == 0) "once" else paste(plain_number(1 + one), "times")))
    trisk <- ifelse(is.na(own$trisk), "TRisk undefined",
                    sprintf("TRisk %+.2f (%s)", own$trisk, show_p(own$p, rep(FALSE, nrow(own)))))
    say_rows(own$ranker, NULL, sprintf("URisk %+.4f  %s  GeoRisk %.4f", own$urisk, format(trisk), own$georisk))
  }
  own <- utils::head(rows[rows$alpha == x$alpha[1L], ], max_printed_pairs)
  say("queries that win and lose")
  say(sprintf("  %s  %.0f %% win, %.0f %% lose", format(shorten(own$ranker, 26L)), 100 * own$wins,
              100 * own$losses))
  more <- c(if (sum(rows$alpha == x$alpha[1L]) > max_printed_pairs) "more rankers",
            if (length(unique(values$metric)) > 1L) "other metrics")
  if (length(more) > 0L) say("... and ", paste(more, collapse = " and "), ", see `tidy()`")
  say("GeoRisk compares these rankers only.")
  invisible(x)
}
