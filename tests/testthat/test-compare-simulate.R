test_that("the simulation of normal differences agrees with the formula", {
  set.seed(1)
  pilot <- rnorm(400)
  exact <- queries_needed(0.3, pilot = pilot, upper_limit = FALSE)
  found <- queries_needed(0.3, pilot = pilot, upper_limit = FALSE, test = "simulate", seed = 1)
  expect_equal(found$queries, exact$queries, tolerance = 0.06)
  expect_equal(found$mc_error, sqrt(found$power * (1 - found$power) / 2000))
  expect_gte(found$power, 0.8)
  again <- queries_needed(0.3, pilot = pilot, upper_limit = FALSE, test = "simulate", seed = 1)
  expect_identical(found, again)
})

test_that("the drawn differences have the wanted mean and spread", {
  of <- function(pilot, shift) {
    plan <- list(difference = 0.05, shift = shift, factor = 1, pilot = rankmix:::pooled_pilots(pilot, NULL))
    rankmix:::pilot_differences(plan, NULL)
  }
  difference <- sakai_topics[, "A"] - sakai_topics[, "B"]
  all <- of(difference, "all")
  expect_equal(mean(all), 0.05)
  expect_equal(mean((all - 0.05)^2), var(difference))
  changed <- of(difference, "changed")
  expect_equal(mean(changed), 0.05)
  expect_identical(changed == 0, rankmix:::snapped_difference(difference, 0 * difference) == 0)
  # Each of several pilots is centred at its own mean.
  several <- of(list(difference, difference + 5), "all")
  expect_equal(several[1:20], several[21:40])
})

test_that("sign flips are simulated too, and flat draws have a p-value", {
  difference <- sakai_topics[, "A"] - sakai_topics[, "B"]
  # With so few queries, all sign flips are quickly enumerated.
  found <- queries_needed(0.25, pilot = difference, test = "simulate",
                          simulated = "randomization", draws = 200, seed = 1)
  by_t <- queries_needed(0.25, pilot = difference)
  expect_equal(found$queries, by_t$queries, tolerance = 0.35)
  drawn <- cbind(c(0, 0, 0), c(1, 1, 1), c(1, 2, 4))
  p <- rankmix:::simulated_p(drawn, list(simulated = "t"), 1)
  expect_equal(p, c(1, 0.25, t.test(c(1, 2, 4))$p.value))
})

test_that("a simulation needs a pilot of two rankers, and a feasible number of queries", {
  refused <- function(expr) expect_error(expr, class = "rankmix_error_argument")
  refused(queries_needed(0.1, sd = 1, test = "simulate"))
  refused(queries_needed(0.1, pilot = sakai_topics, test = "simulate"))
  refused(queries_needed(0.1, pilot = 1:9, test = "simulate", draws = 10))
  refused(queries_needed(0.1, pilot = 1:9, test = "simulate", seed = -1))
  refused(queries_needed(0.1, pilot = 1:9, test = "simulate", shift = "none"))
  refused(queries_needed(0.1, pilot = 1:9, test = "simulate", simulated = "sign"))
  difference <- sakai_topics[, "A"] - sakai_topics[, "B"]
  too_many <- function(wanted, message) {
    e <- expect_error(queries_needed(wanted, pilot = difference, test = "simulate", draws = 100, seed = 1),
                      message, class = "rankmix_error_argument")
    expect_identical(as.character(e$call[[1L]]), "queries_needed")
  }
  too_many(1e-6, "a billion")
  # The simulation of 100,000 queries takes long.
  local_function("max_simulated_queries", 1000)
  too_many(1e-4, "100,000")
})

test_that("exact p-values of simulated sign flips are those of the test", {
  settings <- list(resamples = 999, seed = 1, level = 0.05, alternative = "two.sided", threads = 1L)
  with_seed(1, for (i in seq_len(60)) {
    few <- sample(12L, 1L)
    drawn <- switch(i %% 3 + 1, stats::rnorm(few), stats::rnorm(few, 0.5), sample(-3:3, few, replace = TRUE) / 10)
    drawn <- c(drawn, numeric(sample(0:3, 1L)))
    expect_equal(sign_flip_p(drawn, settings), randomization_p(drawn, NULL, settings), tolerance = 1e-12)
  })
  expect_identical(sign_flip_p(numeric(5), settings), 1)
})
