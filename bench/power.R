# Error rates of equivalence() and the power that queries_needed() achieves, by simulation. Writes
# bench/power.md.
#
#   Rscript bench/power.R [repetitions]
#
# `repetitions` (2,000) draws of each row. Differences are drawn with replacement from
# 20,000 queries, so that the true mean difference is exactly known. Both rankers share the difficulty of a
# query. Values have bounds, steps and ties, as NDCG has them. The differences that are not 0 are
# shifted to the wanted mean; the ties stay.
#
# 1. Tests at the margin: the true difference is the margin, so both tests must reject at most at their level.
# 2. Verdicts by the true difference.
# 3. Numbers of queries: the power of a t test with as many queries as planned, from the true standard
#    deviation and from pilots.
#
# Targets: errors at the margin are at most .05 plus two standard errors and a tolerance of .01, for 50 or more
# queries with a third of ties. Plans from the upper limit suffice for at least 70 % of pilots
# with a third of ties; 80 % would be exact for normal differences.

library(rankmix)
source("bench/common.R")

repetitions <- as.integer(c(commandArgs(trailingOnly = TRUE), "2000")[1L])
internal <- asNamespace("rankmix")
sizes <- c(20, 50, 200)
shapes <- c(`a third ties` = 1 / 3, `85 % ties` = 0.85)
margins <- c(`a third ties` = 0.1, `85 % ties` = 0.03)

# Differences of two rankers on all queries of a population, with mean `mean`.
population <- function(same, mean, queries = 20000L) {
  set.seed(1)
  difficulty <- rnorm(queries)
  value <- function() pmin(1, pmax(0, round(0.5 + 0.25 * difficulty + rnorm(queries, 0, 0.2), 2)))
  d <- ifelse(runif(queries) < same, 0, value() - value())
  changed <- d != 0
  d[changed] <- d[changed] + (mean - mean(d)) / mean(changed)
  d
}

# Samples of n differences, a column each. Each has its own seed.
samples <- function(all, n) {
  vapply(seq_len(repetitions), function(i) {
    set.seed(i)
    sample(all, n, TRUE)
  }, numeric(n))
}
settings <- list(level = 0.05, adjust = "none", test = "t", resamples = 999, seed = 1, threads = 1L)
# The tests of all samples by the package's own code, as pairs of one comparison by t tests.
tested <- function(drawn, margin) {
  names <- paste0("a", seq_len(ncol(drawn)))
  pairs <- data.frame(a = names, b = "b", difference = colMeans(drawn),
                      p_adjusted = internal$simulated_p(drawn, list(simulated = "t"), 1),
                      both_directions = FALSE)
  pairs <- internal$add_equivalence(pairs, list(values = cbind(`colnames<-`(drawn, names), b = 0)),
                                    c(settings, margin = margin))
  pairs$verdict <- internal$verdict_of(pairs, settings)
  message(format(Sys.time(), "%H:%M:%S"), " a row of ", ncol(drawn), " draws")
  pairs
}
missed <- character()
at_margin <- unlist(lapply(names(shapes), function(shape) {
  margin <- margins[[shape]]
  above <- population(shapes[[shape]], margin)
  below <- population(shapes[[shape]], -margin)
  lapply(sizes, function(n) {
    drawn <- samples(above, n)
    by_t <- tested(drawn, margin)
    flips <- apply(drawn, 2L, function(d) {
      internal$upper_flips_p(list(values = margin - d, mean = margin - mean(d)), NULL, settings)
    })
    errors <- c(inferior = mean(tested(samples(below, n), margin)$p_noninferior <= 0.05),
                t = mean(by_t$p_equivalent <= 0.05), flips = mean(flips <= 0.05))
    covered <- is.na(by_t$tost_lower) | by_t$tost_lower <= margin & by_t$tost_upper >= margin
    if (n >= 50 && shapes[[shape]] < 0.5 && any(errors > 0.06 + 2 * sqrt(0.05 * 0.95 / repetitions))) {
      missed <<- c(missed, sprintf("an error rate at the margin, n = %d", n))
    }
    table_row(shape, n, sprintf("%.3f", errors), rate_of(covered))
  })
}))

verdicts <- unlist(lapply(c(0, 0.05, 0.2), function(true) {
  all <- population(1 / 3, true)
  lapply(sizes, function(n) {
    found <- tested(samples(all, n), 0.1)$verdict
    table_row(true, n, vapply(c("^better$", "^better,", "^equivalent$", "^undecided$", "^worse"), function(verdict) {
      rate_of(grepl(verdict, found))
    }, ""))
  })
}))

