# `sakai_topics` is Sakai's example. An independent program enumerated the exact values over all 2^20 sign patterns.
compare_columns <- function(values, ..., weight = NULL, fold = NULL) {
  evaluations <- lapply(asplit(values, 2L), function(v) {
    evaluation_of(as.vector(v), weight = weight, fold = fold)
  })
  do.call(compare_rankers, c(evaluations, list(seed = 1, ...)))
}

# The one-sided p-value of signed ranks over all sign patterns.
one_sided_ranks <- function(difference) {
  difference <- round(difference[abs(difference) > 1e-9], 10)
  doubled <- as.integer(2 * rank(abs(difference)))
  probability <- 1
  for (rank in doubled) probability <- (c(probability, numeric(rank)) + c(numeric(rank), probability)) / 2
  sum(probability[seq_len(sum(doubled[difference > 0]) + 1L)])
}

test_that("joint sign flips have the exact values of all patterns", {
  compared <- compare_columns(sakai_topics)
  pairs <- tidy(compared)
  expect_equal(pairs$p_adjusted, c(.11715698, .18801880, .62353516), tolerance = 1e-7)
  expect_equal(pairs$p_randomization, c(.065917969, .14460754, .62353516), tolerance = 1e-7)
  expect_equal(pairs$sim_lower, c(-.0129998, -.0538762, -.0700862), tolerance = 1e-5)
  expect_equal(pairs$sim_upper, c(.1629998, .2538762, .1200862), tolerance = 1e-5)
  expect_equal(pairs$difference / pairs$se, c(2.11575986, 1.61330088, .65269363), tolerance = 1e-8)
  expect_equal(compared$rankers$p_best, c(.96770287, .060836792, .094009399), tolerance = 1e-7)
  expect_identical(compared$rankers$best, c(TRUE, TRUE, TRUE))
  # At level .07, the confidence set does not contain B.
  expect_identical(compare_columns(sakai_topics, level = .07)$rankers$best, c(TRUE, FALSE, TRUE))
})

test_that("a control makes the family of its pairs, without other pairs", {
  own <- tidy(compare_columns(sakai_topics, control = "C"))
  expect_identical(own$a, c("A", "B"))
  expect_identical(own$b, c("C", "C"))
  # The expected values are computed by hand: the maximum over two pairs, for all patterns.
  set.seed(1)
  d <- sakai_topics[, 1:2] - sakai_topics[, 3]
  t_of <- function(signs) {
    m <- signs %*% d / 20
    q <- rep(colSums(d^2), each = nrow(m))
    abs(m) / sqrt((q / 20 - m^2) / 19)
  }
  observed <- as.vector(t_of(t(rep(1, 20))))
  drawn <- t_of(matrix(sample(c(-1, 1), 20 * 20000, TRUE), 20000))
  single <- mean(pmax(drawn[, 1], drawn[, 2]) >= max(observed) - 1e-9)
  expect_equal(min(own$p_adjusted), single, tolerance = 0.1)
  expect_equal(max(own$p_adjusted), mean(drawn[, which.min(observed)] >= min(observed) - 1e-9),
               tolerance = 0.05)
  expect_output(print(compare_columns(sakai_topics, control = "C")), "the control")
  expect_error(compare_columns(sakai_topics, control = "D"), "The rankers are", class = "rankmix_error_argument")
})

