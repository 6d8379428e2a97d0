# Bias and coverage of evaluate_sampled() and verdicts of judgement_bounds(), by simulation. Writes
# bench/unjudged.md.
#
#   Rscript bench/unjudged.R [repetitions]
#
# `repetitions` (200, a fifth of them for the bounds) draws of 50 queries from a population of 400 fully judged
# ones. A query has a pool of 100 documents with grades 0, 1, 2. Runs rank by quality with noise.
#
# 1. Samples of a fraction of the pool are judged. The truth is the mean over the population with all judgements.
# 2. Coverage of t intervals over queries. Each query of the population is sampled 50 times. A draw has 50 or 200
#    queries, and one of the samples of each query. There are 20 times as many draws as in part 1. Estimates are the
#    published estimates, and the estimates with `bias_correction = "jackknife"`.
# 3. The pool contains the top documents of two runs, down to a given depth. A third run is new. The bounds of its
#    difference are compared with the difference if everything is judged.
#
# Targets: 95 % intervals of xinfAP and infNDCG over queries and samples contain the truth in 94 to 96 % of draws, with
# a tolerance of two standard errors, for stratified samples. The difference with all judgements is always within the
# bounds. A verdict "whatever the unjudged documents are" never contradicts the true direction in more than 2.5 % of
# the draws.

library(rankmix)
source("bench/common.R")

repetitions <- as.integer(c(commandArgs(trailingOnly = TRUE), "200")[1L])
population <- 400L
queries <- 50L
pool_size <- 100L
missed <- character()

# Quality, grade and scores of each document of the pool of each query: matrices with a row for each query.
set.seed(1)
quality <- matrix(rnorm(population * pool_size), population)
shift <- rnorm(population, 0, 0.4)
grade <- (quality + shift > 1.1) + (quality + shift > 1.9)
scores <- list(old = quality + rnorm(length(quality), 0, 1.6), other = quality + rnorm(length(quality), 0, 1.5),
               new = quality + rnorm(length(quality), 0, 1.2))
ranks <- lapply(scores, function(s) t(apply(-s, 1L, rank)))
documents <- sprintf("d%03d", seq_len(pool_size))

# Some queries of the population as tables. A query may be drawn twice, so it gets a new id.
table_of <- function(drawn, values) {
  data.frame(query = rep(seq_along(drawn), each = pool_size), document = rep(documents, length(drawn)),
             value = as.vector(t(values[drawn, ])))
}
run_of <- function(drawn, name, depth = 60) {
  table <- table_of(drawn, -ranks[[name]])
  names(table)[3L] <- "score"
  as_run(table[table$score >= -depth, ])
}
qrels_of <- function(drawn) {
  table <- table_of(drawn, grade)
  names(table)[3L] <- "relevance"
  table
}
everything <- seq_len(population)
truth_of <- function(metric) evaluate(run_of(everything, "old"), as_qrels(qrels_of(everything)), metric)$value
truth <- c(ap = mean(truth_of("map")), ndcg = mean(truth_of(metric_ndcg(gain = "linear"))))

# 1. Samples ------------------------------------------------------------------------------------

# The documents of each query that both runs of the pool rank best make the first stratum.
best <- t(apply(pmin(ranks$old, ranks$other), 1L, rank, ties.method = "first"))
stratum <- ifelse(best <= 20, "top", "rest")

# `fraction` of the pool is judged: at random, or three times as many of the top stratum.
sample_judgements <- function(drawn, fraction, design) {
  table <- qrels_of(drawn)
  strata <- if (design == "uniform") rep("all", nrow(table)) else table_of(drawn, stratum)$value
  count <- if (design == "uniform") c(all = fraction * pool_size) else {
    top <- min(20, 3 * fraction * 20)
    c(top = top, rest = fraction * pool_size - top)
  }
  key <- paste(table$query, strata)
  order <- ave(runif(nrow(table)), key, FUN = rank)
  table$relevance[order > round(count[strata])] <- NA
  table$stratum <- strata
  table
}

