#' Compare rankers over several data sets
#'
#' Pools the differences of rankers over several data sets, or tests their mean ranks. Use it for conclusions
#' about data sets in general, not about the queries of one data set.
#'
#' @param x The data sets. One of
#'   * a named list with a benchmark, comparison or evaluation of the same rankers for each data set.
#'     Rankers that failed in a fold of a benchmark are left out;
#'   * a data frame of differences with columns `difference` and `se` (its standard error). Columns `dataset`,
#'     `a` and `b` name the data set and the rankers of the difference `a` - `b`;
#'   * the means, a matrix or data frame with a row for each data set and a column for each ranker.
#' @param metric The metric or its name, if `x` is a list. By default the first metric of the first data
#'   set.
#' @param level The significance level, from 1e-6 to 0.5; default 0.05. Intervals have the confidence level
#'   `1 - level`.
#' @param how The method. `"effects"` pools differences by a random-effects model. `"ranks"` is
#'   Friedman's test with Nemenyi's critical difference. The default `NULL` is `"effects"` if standard errors
#'   are known, and `"ranks"` for a table of means. Effects keep the size of the differences and the
#'   precision of each data set. Ranks need no common scale.
#' @param control The name of a ranker, for `"effects"`. This ranker is then `b` of each pair, and other pairs
#' are left out. The default `NULL` compares all pairs.
#' @param estimator The estimator of the variance between data sets: `"REML"` (the default), `"PM"` (Paule and
#'   Mandel), `"DL"` (DerSimonian and Laird), or `"fixed"`, which assumes no such variance.
#' @param interval The interval of the pooled difference. `"hartung-knapp"`, the default, keeps its level for
#'   few data sets. `"truncated"` is never shorter than without the adjustment. `"normal"` is too short for
#'   fewer than about 20 data sets.
#'
#' @return For `"effects"` a value of class `rankmix_effects`. `pairs` has a row for each pair with the pooled
#'   `difference`, its interval and its test. `p_adjusted` is the p-value after Holm. `tau2` is the variance
#'   between data sets, and `i2` its fraction of the total variance. Cochran's `q` has the p-value `p_q`.
#'   `predicted_lower` and `predicted_upper` are the interval of the difference on a new data set. `effects` has the
#'   differences by data set. `autoplot()` draws a forest plot.
#'
#'   For `"ranks"` a value of class `rankmix_friedman` with `p`, `statistic`, `method`,
#'   `critical_difference` and `means`. `ranks` has the mean rank of each ranker. `pairs` has the mean ranks
#'   of `a` and `b`, their `difference` and Nemenyi's `p`. `autoplot()` draws the critical-difference diagram.
#'
#'   `tidy()` returns `pairs`, `glance()` one row.
#' @examples
#' effects <- data.frame(dataset = c("MQ2007", "MQ2008", "OHSUMED"), a = "ours", b = "trees",
#'                       difference = c(0.02, 0.05, -0.01), se = c(0.008, 0.02, 0.012))
#' compare_over_datasets(effects)
#' means <- rbind(MQ2007 = c(ours = 0.45, trees = 0.44, feature = 0.40),
#'                MQ2008 = c(0.51, 0.50, 0.45), OHSUMED = c(0.46, 0.44, 0.45))
#' compare_over_datasets(means)
#'
#' @details **Effects.** Let \eqn{m_j}{m_j} be the difference and \eqn{se_j}{se_j} its standard error on data
#'   set j of J. The weights are \eqn{w_j = 1 / (se_j^2 + \tau^2)}{w_j = 1 / (se_j^2 + tau^2)}, and the
#'   pooled difference is \eqn{\mu = \sum_j w_j m_j / \sum_j w_j}{mu = sum w m / sum w}. The standard error of
#'   Hartung and Knapp is
#'   \deqn{\sqrt{\sum_j w_j (m_j - \mu)^2 / ((J - 1) \sum_j w_j)},}{sqrt(sum w (m - mu)^2 / ((J - 1) sum w)),}
#'   with J - 1 degrees of freedom. The truncated version is at least \eqn{1 / \sqrt{\sum_j w_j}}{1 / sqrt(sum
#'   w)}. \eqn{I^2 = \tau^2 / (\tau^2 + v)}{I2 = tau^2 / (tau^2 + v)}, where v is the typical variance within
#'   data sets (Higgins and Thompson). The interval of a new data set is \eqn{\mu \pm t \sqrt{\tau^2 +
#'   se^2}}{mu +- t sqrt(tau^2 + se^2)}, with the same degrees of freedom. This interval is too short for few
#'   data sets, because \eqn{\tau^2}{tau^2} is then uncertain. Values agree with the package metafor.
#'
#'   The differences are of the same metric, so they should have comparable sizes. With two data sets the
#'   interval has one degree of freedom, and `print()` warns.
#'
#'   **Ranks.** On each data set the ranks are 1, 2, ... by decreasing mean. Means equal to 12 significant
#'   digits share the mean of their ranks. With k rankers, N data sets and ranks
#'   \eqn{R_{qi}}{R_qi} let \eqn{S^2 = \sum_{q,i} (R_{qi} - (k + 1) / 2)^2 / (N (k - 1))}{S^2 = sum over q, i
#'   of (R_qi - (k + 1) / 2)^2 / (N (k - 1))}, which is \eqn{k (k + 1) / 12}{k (k + 1) / 12} without ties. The
#'   critical difference is
#'   \deqn{q_\alpha \sqrt{2 S^2 / N}.}{q sqrt(2 S^2 / N).}
#'   Here \eqn{q_\alpha}{q} is the 1 - `level` quantile of the studentised range of k groups, with
#'   infinite degrees of freedom, divided by \eqn{\sqrt 2}{sqrt(2)}. Two rankers differ significantly if their
#'   mean ranks differ by at least the critical difference. Mean ranks of two rankers depend on the other
#'   rankers (Benavoli et al.).
#'
#'   `statistic` is as in [stats::friedman.test()], corrected for ties. The p-value is exact, over all
#'   orders of the ranks within data sets, if there are at most a million (\eqn{(k!)^{N - 1}}{(k!)^(N -
#'   1)}). Otherwise the p-value is from the F statistic of Iman and Davenport, \eqn{(N - 1) \chi^2 / (N (k
#'   - 1) - \chi^2)}{(N - 1) chi2 / (N (k - 1) - chi2)} with k - 1 and (k - 1)(N - 1) degrees of freedom
#'   (`method`). The p-value is 1 if all ranks are equal. Below about 10 data sets neither test has much power.
#'
#'   **Undefined cases.** A pair without a standard error on some data set is `NA`, and `note` names the data
#'   set. This happens with one query, or if all differences are equal. If a pair has the same difference on all J data
#'   sets, the standard error of Hartung and Knapp is 0, and `note` reports this. There is no interval then. The p-value
#'   is \eqn{2^{1 - J}}{2^(1 - J)}, or 1 if the differences are 0.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: fewer than two rankers or data sets; means or differences that are missing or
#'   no numbers; standard errors of 0. Also a table of means with `how = "effects"`, or of differences with
#'   `"ranks"`. Also an unknown `control`, or a `control` with `"ranks"`. Also a comparison with a control that lacks
#'   a pair.
#' * `rankmix_error_queries`: data sets with different rankers.
#' @references Demsar (2006), Statistical comparisons of classifiers over multiple data
#'   sets, *Journal of Machine Learning Research* 7, 1-30. Hartung and Knapp (2001),
#'   \doi{10.1002/sim.791}. Higgins and Thompson (2002), \doi{10.1002/sim.1186}. IntHout, Ioannidis and Borm
#'   (2014), \doi{10.1186/1471-2288-14-25}. Benavoli, Corani and Mangili (2016), Should we really use
#'   post-hoc tests based on mean-ranks?, *Journal of Machine Learning Research* 17, 1-10.
#' @export
compare_over_datasets <- function(x, metric = NULL, level = 0.05, how = NULL, control = NULL,
                                  estimator = "REML", interval = "hartung-knapp") {
  check_all_given()
  check_significance(level)
  check_choice(estimator, "estimator", tau_estimators)
  check_choice(interval, "interval", effect_intervals)
  table <- is.data.frame(x) && !inherits(x, "rankmix_evaluation") || is.matrix(x)
  has_errors <- !table || is_effect_table(x)
  chosen <- is.null(how)
  if (chosen) how <- if (has_errors) "effects" else "ranks"
  check_choice(how, "how", c("effects", "ranks"))
  if (how == "effects") {
    check_has_errors(has_errors)
    effects <- dataset_effects(x, metric, control)
    if (!table) metric <- common_metric(x, metric)
    return(pooled_effects(effects, level, estimator, interval, if (!table) metric, control))
  }
  check_rank_arguments(x, control)
  means <- if (table) value_matrix(x) else dataset_means(x, metric)
  check_means(means)
  ranked <- friedman_nemenyi(means, level, "data sets")
  ranked$chosen <- chosen
  ranked
}

