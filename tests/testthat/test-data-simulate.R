test_that("grades have the probabilities that are returned", {
  simulation <- simulate_ranking(2000, documents = 30, seed = 1)
  p <- simulation$probability
  n <- nrow(p)
  expect_equal(rowSums(p), rep(1, n))
  expect_true(all(p > 0))
  # In each band of predicted probability, the fraction of the grade equals the mean probability up to four standard
  # errors.
  for (g in 0:4) {
    hit <- simulation$data$relevance == g
    band <- cut(p[, g + 1], quantile(p[, g + 1], 0:10 / 10), include.lowest = TRUE)
    off <- tapply(hit - p[, g + 1], band, sum)
    spread <- sqrt(tapply(p[, g + 1] * (1 - p[, g + 1]), band, sum))
    expect_lt(max(abs(off / spread)), 4)
  }
})

test_that("the truth is a function of the features and the best ranker", {
  local_known_warnings("ties")
  simulation <- simulate_ranking(200, seed = 2)
  truth <- simulation$truth
  expect_identical(predict(truth, simulation$data, type = "prob"), simulation$probability)
  part <- simulation$data[c(5, 2)]
  rows <- simulation$data$query %in% c(5, 2)
  expect_identical(predict(truth, part, type = "prob"), simulation$probability[rows, ])
  expect_equal(predict(truth, part),
               as.vector(simulation$probability[rows, ] %*% (2^(0:4) - 1)))
  expect_identical(order(predict(truth, part[1], type = "rank")),
                   order(-predict(truth, part[1])))
  # The truth has the largest mean. Its interval lies above the intervals of all single features.
  test <- simulate_ranking(300, truth = truth, seed = 3)$data
  model <- fit(adaboost_mh(base_tree(8), rounds = 100), simulation$data)
  rankers <- c(list(truth = truth, model = model),
               as.list(as.data.frame(test$x)[test$features[1:14]]))
  table <- summary(evaluate(rankers, test, metric_dcg(10)))
  best <- table[table$ranker == "truth", ]
  expect_true(all(best$mean > table$mean[table$ranker != "truth"]))
  expect_gt(best$lower, max(table$upper[!table$ranker %in% c("truth", "model")]))
})

test_that("fractions, sizes and kinds of features are as requested", {
  grades <- c(0.7, 0.2, 0.1)
  simulation <- simulate_ranking(300, documents = c(3, 9), features = 12, grades = grades,
                                 useless = 0.4, constant = 2, seed = 4)
  data <- simulation$data
  expect_equal(unname(colMeans(simulation$probability)), grades, tolerance = 1e-6)
  sizes <- diff(data$offsets)
  expect_identical(range(sizes), c(3L, 9L))
  expect_identical(data$constant, c("constant1", "constant2"))
  expect_length(grep("^useless", data$features), 4L)
  expect_length(data$features, 12L)
  # Exactly the query features and the constant features are constant in queries.
  spread <- apply(data$x, 2L, function(x) max(tapply(x, data$query, function(v) diff(range(v)))))
  expect_identical(names(spread)[spread == 0], c("query1", "constant1", "constant2"))
  # Features are shifted by query, so queries differ more than by chance.
  feature <- which(simulation$truth$plan$kind[1:6] == "identity")[1]
  values <- data$x[, feature]
  fit <- stats::anova(stats::lm(values ~ factor(data$query)))
  expect_lt(fit[["Pr(>F)"]][1], 1e-6)
  expect_identical(diff(simulate_ranking(3, documents = 5, seed = 1)$data$offsets),
                   rep(5L, 3))
})

test_that("without signal nothing ranks better than chance", {
  simulation <- simulate_ranking(50, signal = 0, query_shift = 0, seed = 5)
  expect_lt(max(apply(simulation$probability, 2L, sd)), 1e-12)
  # All documents of a query tie, so the metric is the expected value of a random order.
  expect_identical(length(unique(round(predict(simulation$truth, simulation$data), 10))), 1L)
})

test_that("useless features have no effect on the true grades", {
  simulation <- simulate_ranking(20, seed = 6)
  x <- simulation$data$x
  x[, grep("useless|constant", colnames(x))] <- 7
  expect_identical(predict(simulation$truth, x, type = "prob"), simulation$probability)
})

test_that("the seed determines the data", {
  expect_identical(simulate_ranking(5, seed = 1), simulate_ranking(5, seed = 1))
  expect_false(identical(simulate_ranking(5, seed = 1)$data,
                         simulate_ranking(5, seed = 2)$data))
  set.seed(9)
  a <- simulate_ranking(5)
  expect_identical(a, {
    set.seed(9)
    simulate_ranking(5)
  })
  set.seed(9)
  before <- .Random.seed
  simulate_ranking(5, seed = 1)
  expect_identical(.Random.seed, before)
  truth <- a$truth
  expect_identical(simulate_ranking(5, truth = truth, seed = 3)$truth, truth)
})

test_that("simulations print and are checked", {
  expect_snapshot(print(simulate_ranking(10, seed = 1)))
  refuse <- function(code) expect_snapshot_error(code, class = "rankmix_error_argument")
  refuse(simulate_ranking(0))
  refuse(simulate_ranking(5, documents = c(9, 3)))
  refuse(simulate_ranking(5, documents = 0))
  refuse(simulate_ranking(5, features = 3))
  refuse(simulate_ranking(5, grades = c(0.5, 0.4)))
  refuse(simulate_ranking(5, grades = 1))
  refuse(simulate_ranking(5, constant = 18))
  refuse(simulate_ranking(5, features = 4))
  refuse(simulate_ranking(5, useless = 2))
  refuse(simulate_ranking(5, features = 9, truth = simulate_ranking(5, seed = 1)$truth))
  refuse(simulate_ranking(5, truth = 1))
  expect_length(simulate_ranking(5, features = 4, useless = 1, constant = 0)$data$features,
                4L)
  expect_identical(simulate_ranking(1, documents = 1, seed = 1)$data$query, 1L)
})

test_that("a single document has its probabilities too", {
  simulation <- simulate_ranking(20, seed = 1)
  one <- simulation$data$x[1, , drop = FALSE]
  expect_identical(predict(simulation$truth, one, type = "prob"),
                   simulation$probability[1, , drop = FALSE])
  expect_identical(predict(simulation$truth, one),
                   predict(simulation$truth, simulation$data)[1])
  expect_identical(dim(simulate_ranking(1, documents = 1, seed = 1)$probability), c(1L, 5L))
})

test_that("the truth reports documents without probabilities", {
  simulation <- simulate_ranking(5, seed = 1)
  x <- simulation$data$x
  x[3, 1] <- NA
  expect_snapshot_error(predict(simulation$truth, x), class = "rankmix_error_newdata")
  x[3, ] <- -1
  expect_error(predict(simulation$truth, x), class = "rankmix_error_newdata")
})
