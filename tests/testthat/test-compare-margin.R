# Sakai's 20 topics. The expected values agree with t.test(), TOSTER and BayesFactor.
topics_pair <- function(margin, ...) {
  settings <- list(margin = margin, level = 0.05, adjust = "holm", test = "t", seed = 1,
                   resamples = 10000, ...)
  rankmix:::add_equivalence(data.frame(a = "A", b = "B"), list(values = sakai_topics[, c("A", "B")]),
                            settings)
}

test_that("the two one-sided tests have the values of t.test() and TOSTER", {
  p <- lapply(c(0.05, 0.1, 0.15, 0.2), topics_pair)
  # A has the larger mean. So the lower test gives p_noninferior, and the upper test gives p_equivalent.
  expect_equal(vapply(p, `[[`, 0, "p_noninferior"),
               c(0.001128344, 4.578527e-05, 2.164672e-06, 1.31893e-07), tolerance = 1e-6)
  expect_equal(vapply(p, `[[`, 0, "p_equivalent"),
               c(0.7553953, 0.2446047, 0.02389838, 0.001128344), tolerance = 1e-6)
  expect_equal(c(p[[1L]]$tost_lower, p[[1L]]$tost_upper), c(0.01370526, 0.1362947), tolerance = 1e-6)
  difference <- sakai_topics[, "A"] - sakai_topics[, "B"]
  expect_equal(p[[3L]]$p_equivalent, t.test(difference, mu = 0.15, alternative = "less")$p.value)
})

test_that("the interval is within the margin if and only if the test shows equivalence", {
  set.seed(2)
  for (i in 1:20) {
    values <- cbind(a = runif(12), b = runif(12))
    one <- rankmix:::add_equivalence(data.frame(a = "a", b = "b"), list(values = values),
                                     list(margin = 0.3, level = 0.05, adjust = "none", seed = 1))
    expect_identical(one$p_equivalent <= 0.05, one$tost_lower > -0.3 && one$tost_upper < 0.3)
    relative <- rankmix:::add_equivalence(
      data.frame(a = "a", b = "b"), list(values = values + 2),
      list(margin = 0.1, relative_margin = TRUE, level = 0.05, adjust = "none", seed = 1)
    )
    expect_identical(relative$p_equivalent <= 0.05,
                     relative$tost_lower > -0.1 && relative$tost_upper < 0.1)
  }
})

test_that("a relative margin tests differences to a fraction of the second ranker", {
  one <- topics_pair(0.15, relative_margin = TRUE)
  a <- sakai_topics[, "A"]
  b <- sakai_topics[, "B"]
  expect_equal(one$p_noninferior, t.test(a - 0.85 * b, alternative = "greater")$p.value)
  expect_equal(one$p_equivalent, t.test(a - 1.15 * b, alternative = "less")$p.value)
  expect_equal(one$relative_difference, mean(a) / mean(b) - 1)
  # At each end of Fieller's interval, the p-value of the test of the ratio equals the level.
  for (end in c(one$tost_lower, one$tost_upper)) {
    expect_equal(t.test(a - (1 + end) * b)$p.value, 0.1)
  }
  # This interval is unbounded.
  wide <- rankmix:::add_equivalence(data.frame(a = "a", b = "b"),
                                    list(values = cbind(a = c(1, 0, 0), b = c(0, 0, 0.1))),
                                    list(margin = 0.1, relative_margin = TRUE, level = 0.05,
                                         adjust = "none", seed = 1))
  expect_identical(wide$tost_upper, NA_real_)
})

test_that("sign flips are one-sided, by enumeration", {
  difference <- sakai_topics[1:10, "A"] - sakai_topics[1:10, "B"]
  settings <- list(margin = 0.15, level = 0.05, adjust = "none", seed = 1, resamples = 1000,
                   margin_method = "flips")
  one <- rankmix:::add_equivalence(data.frame(a = "A", b = "B"),
                                   list(values = sakai_topics[1:10, ]), settings)
  signs <- as.matrix(expand.grid(rep(list(c(-1, 1)), 10L)))
  p_above <- function(x) mean(round(signs %*% x, 12) >= round(sum(x), 12))
  expect_equal(one$p_noninferior, p_above(difference + 0.15))
  expect_equal(one$p_equivalent, p_above(0.15 - difference))
  # The mean difference is larger than the margin.
  settings$margin <- 0.01
  beyond <- rankmix:::add_equivalence(data.frame(a = "A", b = "B"),
                                      list(values = sakai_topics[1:10, ]), settings)
  expect_gt(beyond$p_equivalent, 0.5)
})

test_that("weights and folds use the standard error of the comparison", {
  set.seed(4)
  a <- runif(60)
  b <- runif(60)
  fold <- rep(1:3, each = 20)
  pair <- tidy(compare_values(a, b, fold = fold))
  one <- rankmix:::add_equivalence(data.frame(a = "a", b = "b"), list(values = cbind(a, b), fold = fold),
                                   list(margin = 0.1, level = 0.05, adjust = "none", seed = 1))
  parts <- vapply(split(a - b, fold), var, 0) / 20 / 9
  expect_equal(pair$se, sqrt(sum(parts)))
  df <- sum(parts)^2 / sum(parts^2 / 19)
  expect_equal(one$p_noninferior, pt((pair$difference + 0.1) / pair$se, df, lower.tail = FALSE))
  weight <- rep(c(1, 3), 30)
  weighted <- rankmix:::add_equivalence(data.frame(a = "a", b = "b"),
                                        list(values = cbind(a, b), weight = weight),
                                        list(margin = 0.1, level = 0.05, adjust = "none", seed = 1))
  moments <- rankmix:::stratified_moments(a - b, weight)
  expect_equal(moments$df, 120^2 / sum(weight^2) - 1)
  expect_equal(weighted$p_noninferior,
               pt((moments$mean + 0.1) / moments$se, moments$df, lower.tail = FALSE))
})

