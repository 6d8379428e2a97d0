# What ?rankers says of the order of rows and of weights, with settings as they are by default, on
# data whose features have thousands of distinct values.

many <- simulate_ranking(120, features = 6, seed = 21)$data
with_rows <- function(rows) {
  ranking_data(many$x[rows, ], many$relevance[rows], many$query[rows])
}
largest_change <- function(spec, one, other) {
  learned <- lapply(list(one, other), function(data) {
    predict(fit(spec, data, seed = 1, threads = 1, verbose = FALSE), many$x)
  })
  max(abs(learned[[1L]] - learned[[2L]])) / max(abs(learned[[1L]]))
}

test_that("the order of rows changes nothing by default", {
  shuffled <- with_rows(withr::with_seed(2, sample(nrow(many$x))))
  specs <- list(gbrt(10), lambdamart(trees = 10),
                rankboost(20), adaboost_mh(rounds = 10))
  for (spec in specs) {
    expect_identical(largest_change(spec, with_rows(seq_len(nrow(many$x))), shuffled), 0,
                     label = format(spec))
  }
  expect_lt(largest_change(linear(), many, shuffled), 1e-12)
  expect_lt(largest_change(mcsvm(), many, shuffled), 1e-6)
})

test_that("of few distinct values, weight 2 is as good as the query twice", {
  x <- pmin(pmax(round(many$x, 1), -10), 10)
  weight <- rep(1:2, length.out = 120)
  twice <- which(weight[many$query] == 2)
  rows <- c(seq_len(nrow(x)), twice)
  copies <- ranking_data(x[rows, ], many$relevance[rows], c(many$query, many$query[twice] + 1000))
  weighted <- ranking_data(x, many$relevance, many$query, weight = weight[many$query])
  for (spec in list(gbrt(10, min_documents = 1), lambdamart(trees = 10, min_documents = 1),
                    rankboost(20), mcsvm(),
                    adaboost_mh(rounds = 10, precision = "double"), linear(penalty = 1))) {
    expect_lt(largest_change(spec, weighted, copies), 1e-6, label = format(spec))
  }
})
