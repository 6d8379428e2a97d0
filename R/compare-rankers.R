#' Which ranker is better?
#'
#' Compares rankers on the same queries by paired tests, adjusted for the number of pairs. Use it to decide
#' whether a difference may be due to chance, and which rankers may be the best.
#'
#' @param ... The rankers, each with its own name: anything that [evaluate()] accepts (runs with
#'   judgements as `data`), or evaluations from [evaluate()], one by one or in a list. Without names:
#'   one evaluation of several rankers, a benchmark from [benchmark_rankers()], or a matrix of values
#'   (queries x rankers, see [as_evaluation()]).
#' @param data The judged data, or for models a [data_source()], unless evaluations or benchmarks are given.
#' @param metric The metric or its text, or a list of several. Default for evaluations and benchmarks:
#'   all of their metrics.
#' @param test The test of a pair: `"randomization"` (sign flips, the default, because it needs no normal
#'   distribution), `"t"` (Student's paired t, the default for `variance = "queries+training"`) or
#'   `"wilcoxon"` (signed ranks).
#' @param combine The treatment of folds. `"pool"`, the default, is one test over the queries of all
#'   folds, with a standard error stratified by fold. `"fisher"` and `"stouffer"` combine the p-values
#'   of the folds with their directions, see [fisher_combine()].
#' @param adjust The adjustment for several pairs. `"maxt"` (joint sign flips with step-down maxT) is the
#'   default for `test = "randomization"`, and `"holm"` for other tests. Others: `"tukey"` (Tukey's
#'   honestly significant difference), `"BH"` (Benjamini and Hochberg) and `"none"`.
#' @param control The name of a ranker, such as the baseline. Only pairs with this ranker are tested. Fewer
#' pairs give more power. By default all pairs are tested.
#' @param alternative The direction of the difference of `a` and `b`: `"two.sided"` (the default),
#'   `"greater"` or `"less"`. With a `control`, `b` is the control. Choose it before you see the data.
#' @param level The significance level, default 0.05. Intervals have the confidence level `1 - level`.
#' @param interval The method of the unadjusted interval of a pair: `"t"`, `"flips"` (inverted sign-flip
#'   test) or `"bca"` (bootstrap). Default `"t"`; `"flips"` for sign flips without `adjust = "maxt"`.
#' @param margin The largest difference that does not matter in practice, in units of the metric. Then
#'   `pairs` also shows which rankers are equivalent (see [equivalence()]). There is no default, because the margin
#'   depends on the use. Choose it before you see the data.
#' @param relative_margin Whether `margin` is a fraction of the mean of `b`; default `FALSE`.
#' @param variance The variance of a benchmark with repeated trainings (see `repeats` of
#'   [benchmark_rankers()]). `"queries"`, the default, compares the trained models. `"queries+training"`
#'   compares the algorithms: t tests include the variance between trainings, see [variance_parts()].
#' @param topics The rule if the queries of a run and of the judgements differ, see [evaluate()]:
#'   `"error"` (the default), `"qrels"` or `"common"`.
#' @param resamples Number of random sign patterns, permutations and bootstrap samples; default 10000.
#'   With more, the smallest possible p-value is smaller.
#' @param seed The seed of this sampling. By default R's generator draws one.
#' @param threads Number of threads. Results do not depend on it.
#'
#' @return A value of class `rankmix_comparison`. `pairs` is a data frame with a row for each metric and
#'   pair of rankers `a` and `b`. `rankers` has a row for each metric and ranker. `folds` has the tests
#'   of each fold. `flips` has the number of sign `patterns`, whether they are all patterns (`exact`),
#'   and the `critical` t of the simultaneous intervals. `values` has the rankers' values by metric.
#'   `failed` has the rankers of a benchmark that failed in a fold, and are not compared. `tidy()` returns `pairs`,
#'   `summary()` returns `rankers`. [autoplot.rankmix_comparison()] draws it.
#' @examples
#' data <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' compared <- compare_rankers(first = data$x[, 1], second = data$x[, 2], third = data$x[, 3],
#'                             data = data, metric = metric_ndcg(10), seed = 1)
#' compared
#' tidy(compared)
#' # New rankers against a baseline.
#' compare_rankers(first = data$x[, 1], second = data$x[, 2], third = data$x[, 3], data = data,
#'                 metric = "ndcg@10", control = "first", seed = 1)
#'
#' @details
#' \eqn{d_q} is the difference of two rankers on query q of n, rounded to 12 significant digits. So
#' rounding noise does not break ties. \eqn{\bar d}{mean(d)} is its mean, weighted by query weights.
#'
#' **The star.** `print()` marks the rankers that may be the best. With `adjust = "maxt"` these are a
#' confidence set: it contains a given best ranker with probability `1 - level`. The tests of the set are
#' one-sided. So a ranker may be outside of the set although its two-sided p-value is above `level`. With
#' other adjustments a ranker has a star if its p-value against each ranker with the highest mean is above `level`. With
#' a `control` whose mean is not the highest, these pairs are not tested, and `best` is `NA` for most rankers. `best` is
#' also `NA` if a one-sided test has the wrong direction to show that a ranker is worse than the highest mean.
#'
#' **Joint sign flips.** Under the null hypothesis the differences of a query are as likely as their
#' negatives. A pattern draws one sign for each query, the same sign for all pairs. The statistic of a pair
#' is \eqn{t = \bar d / \mathrm{se}}{t = mean(d) / se}. It is computed for the observed and for the flipped differences.
#' All patterns are used for up to 20 queries with differences, if the number of patterns times pairs is at most 2^27.
#' Otherwise `resamples` random patterns and the observed one are used.
#'
#' * Step-down maxT: pairs are ordered by t. The p-value of a pair is the fraction of patterns in which any
#'   pair with the same or a smaller observed t reaches the t of this pair. A pair with a smaller t never
#'   gets a smaller p-value. The probability of any false rejection is at most `level`.
#' * `sim_lower`, `sim_upper`: \eqn{\bar d \pm c\,\mathrm{se}}{mean(d) +- c se}. c is the \eqn{1 -
#'   \alpha}{1 - level} quantile of the largest t over all pairs. With probability `1 - level`, all
#'   intervals contain their true difference. Step-down p-values can be below `level` although the interval
#'   contains 0.
#' * The set of the best: for ranker i, \eqn{T_i} is the largest one-sided t of another ranker over i.
#'   `p_best` is the fraction of patterns that reach \eqn{T_i}. The set has the rankers with `p_best`
#'   above `level`.
#'
#' **Tukey.** With `test = "randomization"` the values of each query are permuted between rankers
#' (Carterette 2012). The p-value is the fraction of permutations in which the range of means reaches the
#' difference. The test assumes that all rankers are equal, so it has less power than maxT. With `test = "t"`,
#' `adjust = "tukey"` is Tukey's test of the two-way analysis of variance, with queries as blocks. If all differences of
#' each pair are equal, its statistic is infinite. The p-values are then `p_t`, adjusted by Holm.
#'
#' **Power.** `print()` ends with the difference that these queries can detect (see [detectable()]).
#'
#' With `variance = "queries"` all tests are conditional on the models. The results then apply to other
#' queries, but not to other trainings of the same algorithms. So two seeds of one algorithm differ
#' significantly too often. With `"queries+training"`, they differ significantly in about a fraction `level`
#' of pairs.
#'
#' **Columns.**
#'
#' * `p_t`: \eqn{t = \bar d / \mathrm{se}}{t = mean(d) / se} with `df` degrees of freedom, and
#'   \eqn{\mathrm{se} = s_d / \sqrt n}{se = sd(d) / sqrt(n)}. `df` is `n_effective` - 1.
#'   `n_effective` is n, or with weights \eqn{(\sum_q w_q)^2 / \sum_q w_q^2}{(sum w)^2 / sum w^2}
#'   (Kish). With weights, and without folds, the standard error is as in [evaluate()]. Over folds
#'   \eqn{\mathrm{se}^2 = \sum_f (n_f / n)^2 s_f^2 / n_f}{se^2 = sum_f (n_f / n)^2 s_f^2 / n_f},
#'   with Satterthwaite's degrees of freedom. Folds of one query are one stratum. If there is one such fold, it
#'   joins the largest other fold. With weights over folds,
#'   n is the sum of the weights, and \eqn{\mathrm{se}_f^2 = \sum_q w_q^2 (d_q - \bar d_f)^2 / (1 - w_q / W_f) /
#'   W_f^2}{se_f^2 = sum_q w_q^2 (d_q - mean_f)^2 / (1 - w_q / W_f) / W_f^2} for the sum \eqn{W_f}{W_f} of the weights
#'   of the fold (HC2).
#' * `p_wilcoxon`: Wilcoxon's signed ranks without zeros; ties have mean ranks. Exact for up to 50
#'   nonzero differences, else normal (`note`: "Wilcoxon approximate"). `NA` with different weights. The test is about
#'   the `pseudo_median` (Hodges and Lehmann), not the mean. If the signs of `pseudo_median` and of the mean differ,
#'   neither ranker is reported as worse (`note`: "mean and ranks disagree").
#' * `p_randomization`: the p-value of the sign flips of this pair alone. It is the fraction of patterns
#'   with \eqn{|\sum_q w_q d_q|}{|sum w d|} at least as large as observed. `p_floor` is the smallest
#'   possible p-value. With `"holm"` and `"BH"`, more patterns are used if a pair reaches `p_floor`. The number of
#'   patterns is at most 20 times the number of pairs divided by `level`, and fewer if the computation would take too
#'   long. `note` reports if the smallest possible adjusted p-value exceeds `level`.
#' * `p_holm`, `p_bh`: the p-values of `test`, adjusted. `p_adjusted`: adjusted by `adjust`; `verdict` uses it.
#' * `lower`, `upper`: the unadjusted interval of the mean difference. The interval may exclude 0 although the
#'   adjusted p-value is above `level`. `"t"`: \eqn{\bar d \pm t_{1 - \alpha / 2} \mathrm{se}}{mean(d) +- t
#'   se}. `"flips"`: the values m for which sign flips of \eqn{d - m} do not reject. `"bca"`: the
#'   bias-corrected accelerated bootstrap. The interval is too short for fewer than 50 queries or many ties.
#' * `verdict` about `a`: "better" or "worse" if `p_adjusted` is at most `level`, else "undecided". With
#'   a `margin` also "equivalent", "better, but practically equivalent" and "worse, but practically
#'   equivalent", and the columns of [equivalence()].
#' * `effect`: Cohen's \eqn{d_z = \bar d / s_d}{d_z = mean(d) / sd(d)}, weighted by query weights. `NA` if
#'   all differences are equal.
#' * `heterogeneity`: the p-value of Welch's test for different means of the folds. `NA` for one fold.
#' * `wins`, `losses`, `ties`: the fractions of queries on which a is better, worse, or equal.
#' * `identical`: the fraction of queries on which both rankings are identical. `NA` for evaluations.
#' * `normality`: the p-value of the Shapiro-Wilk test. `NA` for fewer than 3 or more than 5000 queries.
#' * `folds_ahead`: the number of folds in which a is ahead.
#'
#' **Repeated queries.** With repeated cross-validation or several seeds, a query with the same
#' judgements is in several folds. The values of such a query are averaged first, and there are no strata.
#' Then `combine = "fisher"` and `"stouffer"` are errors, because the folds are not independent.
#'
#' **Undefined cases.** With one query, or if all differences are 0, p is 1. If all differences are
#' equal but not 0, t is infinite, and `p_t` is the p-value of the sign flips, \eqn{2^{1 - n}}{2^(1 -
#' n)}. An interval is `NA` if the spread of the differences is unknown, or if the smallest possible p-value
#' is above `level`. This happens with fewer than 6 queries at level 0.05. `note` reports these cases. `NaN`
#' excludes a query, and `NA` counts as 0, as in the mean.
#'
#' @section Conditions:
#' * `rankmix_error_queries`: evaluations of different queries or folds.
#' * `rankmix_error_grade`: evaluations of the same queries with different grades, or with swapped
#'   grades of documents with ids.
#' * `rankmix_error_values`: a query with a value of one ranker only.
#' * `rankmix_error_argument`: fewer than two rankers; missing or repeated names; metrics that some
#'   evaluations lack; different metrics under one name; folds that share queries, unless `combine =
#'   "pool"`; a `control` that is no ranker.
#' * `rankmix_error_argument`, too: settings that cannot be combined. `"maxt"` needs sign flips and
#'   `"pool"`. `"tukey"` needs equal weights and all pairs. `"queries+training"` needs t tests and repeated
#'   trainings.
#' * The conditions of [evaluate()].
#' @section Cost: O(queries x rankers x `resamples`): 12 s for 50 rankers, 5,000 queries and 10,000
#'   patterns on two threads.
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013), section 7,
#'   \doi{10.1007/s10994-013-5360-9}. Smucker, Allan and Carterette (2007),
#'   \doi{10.1145/1321440.1321528}. Efron (1987), \doi{10.1080/01621459.1987.10478410}. Westfall and
#'   Young (1993), *Resampling-Based Multiple Testing*. Romano and Wolf (2005),
#'   \doi{10.1198/016214504000000539}. Hsu (1984), \doi{10.1214/aos/1176346732}. Carterette (2012),
#'   \doi{10.1145/2094072.2094076}. MacKinnon and White (1985), \doi{10.1016/0304-4076(85)90158-7}.
#' @export
compare_rankers <- function(..., data = NULL, metric = NULL, test = NULL,
                            combine = "pool", adjust = NULL, control = NULL,
                            alternative = "two.sided", level = 0.05, interval = NULL,
                            margin = NULL, relative_margin = FALSE, variance = "queries",
                            topics = "error", resamples = 10000, seed = NULL, threads = NULL) {
  settings <- comparison_settings(test, combine, adjust, alternative, level, interval, resamples,
                                  variance)
  check_flag(relative_margin, "relative_margin")
  if (!is.null(margin)) {
    settings$margin <- check_margin(TRUE, margin, relative_margin)
    settings$relative_margin <- relative_margin
  }
  settings$threads <- check_threads(threads)
  settings$seed <- check_seed(seed)
  rankers <- list(...)
  check_named_data(rankers, data, metric)
  evaluated <- evaluated_rankers(rankers, data, metric, settings$threads, topics)
  settings$control <- check_control(control, unique(evaluated$table$ranker))
  values <- paired_values(evaluated)
  check_tests_apply(values, settings)
  compared <- lapply(values, compare_pairs, identical = evaluated$identical,
                     settings = settings)
  part <- function(name) bind_named(lapply(compared, `[[`, name), "metric")
  rated <- Map(function(paired, own) rate_rankers(paired, own, settings), values, compared)
  structure(
    list(pairs = part("pairs"), rankers = bind_named(rated, "metric"), folds = part("folds"),
         flips = part("flips"), values = values, settings = settings[names(settings) != "threads"],
         shown = evaluated$shown, failed = evaluated$failed),
    class = "rankmix_comparison"
  )
}