targets <- c(infap = "ap", xinfap = "ap", statap = "ap", statap_corrected = "ap", infndcg = "ndcg", plain = "ap",
             condensed = "ap")
sampled <- unlist(lapply(c(0.1, 0.3, 1), function(fraction) {
  unlist(lapply(c("uniform", "strata"), function(design) {
    found <- lapply(seq_len(repetitions), function(i) {
      set.seed(i)
      drawn <- sample(population, queries, TRUE)
      judged <- sample_judgements(drawn, fraction, design)
      run <- run_of(drawn, "old")
      means <- summary(evaluate_sampled(run, judged, setdiff(names(targets), c("plain", "condensed"))))
      known <- as_qrels(judged[!is.na(judged$relevance), ])
      rbind(means, transform(summary(evaluate(run, known, "map")), metric = "plain"),
            transform(summary(evaluate(run, known, "map", judged_only = TRUE)), metric = "condensed"))
    })
    message(format(Sys.time(), "%H:%M:%S "), fraction, " ", design)
    found <- do.call(rbind, found)
    lapply(names(targets), function(metric) {
      own <- found[found$metric == metric, ]
      true <- truth[[targets[[metric]]]]
      covered <- mean(own$lower <= true & own$upper >= true)
      table_row(fraction, design, metric, sprintf("%.3f", true), sprintf("%+.3f", mean(own$mean) - true),
                sprintf("%.3f", sd(own$mean)), sprintf("%.2f", covered))
    })
  }))
}))

# 2. Coverage -----------------------------------------------------------------------------------

# The number of judged documents among the 20 best of the pool and among the other 80. A single number: among all 100.
designs <- list(`30 of 100` = 30, `6 + 4` = c(6, 4), `18 + 12` = c(18, 12), `20 + 12` = c(20, 12),
                `20 + 24` = c(20, 24), `20 + 40` = c(20, 40))
samples_of_query <- 50L
internal <- asNamespace("rankmix")
estimators <- internal$sampled_estimators[c("xinfap", "infndcg")]
corrected <- lapply(estimators, internal$jackknifed)
names(corrected) <- paste0(names(estimators), ", jackknife")
estimators <- c(estimators, corrected)
size <- 2L * length(estimators)
estimator_settings <- list(relevant = 1, gain = as.double, k = Inf)
pool_of <- function(q, run, relevance, strata) {
  list(rank = ifelse(ranks[[run]][q, ] <= 60, ranks[[run]][q, ], Inf), relevance = relevance, stratum = strata)
}
# The estimates of one run, for the same judgements.
estimates_of <- function(q, run, relevance, strata) {
  own <- pool_of(q, run, relevance, strata)
  vapply(estimators, function(estimator) estimator(own, estimator_settings)[["value"]], 0)
}
both_runs <- function(q, relevance, strata) {
  old <- estimates_of(q, "old", relevance, strata)
  c(old, estimates_of(q, "new", relevance, strata) - old)
}
sample_grades <- function(q, counts, strata) {
  relevance <- rep(NA, pool_size)
  for (s in seq_along(counts)) {
    at <- which(strata == s)
    judged <- at[sample.int(length(at), counts[s])]
    relevance[judged] <- grade[q, judged]
  }
  relevance
}
complete <- t(vapply(everything, function(q) both_runs(q, grade[q, ], rep(1L, pool_size)), numeric(size)))
# An array, queries x samples x estimates.
bank_of <- function(counts) {
  set.seed(1)
  found <- lapply(everything, function(q) {
    strata <- if (length(counts) == 1L) rep(1L, pool_size) else ifelse(best[q, ] <= 20, 1L, 2L)
    t(vapply(seq_len(samples_of_query), function(i) both_runs(q, sample_grades(q, counts, strata), strata),
             numeric(size)))
  })
  aperm(simplify2array(found), c(3L, 1L, 2L))
}
# Whether the interval contains the mean of the population, and whether it contains the mean of the drawn queries; the
# mean; its standard error.
intervals_of <- function(own, truth, drawn) {
  se <- sd(own) / sqrt(length(own))
  half <- qt(0.975, length(own) - 1L) * se
  c(abs(mean(own) - mean(truth)) <= half, abs(mean(own) - mean(truth[drawn])) <= half, mean(own), se)
}
draws <- 20L * repetitions
covered_rows <- function(design) {
  counts <- designs[[design]]
  bank <- bank_of(counts)
  rows <- lapply(c(50L, 200L), function(n) {
    found <- simplify2array(lapply(seq_len(draws), function(i) {
      set.seed(i)
      drawn <- sample(population, n, TRUE)
      sampled <- sample(samples_of_query, n, TRUE)
      vapply(seq_len(size), function(j) intervals_of(bank[cbind(drawn, sampled, j)], complete[, j], drawn), numeric(4L))
    }))
    rates <- rowMeans(found, dims = 2L)
    vapply(seq_len(size), function(j) {
      estimator <- rep(names(estimators), 2L)[j]
      kind <- rep(c("mean", "difference"), each = length(estimators))[j]
      rate <- rates[1L, j]
      if (length(counts) == 2L && abs(rate - 0.95) > 0.01 + 2 * sqrt(0.0475 / draws)) {
        missed <<- c(missed, sprintf("coverage of the %s of %s, %s judged, %d queries", kind, estimator, design, n))
      }
      bias <- rates[3L, j] - mean(complete[, j])
      table_row(design, n, estimator, kind, sprintf("%.3f", mean(complete[, j])), sprintf("%+.3f", bias),
                sprintf("%+.2f", bias / rates[4L, j]), sprintf("%.3f", rates[1:2, j]))
    }, "")
  })
  message(format(Sys.time(), "%H:%M:%S "), design)
  unlist(rows)
}
coverage <- unlist(lapply(names(designs), covered_rows))

