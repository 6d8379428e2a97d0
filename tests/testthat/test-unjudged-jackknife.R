# All samples of `n` documents of one stratum, as matrices of row numbers.
samples_of <- function(members, n) {
  if (n == length(members)) matrix(members, ncol = 1) else utils::combn(members, n)
}

# A pool in which only the documents `judged` have judgements.
judged_pool <- function(pool, judged) {
  pool$relevance[-judged] <- NA
  pool
}

# The jackknife by its definition: leaves out one judged document at a time.
slow_jackknife <- function(estimator, own, settings) {
  value_of <- function(own) estimator(own, settings)[["value"]]
  value <- value_of(own)
  for (s in unique(own$stratum)) {
    judged <- which(own$stratum == s & !is.na(own$relevance))
    documents <- sum(own$stratum == s)
    without <- vapply(judged, function(i) value_of(judged_pool(own, setdiff(which(!is.na(own$relevance)), i))), 0)
    bias <- (length(judged) - 1) * (1 - length(judged) / documents) * (mean(without) - value_of(own))
    value <- value - bias
  }
  value
}

test_that("the jackknife removes the bias of a square over all samples", {
  own <- list(rank = 1:9, relevance = c(2, 0, 1, 0, 0, 1, 0, 2, 0), stratum = c(1, 1, 1, 1, 2, 2, 2, 2, 2))
  square <- function(own, settings) {
    means <- tapply(own$relevance, own$stratum, mean, na.rm = TRUE)
    c(value = (0.4 * means[[1]] + 0.6 * means[[2]])^2, se = NA)
  }
  for (counts in list(c(2, 3), c(3, 2), c(4, 2))) {
    first <- samples_of(1:4, counts[1])
    second <- samples_of(5:9, counts[2])
    both <- expand.grid(i = seq_len(ncol(first)), j = seq_len(ncol(second)))
    mean_of <- function(estimator) {
      mean(mapply(function(i, j) {
        estimator(judged_pool(own, c(first[, i], second[, j])), NULL)[["value"]]
      }, both$i, both$j))
    }
    truth <- square(own)[["value"]]
    expect_gt(mean_of(square), truth + 0.01)
    expect_equal(mean_of(rankmix:::jackknifed(square)), truth)
  }
})

test_that("the jackknife of estimators agrees with its definition", {
  set.seed(1)
  for (trial in 1:20) {
    own <- list(rank = ifelse(runif(16) < 0.2, Inf, sample(16)), stratum = rep(1:3, c(6, 7, 3)),
                relevance = sample(0:2, 16, TRUE, c(0.5, 0.3, 0.2)))
    own <- judged_pool(own, c(sample(1:6, 3), sample(7:13, 4), 14:16))
    for (name in names(rankmix:::sampled_estimators)) {
      estimator <- rankmix:::sampled_estimators[[name]]
      for (relevant in 1:2) {
        settings <- list(relevant = relevant, gain = as.double, k = if (trial %% 2 == 0) 5 else Inf)
        expect_equal(rankmix:::jackknifed(estimator)(own, settings)[["value"]],
                     slow_jackknife(estimator, own, settings))
      }
    }
  }
})

test_that("over all samples of a small pool, the corrected estimates are nearer to the truth", {
  own <- list(rank = c(2, 1, 4, 3, 6, 5, 8, 7, 9, Inf), relevance = c(2, 0, 1, 0, 1, 0, 0, 1, 0, 2),
              stratum = rep(1, 10))
  settings <- list(relevant = 1, gain = as.double, k = Inf)
  samples <- utils::combn(10, 7)
  for (name in c("statap_corrected", "infndcg")) {
    published <- rankmix:::sampled_estimators[[name]]
    truth <- published(own, settings)[["value"]]
    bias_of <- function(estimator) {
      mean(apply(samples, 2, function(at) estimator(judged_pool(own, at), settings)[["value"]])) - truth
    }
    expect_lt(abs(bias_of(rankmix:::jackknifed(published))), 0.1 * abs(bias_of(published)))
  }
})

test_that("evaluate_sampled() corrects each query, and reports it", {
  pool <- data.frame(query = rep(c("q1", "q2"), each = 6), document = letters[1:6],
                     relevance = c(1, NA, 0, 1, NA, 0, 0, 1, 2, 0, 0, 1), stratum = rep(c("top", "rest"), each = 3))
  run <- as_run(data.frame(query = rep(c("q1", "q2"), each = 6), document = letters[1:6], score = 6:1))
  metrics <- c("xinfap", "infndcg@3", "statap")
  published <- evaluate_sampled(run, pool, metrics)
  corrected <- evaluate_sampled(run, pool, metrics, bias_correction = "jackknife")
  complete <- published$query == "q2"
  expect_identical(corrected$value[complete], published$value[complete])
  expect_true(all(corrected$value[!complete] != published$value[!complete]))
  expect_identical(corrected$se, published$se)
  own <- list(rank = 1:6, relevance = pool$relevance[1:6], stratum = rep(1:2, each = 3))
  expect_equal(corrected$value[1],
               slow_jackknife(rankmix:::sampled_estimators$xinfap, own, list(relevant = 1)))
  expect_snapshot(summary(corrected))
  # Corrected and published values are different metrics.
  expect_error(compare_rankers(a = published, b = corrected), class = "rankmix_error_argument")
})

test_that("the jackknife needs two judged documents a stratum, and no probabilities", {
  pool <- data.frame(query = "q1", document = letters[1:4], relevance = c(1, 0, NA, 1), stratum = c(1, 1, 2, 2))
  run <- as_run(data.frame(query = "q1", document = letters[1:4], score = 4:1))
  corrected <- function(pool) evaluate_sampled(run, pool, "infndcg", bias_correction = "jackknife")
  expect_snapshot_error(corrected(pool), class = "rankmix_error_stratum")
  expect_no_error(corrected(transform(pool, stratum = c(1, 1, 1, 2))))
  expect_snapshot_error(corrected(transform(pool, probability = 0.5)), class = "rankmix_error_argument")
  expect_error(evaluate_sampled(run, pool, bias_correction = TRUE), class = "rankmix_error_argument")
})
