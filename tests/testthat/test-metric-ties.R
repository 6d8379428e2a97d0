# Queries whose ties have up to `width` documents, so that every order can be enumerated.
tied_case <- function(seed, width, classes = 4) {
  set.seed(seed)
  sizes <- sample(seq_len(width), 12, replace = TRUE)
  query <- rep(seq_along(sizes), sizes)
  scores <- rep(0, length(query))
  # A few untied documents above and below the tie.
  extra <- rep(seq_along(sizes), 2)
  query <- c(query, extra)
  scores <- c(scores, rnorm(length(extra)))
  grades <- sample(0:(classes - 1), length(query), TRUE, prob = classes:1)
  list(scores = scores, data = ranking_data(matrix(0, length(query)), grades, query))
}

all_metrics <- list(
  list(metric_dcg), list(metric_dcg, k = 3, gain = "linear"), list(metric_ndcg), list(metric_ndcg, k = 2),
  list(metric_ndcg, k = 4, discount = "letor"), list(metric_mean_ndcg), list(metric_mean_ndcg, k = 3),
  list(metric_err, max_grade = 4), list(metric_err, k = 1, max_grade = 3),
  list(metric_err, k = 4, max_grade = 3), list(metric_average_precision),
  list(metric_average_precision, k = 2), list(metric_average_precision, k = 3, relevant = 2),
  list(metric_average_precision, k = 2, denominator = "cutoff"),
  list(metric_precision), list(metric_precision, k = 3), list(metric_recall, k = 2, relevant = 2),
  list(metric_f_measure), list(metric_f_measure, k = 3), list(metric_f_measure, k = 2, relevant = 2, beta = 2),
  list(metric_success), list(metric_success, k = 1), list(metric_success, k = 3, relevant = 2),
  list(metric_judged), list(metric_judged, k = 3),
  list(metric_reciprocal_rank), list(metric_reciprocal_rank, k = 2, relevant = 2),
  list(metric_r_precision), list(metric_bpref), list(metric_bpref, relevant = 2), list(metric_rbp),
  list(metric_rbp, k = 3, persistence = 0.5)
)

expect_all_references <- function(case, ties) {
  for (entry in all_metrics) {
    metric <- do.call(entry[[1]], c(entry[-1], ties = ties))
    slow <- naive_per_query(case$scores, case$data, function(s, g) {
      do.call(naive_value, c(list(metric$name, s, g, ties = ties), entry[-1]))
    })
    expect_equal(evaluate(case$scores, case$data, metric)$value, slow,
                 tolerance = 1e-12, label = format(metric))
  }
}

test_that("averaged ties are the mean over all orders", {
  for (seed in draws(4)) {
    expect_all_references(tied_case(seed, 5), "average")
  }
})

test_that("averaged ties of seven documents are the mean over their 5040 orders", {
  skip_if_quick()
  set.seed(5)
  data <- ranking_data(matrix(0, 9), c(0, 3, 0, 1, 2, 0, 1, 2, 1), rep(1, 9))
  expect_all_references(list(scores = c(rep(1, 7), 2, 0), data = data), "average")
})

test_that("averaged ties count documents that were not judged or not retrieved", {
  set.seed(6)
  grades <- c(1, -1, 0, 2, -1, 1)
  scores <- c(1, 1, 1, 1, 2, 0)
  missed <- c(3, 0)
  run <- as_run(data.frame(query = 1, document = 1:6, score = scores))
  judged <- grades >= 0
  qrels <- as_qrels(data.frame(query = 1, document = c((1:6)[judged], 7:8),
                               relevance = c(grades[judged], missed)))
  for (entry in all_metrics) {
    metric <- do.call(entry[[1]], c(entry[-1], ties = "average"))
    slow <- naive_average(
      lapply(naive_orders(scores), function(o) grades[o]),
      function(ranked) {
        do.call(naive_metrics[[metric$name]],
                c(list(ranked, c(grades[judged], missed)), entry[-1]))
      }
    )
    expect_equal(evaluate(run, qrels, metric)$value, slow, tolerance = 1e-12,
                 label = format(metric))
  }
})

