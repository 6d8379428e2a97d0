# A benchmark that takes no time, and its comparison.
quick_benchmark <- function() {
  rankers <- lapply(c(a = 1L, b = 5L, c = 9L), function(j) {
    force(j)
    function(data) data$x[, j]
  })
  data <- example_part("vali")
  benchmark_rankers(rankers, query_folds(data, 3, seed = 1), c("ndcg@10", "err"), data = data, seed = 1,
                    verbose = FALSE)
}

quick_comparison <- function(benchmark) compare_rankers(benchmark, test = "t", adjust = "none", seed = 1)

test_that("a benchmark is explored on its test queries", {
  benchmark <- quick_benchmark()
  compared <- quick_comparison(benchmark)
  json <- rankmix:::explored_benchmark(benchmark, compared, TRUE, 1)
  index <- jsonlite::fromJSON(json$index, simplifyMatrix = FALSE)
  rated <- compared$rankers[compared$rankers$metric == "ndcg@10", ]
  best <- rated[order(-rated$mean), ][1:2, ]
  expect_identical(index$rankers, best$ranker)
  expect_equal(index$means, best$mean, tolerance = 1e-6)
  values <- compared$values[[1L]]
  at <- match(paste(values$fold, values$query), index$ids)
  expect_equal(sort(index$values[[1L]]), sort(round(unname(values$values[, best$ranker[1L]]), 6)), tolerance = 1e-6)
  expect_length(index$features, 0L)
  expect_match(jsonlite::fromJSON(json[["block-0"]])$id[1:2], "^(document )?[0-9a-z]+")
})

test_that("other rankers are explored by name", {
  benchmark <- quick_benchmark()
  compared <- quick_comparison(benchmark)
  names <- rev(unique(compared$rankers$ranker))
  json <- rankmix:::explored_benchmark(benchmark, compared, names, 1)
  expect_identical(jsonlite::fromJSON(json$index)$rankers, names)
  expect_null(rankmix:::explored_benchmark(benchmark, compared, NULL, 1))
  expect_null(rankmix:::explored_benchmark(benchmark, compared, FALSE, 1))
})

test_that("a benchmark without scores and unknown rankers are refused", {
  benchmark <- quick_benchmark()
  compared <- quick_comparison(benchmark)
  explore <- function(explorer, benchmark) rankmix:::explored_benchmark(benchmark, compared, explorer, 1)
  bare <- benchmark
  bare$scores <- NULL
  expect_snapshot(error = TRUE, {
    explore(TRUE, bare)
    explore("a", benchmark)
    explore(c("a", "a"), benchmark)
    explore(c("nobody", "none"), benchmark)
    explore(3, benchmark)
  })
})

test_that("the explorer takes the place of its mark", {
  file <- tempfile(fileext = ".html")
  on.exit(unlink(file))
  writeLines(c("<body>", paste0("  ", rankmix:::explorer_mark), "</body>"), file)
  rankmix:::insert_explorer(file, list(index = "{}", why = "{}"))
  text <- readLines(file)
  expect_identical(text[c(1L, length(text))], c("<body>", "</body>"))
  expect_false(any(grepl(rankmix:::explorer_mark, text, fixed = TRUE)))
  expect_true(any(grepl("class=\"explorer embedded\"", text, fixed = TRUE)))
})

test_that("documents are numbered within queries", {
  data <- ranking_data(cbind(1:4), c(0, 1, 0, 1), c("b", "a", "b", "a"))
  expect_identical(rankmix:::numbers_in_queries(data), c(1L, 1L, 2L, 2L))
})
