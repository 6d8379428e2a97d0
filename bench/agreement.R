# Coverage of the intervals of order_agreement(), assessor_agreement() and reproduction(), and type I error of the
# interaction test of query_report(), by simulation. Writes bench/agreement.md.
#
#   Rscript bench/agreement.R [repetitions]
#
# `repetitions` (2,000) draws of each row; 9 minutes on one core. Each draw takes n queries or units with
# replacement from a population of 20,000. The true value is the value of the population.
#
# 1. Bootstrap interval of tau between two metrics of the same rankers. Queries share their difficulty. The
#    spread of the true means and the correlation of both metrics' means vary.
# 2. Bootstrap interval of Krippendorff's alpha (ordinal), by units and by queries.
# 3. Intervals of RMSE, effect ratio and Delta RI.
# 4. The interaction test, with the same mean difference in all groups: equal groups, groups of different sizes and
#    spreads, and many ties. The permutation test with the usual F statistic is shown beside it.
#
# Targets: coverage of at least .90 for alpha of 100 or more units and for reproduction of 50 or more queries. For
# tau the same, if the true tau is below 1. The type I error of the interaction is at most .06 plus two standard
# errors.

library(rankmix)
source("bench/common.R")

repetitions <- as.integer(c(commandArgs(trailingOnly = TRUE), "2000")[1L])
internal <- asNamespace("rankmix")
missed <- character()
size <- 20000L
samples <- 199L
permutations <- 99L
miss <- function(bad, text) if (bad) missed <<- c(missed, text)
error_of <- function(rate) sqrt(rate * (1 - rate) / repetitions)

# 1. Values of k rankers on all queries by two metrics.
metric_values <- function(k, spread, correlation) {
  set.seed(1)
  first <- spread * qnorm(ppoints(k))
  other <- sample(first)
  second <- correlation * first + sqrt(1 - correlation^2) * other
  difficulty <- rnorm(size, 0.5, 0.2)
  noise <- matrix(rnorm(size * k, 0, 0.15), size)
  values <- function(means, noise) {
    values <- pmin(pmax(difficulty + rep(means, each = size) + noise, 0), 1)
    matrix(values, size, dimnames = list(NULL, paste0("r", seq_len(k))))
  }
  list(values(first, noise), values(second, 0.8 * noise + matrix(rnorm(size * k, 0, 0.09), size)))
}
tau_rows <- lapply(list(c(6, .05, .7), c(12, .05, .7), c(6, .02, 1), c(6, .1, 1)), function(setting) {
  all <- metric_values(setting[1L], setting[2L], setting[3L])
  tau <- function(two) internal$kendall_tau(colMeans(two[[1L]]), colMeans(two[[2L]]), FALSE)
  truth <- tau(all)
  lapply(c(50, 200), function(n) {
    found <- simulate(function(i) {
      rows <- sample.int(size, n, TRUE)
      two <- lapply(all, function(values) list(query = seq_len(n), values = values[rows, ]))
      settings <- list(resamples = samples, seed = i, level = 0.95)
      ends <- internal$agreement_interval(internal$resampled_means(two, settings), "tau", settings)
      c(tau(lapply(two, `[[`, "values")), ends)
    }, repetitions)
    covered <- found[, 2L] <= truth + 1e-9 & found[, 3L] >= truth - 1e-9
    miss(truth < 1 - 1e-9 && mean(covered) < 0.9, sprintf("tau of %d rankers, n = %d", setting[1L], n))
    table_row(setting[1L], setting[2L], sprintf("%.3f", truth), n, sprintf("%.3f", mean(found[, 1L])),
              rate_of(covered), sprintf("%.3f", mean(found[, 3L] - found[, 2L])))
  })
})

