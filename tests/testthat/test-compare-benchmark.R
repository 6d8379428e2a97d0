test_that("every ranker is evaluated on every fold as by hand", {
  local_known_warnings("ties")
  data <- benchmark_data()
  folds <- query_folds(data, 3, seed = 5)
  rankers <- small_rankers()
  rankers$model <- fit(gbrt(trees = 5), example_part("test"), seed = 1)
  rankers$trained <- function(train, valid) fit(gbrt(trees = 7), train, seed = 3)
  benchmark <- run_benchmark(rankers)
  expect_setequal(benchmark$results$ranker, names(rankers))
  for (fold in 1:3) {
    parts <- split_parts(folds, data, fold)
    by_hand <- list(
      first = parts$test$x[, 1],
      feature = predict(fit(best_feature(), parts$train), parts$test),
      model = predict(rankers$model, parts$test),
      trained = predict(fit(gbrt(trees = 7), parts$train, seed = 3), parts$test)
    )
    expected <- evaluate(by_hand, parts$test, c("ndcg@10", "err"))
    rows <- benchmark$results[benchmark$results$fold == paste0("fold", fold), ]
    for (ranker in names(by_hand)) {
      expect_identical(rows$value[rows$ranker == ranker],
                       expected$value[expected$ranker == ranker])
    }
  }
  expect_true(all(benchmark$runs$fit_seconds >= 0))
  whole <- summary(benchmark)
  each <- benchmark$results$value[benchmark$results$ranker == "first" &
                                    benchmark$results$metric == "err"]
  row <- whole[whole$ranker == "first" & whole$metric == "err", ]
  expect_equal(row$mean, mean(each))
  expect_equal(row$se, sd(each) / sqrt(length(each)))
  expect_identical(row$folds, 3L)
  expect_error(summary(benchmark, level = 0.05), "confidence level", class = "rankmix_error_argument")
  wider <- summary(benchmark, level = 0.99)
  expect_true(all(wider$lower < whole$lower & wider$upper > whole$upper))
  for (fold in names(benchmark$data)) {
    parts <- split_parts(folds, data, as.integer(sub("fold", "", fold)))
    sizes <- benchmark$data[[fold]]$sizes
    expect_identical(sizes$documents, vapply(parts, function(p) nrow(p$x), 0L, USE.NAMES = FALSE))
    expect_identical(sizes$features, rep(ncol(data$x), 3L))
    expect_identical(sizes[["grade 2"]][3], sum(parts$test$relevance == 2L))
    expect_identical(benchmark$data[[fold]]$test$relevance, parts$test$relevance)
  }
  expect_identical(nrow(tidy(benchmark)), length(rankers) * 3L * 2L)
})

test_that("a ranker that fails is a row, and the others continue", {
  skip_if_quick()
  rankers <- c(small_rankers()["first"], list(
    broken = function(train, valid) stop("no licence"),
    short = function(data) 1:3,
    holes = function(data) replace(data$x[, 1], 2, NaN),
    warns = function(data) {
      warning("old data")
      data$x[, 2]
    }
  ))
  expect_warning(benchmark <- run_benchmark(rankers), class = "rankmix_warning_failed")
  runs <- benchmark$runs[benchmark$runs$fold == "fold2", ]
  expect_identical(runs$status, c("done", rep("failed", 3), "done"))
  expect_identical(runs$error[2], "no licence")
  expect_match(runs$error[3], "one number per row")
  expect_match(runs$error[4], "row 2 is missing")
  expect_identical(runs$warnings[5], "old data")
  expect_setequal(benchmark$results$ranker, c("first", "warns"))
  expect_setequal(compare_rankers(benchmark, seed = 1)$rankers$ranker, c("first", "warns"))
  expect_warning(none <- run_benchmark(rankers["broken"]), class = "rankmix_warning_failed")
  expect_identical(nrow(none$results), 0L)
  expect_identical(nrow(summary(none)), 0L)
  expect_identical(nrow(tidy(none)), 0L)
  skip_if_not_installed("ggplot2")
  expect_error(ggplot2::autoplot(none), class = "rankmix_error_argument")
  expect_error(compare_rankers(none), class = "rankmix_error_argument")
  expect_output(print(none), "3 failed")
  # A ranker that fails in some folds has no mean.
  some <- function(data) if (nrow(data$x) %% 2 == 0) stop("odd") else data$x[, 1]
  sizes <- vapply(1:3, function(i) {
    nrow(split_parts(query_folds(benchmark_data(), 3, seed = 5), benchmark_data(), i)$test$x)
  }, 0L)
  expect_true(any(sizes %% 2 == 0) && any(sizes %% 2 == 1))
  partly <- suppressWarnings(run_benchmark(c(small_rankers()[3:4], some = some)))
  expect_output(print(partly), "in [12] folds")
  expect_false("some" %in% compare_rankers(partly, seed = 1)$rankers$ranker)
  expect_false("some" %in% colnames(compare_over_datasets(list(a = partly, b = partly), how = "ranks")$means))
})