test_that("one-sided tests and intervals look in one direction", {
  both <- tidy(compare_columns(sakai_topics))
  greater <- tidy(compare_columns(sakai_topics, alternative = "greater"))
  less <- tidy(compare_columns(sakai_topics, alternative = "less"))
  # By symmetry, the one-sided p-value of a pair with a positive difference is half of its two-sided p-value.
  expect_equal(greater$p_randomization, both$p_randomization / 2)
  expect_equal(greater$p_t, both$p_t / 2)
  expect_equal(greater$p_t + less$p_t, c(1, 1, 1))
  expect_gt(min(less$p_adjusted), 0.5)
  expect_true(all(greater$p_adjusted <= both$p_adjusted))
  expect_identical(greater$sim_upper, rep(Inf, 3L))
  expect_identical(less$sim_lower, rep(-Inf, 3L))
  expect_gt(greater$sim_lower[1L], both$sim_lower[1L])
  expect_equal(greater$lower[1L], unname(stats::t.test(sakai_topics[, 1], sakai_topics[, 2], paired = TRUE,
                                                        alternative = "greater")$conf.int[1L]),
               tolerance = 1e-9)
  expect_equal(tidy(compare_columns(sakai_topics, test = "wilcoxon", alternative = "less"))$p_wilcoxon[3L],
               one_sided_ranks(sakai_topics[, 2] - sakai_topics[, 3]), tolerance = 1e-12)
})

test_that("Tukey's tests agree with Sakai's book and with Carterette", {
  skip_if_quick()
  book <- tidy(compare_columns(sakai_topics, test = "t", adjust = "tukey"))
  expect_equal(book$p_adjusted, c(.2566977, .0956868, .8549632), tolerance = 1e-6)
  fit <- stats::aov(v ~ s + q, data.frame(v = as.vector(sakai_topics), s = rep(c("A", "B", "C"), each = 20),
                                          q = factor(rep(1:20, 3))))
  own <- stats::TukeyHSD(fit, "s")$s
  expect_equal(-book$sim_upper, unname(own[, "lwr"]), tolerance = 1e-6)
  drawn <- tidy(compare_columns(sakai_topics, adjust = "tukey", resamples = 20000))
  # The tolerance is four standard errors of 20,000 permutations.
  expect_lt(max(abs(drawn$p_adjusted - c(.3044, .1068, .8919))), 4 * sqrt(.25 / 20000))
  expect_error(compare_columns(sakai_topics, adjust = "tukey", control = "A"), class = "rankmix_error_argument")
  expect_error(compare_columns(sakai_topics, adjust = "tukey", weight = 1:20), class = "rankmix_error_argument")
  expect_error(compare_columns(sakai_topics, adjust = "tukey", alternative = "less"), class = "rankmix_error_argument")
})

test_that("rankers that differ by rounding noise are equal by Tukey's tests", {
  a <- with_seed(1, stats::runif(10))
  noisy <- cbind(a = a, b = a * (1 + 1e-15), c = a * (1 - 2e-15))
  for (test in c("t", "randomization")) {
    compared <- compare_columns(noisy, test = test, adjust = "tukey", resamples = 200)
    expect_identical(tidy(compared)$p_adjusted, rep(1, 3L))
    expect_true(all(summary(compared)$best))
  }
})

test_that("Tukey's p-values of equal differences are those of the t tests", {
  for (n in c(2L, 5L, 30L)) {
    a <- with_seed(n, round(stats::runif(n), 2))
    pairs <- tidy(compare_columns(cbind(a = a, b = a + 0.1, c = a + 0.2), test = "t", adjust = "tukey"))
    expect_equal(pairs$p_adjusted, pmin(1, 3 * rep(2^(1 - n), 3L)))
    expect_identical(pairs$sim_lower, rep(NA_real_, 3L))
  }
})

test_that("Tukey's test of two rankers is the paired t test, also with two queries", {
  for (n in c(2L, 20L)) {
    pairs <- tidy(expect_silent(compare_columns(sakai_topics[seq_len(n), 1:2], test = "t", adjust = "tukey")))
    expect_equal(pairs$p_adjusted, pairs$p_t)
    expect_equal(c(pairs$sim_lower, pairs$sim_upper), c(pairs$lower, pairs$upper))
  }
})

test_that("tests that do not go together are errors", {
  refused <- function(...) expect_error(compare_columns(sakai_topics, ...), class = "rankmix_error_argument")
  refused(test = "t", adjust = "maxt")
  refused(combine = "fisher", adjust = "maxt", fold = rep(1:2, 10))
  refused(combine = "stouffer", alternative = "less", fold = rep(1:2, 10))
  refused(alternative = "more")
})

