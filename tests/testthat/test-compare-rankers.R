compare_values <- function(a, b, ..., fold = NULL, seed = 1) {
  compare_rankers(a = evaluation_of(a, fold = fold), b = evaluation_of(b, fold = fold), ...,
                  seed = seed)
}

test_that("t and Wilcoxon are those of stats", {
  set.seed(2)
  for (n in c(3, 8, 49, 50, 300)) {
    a <- runif(n)
    b <- a + rnorm(n, 0.02, 0.2)
    pair <- tidy(compare_values(a, b, resamples = 100))
    t <- stats::t.test(a, b, paired = TRUE)
    expect_equal(pair$p_t, t$p.value, tolerance = 1e-12)
    expect_equal(pair$difference, unname(t$estimate), tolerance = 1e-12)
    expect_equal(pair$se, t$stderr, tolerance = 1e-12)
    expect_equal(pair$effect, mean(a - b) / sd(a - b), tolerance = 1e-12)
    expect_equal(pair$p_wilcoxon, stats::wilcox.test(a - b)$p.value, tolerance = 1e-12)
    expect_equal(pair$normality, stats::shapiro.test(a - b)$p.value, tolerance = 1e-12)
  }
})

test_that("the randomisation test of few queries is full enumeration", {
  set.seed(3)
  for (n in 1:12) {
    # Tenths, so that many patterns have the observed sum.
    a <- sample(0:10, n, TRUE) / 10
    b <- sample(0:10, n, TRUE) / 10
    pair <- tidy(compare_values(a, b, resamples = 100))
    expect_equal(pair$p_randomization, naive_sign_flips(a - b), tolerance = 1e-15)
  }
})

test_that("folds are tested one by one and combined", {
  set.seed(4)
  fold <- rep(c("x", "y", "z"), c(10, 30, 60))
  a <- runif(100)
  b <- a + rnorm(100, 0.03, 0.2)
  fisher <- compare_values(a, b, fold = fold, resamples = 500)
  p <- vapply(split(seq_along(fold), fold), function(rows) {
    stats::t.test(a[rows], b[rows], paired = TRUE)$p.value
  }, 0)
  expect_equal(fisher$folds$p_t, unname(p), tolerance = 1e-12)
  expect_equal(fisher$pairs$p_t,
               stats::pchisq(-2 * sum(log(p)), 6, lower.tail = FALSE), tolerance = 1e-12)
  expect_equal(fisher$pairs$p_wilcoxon, fisher_combine(fisher$folds$p_wilcoxon))
  expect_equal(fisher$pairs$p_randomization, fisher_combine(fisher$folds$p_randomization))
  expect_identical(fisher$pairs$folds_ahead, sum(fisher$folds$difference > 0))
  stouffer <- tidy(compare_values(a, b, fold = fold, combine = "stouffer", resamples = 500))
  expect_equal(stouffer$p_t, stouffer_combine(p, fisher$folds$difference, sqrt(c(10, 30, 60))))
  pooled <- tidy(compare_values(a, b, fold = fold, combine = "pool", resamples = 500))
  expect_equal(pooled$p_t, stats::t.test(a - b)$p.value, tolerance = 1e-12)
  # The estimate is over all queries, however they are tested.
  expect_identical(fisher$pairs$difference, pooled$difference)
  expect_identical(fisher$pairs[c("lower", "upper")], pooled[c("lower", "upper")])
})

test_that("the bootstrap interval is the accelerated one", {
  set.seed(5)
  a <- rexp(40)
  b <- numeric(40)
  pair <- tidy(compare_values(a, b, resamples = 2000, seed = 9))
  means <- rankmix:::bootstrap_means(a, numeric(), 2000, 9, 1L)
  expect_equal(c(pair$lower, pair$upper), naive_bca(a, means, 0.95), tolerance = 1e-10)
  expect_equal(mean(means), mean(a), tolerance = 0.02)
  expect_equal(sd(means), sd(a) * sqrt(39 / 40) / sqrt(40), tolerance = 0.05)
  wide <- tidy(compare_values(a, b, resamples = 2000, seed = 9, level = 0.01))
  expect_lt(wide$lower, pair$lower)
  expect_gt(wide$upper, pair$upper)
})

