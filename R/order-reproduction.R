#' How well is an experiment reproduced?
#'
#' Compares the metric values of an original experiment with the values of its reproduction. Use it after you
#' trained or implemented a ranker again, or to check a published result on other queries.
#'
#' @param original,reproduced The values of the original experiment and of the reproduction, each one of:
#'   * the result of [evaluate()] or [as_evaluation()] for several rankers, a comparison or a benchmark;
#'   * a matrix, queries x rankers. Names of rows are the queries;
#'   * a numeric vector: the values of one ranker.
#' @param baseline The name of the ranker that the others improve on. Effect ratios need it; the default
#'   `NULL` leaves them out.
#' @param metric The names of the metrics; by default all common metrics.
#' @param level The confidence level of the intervals; default 0.95.
#'
#' @return A value of class `rankmix_reproduction`. `tidy()` returns a data frame with a row for each metric,
#'   ranker and measure:
#'   * `metric`, `ranker`, `measure`; `queries`, `queries_reproduced`: numbers of queries;
#'   * `estimate`, `lower`, `upper`: the value with its interval;
#'   * `p`: of `"difference"`, the p-value of the t test.
#'
#'   The measures are:
#'   * `"original"`, `"reproduced"`: the means;
#'   * `"difference"`: the mean of the reproduction minus the original mean;
#'   * `"rmse"`, `"nrmse"`: the root mean square error of the values of queries, and its normalized value.
#'     Both need the same queries;
#'   * `"effect_ratio"`: improvement over the baseline, reproduced divided by original. 1 means perfect
#'     reproduction, and 0 means that the reproduction has no improvement;
#'   * `"delta_ri"`: original minus reproduced relative improvement. 0 is perfect.
#' @examples
#' original <- cbind(bm25 = c(0.3, 0.5, 0.2, 0.6, 0.4, 0.3),
#'                   trees = c(0.4, 0.7, 0.3, 0.8, 0.5, 0.6))
#' reproduced <- cbind(bm25 = c(0.3, 0.5, 0.2, 0.6, 0.4, 0.3),
#'                     trees = c(0.4, 0.6, 0.3, 0.8, 0.4, 0.5))
#' reproduction(original, reproduced, baseline = "bm25")
#'
#' @details
#' **Measures** (Breuer et al. 2020), with the original values \eqn{v_q}{v_q} and the reproduced values
#' \eqn{v'_q}{v'_q} of a ranker, and with its differences \eqn{d_q}{d_q} and \eqn{d'_q}{d'_q} to the baseline:
#' \deqn{RMSE = \sqrt{\textstyle\frac 1n \sum_q (v_q - v'_q)^2}, \quad nRMSE = RMSE / \sqrt{\textstyle\frac 1n
#' \sum_q \max(v_q, 1 - v_q)^2},}{RMSE = sqrt(mean (v_q - v'_q)^2), nRMSE = RMSE / sqrt(mean max(v_q, 1 -
#' v_q)^2),}
#' \deqn{ER = \bar d' / \bar d, \quad \Delta RI = RI - RI', \quad RI = (\bar v - \bar b) / \bar b.}{ER =
#' mean(d') / mean(d), DeltaRI = RI - RI', RI = (mean(v) - mean(b)) / mean(b).}
#' The largest possible error in `nRMSE` assumes values between 0 and 1.
#'
#' **Intervals.** If both experiments have the same queries, they are paired by query: the t test is paired,
#' and all intervals use covariances. For different queries, the test is Welch's test. `"effect_ratio"` has
#' Fieller's interval. This interval is `NA` (unbounded) if the original improvement does not differ from 0 at
#' the level, because the ratio is then not determined. `"delta_ri"` has a t interval by the delta method.
#' `"rmse"` and `"nrmse"` have a t interval of their logarithm. Folds are strata, and queries are weighted by
#' their weights.
#'
#' **Undefined cases.** The effect ratio is `NA` if the original improvement is 0. `"delta_ri"` is `NA` if a
#' mean of the baseline is 0. `"nrmse"` is `NA` for values outside 0 to 1. With one query there are no
#' intervals, and p is 1. Equal values have RMSE 0 with the interval 0 to 0, and p is 1. If the differences of all
#' queries are equal and not 0, the difference and the RMSE have no interval, and p is \eqn{2^{1 - n}}{2^(1 - n)} for n
#' queries.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: an unknown baseline; no common ranker or metric; different rankers in the two
#'   experiments; different weights of the queries.
#' * `rankmix_error_queries`: some but not all queries are the same. `rankmix_error_values`: missing or
#'   infinite values.
#' @references Breuer et al. (2020), \doi{10.1145/3397271.3401036}. Fieller (1954), *Journal of the Royal
#'   Statistical Society B* 16.
#' @seealso [ranking_agreement()] for the order of the documents, [equivalence()] to show that two results
#'   differ by less than a margin.
#' @export
reproduction <- function(original, reproduced, baseline = NULL, metric = NULL, level = 0.95) {
  check_given(missing(original), "original", "Give an evaluation, or a matrix of queries x rankers.")
  check_given(missing(reproduced), "reproduced", "Give the evaluation of the reproduction.")
  check_confidence(level)
  call <- rlang::current_env()
  sides <- judgement_pairs(one_ranker_table(original), one_ranker_table(reproduced), metric, call,
                           c("original", "reproduced"))
  rows <- lapply(sides, function(side) {
    check_baseline(baseline, colnames(side$values[[1L]]$values), call)
    reproduced_rankers(side$values, baseline, level, call)
  })
  values <- bind_named(stats::setNames(rows, vapply(sides, `[[`, "", "name")), "metric")
  structure(list(values = values, baseline = baseline, level = level,
                 paired = reproduced_queries(sides[[1L]]$values, call)), class = "rankmix_reproduction")
}

