test_that("a comparison prints in eleven lines", {
  set.seed(8)
  base <- runif(60)
  values <- lapply(stats::setNames(1:8, letters[1:8]), function(i) {
    evaluation_of(base - i / 20 + rnorm(60, 0, 0.1), fold = rep(1:3, 20))
  })
  compared <- do.call(compare_rankers, c(values, list(seed = 1)))
  expect_snapshot(compared)
  expect_lte(length(capture.output(print(compared))), 12L)
  expect_snapshot(compare_rankers(a = values$a, b = values$a, seed = 1))
})


test_that("errors of wrong calls show the right call", {
  data <- example_part("test")
  rankers <- list(a = data$x[, 1], b = data$x[, 2])
  expect_snapshot(error = TRUE, {
    compare_rankers(rankers, data, "ndcg@10")
    compare_rankers(rankers, data = data, metric_ndcg(10))
    benchmark_rankers(list(a = lambdamart, b = gbrt()), list(train = data, test = data))
    evaluate(data, data$x[, 1], "ndcg@10")
  })
})

test_that("metrics of one name are compared only if they are the same metric", {
  data <- example_part("test")
  at <- function(k) evaluate(data$x[, 1], data, list(m = metric_ndcg(k)))
  expect_snapshot(error = TRUE, {
    compare_rankers(a = at(10), b = at(5))
    rbind(at(10), at(5))
  })
  # ERR takes its scale from the largest grade of the data.
  other <- ranking_data(data$x, pmin(data$relevance, 1), data$query_ids[data$query])
  expect_error(rbind(evaluate(data$x[, 1], data, "err"), evaluate(other$x[, 1], other, "err")),
               class = "rankmix_error_argument")
  both <- rbind(at(10), at(10))
  expect_s3_class(both, "rankmix_evaluation")
  expect_identical(nrow(both), 2L * nrow(at(10)))
})

test_that("runs that lack a query are compared by topics", {
  qrels <- as_qrels(data.frame(query = c(1, 2, 3), document = "a", relevance = 1))
  run <- function(queries, document) as_run(data.frame(query = queries, document = document, score = 1))
  compare <- function(...) {
    compare_rankers(one = run(1:2, c("a", "b")), two = run(1:3, "a"), data = qrels, metric = "map", ...)
  }
  expect_error(compare(), class = "rankmix_error_topics")
  expect_identical(tidy(compare(topics = "qrels"))$queries, 3L)
  expect_identical(tidy(compare(topics = "common"))$queries, 2L)
})

test_that("summary() has a row for each ranker", {
  data <- random_data(queries = 8, features = 2)
  compared <- compare_rankers(a = data$x[, 1], b = data$x[, 2], data = data, metric = "ndcg@10", seed = 1)
  expect_identical(summary(compared), compared$rankers)
  expect_identical(summary(compared)$ranker, c("a", "b"))
})