test_that("a comparison names the rankers that failed", {
  data <- benchmark_data()
  folds <- query_folds(data, 3, seed = 5)
  first <- split_parts(folds, data, 1)$train$query_ids
  best <- function(train, valid) if (identical(train$query_ids, first)) stop("no licence") else function(data) data$x[, 3]
  run <- function(...) {
    suppressWarnings(benchmark_rankers(list(..., best = best), folds, data = data, seed = 1, verbose = FALSE))
  }
  three <- run(a = function(data) data$x[, 1], c = function(data) data$x[, 2])
  compared <- compare_rankers(three, seed = 1, resamples = 200)
  words <- "Failed and not compared: best (in 1 of 3 folds)"
  expect_identical(compared$failed$ranker, "best")
  expect_output(print(compared), words, fixed = TRUE)
  expect_match(methods_sentence(compared), paste0(" ", words, "."), fixed = TRUE)
  expect_match(attr(paper_table(compared, "data.frame"), "note"), words, fixed = TRUE)
  expect_warning(risk(three, "a"), "1 ranker of `x` failed and is left out", class = "rankmix_warning_failed")
  # The ranker is not the best of the benchmark, because its mean is over fewer queries.
  expect_true(glance(three)$best %in% c("a", "c"))
  expect_error(compare_rankers(run(a = function(data) data$x[, 1]), seed = 1),
               "`best` failed in 1 of 3 folds: no licence", class = "rankmix_error_argument")
  whole <- compare_rankers(suppressWarnings(run_benchmark(few_rankers())), seed = 1, resamples = 200)
  expect_false(any(grepl("Failed", capture.output(print(whole)))))
  skip_if_not_installed("ggplot2")
  for (type in c("differences", "p_values", "ranks")) {
    expect_match(ggplot2::autoplot(compared, type)$labels$caption, words, fixed = TRUE)
  }
})

test_that("a run that was killed ends with the same table", {
  skip_if_quick()
  skip_on_os("windows")
  skip_if_not_installed("callr")
  folder <- local_folder()
  job <- function(folder) {
    library(rankmix)
    part <- function(name) {
      read_letor(system.file("extdata", paste0(name, ".txt.gz"), package = "rankmix"))
    }
    data <- c(part("train"), part("vali"))
    rankers <- list(boosted = adaboost_mh(base_tree(4), rounds = 20, feature_fraction = 0.5),
                    trees = gbrt(trees = 20, bagging_fraction = 0.5), feature = best_feature(),
                    first = function(data) data$x[, 1])
    benchmark_rankers(rankers, query_folds(data, 3, seed = 5), c("ndcg@10", "err"), data = data,
                      seed = 1, verbose = FALSE, directory = folder, threads = 1)
  }
  process <- stopped_process(job, list(folder), folder, 5L)
  process$kill()
  process$wait()
  kept <- list.files(folder, "^task-")
  expect_length(kept, 5L)
  times <- file.mtime(file.path(folder, kept))
  again <- callr::r(job, list(folder))
  expect_identical(file.mtime(file.path(folder, kept)), times)
  expect_identical(table_of(again), table_of(run_benchmark()))
})

test_that("a directory keeps finished tasks, and failed tasks are tried again", {
  skip_if_quick()
  folder <- local_folder()
  rankers <- small_rankers()[c("feature", "first")]
  broken <- c(rankers["feature"], list(first = function(data) stop("not today")))
  suppressWarnings(run_benchmark(broken, directory = folder))
  before <- file.mtime(list.files(folder, "^task-", full.names = TRUE))
  mended <- run_benchmark(rankers, directory = folder)
  expect_true(all(mended$runs$status == "done"))
  expect_identical(table_of(mended), table_of(run_benchmark(rankers)))
  # A ranker that failed is trained again, and its error is not read from the directory.
  tries <- tempfile()
  failing <- eval(bquote(list(bad = function(data) {
    cat("x", file = .(tries), append = TRUE)
    stop("still not")
  })))
  for (i in 1:2) suppressWarnings(run_benchmark(failing, directory = folder))
  expect_identical(readLines(tries, warn = FALSE), "xxxxxx")
  # Other folds and another seed are refused.
  data <- benchmark_data()
  expect_error(benchmark_rankers(rankers, query_folds(data, 4, seed = 5), data = data, seed = 1,
                                 directory = folder), class = "rankmix_error_run")
  expect_error(run_benchmark(rankers, directory = folder, seed = 2), class = "rankmix_error_run")
  expect_identical(table_of(run_benchmark(rankers, directory = folder, seed = NULL)),
                   table_of(mended))
})