# A vector of values becomes a matrix with one ranker.
one_ranker_table <- function(x) {
  if (is_plain_number(x) && is.null(dim(x)) && !is.object(x)) {
    return(matrix(x, ncol = 1L, dimnames = list(names(x), "ranker")))
  }
  x
}

check_baseline <- function(baseline, rankers, call) {
  if (is.null(baseline)) {
    return(invisible())
  }
  if (!rlang::is_string(baseline) || !baseline %in% rankers || length(rankers) < 2L) {
    stop_input("argument", sprintf("`baseline` must be one of two or more rankers, not %s.",
                                   show_value(baseline)),
               sprintf("The rankers are %s.", enumerate(rankers, 10L)), call = call)
  }
}

# Whether both experiments have the same queries.
reproduced_queries <- function(two, call) {
  keys <- lapply(two, function(paired) query_keys(paired$fold, paired$query))
  shared <- length(intersect(keys[[1L]], keys[[2L]]))
  if (shared > 0L && shared < max(lengths(keys))) {
    odd <- setdiff(c(keys[[1L]], keys[[2L]]), intersect(keys[[1L]], keys[[2L]]))
    stop_input("queries", "The experiments share some queries, but not all.",
               sprintf("Only one of them has %s.", enumerate(sub(".*\r", "", odd))),
               "Compare on the shared queries, or on queries of one experiment alone.", call = call)
  }
  shared > 0L
}

reproduced_rankers <- function(two, baseline, level, call) {
  paired <- reproduced_queries(two, call)
  if (paired) two <- in_same_order(two, call)
  rankers <- setdiff(colnames(two[[1L]]$values), baseline)
  rows <- lapply(stats::setNames(nm = rankers), function(ranker) {
    reproduced_ranker(two, ranker, baseline, level, paired)
  })
  rows <- bind_named(rows, "ranker")
  sizes <- vapply(two, function(one) nrow(one$values), 0L)
  cbind(rows[c("ranker", "measure")], queries = sizes[1L], queries_reproduced = sizes[2L],
        rows[c("estimate", "lower", "upper", "p")])
}

