# Tests and intervals by coin, multcomp, boot and TOSTER, for tests of tests/testthat/test-compare-*.R.
# Writes tests/testthat/fixtures/comparison-peers.csv.
#
#   Rscript data-raw/comparison-peers.R
#
# The data are average precisions of three rankers on 20 topics (helper-topics.R) and numbers without random
# draws (helper-peers.R). coin draws 2,000,000 permutations if it has no exact distribution. boot draws 200,000
# samples.

source("tests/testthat/helper-topics.R")
source("tests/testthat/helper-peers.R")
permutations <- 2e6
samples <- 2e5
rows <- list()
add <- function(package, case, values) {
  version <- as.character(utils::packageVersion(package))
  message(format(Sys.time(), "%H:%M:%S "), package, ", ", case)
  rows[[length(rows) + 1L]] <<- data.frame(package, version, case, value = as.vector(values))
}
A <- sakai_topics[, "A"]
B <- sakai_topics[, "B"]
C <- sakai_topics[, "C"]

# coin: sign flips are permutations of two values within a query ----------------------------------------------

by_query <- function(values) {
  data.frame(value = as.vector(values), ranker = factor(rep(colnames(values), each = nrow(values))),
             query = factor(rep(seq_len(nrow(values)), ncol(values))))
}
pairs <- list(c("A", "B"), c("A", "C"), c("B", "C"))
exact <- vapply(pairs, function(pair) {
  # Integers, for which the exact algorithm has no rounding.
  table <- by_query(round(10 * sakai_topics[, pair]))
  coin::pvalue(coin::symmetry_test(value ~ ranker | query, table, distribution = "exact"))
}, 0)
add("coin", "sign flips", exact)
greater <- coin::symmetry_test(value ~ ranker | query, by_query(round(10 * sakai_topics[, 1:2])),
                               distribution = "exact", alternative = "greater")
add("coin", "sign flips, greater", coin::pvalue(greater))
add("coin", "signed ranks", vapply(pairs, function(pair) {
  # Tenths are not equal as doubles, so that ranks would have no ties.
  x <- round(10 * sakai_topics[, pair])
  test <- coin::wilcoxsign_test(x[, 1L] ~ x[, 2L], distribution = "exact", zero.method = "Wilcoxon")
  coin::pvalue(test)
}, 0))

# Joint sign flips: the differences of all pairs are one response, and a query has them and their negatives.
set.seed(1)
differences <- round(10 * cbind(AB = A - B, AC = A - C, BC = B - C))
both <- data.frame(rbind(differences, -differences) / 2, side = factor(rep(c("+", "-"), each = 20)),
                   query = factor(rep(1:20, 2)))
joint <- coin::symmetry_test(AB + AC + BC ~ side | query, both, teststat = "maximum",
                             distribution = coin::approximate(nresample = permutations))
add("coin", "joint flips, single-step", coin::pvalue(joint, method = "single-step"))
add("coin", "joint flips, step-down", coin::pvalue(joint, method = "step-down"))

# The values of each query are permuted between all rankers (Carterette 2012).
contrasts <- function(data) coin::trafo(data, factor_trafo = function(x) {
  stats::model.matrix(~ x - 1) %*% t(multcomp::contrMat(table(x), "Tukey"))
})
set.seed(1)
tukey <- coin::symmetry_test(value ~ ranker | query, by_query(round(10 * sakai_topics)), xtrafo = contrasts,
                             teststat = "maximum", distribution = coin::approximate(nresample = permutations))
add("coin", "permuted Tukey", coin::pvalue(tukey, method = "single-step"))

# Two samples of queries: the permutation test of drift() with two bins.
sets <- data.frame(fraction = bin_fraction, new = factor(rep(0:1, c(7, 5))))
add("coin", "two samples", coin::pvalue(coin::oneway_test(round(10 * fraction) ~ new, sets, distribution = "exact")))

# multcomp: normal distributions with one variance for all pairs (two-way model), or one for each pair -----------