test_that("what tests leave undefined is defined, and said", {
  equal <- tidy(compare_values(c(0.1, 0.5, 0.2), c(0.1, 0.5, 0.2)))
  expect_identical(unlist(equal[c("p_t", "p_wilcoxon", "p_randomization")], use.names = FALSE),
                   c(1, 1, 1))
  expect_identical(equal$note, "all differences are 0")
  expect_identical(c(equal$lower, equal$upper), c(0, 0))
  one <- tidy(compare_values(0.5, 0.2))
  expect_identical(c(one$p_t, one$p_randomization), c(1, 1))
  expect_identical(one$note, "one query")
  same <- tidy(compare_values(rep(1, 6), rep(0.5, 6)))
  expect_identical(same$p_t, 2^-5)
  expect_identical(same$p_randomization, 2^-5)
  expect_identical(same$note, "all differences are the same")
  expect_identical(c(same$lower, same$upper), c(0.5, 0.5))
  # Differences that are the same but for rounding.
  rounded <- tidy(compare_values(c(0.3, 0.4, 0.5), c(0.3, 0.4, 0.5) - 0.1))
  expect_identical(rounded$p_t, 2^-2)
  expect_identical(rounded$note, "all differences are the same")
  expect_identical(rounded$effect, NA_real_)
  expect_identical(rounded$lower, rounded$upper)
  zero <- tidy(compare_values(c(1, 1, 3, 5), c(1, 1, 1, 1), fold = c(1, 1, 2, 2)))
  expect_identical(zero$note, "a fold with all differences 0")
  expect_equal(zero$p_t, fisher_combine(c(1, stats::t.test(c(2, 4))$p.value)))
  # A fold of one query cannot tell, the others can.
  fold <- tidy(compare_values(c(1, 2, 3, 5), c(0, 0, 1, 1), fold = c(1, 2, 2, 2)))
  expect_identical(fold$note, "a fold with one query")
  expect_equal(fold$p_t, fisher_combine(c(1, stats::t.test(c(2, 2, 4))$p.value)))
})

test_that("NaN leaves a query out and NA counts as 0", {
  a <- c(0.5, NaN, 0.4, NA)
  b <- c(0.1, NaN, 0.2, 0.3)
  compared <- compare_values(a, b)
  expect_identical(compared$pairs$queries, 3L)
  expect_equal(compared$pairs$difference, mean(c(0.4, 0.2, -0.3)))
  expect_identical(compared$rankers$undefined, c(1, 0))
})

test_that("pairs are adjusted together, and the best are marked", {
  set.seed(6)
  base <- runif(200)
  values <- list(good = base, near = base + rnorm(200, 0, 0.1), bad = base - 0.2 + rnorm(200, 0, 0.1))
  evaluations <- lapply(values, evaluation_of)
  run <- function(...) do.call(compare_rankers, c(evaluations, list(seed = 1, ...)))
  plain <- run()
  expect_identical(nrow(plain$pairs), 3L)
  expect_equal(plain$pairs$p_holm, stats::p.adjust(plain$pairs$p_t, "holm"))
  expect_equal(plain$pairs$p_bh, stats::p.adjust(plain$pairs$p_t, "BH"))
  signs <- run(test = "randomization")
  expect_equal(signs$pairs$p_holm, stats::p.adjust(signs$pairs$p_randomization, "holm"))
  by_bh <- run(adjust = "BH")
  expect_setequal(by_bh$rankers$p_best[-which.max(by_bh$rankers$mean)],
                  by_bh$pairs$p_bh[by_bh$pairs$a == "good" | by_bh$pairs$b == "good"])
  ranks <- run(test = "wilcoxon", adjust = "none")
  top <- which.max(ranks$rankers$mean)
  with_top <- ranks$pairs$a == ranks$rankers$ranker[top] | ranks$pairs$b == ranks$rankers$ranker[top]
  expect_setequal(ranks$rankers$p_best[-top], ranks$pairs$p_wilcoxon[with_top])
  best <- stats::setNames(plain$rankers$best, plain$rankers$ranker)
  expect_identical(best, c(good = TRUE, near = TRUE, bad = FALSE))
  # The rule follows the level: nobody is worse at the p-value of the worst, all are above it.
  p <- plain$rankers$p_best
  expect_identical(sum(run(level = max(1e-6, min(p, na.rm = TRUE) / 2))$rankers$best),
                   if (min(p, na.rm = TRUE) / 2 > 1e-6) 3L else 2L)
  slight <- lapply(list(a = base, b = base + rep(c(0.05, -0.04), 100), c = base - 0.5),
                   evaluation_of)
  by_level <- function(level) {
    do.call(compare_rankers, c(slight, list(seed = 1, level = level)))$rankers
  }
  between <- max(by_level(0.05)$p_best[1:2], na.rm = TRUE)
  expect_lt(between, 0.4)
  expect_identical(by_level(between + 0.01)$best, c(FALSE, TRUE, FALSE))
  expect_identical(by_level(between - 0.01)$best, c(TRUE, TRUE, FALSE))
})

