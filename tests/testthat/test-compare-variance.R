crossed <- function() as.matrix(read.csv(test_path("fixtures", "query-training.csv")))

test_that("mean squares, standard error and components agree with lme4", {
  # There are 40 queries and 5 trainings. The expected values are from lme4 1.1-31:
  # lmer(value ~ 1 + (1 | query) + (1 | training)).
  found <- tidy(variance_parts(crossed()))
  expect_equal(c(found$ms_training, found$ms_queries, found$ms_rest),
               c(0.011055039, 0.043758177, 0.0023158547), tolerance = 1e-7)
  expect_equal(found$se, 0.016201445, tolerance = 1e-7)
  expect_equal(found$df, 34.585963, tolerance = 1e-7)
  expect_equal(c(found$var_training, found$var_queries, found$var_rest),
               c(0.00021847961, 0.0082884644, 0.0023158547), tolerance = 1e-7)
  expect_equal(found$fraction_queries + found$fraction_training + found$fraction_rest, 1)
  expect_equal(found$p, 2 * pt(-found$difference / found$se, found$df))
  expect_equal(found$se_queries, sd(rowMeans(crossed())) / sqrt(40))
})

test_that("folds are strata with their own trainings", {
  d <- crossed()
  fold <- rep(1:3, c(10, 14, 16))
  each <- lapply(1:3, function(f) tidy(variance_parts(d[fold == f, ])))
  fraction <- c(10, 14, 16) / 40
  se <- vapply(each, `[[`, 0, "se")
  df <- vapply(each, `[[`, 0, "df")
  found <- tidy(variance_parts(d, fold = fold))
  expect_equal(found$se, sqrt(sum(fraction^2 * se^2)))
  expect_equal(found$df, found$se^4 / sum((fraction^2 * se^2)^2 / df))
  expect_equal(found$difference, mean(d))
  # Folds may be letters, and their rows may have any order.
  shuffled <- sample(40)
  again <- tidy(variance_parts(d[shuffled, ], fold = letters[fold][shuffled]))
  expect_equal(again, found)
})

test_that("a variance with fewer than one degree of freedom is replaced by the larger mean square", {
  n <- 20
  replaced <- vapply(1:40, function(seed) {
    set.seed(seed)
    d <- matrix(rnorm(3 * n), n)
    squares <- c(queries = 3 * var(rowMeans(d)), training = n * var(colMeans(d)))
    rest <- sum((d - outer(rowMeans(d), colMeans(d), `+`) + mean(d))^2) / (2 * (n - 1))
    total <- sum(squares) - rest
    df <- total^2 / (squares[["training"]]^2 / 2 + squares[["queries"]]^2 / (n - 1) + rest^2 / (2 * (n - 1)))
    found <- tidy(variance_parts(d))
    larger <- total <= 0 || df < 1
    by_training <- squares[["training"]] > squares[["queries"]]
    expect_equal(found$se^2, (if (larger) max(squares) else total) / (3 * n))
    expect_equal(found$df, if (!larger) df else if (by_training) 2 else n - 1)
    expect_equal(found$upper - found$difference, qt(0.975, found$df) * found$se)
    expect_identical(grepl("the larger of two mean squares", found$note), larger)
    total > 0 && df < 1
  }, NA)
  expect_true(any(replaced) && !all(replaced))
  # Folds have an interval, too.
  set.seed(4)
  d <- matrix(rnorm(3 * n), n)
  expect_false(anyNA(tidy(variance_parts(d, fold = rep(1:2, n / 2)))[c("lower", "upper")]))
})

test_that("trainings of two rankers are independent", {
  set.seed(1)
  values <- array(rnorm(30 * 2 * 4), c(30, 2, 4)) / 10
  found <- rankmix:::training_moments(values)
  squares <- function(x) {
    table <- anova(lm(v ~ q + s, data.frame(v = as.vector(x), q = factor(rep(1:30, 4)),
                                            s = factor(rep(1:4, each = 30)))))
    table[["Mean Sq"]]
  }
  a <- squares(values[, 1, ])
  b <- squares(values[, 2, ])
  d <- squares(values[, 1, ] - values[, 2, ])
  variance <- (a[2] + b[2] + d[1] - a[3] - b[3]) / 120
  expect_equal(found$se^2, variance)
  expect_equal(found$df, (variance * 120)^2 / ((a[2]^2 + b[2]^2) / 3 + d[1]^2 / 29 + (a[3]^2 + b[3]^2) / 87))
  expect_equal(unname(found$squares), c(d[1], a[2] + b[2], a[3] + b[3]))
  # The order of the trainings of b does not matter.
  values[, 2, ] <- values[, 2, 4:1]
  expect_equal(rankmix:::training_moments(values)$se, found$se)
})

