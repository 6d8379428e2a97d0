random_view <- function(seed, queries) {
  withr::with_seed(seed, {
    query <- rep(seq_len(queries), sample(1:9, queries, TRUE))
    n <- length(query)
    list(predicted = round(runif(n), 1), observed = rbinom(n, 1, 0.4), weight = sample(3, n, TRUE), query = query)
  })
}

test_that("differences within queries are computed query by query", {
  withr::with_seed(1, {
    query <- c(sample(rep(1:6, 5)), 7)
    view <- list(predicted = runif(31), observed = rbinom(31, 1, 0.5), weight = runif(31))
  })
  found <- rankmix:::centred_by_query(view$predicted, view$observed, view$weight, query)
  for (q in 1:6) {
    own <- query == q
    for (name in c("predicted", "observed")) {
      expect_equal(found[[name]][found$query == q],
                   view[[name]][own] - weighted.mean(view[[name]][own], view$weight[own]))
    }
  }
  expect_false(7 %in% found$query)
})

test_that("bins, errors and resamples agree with the documents", {
  view <- random_view(seed = 2, queries = 30)
  query <- view$query
  n <- length(query)
  slow <- function(rows, bin) {
    do.call(rbind, lapply(sort(unique(bin)), function(b) {
      own <- rows[bin[rows] == b]
      w <- view$weight[own]
      data.frame(predicted = sum(w * view$predicted[own]) / sum(w), observed = sum(w * view$observed[own]) / sum(w),
                 difference = sum(w * (view$observed[own] - view$predicted[own])) / sum(view$weight[rows]))
    }))
  }
  bin <- rankmix:::equal_groups(view$predicted, 4)
  whole <- slow(seq_len(n), bin)
  found <- rankmix:::binned_calibration(view, 4, 0.9, 150, 3)
  expect_equal(found$bins[c("predicted", "observed")], whole[1:2])
  expect_equal(found$bins$documents, as.vector(table(bin)))
  expect_equal(found$error$error, sum(abs(whole$difference)))
  counts <- rankmix:::with_seed(3, rankmix:::bootstrap_counts(150, 30))
  samples <- apply(counts, 1L, function(w) slow(rep(seq_len(n), w[query]), bin), simplify = FALSE)
  distance <- vapply(samples, function(s) sum(abs(s$difference - whole$difference)), 0)
  expect_equal(found$error$upper - found$error$error, quantile(distance, 0.9, names = FALSE))
  expect_equal(found$error$by_chance, mean(distance))
  expect_equal(found$error$p_value, (1 + sum(distance >= found$error$error)) / 151)
})

test_that("intervals of bins agree with intervals of clusters", {
  view <- random_view(seed = 6, queries = 12)
  query <- view$query
  n <- length(query)
  bin <- rankmix:::equal_groups(view$predicted, 3)
  slow <- lapply(split(seq_len(n), bin), function(own) {
    w <- view$weight[own]
    y <- weighted.mean(view$observed[own], w)
    h <- tapply(w, query[own], sum) / sum(w)
    u <- tapply(w * (view$observed[own] - y), query[own], sum) / sum(w)
    list(y = y, variance = sum(u^2 / (1 - h)), t = qt(0.95, 1 / sum(h^2) - 1))
  })
  across <- rankmix:::binned_calibration(view, 3, 0.9, 100, 1)$bins
  within <- rankmix:::binned_calibration(view, 3, 0.9, 100, 1, rankmix:::difference_limits)$bins
  for (b in seq_along(slow)) {
    own <- slow[[b]]
    expect_equal(within$upper[b], own$y + own$t * sqrt(own$variance))
    # Wilson's interval: the fractions whose distance from y is t of their own standard errors.
    documents <- own$y * (1 - own$y) / own$variance
    excess <- function(p) (p - own$y)^2 - own$t^2 * p * (1 - p) / documents
    expect_equal(across$upper[b], uniroot(excess, c(own$y, 1), tol = 1e-12)$root, tolerance = 1e-8)
    expect_equal(across$lower[b], uniroot(excess, c(0, own$y), tol = 1e-12)$root, tolerance = 1e-8)
  }
  # Wilson's interval of 12 documents, one per query.
  none <- list(predicted = rep(0.1, 12), observed = numeric(12), weight = rep(1, 12), query = 1:12)
  found <- rankmix:::binned_calibration(none, 3, 0.9, 100, 1)$bins
  expect_equal(c(found$lower, found$upper), c(0, qt(0.95, 11)^2 / (12 + qt(0.95, 11)^2)))
})

