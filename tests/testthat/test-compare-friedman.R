test_that("Friedman and Nemenyi agree with the textbook", {
  set.seed(1)
  means <- matrix(round(runif(60), 1), 12, dimnames = list(NULL, letters[1:5]))
  found <- compare_over_datasets(means)
  test <- stats::friedman.test(means)
  # There are 120^11 orders, too many to enumerate. The test is the F test of Iman and Davenport.
  f <- 11 * test$statistic / (12 * 4 - test$statistic)
  expect_equal(found$p, unname(pf(f, 4, 44, lower.tail = FALSE)), tolerance = 1e-12)
  expect_equal(found$statistic, unname(test$statistic), tolerance = 1e-12)
  ranks <- colMeans(t(apply(-means, 1, rank)))
  expect_equal(found$ranks, sort(ranks))
  # For 5 rankers without ties, q at level 0.05 is 2.728 (Demsar 2006, table 5).
  untied <- matrix(runif(60), 12, dimnames = list(NULL, letters[1:5]))
  q <- function(found) found$critical_difference / sqrt(5 * 6 / (6 * 12))
  # The table has three decimals.
  expect_lt(abs(q(compare_over_datasets(untied)) - 2.728), 6e-4)
  expect_lt(abs(q(compare_over_datasets(untied, level = 0.1)) - 2.459), 6e-4)
  # With ties the critical difference is smaller, because the ranks vary less.
  all_ranks <- t(apply(-means, 1, rank))
  spread <- sum((all_ranks - 3)^2) / (12 * 4)
  expect_equal(q(found), qtukey(0.95, 5, Inf) / sqrt(2) * sqrt(spread / (5 * 6 / 12)))
  expect_lt(spread, 5 * 6 / 12)
  # A pair is significant exactly if its ranks differ by more than the critical difference.
  apart <- abs(found$pairs$difference)
  expect_equal(found$pairs$p < 0.05, apart > found$critical_difference)
  expect_equal(found$pairs$rank_a - found$pairs$rank_b, found$pairs$difference)
})

test_that("of few data sets the p-value is exact", {
  # Enumerates all orders of all rows.
  naive <- function(means) {
    ranks <- t(apply(-means, 1, rank))
    orders <- as.matrix(expand.grid(rep(list(seq_len(ncol(ranks))), ncol(ranks))))
    orders <- orders[apply(orders, 1, function(o) !anyDuplicated(o)), ]
    picks <- as.matrix(expand.grid(rep(list(seq_len(nrow(orders))), nrow(ranks))))
    statistic <- function(ranks) sum((colSums(ranks) - mean(colSums(ranks)))^2)
    values <- apply(picks, 1, function(pick) {
      statistic(t(vapply(seq_len(nrow(ranks)), function(i) ranks[i, orders[pick[i], ]],
                         numeric(ncol(ranks)))))
    })
    mean(values >= statistic(ranks) - 1e-9)
  }
  set.seed(4)
  for (n in 2:4) {
    means <- matrix(sample(0:4, 3 * n, TRUE) / 10, n, dimnames = list(NULL, c("a", "b", "c")))
    expect_equal(compare_over_datasets(means)$p, naive(means), tolerance = 1e-12)
  }
  # If three data sets rank three rankers in the same order, p is 1 / 36. With one swap, p is 7 / 36.
  agree <- compare_over_datasets(rbind(c(a = 3, b = 2, c = 1), c(3, 2, 1), c(3, 2, 1)))
  expect_equal(agree$p, 1 / 36)
  expect_identical(agree$method, "exact")
  swap <- compare_over_datasets(rbind(c(a = 3, b = 2, c = 1), c(3, 2, 1), c(3, 1, 2)))
  expect_equal(round(swap$p, 4), 0.1944)
  # Values that differ by rounding only are tied.
  noise <- rbind(c(a = 0.3 - 0.2, b = 0.1, c = 0), c(0.2, 0.1, 0))
  expect_identical(unname(compare_over_datasets(noise)$ranks[["b"]]), 1.75)
})