# 2. Grades of three assessors. Each sees the latent relevance with an error, and the documents of a query share
# how hard they are to grade.
all_grades <- function(error, per_query = 10L) {
  set.seed(2)
  truth <- rnorm(size)
  hard <- rep(rexp(size / per_query), each = per_query)
  grades <- vapply(1:3, function(j) findInterval(truth + error * hard * rnorm(size), c(0.3, 1, 1.8)) + 0, numeric(size))
  replace(grades, runif(3 * size) < 0.2, NA)
}
alpha_rows <- lapply(c(0.3, 1), function(error) {
  grades <- all_grades(error)
  alpha <- function(rows) {
    table <- list(grades = grades[rows, ] + 1L, values = 0:3, is_factor = FALSE)
    internal$agreement_measure(table, "alpha", "ordinal", "quadratic", NULL)
  }
  every <- alpha(seq_len(size))
  truth <- every$of(rep(1, length(every$units)))[["estimate"]]
  lapply(list(c(30, 1), c(100, 1), c(200, 10))[if (error < 1) 1:3 else 2:3], function(setting) {
    n <- setting[1L]
    per_query <- setting[2L]
    found <- simulate(function(i) {
      rows <- if (per_query == 1) sample.int(size, n, TRUE) else {
        rep((sample.int(size / per_query, n / per_query, TRUE) - 1) * per_query, each = per_query) +
          seq_len(per_query)
      }
      measure <- alpha(rows)
      by_units <- internal$bootstrap_agreement(measure$of, measure$units, 0.95, samples, i)
      query <- (measure$units - 1) %/% per_query
      by_queries <- if (per_query == 1) NA else internal$bootstrap_agreement(measure$of, query, 0.95, samples, i)
      covers <- function(ends) ends[1L] <= truth && ends[2L] >= truth
      c(covers(by_units), covers(by_queries))
    }, repetitions)
    miss(n >= 100 && per_query == 1 && mean(found[, 1L]) < 0.9, sprintf("alpha, n = %d", n))
    table_row(sprintf("%.3f", truth), n, per_query, rate_of(found[, 1L]),
              if (per_query == 1) "-" else rate_of(found[, 2L]))
  })
})

# 3. A ranker and a baseline, and their reproduction with smaller gains.
experiment <- function() {
  set.seed(3)
  difficulty <- rnorm(size, 0.5, 0.2)
  value <- function(shift, noise) pmin(pmax(round(difficulty + shift + noise, 2), 0), 1)
  noise <- replicate(2, rnorm(size, 0, 0.12), simplify = FALSE)
  again <- function(noise) 0.9 * noise + rnorm(size, 0, 0.05)
  list(cbind(base = value(0, noise[[1L]]), new = value(0.08, noise[[2L]])),
       cbind(base = value(0, again(noise[[1L]])), new = value(0.06, again(noise[[2L]]))))
}
both <- experiment()
true_values <- tidy(reproduction(both[[1L]], both[[2L]], "base"))
measures <- c("rmse", "nrmse", "effect_ratio", "delta_ri")
truth <- true_values$estimate[match(measures, true_values$measure)]
reproduction_rows <- lapply(c(25, 100), function(n) {
  found <- simulate(function(i) {
    rows <- sample.int(size, n, TRUE)
    own <- tidy(reproduction(both[[1L]][rows, ], both[[2L]][rows, ], "base"))
    own <- own[match(measures, own$measure), ]
    c(is.na(own$lower) | own$lower <= truth & own$upper >= truth, is.na(own$lower[3L]))
  }, repetitions)
  miss(n >= 50 && any(colMeans(found)[1:4] < 0.9), sprintf("reproduction, n = %d", n))
  table_row(n, sprintf("%.3f", colMeans(found)))
})