test_that("a benchmark compares fold by fold, and reports rankers with equal rankings", {
  skip_if_quick()
  rankers <- small_rankers()
  rankers$same <- function(data) exp(data$x[, 1])
  benchmark <- run_benchmark(rankers)
  compared <- compare_rankers(benchmark, seed = 1)
  expect_identical(unique(compared$pairs$metric), c("ndcg@10", "err"))
  expect_identical(unique(compared$pairs$folds), 3L)
  pair <- compared$pairs[compared$pairs$a == "first" & compared$pairs$b == "same", ]
  expect_identical(pair$identical, c(1, 1))
  expect_identical(pair$p_t, c(1, 1))
  other <- compared$pairs[compared$pairs$a == "trees" & compared$pairs$b == "first", ]
  expect_lt(other$identical[1], 0.5)
  err <- compare_rankers(benchmark, metric = metric_err(), seed = 1)
  expect_identical(unique(err$pairs$metric), "err")
})

test_that("scores are kept, or not", {
  expect_null(run_benchmark(small_rankers()["first"], keep_scores = FALSE)$scores)
  kept <- run_benchmark(small_rankers()["first"])
  pooled <- rankmix:::report_scores(kept, "first")
  expect_equal(summary(evaluate(pooled$scores$first, pooled$data, "err"))$mean,
               summary(kept)$mean[2])
})

test_that("a benchmark prints in ten lines", {
  benchmark <- suppressWarnings(run_benchmark(c(small_rankers(),
                                                list(broken = function(data) stop("no")))))
  shown <- capture.output(print(benchmark))
  expect_lte(length(shown), 10L)
  # Times are not part of the snapshot.
  expect_snapshot(cat(gsub(" +[0-9.-]+$", "", shown), sep = "\n"))
})

test_that("arguments that cannot be benchmarked are reported", {
  data <- benchmark_data()
  folds <- query_folds(data, 3, seed = 5)
  ok <- small_rankers()["first"]
  parts <- list(train = data, test = data)
  expect_snapshot(error = TRUE, {
    benchmark_rankers("best_feature", folds, data = data)
    benchmark_rankers(list(best_feature()), folds, data = data)
    benchmark_rankers(list(a = best_feature(), a = best_feature()), folds, data = data)
    benchmark_rankers(list(a = 1:3), folds, data = data)
    benchmark_rankers(ok, folds)
    benchmark_rankers(ok, data)
    benchmark_rankers(ok, list(list(train = data)))
    benchmark_rankers(ok, list(list(train = data, vali = data, test = data)))
    benchmark_rankers(ok, folds, data = data, tune = list(first = list(x = 1)))
    benchmark_rankers(list(a = gbrt()), folds, data = data, tune = list(a = list(size = 1)))
    benchmark_rankers(list(a = gbrt()), folds, data = data, tune = list(a = list(learning_rate = -1)))
    benchmark_rankers(list(a = gbrt()), folds, data = data, tune = list(list(learning_rate = 1)))
  })
  expect_warning(benchmark_rankers(ok, parts, verbose = FALSE),
                 class = "rankmix_warning_overlap")
  no_valid <- list(train = example_part("train"), test = example_part("test"))
  expect_warning(failed <- benchmark_rankers(list(a = gbrt(5)), no_valid, verbose = FALSE,
                                             tune = list(a = list(learning_rate = c(0.1, 0.2)))),
                 class = "rankmix_warning_failed")
  expect_match(failed$runs$error, "no validation part")
})

test_that("a single specification becomes a list of length one", {
  data <- random_data(queries = 12, seed = 1)
  folds <- query_folds(data, 3, seed = 1)
  single <- benchmark_rankers(best_feature(), folds, metric_ndcg(5), data = data, seed = 1)
  listed <- benchmark_rankers(stats::setNames(list(best_feature()), format(best_feature())),
                              folds, metric_ndcg(5), data = data, seed = 1)
  expect_identical(summary(single)$mean, summary(listed)$mean)
  expect_identical(summary(single)$ranker, format(best_feature()))
})

