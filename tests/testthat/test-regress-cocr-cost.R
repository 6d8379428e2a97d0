test_that("costs agree with the paper", {
  costs <- function(cost) rankmix:::named_cost(cost, 5)
  expect_identical(costs("absolute")[4, ], c(3, 2, 1, 0, 1))
  expect_identical(costs("squared")[4, ], c(9, 4, 1, 0, 1))
  expect_identical(costs("oerr")[4, ], c(49, 36, 16, 0, 64))
  for (cost in rankmix:::cost_names) {
    for (K in 1:5) expect_identical(rankmix:::named_cost(cost, K + 1), naive_cost(cost, K))
  }
})

test_that("weights are differences of costs", {
  weights <- function(cost, K) rankmix:::subproblem_weights(rankmix:::named_cost(cost, K + 1))
  expect_identical(weights("oerr", 4),
                   rbind(c(1, 8, 40, 176), c(1, 4, 32, 160), c(5, 4, 16, 128), c(13, 20, 16, 64),
                         c(29, 52, 80, 64)))
  expect_identical(weights("oerr", 2), rbind(c(1, 8), c(1, 4), c(5, 4)))
  for (K in 1:5) {
    closed <- list(absolute = function(y, k) 1 + 0 * y,
                   squared = function(y, k) abs(2 * (y - k) + 1),
                   oerr = function(y, k) 2^(k - 1) * abs(2^(y + 1) - 3 * 2^(k - 1)))
    for (cost in names(closed)) {
      expect_identical(weights(cost, K), outer(0:K, seq_len(K), closed[[cost]]))
      expect_true(all(weights(cost, K) > 0))
    }
  }
})

data <- complete_simulation(30, 3)
grades <- max(data$relevance) + 1

test_that("a matrix may be by grade, or by document", {
  expect_identical(grades, 5)
  named <- fit(cocr(linear_ranker(penalty = 0.1), "squared"), data, verbose = FALSE)
  matrix <- naive_cost("squared", 4)
  by_grade <- fit(cocr(linear_ranker(penalty = 0.1), matrix), data, verbose = FALSE)
  expect_identical(predict(by_grade, data), predict(named, data))
  by_document <- fit(cocr(linear_ranker(penalty = 0.1), matrix[data$relevance + 1, ]), data,
                     verbose = FALSE)
  expect_equal(predict(by_document, data), predict(named, data), tolerance = 1e-12)
  # The cost matrix may have grades that do not occur in the data.
  longer <- fit(cocr(linear_ranker(penalty = 0.1), naive_cost("squared", 6)), data, verbose = FALSE)
  expect_identical(predict(longer, data), predict(named, data))
  # Only ratios of costs matter.
  scaled <- fit(cocr(linear_ranker(penalty = 0.1), 7 * matrix), data, verbose = FALSE)
  expect_equal(predict(scaled, data), predict(named, data), tolerance = 1e-12)
})

test_that("costs of documents are used one by one", {
  own <- naive_cost("absolute", 4)[data$relevance + 1, ] * rep(1:3, length.out = nrow(data$x))
  model <- fit(cocr(linear_ranker(penalty = 0), own), data, verbose = FALSE)
  for (k in 1:4) {
    y <- as.numeric(data$relevance >= k)
    fitted <- lm.wfit(cbind(1, data$x), y, rep(1:3, length.out = length(y)))$fitted.values
    expect_equal(predict(model, data, "level")[, k], unname(fitted), tolerance = 1e-10)
  }
})

test_that("impossible costs are refused", {
  costs <- naive_cost("squared", 4)
  negative <- costs
  negative[2, 4] <- -1
  truth <- costs
  truth[3, 3] <- 0.5
  falling <- costs
  falling[1, ] <- c(0, 2, 1, 3, 4)
  flat <- costs
  flat[, 4] <- flat[, 3]
  flat[4, ] <- c(9, 4, 0, 0, 1)
  flat[3, 4] <- 0
  flat[5, ] <- c(16, 9, 4, 4, 0)
  document <- costs[data$relevance + 1, ]
  document[7, data$relevance[7] + 1] <- 2
  expect_snapshot(error = TRUE, {
    cocr(cost = "err")
    cocr(cost = c("oerr", "oerr"))
    cocr(cost = 3)
    cocr(cost = negative)
    cocr(cost = truth)
    cocr(cost = falling)
    cocr(cost = matrix(0, 3, 1))
    fit(cocr(cost = flat), data)
    fit(cocr(cost = naive_cost("squared", 2)), data)
    fit(cocr(cost = costs[c(1, 2), ]), data)
    fit(cocr(cost = document), data)
  })
  for (wrong in list(negative, truth, falling, matrix(c(0, NA, 1, 0), 2))) {
    expect_error(cocr(cost = wrong), class = "rankmix_error_cost")
  }
})

test_that("costs that are not convex are reported", {
  expect_silent(fit(cocr(linear_ranker(penalty = 1), naive_cost("squared", 4)), data, verbose = FALSE))
  expect_snapshot(fitted <- fit(cocr(linear_ranker(penalty = 1), naive_cost("oerr", 4)), data))
  expect_warning(fit(cocr(linear_ranker(penalty = 1), naive_cost("oerr", 4)), data, verbose = FALSE),
                 class = "rankmix_warning_cost")
  expect_silent(fit(cocr(linear_ranker(penalty = 1), "oerr"), data, verbose = FALSE))
})