comparison_settings <- function(test, combine, adjust, alternative, level, interval, resamples,
                                variance, call = rlang::caller_env()) {
  check_choice(variance, "variance", c("queries", "queries+training"), call)
  if (is.null(test)) test <- if (variance == "queries") "randomization" else "t"
  check_choice(test, "test", c("t", "wilcoxon", "randomization"), call)
  check_choice(combine, "combine", c("pool", "fisher", "stouffer"), call)
  if (is.null(adjust)) {
    adjust <- if (test == "randomization" && combine == "pool") "maxt" else "holm"
  }
  check_choice(adjust, "adjust", c("maxt", "tukey", "holm", "BH", "none"), call)
  check_choice(alternative, "alternative", alternatives, call)
  check_significance(level, call)
  if (is.null(interval)) interval <- interval_of_test(test, adjust)
  check_choice(interval, "interval", interval_methods, call)
  check_count(resamples, "resamples", min = 100, max = 1e8, call = call)
  settings <- list(test = test, combine = combine, adjust = adjust, alternative = alternative,
                   level = level, interval = interval, resamples = resamples, variance = variance)
  check_settings_fit(settings, call)
  settings
}

# An error if the test does not support the adjustment or the alternative.
check_settings_fit <- function(settings, call) {
  pooled <- settings$combine == "pool"
  if (settings$variance != "queries" &&
        !(settings$test == "t" && settings$interval == "t" && pooled && settings$adjust != "tukey")) {
    stop_input("argument", "`variance = \"queries+training\"` has t tests and t intervals only.",
               "Sign flips, ranks, folds' p-values and Tukey's test do not account for the variance of training.",
               "Leave `test`, `combine` and `interval` at their defaults.", call = call)
  }
  if (settings$adjust == "maxt" && (settings$test != "randomization" || !pooled)) {
    stop_input("argument", "`adjust = \"maxt\"` needs sign flips of all queries.",
               remedy = "Use `test = \"randomization\"` and `combine = \"pool\"`, or `adjust = \"holm\"`.",
               call = call)
  }
  if (settings$adjust == "tukey" && (settings$test == "wilcoxon" || !pooled)) {
    stop_input("argument", "`adjust = \"tukey\"` tests means over all queries.",
               remedy = paste("Use `test = \"t\"` or `test = \"randomization\"`, and",
                              "`combine = \"pool\"`."), call = call)
  }
  if (settings$alternative != "two.sided" && (!pooled || settings$adjust == "tukey")) {
    stop_input("argument",
               sprintf("`%s` has two-sided tests only.",
                       if (pooled) "adjust = \"tukey\"" else sprintf("combine = \"%s\"", settings$combine)),
               remedy = "Use `alternative = \"two.sided\"`.", call = call)
  }
}