test_that("a ranker that does not use its seed has no training variance", {
  set.seed(2)
  a <- rnorm(20)
  b <- matrix(rnorm(60), 20)
  values <- aperm(array(c(matrix(a, 20, 3), b), c(20, 3, 2)), c(1, 3, 2))
  found <- rankmix:::training_moments(values)
  alone <- tidy(variance_parts(a - b))
  expect_equal(c(found$se, found$df), c(alone$se, alone$df))
  both <- aperm(array(c(matrix(a, 20, 3), matrix(b[, 1], 20, 3)), c(20, 3, 2)), c(1, 3, 2))
  same <- rankmix:::training_moments(both)
  expect_equal(c(same$se, same$df), c(sd(a - b[, 1]) / sqrt(20), 19))
})

test_that("weights are copies in the mean, and equal weights change nothing", {
  d <- crossed()
  found <- tidy(variance_parts(d))
  expect_equal(tidy(variance_parts(d, weight = rep(3, 40))), found)
  weight <- c(rep(2, 10), rep(1, 30))
  weighted <- tidy(variance_parts(d, weight = weight))
  expect_equal(weighted$difference, mean(d[c(1:10, 1:40), ]))
  expect_equal(weighted$se_queries,
               rankmix:::summarise_values(rowMeans(d), weight, 0.95)$se)
  expect_equal(tidy(variance_parts(rbind(d, 9), weight = c(rep(1, 40), 0))), found)
})

test_that("one training, one query and equal differences are defined", {
  one <- tidy(variance_parts(crossed()[, 1, drop = FALSE]))
  test <- t.test(crossed()[, 1])
  expect_equal(c(one$p, one$lower, one$df), unname(c(test$p.value, test$conf.int[1], 39)))
  expect_identical(c(one$var_training, one$fraction_queries), c(NA_real_, NA_real_))
  expect_match(one$note, "training variance cannot be estimated from one training")
  query <- tidy(variance_parts(matrix(1:3 / 10, 1)))
  expect_identical(c(query$se, query$lower, query$p), c(NA, NA, 1))
  zero <- tidy(variance_parts(matrix(0, 3, 2)))
  expect_identical(c(zero$p, zero$lower, zero$upper), c(1, 0, 0))
  expect_identical(zero$fraction_queries, NA_real_)
  equal <- tidy(variance_parts(matrix(0.1, 3, 2)))
  expect_identical(c(equal$p, equal$lower), c(0.25, NA))
})

test_that("negative components are 0, and so is no variance", {
  # Columns and rows have equal means, so that only the residual varies.
  d <- rbind(c(1, -1), c(-1, 1))
  found <- tidy(variance_parts(d))
  expect_identical(c(found$var_training, found$var_queries), c(0, 0))
  expect_match(found$note, "negative")
  # The differences vary, so an interval of width 0 would be wrong.
  expect_identical(c(found$lower, found$p), c(NA, 1))
  expect_match(tidy(variance_parts(d + c(0.1, 0)))$note, "the larger of two mean squares")
  raised <- tidy(variance_parts(d + c(0.1, 0)))
  # MS_s = 0, MS_q = 0.01, n S = 4.
  expect_equal(raised$se, sqrt(0.01 / 4))
  expect_identical(raised$df, 1)
})

test_that("comparisons and benchmarks give all pairs", {
  rankers <- c(few_rankers(), first = function(data) data$x[, 1])
  benchmark <- run_benchmark(rankers, repeats = 2)
  found <- variance_parts(benchmark)
  expect_identical(nrow(tidy(found)), 6L)
  compared <- compare_rankers(benchmark, test = "t", seed = 1)
  expect_equal(variance_parts(compared), found)
  expect_equal(tidy(found)$difference, compared$pairs$difference)
  unchanged <- tidy(found)[tidy(found)$a == "feature", ]
  expect_equal(unchanged$se, compared$pairs$se[compared$pairs$a == "feature"])
  expect_equal(tidy(variance_parts(benchmark, metric = "err"))$se, tidy(found)$se[4:6])
  err <- variance_parts(compared, metric = metric_err())
  expect_identical(unique(tidy(err)$metric), "err")
  expect_error(variance_parts(compared, metric = "map"), class = "rankmix_error_argument")
  single <- variance_parts(run_benchmark(rankers[2:3]))
  expect_output(print(single), "Training variance cannot be estimated from one training")
})

test_that("parts of variance print, and bad input is an error", {
  d <- crossed()
  expect_snapshot({
    variance_parts(d)
    variance_parts(d[, 1, drop = FALSE])
    variance_parts(rbind(c(1, -1), c(-1, 1)))
  })
  expect_snapshot(error = TRUE, {
    variance_parts()
    variance_parts(1:3)
    variance_parts(matrix(letters[1:4], 2))
    variance_parts(replace(d, 3, NA))
    variance_parts(d, fold = 1:3)
    variance_parts(d, weight = rep(-1, 40))
    variance_parts(d, level = 2)
  })
})
