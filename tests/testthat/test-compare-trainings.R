repeated <- run_benchmark(few_rankers(), repeats = 2)

test_that("the first training is the benchmark without repeats", {
  one <- run_benchmark(few_rankers())
  several <- repeated
  expect_null(one$results$training)
  first <- several$results[several$results$training == 1, names(one$results)]
  rownames(first) <- NULL
  expect_identical(first, one$results)
  expect_identical(unique(several$runs$training), 1:2)
  expect_identical(lapply(several$digests, lapply, function(own) own[, 1L]), one$digests)
  expect_identical(lapply(several$scores, lapply, function(own) own[, 1L]), one$scores)
  random <- several$results[several$results$ranker == "random", ]
  expect_false(identical(random$value[random$training == 1], random$value[random$training == 2]))
  # A directory can be used with any number of repeats.
  skip_if_quick()
  folder <- local_folder()
  run_benchmark(few_rankers(), directory = folder)
  before <- list.files(folder, "^task-")
  times <- file.mtime(file.path(folder, before))
  resumed <- run_benchmark(few_rankers(), directory = folder, repeats = 2)
  expect_identical(resumed$results, several$results)
  expect_identical(file.mtime(file.path(folder, before)), times)
  expect_length(list.files(folder, "^task-"), 12L)
})

test_that("a query counts once, with its mean over trainings", {
  benchmark <- repeated
  rows <- benchmark$results[benchmark$results$ranker == "random" & benchmark$results$metric == "err", ]
  by_query <- tapply(rows$value, paste(rows$fold, rows$query), mean)
  found <- summary(benchmark)
  found <- found[found$ranker == "random" & found$metric == "err", ]
  expect_equal(found$mean, mean(by_query))
  expect_equal(found$se, sd(by_query) / sqrt(length(by_query)))
  expect_identical(c(found$queries, found$folds), c(length(by_query), 3L))
  expect_identical(nrow(tidy(benchmark)), 3L * 2L * 2L * 2L)
  expect_true(all(is.finite(tidy(benchmark)$fit_seconds)))
  compared <- compare_rankers(benchmark, metric = "err", test = "t", seed = 1)
  values <- compared$values$err
  expect_identical(dim(values$trainings), c(nrow(values$values), 2L, 2L))
  expect_equal(apply(values$trainings, 1:2, mean), values$values, ignore_attr = TRUE)
  at <- 3L
  own <- rows[rows$fold == values$fold[at] & rows$query == values$query[at], ]
  expect_identical(unname(values$trainings[at, "random", ]), own$value)
  expect_true(compared$pairs$identical < 1)
  skip_if_not_installed("ggplot2")
  for (type in c("folds", "time")) {
    expect_s3_class(ggplot2::ggplot_build(ggplot2::autoplot(benchmark, type))$plot, "ggplot")
  }
})

test_that("rankers that do not use their seed are named", {
  benchmark <- repeated
  expect_output(print(benchmark), "3 folds, 2 trainings in each, seed 1")
  expect_output(print(benchmark), "Same rankings in all trainings: `feature`.", fixed = TRUE)
  expect_identical(rankmix:::unchanging_rankers(benchmark), "feature")
  expect_identical(rankmix:::unchanging_rankers(run_benchmark(few_rankers()["feature"])), character())
})

test_that("a training that fails leaves the fold out, and is reported", {
  skip_if_quick()
  # This ranker fails in the second training of the second fold.
  calls <- 0
  sometimes <- function(data) {
    calls <<- calls + 1
    if (calls == 4) stop("no licence")
    data$x[, 1]
  }
  expect_warning(
    benchmark <- run_benchmark(list(some = sometimes, second = function(data) data$x[, 2]), repeats = 2),
    "1 of 12 trainings failed", class = "rankmix_warning_failed"
  )
  found <- summary(benchmark)
  expect_identical(found$folds[found$ranker == "some"], c(2L, 2L))
  expect_true(anyNA(benchmark$digests$fold2$some[, 2]))
  expect_error(compare_rankers(benchmark), class = "rankmix_error_argument")
  expect_output(print(benchmark), "in 2 folds")
})

test_that("metrics that count in one training only are refused", {
  benchmark <- repeated
  row <- which(benchmark$results$training == 2)[1]
  benchmark$results$value[row] <- NaN
  expect_error(summary(benchmark), "count in one training", class = "rankmix_error_values")
})

test_that("trainings of queries that several folds test are averaged over folds", {
  skip_if_quick()
  data <- benchmark_data()
  parts <- split_parts(query_folds(data, 3, seed = 5), data, 1)
  benchmark <- benchmark_rankers(few_rankers(), list(a = parts, b = parts), "err", seed = 1, repeats = 2,
                                 verbose = FALSE)
  values <- compare_rankers(benchmark, seed = 1)$values$err
  expect_null(values$fold)
  rows <- benchmark$results[benchmark$results$ranker == "random" &
                              benchmark$results$query == values$query[1], ]
  expect_equal(unname(values$trainings[1, "random", ]), as.vector(tapply(rows$value, rows$training, mean)))
})

test_that("the number of repeats is checked", {
  for (bad in list(0, 1.5, "two", NA)) {
    expect_error(run_benchmark(few_rankers(), repeats = bad), class = "rankmix_error_argument")
  }
})

test_that("a report shows repeated trainings", {
  skip_if_quick()
  skip_if_not_installed("rmarkdown")
  skip_if_not_installed("ggplot2")
  skip_if_not(rmarkdown::pandoc_available("1.12.3"))
  benchmark <- repeated
  file <- tempfile(fileext = ".html")
  withr::defer(unlink(file))
  report(benchmark, file)
  page <- paste(readLines(file, warn = FALSE), collapse = "\n")
  expect_true(grepl(sprintf("%.4f", summary(benchmark)$mean[1L]), page, fixed = TRUE))
})