# 4. Differences with mean 0 in each group.
f_statistic_p <- function(d, group, seed) {
  set.seed(seed)
  statistic <- function(d) {
    means <- rowsum(d, group) / tabulate(group)
    colSums(tabulate(group) * means^2)
  }
  # The total sum of squares is the same for all permutations.
  d <- d - mean(d)
  at <- replicate(permutations, sample.int(length(d)))
  (1 + sum(statistic(matrix(d[at], length(d))) >= statistic(cbind(d)) * (1 - 1e-9))) / (permutations + 1)
}
group_kinds <- list(
  `equal` = list(fractions = c(1, 1, 1) / 3, sd = c(1, 1, 1), same = 1 / 3),
  `85 % ties` = list(fractions = c(1, 1, 1) / 3, sd = c(1, 1, 1), same = 0.85),
  `large spread in the small group` = list(fractions = c(0.8, 0.2), sd = c(1, 3), same = 1 / 3),
  `small spread in the small group` = list(fractions = c(0.8, 0.2), sd = c(1, 1 / 3), same = 1 / 3)
)
interaction_rows <- lapply(names(group_kinds), function(name) {
  kind <- group_kinds[[name]]
  lapply(c(30, 200), function(n) {
    found <- simulate(function(i) {
      group <- rep(seq_along(kind$fractions), round(n * kind$fractions))
      changed <- runif(length(group)) >= kind$same
      # Skewed, as differences of metrics often are.
      d <- changed * round((rexp(length(group)) - 1) * kind$sd[group] * 0.2, 2)
      c(internal$interaction_p(d, NULL, NULL, factor(group), permutations, i) <= 0.05,
        f_statistic_p(d, group, i) <= 0.05)
    }, repetitions)
    rates <- colMeans(found)
    miss(rates[1L] > 0.06 + 2 * error_of(0.05) && n >= 200, sprintf("interaction, %s, n = %d", name, n))
    table_row(name, n, sprintf("%.3f", rates))
  })
})

writeLines(c(
  "# Agreement, reproduction and groups of queries", "",
  sprintf("Written by `Rscript bench/agreement.R %d`: %d draws per row, so that a rate of .05 or .95 has a standard",
          repetitions, repetitions),
  sprintf("error of %.3f. All intervals are 95 %% intervals, of %d bootstrap samples; tests have %d permutations.",
          error_of(0.05), samples, permutations),
  sprintf("rankmix %s, %s.", utils::packageVersion("rankmix"), R.version.string), "",
  "## Tau between two metrics", "",
  "`spread` is the standard deviation of the true means of the rankers; the values of a query have a standard deviation of .25. `estimate` is",
  "the mean of the observed tau, and `width` the mean width of the interval.", "",
  markdown_table(c("rankers", "spread", "true tau", "n", "estimate", "coverage", "width"), unlist(tau_rows)),
  "The intervals are wide: resampled orders are noisier than the observed ones. So most intervals contain the true tau in more than 95 % of draws.", "",
  "## Krippendorff's alpha", "",
  "Three assessors, four grades, a fifth of the grades missing. With 10 units of a query, the documents of a query are equally",
  "hard to grade, and queries are drawn.", "",
  markdown_table(c("true alpha", "units", "units of a query", "coverage, by units", "coverage, by queries"),
                 unlist(alpha_rows)),
  "## Reproduction", "",
  sprintf("The true values are RMSE %.3f, normalized %.3f, effect ratio %.3f and Delta RI %.3f. Unbounded intervals of the effect",
          truth[1L], truth[2L], truth[3L], truth[4L]),
  "ratio count as intervals that contain the truth.", "",
  markdown_table(c("n", "RMSE", "RMSE, normalized", "effect ratio", "Delta RI", "unbounded"),
                 unlist(reproduction_rows)),
  "## Interaction", "",
  "All groups have the true mean difference 0, so every rejection is an error. `Welch` is the test of `query_report()`. `F`",
  "permutes the usual F statistic, which confuses different spreads with different means.", "",
  markdown_table(c("groups", "n", "Welch", "F"), unlist(interaction_rows))
), "bench/agreement.md")
if (length(missed) > 0L) stop("Missed: ", paste(missed, collapse = "; "))