check_has_errors <- function(has_errors, call = rlang::caller_env()) {
  if (!has_errors) {
    stop_input("argument", "A table of means has no standard errors, so effects cannot be pooled.",
               remedy = c("Give a benchmark, comparison or evaluation for each data set.",
                          "Or use `how = \"ranks\"`."), call = call)
  }
}

check_rank_arguments <- function(x, control, call = rlang::caller_env()) {
  if (is_effect_table(x)) {
    stop_input("argument", "Ranks need the means of all rankers, not differences.",
               remedy = "Use `how = \"effects\"`.", call = call)
  }
  if (!is.null(control)) {
    stop_input("argument", "`control` can only be used with `how = \"effects\"`.", call = call)
  }
}

dataset_means <- function(x, metric, call = rlang::caller_env()) {
  if (!is.list(x) || is.object(x)) {
    stop_input("argument",
               sprintf("`x` must be a matrix of means or a list of benchmarks, not %s.",
                       show_value(x)), call = call)
  }
  ranker_names(x, call)
  if (is.null(metric)) {
    metric <- dataset_table(x[[1L]], call)$metric[1L]
  }
  rows <- lapply(x, function(one) one_dataset(one, metric, call))
  rankers <- names(rows[[1L]])
  for (name in names(rows)) {
    if (!setequal(names(rows[[name]]), rankers)) {
      other <- c(setdiff(rankers, names(rows[[name]])), setdiff(names(rows[[name]]), rankers))
      stop_input("queries",
                 sprintf("`%s` and `%s` do not have the same rankers.", names(rows)[1L], name),
                 sprintf("Only one has %s.", enumerate(other)), call = call)
    }
  }
  do.call(rbind, lapply(rows, `[`, rankers))
}

