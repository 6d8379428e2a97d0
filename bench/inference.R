# Error rates of the tests and coverage of the intervals of compare_rankers(), by simulation. Writes
# bench/inference.md.
#
#   CORES=2 Rscript bench/inference.R [repetitions]
#
# `repetitions` (2,000) draws of each row, by CORES processes. The values of two rankers are the sum of the
# difficulty of a query and of random noise for each ranker. The values have bounds, steps and ties like NDCG.
# Under the null hypothesis both rankers have the same distribution. Where nothing else is said, the level
# is .05 and intervals are of 95 %.
#
# 1. Type I errors and coverage of the default test and interval, and of BCa, by the number of queries.
# 2. The same with weights of queries.
# 3. Folds: pooled with a stratified standard error, Fisher with directions, Stouffer.
# 4. Ten repeats with the same test queries.
# 5. Signed ranks of few differences, and of skewed differences of mean 0.
# 6. Friedman's test on few data sets.
# 7. All pairs of several rankers: family-wise error, power, simultaneous intervals, the set of the best.
# 8. Many rankers.

library(rankmix)
source("bench/common.R")

repetitions <- as.integer(c(commandArgs(trailingOnly = TRUE), "2000")[1L])
internal <- asNamespace("rankmix")
settings <- list(test = "randomization", combine = "pool", adjust = "maxt", level = 0.05, interval = "t",
                 alternative = "two.sided", variance = "queries", resamples = 999, seed = 1, threads = 1L)

# Two rankers on n queries; a fraction `same` of the queries has equal values.
null_pair <- function(n, same = 1 / 3) {
  difficulty <- rnorm(n)
  value <- function() pmin(1, pmax(0, round(0.5 + 0.25 * difficulty + rnorm(n, 0, 0.2), 2)))
  a <- value()
  b <- ifelse(runif(n) < same, a, value())
  list(a = a, b = b)
}

# One pair, tested by the package.
tested <- function(a, b, fold = NULL, weight = NULL, ...) {
  own <- utils::modifyList(settings, list(...))
  paired <- list(values = cbind(a = a, b = b), fold = fold, query = seq_along(a), weight = weight)
  internal$compare_pairs(paired, NULL, own)$pairs
}
# The t test of folds, combined by each method from one evaluation of all tests.
tested_folds <- function(a, b, fold) {
  own <- utils::modifyList(settings, list(resamples = 99))
  paired <- list(values = cbind(a = a, b = b), fold = fold, query = seq_along(a), weight = NULL)
  found <- internal$compare_pairs(paired, NULL, own)
  methods <- c(fisher = "fisher", stouffer = "stouffer")
  combined <- vapply(methods, function(how) internal$combine_folds(found$folds, "t", how), 0)
  c(pool = found$pairs$p_t, combined, undirected = fisher_combine(found$folds$p_t))
}
covers <- function(pair) is.na(pair$lower) | pair$lower <= 0 & pair$upper >= 0
# The default interval. The interval is missing if no sign pattern is rare enough.
covers_jointly <- function(pair) is.na(pair$sim_lower) | pair$sim_lower <= 0 & pair$sim_upper >= 0

shapes <- list(`a third ties` = 1 / 3, `85 % ties` = 0.85)
plain <- unlist(lapply(names(shapes), function(shape) {
  lapply(c(10, 20, 50, 200), function(n) {
    found <- simulate(function(i) {
      pair <- null_pair(n, shapes[[shape]])
      by_t <- tested(pair$a, pair$b)
      bca <- tested(pair$a, pair$b, interval = "bca")
      data.frame(t = by_t$p_t <= 0.05, wilcoxon = by_t$p_wilcoxon <= 0.05,
                 flips = by_t$p_adjusted <= 0.05, joint = covers_jointly(by_t),
                 none = is.na(by_t$sim_lower), interval = covers(by_t), bca = covers(bca))
    })
    table_row(shape, n, rate_of(found$t), rate_of(found$wilcoxon), rate_of(found$flips), rate_of(found$joint),
        rate_of(found$none), rate_of(found$interval), rate_of(found$bca))
  })
}))

weighted <- unlist(lapply(c("1 / rank", "lognormal"), function(kind) {
  lapply(c(20, 50, 200), function(n) {
    weight <- if (kind == "lognormal") function() rlnorm(n, 0, 1.5) else function() 1 / seq_len(n)
    found <- simulate(function(i) {
      pair <- null_pair(n)
      by_t <- tested(pair$a, pair$b, weight = weight())
      data.frame(t = by_t$p_t <= 0.05, flips = by_t$p_randomization <= 0.05,
                 joint = by_t$p_adjusted <= 0.05, interval = covers(by_t), effective = by_t$n_effective)
    })
    table_row(kind, n, sprintf("%.0f", mean(found$effective)), rate_of(found$t), rate_of(found$flips),
        rate_of(found$joint), rate_of(found$interval))
  })
}))

