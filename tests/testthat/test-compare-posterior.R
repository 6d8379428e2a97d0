topics_rope <- function(margin, ...) {
  rankmix:::add_equivalence(data.frame(a = "A", b = "B"), list(values = sakai_topics),
                            list(margin = margin, level = 0.05, adjust = "none", seed = 1,
                                 resamples = 20000, ...))
}

test_that("the reference posterior has the probabilities of the region", {
  of <- function(margin) unlist(topics_rope(margin)[c("prob_worse", "prob_rope", "prob_better")])
  expect_equal(unname(of(0.01)), c(0.01346228, 0.02774703, 0.9587907), tolerance = 1e-6)
  expect_equal(unname(of(0.05)), c(0.001128344, 0.2434763, 0.7553953), tolerance = 1e-6)
  # Without a margin, prob_better is the probability that A is better.
  expect_equal(of(1e-12)[["prob_better"]], 0.9761016, tolerance = 1e-6)
})

test_that("the Bayesian bootstrap agrees with the reference posterior", {
  found <- topics_rope(0.05, prior = "bootstrap")
  exact <- topics_rope(0.05)
  expect_equal(found$prob_rope, exact$prob_rope, tolerance = 0.1)
  expect_equal(found$prob_worse + found$prob_rope + found$prob_better, 1)
  expect_identical(found, topics_rope(0.05, prior = "bootstrap"))
  relative <- topics_rope(0.15, prior = "bootstrap", relative_margin = TRUE)
  expect_equal(relative$prob_better, topics_rope(0.15, relative_margin = TRUE)$prob_better,
               tolerance = 0.05)
})

test_that("bootstrap draws have the mean and the spread of weighted queries in strata", {
  set.seed(1)
  values <- cbind(a = runif(40), b = 0.5)
  fold <- rep(1:2, c(10, 30))
  values[1:10, "a"] <- values[1:10, "a"] + 5
  weight <- rep(c(1, 2), 20)
  drawn <- rankmix:::posterior_means(list(values = values, fold = fold, weight = weight), 20000)
  expect_equal(mean(drawn[, "a"]), weighted.mean(values[, "a"], weight), tolerance = 2e-3)
  expect_equal(range(drawn[, "b"]), c(0.5, 0.5))
  moments <- rankmix:::stratified_moments(values[, "a"], weight, fold)
  expect_equal(sd(drawn[, "a"]), moments$se, tolerance = 0.1)
})

test_that("the Bayes factor agrees with the package BayesFactor", {
  expect_equal(topics_rope(0.05)$bayes_factor, 1.439416, tolerance = 1e-6)
  # The mean difference is 0, which is evidence for the null hypothesis.
  set.seed(1)
  d <- rnorm(100)
  moments <- list(mean = 0, se = sd(d) / 10, df = 99, flat = FALSE)
  expect_lt(rankmix:::jzs_bayes_factor(moments, 100), 0.2)
})
