# AdaRank as published, in plain R. evaluate() computes the metric of each ranking. After a feature was chosen
# `repeats` times in a row, it is set aside for `pause` rounds.
naive_adarank <- function(data, metric, rounds, negatives = FALSE, repeats = Inf, pause = 1) {
  if (is.null(metric$set$ties)) metric$set$ties <- "average"
  signs <- if (negatives) c(1, -1) else 1
  weak <- expand.grid(sign = signs, feature = seq_len(ncol(data$x)))
  values <- function(scores) {
    found <- evaluate(scores, data, metric)$value
    ifelse(is.nan(found), NaN, ifelse(is.na(found), 0, found))
  }
  each <- vapply(seq_len(nrow(weak)), function(k) {
    values(weak$sign[k] * data$x[, weak$feature[k]])
  }, numeric(length(data$query_ids)))
  v <- if (is.null(data$weight)) rep(1, nrow(each)) else data$weight
  v[is.nan(each[, 1L])] <- 0
  each[is.nan(each)] <- 0
  p <- v / sum(v)
  f <- 0
  chosen <- integer()
  steps <- list()
  for (t in seq_len(rounds)) {
    r <- colSums(p * each)
    for (past in seq_len(min(pause, t - 1L))) {
      before <- chosen[seq_len(t - past)]
      last <- before[length(before)]
      if (sum(cumprod(rev(before == last))) == repeats) r[last] <- 0
    }
    # Of values that are equal up to rounding, the first is chosen.
    best <- which(r > max(r) - 1e-13)[1L]
    alpha <- 0.5 * log(sum(p * (1 + each[, best])) / sum(p * (1 - each[, best])))
    f <- f + alpha * weak$sign[best] * data$x[, weak$feature[best]]
    e <- values(f)
    e[is.nan(e)] <- 0
    p <- v * exp(-e) / sum(v * exp(-e))
    chosen <- c(chosen, best)
    steps[[t]] <- data.frame(feature = weak$feature[best], sign = weak$sign[best],
                             alpha = alpha, value = r[best], mean = sum(v * e) / sum(v))
  }
  list(chosen = do.call(rbind, steps), f = f)
}

expect_as_naive <- function(model, reference) {
  rounds <- nrow(model$chosen)
  expect_identical(model$chosen$feature, as.integer(reference$chosen$feature[seq_len(rounds)]))
  expect_equal(model$chosen$sign, reference$chosen$sign[seq_len(rounds)])
  for (part in c("alpha", "value", "mean")) {
    expect_equal(model$chosen[[part]], reference$chosen[[part]][seq_len(rounds)], tolerance = 1e-10)
  }
}

rounds_of_fit <- function(model) rankmix:::rounds_used(model)

quietly <- function(code) suppressWarnings(code, classes = "rankmix_warning_stalled")

with_query_weights <- function(data, seed = 1) {
  weight <- withr::with_seed(seed, sample(c(0, 0.5, 1, 3), length(data$query_ids), TRUE))
  ranking_data(data$x, data$relevance, data$query, weight = weight[data$query])
}

test_that("every round of adarank() agrees with the published algorithm", {
  skip_if_quick()
  metrics <- list(metric_average_precision(), metric_ndcg(10), metric_err(), metric_ndcg(3, empty = "drop"),
                  metric_precision(5, short_lists = "undefined"), metric_mean_ndcg(4),
                  metric_average_precision(ties = "together"), metric_ndcg(5, ties = "order"),
                  metric_reciprocal_rank(ties = "worst", single_precision = "scores"), metric_bpref())
  for (seed in draws(4)) {
    # Data with many ties, data with few ties, and data with query weights.
    cases <- list(random_data(30, features = 6, seed = seed, distinct = 4),
                  random_data(30, features = 6, seed = seed),
                  with_query_weights(random_data(30, features = 6, seed = seed)))
    for (data in cases) {
      for (metric in metrics) {
        for (negatives in c(FALSE, TRUE)) {
          model <- quietly(fit(adarank(metric, rounds = 25, negatives = negatives), data))
          reference <- naive_adarank(data, metric, 25, negatives)
          expect_as_naive(model, reference)
          if (model$status == "limit") {
            expect_equal(predict(model, data), reference$f, tolerance = 1e-10)
          } else {
            # The fit ended early. In the remaining rounds, the reference chooses the same feature again and the
            # ranking stays the same.
            last <- nrow(model$chosen)
            expect_true(all(reference$chosen$feature[last:25] == model$chosen$feature[last]))
            expect_true(all(reference$chosen$mean[last:25] == reference$chosen$mean[last]))
          }
        }
      }
    }
  }
})