# Models of folds differ by chance. `spread` is the standard deviation of this effect of a fold, divided by
# the standard error of a fold.
folds <- unlist(lapply(c(21, 157), function(size) {
  lapply(c(0, 0.5, 1), function(spread) {
    fold <- rep(1:5, each = size)
    found <- simulate(function(i) {
      pair <- null_pair(5 * size)
      a <- pair$a + rnorm(5, 0, spread * sd(pair$a - pair$b) / sqrt(size))[fold]
      data.frame(t(tested_folds(a, pair$b, fold) <= 0.05))
    })
    table_row(size, spread, rate_of(found$pool), rate_of(found$fisher), rate_of(found$undirected), rate_of(found$stouffer))
  })
}))

# One part of the difference of a query in a repeat belongs to the query, the other part to the repeat.
repeated <- unlist(lapply(c(0.5, 0.8, 1), function(correlation) {
  found <- simulate(function(i) {
    shared <- rnorm(50)
    d <- 0.2 * (sqrt(correlation) * rep(shared, 10) + sqrt(1 - correlation) * rnorm(500))
    table <- data.frame(ranker = rep(c("a", "b"), each = 500), fold = rep(rep(1:10, each = 50), 2),
                        query = rep(rep(1:50, 10), 2), documents = 10L, relevant = 3L, metric = "m",
                        value = c(d, numeric(500)))
    paired <- internal$paired_values(list(table = table))$m
    one <- internal$compare_pairs(paired, NULL, settings)$pairs
    apart <- tested(d, numeric(500), fold = rep(1:10, each = 50), resamples = 99)
    data.frame(one = one$p_t <= 0.05, apart = apart$p_t <= 0.05)
  })
  table_row(correlation, rate_of(found$one), rate_of(found$apart))
}))

signed <- unlist(lapply(c(5, 10, 20, 50), function(changed) {
  found <- simulate(function(i) {
    # Differences in steps of a tenth, symmetric about 0, and the same number of queries without a difference.
    d <- c(sample(c(-3:-1, 1:3), changed, TRUE), numeric(changed)) / 10
    data.frame(exact = tested(d, 0 * d)$p_wilcoxon <= 0.05,
               normal = suppressWarnings(wilcox.test(d, exact = FALSE)$p.value) <= 0.05)
  })
  table_row(changed, rate_of(found$exact), rate_of(found$normal))
}))
skewed <- unlist(lapply(c(20, 50, 200), function(n) {
  found <- simulate(function(i) {
    d <- rgamma(n, 12) - 12
    pair <- tested(d, 0 * d)
    agree <- internal$ranks_agree(pair$pseudo_median, pair$difference)
    data.frame(t = pair$p_t <= 0.05, wilcoxon = pair$p_wilcoxon <= 0.05,
               verdict = pair$p_wilcoxon <= 0.05 & agree)
  })
  table_row(n, rate_of(found$t), rate_of(found$wilcoxon), rate_of(found$verdict))
}))

friedman <- unlist(lapply(list(c(3, 3), c(5, 3), c(3, 5), c(5, 5), c(10, 5)), function(size) {
  found <- simulate(function(i) {
    means <- matrix(runif(prod(size)), size[1L], dimnames = list(NULL, letters[seq_len(size[2L])]))
    result <- compare_over_datasets(means)
    data.frame(p = result$p <= 0.05,
               chi = stats::pchisq(result$statistic, size[2L] - 1, lower.tail = FALSE) <= 0.05,
               method = result$method)
  })
  table_row(size[1L], size[2L], found$method[1L], rate_of(found$p), rate_of(found$chi))
}))

# All pairs of k rankers, by joint sign flips. The first `better` rankers are better by .15 on 70 % of the
# queries. Values have steps of a tenth, zeros and ties.
jointly <- function(n, k, better) {
  pairs <- t(utils::combn(k, 2L))
  core <- cbind(pairs - 1L, 1L)
  storage.mode(core) <- "integer"
  # Only differences between the first rankers and the others, if any, are true.
  equal <- pairs[, 1L] > better | pairs[, 2L] <= better
  simulate(function(i) {
    difficulty <- rnorm(n)
    values <- vapply(seq_len(k), function(j) {
      gain <- if (j <= better) 0.15 * (runif(n) < 0.7) else 0
      pmin(1, pmax(0, round(0.3 + 0.25 * difficulty + rnorm(n, 0, 0.2) + gain, 1)))
    }, numeric(n))
    seed <- sample.int(1e6, 1L)
    flips <- internal$joint_sign_flips(values, numeric(), integer(), core, 0L, 0.05, 999, seed, 1L)
    p <- internal$step_down_p(c(flips, list(directed = abs(flips$statistic))))
    t <- apply(pairs, 1L, function(own) {
      stats::t.test(values[, own[1L]], values[, own[2L]], paired = TRUE)$p.value
    })
    holm <- stats::p.adjust(t, "holm")
    set <- flips$best > 0.05
    data.frame(error = any(p[equal] <= 0.05), holm_error = any(holm[equal] <= 0.05),
               power = if (better > 0) mean(p[!equal] <= 0.05) else NA,
               holm_power = if (better > 0) mean(holm[!equal] <= 0.05) else NA,
               # All simultaneous intervals hold their true difference, if all rankers are equal.
               outside = if (better == 0) any(abs(flips$statistic) > flips$critical) else NA,
               best = set[1L], set = mean(set))
  })
}
shown_rate <- function(hits) if (anyNA(hits)) "" else rate_of(hits)
families <- unlist(lapply(list(c(20, 5), c(50, 5), c(50, 10)), function(size) {
  lapply(c(0, 2), function(better) {
    found <- jointly(size[1L], size[2L], better)
    table_row(size[1L], size[2L], better, rate_of(found$error), rate_of(found$holm_error), shown_rate(found$power),
        shown_rate(found$holm_power), if (better == 0) rate_of(!found$outside) else "", rate_of(found$best),
        rate_of(found$set))
  })
}))

