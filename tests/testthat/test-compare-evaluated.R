test_that("rankers, scores and evaluations give the same comparison", {
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
                              metric = metric_ndcg(10), seed = 1)
  expect_identical(monotone$pairs$identical, 1)
})

test_that("runs are compared on judgements, and grades are matched by document ids", {
  data <- ranking_data(cbind(a = c(3, 2, 1, 1, 2), b = c(1, 3, 2, 2, 1)), c(0, 1, 2, 1, 0),
                       c(1, 1, 1, 2, 2), document = letters[1:5])
  qrels <- as_qrels(data)
  runs <- lapply(c(a = "a", b = "b"), function(name) {
    as_run(data.frame(query = data$query_ids[data$query], document = data$document,
                      score = data$x[, name]))
  })
  by_runs <- compare_rankers(a = runs$a, b = runs$b, data = qrels, metric = metric_ndcg(10), seed = 1)
  by_scores <- compare_rankers(a = data$x[, "a"], b = data$x[, "b"], data = data,
                               metric = metric_ndcg(10), seed = 1)
  expect_equal(by_runs$pairs$difference, by_scores$pairs$difference)
  swapped <- ranking_data(data$x, c(1, 0, 2, 1, 0), c(1, 1, 1, 2, 2), document = letters[1:5])
  expect_error(compare_rankers(a = evaluate(data$x[, 1], data, "err"),
                               b = evaluate(data$x[, 2], swapped, "err")),
               class = "rankmix_error_grade")
  # The row order does not matter.
  turned <- ranking_data(data$x[5:1, ], rev(data$relevance), c(2, 2, 1, 1, 1),
                         document = letters[5:1])
  expect_identical(compare_rankers(a = evaluate(data$x[, 1], data, "err"),
                                   b = evaluate(turned$x[, 1], turned, "err"))$pairs$ties, 1)
})

test_that("evaluations that cannot be compared are refused", {
  data <- example_part("test")
  a <- evaluate(data$x[, 1], data, metric_ndcg(10))
  b <- evaluate(data$x[, 2], data, metric_ndcg(10))
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
    compare_rankers(a = a, b = evaluate(data$x[, 2], regraded, metric_ndcg(10)))
    compare_rankers(a = a, b = undefined)
    compare_rankers(a = a, b = infinite)
    compare_rankers(a = a, b = rbind(b, b[2, ]))
    compare_rankers(a = a)
    compare_rankers(a)
    compare_rankers(a, b)
    compare_rankers(a = a, a = b)
    compare_rankers(a = a, b = data$x[, 1])
    compare_rankers(a = a, b = data$x[, 1], data = data)
    compare_rankers(a = data$x[, 2], b = data$x[1:4, 1], data = data, metric = metric_ndcg(10))
    compare_rankers(a = data$x[, 2], b = replace(data$x[, 1], 3, NaN), data = data,
                    metric = metric_ndcg(10))
    compare_rankers(a = a, b = b, metric = "err")
    compare_rankers(a = a, b = evaluate(data$x[, 1], data, "err"))
    compare_rankers(a = a, b = cbind(b, fold = 1))
    compare_rankers(a = a, b = b, test = "F")
  })
  # Query ids may be numbers in one evaluation and strings in another.
  text <- b
  text$query <- format(text$query, trim = TRUE)
  expect_identical(compare_rankers(a = a, b = text, seed = 1)$pairs,
                   compare_rankers(a = a, b = b, seed = 1)$pairs)
  classes <- list(queries = fewer, grade = evaluate(data$x[, 2], regraded, metric_ndcg(10)),
                  values = undefined)
  for (class in names(classes)) {
    expect_error(compare_rankers(a = a, b = classes[[class]]),
                 class = paste0("rankmix_error_", class))
  }
})

test_that("rankers in a list are compared like rankers given one by one", {
  data <- random_data(queries = 12, seed = 3)
  scores <- list(a = data$x[, 1], b = data$x[, 2])
  expect_identical(compare_rankers(scores, data = data, metric = metric_ndcg(5), seed = 1),
                   compare_rankers(a = scores$a, b = scores$b, data = data, metric = metric_ndcg(5),
                                   seed = 1))
  evaluated <- lapply(scores, evaluate, data, metric_ndcg(5))
  expect_identical(compare_rankers(evaluated, seed = 1),
                   compare_rankers(a = evaluated$a, b = evaluated$b, seed = 1))
  expect_error(compare_rankers(unname(scores), data = data, metric = metric_ndcg(5)), "need names",
               class = "rankmix_error_argument")
  expect_error(compare_rankers(scores["a"], data = data, metric = metric_ndcg(5)),
               "two or more rankers", class = "rankmix_error_argument")
})