test_that("queries, weights and folds enter the joint statistic as they enter the t test", {
  weight <- rep(c(1, 2, 3, 1), 5)
  fold <- rep(1:2, 10)
  for (own in list(list(weight = weight), list(fold = fold), list(weight = weight, fold = fold))) {
    pairs <- tidy(do.call(compare_columns, c(list(sakai_topics[, 1:2]), own)))
    t <- pairs$difference / pairs$se
    statistic <- joint_sign_flips(as.matrix(sakai_topics[, 1:2]), as.double(own$weight),
                                  if (is.null(own$fold)) integer() else own$fold - 1L, cbind(0L, 1L, 1L), 0L, 0.05,
                                  100, 1, 1L)$statistic
    expect_equal(statistic, t, tolerance = 1e-12)
    expect_equal(stats::pt(-abs(t), pairs$df) * 2, pairs$p_t, tolerance = 1e-12)
    # The interval excludes 0 exactly if the single-step p-value is at most the level.
    level <- pairs$p_adjusted
    at <- function(level) tidy(do.call(compare_columns, c(list(sakai_topics[, 1:2], level = level), own)))
    expect_gt(at(level + 0.01)$sim_lower, 0)
    expect_lt(at(level - 0.01)$sim_lower, 0)
  }
})

test_that("rounding noise does not put 0 outside of the interval of an undecided pair", {
  # The statistic of the pair is the quantile, so the lower end is 0.
  for (d in list(c(-4, 20, 24, 18, 3, 15, 2), c(-2, 28, 13, 6, 1, 22, 2), c(6, -3, 12, 20, 3, 7))) {
    pair <- tidy(compare_columns(cbind(a = 0.5 + d / 1000, b = 0.5)))
    expect_identical(pair$verdict, "undecided")
    expect_identical(pair$sim_lower, 0)
  }
})

test_that("weights of any scale give the same p-values and intervals", {
  weight <- rep(c(1, 2, 3, 1), 5)
  columns <- c("p_adjusted", "sim_lower", "sim_upper", "se")
  expected <- tidy(compare_columns(sakai_topics[, 1:2], weight = weight))[columns]
  for (scale in c(1e-200, 1e200)) {
    expect_equal(tidy(compare_columns(sakai_topics[, 1:2], weight = scale * weight))[columns], expected)
  }
})

test_that("degenerate rankers have defined values", {
  equal <- tidy(compare_columns(cbind(a = c(.1, .5, .2), b = c(.1, .5, .2), c = c(.3, .1, .6))))
  expect_identical(equal$p_adjusted[1L], 1)
  expect_identical(c(equal$sim_lower[1L], equal$sim_upper[1L]), c(0, 0))
  # No sign pattern of three queries has a probability as small as .05.
  expect_identical(c(equal$sim_lower[2L], equal$sim_upper[2L]), c(NA_real_, NA_real_))
  many <- tidy(compare_columns(cbind(a = sakai_topics[, 1], b = sakai_topics[, 1], c = sakai_topics[, 2])))
  expect_identical(c(many$sim_lower[1L], many$sim_upper[1L]), c(0, 0))
  shifted <- compare_columns(cbind(a = sakai_topics[, 1] + 1, b = sakai_topics[, 1]))
  expect_identical(tidy(shifted)$p_adjusted, 2^-19)
  expect_identical(tidy(shifted)$sim_lower, NA_real_)
  expect_identical(shifted$rankers$best, c(TRUE, FALSE))
})

