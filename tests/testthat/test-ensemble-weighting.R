judged_queries <- function(seed = 1, queries = 25, weight = rep(1, queries)) {
  data <- random_data(queries = queries, seed = seed)
  ranking_data(data$x, data$relevance, data$query, weight = weight[data$query])
}
weights_of <- function(scores, data, metric, weighting, used = TRUE) {
  package <- asNamespace("rankmix")
  members <- lapply(seq_len(ncol(scores)), function(m) as.double(scores[, m]))
  evaluator <- package$with_positions(package$new_evaluator(metric, data, 2L), members)
  own <- package$member_values(evaluator, members)
  prior <- rep(1 / ncol(scores), ncol(scores))
  package$member_weights_by(weighting, members, own, prior, evaluator, evaluator$weights * used, 1)
}

test_that("selection agrees with a loop, on the queries that it uses", {
  set.seed(1)
  data <- judged_queries(weight = rep(1:5, 5))
  used <- rep(c(TRUE, TRUE, FALSE), length.out = 25)
  for (metric in list(metric_ndcg(5), metric_err(), metric_average_precision(), metric_ndcg(5, ties = "average"))) {
    for (start in c(1, 4)) {
      scores <- random_members(data, 6, seed = start)
      fast <- weights_of(scores, data, metric,
                         mix_weights(method = "selection", bags = 1, start = start,
                                  steps = c(0, 2, 7)), used)
      expect_equal(fast, naive_selection(scores, data, metric, start, c(0, 2, 7), which(used)),
                   info = format(metric))
    }
  }
})

test_that("selection is never worse than the best member on its queries, and improves with steps", {
  for (seed in 1:6) {
    data <- judged_queries(seed)
    # Scores have no ties, because rounding of fractional counts would break ties.
    scores <- random_members(data, 7, seed, levels = 1e9)
    weights <- weights_of(scores, data, metric_ndcg(10),
                          mix_weights(method = "selection", bags = 1, steps = 0:8))
    expect_equal(colSums(weights), rep(1, 9))
    expect_true(all(weights >= 0))
    values <- apply(scores %*% weights, 2L, slow_mean, data, metric_ndcg(10))
    expect_gte(values[1], max(apply(scores, 2L, slow_mean, data, metric_ndcg(10))) - 1e-12)
    expect_false(is.unsorted(values + 1e-12 * seq_along(values)))
  }
})

test_that("bags are random halves, and their counts are averaged", {
  data <- judged_queries()
  scores <- random_members(data, 11, 1)
  bags <- rankmix:::member_bags(11L, 3, 1)
  expect_identical(lengths(bags), rep(6L, 3))
  expect_identical(rankmix:::member_bags(9L, 3, 1), list(1:9))
  expect_false(identical(bags[[1]], bags[[2]]))
  by_hand <- rowMeans(vapply(bags, function(bag) {
    weights <- naive_selection(scores[, bag], data, metric_ndcg(10), 2, 4, seq_along(data$query_ids))
    replace(numeric(11), bag, weights)
  }, numeric(11)))
  fast <- weights_of(scores, data, metric_ndcg(10),
                     mix_weights(method = "selection", bags = 3, start = 2, steps = 4))
  expect_equal(drop(fast), by_hand)
})

test_that("ascent agrees with a loop over all crossings, and shrinks", {
  used <- rep(c(TRUE, TRUE, FALSE), length.out = 25)
  data <- judged_queries(weight = rep(1:5, 5))
  set.seed(2)
  scores <- vapply(1:4, function(m) data$relevance + rnorm(length(data$relevance), sd = m),
                   numeric(length(data$relevance)))
  for (metric in list(metric_ndcg(5), metric_err(), metric_average_precision())) {
    fast <- weights_of(scores, data, metric,
                       mix_weights(method = "ascent", shrinkage = c(0, 0.5, 1)), used)
    slow <- naive_ascent(scores, data, metric, which(used))
    expect_equal(fast, unname(cbind(0.25, 0.5 * slow + 0.125, slow)), tolerance = 1e-6,
                 info = format(metric))
    expect_gt(slow_mean(drop(scores %*% slow), data, metric, which(used)),
              slow_mean(rowMeans(scores), data, metric, which(used)))
  }
})

test_that("the order of members decides about ties only", {
  data <- judged_queries(4)
  set.seed(3)
  scores <- vapply(1:5, function(m) data$relevance + rnorm(length(data$relevance), sd = m),
                   numeric(length(data$relevance)))
  for (weighting in list(mix_weights(method = "ascent"), mix_weights(method = "selection", bags = 1),
                         mix_weights(c = c(0, 30)))) {
    plain <- weights_of(scores, data, metric_ndcg(10), weighting)
    turned <- c(3, 1, 5, 2, 4)
    expect_equal(weights_of(scores[, turned], data, metric_ndcg(10), weighting), plain[turned, ])
  }
})

test_that("a custom metric is searched by steps, and selects like a metric of the core", {
  data <- judged_queries(5, queries = 8)
  scores <- random_members(data, 4, 2)
  own <- metric_custom("own_dcg", function(grades) {
    top <- utils::head(grades, 10L)
    sum((2^top - 1) / log2(seq_along(top) + 1))
  })
  selection <- mix_weights(method = "selection", steps = c(0, 3), bags = 1, start = 2)
  expect_equal(weights_of(scores, data, own, selection),
               weights_of(scores, data, metric_dcg(10), selection))
  ascent <- weights_of(scores, data, own, mix_weights(method = "ascent", shrinkage = 0))
  expect_equal(sum(ascent), 1)
  expect_gte(slow_mean(scores %*% ascent, data, metric_dcg(10)), slow_mean(rowMeans(scores), data, metric_dcg(10)))
})

test_that("a single member, and members that are all equal, have their weight", {
  data <- judged_queries(6)
  scores <- random_members(data, 1, 1)
  alike <- cbind(scores, scores, scores)
  for (method in c("exponential", "selection", "ascent")) {
    weighting <- mix_weights(method = method)
    expect_true(all(weights_of(scores, data, metric_ndcg(10), weighting) == 1))
    weights <- weights_of(alike, data, metric_ndcg(10), weighting)
    expect_equal(colSums(weights), rep(1, ncol(weights)))
    expect_equal(apply(alike %*% weights, 2L, slow_mean, data, metric_ndcg(10)),
                 rep(slow_mean(scores, data, metric_ndcg(10)), ncol(weights)))
  }
})
