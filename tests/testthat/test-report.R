skip_without_report <- function() {
  skip_if_not_installed("rmarkdown")
  skip_if_not_installed("ggplot2")
  skip_if_not(rmarkdown::pandoc_available("1.12.3"))
}

page_of <- function(benchmark, ...) {
  file <- tempfile(fileext = ".html")
  withr::defer(unlink(file))
  expect_identical(report(benchmark, file, ...), file)
  paste(readLines(file, warn = FALSE), collapse = "\n")
}

# Pages are too long for messages of what does not match.
test_that("a report is one page with the numbers of the comparison", {
  skip_if_quick()
  skip_without_report()
  benchmark <- fixed_benchmark()
  before <- list.files(".", all.files = TRUE)
  page <- page_of(benchmark, title = "Two & \"more\" of a_b_c *x* \\")
  expect_identical(list.files(".", all.files = TRUE), before)
  expect_true(grepl("<title>Two &amp; &quot;more&quot; of a_b_c *x* \\</title>", page, fixed = TRUE))
  expect_false(grepl("(src|href)=\"(https?:)?//", page))
  # As many figures as there are, inside the page.
  expect_length(gregexpr("src=\"data:image/png;base64,", page)[[1L]], 9L)
  expect_false(grepl("<img[^>]*src=\"[^d]", page))
  compared <- compare_rankers(benchmark, seed = benchmark$seed)
  for (mean in sprintf("%.4f", compared$rankers$mean)) {
    expect_true(grepl(mean, page, fixed = TRUE))
  }
  for (difference in sprintf("%+.4f", compared$pairs$difference[compared$pairs$metric == "ndcg@10"])) {
    expect_true(grepl(difference, page, fixed = TRUE))
  }
  expect_true(grepl("catboost", page))
  for (seconds in c("1.50", "0.02")) expect_true(grepl(seconds, page, fixed = TRUE))
})

test_that("metrics that few conventions have make a report", {
  skip_if_quick()
  skip_without_report()
  data <- c(example_part("train"), example_part("vali"))
  rankers <- list(a = function(data) data$x[, 1], b = function(data) data$x[, 2])
  for (metric in list(metric_err(10), metric_average_precision(), metric_custom("one", function(g) g[1]))) {
    benchmark <- benchmark_rankers(rankers, query_folds(data, 3, seed = 1), metric, data = data,
                                   seed = 1, verbose = FALSE)
    expect_true(grepl("highest mean", page_of(benchmark)))
  }
})

test_that("a report shows the comparison it is given", {
  skip_if_quick()
  skip_without_report()
  benchmark <- fixed_benchmark()
  compared <- compare_rankers(benchmark, test = "randomization", adjust = "BH", level = 0.1,
                              metric = "err", resamples = 500, seed = 77)
  page <- page_of(benchmark, comparison = compared)
  expect_true(grepl("sign-flip randomisation", page))
  expect_true(grepl("Benjamini-Hochberg", page))
  expect_true(grepl("of the tests\\s+77", page))
})

test_that("names are shown as they are, and failures are reported", {
  skip_if_quick()
  skip_without_report()
  data <- c(example_part("train"), example_part("vali"))
  rankers <- list(`a_b <i>*c*` = function(data) data$x[, 1], `$x$ & [y](z)` = best_feature(),
                  broken = function(data) stop("no <licence>"),
                  warns = function(data) {
                    warning("old _data_")
                    data$x[, 2]
                  })
  benchmark <- suppressWarnings(benchmark_rankers(rankers, query_folds(data, 3, seed = 1),
                                                  data = data, seed = 1, verbose = FALSE,
                                                  keep_scores = FALSE))
  page <- page_of(benchmark)
  # As a browser reads it.
  text <- gsub("\\s+", " ", gsub("&lt;", "<", gsub("&gt;", ">", gsub("&amp;", "&", page))))
  for (code in c(35, 36, 38, 42, 60, 62, 64, 91, 92, 93, 94, 95, 96, 124, 126)) {
    text <- gsub(sprintf("&#%d;", code), intToUtf8(code), text, fixed = TRUE)
  }
  for (name in c("a_b <i>*c*", "$x$ & [y](z)", "no <licence>", "old _data_")) {
    expect_true(grepl(name, text, fixed = TRUE))
  }
  # Without scores there are no conventions.
  expect_false(grepl("catboost", page))
})

test_that("two rankers make a report, and bad ones an error that leaves nothing", {
  skip_if_quick()
  skip_without_report()
  data <- c(example_part("train"), example_part("vali"))
  rankers <- list(a = function(data) data$x[, 1], b = function(data) data$x[, 2])
  two <- benchmark_rankers(rankers, query_folds(data, 3, seed = 1), data = data, seed = 1,
                           verbose = FALSE)
  expect_true(grepl("highest mean", page_of(two)))
  one <- benchmark_rankers(rankers[1], query_folds(data, 3, seed = 1), data = data, seed = 1,
                           verbose = FALSE)
  expect_snapshot(error = TRUE, {
    report(one, "report.html")
    report(two, "no-such-folder/report.html")
    report(two, 3)
    report(data, "report.html")
    report(two, "report.html", title = NULL)
    report(two, "report.html", comparison = two)
    report(two, "report.html", comparison = compare_rankers(fixed_benchmark(), seed = 1))
  })
  expect_false(file.exists("report.html"))
})

test_that("a model in place of a benchmark is answered", {
  model <- fit(best_feature(), random_data(queries = 5, features = 2))
  expect_error(report(model), "by `benchmark_rankers()`", fixed = TRUE)
  expect_error(report(), "`benchmark` is not given", fixed = TRUE)
})