test_that("intervals of bins cover rare relevance", {
  times <- repetitions(200)
  covered <- withr::with_seed(7, replicate(times, {
    p <- plogis(rnorm(500, -3, 1.2))
    view <- list(predicted = p, observed = as.numeric(runif(500) < p), weight = rep(1, 500), query = rep(1:50, each = 10))
    bins <- rankmix:::binned_calibration(view, 10, 0.95, 100, 1)$bins
    mean(bins$lower <= bins$predicted & bins$predicted <= bins$upper)
  }))
  # Ten bins a draw, four standard errors.
  expect_gt(mean(covered), 0.95 - 4 * sqrt(0.05 * 0.95 / (10 * times)))
})

# Queries with dependent documents: a fraction of them shares one random number.
dependent_sample <- function(queries, distort) {
  query <- rep(seq_len(queries), each = 8)
  p <- runif(queries)[query] * 0.6 + runif(length(query)) * 0.4
  shared <- rbinom(length(query), 1, 0.6) == 1
  draw <- ifelse(shared, runif(queries)[query], runif(length(query)))
  list(predicted = distort(p), observed = as.numeric(draw < p), weight = rep(1, length(query)), query = query)
}

test_that("right probabilities are rejected at most at the level", {
  times <- repetitions(300)
  withr::with_seed(4, {
    p <- replicate(times, {
      sample <- dependent_sample(60, identity)
      within <- do.call(rankmix:::centred_by_query, unname(sample))
      vapply(list(sample, within), function(view) rankmix:::binned_calibration(view, 5, 0.9, 200, 1)$error$p_value, 0)
    })
    expect_true(all(rowMeans(p <= 0.1) < 0.1 + 3 * sqrt(0.1 * 0.9 / times)))
    expect_true(all(rowMeans(p <= 0.5) > 0.3))
    # A test that ignores queries would reject too often.
    single <- replicate(times, {
      sample <- dependent_sample(60, identity)
      sample$query <- seq_along(sample$query)
      rankmix:::binned_calibration(sample, 5, 0.9, 200, 1)$error$p_value
    })
    expect_gt(mean(single <= 0.1), 0.3)
  })
})

test_that("intervals cover the error of wrong probabilities", {
  flat <- function(p) 0.3 + 0.4 * p
  times <- repetitions(300)
  withr::with_seed(5, {
    # The bins hardly differ between samples.
    truth <- rankmix:::binned_calibration(dependent_sample(20000, flat), 5, 0.9, 2, 1)$error$error
    found <- replicate(times, unlist(rankmix:::binned_calibration(dependent_sample(60, flat), 5, 0.9, 200, 1)$error))
  })
  covered <- found["lower", ] <= truth & truth <= found["upper", ]
  expect_gt(mean(covered), 0.9 - 3 * sqrt(0.1 * 0.9 / times))
  expect_gt(truth, 0.08)
  expect_gt(mean(found["p_value", ] <= 0.05), 0.8)
})

test_that("without queries, and with one query, there is no interval", {
  one <- list(predicted = c(0.2, 0.6), observed = c(0, 1), weight = c(1, 1), query = c(3L, 3L))
  found <- rankmix:::binned_calibration(one, 2, 0.95, 100, 1)
  expect_equal(found$error$error, 0.3)
  expect_true(is.na(found$error$lower) && is.na(found$error$p_value) && all(is.na(found$bins$upper)))
  none <- lapply(one, `[`, 0)
  expect_identical(nrow(rankmix:::binned_calibration(none, 2, 0.95, 100, 1)$bins), 0L)
})