# Means of rankers and metrics. Rankers of a benchmark that failed in a fold are left out.
dataset_table <- function(x, call) {
  table <- if (inherits(x, "rankmix_comparison")) {
    x$rankers
  } else if (inherits(x, c("rankmix_benchmark", "rankmix_evaluation"))) {
    summary(x)
  } else {
    stop_input("argument", sprintf("%s is neither a benchmark, a comparison nor an evaluation.",
                                   show_value(x)), call = call)
  }
  if (is.null(table$ranker)) {
    stop_input("argument", "An evaluation of one ranker cannot be compared.", call = call)
  }
  if (inherits(x, "rankmix_benchmark")) table[table$folds == length(x$data), ] else table
}

# The mean of each ranker on a data set.
one_dataset <- function(x, metric, call) {
  table <- dataset_table(x, call)
  wanted <- if (inherits(metric, "rankmix_metric")) format(metric) else metric
  if (length(wanted) != 1L || !wanted %in% table$metric) {
    stop_input("argument", sprintf("There is no metric %s.", enumerate(wanted)),
               sprintf("The metrics are %s.", enumerate(unique(table$metric))), call = call)
  }
  rows <- table[table$metric == wanted, ]
  stats::setNames(rows$mean, rows$ranker)
}

check_means <- function(means, call = rlang::caller_env()) {
  if (!is_plain_number(means) || nrow(means) < 2L || ncol(means) < 2L) {
    stop_input("argument", "The means must be numbers of two or more rankers on two or more data sets.",
               if (is.object(means)) sprintf("The means are %s.", show_value(means)) else {
                 sprintf("The table has %s and %s.", counted(nrow(means), "data set"), counted(ncol(means), "ranker"))
               },
               call = call)
  }
  if (!all(is.finite(means))) {
    stop_input("argument", "A mean is missing or infinite.",
               remedy = "Compare rankers that have a mean on every data set.", call = call)
  }
  if (is.null(colnames(means)) || anyDuplicated(colnames(means))) {
    stop_input("argument", "The columns of the means must have the names of the rankers.",
               call = call)
  }
}

