one_query <- function(documents) {
  x <- cbind(a = seq_len(documents) %% 97, b = seq_len(documents) %% 89)
  ranking_data(x, as.integer((x[, 1] + x[, 2]) %/% 50), rep(1, documents))
}

test_that("the cost of a long list is reported before training", {
  task <- list(data = one_query(6000))
  costs <- function(spec, max_pairs = 1e6) {
    rankmix:::check_training_cost(spec, task, max_pairs)
  }
  expect_snapshot({
    costs(gbrt(trees = 1, objective = loss_lambda(pairs = "all", metric = metric_ndcg())))
    costs(coordinate_ascent())
    costs(smoothrank(metric_ndcg()))
    costs(yetirank(setup = "equal"))
    costs(yetirank(rankings = 600, neighbours = 2), max_pairs = Inf)
  })
  expect_no_warning(costs(yetirank(rankings = 500, neighbours = 2), max_pairs = Inf))
  # These specifications need no sums over all pairs: they have a cut-off, random pairs or sums in n log n.
  for (spec in list(lambdamart(), gbrt(objective = loss_lambda(pairs = 10)),
                    gbrt(objective = loss_smooth("map", form = "logistic")),
                    coordinate_ascent(search = "ranklib"), yetirank(), rankboost(),
                    gbrt(objective = loss_pairwise()), ranksvm(), linear_ranker())) {
    expect_no_warning(costs(spec))
  }
  expect_no_warning(costs(coordinate_ascent(), max_pairs = 1e8))
  task <- list(data = one_query(5000))
  expect_no_warning(costs(coordinate_ascent()))
})

test_that("the cost of smoothrank() counts the evaluations of all penalties in a stage", {
  task <- list(data = one_query(50000))
  costs <- function(...) rankmix:::check_training_cost(smoothrank(...), task)
  expect_snapshot(costs())
  expect_no_warning(costs(metric_ndcg(5), penalty = 0.1))
  expect_no_warning(costs("map", form = "logistic"))
  # Shorter lists never cause the warning.
  task <- list(data = one_query(5000))
  expect_no_warning(costs())
})

test_that("the cost of an exact search counts the ranks from which a metric is computed anew", {
  task <- list(data = one_query(2000))
  costs <- function(metric, ...) rankmix:::check_training_cost(coordinate_ascent(metric, ...), task)
  expect_snapshot(costs("map"))
  for (metric in list("err", "bpref", metric_ndcg(10, ties = "average"))) {
    expect_warning(costs(metric), class = "rankmix_warning_pairs")
  }
  expect_no_warning(costs("map", search = "ranklib"))
  for (metric in list("ndcg", "precision@10", "rbp", "err@10")) expect_no_warning(costs(metric))
  task <- list(data = one_query(500))
  expect_no_warning(costs("map"))
  # Crossings of documents are stored.
  task <- list(data = one_query(20000))
  expect_warning(costs("map@2"), "take some 8.0 GB")
})

test_that("fit() warns", {
  spec <- gbrt(1, num_leaves = 2, objective = loss_smooth(metric_ndcg(), warmup = 5))
  expect_warning(fit(spec, one_query(35000), threads = 1), class = "rankmix_warning_pairs")
})

test_that("a long list trains by all its pairs", {
  data <- one_query(at_size(4000, 20000))
  # If all pairs are in the right order, the loss is small.
  model <- fit(linear_ranker(loss_pairwise(), penalty = 0.01), data, threads = 1)
  expect_identical(model$status, "converged")
  # Computes the objective in a loop over distinct documents, each of which has many copies.
  scores <- predict(model, data)
  sums <- data.frame(score = scores, grade = data$relevance)
  sums <- aggregate(list(count = rep(1, nrow(sums))), sums, sum)
  loss <- 0
  pairs <- 0
  for (i in which(sums$grade > 0)) {
    lower <- sums[sums$grade < sums$grade[i], ]
    loss <- loss + sums$count[i] * sum(lower$count * log1p(exp(lower$score - sums$score[i])))
    pairs <- pairs + sums$count[i] * sum(lower$count)
  }
  beta <- model$weights * apply(data$x, 2, function(x) sqrt(mean((x - mean(x))^2)))
  expect_equal(model$objective, loss / pairs + 0.01 * sum(beta^2), tolerance = 1e-9)
})

test_that("linear models of cocr() refuse too many features", {
  x <- Matrix::sparseMatrix(i = rep(1:40, 3), j = seq_len(120) * 100L, x = 1, dims = c(40, 12000))
  data <- ranking_data(x, rep(0:3, 10), rep(1:4, each = 10))
  expect_snapshot(fit(cocr(base = linear_ranker(penalty = 1)), data, threads = 1), error = TRUE)
  expect_no_error(rankmix:::check_products_of_features(2048, 64, NULL))
})
