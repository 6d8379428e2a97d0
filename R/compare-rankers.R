#' Which ranker is better?
#'
#' Compares rankers on the same queries: paired tests of every two, fold by fold where
#' there are folds, corrected for their number, with the interval of the difference, and
#' which rankers are not significantly worse than the best.
#'
#' @param ... Rankers with names, each different: anything that [evaluate()] takes (runs with
#'   judgements as `data`), or
#'   evaluations that it gave, one by one or in a list; without names one evaluation of several rankers, or a
#'   benchmark made by [benchmark_rankers()].
#' @param data Judged data on which rankers that are not evaluated yet are.
#' @param metric A metric or its text; or several in a list. Of evaluations and benchmarks
#'   by default all metrics.
#' @param test The test whose p-values are adjusted and decide who is worse: `"t"`
#'   (Student's paired t), `"wilcoxon"` (signed ranks) or `"randomization"` (sign flips).
#' @param combine How the p-values of folds become one: `"fisher"` or `"stouffer"`, see
#'   [fisher_combine()]; or `"pool"`, one test over the queries of all folds.
#' @param adjust Which adjusted p-value decides who is worse: `"holm"`, `"BH"` (Benjamini
#'   and Hochberg) or `"none"`, the papers' way.
#' @param level The level of the tests, such as 0.05; intervals have `1 - level`.
#' @param resamples Number of random sign patterns and of bootstrap samples.
#' @param seed Seed of both; by default from R's generator, so that [set.seed()] rules.
#' @param threads Number of threads; results do not depend on it.
#'
#' @details
#' Let \eqn{d_q} be the difference of two rankers' values for query q, of n queries.
#'
#' * `p_t`: \eqn{t = \bar d / (s_d / \sqrt n)}{t = mean(d) / (sd(d) / sqrt(n))}, two-sided
#'   with n - 1 degrees of freedom. With weights of queries the standard error is that of
#'   [evaluate()]'s `summary()`.
#' * `p_wilcoxon`: [stats::wilcox.test()] of d; exact for fewer than 50 queries without
#'   ties and zeros, else its normal approximation. `NA` with weights.
#' * `p_randomization`: the share of sign patterns of the \eqn{d_q}{d} whose
#'   \eqn{|\sum_q d_q|}{|sum d|} reaches the observed one; of all patterns for up to 20
#'   differences that are not 0, else of `resamples` random ones and the observed one.
#' * `lower`, `upper`: the bias-corrected and accelerated bootstrap interval of the mean
#'   difference over all queries.
#' * `effect`: Cohen's \eqn{d_z = \bar d / s_d}{d_z = mean(d) / sd(d)}, both weighted where
#'   queries have weights; `NA` where all differences are the same.
#'
#' Defined where tests are not: with one query, or where all differences are 0, p is 1;
#' where all are the same and not 0, `p_t` is that of the sign flips, \eqn{2^{1 - n}}{2^(1 - n)}.
#' `note` says so. A query that a metric leaves out of the mean (`NaN`) is left out; `NA`
#' counts as 0, as in the mean.
#'
#' A ranker is marked best if its mean is the highest, or its adjusted p-value against the
#' one with the highest mean is above `level`.
#'
#' Diagnostics: `wins`, `losses` and `ties`, the shares of queries in which a is better,
#' worse, or has the same value; `identical`, the share in which both rank all documents
#' alike (`NA` for evaluations, which do not tell); `normality`, the p-value of Shapiro and
#' Wilk's test of the differences (`NA` for fewer than 3 or more than 5000 queries);
#' `folds_ahead`, the number of folds in which a is ahead.
#'
#' @return A value of class `rankmix_comparison` with `pairs`, a data frame with a row for
#'   each metric and pair of rankers `a` and `b`; `rankers`, one with a row for each metric
#'   and ranker; `folds`, the tests fold by fold; and `values`, for each metric the values
#'   of the rankers side by side. `tidy()` gives `pairs`; `autoplot()` see
#'   [autoplot.rankmix_comparison()].
#' @section Conditions: `rankmix_error_queries`: evaluations of different queries or folds.
#'   `rankmix_error_grade`: evaluations of the same queries with different grades. Where
#'   documents have ids, also grades that documents have exchanged.
#'   `rankmix_error_values`: a query that counts for one ranker only.
#'   `rankmix_error_argument`: fewer than two rankers, names that are lacking or the same,
#'   metrics that not all have. And the conditions of [evaluate()].
#' @section Cost: O(pairs x queries x `resamples`) for n queries: 0.1 s a pair for 10,000
#'   queries and 10,000 resamples (`bench/compare.R`).
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013), section 7,
#'   \doi{10.1007/s10994-013-5360-9}. Smucker, Allan and Carterette (2007),
#'   \doi{10.1145/1321440.1321528}. Efron (1987), \doi{10.1080/01621459.1987.10478410}.
#' @examples
#' data <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' compared <- compare_rankers(first = data$x[, 1], second = data$x[, 2], third = data$x[, 3],
#'                             data = data, metric = ndcg(10), seed = 1)
#' compared
#' tidy(compared)
#' @export
compare_rankers <- function(..., data = NULL, metric = NULL, test = "t", combine = "fisher",
                            adjust = "holm", level = 0.05, resamples = 10000, seed = NULL,
                            threads = NULL) {
  threads <- check_threads(threads)
  check_choice(test, "test", c("t", "wilcoxon", "randomization"))
  check_choice(combine, "combine", c("fisher", "stouffer", "pool"))
  check_choice(adjust, "adjust", c("holm", "BH", "none"))
  check_number(level, "level", 1e-6, 0.5)
  check_count(resamples, "resamples", min = 100, max = 1e8)
  seed <- check_seed(seed)
  evaluated <- evaluated_rankers(list(...), data, metric, threads)
  values <- paired_values(evaluated)
  if (test == "wilcoxon" && any(vapply(values, weights_differ, NA))) {
    stop_input("argument", "Wilcoxon's test knows no weights of queries.",
               remedy = "Use `test = \"t\"` or `test = \"randomization\"`.")
  }
  settings <- list(test = test, combine = combine, adjust = adjust, level = level,
                   resamples = resamples, seed = seed, threads = threads)
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
}