test_that("undefined cases are decided by the mean, or are undecided", {
  settings <- list(margin = 0.1, level = 0.05, adjust = "none", seed = 1, resamples = 200)
  of <- function(a, b, ...) {
    rankmix:::add_equivalence(data.frame(a = "a", b = "b"), list(values = cbind(a, b)),
                              utils::modifyList(settings, list(...)))
  }
  same <- of(rep(0.5, 6), rep(0.5, 6))
  expect_identical(same$p_equivalent, 2^-6)
  expect_identical(c(same$tost_lower, same$tost_upper), c(0, 0))
  expect_identical(same$prob_rope, 1)
  expect_identical(same$bayes_factor, NA_real_)
  constant <- of(rep(0.5, 6), rep(0.3, 6))
  expect_identical(c(constant$p_noninferior, constant$p_equivalent), c(2^-6, 1))
  expect_identical(constant$prob_better, 1)
  expect_identical(constant$tost_lower, NA_real_)
  one <- of(0.5, 0.5)
  expect_identical(one$p_equivalent, 1)
  expect_identical(one$prob_rope, NA_real_)
  expect_identical(of(0.5, 0.5, prior = "bootstrap")$prob_rope, NA_real_)
  expect_identical(of(0.5, 0.5, margin_method = "flips")$p_equivalent, 1)
  expect_error(of(1:3 / 3, c(0, 0, 0), relative_margin = TRUE), class = "rankmix_error_values")
})

test_that("p-values are adjusted as the comparison's, by Holm for joint methods", {
  pairs <- data.frame(a = c("A", "A", "B"), b = c("B", "C", "C"))
  of <- function(adjust) {
    rankmix:::add_equivalence(pairs, list(values = sakai_topics),
                              list(margin = 0.15, level = 0.05, adjust = adjust, seed = 1))
  }
  plain <- of("none")
  expect_identical(plain$p_equivalent_adjusted, plain$p_equivalent)
  expect_identical(of("BH")$p_equivalent_adjusted, p.adjust(plain$p_equivalent, "BH"))
  for (adjust in c("holm", "maxt", "tukey")) {
    expect_identical(of(adjust)$p_equivalent_adjusted, p.adjust(plain$p_equivalent, "holm"))
  }
})

test_that("verdicts follow the comparison's own p-values", {
  pairs <- data.frame(difference = c(0.1, -0.1, 0.1, -0.1, 0.1, 0.1, 0),
                      p_adjusted = c(0.01, 0.01, 0.01, 0.01, 0.2, 0.2, NA),
                      p_equivalent_adjusted = c(0.2, 0.2, 0.01, 0.01, 0.01, 0.2, NA), both_directions = FALSE)
  settings <- list(level = 0.05, test = "t", adjust = "holm")
  expect_identical(rankmix:::verdict_of(pairs, settings),
                   c("better", "worse", "better, but practically equivalent",
                     "worse, but practically equivalent", "equivalent", "undecided", "undecided"))
  without <- pairs[c("difference", "p_adjusted", "both_directions")]
  expect_identical(rankmix:::verdict_of(without, settings),
                   c("better", "worse", "better", "worse", rep("undecided", 3)))
  expect_identical(rankmix:::verdict_of(pairs[0L, ], settings), character())
  # Neither ranker is better if folds differ in direction, or if ranks contradict means.
  without$both_directions <- TRUE
  expect_identical(rankmix:::verdict_of(without, settings)[1L], "undecided")
  without$both_directions <- FALSE
  without$pseudo_median <- -0.1
  settings$test <- "wilcoxon"
  expect_identical(rankmix:::verdict_of(without, settings)[1:2], c("undecided", "worse"))
})

test_that("tests and intervals of margins agree with TOSTER", {
  # t_TOST() returns the t test, the test of the lower margin, the test of the upper margin, and the interval.
  expect_values <- function(found, expected) {
    expect_equal(found$p_noninferior, expected[2L], tolerance = 1e-9)
    expect_equal(found$p_equivalent, max(expected[2:3]), tolerance = 1e-9)
    expect_equal(c(found$tost_lower, found$tost_upper), expected[4:5], tolerance = 1e-9)
  }
  for (margin in c(0.05, 0.1, 0.15, 0.2)) {
    expected <- peer_values("TOSTER", paste("20 topics, margin", margin))
    expect_values(topics_pair(margin), expected)
    whole <- tidy(equivalence(compare_topics(c("A", "B")), margin))
    expect_values(whole, expected)
    expect_equal(whole$p_difference, expected[1L], tolerance = 1e-9)
  }
  for (margin in c(0.3, 0.5)) {
    evaluations <- lapply(list(A = "A", D = "D"), function(ranker) evaluation_of(normal_values[, ranker]))
    compared <- do.call(compare_rankers, c(evaluations, list(level = 0.025, test = "t", adjust = "none")))
    expect_values(tidy(equivalence(compared, margin)), peer_values("TOSTER", paste("200 queries, margin", margin)))
  }
})