# `means` has a row for each block. Blocks are data sets, or queries.
friedman_nemenyi <- function(means, level, blocks) {
  # Values that differ by rounding noise only are ties.
  ranks <- t(apply(signif(-means, snap_digits), 1L, rank))
  k <- ncol(means)
  n <- nrow(means)
  spread <- sum((ranks - (k + 1) / 2)^2) / (n * (k - 1))
  unit <- sqrt(2 * spread / n)
  mean_ranks <- colMeans(ranks)
  pairs <- utils::combn(colnames(means), 2L)
  difference <- mean_ranks[pairs[1L, ]] - mean_ranks[pairs[2L, ]]
  structure(
    c(friedman_p(ranks), list(
      critical_difference = stats::qtukey(1 - level, k, Inf) / sqrt(2) * unit,
      ranks = sort(mean_ranks),
      pairs = data.frame(
        a = pairs[1L, ], b = pairs[2L, ], rank_a = unname(mean_ranks[pairs[1L, ]]),
        rank_b = unname(mean_ranks[pairs[2L, ]]), difference = unname(difference),
        p = if (spread == 0) 1 else {
          unname(stats::ptukey(abs(difference) / unit * sqrt(2), k, Inf, lower.tail = FALSE))
        }
      ),
      means = means, level = level, blocks = blocks
    )),
    class = "rankmix_friedman"
  )
}

# Returns `statistic`, `p` and the `method` of the p-value. `ranks` are blocks x rankers.
friedman_p <- function(ranks) {
  n <- nrow(ranks)
  k <- ncol(ranks)
  spread <- sum((ranks - (k + 1) / 2)^2)
  if (spread == 0) {
    return(list(statistic = 0, p = 1, method = "exact"))
  }
  squares <- sum((colSums(ranks) - n * (k + 1) / 2)^2)
  statistic <- (k - 1) * squares / spread
  if ((n - 1) * lfactorial(k) <= log(max_friedman_orders)) {
    return(list(statistic = statistic, p = exact_friedman_p(ranks, squares), method = "exact"))
  }
  rest <- n * (k - 1) - statistic
  f <- if (rest <= 0) Inf else (n - 1) * statistic / rest
  list(statistic = statistic, p = stats::pf(f, k - 1, (k - 1) * (n - 1), lower.tail = FALSE),
       method = "Iman and Davenport")
}

max_friedman_orders <- 1e6

# The sums of ranks over all orders within blocks, block after block. Equal sums are one row with their
# count. The first block stays fixed, by symmetry.
exact_friedman_p <- function(ranks, squares) {
  orders <- all_orders(ncol(ranks))
  sums <- ranks[1L, , drop = FALSE]
  count <- 1
  for (block in seq_len(nrow(ranks))[-1L]) {
    own <- matrix(ranks[block, orders], nrow(orders))
    all <- sums[rep(seq_len(nrow(sums)), each = nrow(own)), , drop = FALSE] +
      own[rep(seq_len(nrow(own)), nrow(sums)), , drop = FALSE]
    key <- do.call(paste, as.data.frame(all))
    count <- as.vector(rowsum(rep(count, each = nrow(own)), key, reorder = FALSE))
    sums <- all[!duplicated(key), , drop = FALSE]
  }
  middle <- nrow(ranks) * (ncol(ranks) + 1) / 2
  reached <- rowSums((sums - middle)^2) >= squares - 1e-9
  sum(count[reached]) / sum(count)
}

# All orders of 1 to k, a row each.
all_orders <- function(k) {
  if (k == 1L) {
    return(matrix(1L, 1L, 1L))
  }
  fewer <- all_orders(k - 1L)
  do.call(rbind, lapply(seq_len(k), function(first) {
    cbind(first, matrix(setdiff(seq_len(k), first)[fewer], nrow(fewer)))
  }))
}

#' @export
tidy.rankmix_friedman <- function(x, ...) x$pairs

#' @export
print.rankmix_friedman <- function(x, ...) {
  say(sprintf("<rankmix_friedman> %d rankers on %d %s: Friedman's chi-squared %.2f, %s (%s)",
              ncol(x$means), nrow(x$means), x$blocks, x$statistic, show_p(x$p), x$method))
  say("mean rank: ", paste(sprintf("%s %.2f", names(x$ranks), x$ranks), collapse = ", "))
  say(sprintf("Differences of mean ranks below %.2f are not significant at level %s (Nemenyi).",
              x$critical_difference, plain_number(x$level)))
  if (isTRUE(x$chosen)) say("Rankers are compared by ranks, because a table of means has no standard errors.")
  invisible(x)
}