test_that("rankers without names get a call with names", {
  data <- random_data(queries = 5, features = 2)
  expect_error(compare_rankers(data$x[, 1], data$x[, 2], data = data, metric = "ndcg@10"),
               "`compare_rankers(trees = ..., ridge = ..., ", fixed = TRUE)
  expect_error(benchmark_rankers(list(gbrt(), best_feature()), query_folds(data, 3), data = data),
               "`list(trees = gbrt(), ", fixed = TRUE)
})

test_that("metrics of one name and text differ if their functions differ", {
  data <- simulate_ranking(20, documents = 6, features = 5, seed = 1)$data
  gain <- function(k, scores = data$x[, 1]) evaluate(scores, data, metric_ndcg(10, gain = function(x) x^k))
  own <- function(value) evaluate(data$x[, 1], data, metric_custom("m", value))
  first <- function(grades) grades[1]
  expect_snapshot(error = TRUE, {
    compare_rankers(new = gain(1), old = gain(4), seed = 1)
    compare_rankers(new = own(first), old = own(function(grades) 5), seed = 1)
    rbind(own(first), gain(1), gain(4))
  })
  expect_error(compare_rankers(new = evaluate(data$x[, 1], data, metric_dcg(5, discount = function(r) 1 / r)),
                               old = evaluate(data$x[, 1], data, metric_dcg(5, discount = function(r) 1 / r^2))),
               class = "rankmix_error_argument")
  # The same function, also from a file.
  file <- withr::local_tempfile()
  saveRDS(gain(2, data$x[, 2]), file)
  old <- readRDS(file)
  found <- compare_rankers(new = gain(2), old = old, seed = 1)
  difference <- mean(gain(2)$value - gain(2, data$x[, 2])$value)
  expect_equal(found$pairs$difference * ifelse(found$pairs$a == "new", 1, -1), difference)
  # Evaluations of earlier versions have no hash.
  attr(old, "functions") <- NULL
  expect_identical(compare_rankers(new = gain(2), old = old, seed = 1)$pairs, found$pairs)
  expect_null(attr(evaluate(data$x[, 1], data, c("ndcg@10", "map")), "functions"))
  expect_null(attr(evaluate(data$x[, 1], data, metric_trec("ndcg_rel")), "functions"))
})

test_that("a saved evaluation does not contain the values that a function of a metric has captured", {
  data <- simulate_ranking(20, documents = 6, features = 5, seed = 1)$data
  size <- function(captured) {
    metric <- metric_custom("m", function(grades) grades[1] + 0 * captured[1])
    length(serialize(evaluate(data$x[, 1], data, metric), NULL))
  }
  expect_identical(size(stats::runif(1e5)), size(1))
})

test_that("rows of several evaluations keep the texts of all their metrics", {
  data <- simulate_ranking(20, documents = 6, features = 5, seed = 1)$data
  at <- function(k) evaluate(data$x[, 1], data, list(m = metric_ndcg(k)))
  both <- rbind(evaluate(data$x[, 1], data, "map"), at(10))
  expect_error(rbind(both, at(5)), "different metrics of the name `m`", class = "rankmix_error_argument")
  expect_identical(attr(both, "shown"), c(average_precision = "average_precision", m = "m = ndcg@10"))
})

test_that("evaluations of several rankers, and with other columns, are refused", {
  data <- random_data(queries = 6)
  both <- evaluate(list(a = data$x[, 1], b = data$x[, 2]), data, "ndcg@10")
  one <- evaluation_of(1:6 / 6)
  expect_error(compare_rankers(x = both, y = one), "`x` is an evaluation of several", class = "rankmix_error_argument")
  expect_error(compare_rankers(a = one, b = evaluation_of(1:6 / 6, fold = rep(1:2, 3))), "only one has a fold",
               class = "rankmix_error_queries")
})