test_that("the expectation of ERR is exact and quick for long ties", {
  # One of the documents is relevant, at a random rank. The value is R times the mean of 1 / rank.
  long <- function(n, grades, max_grade) {
    data <- ranking_data(matrix(0, n), grades, rep(1, n))
    evaluate(numeric(n), data, metric_err(max_grade = max_grade, ties = "average"))$value
  }
  n <- 1e4
  expect_equal(long(n, c(1, rep(0, n - 1)), 30),
               2^-30 * mean(1 / seq_len(n)), tolerance = 1e-12)
  # All documents have the same grade, so all orders have the same value.
  r <- 2^-30
  expect_equal(long(n, rep(1, n), 30), sum(r / seq_len(n) * (1 - r)^(seq_len(n) - 1)),
               tolerance = 1e-12)
  # A tenth of 100,000 documents is relevant. Ranks that the user almost never reaches must not take time.
  took <- system.time(long(1e5, rep(c(2, rep(0, 9)), 1e4), 4))
  expect_lt(took[["user.self"]] + took[["sys.self"]], 5)
})

test_that("ties go the best and the worst way", {
  for (seed in draws(3)) {
    case <- tied_case(seed, 8)
    expect_all_references(case, "best")
    expect_all_references(case, "worst")
  }
})

test_that("without ties all rules are the same", {
  data <- random_data(queries = 40, classes = 4, seed = 2)
  set.seed(2)
  scores <- rnorm(nrow(data$x))
  for (entry in all_metrics) {
    value <- function(ties) {
      evaluate(scores, data, do.call(entry[[1]], c(entry[-1], ties = ties)))$value
    }
    for (ties in c("average", "best", "worst", "document")) {
      expect_equal(value(ties), value("order"), tolerance = 1e-12)
    }
  }
})

test_that("documents break ties byte by byte, the highest first", {
  ids <- c("a", "Z", "b", "9", "10", "\u00e9")
  data <- ranking_data(matrix(0, 6), c(0, 0, 1, 0, 0, 0), rep(1, 6), document = ids)
  # Ids in decreasing order of bytes: e acute, b, a, Z, 9, 10.
  expect_equal(evaluate(rep(0, 6), data, metric_reciprocal_rank(ties = "document"))$value,
               1 / 2)
  for (seed in draws(3)) {
    set.seed(seed)
    case <- tied_case(seed, 8)
    names <- sprintf("d%s", sample(length(case$scores)))
    case$data <- ranking_data(case$data$x, case$data$relevance, case$data$query,
                              document = names)
    slow <- vapply(seq_along(case$data$query_ids), function(q) {
      rows <- which(case$data$query == q)
      naive_value("ndcg", case$scores[rows], case$data$relevance[rows],
                  ties = "document", document = names[rows])
    }, numeric(1))
    fast <- evaluate(case$scores, case$data, metric_ndcg(ties = "document"))$value
    expect_equal(fast, slow, tolerance = 1e-13)
  }
})

test_that("documents that cannot break ties are refused", {
  plain <- ranking_data(matrix(0, 3), c(0, 1, 0), c(1, 1, 2))
  expect_snapshot_error(evaluate(c(1, 1, 2), plain, metric_ndcg(ties = "document")),
                        class = "rankmix_error_document")
  # Without ties, document ids are not needed.
  expect_equal(evaluate(c(1, 2, 2), plain, metric_ndcg(ties = "document"))$value, c(1, 0))
  # Rounded scores may tie even if the scores differ.
  expect_error(evaluate(c(1, 1 + 1e-12, 2), plain,
                        metric_ndcg(ties = "document", single_precision = "scores")),
               class = "rankmix_error_document")
  twice <- ranking_data(matrix(0, 3), c(0, 1, 0), c(1, 1, 2), document = c(7, 7, 7))
  expect_snapshot_error(evaluate(c(1, 1, 2), twice, metric_ndcg(ties = "document")),
                        class = "rankmix_error_document")
})