# The population whose mean difference a test of n queries can find. Changed queries are shifted, which also
# increases the spread.
population_for <- function(same, n) {
  difference <- 0
  for (i in 1:20) {
    all <- population(same, difference)
    difference <- detectable(sd(all), queries = n)$difference * (1 + 1e-6)
  }
  list(all = population(same, difference), difference = difference)
}

# With 85 % ties a difference that 20 queries find would exceed 1 on the queries that differ.
planned <- unlist(lapply(list(c(1, 20), c(1, 50), c(1, 200), c(2, 50), c(2, 200)), function(setting) {
  same <- shapes[[setting[1L]]]
  n <- setting[2L]
  truth <- population_for(same, n)
  needed <- queries_needed(truth$difference, sd = sd(truth$all))$queries
  rejects <- function(count) {
    mean(internal$simulated_p(matrix(sample(truth$all, count, TRUE)), list(simulated = "t"), 1) <= 0.05)
  }
  found <- lapply(seq_len(repetitions), function(i) {
    set.seed(i)
    pilot <- sample(truth$all, needed, TRUE)
    # Rarely all queries are ties. Nothing can be planned then.
    if (all(pilot == pilot[1L])) {
      return(c(known = rejects(needed), estimate = NA, upper = NA, enough = NA, enough_upper = NA))
    }
    estimate <- queries_needed(truth$difference, pilot = pilot, upper_limit = FALSE)$queries
    upper <- queries_needed(truth$difference, pilot = pilot, upper_limit = TRUE)$queries
    c(known = rejects(needed), estimate = rejects(estimate), upper = rejects(upper),
      enough = estimate >= needed, enough_upper = upper >= needed)
  })
  message(format(Sys.time(), "%H:%M:%S"), " a row of ", repetitions, " plans")
  means <- colMeans(do.call(rbind, found), na.rm = TRUE)
  if (same < 0.5 && means[["enough_upper"]] < 0.7) {
    missed <<- c(missed, sprintf("plans from the upper limit of pilots of %d queries", n))
  }
  table_row(names(shapes)[setting[1L]], sprintf("%.3f", truth$difference), needed, sprintf("%.3f", means))
}))

writeLines(c(
  "# Equivalence and the number of queries", "",
  sprintf("Written by `Rscript bench/power.R %d`: %d draws per row, so that a rate of .05 has a standard",
          repetitions, repetitions),
  sprintf("error of %.3f, and one of .8 of %.3f. rankmix %s, %s.", sqrt(0.05 * 0.95 / repetitions),
          sqrt(0.8 * 0.2 / repetitions), utils::packageVersion("rankmix"), R.version.string), "",
  "Differences are drawn from 20,000 simulated queries with values in [0, 1], steps of .01 and ties.", "",
  "## Errors at the margin", "",
  "The true difference is exactly the margin: .1 with a third of ties, .03 with 85 %. So `equivalent` is an error. `not inferior` is also an error, because its true",
  "difference is minus the margin. Both errors should have rates of at most .05.",
  "`interval` is the fraction of 90 % t intervals that contain the true difference.", "",
  markdown_table(c("queries", "n", "not inferior, t", "equivalent, t", "equivalent, sign flips", "interval"), at_margin),
  "Ties stay at 0 and the other differences do not, so the differences are skewed, and small means have small standard errors.",
  "With 20 queries and 85 % ties, on average three differences are not 0.", "",
  "## Verdicts", "",
  "The margin is .1, and a third of the queries are ties. The columns are rates of verdicts. `both` is \"better, but practically equivalent\".", "",
  markdown_table(c("true difference", "n", "better", "both", "equivalent", "undecided", "worse"), verdicts),
  "## Numbers of queries", "",
  "`difference` is the true difference at which a t test needs `queries` queries for a power of .8. The next columns are",
  "the achieved power: of a plan with the true standard deviation, with the estimate of a pilot, and with its 80 % upper",
  "limit. Pilots have as many queries as are needed. The last columns are the fractions of pilots whose plan has enough",
  "queries.", "",
  markdown_table(c("queries", "difference", "needed", "true sd", "estimate", "upper limit", "enough, estimate",
             "enough, upper limit"), planned),
  "## Missed targets", "",
  if (length(missed) == 0L) "None." else paste0("* ", missed)
), "bench/power.md")
if (length(missed) > 0L) stop("Missed: ", paste(missed, collapse = "; "))