# 3. Bounds -------------------------------------------------------------------------------------

verdict_of <- function(differences) {
  test <- t.test(differences)
  if (test$p.value > 0.05) 0 else sign(mean(differences))
}
bounds_metrics <- list("rbp" = metric_rbp(), "ndcg@10" = metric_ndcg(10), "average_precision" = "map")
true_values <- function(name) evaluate(run_of(everything, name), as_qrels(qrels_of(everything)), bounds_metrics)
true_difference <- tapply(true_values("new")$value - true_values("old")$value, true_values("old")$metric, mean)
bounded <- unlist(lapply(c(30, 20, 10, 5), function(depth) {
  found <- lapply(seq_len(ceiling(repetitions / 5)), function(i) {
    set.seed(i)
    drawn <- sample(population, queries, TRUE)
    all <- qrels_of(drawn)
    pooled <- table_of(drawn, pmin(ranks$old, ranks$other))$value <= depth
    runs <- list(new = run_of(drawn, "new", 30), old = run_of(drawn, "old", 30))
    # Documents that neither run retrieves stay unjudged.
    found_by <- table_of(drawn, pmin(ranks$old, ranks$new))$value <= 30
    bounds <- judgement_bounds(runs, as_qrels(all[pooled, ]), bounds_metrics, max_grade = 2)
    full <- evaluate(runs, as_qrels(all[pooled | found_by, ]), bounds_metrics)
    # The judged fraction of the new run's top 10.
    judged <- mean(evaluate(runs$new, as_qrels(all[pooled, ]), "judged@10")$value)
    do.call(rbind, lapply(names(bounds_metrics), function(metric) {
      value <- full$value[full$metric == metric]
      true <- value[seq_len(queries)] - value[queries + seq_len(queries)]
      own <- bounds$queries[bounds$queries$metric == metric, ]
      verdict <- bounds$pairs$verdict[bounds$pairs$metric == metric]
      data.frame(metric = metric, judged = judged, width = mean(own$highest - own$lowest),
                 within = all(own$lowest <= true + 1e-9 & own$highest >= true - 1e-9),
                 sure = grepl("whatever", verdict),
                 wrong = startsWith(verdict, if (true_difference[[metric]] > 0) "worse" else "better"),
                 depends = startsWith(verdict, "depends"), full = verdict_of(true),
                 plain = verdict_of(own$difference))
    }))
  })
  message(format(Sys.time(), "%H:%M:%S "), "depth ", depth)
  found <- do.call(rbind, found)
  lapply(names(bounds_metrics), function(metric) {
    own <- found[found$metric == metric, ]
    if (!all(own$within)) missed <<- c(missed, paste("a difference outside of the bounds of", metric))
    if (mean(own$wrong) > 0.025) missed <<- c(missed, paste("wrong verdicts of", metric))
    right <- sign(true_difference[[metric]])
    table_row(depth, sprintf("%.2f", mean(own$judged)), metric, sprintf("%+.3f", true_difference[[metric]]),
              sprintf("%.3f", mean(own$width)), sprintf("%.2f", c(
                mean(own$full == right), mean(own$plain == right), mean(own$plain == -right),
                mean(own$sure & !own$wrong), mean(own$wrong), mean(own$depends))))
  })
}))