plain <- by_query(sakai_topics)
model <- stats::lm(value ~ ranker + query, plain)
two_way <- multcomp::glht(model, multcomp::mcp(ranker = "Tukey"))
# Finer than its defaults. A test of the largest of three t statistics is an integral.
set.seed(1)
fine <- function(type) multcomp::adjusted(type, maxpts = 1e6, abseps = 1e-6)
critical_value <- multcomp::adjusted_calpha(maxpts = 1e5, abseps = 1e-5)
add("multcomp", "two-way Tukey", summary(two_way, test = fine("single-step"))$test$pvalues)
add("multcomp", "two-way Tukey, interval", confint(two_way, calpha = critical_value)$confint[, c("lwr", "upr")])

# 200 queries with nearly normal differences, on which normal theory and sign flips should agree.
own_variances <- function(values, names) {
  d <- vapply(names, function(pair) values[, pair[1L]] - values[, pair[2L]], numeric(nrow(values)))
  colnames(d) <- vapply(names, paste, "", collapse = "-")
  multcomp::parm(colMeans(d), stats::cov(d) / nrow(d), df = nrow(d) - 1L)
}
# Contrasts to D only: the covariance matrix is regular, and all other contrasts are their differences.
to_d <- own_variances(normal_values, list(c("A", "D"), c("B", "D"), c("C", "D")))
K <- rbind(`A-B` = c(1, -1, 0), `A-C` = c(1, 0, -1), `A-D` = c(1, 0, 0), `B-C` = c(0, 1, -1), `B-D` = c(0, 1, 0),
           `C-D` = c(0, 0, 1))
all_pairs <- multcomp::glht(to_d, linfct = K)
add("multcomp", "own variances, single-step", summary(all_pairs, test = fine("single-step"))$test$pvalues)
add("multcomp", "own variances, step-down", summary(all_pairs, test = fine("free"))$test$pvalues)
add("multcomp", "own variances, critical", attr(confint(all_pairs, calpha = critical_value)$confint, "calpha"))
# The family of pairs with a control.
add("multcomp", "control, single-step", summary(multcomp::glht(to_d), test = fine("single-step"))$test$pvalues)
add("multcomp", "control, step-down", summary(multcomp::glht(to_d), test = fine("free"))$test$pvalues)

# boot: intervals of the mean of skewed differences -----------------------------------------------------------------

mean_of <- function(d, at) mean(d[at])
set.seed(1)
resampled <- boot::boot(skewed_differences, mean_of, samples)
ends <- function(booted, conf = 0.95) {
  jackknife <- boot::empinf(booted, type = "jack")
  found <- boot::boot.ci(booted, conf, c("perc", "bca"), L = jackknife)
  c(found$percent[4:5], found$bca[4:5])
}
add("boot", "percentile and BCa, own samples", ends(resampled))
# 999 means that are given: the test uses the same ones. So ends of percentile intervals are order statistics.
given <- resampled
given$t <- cbind(given_means)
given$R <- length(given_means)
add("boot", "percentile and BCa, given means", ends(given))
add("boot", "percentile and BCa, given means, .8", ends(given, 0.8))

# TOSTER: equivalence within a margin, and the interval -----------------------------------------------------------------

tost <- function(d, margin, alpha = 0.05) {
  by_values <- TOSTER::t_TOST(x = d, eqb = margin, hypothesis = "EQU", alpha = alpha)
  by_moments <- TOSTER::tsum_TOST(m1 = mean(d), sd1 = stats::sd(d), n1 = length(d), eqb = margin, alpha = alpha)
  stopifnot(all.equal(by_values$TOST$p.value, by_moments$TOST$p.value))
  effect <- by_values$effsize["Raw", ]
  # t test, lower and upper one-sided test.
  c(by_values$TOST$p.value, effect$lower.ci, effect$upper.ci)
}
for (margin in c(0.05, 0.1, 0.15, 0.2)) add("TOSTER", paste("20 topics, margin", margin), tost(A - B, margin))
for (margin in c(0.3, 0.5)) {
  add("TOSTER", paste("200 queries, margin", margin), tost(normal_values[, "A"] - normal_values[, "D"], margin, 0.025))
}

table <- do.call(rbind, rows)
table$value <- vapply(table$value, format, "", digits = 12)
utils::write.csv(table, "tests/testthat/fixtures/comparison-peers.csv", row.names = FALSE)
