#' Which ranker is better?
#'
#' Compares rankers on the same queries by paired tests, with p-values adjusted for multiple
#' comparisons. Use it to decide whether a difference may be chance.
#'
#' @param ... The rankers, each with its own name: anything that [evaluate()] accepts (runs with
#'   judgements as `data`), or evaluations from [evaluate()], one by one or in a list. Without names:
#'   one evaluation of several rankers, or a benchmark from [benchmark_rankers()].
#' @param data The judged data, unless evaluations or benchmarks are given.
#' @param metric The metric or its text, or a list of several. Default for evaluations and benchmarks:
#'   all of their metrics.
#' @param test The test that decides: `"t"` (Student's paired t, the default), `"wilcoxon"` (signed
#'   ranks) or `"randomization"` (sign flips). The default tests the reported mean difference.
#' @param combine The treatment of folds. `"pool"`, the default, is one test over the queries of all
#'   folds, with a standard error stratified by fold. `"fisher"` and `"stouffer"` combine the p-values
#'   of the folds with their directions, see [fisher_combine()].
#' @param adjust The adjustment of the p-values: `"holm"` (the default), `"BH"` (Benjamini and Hochberg)
#'   or `"none"`, as in the papers.
#' @param level The significance level, default 0.05. Intervals have the confidence level `1 - level`.
#' @param interval The interval of the mean difference: `"t"`, `"flips"` (inverted sign-flip test) or
#'   `"bca"` (bootstrap). The default is `"flips"` for `test = "randomization"`, else `"t"`.
#' @param topics The rule if the queries of a run and of the judgements differ, see [evaluate()]:
#'   `"error"` (the default), `"qrels"` or `"common"`.
#' @param resamples Number of random sign patterns and bootstrap samples; default 10000. More give finer
#'   p-values.
#' @param seed The seed of this sampling. By default R's generator draws one.
#' @param threads Number of threads. Results do not depend on it.
#'
#' @return A value of class `rankmix_comparison`. `pairs` is a data frame with a row for each metric and
#'   pair of rankers `a` and `b`. `rankers` has a row for each metric and ranker. `folds` has the tests
#'   of each fold. `values` has the rankers' values by metric. `tidy()` returns `pairs`, `summary()`
#'   returns `rankers`. [autoplot.rankmix_comparison()] draws it.
#' @examples
#' data <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' compared <- compare_rankers(first = data$x[, 1], second = data$x[, 2], third = data$x[, 3],
#'                             data = data, metric = metric_ndcg(10), seed = 1)
#' compared
#' tidy(compared)
#'
#' @details
#' **The star.** `print()` marks a ranker as best if its mean is the highest. It also marks rankers
#' whose adjusted p-value against the highest mean is above `level`. This does not show that they are
#' equal.
#'
#' All tests are conditional on the models. They cover other queries, not other trainings of the same
#' algorithms.
#'
#' **Columns.** \eqn{d_q} is the difference of two rankers on query q of n, rounded to 12 significant
#' digits. So rounding noise does not break ties.
#'
#' * `p_t`: \eqn{t = \bar d / \mathrm{se}}{t = mean(d) / se}, two-sided, with \eqn{\mathrm{se} = s_d /
#'   \sqrt n}{se = sd(d) / sqrt(n)} and `n_effective` - 1 degrees of freedom. `n_effective` is n, or
#'   with weights \eqn{(\sum_q w_q)^2 / \sum_q w_q^2}{(sum w)^2 / sum w^2} (Kish). With weights the
#'   standard error is as in [evaluate()]. Over folds \eqn{\mathrm{se}^2 = \sum_f (n_f / n)^2 s_f^2 /
#'   n_f}{se^2 = sum_f (n_f / n)^2 s_f^2 / n_f}, with Satterthwaite's degrees of freedom. Folds of one
#'   query are one stratum.
#' * `p_wilcoxon`: Wilcoxon's signed ranks without zeros; ties have mean ranks. Exact for up to 50
#'   nonzero differences, else normal (`note`: "Wilcoxon approximate"). `NA` with different weights. It
#'   tests the `pseudo_median` (Hodges and Lehmann), not the mean. If their signs differ, neither ranker
#'   is called worse (`note`: "mean and ranks disagree").
#' * `p_randomization`: the fraction of sign patterns with \eqn{|\sum_q d_q|}{|sum d|} at least as large
#'   as observed. All patterns are used for up to 20 nonzero differences, else `resamples` random
#'   patterns and the observed one. `p_floor` is the smallest possible p-value. A pair that reaches it
#'   is tested again with more patterns, up to 20 times the number of pairs divided by `level`, if the
#'   time allows it. `note` reports if `p_floor` times the number of pairs exceeds `level`.
#' * `lower`, `upper`: the interval of the mean difference, not adjusted for the number of pairs. It may
#'   exclude 0 although the adjusted p-value is above `level`. `"t"`: \eqn{\bar d \pm t_{1 - \alpha / 2}
#'   \mathrm{se}}{mean(d) +- t se}. `"flips"`: the values m for which sign flips of \eqn{d - m} do not
#'   reject, for up to 1000 queries, else the t interval. `"bca"`: the bias-corrected accelerated
#'   bootstrap. It is too short for fewer than 50 queries or many ties.
#' * `effect`: Cohen's \eqn{d_z = \bar d / s_d}{d_z = mean(d) / sd(d)}, weighted by query weights. `NA` if
#'   all differences are equal.
#' * `heterogeneity`: the p-value of Cochran's Q for different means of the folds. `NA` for one fold.
#' * `wins`, `losses`, `ties`: the fractions of queries on which a is better, worse, or equal.
#' * `identical`: the fraction of queries on which both rank all documents alike. `NA` for evaluations.
#' * `normality`: the p-value of the Shapiro-Wilk test. `NA` for fewer than 3 or more than 5000 queries.
#' * `folds_ahead`: the number of folds in which a is ahead.
#'
#' **Repeated queries.** With repeated cross-validation or several seeds, a query with the same
#' judgements is in several folds. Its values are averaged first, without strata. Then `combine =
#' "fisher"` and `"stouffer"` are errors, because the folds are not independent.
#'
#' **Undefined cases.** With one query, or if all differences are 0, p is 1. If all differences are
#' equal but not 0, `p_t` is the p-value of the sign flips, \eqn{2^{1 - n}}{2^(1 - n)}. The interval is
#' `NA` if the spread of the differences is unknown. `note` reports these cases. `NaN` excludes a query,
#' and `NA` counts as 0, as in the mean.
#'
#' @section Conditions:
#' * `rankmix_error_queries`: evaluations of different queries or folds.
#' * `rankmix_error_grade`: evaluations of the same queries with different grades, or with swapped
#'   grades of documents with ids.
#' * `rankmix_error_values`: a query that counts for one ranker only.
#' * `rankmix_error_argument`: fewer than two rankers; missing or repeated names; metrics that some
#'   evaluations lack; different metrics under one name; folds that share queries, unless `combine =
#'   "pool"`.
#' * The conditions of [evaluate()].
#' @section Cost: O(pairs x queries x `resamples`): 0.1 s a pair for 10,000 queries and 10,000
#'   resamples.
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013), section 7,
#'   \doi{10.1007/s10994-013-5360-9}. Smucker, Allan and Carterette (2007),
#'   \doi{10.1145/1321440.1321528}. Efron (1987), \doi{10.1080/01621459.1987.10478410}.
#' @export
compare_rankers <- function(..., data = NULL, metric = NULL, test = "t", combine = "pool",
                            adjust = "holm", level = 0.05, interval = NULL, topics = "error",
                            resamples = 10000, seed = NULL, threads = NULL) {
  threads <- check_threads(threads)
  check_choice(test, "test", c("t", "wilcoxon", "randomization"))
  check_choice(combine, "combine", c("pool", "fisher", "stouffer"))
  check_choice(adjust, "adjust", c("holm", "BH", "none"))
  check_number(level, "level", 1e-6, 0.5)
  if (is.null(interval)) interval <- interval_of_test(test)
  check_choice(interval, "interval", interval_methods)
  check_count(resamples, "resamples", min = 100, max = 1e8)
  seed <- check_seed(seed)
  rankers <- list(...)
  check_named_data(rankers, data, metric)
  naming_memory({
    evaluated <- evaluated_rankers(rankers, data, metric, threads, topics)
    values <- paired_values(evaluated)
    if (test == "wilcoxon" && any(vapply(values, weights_differ, NA))) {
      stop_input("argument", "Wilcoxon's test cannot use weights of queries.",
                 remedy = "Use `test = \"t\"` or `test = \"randomization\"`.")
    }
    if (combine != "pool") check_independent_folds(values, combine)
    settings <- list(test = test, combine = combine, adjust = adjust, level = level,
                     interval = interval, resamples = resamples, seed = seed, threads = threads)
    compared <- lapply(values, compare_pairs, identical = evaluated$identical,
                       settings = settings)
    pairs <- bind_named(lapply(compared, `[[`, "pairs"), "metric")
    structure(
      list(pairs = pairs, rankers = bind_named(Map(rate_rankers, values, split_by(pairs, "metric"),
                                                   list(settings)), "metric"),
           folds = bind_named(lapply(compared, `[[`, "folds"), "metric"), values = values,
           settings = settings[names(settings) != "threads"], shown = evaluated$shown),
      class = "rankmix_comparison"
    )
  })
}