check_control <- function(control, rankers, call = rlang::caller_env()) {
  if (is.null(control)) {
    return(NULL)
  }
  if (!rlang::is_string(control) || !control %in% rankers) {
    stop_input("argument", sprintf("`control` must be one of the rankers, not %s.", show_value(control)),
               sprintf("The rankers are %s.", enumerate(rankers, 10L)), call = call)
  }
  control
}

# An error if a test is not possible with these data.
check_tests_apply <- function(values, settings, call = rlang::caller_env()) {
  weighted <- any(vapply(values, weights_differ, NA))
  if (weighted && (settings$test == "wilcoxon" || settings$adjust == "tukey")) {
    stop_input("argument",
               sprintf("%s cannot use weights of queries.",
                       if (settings$test == "wilcoxon") "Wilcoxon's test" else "Tukey's test"),
               remedy = "Use `test = \"randomization\"`, the default, or `test = \"t\"`.", call = call)
  }
  if (settings$adjust == "tukey" && !is.null(settings$control)) {
    stop_input("argument", "Tukey's test compares all pairs, not pairs with `control`.",
               remedy = "Use `adjust = \"maxt\"` or `adjust = \"holm\"`.", call = call)
  }
  if (settings$combine != "pool") check_independent_folds(values, settings$combine, call)
  if (settings$variance != "queries") {
    if (is.null(values[[1L]]$trainings)) {
      stop_input("argument", "There is one training of each ranker, so its variance is unknown.",
                 remedy = "Compare a benchmark made by `benchmark_rankers(repeats = 5)`.", call = call)
    }
    if (isTRUE(settings$relative_margin)) {
      stop_input("argument", "A relative margin uses the variance of queries only.",
                 remedy = "Give an absolute `margin`, or `variance = \"queries\"`.", call = call)
    }
  }
}