test_that("rankers, scores and evaluations compare alike", {
  data <- example_part("test")
  scores <- list(first = data$x[, 1], second = data$x[, 2])
  by_scores <- compare_rankers(first = scores$first, second = scores$second, data = data,
                               metric = c("ndcg@10", "err"), seed = 1)
  together <- compare_rankers(evaluate(scores, data, c("ndcg@10", "err")), seed = 1)
  apart <- compare_rankers(first = evaluate(scores$first, data, c("ndcg@10", "err")),
                           second = function(data) data$x[, 2], data = data,
                           metric = c("ndcg@10", "err"), seed = 1)
  rest <- setdiff(names(together$pairs), "identical")
  expect_identical(together$pairs[rest], by_scores$pairs[rest])
  expect_identical(apart$pairs[rest], by_scores$pairs[rest])
  expect_identical(together$pairs$identical, c(NA_real_, NA_real_))
  ranked <- function(s) split(order(data$query, -s), sort(data$query))
  alike <- mapply(identical, ranked(scores$first), ranked(scores$second))
  expect_equal(by_scores$pairs$identical, rep(mean(alike), 2))
  one <- compare_rankers(evaluate(scores, data, c("ndcg@10", "err")), metric = "err", seed = 1)
  expect_identical(one$pairs$metric, "err")
  monotone <- compare_rankers(first = scores$first, same = exp(scores$first), data = data,
                              metric = ndcg(10), seed = 1)
  expect_identical(monotone$pairs$identical, 1)
})

test_that("seed and resamples matter, threads and other rankers do not", {
  set.seed(7)
  values <- lapply(c(a = 1, b = 2, c = 3), function(i) evaluation_of(runif(100)))
  run <- function(values, ...) do.call(compare_rankers, c(values, list(...)))
  full <- run(values, seed = 1)
  expect_identical(run(values, seed = 1, threads = 1), run(values, seed = 1, threads = 2))
  two <- run(values[1:2], seed = 1)
  columns <- c("lower", "upper", "p_t", "p_randomization")
  expect_identical(two$pairs[columns], full$pairs[1, columns])
  expect_false(identical(run(values, seed = 2)$pairs$lower, full$pairs$lower))
  expect_false(identical(run(values, seed = 1, resamples = 500)$pairs$lower, full$pairs$lower))
  set.seed(1)
  first <- run(values)
  set.seed(1)
  expect_identical(run(values), first)
})

test_that("weights of queries are heeded", {
  data <- example_part("test")
  weight <- rep_len(c(1, 3), length(data$query_ids))
  weighted <- ranking_data(data$x, data$relevance, data$query, weight = weight[data$query])
  compared <- compare_rankers(a = data$x[, 1], b = data$x[, 2], data = weighted,
                              metric = ndcg(10), seed = 1)
  each <- evaluate(list(a = data$x[, 1], b = data$x[, 2]), weighted, ndcg(10))
  d <- with(each, value[ranker == "a"] - value[ranker == "b"])
  expect_equal(compared$pairs$difference, sum(weight * d) / sum(weight))
  n <- length(d)
  se <- sqrt(n / (n - 1) * sum((weight * (d - compared$pairs$difference))^2)) / sum(weight)
  expect_equal(compared$pairs$p_t, 2 * stats::pt(-abs(compared$pairs$difference / se), n - 1))
  expect_identical(compared$pairs$p_wilcoxon, NA_real_)
  # As if each query were there as often as its weight says.
  often <- rep(d, weight)
  expect_equal(compared$pairs$effect * sqrt(n / (n - 1)),
               mean(often) / sqrt(mean((often - mean(often))^2)))
  one <- weighted[1]
  alone <- compare_rankers(a = one$x[, 1], b = one$x[, 2], data = one, metric = ndcg(10))
  expect_identical(alone$pairs$p_t, 1)
  expect_error(compare_rankers(a = data$x[, 1], b = data$x[, 2], data = weighted,
                               metric = ndcg(10), test = "wilcoxon"),
               class = "rankmix_error_argument")
})

