test_that("data are split, or given, and test queries choose nothing", {
  data <- two_labels(100)
  split <- small_front(data, floor = c(relevance = 0.1))
  expect_identical(c(split$queries, split$test_queries), c(20L, 20L))
  expect_setequal(split$choice$gains$sample, c("validation", "test"))
  given <- small_front(data[1:60], data[61:80], floor = c(relevance = 0.1), test = data[81:100])
  alone <- small_front(data[1:60], data[61:80], floor = c(relevance = 0.1))
  expect_identical(given$choice[c("point", "tests")], alone$choice[c("point", "tests")])
  expect_null(alone$test)
  expect_identical(given$points, alone$points)
  test <- given$test[given$test$objective == "revenue", ]
  scores <- predict(given$model, data[81:100])
  wanted <- evaluate(scores, use_label(data[81:100], "revenue"), metric_ndcg(10, ties = "average"))$value
  expect_equal(test$value[given$choice$point], mean(wanted, na.rm = TRUE))
  quarter <- small_front(data[1:80], test = data[81:100])
  expect_identical(c(quarter$queries, quarter$test_queries), c(20L, 20L))
  expect_warning(small_front(data[1:60], data[60:80]), class = "rankmix_warning_overlap")
})

test_that("objectives have their own metrics and rankers", {
  data <- two_labels(80)
  front <- small_front(data, objectives = list(revenue = "dcg@5", relevance = metric_precision(5)), steps = 4)
  expect_identical(names(front$points), c("point", "weight_revenue", "weight_relevance", "value_revenue",
                                          "value_relevance", "front"))
  expect_identical(front$objectives$relevance$name, "precision")
  model <- fit(gbrt(5), data[1:40], seed = 1, threads = 1, verbose = FALSE)
  mixed <- small_front(data[1:40], data[41:80], ranker = list(revenue = linear_ranker(), relevance = model))
  expect_identical(mixed$models$relevance, model)
  expect_identical(small_front(data, steps = 4)$points, small_front(data, steps = 4)$points)
  three <- small_front(two_labels(60, clicks = rep(0:1, 300)))
  expect_identical(nrow(three$points), 21L)
})

test_that("weights of queries count", {
  data <- two_labels(80)
  weight <- rep_len(c(1, 2, 5), 80)
  weighted <- data
  weighted$weight <- weight
  plain <- small_front(data[1:40], data[41:80])
  front <- small_front(data[1:40], weighted[41:80], ranker = plain$models)
  for (name in c("relevance", "revenue")) {
    wanted <- apply(front$values[[name]], 2L, weighted.mean, weight[41:80])
    expect_equal(front$points[[paste0("value_", name)]], wanted)
  }
})

test_that("errors name wrong arguments", {
  data <- two_labels(20)
  losses <- data
  losses$labels$revenue <- -losses$labels$revenue
  expect_snapshot(error = TRUE, {
    pareto_front(gbrt, data)
    pareto_front(list(relevance = gbrt()), data)
    pareto_front(list(relevance = gbrt(), revenue = 3), data)
    pareto_front(gbrt(), 3)
    pareto_front(gbrt(), simulate_ranking(10, seed = 1)$data)
    pareto_front(gbrt(), data, objectives = "ndcg@10")
    pareto_front(gbrt(), data, objectives = list(relevance = "ndcg@10", revenu = "ndcg@10"))
    pareto_front(gbrt(), data, objectives = list(relevance = "ndcg@10"))
    pareto_front(gbrt(), losses)
    pareto_front(gbrt(), data, steps = 0)
    pareto_front(gbrt(), data, steps = 5000)
    pareto_front(gbrt(), data, level = 2)
    pareto_front(gbrt(), data, data, folds = 3)
    pareto_front(gbrt(), data, folds = "three")
    pareto_front(gbrt(), data, test = simulate_ranking(10, seed = 1)$data)
    pareto_front(list(relevance = fit(gbrt(2), data, verbose = FALSE), revenue = gbrt(2)), data, folds = 3)
  })
})