rate_rankers <- function(paired, pairs, settings) {
  rankers <- colnames(paired$values)
  rows <- lapply(rankers, function(ranker) {
    data.frame(ranker = ranker,
               summarise_values(paired$values[, ranker], paired$weight, 1 - settings$level))
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
  table$best <- is.na(table$p_best) | table$p_best > settings$level
  table$undefined <- unname(paired$undefined)
  table
}

# The p-values that decide.
verdict_column <- function(settings) {
  switch(settings$adjust, holm = "p_holm", BH = "p_bh", none = paste0("p_", settings$test))
}

# The ranker with the highest mean.
top_ranker <- function(table) table$ranker[which.max(table$mean)]

# Data frames of one list under each other, their names as the first column.
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
tidy.rankmix_comparison <- function(x, ...) x$pairs

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

#' @export
print.rankmix_comparison <- function(x, ...) {
  metrics <- names(x$values)
  table <- x$rankers[x$rankers$metric == metrics[1L], ]
  table <- table[order(table$rank), ]
  say(sprintf("<rankmix_comparison> %d rankers, %s; %s", nrow(table),
              counted(table$queries[1L], "query", "queries"),
              describe_settings(x$settings, x$pairs$folds[1L])))
  shown <- utils::head(table, if (nrow(table) > 6L) 5L else 6L)
  against <- vapply(shown$ranker, against_best, "", x = x, metric = metrics[1L])
  # Beside a name there are 12 letters and what follows.
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
  say(sprintf("* best, or not significantly worse at level %s%s",
              plain_number(x$settings$level),
              if (length(notes) > 0L) paste0("; see `tidy()`: ", paste(notes, collapse = ", "))
              else ""))
  invisible(x)
}

# "-0.0213 [-0.0400, -0.0012], p = 0.03, all differences are 0" against the best.
against_best <- function(ranker, x, metric) {
  table <- x$rankers[x$rankers$metric == metric, ]
  top <- top_ranker(table)
  if (ranker == top) {
    return("the highest mean")
  }
  rows <- pairs_against(x$pairs[x$pairs$metric == metric, ], top)
  row <- rows[rows$ranker == ranker, ]
  paste0(sprintf("%+.4f [%+.4f, %+.4f], %s", row$difference, row$lower, row$upper,
                 show_p(table$p_best[table$ranker == ranker])),
         if (nzchar(row$note)) paste0("; ", row$note) else "")
}

# The rows of pairs with `b` as their second ranker; 0 - x, so that no 0 has a sign.
pairs_against <- function(pairs, b) {
  rows <- pairs[pairs$a == b | pairs$b == b, ]
  swapped <- rows$a == b
  data.frame(ranker = ifelse(swapped, rows$b, rows$a),
             difference = ifelse(swapped, 0 - rows$difference, rows$difference),
             lower = ifelse(swapped, 0 - rows$upper, rows$lower),
             upper = ifelse(swapped, 0 - rows$lower, rows$upper), note = rows$note)
}

show_p <- function(p) {
  ifelse(p < 1e-4, "p < 0.0001", sprintf("p = %.4f", p))
}