test_that("a feature that was chosen too often in a row is set aside for a round", {
  data <- random_data(30, features = 5, seed = 3)
  for (repeats in c(1, 2, 4)) {
    for (negatives in c(FALSE, TRUE)) {
      spec <- adarank(metric_ndcg(5), rounds = 30, negatives = negatives, repeats = repeats)
      model <- fit(spec, data)
      expect_identical(model$status, "limit")
      expect_as_naive(model, naive_adarank(data, metric_ndcg(5), 30, negatives, repeats))
      runs <- rle(paste(model$chosen$feature, model$chosen$sign))$lengths
      expect_lte(max(runs), repeats)
    }
  }
})

test_that("a feature is excluded for `pause` rounds", {
  data <- random_data(30, features = 6, seed = 4)
  for (repeats in c(1, 2)) {
    for (pause in c(2, 4)) {
      spec <- adarank(metric_ndcg(5), rounds = 40, repeats = repeats, pause = pause)
      model <- fit(spec, data)
      expect_as_naive(model, naive_adarank(data, metric_ndcg(5), 40, repeats = repeats, pause = pause))
      again <- split(seq_len(40), model$chosen$feature)
      gaps <- unlist(lapply(again, diff))
      expect_true(all(gaps > pause | gaps <= (repeats > 1)))
      # A resumed fit gives the same model.
      some <- fit(update(spec, rounds = 15), data)
      expect_identical(fit(some, data, rounds = 40)$chosen, model$chosen)
    }
  }
  # With an infinite pause, each feature is chosen once.
  expect_warning(model <- fit(adarank(metric_ndcg(5), rounds = 40, repeats = 1, pause = Inf), data),
                 class = "rankmix_warning_stalled")
  expect_identical(sort(model$chosen$feature), 1:6)
})

test_that("a fit that stalls reports it, and another fit continues", {
  data <- random_data(20, features = 3, seed = 2)
  # With one feature, the fit stalls after one round. With `repeats = 2`, the fit stalls after two rounds.
  one <- ranking_data(data$x[, 1L, drop = FALSE], data$relevance, data$query)
  expect_snapshot(model <- fit(adarank(rounds = 20), one))
  expect_identical(model$status, "stalled")
  expect_identical(rounds_of_fit(model), 1L)
  expect_equal(predict(model, one), model$chosen$alpha * data$x[, 1L])
  expect_snapshot(model <- fit(adarank(rounds = 20, repeats = 2), one))
  expect_identical(rounds_of_fit(model), 2L)
  # With `negatives`, the feature with the other sign is a second candidate.
  model <- fit(adarank(rounds = 20, repeats = 2, negatives = TRUE), one)
  expect_identical(model$status, "limit")
  expect_identical(rle(model$chosen$sign)$lengths[1:3], c(2L, 1L, 2L))
})

test_that("tolerance ends a fit whose metric does not rise any more", {
  data <- random_data(40, features = 5, seed = 4)
  spec <- adarank(metric_ndcg(5), rounds = 1000, repeats = 1)
  all <- fit(spec, data)
  expect_identical(all$status, "limit")
  for (tolerance in c(0, 0.002)) {
    model <- fit(update(spec, tolerance = tolerance), data)
    expect_identical(model$status, "converged")
    rounds <- rounds_of_fit(model)
    expect_lt(rounds, 1000L)
    # The fit ends in the first round after 100 rounds without a rise of the metric by more than `tolerance`.
    idle <- vapply(seq_len(999L), function(t) {
      t > 100L && max(all$chosen$mean[seq(t - 99L, t)]) <=
        max(all$chosen$mean[seq_len(t - 100L)]) + tolerance
    }, NA)
    expect_identical(rounds, which(idle)[1L])
    expect_identical(model$chosen, all$chosen[seq_len(rounds), ])
  }
})