test_that("two rankers, ties and equal ranks are defined", {
  means <- cbind(a = c(1, 1, 1), b = c(1, 1, 1))
  equal <- compare_over_datasets(means)
  expect_identical(c(equal$p, equal$statistic), c(1, 0))
  expect_identical(unname(equal$ranks), c(1.5, 1.5))
  two <- compare_over_datasets(cbind(a = 1:8, b = 0:7))
  expect_identical(two$ranks, c(a = 1, b = 2))
  expect_lt(two$pairs$p, 0.05)
})

test_that("benchmarks, comparisons and evaluations give the means", {
  skip_if_quick()
  sets <- lapply(c(x = 1, y = 2, z = 3), function(seed) random_data(seed = seed))
  rankers <- list(up = function(data) data$x[, 1], down = function(data) -data$x[, 1])
  evaluated <- lapply(sets, function(data) evaluate(rankers, data, c("ndcg@10", "err")))
  means <- t(vapply(evaluated, function(e) summary(e)$mean[1:2], c(up = 0, down = 0)))
  found <- compare_over_datasets(evaluated, how = "ranks")
  expect_equal(found$means, means)
  expect_equal(compare_over_datasets(means)$pairs, found$pairs)
  err <- compare_over_datasets(evaluated, "err", how = "ranks")
  expect_equal(err$means[, "up"], vapply(evaluated, function(e) summary(e)$mean[3], 0))
  compared <- lapply(evaluated, compare_rankers, seed = 1, resamples = 100)
  expect_equal(compare_over_datasets(compared, how = "ranks")$means, means)
  benchmarks <- lapply(sets, function(data) {
    benchmark_rankers(rankers, list(train = sets$x[1:2], test = data), c("ndcg@10", "err"),
                      verbose = FALSE) |> suppressWarnings()
  })
  expect_equal(compare_over_datasets(benchmarks, how = "ranks")$means, means)
})

test_that("comparisons over data sets print, and bad input is refused", {
  means <- rbind(MQ2007 = c(ours = 0.45, trees = 0.44, feature = 0.40),
                 MQ2008 = c(0.51, 0.50, 0.45), OHSUMED = c(0.46, 0.44, 0.45))
  expect_snapshot(compare_over_datasets(means))
  one <- evaluate(list(a = 1:3, b = 3:1), ranking_data(cbind(1:3), c(0, 1, 2), c(1, 1, 1)), "err")
  other <- one
  other$ranker[other$ranker == "b"] <- "c"
  expect_snapshot(error = TRUE, {
    compare_over_datasets(means[1, , drop = FALSE])
    compare_over_datasets(means[, 1, drop = FALSE])
    compare_over_datasets(replace(means, 2, NA))
    compare_over_datasets(unname(means))
    compare_over_datasets(1:3)
    compare_over_datasets(list(x = one, y = other))
    compare_over_datasets(list(x = one, y = 3))
    compare_over_datasets(list(x = one, y = one), metric = "ndcg@10")
  })
})

test_that("ranks agree with Demsar (2006)", {
  # The values of table 6. C4.5+cf on voting has .97501 instead of .975, because the paper does not treat it as tied
  # with the other .975 of this row.
  means <- rbind(c(.763, .768, .771, .798), c(.599, .591, .590, .569), c(.954, .971, .968, .967),
                 c(.628, .661, .654, .657), c(.882, .888, .886, .898), c(.936, .931, .916, .931),
                 c(.661, .668, .609, .685), c(.583, .583, .563, .625), c(.775, .838, .866, .875),
                 c(1, 1, 1, 1), c(.940, .962, .965, .962), c(.619, .666, .614, .669),
                 c(.972, .981, .975, .975), c(.957, .978, .946, .970))
  colnames(means) <- c("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
  means[13, 3] <- 0.97501
  found <- compare_over_datasets(means)
  expect_equal(round(found$ranks[colnames(means)], 3),
               c(`C4.5` = 3.143, `C4.5+m` = 2, `C4.5+cf` = 2.893, `C4.5+m+cf` = 1.964))
  expect_equal(round(found$statistic, 2), 10.23)
  glanced <- glance(found)
  expect_identical(glanced$blocks, 14L)
  expect_identical(glanced$p, found$p)
})