writeLines(c(
  "# Samples of judgements, and unjudged documents", "",
  sprintf("Written by `Rscript bench/unjudged.R %d`: %d draws per row of %d queries. A coverage of .95 has a standard",
          repetitions, repetitions, queries),
  sprintf("error of %.3f. rankmix %s, %s.", sqrt(0.95 * 0.05 / repetitions), utils::packageVersion("rankmix"),
          R.version.string), "",
  sprintf("Simulated: %d fully judged queries with pools of %d documents, %.0f %% of them relevant.", population,
          pool_size, 100 * mean(grade > 0)), "",
  "## Estimators", "",
  "A fraction of each pool is judged. `uniform`: documents are drawn at random. `strata`: the 20 documents that runs rank best are",
  "judged three times as often as others. `bias` is the mean estimate minus the truth, `sd` the standard deviation of the mean over 50",
  "queries. `covered` is the fraction of 95 % t intervals over queries that contain the truth. `plain` is average precision",
  "with unjudged documents as not relevant, `condensed` without them.", "",
  markdown_table(c("judged", "design", "estimator", "truth", "bias", "sd", "covered"), sampled),
  "## Coverage of intervals", "",
  sprintf("%d draws per row, so that a coverage of .95 has a standard error of %.4f. `judged` has two numbers of judged",
          draws, sqrt(0.0475 / draws)),
  "documents: of the 20 documents that runs rank best, and of the other 80. `mean` is the mean of one run. `difference` is the",
  "difference of two runs with the same judgements. `bias / se` is the bias in mean standard errors. `coverage` is the coverage of the mean of the population, over queries and samples. `same",
  "queries` is the coverage of the mean of the drawn queries with all documents judged.",
  "`jackknife`: with `bias_correction = \"jackknife\"`.", "",
  markdown_table(c("judged", "queries", "estimator", "estimand", "truth", "bias", "bias / se", "coverage",
                   "same queries"), coverage),
  "## Bounds of differences", "",
  sprintf("%d draws per row. Two runs made the pool to the `depth`. A new run is compared with one of them, both with 30",
          ceiling(repetitions / 5)),
  "documents. `judged` is the judged fraction of",
  "the new run's top 10, and `width` the mean width of the bounds of a query. The next columns are fractions of",
  "draws. `full`: a t test with all retrieved documents judged finds the true direction. `plain`: a t test with unjudged documents as not relevant finds the true",
  "direction. `plain, wrong`: this test finds the opposite direction. `sure` and `sure, wrong`: the verdict of `judgement_bounds()` does not depend on",
  "the unjudged documents, and is right or wrong. `depends`: the verdict depends on the unjudged documents.",
  "The remaining draws are undecided.", "",
  markdown_table(c("depth", "judged", "metric", "difference", "width", "full", "plain", "plain, wrong", "sure",
                   "sure, wrong", "depends"), bounded),
  "## Missed targets", "",
  if (length(missed) == 0L) "None." else paste0("* ", missed)
), "bench/unjudged.md")
if (length(missed) > 0L) stop("Missed: ", paste(missed, collapse = "; "))