# `data` and `metric` must be named, because `...` holds any number of rankers.
check_named_data <- function(rankers, data, metric, call = rlang::caller_env()) {
  unnamed <- rankers[!nzchar(rlang::names2(rankers))]
  is_data <- vapply(unnamed, inherits, NA, what = c("ranking_data", "rankmix_qrels", "rankmix_source"))
  is_metric <- vapply(unnamed, function(x) inherits(x, "rankmix_metric") || rlang::is_string(x), NA)
  if (any(is_data) || any(is_metric) && length(rankers) > 1L) {
    stop_input("argument", "`data` and `metric` must be given by name.",
               remedy = paste("Write `compare_rankers(list(a = ..., b = ...), data = test, metric =",
                              "\"ndcg@10\")`."), call = call)
  }
}

check_independent_folds <- function(values, combine, call = rlang::caller_env()) {
  repeated <- vapply(values, function(paired) !is.null(paired$repeats), NA)
  if (any(repeated)) {
    stop_input("argument", sprintf("`combine = \"%s\"` needs folds that share no query.", combine),
               sprintf("Queries are tested in %s.", repeat_words(values[repeated][[1L]]$repeats)),
               "Use `combine = \"pool\"`, which averages a query over its folds.", call = call)
  }
}

# A row for each ranker: its mean, and whether it may be the best.
rate_rankers <- function(paired, compared, settings) {
  rankers <- colnames(paired$values)
  rows <- lapply(rankers, function(ranker) {
    data.frame(ranker = ranker,
               summary_columns(summarise_values(paired$values[, ranker], paired$weight,
                                                1 - settings$level), paired$weight))
  })
  table <- do.call(rbind, rows)
  table$rank <- rank_means(table$mean)
  rated <- if (!is.null(compared$best)) rate_by_flips(rankers, compared$best, settings) else {
    rate_by_pairs(rankers, compared$pairs, table$ranker[table$rank %in% 1L], settings)
  }
  table$p_best <- unname(rated$p)
  table$best <- unname(rated$best)
  table$undefined <- unname(paired$undefined)
  table
}

