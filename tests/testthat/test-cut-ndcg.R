# Graded queries, all with a relevant document. Scores have ties unless `tied` is FALSE.
graded_sample <- function(queries, tied = TRUE) {
  query <- rep(seq_len(queries), sample(4:12, queries, TRUE))
  score <- rnorm(length(query)) + 0.5 * rnorm(queries)[query]
  if (tied) score <- round(5 * score) / 5
  grade <- pmax(0, pmin(3, round(1 + 1.2 * score + 0.7 * rnorm(length(query)))))
  grade[!duplicated(query)] <- pmax(1, grade[!duplicated(query)])
  ranking_data(cbind(score = score, zero = 0), grade, query)
}

score_column <- function(data) data$x[, "score"]

# The mean NDCG of the kept documents of each query over many orders of tied documents. Columns are thresholds.
slow_ndcg <- function(data, thresholds, orders = 1L) {
  do.call(rbind, lapply(unname(split(seq_along(data$query), data$query)), function(rows) {
    gain <- 2^data$relevance[rows] - 1
    score <- data$x[rows, "score"]
    ideal <- sum(sort(gain, decreasing = TRUE) / log2(1 + seq_along(gain)))
    tried <- replicate(orders, order(-score, runif(length(score))), simplify = FALSE)
    vapply(thresholds, function(threshold) {
      values <- vapply(tried, function(kept) {
        kept <- kept[score[kept] >= threshold]
        sum(gain[kept] / log2(1 + seq_along(kept))) / ideal
      }, 0)
      mean(values)
    }, 0)
  }))
}

parts_of <- function(data) {
  gain <- rankmix:::ndcg_parts(score_column(data), data, rlang::current_env())
  list(position = score_column(data), query = data$query, relevant = gain > 0, gain = gain)
}

test_that("the parts of documents add up to the NDCG of each list", {
  data <- withr::with_seed(1, graded_sample(30, tied = FALSE))
  parts <- parts_of(data)
  for (threshold in c(-Inf, -1, 0, 1)) {
    kept <- parts$position >= threshold
    sums <- vapply(1:30, function(q) sum(parts$gain[kept & parts$query == q]), 0)
    expect_equal(sums, drop(slow_ndcg(data, threshold)))
  }
  whole <- evaluate(list(score = score_column), data, "ndcg")
  expect_equal(mean(rowsum(parts$gain, parts$query)), mean(whole$value))
  # Relevance that is not a grade has a linear gain. The parts of a query without gain are 0.
  plain <- ranking_data(cbind(score = c(3, 2, 1, 2, 1)), c(0.5, 0, 2.5, 0, 0), c(1, 1, 1, 2, 2))
  expect_equal(parts_of(plain)$gain, c(0.5, 0, 2.5 / 2, 0, 0) / (2.5 + 0.5 / log2(3)))
  expect_error(parts_of(ranking_data(plain$x, c(-0.5, 0, 2.5, 0, 0), c(1, 1, 1, 2, 2))), class = "rankmix_error_grade")
})

test_that("tied documents have the mean over their orders", {
  # Three documents share the ranks 2 to 4.
  data <- ranking_data(cbind(score = c(5, 2, 2, 2, 1)), c(0, 3, 0, 1, 2), rep(1, 5))
  orders <- list(2:4, c(2, 4, 3), c(3, 2, 4), c(3, 4, 2), c(4, 2, 3), 4:2)
  ideal <- sum(c(7, 3, 1) / log2(1 + 1:3))
  slow <- mean(vapply(orders, function(own) sum(c(7, 0, 1) / log2(1 + own)), 0)) / ideal
  expect_equal(sum(parts_of(data)$gain[1:4]), slow)
  tied <- withr::with_seed(2, graded_sample(20))
  means <- as.vector(rowsum(parts_of(tied)$gain, tied$query))
  expect_lt(max(abs(means - withr::with_seed(3, slow_ndcg(tied, -Inf, at_size(500, 2000))))), 0.02)
})

test_that("NDCG never falls when a list grows", {
  for (seed in draws(12)) {
    data <- withr::with_seed(seed, graded_sample(20, tied = FALSE))
    thresholds <- sort(c(-Inf, score_column(data)), decreasing = TRUE)
    expect_true(all(diff(t(slow_ndcg(data, thresholds))) >= 0))
  }
})

