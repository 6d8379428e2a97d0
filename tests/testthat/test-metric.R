# Lists with ties, one document, equal scores, no relevant document.
metric_case <- function(seed) {
  data <- random_data(queries = 30, seed = seed)
  set.seed(seed)
  list(data = data, scores = round(rnorm(nrow(data$x)), seed %% 2))
}

test_that("ndcg() equals its definition", {
  for (seed in 1:6) {
    case <- metric_case(seed)
    for (k in c(1, 3, 10, Inf)) {
      for (empty in c(0, 0.5, 1)) {
        slow <- naive_per_query(case$scores, case$data, function(s, g) {
          naive_ndcg(s, g, k, empty)
        })
        fast <- evaluate(case$scores, case$data, ndcg(k, empty = empty))
        expect_equal(fast$value, slow, tolerance = 1e-14)
      }
    }
  }
})

test_that("err() equals its definition", {
  for (seed in 1:6) {
    case <- metric_case(seed)
    for (k in c(1, 3, Inf)) {
      slow <- naive_per_query(case$scores, case$data, function(s, g) {
        naive_err(s, g, k, 4)
      })
      fast <- evaluate(case$scores, case$data, err(k, max_grade = 4))
      expect_equal(fast$value, slow, tolerance = 1e-14)
    }
  }
})

test_that("values worked out by hand", {
  data <- ranking_data(matrix(0, 3), c(0, 2, 1), c(1, 1, 1))
  # Ties keep the input order: grades 0, 2, 1.
  expected <- (3 / log2(3) + 1 / log2(4)) / (3 + 1 / log2(3))
  expect_equal(evaluate(c(1, 1, 1), data, ndcg())$value, expected)
  expect_equal(evaluate(c(1, 3, 2), data, ndcg())$value, 1)
  expect_equal(evaluate(c(1, 1, 1), data, err(max_grade = 2))$value,
               3 / 4 / 2 + (1 - 3 / 4) * (1 / 4) / 3)
})

test_that("empty queries count as asked, or are left out", {
  data <- ranking_data(matrix(0, 4), c(0, 0, 1, 0), c(1, 1, 2, 2))
  scores <- c(2, 1, 1, 2)
  value <- function(empty) evaluate(scores, data, ndcg(empty = empty))$value
  half <- 1 / log2(3)
  expect_equal(value(0), c(0, half))
  expect_equal(value(1), c(1, half))
  expect_equal(value("drop"), c(NaN, half))
  dropped <- summary(evaluate(scores, data, ndcg(empty = "drop")))
  expect_equal(dropped$mean, half)
  expect_identical(dropped$queries, 1L)
})

test_that("the maximal grade comes from the data unless given", {
  data <- ranking_data(matrix(0, 2), c(1, 0), c(1, 1))
  expect_equal(evaluate(c(2, 1), data, err())$value, 1 / 2)
  expect_equal(evaluate(c(2, 1), data, err(max_grade = 2))$value, 1 / 4)
  expect_error(
    evaluate(1:2, ranking_data(matrix(0, 2), c(3, 0), c(1, 1)),
             err(max_grade = 2)),
    class = "rankmix_error_argument"
  )
})

test_that("monotone transforms of scores change nothing", {
  case <- metric_case(3)
  metrics <- list(ndcg(5), err())
  expect_identical(
    evaluate(case$scores, case$data, metrics)$value,
    evaluate(exp(3 * case$scores) - 7, case$data, metrics)$value
  )
})

test_that("metrics print and compare as values", {
  expect_identical(format(ndcg(10)), "ndcg@10")
  expect_identical(format(ndcg(10, empty = 1)), "ndcg@10(empty = 1)")
  expect_identical(format(ndcg(empty = "drop")), "ndcg(empty = \"drop\")")
  expect_identical(format(err()), "err")
  expect_identical(format(err(5, max_grade = 4)), "err@5(max_grade = 4)")
  expect_identical(ndcg(10), ndcg(10))
  expect_false(identical(ndcg(10), ndcg(10, empty = 1)))
  expect_snapshot(print(ndcg(10)))
})

test_that("a cut-off beyond any list is the whole list", {
  case <- metric_case(2)
  expect_identical(evaluate(case$scores, case$data, ndcg(1e300))$value,
                   evaluate(case$scores, case$data, ndcg(Inf))$value)
  expect_identical(format(ndcg(100000)), "ndcg@100000")
})

test_that("impossible metrics are refused", {
  expect_snapshot_error(ndcg(0), class = "rankmix_error_argument")
  expect_snapshot_error(ndcg(2.5), class = "rankmix_error_argument")
  expect_snapshot_error(ndcg(10, empty = 2), class = "rankmix_error_argument")
  expect_snapshot_error(err(max_grade = 0), class = "rankmix_error_argument")
})

test_that("values equal those that other tools print", {
  golden <- file.path(dirname(Sys.getenv("RANKMIX_DATA")), "golden", "public")
  skip_if_not(nzchar(Sys.getenv("RANKMIX_DATA")) && dir.exists(golden),
              "there are no values of other tools beside RANKMIX_DATA")
  expected <- utils::read.csv(file.path(golden, "expected-full.csv"),
                              colClasses = "character", na.strings = character())
  expected <- expected[expected$query != "ALL" & expected$value != "NA", ]
  same_as <- function(tool, name, k, metric) {
    rows <- expected[expected$tool == tool & expected$metric == name &
                       expected$k == k, ]
    expect_gt(nrow(rows), 0)
    for (case in unique(rows$case)) {
      folder <- file.path(golden, "cases", case)
      data <- read_letor(file.path(folder, "labels.txt"))
      scores <- scan(file.path(folder, "scores.txt"), quiet = TRUE)
      ours <- evaluate(scores, data, metric)
      theirs <- rows[rows$case == case, ]
      expect_equal(ours$value[match(theirs$query, ours$query)],
                   as.numeric(theirs$value), tolerance = 1e-13)
    }
  }
  for (k in c(1, 3, 5, 10)) {
    same_as("yahoo", "NDCG", k, ndcg(k, empty = 1))
    same_as("ranklib", "NDCG", k, ndcg(k, empty = 0))
  }
  same_as("yahoo", "ERR", "", err(max_grade = 4))
  same_as("ranklib", "ERR", 10, err(10, max_grade = 4))
})