test_that("a model of fewer rounds is the sum of the first features, and reports the metric of this sum", {
  data <- random_data(30, features = 5, seed = 5)
  model <- fit(adarank(metric_err(), rounds = 12, negatives = TRUE, repeats = 2), data)
  scores <- predict(model, data, rounds = c(0, 1, 5, 12))
  f <- matrix(0, nrow(data$x), 13)
  for (t in 1:12) {
    step <- model$chosen[t, ]
    f[, t + 1] <- f[, t] + step$sign * step$alpha * data$x[, step$feature]
  }
  expect_equal(unname(scores), f[, c(0, 1, 5, 12) + 1], tolerance = 1e-12)
  expect_equal(unname(drop(data$x %*% coef(model))), predict(model, data))
  for (t in c(1, 7, 12)) {
    expect_equal(mean(evaluate(f[, t + 1], data, metric_err(ties = "average"))$value),
                 model$chosen$mean[t], tolerance = 1e-12)
  }
  table <- tidy(model)
  expect_setequal(table$feature, model$features[unique(model$chosen$feature)])
  expect_equal(sum(table$used), 12)
  expect_equal(table$weight, unname(coef(model)[table$feature]))
  expect_identical(glance(model)$training, model$chosen$mean[12L])
  expect_snapshot(model)
})

test_that("validation data choose the number of rounds, and a fit resumes", {
  skip_if_quick()
  data <- random_data(40, features = 5, seed = 6, missing = 0.1)
  valid <- random_data(20, features = 5, seed = 7, missing = 0.1)
  valid <- ranking_data(valid$x, valid$relevance, valid$query + 1000)
  for (missing in c("mean", "indicator")) {
    spec <- adarank(metric_ndcg(5), rounds = 60, repeats = 1, missing = missing)
    model <- fit(spec, data, valid, metric_ndcg(5))
    values <- vapply(model$curve$rounds, function(r) {
      mean(evaluate(predict(model, valid, rounds = r), valid, metric_ndcg(5))$value)
    }, 0)
    expect_equal(model$curve$value, values)
    stopped <- fit(spec, data, valid, metric_ndcg(5), patience = 6, eval_every = 2)
    expect_identical(stopped$status, "stopped")
    expect_identical(stopped$chosen, model$chosen[seq_len(rounds_of_fit(stopped)), ])
    at <- stopped$curve$rounds
    expect_equal(stopped$curve$value, vapply(at, function(r) {
      mean(evaluate(predict(model, valid, rounds = r), valid, metric_ndcg(5))$value)
    }, 0))
    some <- fit(update(spec, rounds = 20), data)
    expect_identical(fit(some, data, rounds = 60)$chosen, model$chosen)
    expect_error(fit(some, valid, rounds = 60), class = "rankmix_error_newdata")
  }
})

test_that("sparse features give the model of dense features", {
  skip_if_not_installed("Matrix")
  case <- sparse_case(n = 300, features = 12)
  case$x@x[is.na(case$x@x)] <- 1
  sparse <- ranking_data(case$x, case$relevance, case$query)
  dense <- ranking_data(as.matrix(case$x), case$relevance, case$query)
  spec <- adarank(rounds = 15, negatives = TRUE, repeats = 1)
  expect_identical(fit(spec, sparse)$chosen, fit(spec, dense)$chosen)
})

test_that("documents break ties if the metric uses ids", {
  data <- random_data(20, features = 3, seed = 8, distinct = 2)
  metric <- metric_ndcg(5, ties = "document")
  expect_snapshot(error = TRUE, fit(adarank(metric), data))
  ids <- withr::with_seed(1, sample(nrow(data$x)))
  known <- ranking_data(data$x, data$relevance, data$query, document = sprintf("d%05d", ids))
  expect_as_naive(fit(adarank(metric, 15, repeats = 1), known),
                  naive_adarank(known, metric, 15, repeats = 1))
})

test_that("data that cannot be boosted are refused", {
  data <- random_data(12, features = 3)
  expect_snapshot(error = TRUE, {
    fit(adarank(metric_dcg(10)), data)
    adarank(metric_custom("own", function(grades) 1))
    adarank("ndcg@10", rounds = 0)
    adarank(repeats = 0)
    adarank(tolerance = -1)
    adarank(negatives = NA)
    # No document has a grade of 2, so precision is 0 for every ranking.
    fit(adarank(metric_precision(1, relevant = 2)), ranking_data(
      cbind(a = c(3, 2, 1), b = c(3, 1, 2)), c(0, 1, 1), c(1, 1, 1)
    ))
    fit(adarank(metric_ndcg(20, short_lists = "drop")), data)
  })
})
