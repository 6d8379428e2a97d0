test_that("the grid has all multiples that sum to 1, in a fixed order", {
  expect_equal(rankmix:::simplex_weights(c("a", "b"), 4)[, "a"], c(1, 0.75, 0.5, 0.25, 0))
  three <- rankmix:::simplex_weights(c("a", "b", "c"), 5)
  expect_identical(nrow(three), 21L)
  expect_equal(rowSums(three), rep(1, 21))
  expect_false(anyDuplicated(round(three * 5)) > 0L)
  expect_false(is.unsorted(-three[, "a"]))
  added <- rankmix:::add_weights(rankmix:::simplex_weights(c("a", "b"), 4), c(b = 0.3, a = 0.7))
  expect_equal(added[, "a"], c(1, 0.75, 0.7, 0.5, 0.25, 0))
  expect_identical(rankmix:::add_weights(three, c(a = 0.2, b = 0.2, c = 0.6)), three)
})

test_that("the front agrees with a loop", {
  withr::local_seed(1)
  for (k in 2:3) {
    means <- matrix(sample(1:5, 20 * k, TRUE), 20)
    slow <- vapply(seq_len(20), function(i) {
      for (j in seq_len(20)) {
        if (all(means[j, ] >= means[i, ]) && any(means[j, ] > means[i, ])) return(FALSE)
      }
      TRUE
    }, NA)
    expect_identical(rankmix:::undominated(means), slow)
  }
  expect_identical(rankmix:::undominated(matrix(1, 3, 2)), rep(TRUE, 3))
})

test_that("differences are paired with the model of the objective alone", {
  withr::local_seed(2)
  weights <- rankmix:::simplex_weights(c("relevance", "revenue"), 2)
  values <- simulated_values(30, c(0, 0.02, 0.1))
  values$revenue[1:3, ] <- NaN
  values$relevance[4, 2] <- NA
  rows <- rankmix:::front_differences(values, weights, NULL, NULL, 0.05)
  zero <- function(v) replace(v, is.na(v) & !is.nan(v), 0)
  for (name in c("relevance", "revenue")) {
    alone <- if (name == "relevance") 1L else 3L
    for (j in setdiff(1:3, alone)) {
      row <- rows[rows$objective == name & rows$point == j, ]
      d <- zero(values[[name]][, j]) - zero(values[[name]][, alone])
      test <- t.test(d[!is.nan(d)], conf.level = 0.9)
      expect_equal(row$difference, test$estimate[[1L]])
      expect_equal(c(row$lower, row$upper), as.vector(test$conf.int))
      expect_equal(row$value, mean(zero(values[[name]][, j]), na.rm = TRUE))
    }
  }
  expect_identical(rows$difference[rows$objective == "relevance"][1L], 0)
  points <- rankmix:::front_points(values, weights, NULL)
  expect_identical(names(points), c("point", "weight_relevance", "weight_revenue", "value_relevance", "value_revenue",
                                    "front"))
  weighted <- rankmix:::front_points(values, weights, rep(c(1, 3), 15))
  expect_equal(weighted$value_relevance[1L], weighted.mean(values$relevance[, 1L], rep(c(1, 3), 15)))
})

test_that("intervals cover the true difference at their level", {
  withr::local_seed(3)
  times <- repetitions(600)
  weights <- rankmix:::simplex_weights(c("relevance", "revenue"), 4)
  losses <- c(0, 0.01, 0.02, 0.05, 0.1)
  covered <- replicate(times, {
    rows <- rankmix:::front_differences(simulated_values(25, losses), weights, NULL, NULL, 0.05)
    true <- c(-losses, losses[5] - losses)
    (rows$lower <= true & true <= rows$upper)[c(2:5, 6:9)]
  })
  expect_true(all(abs(rowMeans(covered) - 0.9) < 4 * sqrt(0.09 / times)))
})