test_that("the family-wise error of all pairs is the level, with ties and zeros", {
  skip_if_quick()
  all <- cbind(t(utils::combn(5L, 2L)) - 1L, 1L)
  storage.mode(all) <- "integer"
  rejected <- vapply(1:1000, function(i) {
    set.seed(i)
    difficulty <- rnorm(30)
    values <- vapply(1:5, function(j) {
      pmax(0, round(0.3 + 0.25 * difficulty + rnorm(30, 0, 0.2), 1))
    }, numeric(30))
    flips <- rankmix:::joint_sign_flips(values, numeric(), integer(), all, 0L, 0.05, 499, i, 1L)
    min(flips$stepped) <= 0.05
  }, NA)
  # The tolerance is three standard errors of 1000 draws.
  expect_lt(abs(mean(rejected) - 0.05), 3 * sqrt(.05 * .95 / 1000))
})

# coin used 2,000,000 random permutations. The tolerance is four standard errors.
expect_near_counts <- function(p, expected, permutations = 2e6) {
  expect_true(all(abs(p - expected) < 4 * sqrt(expected * (1 - expected) / permutations)))
}

test_that("joint sign flips are the permutations of coin within queries", {
  # Sign flips keep the sum of squares. So coin's largest standardised sum and the largest t order the patterns alike.
  # Here all 2^20 patterns are used.
  compared <- compare_columns(sakai_topics)
  expect_true(compared$flips$exact)
  expect_near_counts(tidy(compared)$p_adjusted, peer_values("coin", "joint flips, step-down"))
  # At the level of the single-step p-value, the simultaneous interval ends at 0. All differences are positive, and
  # levels are at most .5.
  single <- peer_values("coin", "joint flips, single-step")[1:2]
  error <- 4 * sqrt(single * (1 - single) / 2e6)
  lower_at <- function(level, i) tidy(compare_columns(sakai_topics, level = level))$sim_lower[i]
  for (i in seq_along(single)) {
    expect_gt(lower_at(single[i] + error[i], i), 0)
    # The end is 0 up to rounding if other patterns reach the same t.
    expect_lt(lower_at(single[i] - error[i], i), 1e-12)
  }
})

test_that("permutations between all rankers agree with coin", {
  skip_if_quick()
  drawn <- tidy(compare_columns(sakai_topics, adjust = "tukey", resamples = 50000))$p_adjusted
  expected <- peer_values("coin", "permuted Tukey")
  # The tolerance is four standard errors of the difference of both proportions.
  expect_true(all(abs(drawn - expected) < 4 * sqrt(expected * (1 - expected) * (1 / 50000 + 1 / 2e6))))
})

test_that("Tukey's t tests and intervals agree with multcomp in the two-way model", {
  pairs <- tidy(compare_columns(sakai_topics, test = "t", adjust = "tukey"))
  # multcomp integrates at random points. Its error is about 1e-6 for p-values and 1e-5 for the critical value.
  expect_lt(max(abs(pairs$p_adjusted - peer_values("multcomp", "two-way Tukey"))), 2e-6)
  # glht() returns the differences B - A, C - A and C - B.
  ends <- matrix(peer_values("multcomp", "two-way Tukey, interval"), 3L)
  expect_equal(cbind(-pairs$sim_upper, -pairs$sim_lower), ends, tolerance = 1e-4)
})

test_that("joint sign flips of many normal differences agree with normal theory", {
  skip_if_quick()
  # The definitions differ: multcomp uses a multivariate t distribution, and sign flips use the observed differences.
  # For normal differences they agree up to terms of order 1 / n and errors of the random patterns.
  patterns <- 50000
  near <- function(p, case) {
    expected <- peer_values("multcomp", case)
    expect_true(all(abs(p - expected) < 1 / 200 + 4 * sqrt(expected * (1 - expected) / patterns)))
  }
  compared <- compare_columns(normal_values, resamples = patterns)
  near(tidy(compared)$p_adjusted, "own variances, step-down")
  critical <- peer_values("multcomp", "own variances, critical")
  # The density of the maximum of six t statistics at its 95 % quantile is above .1.
  expect_lt(abs(compared$flips$critical - critical), (1 / 200 + 4 * sqrt(.05 * .95 / patterns)) / .1)
  near(tidy(compare_columns(normal_values, resamples = patterns, control = "D"))$p_adjusted, "control, step-down")
})
