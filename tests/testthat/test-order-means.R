two_metrics <- function(weight = NULL, fold = NULL) {
  tables <- lapply(colnames(sakai_topics), function(ranker) {
    first <- evaluation_of(sakai_topics[, ranker], rep(ranker, 20), fold, weight = weight)
    second <- first
    second$metric <- "map"
    second$value <- sqrt(first$value) + 0.02 * (ranker == "C")
    rbind(as.data.frame(first), as.data.frame(second))
  })
  structure(do.call(rbind, tables), class = c("rankmix_evaluation", "data.frame"))
}

test_that("all pairs of metrics of an evaluation are compared", {
  values <- two_metrics()
  found <- tidy(order_agreement(values, how = c("tau", "tau_ap"), seed = 1, resamples = 500))
  expect_identical(found$x, rep("ndcg@10", 2))
  expect_identical(found$y, rep("map", 2))
  means <- function(metric) tapply(values$value[values$metric == metric],
                                   values$ranker[values$metric == metric], mean)
  expect_equal(found$estimate[1L], rankmix:::kendall_tau(means("ndcg@10"), means("map"), FALSE))
  expect_identical(found$queries, c(20L, 20L))
  expect_true(all(found$lower <= found$estimate & found$estimate <= found$upper & found$lower >= -1))
  expect_error(order_agreement(values, metric = "map"), "one metric", class = "rankmix_error_argument")
  # A comparison with both metrics has the same agreement.
  compared <- compare_rankers(values, resamples = 100, seed = 1)
  expect_equal(tidy(order_agreement(compared, how = c("tau", "tau_ap"), seed = 1, resamples = 500)), found)
})

test_that("intervals are percentiles of the same resampled queries", {
  found <- order_agreement(sakai_topics, sakai_topics[, 3:1], "tau_b", seed = 1, resamples = 200)
  expect_equal(unlist(tidy(found)[c("estimate", "lower", "upper")], use.names = FALSE), c(1, 1, 1))
  again <- order_agreement(sakai_topics, 1 - sakai_topics, "tau_b", seed = 1, resamples = 200)
  expect_equal(unlist(tidy(again)[c("estimate", "lower", "upper")], use.names = FALSE), c(-1, -1, -1))
  two <- lapply(list(sakai_topics, sakai_topics^2), function(values) {
    list(query = 1:20, values = values)
  })
  drawn <- rankmix:::resampled_means(two, list(resamples = 300, seed = 7))
  expect_identical(dim(drawn$means[[1L]]), c(300L, 3L))
  expect_equal(colMeans(drawn$means[[1L]]), unname(colMeans(sakai_topics)), tolerance = 0.05)
})

test_that("samples are drawn within folds, and weights count", {
  weight <- rep(1:2, 10)
  found <- order_agreement(two_metrics(weight), how = "tau", seed = 1, resamples = 100)
  values <- rankmix:::values_by_metric(two_metrics(weight), NULL, "x", NULL)[[1L]]
  expect_equal(rankmix:::query_means(values$values, as.double(weight)),
               unname(apply(sakai_topics, 2L, weighted.mean, w = weight)))
  expect_false(is.na(tidy(found)$lower))
})

test_that("different queries have no interval", {
  values <- sakai_topics
  rownames(values) <- 1:20
  found <- order_agreement(values[1:10, ], values[11:20, ], "tau")
  expect_identical(tidy(found)$lower, NA_real_)
  expect_identical(tidy(found)$queries, NA_integer_)
  expect_output(print(found), "different queries")
  one <- order_agreement(values[1, , drop = FALSE], values[1, , drop = FALSE], "tau")
  expect_identical(tidy(one)$lower, NA_real_)
})

test_that("two sets of judgements are matched by ranker", {
  values <- two_metrics()
  other <- values
  other$value <- rev(other$value)
  found <- tidy(order_agreement(values, other, "tau", seed = 1, resamples = 100))
  expect_identical(found$x, c("ndcg@10 (x)", "map (x)"))
  expect_identical(found$y, c("ndcg@10 (y)", "map (y)"))
  expect_error(order_agreement(values, values[values$ranker != "A", ]), "`A`",
               class = "rankmix_error_argument")
  map <- values[values$metric == "map", ]
  expect_error(order_agreement(values[values$metric != "map", ], map), "no metric in common",
               class = "rankmix_error_argument")
  expect_error(order_agreement(sakai_topics, replace(sakai_topics, 3, NA)), "Query 3",
               class = "rankmix_error_values")
  # A matrix without a metric uses the metric of the other argument.
  expect_identical(tidy(order_agreement(map, sakai_topics, "tau", seed = 1, resamples = 100))$x, "map (x)")
})

test_that("Kendall's tau of many samples agrees with each sample", {
  set.seed(1)
  first <- matrix(sample(4, 60, TRUE), 10)
  second <- matrix(sample(4, 60, TRUE), 10)
  first[3, ] <- 1
  for (measure in c("tau", "tau_b")) {
    each <- vapply(1:10, function(i) rankmix:::agreement_value(first[i, ], second[i, ], measure), 0)
    expect_equal(rankmix:::sampled_agreement(first, second, measure), each)
  }
})