in_same_order <- function(two, call) {
  keys <- lapply(two, function(one) query_keys(one$fold, one$query))
  at <- match(keys[[1L]], keys[[2L]])
  two[[2L]]$values <- two[[2L]]$values[at, , drop = FALSE]
  weights <- list(two[[1L]]$weight, two[[2L]]$weight[at])
  if (!identical(is.null(weights[[1L]]), is.null(weights[[2L]])) || any(weights[[1L]] != weights[[2L]])) {
    stop_input("argument", "The queries of `original` and `reproduced` have different weights.",
               remedy = "Evaluate both with the same weights.", call = call)
  }
  two
}

reproduced_ranker <- function(two, ranker, baseline, level, paired) {
  values <- lapply(two, function(one) one$values[, ranker])
  # The moments of a sum of one value for each query of each experiment.
  moments <- function(first, second) experiment_moments(list(first, second), two, paired)
  zero <- lapply(values, function(v) numeric(length(v)))
  sides <- list(original = moments(values[[1L]], zero[[2L]]), reproduced = moments(zero[[1L]], values[[2L]]))
  difference <- if (paired) moments(zero[[1L]], snapped_difference(values[[2L]], values[[1L]])) else {
    moments(-values[[1L]], values[[2L]])
  }
  p <- t_test_p(difference, difference$queries)
  rows <- c(lapply(sides, t_row, level = level), list(difference = c(spread_row(difference, level)[1:3], p = p)))
  if (paired) rows <- c(rows, error_rows(values, moments, level))
  if (!is.null(baseline)) {
    bases <- lapply(two, function(one) one$values[, baseline])
    rows <- c(rows, list(effect_ratio = effect_ratio(values, bases, moments, level),
                         delta_ri = delta_ri(values, bases, moments, level)))
  }
  data.frame(measure = names(rows), do.call(rbind, unname(rows)))
}

# If paired: the moments of the sum for each query. Otherwise the variances of both experiments are added,
# with Satterthwaite's degrees of freedom.
experiment_moments <- function(parts, two, paired) {
  if (paired) {
    found <- stratified_moments(parts[[1L]] + parts[[2L]], two[[1L]]$weight, two[[1L]]$fold)
    return(c(found, queries = length(parts[[1L]])))
  }
  own <- Map(function(values, one) stratified_moments(values, one$weight, one$fold, summed = TRUE), parts, two)
  squares <- vapply(own, function(one) one$se^2, 0)
  # A side that is 0 for all queries adds nothing, also if it has one query.
  squares[vapply(parts, function(values) all(values == 0), NA)] <- 0
  df <- vapply(own, `[[`, 0, "df")
  means <- vapply(own, `[[`, 0, "mean")
  # A difference of rounding noise is 0.
  mean <- if (isTRUE(abs(sum(means)) < snap_tolerance * max(abs(means)))) 0 else sum(means)
  list(mean = mean, se = sqrt(sum(squares)),
       df = if (sum(squares) > 0) sum(squares)^2 / sum((squares^2 / df)[squares > 0]) else sum(df),
       queries = min(lengths(parts)))
}

undefined_row <- c(estimate = NA_real_, lower = NA_real_, upper = NA_real_, p = NA_real_)

t_row <- function(moments, level) {
  ends <- if (is.na(moments$se)) c(NA_real_, NA_real_) else unname(t_interval(moments, level))
  c(estimate = moments$mean, lower = ends[1L], upper = ends[2L], p = NA_real_)
}

# As t_row(), but without an interval if the values of all queries are equal and not 0, because their spread is unknown.
spread_row <- function(moments, level) {
  row <- t_row(moments, level)
  if (has_no_spread(moments$mean, moments$se) && moments$mean != 0) row[c("lower", "upper")] <- NA_real_
  row
}

# The t interval of the logarithm of a mean square is symmetric enough for few queries.
error_rows <- function(values, moments, level) {
  square <- snapped_difference(values[[1L]], values[[2L]])^2
  largest <- pmax(values[[1L]], 1 - values[[1L]])^2
  zero <- numeric(length(square))
  of <- function(scale) {
    mean <- moments(square, zero)$mean / moments(scale, zero)$mean
    if (mean == 0) {
      return(c(estimate = 0, lower = 0, upper = 0, p = NA_real_))
    }
    # The influence of each query on the logarithm of the ratio of the two means.
    log <- moments(square / moments(square, zero)$mean - scale / moments(scale, zero)$mean, zero)
    # Equal errors differ by rounding noise only.
    if (isTRUE(log$se < snap_tolerance)) log$se <- NA_real_
    log$mean <- log(mean)
    exp(t_row(log, level) / 2)
  }
  bounded <- all(unlist(values) >= 0 & unlist(values) <= 1)
  list(rmse = of(zero + 1),
       nrmse = if (bounded) of(largest) else undefined_row)
}