# One ranker of 40 is better by .7, or all 40 are equal.
many <- vapply(c(`one is better by .7` = 0.7, `all are alike` = 0), function(better) {
  found <- lapply(seq_len(2L), function(i) {
    values <- vapply(1:40, function(j) runif(50, 0, 0.2) + if (j == 1) better else 0, numeric(50))
    evaluations <- lapply(stats::setNames(1:40, paste0("s", 1:40)), function(j) {
      structure(data.frame(query = 1:50, documents = 10L, metric = "m", value = values[, j]),
                class = c("rankmix_evaluation", "data.frame"))
    })
    compared <- do.call(compare_rankers, c(evaluations, list(seed = i)))
    sum(compared$rankers$best)
  })
  paste(unlist(found), collapse = ", ")
}, "")

writeLines(c(
  "# Error rates and coverage of comparisons", "",
  sprintf("Written by `Rscript bench/inference.R %d`: %d draws per row, so that a rate of .05 has a standard",
          repetitions, repetitions),
  sprintf("error of %.3f. rankmix %s, %s.", sqrt(0.05 * 0.95 / repetitions),
          utils::packageVersion("rankmix"), R.version.string), "",
  "## One pair", "",
  "Both rankers are equally good. The columns show the rate of rejections at .05, and how often the 95 % interval contains 0.",
  "`default` is the interval by sign flips. `missing` is the fraction of cases without an interval, because no sign pattern is as rare as .05.",
  "A missing interval counts as one that contains 0. `t interval` and `BCa` are other intervals.", "",
  "With 85 % ties, ten queries have one or two differences that are not 0. The t test then rejects too rarely, and its interval contains 0 too often.", "",
  markdown_table(c("queries", "n", "t", "Wilcoxon", "sign flips", "default", "missing", "t interval", "BCa"), plain),
  "## Weights of queries", "",
  "`effective` is the mean of Kish's effective number of queries. The t test has the degrees of freedom of this number.",
  "`sign flips` compares sums, `joint` compares the t of compare_rankers().", "",
  markdown_table(c("weights", "n", "effective", "t", "sign flips", "joint", "t interval"), weighted),
  "## Several rankers", "",
  "All pairs of k rankers. `better` rankers are better by .15 on 70 % of the queries. Values have steps of a tenth, zeros and",
  "ties. `error` is the rate of any false rejection at .05 by step-down maxT, `Holm` by paired t tests with Holm's",
  "adjustment. `power` is the fraction of true differences that are found. `intervals` is how often all simultaneous",
  "intervals contain 0. `best in set` is how often the set of the best contains the first ranker, and `set` the",
  "mean fraction of rankers in it.", "",
  markdown_table(c("n", "k", "better", "error", "Holm", "power", "power of Holm", "intervals", "best in set", "set"),
           families),
  "## Five folds", "",
  "The true difference is 0. `spread` is the standard deviation of the effect of a fold, relative to the standard error of a",
  "fold. If `spread` is above 0, the models of the folds differ by chance. All tests are conditional on these models, so they then reject too often.",
  "`Fisher` respects directions; `undirected` is the version of the papers.", "",
  markdown_table(c("queries a fold", "spread", "pool", "Fisher", "undirected", "Stouffer"), folds),
  "## The same 50 test queries in ten repeats", "",
  "`correlation` is the correlation of a query's difference between two repeats. `averaged` is the method of",
  "compare_rankers(). `as 500 queries` is its former method.", "",
  markdown_table(c("correlation", "averaged", "as 500 queries"), repeated),
  "## Signed ranks", "",
  "Half of the differences are 0. The others are in steps of a tenth, and symmetric about 0.", "",
  markdown_table(c("differences", "exact", "normal"), signed),
  "Skewed differences with mean 0 (gamma, shape 12). The signed-rank test is about the pseudo-median. `verdict` counts a",
  "rejection only if the mean has the same sign.", "",
  markdown_table(c("n", "t", "Wilcoxon", "verdict"), skewed),
  "## Friedman's test on few data sets", "",
  markdown_table(c("data sets", "rankers", "method", "rejections", "chi-squared"), friedman),
  "## Forty rankers, 50 queries", "",
  sprintf("Rankers in the set of the best in two draws: %s: %s.", names(many), many)
), "bench/inference.md")
