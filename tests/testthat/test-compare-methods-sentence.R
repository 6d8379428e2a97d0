sentence <- function(x, results = FALSE) as.vector(unclass(methods_sentence(x, results)))

# Values of queries x rankers. Sign patterns are random for 30 queries, and enumerated for 10 queries.
values_of <- function(queries = 30, rankers = 3) {
  set.seed(5)
  values <- matrix(stats::runif(queries * rankers), queries)
  colnames(values) <- letters[seq_len(rankers)]
  values
}

compared <- function(..., queries = 30, rankers = 3, metric = "ndcg@10") {
  compare_rankers(values_of(queries, rankers), metric = metric, seed = 1, ...)
}

version <- function() format(utils::packageVersion("rankmix"))

test_that("the sentence has test, family, side, level, interval and software", {
  expect_identical(
    sentence(compared(test = "t", adjust = "holm")),
    sprintf(paste("Differences of NDCG@10 over 30 queries by paired t tests, Holm's adjustment over 3 pairs,",
                  "two-sided, alpha = .05; 95 %% t intervals of each pair alone; effect sizes are",
                  "Cohen's d_z; rankmix %s, seed 1."), version())
  )
  expect_match(sentence(compared(test = "randomization", adjust = "BH", level = .01)),
               paste("by sign-flip randomisation tests, 10,000 random patterns, Benjamini and",
                     "Hochberg's adjustment over 3 pairs, two-sided, alpha = .01; 99 % sign-flip",
                     "intervals of each pair alone"),
               fixed = TRUE)
  expect_match(sentence(compared(test = "randomization", adjust = "none", queries = 10)),
               "tests, all sign patterns, no adjustment over 3 pairs,", fixed = TRUE)
  expect_match(sentence(compared(test = "wilcoxon", adjust = "holm", interval = "bca", resamples = 2000)),
               paste("by Wilcoxon's signed-rank tests, Holm's adjustment over 3 pairs, two-sided,",
                     "alpha = .05; 95 % BCa bootstrap intervals of each pair alone (2,000 samples)"),
               fixed = TRUE)
  expect_match(sentence(compared(rankers = 2, test = "t", adjust = "holm", metric = "own")),
               "of own over 30 queries by paired t tests, one pair, ", fixed = TRUE)
})

test_that("patterns are exact for few queries, and more for small p-values", {
  values <- values_of(40)
  values[1:25, 2] <- values[1:25, 1]
  x <- compare_rankers(values, test = "randomization", adjust = "holm", seed = 1)
  expect_match(sentence(x), "10,000 random patterns,", fixed = TRUE)
  values[, 3] <- values[, 1] + 1
  x <- compare_rankers(values, test = "randomization", adjust = "holm", resamples = 100, seed = 1)
  expect_match(sentence(x), "1,200 random patterns,", fixed = TRUE)
  few <- compare_rankers(values[1:12, ], seed = 1)
  expect_match(sentence(few), "joint sign flips, all sign patterns, step-down maxT over 3 pairs", fixed = TRUE)
  # The sentence has the interval and the p-value of print().
  one <- compare_rankers(values[1:12, 1:2] + outer(1:12 / 100, 0:1), seed = 1)
  expect_match(sentence(one), "95 % studentised sign-flip intervals;", fixed = TRUE)
  expect_match(methods_sentence(one), sprintf("interval [%.4f, %.4f]", tidy(one)$sim_lower, tidy(one)$sim_upper),
               fixed = TRUE)
  # For a metric with few nonzero differences, all sign patterns are enumerated. There are more of them than random
  # patterns.
  few_changes <- values
  few_changes[21:40, ] <- 0.5
  both <- rbind(data.frame(metric = "m1", query = rep(1:40, 2), ranker = rep(c("a", "b"), each = 40),
                           value = as.vector(values[, c(1, 3)])),
                data.frame(metric = "m2", query = rep(1:40, 2), ranker = rep(c("a", "b"), each = 40),
                           value = as.vector(few_changes[, c(1, 3)])))
  expect_match(sentence(compare_rankers(as_evaluation(both), resamples = 500, seed = 1)),
               ", 500 random patterns,", fixed = TRUE)
  expect_match(sentence(compare_rankers(values, adjust = "tukey", test = "t", seed = 1)),
               "by Tukey's HSD test of the two-way analysis of variance, over 3 pairs", fixed = TRUE)
})