# Fieller: all ratios rho for which mean(d') - rho mean(d) is at most t standard errors from 0.
effect_ratio <- function(values, bases, moments, level) {
  d <- Map(snapped_difference, values, bases)
  zero <- lapply(d, function(one) numeric(length(one)))
  first <- moments(zero[[1L]], d[[2L]])
  second <- moments(d[[1L]], zero[[2L]])
  if (second$mean == 0) {
    return(undefined_row)
  }
  ratio <- first$mean / second$mean
  both <- moments(d[[1L]], d[[2L]])
  covariance <- (both$se^2 - first$se^2 - second$se^2) / 2
  df <- moments(-ratio * d[[1L]], d[[2L]])$df
  ends <- if (is.na(both$se)) c(NA_real_, NA_real_) else {
    unname(ratio_interval(first, second, covariance, df, (1 - level) / 2))
  }
  c(estimate = ratio, lower = ends[1L], upper = ends[2L], p = NA_real_)
}

# The influence of query q on a / b is (a_q - (a / b) b_q) / b.
delta_ri <- function(values, bases, moments, level) {
  zero <- lapply(values, function(one) numeric(length(one)))
  only <- function(one, i) if (i == 1L) moments(one, zero[[2L]])$mean else moments(zero[[1L]], one)$mean
  means <- vapply(1:2, function(i) only(values[[i]], i), 0)
  base <- vapply(1:2, function(i) only(bases[[i]], i), 0)
  if (any(base == 0)) {
    return(undefined_row)
  }
  influence <- lapply(1:2, function(i) (values[[i]] - means[i] / base[i] * bases[[i]]) / base[i])
  spread <- moments(influence[[1L]], -influence[[2L]])
  spread$mean <- means[1L] / base[1L] - means[2L] / base[2L]
  spread_row(spread, level)
}

#' @export
tidy.rankmix_reproduction <- function(x, ...) {
  check_no_others(...)
  x$values
}

#' @export
print.rankmix_reproduction <- function(x, ...) {
  values <- x$values
  sizes <- counted(values$queries[1L], "query", "queries")
  say("<rankmix_reproduction> ", if (x$paired) sizes else {
    sprintf("%s, reproduced on %d others", sizes, values$queries_reproduced[1L])
  }, if (!is.null(x$baseline)) sprintf("; baseline %s", x$baseline) else "")
  for (group in split(values, factor(paste(values$metric, values$ranker, sep = "\r"),
                                     unique(paste(values$metric, values$ranker, sep = "\r"))))) {
    title <- setdiff(c(group$metric[1L], group$ranker[1L]), c("values", "ranker"))
    if (length(title) > 0L) say(cut_text(paste(title, collapse = ", "), 70L))
    ends <- ifelse(is.na(group$lower), ifelse(group$measure == "effect_ratio" & !is.na(group$estimate),
                                              "[unbounded]", "[no interval]"),
                   sprintf("[%.4f, %.4f]", group$lower, group$upper))
    say(sprintf("  %s %s %s%s", format(measure_labels[group$measure]), ifelse(
      is.na(group$estimate), "undefined", sprintf("%7.4f", group$estimate)), ends,
      ifelse(is.na(group$p), "", paste0("  ", show_p(group$p, rep(FALSE, nrow(group)))))))
  }
  say(sprintf("[ ]: %s %% intervals", plain_number(100 * x$level)))
  invisible(x)
}

measure_labels <- c(original = "mean, original", reproduced = "mean, reproduced", difference = "difference",
                    rmse = "RMSE", nrmse = "RMSE, normalized", effect_ratio = "effect ratio",
                    delta_ri = "Delta RI")