# `data` and `metric` must be named, because `...` holds any number of rankers.
check_named_data <- function(rankers, data, metric, call = rlang::caller_env()) {
  unnamed <- rankers[!nzchar(rlang::names2(rankers))]
  is_data <- vapply(unnamed, inherits, NA, what = c("ranking_data", "rankmix_qrels"))
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

rate_rankers <- function(paired, pairs, settings) {
  rankers <- colnames(paired$values)
  rows <- lapply(rankers, function(ranker) {
    data.frame(ranker = ranker,
               summary_columns(summarise_values(paired$values[, ranker], paired$weight,
                                                1 - settings$level), paired$weight))
  })
  table <- do.call(rbind, rows)
  top <- top_ranker(table)
  column <- verdict_column(settings)
  against <- vapply(rankers, function(ranker) {
    if (ranker == top) {
      return(NA_real_)
    }
    pairs[[column]][(pairs$a == ranker & pairs$b == top) |
                      (pairs$a == top & pairs$b == ranker)]
  }, numeric(1))
  table$rank <- rank_means(table$mean)
  table$p_best <- unname(against)
  # Nothing is concluded if signed ranks contradict the means, or if folds differ significantly in
  # both directions.
  open <- vapply(rankers, function(ranker) {
    row <- pairs[(pairs$a == ranker & pairs$b == top) | (pairs$a == top & pairs$b == ranker), ]
    ranker != top && (row$both_directions || settings$test == "wilcoxon" &&
                        !ranks_agree(row$pseudo_median, row$difference))
  }, NA)
  table$best <- is.na(table$p_best) | table$p_best > settings$level | open
  table$undefined <- unname(paired$undefined)
  table
}

# The column with the p-values that decide which ranker is best.
verdict_column <- function(settings) {
  switch(settings$adjust, holm = "p_holm", BH = "p_bh", none = paste0("p_", settings$test))
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

test_names <- c(t = "paired t tests", wilcoxon = "Wilcoxon's signed ranks",
                randomization = "sign-flip randomisation")
combine_names <- c(fisher = "combined by Fisher", stouffer = "combined by Stouffer",
                   pool = "pooled")
adjust_names <- c(holm = "Holm", BH = "Benjamini-Hochberg", none = "not adjusted")

describe_settings <- function(settings, folds) {
  paste0(test_names[[settings$test]],
         if (folds > 1L) sprintf(" in %d folds, %s", folds, combine_names[[settings$combine]]),
         ", ", if (settings$adjust == "none") "p not adjusted" else {
           paste("p adjusted after", adjust_names[[settings$adjust]])
         })
}

# "each tested in 10 folds".
repeat_words <- function(repeats) {
  if (repeats[1L] == repeats[2L]) sprintf("%d folds each", repeats[1L]) else {
    sprintf("%d to %d folds", repeats[1L], repeats[2L])
  }
}

interval_names <- c(t = "t", flips = "sign-flip", bca = "BCa bootstrap")

# Describes the intervals and p-values. They do not match if p is adjusted.
interval_words <- function(settings, pairs) {
  paste0(sprintf("%s %% %s interval of this pair alone", plain_number(100 * (1 - settings$level)),
                 interval_names[[settings$interval]]),
         if (settings$adjust != "none" && pairs > 1L) {
           sprintf("; p adjusted over %d pairs", pairs)
         })
}

#' @export
summary.rankmix_comparison <- function(object, ...) {
  check_no_others(...)
  object$rankers
}

#' @export
print.rankmix_comparison <- function(x, ...) {
  metrics <- names(x$values)
  table <- x$rankers[x$rankers$metric == metrics[1L], ]
  table <- table[order(table$rank), ]
  pairs <- x$pairs[x$pairs$metric == metrics[1L], ]
  repeats <- x$values[[1L]]$repeats
  weighted <- weights_differ(x$values[[1L]])
  say(sprintf("<rankmix_comparison> %d rankers, %s%s; %s", nrow(table),
              counted(table$queries[1L], "query", "queries"),
              paste0("", if (weighted) sprintf(" (%.1f effective)", table$n_effective[1L]),
                     if (!is.null(repeats)) paste(", tested in", repeat_words(repeats))),
              describe_settings(x$settings, x$pairs$folds[1L])))
  shown <- utils::head(table, if (nrow(table) > 5L) 4L else 5L)
  against <- vapply(shown$ranker, against_best, "", x = x, metric = metrics[1L])
  # The metric name has 12 further characters beside it, and then the columns.
  names <- shorten(c(metrics[1L], shown$ranker),
                   max(getOption("width") - 12L - max(nchar(against)), 8L))
  names <- format(names)
  say("  ", names[1L], "    mean")
  say(sprintf("%s %s  %.4f  %s", ifelse(shown$best, "*", " "), names[-1L], shown$mean, against))
  if (nrow(table) > nrow(shown)) {
    say(sprintf("  ... and %d more", nrow(table) - nrow(shown)))
  }
  notes <- c(if (length(metrics) > 1L) sprintf("%d more metric%s", length(metrics) - 1L,
                                               if (length(metrics) > 2L) "s" else ""),
             if (any(nzchar(x$pairs$note))) "pairs with notes")
  say("[ ]: ", interval_words(x$settings, nrow(pairs)))
  say(sprintf("* the highest mean, or no difference to it shown at level %s%s",
              plain_number(x$settings$level),
              if (length(notes) > 0L) paste0("; see `tidy()`: ", paste(notes, collapse = ", "))
              else ""))
  invisible(x)
}

# The comparison with the best ranker, such as "-0.0213 [-0.0400, -0.0012], p = 0.03, all
# differences are 0".
against_best <- function(ranker, x, metric) {
  table <- x$rankers[x$rankers$metric == metric, ]
  top <- top_ranker(table)
  if (ranker == top) {
    return("the highest mean")
  }
  rows <- pairs_against(x$pairs[x$pairs$metric == metric, ], top)
  row <- rows[rows$ranker == ranker, ]
  interval <- if (is.na(row$lower)) "[no interval]" else {
    sprintf("[%+.4f, %+.4f]", row$lower + 0, row$upper + 0)
  }
  paste0(sprintf("%+.4f %s, %s", row$difference + 0, interval,
                 show_p(table$p_best[table$ranker == ranker], row$at_floor)),
         if (nzchar(row$note)) paste0("; ", row$note) else "")
}

# The pairs with `b` as the second ranker. 0 - x avoids negative zeros. `at_floor` is TRUE if random
# sign patterns cannot give a smaller p-value.
pairs_against <- function(pairs, b) {
  rows <- pairs[pairs$a == b | pairs$b == b, ]
  swapped <- rows$a == b
  data.frame(ranker = ifelse(swapped, rows$b, rows$a),
             difference = ifelse(swapped, 0 - rows$difference, rows$difference),
             lower = ifelse(swapped, 0 - rows$upper, rows$lower),
             upper = ifelse(swapped, 0 - rows$lower, rows$upper), note = rows$note,
             at_floor = !is.na(rows$p_floor) & rows$p_randomization <= rows$p_floor * (1 + 1e-9))
}

# "p <= 0.0012" if p is the smallest possible value.
show_p <- function(p, at_floor = FALSE) {
  ifelse(at_floor, sprintf("p <= %.*f", 4L, pmax(p, 1e-4)),
         ifelse(p < 1e-4, "p < 0.0001", sprintf("p = %.4f", p)))
}