test_that("paths of NDCG agree with each threshold alone", {
  data <- withr::with_seed(3, graded_sample(80, tied = FALSE))
  parts <- parts_of(data)
  n <- length(data$query_ids)
  risk <- rankmix:::check_risk("ndcg >= 0.7")
  thresholds <- rankmix:::cut_path(parts, risk, NULL)$position
  losses <- 1 - slow_ndcg(data, thresholds)
  for (level in list(0.9, NULL)) {
    path <- rankmix:::cut_path(parts, risk, level)
    expect_identical(path$position, thresholds)
    expect_equal(path$estimate, 1 - colMeans(losses))
    worst <- t(apply(losses, 1L, cummax))
    expect_equal(worst, losses)
    passes <- if (is.null(level)) (colSums(worst) + 1) / (n + 1) <= risk$alpha else {
      apply(losses, 2L, rankmix:::betting_p, risk$alpha, 0.1) <= 0.1
    }
    expect_equal(path$certified, cumprod(passes) == 1)
    expect_true(any(path$certified) && !all(path$certified))
  }
})

# The true mean NDCG of each chosen list. The value is 1 if no threshold is certified, because then nothing is
# guaranteed.
simulate_ndcg <- function(bound, level, repetitions, queries, seed) {
  risk <- rankmix:::check_risk(sprintf("ndcg >= %s", bound))
  withr::with_seed(seed, {
    truth <- rankmix:::cut_path(parts_of(graded_sample(10000)), risk, NULL)
    truth <- truth[order(truth$position), ]
    value <- function(path, at) {
      if (length(at) == 0L) {
        return(1)
      }
      at <- findInterval(path$position[max(at)], truth$position, left.open = TRUE) + 1L
      truth$estimate[pmin(at, nrow(truth))]
    }
    replicate(repetitions, {
      path <- rankmix:::cut_path(parts_of(graded_sample(queries)), risk, level)
      c(value(path, which(path$certified)), value(path, which(path$estimate >= bound)), any(path$certified))
    })
  })
}

test_that("the mean NDCG is below its bound at most at the level", {
  times <- repetitions(200)
  limit <- 0.1 + 3 * sqrt(0.1 * 0.9 / times)
  for (bound in c(0.8, 0.91)) {
    found <- simulate_ndcg(bound, 0.9, times, 100, 4)
    expect_lt(mean(found[1L, ] < bound), limit)
    # Without the tests, the mean is below the bound more often than the level says.
    expect_gt(mean(found[2L, ] < bound), 0.1)
  }
  # No list reaches the bound, so it is rarely certified.
  expect_lt(mean(simulate_ndcg(0.96, 0.9, times, 100, 5)[3L, ]), limit)
})

test_that("without a level the expected loss of certified lists is at most its bound", {
  times <- repetitions(200)
  for (bound in c(0.9, 0.8)) {
    found <- simulate_ndcg(bound, NULL, times, 60, 6)[1L, ]
    expect_gt(mean(found), bound - 3 * sd(found) / sqrt(times))
  }
  expect_lt(mean(found), 0.8 + 1 / 61 + 0.02 + 3 * sd(found) / sqrt(times))
})

test_that("lists are cut for NDCG on each scale", {
  data <- withr::with_seed(7, graded_sample(150))
  ids <- c(data$query_ids, 999)[c(data$query, rep(151, 2))]
  data <- ranking_data(rbind(data$x, c(1, 0), c(2, 0)), c(data$relevance, 0, 0), ids)
  cut <- cut_list(score_column, data, "ndcg >= 0.75")
  expect_true(cut$certified)
  expect_identical(c(cut$queries, cut$left_out), c(150L, 1L))
  expect_identical(predict(cut, data), unname(score_column(data) >= cut$threshold))
  expect_lt(glance(cut)$kept, nrow(data) / 151)
  rows <- withr::with_seed(4, base::sample(nrow(data)))
  shuffled <- ranking_data(data$x[rows, ], data$relevance[rows], ids[rows])
  for (by in c("score", "rank")) {
    expect_identical(cut_list(score_column, shuffled, "ndcg >= 0.75", by = by)$path,
                     cut_list(score_column, data, "ndcg >= 0.75", by = by)$path)
  }
  p <- plogis(score_column(data))
  by_probability <- cut_list(unname(p), data, "ndcg >= 0.75", by = "probability")
  expect_identical(predict(by_probability, data, scores = unname(p)), unname(p >= by_probability$threshold))
  expect_snapshot(cut)
})

test_that("a value that complete lists do not reach is not certified", {
  data <- withr::with_seed(8, graded_sample(100))
  expect_snapshot(never <- cut_list(score_column, data, "ndcg >= 0.99"))
  expect_false(any(tidy(never)$certified))
  expect_true(all(predict(never, data)))
  expect_output(print(never), "Guarantee: none")
  expect_snapshot(error = TRUE, {
    cut_list(score_column, data, "err >= 0.9")
    cut_list(score_column, ranking_data(data$x, 0 * data$relevance, data$query), "ndcg >= 0.5")
  })
})