test_that("runs are compared on judgements, and ids of documents tell who has which grade", {
  data <- ranking_data(cbind(a = c(3, 2, 1, 1, 2), b = c(1, 3, 2, 2, 1)), c(0, 1, 2, 1, 0),
                       c(1, 1, 1, 2, 2), document = letters[1:5])
  qrels <- as_qrels(data)
  runs <- lapply(c(a = "a", b = "b"), function(name) {
    as_run(data.frame(query = data$query_ids[data$query], document = data$document,
                      score = data$x[, name]))
  })
  by_runs <- compare_rankers(a = runs$a, b = runs$b, data = qrels, metric = ndcg(10), seed = 1)
  by_scores <- compare_rankers(a = data$x[, "a"], b = data$x[, "b"], data = data,
                               metric = ndcg(10), seed = 1)
  expect_equal(by_runs$pairs$difference, by_scores$pairs$difference)
  swapped <- ranking_data(data$x, c(1, 0, 2, 1, 0), c(1, 1, 1, 2, 2), document = letters[1:5])
  expect_error(compare_rankers(a = evaluate(data$x[, 1], data, "err"),
                               b = evaluate(data$x[, 2], swapped, "err")),
               class = "rankmix_error_grade")
  # Another order of the rows is the same.
  turned <- ranking_data(data$x[5:1, ], rev(data$relevance), c(2, 2, 1, 1, 1),
                         document = letters[5:1])
  expect_identical(compare_rankers(a = evaluate(data$x[, 1], data, "err"),
                                   b = evaluate(turned$x[, 1], turned, "err"))$pairs$ties, 1)
})

test_that("a comparison prints in ten lines", {
  set.seed(8)
  base <- runif(60)
  values <- lapply(stats::setNames(1:8, letters[1:8]), function(i) {
    evaluation_of(base - i / 20 + rnorm(60, 0, 0.1), fold = rep(1:3, 20))
  })
  compared <- do.call(compare_rankers, c(values, list(seed = 1)))
  expect_snapshot(compared)
  expect_lte(length(capture.output(print(compared))), 10L)
  expect_snapshot(compare_rankers(a = values$a, b = values$a, seed = 1))
})

test_that("evaluations that do not go together are told apart", {
  data <- example_part("test")
  a <- evaluate(data$x[, 1], data, ndcg(10))
  b <- evaluate(data$x[, 2], data, ndcg(10))
  fewer <- b[-(1:7), ]
  other <- data
  row <- which(data$relevance == 0)[1]
  regraded <- ranking_data(data$x, replace(data$relevance, row, 4L),
                           data$query_ids[data$query])
  undefined <- b
  undefined$value[3] <- NaN
  infinite <- b
  infinite$value[2] <- Inf
  expect_snapshot(error = TRUE, {
    compare_rankers(a = a, b = fewer)
    compare_rankers(a = a, b = evaluate(data$x[, 2], regraded, ndcg(10)))
    compare_rankers(a = a, b = undefined)
    compare_rankers(a = a, b = infinite)
    compare_rankers(a = a, b = rbind(b, b[2, ]))
    compare_rankers(a = a)
    compare_rankers(a)
    compare_rankers(a, b)
    compare_rankers(a = a, a = b)
    compare_rankers(a = a, b = data$x[, 1])
    compare_rankers(a = a, b = data$x[, 1], data = data)
    compare_rankers(a = data$x[, 2], b = data$x[1:4, 1], data = data, metric = ndcg(10))
    compare_rankers(a = data$x[, 2], b = replace(data$x[, 1], 3, NaN), data = data,
                    metric = ndcg(10))
    compare_rankers(a = a, b = b, metric = "err")
    compare_rankers(a = a, b = evaluate(data$x[, 1], data, "err"))
    compare_rankers(a = a, b = cbind(b, fold = 1))
    compare_rankers(a = a, b = b, test = "F")
  })
  # Ids may be numbers here and strings there.
  text <- b
  text$query <- format(text$query, trim = TRUE)
  expect_identical(compare_rankers(a = a, b = text, seed = 1)$pairs,
                   compare_rankers(a = a, b = b, seed = 1)$pairs)
  classes <- list(queries = fewer, grade = evaluate(data$x[, 2], regraded, ndcg(10)),
                  values = undefined)
  for (class in names(classes)) {
    expect_error(compare_rankers(a = a, b = classes[[class]]),
                 class = paste0("rankmix_error_", class))
  }
})

test_that("rankers in a list are compared as if given one by one", {
  data <- random_data(queries = 12, seed = 3)
  scores <- list(a = data$x[, 1], b = data$x[, 2])
  expect_identical(compare_rankers(scores, data = data, metric = ndcg(5), seed = 1),
                   compare_rankers(a = scores$a, b = scores$b, data = data, metric = ndcg(5),
                                   seed = 1))
  evaluated <- lapply(scores, evaluate, data, ndcg(5))
  expect_identical(compare_rankers(evaluated, seed = 1),
                   compare_rankers(a = evaluated$a, b = evaluated$b, seed = 1))
  expect_error(compare_rankers(unname(scores), data = data, metric = ndcg(5)), "need names",
               class = "rankmix_error_argument")
  expect_error(compare_rankers(scores["a"], data = data, metric = ndcg(5)),
               "nothing to compare", class = "rankmix_error_argument")
})