test_that("ties retrieved together have the precision at their end", {
  data <- ranking_data(matrix(0, 5), c(1, 0, 0, 1, 1), rep(1, 5))
  value <- evaluate(c(3, 2, 2, 2, 1), data, metric_average_precision(ties = "together"))
  expect_equal(value$value, (1 + 2 / 4 + 3 / 5) / 3)
})

test_that("metrics that share a sorted list do not disturb each other", {
  local_known_warnings("ties")
  case <- tied_case(3, 8)
  metrics <- list(metric_ndcg(2), metric_ndcg(2, ties = "average"), metric_average_precision(),
                  metric_average_precision(ties = "together"), metric_ndcg(ties = "worst"),
                  metric_err(3, max_grade = 4, ties = "average"), metric_precision(1))
  together <- evaluate(case$scores, case$data, metrics)
  alone <- lapply(metrics, evaluate, x = case$scores, data = case$data)
  expect_identical(together$value, unlist(lapply(alone, `[[`, "value")))
})

falling_grades <- function() {
  ranking_data(cbind(a = c(9, 7, 1, 5, 3, 2)), c(2, 1, 0, 1, 0, 0), rep(1:2, each = 3))
}

test_that("evaluate() warns once where the order of the rows decides", {
  data <- falling_grades()
  scores <- list(nothing = numeric(6), a = data$x[, "a"], halves = round(data$x[, "a"] / 10))
  caught <- list()
  table <- withCallingHandlers(
    evaluate(scores, data, c("ndcg@10", "err")),
    rankmix_warning_ties = function(w) {
      caught <<- c(caught, list(w))
      rlang::cnd_muffle(w)
    }
  )
  expect_length(caught, 1L)
  text <- conditionMessage(caught[[1L]])
  # The best order is the ideal ranking. The worst order has the grades 0, 1, 2 and 0, 0, 1.
  lowest <- mean(c((1 / log2(3) + 3 / 2) / (3 + 1 / log2(3)), 1 / 2))
  expect_match(text, sprintf("`nothing`, ndcg@10: from %.4f to 1.0000", lowest), fixed = TRUE)
  expect_match(text, "`nothing`, err", fixed = TRUE)
  expect_no_match(text, "`a`,", fixed = TRUE)
  mean <- summary(table)$mean[summary(table)$ranker == "nothing"]
  expect_equal(mean[1L], 1)
})

test_that("evaluate() does not warn where ties are settled or harmless", {
  data <- falling_grades()
  for (metric in list(metric_ndcg(ties = "average"), metric_ndcg(ties = "order"), metric_ndcg(ties = "worst"),
                      metric_ndcg(convention = "catboost"), metric_ndcg(convention = "sklearn"))) {
    expect_no_warning(evaluate(numeric(6), data, metric))
  }
  # The tied documents of the first query have the same grade.
  expect_no_warning(evaluate(c(3, 1, 1), ranking_data(cbind(a = 1:3), c(1, 0, 0), c(1, 1, 1)),
                             metric_ndcg()))
})

test_that("comparisons and runs warn once", {
  skip_if_quick()
  data <- falling_grades()
  count <- 0
  counting <- function(expr) {
    withCallingHandlers(expr, rankmix_warning_ties = function(w) {
      count <<- count + 1
      rlang::cnd_muffle(w)
    })
  }
  counting(compare_rankers(one = numeric(6), two = rep(1, 6), data = data, metric = metric_ndcg()))
  expect_identical(count, 1)
  qrels <- as_qrels(data.frame(query = 1, document = c("a", "b"), relevance = c(1, 0)))
  run <- as_run(data.frame(query = 1, document = c("a", "b"), score = 0))
  counting(evaluate(list(one = run, two = run), qrels, "ndcg@10"))
  expect_identical(count, 2)
  counting(evaluate(run, qrels, "ndcg@10", convention = "trec_eval"))
  expect_identical(count, 2)
})

test_that("the warning of ties reads well", {
  expect_snapshot(table <- evaluate(numeric(6), falling_grades(), list(metric_ndcg(10), metric_err())))
})