# The confidence set of the best ranker.
rate_by_flips <- function(rankers, p, settings) {
  list(p = p[rankers], best = p[rankers] > settings$level)
}

# A ranker may be the best if no difference to a highest mean is shown. NA if this pair was not tested, which can
# occur with a control, or if its one-sided test cannot show that the ranker is worse. Several rankers can have the
# highest mean; then the smallest p-value decides, so that the order of rankers does not matter.
rate_by_pairs <- function(rankers, pairs, tops, settings) {
  rated <- lapply(tops, function(top) rate_against(rankers, pairs, top, settings))
  smallest <- function(values) if (all(is.na(values))) values[1L] else min(values, na.rm = TRUE)
  p <- vapply(rankers, function(ranker) smallest(vapply(rated, function(one) one$p[[ranker]], 0)), 0)
  best <- vapply(rankers, function(ranker) {
    as.logical(smallest(vapply(rated, function(one) one$best[[ranker]], NA)))
  }, NA)
  # With another control, the highest mean was compared with the control only.
  best[rankers %in% tops & (is.null(settings$control) | rankers %in% settings$control)] <- TRUE
  list(p = p, best = best)
}

# The p-value of each ranker against one with the highest mean, and whether the ranker may still be the best.
rate_against <- function(rankers, pairs, top, settings) {
  rows <- lapply(stats::setNames(nm = rankers), function(ranker) {
    pairs[(pairs$a == ranker & pairs$b == top & settings$alternative != "greater") |
            (pairs$a == top & pairs$b == ranker & settings$alternative != "less"), ]
  })
  p <- vapply(rows, function(row) if (nrow(row) == 0L) NA_real_ else row$p_adjusted, 0)
  # Signed ranks can contradict the means, and folds can differ significantly in both directions.
  open <- vapply(rows, function(row) {
    nrow(row) > 0L && (row$both_directions || settings$test == "wilcoxon" &&
                         !ranks_agree(row$pseudo_median, row$difference))
  }, NA)
  list(p = p, best = p > settings$level | open)
}

# The ranker with the highest mean.
top_ranker <- function(table) table$ranker[which.max(table$mean)]

# Binds the data frames of a list by rows, with their names as the first column.
bind_named <- function(tables, name) {
  if (length(tables) == 0L) {
    return(stats::setNames(data.frame(character()), name))
  }
  rows <- Map(function(table, value) {
    cbind(stats::setNames(data.frame(value), name), table, row.names = NULL)
  }, tables, names(tables))
  do.call(rbind, c(rows, make.row.names = FALSE))
}

#' @export
summary.rankmix_comparison <- function(object, ...) {
  check_no_others(...)
  object$rankers
}