test_that("joint sign flips, Tukey, a control and sides are named", {
  x <- compared(test = "randomization", adjust = "holm")
  x$settings$adjust <- "maxt"
  x$settings$alternative <- "two.sided"
  x$pairs$p_adjusted <- x$pairs$p_t
  x$pairs$sim_lower <- x$pairs$lower
  x$pairs$sim_upper <- x$pairs$upper
  expect_match(sentence(x), paste("by joint sign flips, 10,000 random patterns, step-down maxT over 3 pairs,",
                                  "two-sided, alpha = .05; 95 % intervals are simultaneous;"), fixed = TRUE)
  x$settings$adjust <- "tukey"
  expect_match(sentence(x), "by the randomised Tukey HSD test, 10,000 random permutations, over 3 pairs,",
               fixed = TRUE)
  x$settings$adjust <- "maxt"
  x$settings$control <- "c"
  x$settings$alternative <- "greater"
  x$pairs <- x$pairs[x$pairs$b == "c", ]
  expect_match(sentence(x), "step-down maxT over 2 pairs with c, one-sided (better than c), alpha",
               fixed = TRUE)
  x$settings$alternative <- "less"
  expect_match(sentence(x), "one-sided (worse than c)", fixed = TRUE)
  x$settings["control"] <- list(NULL)
  expect_match(sentence(x), "one-sided (worse than the second ranker of a pair)", fixed = TRUE)
  # A single pair needs no adjustment.
  x$pairs <- x$pairs[1, ]
  expect_match(sentence(x), "by sign-flip randomisation tests, 10,000 random patterns, one pair,",
               fixed = TRUE)
})

test_that("folds, repeats and weights are named", {
  tested <- function(...) compare_rankers(folds(...), test = "t", adjust = "holm", seed = 1)
  combined <- function(combine, test = "t") {
    compare_rankers(folds(), test = test, adjust = "holm", combine = combine, seed = 1)
  }
  folds <- function(query = 1:30, weight = NULL) {
    values <- values_of()
    table <- data.frame(ranker = rep(colnames(values), each = 30), fold = rep(1:3, 30), query = query,
                        metric = "ndcg@10", value = as.vector(values))
    if (!is.null(weight)) table$weight <- weight
    as_evaluation(table)
  }
  expect_match(sentence(tested()),
               "over 30 queries (3 folds, pooled) by paired t tests with standard errors stratified by fold",
               fixed = TRUE)
  expect_match(sentence(combined("fisher")),
               "(3 folds, p-values combined by Fisher's method) by paired t tests, Holm's", fixed = TRUE)
  expect_match(sentence(combined("stouffer")),
               "(3 folds, p-values combined by Stouffer's method)", fixed = TRUE)
  repeated <- tested(query = rep(rep(1:10, each = 3), 3))
  expect_match(sentence(repeated), "over 10 queries (means of 3 folds each)", fixed = TRUE)
  weighted <- tested(weight = rep(1:30, 3))
  expect_match(sentence(weighted), sprintf("; weighted, %.1f effective)", sum(1:30)^2 / sum((1:30)^2)),
               fixed = TRUE)
})

test_that("results are the numbers of one pair, or ranges", {
  x <- compared(rankers = 2, test = "t", adjust = "holm")
  row <- x$pairs
  expect_match(sentence(x, TRUE),
               sprintf("NDCG@10: a - b = %.4f, 95 %% interval [%.4f, %.4f], p = %s, d_z = %.2f.",
                       row$difference, row$lower, row$upper, sub("^0", "", sprintf("%.4f", row$p_t)),
                       row$effect), fixed = TRUE)
  values <- values_of()
  values[, 2] <- values[, 1] + values_of()[, 2] / 100 + 1
  x <- compare_rankers(values, test = "t", adjust = "holm", seed = 1)
  expect_match(sentence(x, TRUE),
               "Adjusted p-values are from < .0001 to [.][0-9]{4}, effect sizes .*[0-9]+[.]$")
  equal <- cbind(a = 1:3, b = 1:3) / 4
  expect_no_match(sentence(compare_rankers(equal, seed = 1), TRUE), "d_z")
  several <- compare_rankers(rbind(as_evaluation(values, "map"), as_evaluation(values, "err")),
                             adjust = "none", test = "t", seed = 1)
  text <- sentence(several, TRUE)
  expect_match(text, "^Differences of MAP and ERR .* no adjustment over 3 pairs for each metric, ")
  expect_match(text, " P-values are from ", fixed = TRUE)
})