test_that("algorithms are compared over queries and trainings", {
  data <- example_part("train")
  benchmark <- benchmark_rankers(
    list(trees = gbrt(trees = 5, query_fraction = 0.5), feature = best_feature()),
    query_folds(data, 3, seed = 1), "ndcg@10", data = data, seed = 1, threads = 1, verbose = FALSE,
    repeats = 3
  )
  models <- compare_rankers(benchmark, test = "t", seed = 1)
  algorithms <- compare_rankers(benchmark, variance = "queries+training", seed = 1, margin = 0.5)
  own <- tidy(variance_parts(benchmark))
  columns <- c("difference", "se", "df", "lower", "upper")
  expect_equal(tidy(algorithms)[columns], own[columns])
  expect_equal(tidy(algorithms)$p_adjusted, own$p)
  expect_equal(tidy(models)$se, own$se_queries)
  expect_equal(tidy(algorithms)$tost_upper, own$difference + stats::qt(0.95, own$df) * own$se)
  expect_output(print(algorithms), "over queries and\\s+trainings")
  expect_match(methods_sentence(algorithms), "over queries and 3 trainings")
  refused <- function(...) {
    expect_error(compare_rankers(benchmark, variance = "queries+training", seed = 1, ...),
                 class = "rankmix_error_argument")
  }
  refused(test = "randomization")
  refused(interval = "bca")
  refused(margin = 0.1, relative_margin = TRUE)
  # Functions of the comparison include the variance of training, or refuse.
  expect_equal(tidy(equivalence(algorithms, 0.5))$tost_upper, tidy(algorithms)$tost_upper)
  for (other in list(list(relative = TRUE), list(method = "flips"), list(prior = "bootstrap"))) {
    expect_error(do.call(equivalence, c(list(algorithms, 0.5), other)), "queries only", class = "rankmix_error_argument")
  }
  expect_equal(detectable(algorithms)$sd, own$se * sqrt(own$queries))
  expect_error(detectable(algorithms, queries = 1000), "over queries and trainings", class = "rankmix_error_argument")
  expect_error(queries_needed(0.1, pilot = algorithms), "over queries and trainings", class = "rankmix_error_argument")
  expect_error(compare_values(runif(9), runif(9), variance = "queries+training"), "one training",
               class = "rankmix_error_argument")
})

test_that("one-sided tests in the wrong direction do not show that a ranker may be the best", {
  values <- with_seed(1, cbind(low = stats::rnorm(30, 0, 0.1), high = stats::rnorm(30, 0.5, 0.1),
                               near = stats::rnorm(30, 0.45, 0.1)))
  best <- function(alternative, ...) {
    compare_rankers(values, test = "t", alternative = alternative, seed = 1, ...)$rankers$best
  }
  expect_identical(best("two.sided"), c(FALSE, TRUE, FALSE))
  # The pairs are low - high, low - near and high - near.
  expect_identical(best("greater"), c(NA, TRUE, FALSE))
  expect_identical(best("less"), c(FALSE, TRUE, NA))
  expect_identical(best("greater", control = "high"), c(NA, TRUE, NA))
  expect_identical(best("less", control = "high"), c(FALSE, TRUE, FALSE))
  compared <- compare_rankers(values, test = "t", alternative = "greater", seed = 1)
  printed <- utils::capture.output(print(compared))
  expect_match(printed, "^  low", all = FALSE)
  expect_match(printed, "^\\* the highest mean, or no difference", all = FALSE)
  expect_error(paper_table(compared), "one-sided", class = "rankmix_error_argument")
})

test_that("the rankers that may be the best do not depend on the order of rankers with equal means", {
  # `steady` and `wild` have the same mean, but only the difference to `steady` is significant.
  values <- with_seed(1, {
    noise <- stats::rnorm(20, 0, 0.01)
    cbind(steady = 0.5 + noise - mean(noise), wild = rep(c(0, 1), 10), low = 0.4 + stats::rnorm(20, 0, 0.01))
  })
  for (columns in list(1:3, c(2, 1, 3), 3:1)) {
    rankers <- compare_rankers(values[, columns], test = "t", adjust = "none", seed = 1)$rankers
    expect_identical(rankers$best[match(c("steady", "wild", "low"), rankers$ranker)], c(TRUE, TRUE, FALSE))
  }
})

test_that("a control with the highest mean may be the best", {
  values <- cbind(good = c(.8, .7, .9, .8, .7, .6, .9, .8), bad = c(.1, .2, .1, .3, .1, .2, .1, .1),
                  near = c(.8, .6, .9, .7, .8, .6, .9, .7))
  compared <- compare_rankers(values, metric = "m", test = "t", control = "good", seed = 1)
  expect_identical(compared$rankers$best, c(TRUE, FALSE, TRUE))
  expect_output(print(compared), "* good", fixed = TRUE)
  expect_identical(glance(compared)$in_set, 2L)
  # With another control, the pairs with the highest mean are not tested.
  other <- compare_rankers(values, metric = "m", test = "t", control = "bad", seed = 1)
  expect_identical(other$rankers$best, c(NA, FALSE, NA))
})
