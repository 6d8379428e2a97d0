test_that("tidy() has the parts of a comparison", {
  values <- cbind(a = c(.1, .4, .2), b = c(.3, .3, .1), c = c(.5, .6, .7))
  evaluation <- rbind(as_evaluation(values, "ap"), as_evaluation(values^2, "rr"))
  x <- compare_rankers(evaluation, seed = 1)
  expect_identical(tidy(x), x$pairs)
  expect_identical(tidy(x, "rankers"), x$rankers)
  expect_identical(tidy(x, what = "folds"), x$folds)
  queries <- tidy(x, "queries")
  expect_identical(names(queries), c("metric", "query", "ranker", "value"))
  expect_identical(queries$value, c(values, values^2))
  # as_evaluation() reads the table of values again.
  again <- compare_rankers(as_evaluation(queries), seed = 1)
  expect_identical(again$pairs, x$pairs)
  expect_error(tidy(x, "pair"), class = "rankmix_error_argument")
  expect_error(tidy(x, "pairs", 3), class = "rankmix_error_argument")
})

test_that("augment() has the differences of each query and pair", {
  values <- cbind(a = c(.1, .4, .3), b = c(.3, .3, .2), c = c(.5, .6, .7))
  table <- data.frame(ranker = rep(colnames(values), each = 3), query = c("x", "y", "z"), fold = c(1, 1, 2),
                      weight = c(1, 2, 3), metric = "ap", value = as.vector(values))
  x <- compare_rankers(as_evaluation(table), test = "t", adjust = "holm", seed = 1)
  made <- augment(x)
  expect_identical(names(made), c("metric", "a", "b", "fold", "query", "weight", "value_a", "value_b",
                                  "difference"))
  expect_identical(nrow(made), 9L)
  expect_identical(made$difference[1:3], c(-.2, .1, .1))
  means <- vapply(split(made, paste(made$a, made$b)), function(own) {
    weighted.mean(own$difference, own$weight)
  }, 0)
  expect_equal(means, stats::setNames(x$pairs$difference, paste(x$pairs$a, x$pairs$b)))
  expect_identical(unique(made[c("a", "b")])$b, x$pairs$b)
  plain <- compare_rankers(values, seed = 1)
  expect_identical(names(augment(plain)), c("metric", "a", "b", "query", "value_a", "value_b", "difference"))
  expect_error(augment(plain, 1), class = "rankmix_error_argument")
})

test_that("queries that do not count are in no table, and NA is 0", {
  data <- example_part("test")
  e <- evaluate(data.frame(a = data$x[, 1], b = data$x[, 2]), data, metric_ndcg(10))
  queries <- unique(e$query)
  e$value[e$query == queries[1]] <- NaN
  e$value[e$query == queries[2]] <- NA
  made <- augment(compare_rankers(e, seed = 1))
  expect_false(queries[1] %in% made$query)
  expect_identical(made$difference[made$query == queries[2]], 0)
})

test_that("glance() has a row for each metric", {
  values <- cbind(a = c(.1, .4, .2, .3), b = c(.3, .3, .1, .5), c = c(.5, .6, .7, .9))
  evaluation <- rbind(as_evaluation(values, "ap"), as_evaluation(-values, "rr"))
  x <- compare_rankers(evaluation, test = "t", adjust = "none", seed = 1)
  made <- glance(x)
  expect_identical(made$metric, c("ap", "rr"))
  expect_identical(made$best, c("c", "a"))
  expect_equal(made$best_mean, c(mean(values[, 3]), -mean(values[, 1])))
  expect_identical(made$rankers, c(3L, 3L))
  expect_identical(made$pairs, c(3L, 3L))
  expect_identical(made$queries, c(4L, 4L))
  expect_identical(made$significant, rep(sum(x$pairs$p_t[1:3] <= .05), 2))
  expect_identical(made$min_p, c(tapply(x$pairs$p_t, x$pairs$metric, min)), ignore_attr = TRUE)
  expect_identical(made$alternative, c("two.sided", "two.sided"))
  expect_identical(made$control, c(NA_character_, NA_character_))
  expect_identical(made$in_set, c(tapply(x$rankers$best, x$rankers$metric, sum)), ignore_attr = TRUE)
  x$settings$control <- "c"
  x$settings$alternative <- "less"
  x$pairs$p_adjusted <- 1
  made <- glance(x)
  expect_identical(made$significant, c(0L, 0L))
  expect_identical(made$control, c("c", "c"))
  expect_identical(made$alternative, c("less", "less"))
  expect_error(glance(x, 1), class = "rankmix_error_argument")
})

test_that("benchmarks and comparisons over data sets also have rows", {
  benchmark <- fixed_benchmark()
  made <- glance(benchmark)
  expect_identical(nrow(made), length(benchmark$metrics))
  expect_identical(made$folds[1], length(benchmark$data))
  expect_identical(made$failed[1], 0L)
  expect_equal(made$fit_seconds[1], sum(benchmark$runs$fit_seconds))
  table <- summary(benchmark)
  table <- table[table$metric == made$metric[1], ]
  expect_identical(made$best[1], table$ranker[which.max(table$mean)])
  rows <- augment(benchmark)
  expect_identical(class(rows), "data.frame")
  expect_identical(rows$value, benchmark$results$value)
  expect_identical(nrow(unique(rows[c("fold", "ranker", "query", "metric")])), nrow(rows))

  means <- rbind(MQ2007 = c(ours = 0.45, trees = 0.44, feature = 0.40),
                 MQ2008 = c(0.51, 0.50, 0.45), OHSUMED = c(0.46, 0.44, 0.45))
  over <- compare_over_datasets(means)
  made <- glance(over)
  expect_identical(nrow(made), 1L)
  expect_identical(made$best, "ours")
  expect_identical(made$best_rank, 1)
  expect_identical(made$p, over$p)
  expect_identical(made$blocks, 3L)
})

test_that("the tables can be grouped, and grouped tables are read", {
  values <- cbind(a = c(.1, .4, .2), b = c(.3, .3, .1), c = c(.5, .6, .7))
  x <- compare_rankers(values, test = "t", adjust = "holm", seed = 1)
  each <- augment(x)
  means <- tapply(each$difference, paste(each$a, each$b), mean)
  expect_equal(as.vector(means[paste(x$pairs$a, x$pairs$b)]), x$pairs$difference)
  by_ranker <- tapply(tidy(x, "queries")$value, tidy(x, "queries")$ranker, mean)
  expect_equal(as.vector(by_ranker), x$rankers$mean)
  # This is the class of dplyr::group_by().
  grouped <- structure(tidy(x, "queries"), class = c("grouped_df", "tbl_df", "tbl", "data.frame"))
  expect_identical(as_evaluation(grouped)$value, tidy(x, "queries")$value)
})