test_that("metrics have their usual spelling", {
  expect_identical(metric_labels(c("ndcg@10", "average_precision", "precision@5", "reciprocal_rank", "err",
                                   "my_own@3", "nDCG@5")),
                   c("NDCG@10", "AP", "P@5", "RR", "ERR", "my_own@3", "nDCG@5"))
  expect_identical(join_words(c("a", "b", "c")), "a, b and c")
})

test_that("the checklist has the items, their status and the numbers", {
  x <- compared(test = "t", adjust = "holm")
  list <- reporting_checklist(x)
  expect_identical(names(list), c("item", "source", "status", "report"))
  expect_true(all(list$status %in% c("done", "not done", "not applicable", "not shown")))
  report <- function(x, item) {
    list <- reporting_checklist(x)
    unlist(list[list$item == item, c("status", "report")], use.names = FALSE)
  }
  expect_identical(report(x, "number of topics"), c("done", "30 queries"))
  expect_identical(report(x, "sidedness"), c("done", "two-sided"))
  expect_identical(report(x, "adjustment for several pairs"), c("done", "Holm's adjustment over 3 pairs"))
  expect_identical(report(compared(adjust = "none"), "adjustment for several pairs")[1], "not done")
  expect_identical(report(compared(rankers = 2), "adjustment for several pairs")[1], "not applicable")
  expect_identical(report(x, "adjustment for several metrics")[1], "not applicable")
  disputed <- "neither reciprocal rank, ERR nor MAP"
  expect_identical(report(compared(metric = "err"), disputed), c("not done", "ERR; disputed by Sakai (2020)"))
  expect_identical(report(compared(metric = "recip_rank"), disputed)[1], "not done")
  expect_identical(report(compared(metric = "map_cut_10"), disputed)[1], "not done")
  expect_identical(report(x, disputed), c("done", "no such metric"))
  t <- x$pairs$difference / x$pairs$se
  expect_identical(report(x, "test statistic"),
                   c("done", sprintf("t = difference / se, from %.3f to %.3f", min(t), max(t))))
  expect_identical(report(compared(test = "wilcoxon", adjust = "holm"), "test statistic")[1], "not done")
  expect_identical(report(compared(test = "randomization", adjust = "holm"), "test statistic")[1], "done")
  expect_identical(report(x, "cross-validation instead of one split")[1], "not shown")
  equal <- compare_rankers(cbind(a = 1:3, b = 1:3) / 4, seed = 1)
  expect_identical(report(equal, "effect sizes"), c("not done", "undefined for all pairs"))
  one <- compare_rankers(cbind(a = .5, b = .3), seed = 1)
  expect_identical(report(one, "confidence intervals of differences"),
                   c("not done", "intervals are undefined"))
  expect_match(report(x, "reproducibility")[2], "seed 1, R ")
})

test_that("the sentence prints in lines, and bad arguments are errors", {
  x <- compared()
  withr::local_options(width = 60)
  expect_true(all(nchar(capture.output(print(methods_sentence(x)))) <= 60))
  expect_error(methods_sentence(), class = "rankmix_error_argument")
  expect_error(methods_sentence(1), class = "rankmix_error_argument")
  expect_error(methods_sentence(x, results = "all"), class = "rankmix_error_argument")
  expect_error(reporting_checklist(), class = "rankmix_error_argument")
  expect_error(reporting_checklist(data.frame()), class = "rankmix_error_argument")
})
