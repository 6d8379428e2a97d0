small_data <- function() c(example_part("train"), example_part("vali"))

small_rankers <- function() {
  list(boosted = adaboost_mh(tree(4), rounds = 20, feature_share = 0.5),
       trees = gbrt(trees = 20, document_share = 0.5), feature = best_feature(),
       first = function(data) data$x[, 1])
}

run_benchmark <- function(rankers = small_rankers(), ..., metrics = c("ndcg@10", "err"),
                          seed = 1, verbose = FALSE) {
  data <- small_data()
  benchmark_rankers(rankers, query_folds(data, 3, seed = 5), metrics, data = data, seed = seed,
                    verbose = verbose, ...)
}

# What does not depend on the clock.
table_of <- function(benchmark) {
  list(benchmark$results, benchmark$digests, benchmark$scores,
       benchmark$runs[c("fold", "ranker", "status", "error", "tuned", "validation")])
}

test_that("every ranker is evaluated on every fold as by hand", {
  data <- small_data()
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

test_that("a grid is tuned on the validation part", {
  data <- small_data()
  folds <- query_folds(data, 3, seed = 5)
  parts <- split_parts(folds, data, 1)
  grid <- list(base = list(stump(), tree(16)), rounds = c(3, 25))
  benchmark <- run_benchmark(list(boosted = adaboost_mh(), trees = gbrt(trees = 10)),
                             tune = list(boosted = grid, trees = list(depth = c(2, 8))))
  values <- expand.grid(base = 1:2, rounds = c(3, 25))
  held_out <- apply(values, 1, function(v) {
    model <- fit(adaboost_mh(grid$base[[v[["base"]]]], rounds = v[["rounds"]]), parts$train,
                 validation = parts$valid)
    summary(evaluate(model, parts$valid, "ndcg@10"))$mean
  })
  run <- benchmark$runs[benchmark$runs$fold == "fold1" & benchmark$runs$ranker == "boosted", ]
  expect_equal(run$validation, max(held_out))
  best <- values[which.max(held_out), ]
  expect_identical(run$tuned, sprintf("base = %s, rounds = %s",
                                      format(grid$base[[best$base]]), best$rounds))
  expect_match(benchmark$runs$tuned[benchmark$runs$ranker == "trees"], "^depth = [28]$")
  # The leaves follow from the depth, where they were not given.
  expect_identical(rankmix:::with_settings(gbrt(), list(depth = 3))$leaves, 8)
  expect_identical(rankmix:::with_settings(gbrt(depth = 5), list(depth = 3))$leaves, 8)
  expect_identical(rankmix:::with_settings(gbrt(leaves = 5), list(depth = 4)),
                   gbrt(leaves = 5, depth = 4))
  expect_identical(rankmix:::with_settings(gbrt(leaves = 5), list(step = 0.2)),
                   gbrt(leaves = 5, step = 0.2))
})

test_that("of a path of classifiers the validation part chooses one", {
  data <- simulate_ranking(60, seed = 1)$data
  folds <- query_folds(data, 3, seed = 1)
  benchmark <- benchmark_rankers(list(svm = mcsvm(10^(-5:0))), folds, data = data,
                                 verbose = FALSE)
  for (fold in 1:3) {
    parts <- split_parts(folds, data, fold)
    path <- fit(mcsvm(10^(-5:0)), parts$train, validation = parts$valid)
    best <- path$path[[which.max(vapply(path$path, `[[`, 0, "value"))]]
    expect_identical(benchmark$runs$tuned[fold], format(best$spec))
    expect_identical(benchmark$results$value[benchmark$results$fold == paste0("fold", fold)],
                     evaluate(best, parts$test, ndcg(10))$value)
  }
})

test_that("patience stops fits early", {
  run <- function(patience) {
    run_benchmark(list(trees = gbrt(trees = 3000, leaves = 8)), patience = patience,
                  metrics = "ndcg@10")
  }
  expect_lt(sum(run(10)$runs$fit_seconds), sum(run(NULL)$runs$fit_seconds) / 3)
})

test_that("a ranker that fails is a row, and the others go on", {
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
  expect_match(runs$error[3], "one number a row")
  expect_match(runs$error[4], "row 2 is missing")
  expect_identical(runs$warnings[5], "old data")
  expect_setequal(benchmark$results$ranker, c("first", "warns"))
  expect_setequal(compare_rankers(benchmark, seed = 1)$rankers$ranker, c("first", "warns"))
  expect_warning(none <- run_benchmark(rankers["broken"]), class = "rankmix_warning_failed")
  expect_identical(nrow(none$results), 0L)
  expect_identical(nrow(summary(none)), 0L)
  expect_identical(nrow(tidy(none)), 0L)
  expect_error(ggplot2::autoplot(none), class = "rankmix_error_argument")
  expect_error(compare_rankers(none), class = "rankmix_error_argument")
  expect_output(print(none), "3 failed")
  # One that fails in some folds only has no mean beside the others'.
  some <- function(data) if (nrow(data$x) %% 2 == 0) stop("odd") else data$x[, 1]
  sizes <- vapply(1:3, function(i) {
    nrow(split_parts(query_folds(small_data(), 3, seed = 5), small_data(), i)$test$x)
  }, 0L)
  expect_true(any(sizes %% 2 == 0) && any(sizes %% 2 == 1))
  partly <- suppressWarnings(run_benchmark(c(small_rankers()[3:4], some = some)))
  expect_output(print(partly), "in [12] folds")
  expect_false("some" %in% compare_rankers(partly, seed = 1)$rankers$ranker)
  expect_false("some" %in% colnames(compare_over_datasets(list(a = partly, b = partly))$means))
})

test_that("a ranker does not depend on the others, on threads or on workers", {
  all <- run_benchmark()
  alone <- run_benchmark(small_rankers()[2])
  own <- all$results[all$results$ranker == "trees", ]
  rownames(own) <- NULL
  expect_identical(own, alone$results)
  expect_identical(table_of(run_benchmark(threads = 1)), table_of(all))
  expect_false(identical(run_benchmark(seed = 2)$results, all$results))
  expect_identical(run_benchmark(seed = 1L)$results, all$results)
  skip_if_not_installed("future")
  old <- future::plan("multisession", workers = 2)
  withr::defer(future::plan(old))
  column <- 1L
  double <- function(x) 2 * x
  rankers <- small_rankers()
  # A function may use what is around it.
  rankers$first <- function(data) double(data$x[, column]) / 2
  expect_identical(table_of(run_benchmark(rankers)), table_of(all))
  # So may a metric, a helper of the same name as one of ours, and a model of another class.
  assign("f", function(x) x, globalenv())
  assign("predict.of_nobody", function(object, data) f(data$x[, object$column]), globalenv())
  withr::defer(rm(f, predict.of_nobody, envir = globalenv()))
  helped <- custom_metric("first", function(grades) f(as.numeric(grades[1])))
  environment(helped$value) <- globalenv()
  reads <- function(data) f(data$x[, 1])
  environment(reads) <- globalenv()
  model <- structure(list(column = 1), class = "of_nobody")
  on_workers <- run_benchmark(list(reads = reads, model = model), metrics = list(helped))
  expect_true(all(on_workers$runs$status == "done"))
  future::plan("sequential")
  expect_identical(table_of(run_benchmark(list(reads = reads, model = model),
                                          metrics = list(helped))), table_of(on_workers))
})

test_that("the bar goes on with each task, to the end", {
  work <- list(label = "Work", data = function(part) 1, prepare = function(data, threads) data,
               perform = function(task, shop, threads, progress) task,
               steps = function(task) 2)
  tasks <- lapply(1:3, function(i) list(key = i, part = "all"))
  run <- list(load = function(task) NULL, save = function(task, result) NULL)
  rlang::local_interactive()
  seen <- new.env()
  note <- function(set) seen$steps <- c(seen$steps, set)
  suppressMessages(trace("cli_progress_update", bquote(.(note)(set)), print = FALSE,
                         where = asNamespace("cli")))
  withr::defer(suppressMessages(untrace("cli_progress_update", where = asNamespace("cli"))))
  done <- rankmix:::run_tasks(tasks, work, run, rankmix:::new_budget(Inf, Inf), 1, TRUE)
  expect_identical(seen$steps, c(2, 4, 6))
  expect_identical(done[1:3], tasks)
})

test_that("functions and environments are known by what they are", {
  identity <- rankmix:::identity_of
  make <- function(code) eval(parse(text = code, keep.source = TRUE))
  a <- make("function(x) x + 1")
  b <- make("function(x)   x + 1")
  expect_identical(identity(list(custom_metric("m", a))), identity(list(custom_metric("m", b))))
  expect_false(identical(identity(a), identity(make("function(x) x + 2"))))
  for (i in 1:5) a(1)
  expect_identical(rlang::hash(identity(a)), rlang::hash(identity(b)))
  model <- function(value) {
    structure(list2env(list(value = value, own = function() 1)), class = "environment_model")
  }
  expect_identical(identity(model(1)), identity(model(1)))
  expect_false(identical(identity(model(1)), identity(model(2))))
  expect_identical(identity(gbrt()), identity(gbrt()))
  expect_false(identical(identity(gbrt()), identity(gbrt(step = 0.2))))
})

test_that("metrics are on the scale of the highest grade of all folds", {
  data <- ranking_data(cbind(c(1:4, 4:1, 1:4)), c(0, 1, 2, 4, 0, 1, 2, 2, 0, 0, 1, 2),
                       rep(1:3, each = 4))
  folds <- list(a = list(train = data["3"], test = data["1"]),
                b = list(train = data["3"], test = data["2"]))
  result <- benchmark_rankers(list(x = function(data) data$x[, 1]), folds, "err",
                              verbose = FALSE)
  both <- data[c("1", "2")]
  expect_identical(result$results$value, evaluate(both$x[, 1], both, err(max_grade = 4))$value)
  expect_identical(unique(result$results$metric), "err")
})

test_that("queries of different folds may have the same ids", {
  data <- small_data()
  parts <- split_parts(query_folds(data, 3, seed = 5), data, 1)
  renamed <- function(data) {
    ranking_data(data$x, data$relevance, paste0("q", data$query))
  }
  two <- list(a = list(train = parts$train, test = renamed(parts$test)),
              b = list(train = parts$train, test = renamed(parts$valid)))
  expect_false(any(two$a$test$query_ids %in% parts$train$query_ids))
  benchmark <- benchmark_rankers(list(
    first = function(data) data$x[, 1],
    # Ranks as the first in one of the folds only.
    half = function(data) data$x[, if (nrow(data$x) == nrow(two$b$test$x)) 1 else 2]
  ), two, verbose = FALSE)
  pair <- tidy(compare_rankers(benchmark, seed = 1))
  queries <- c(length(two$a$test$query_ids), length(two$b$test$query_ids))
  expect_gte(pair$identical, queries[2] / sum(queries))
  expect_lt(pair$identical, 1)
  whole <- summary(benchmark)
  expect_identical(whole$queries, rep(sum(queries), 2))
})

test_that("a run that was killed ends with the same table", {
  skip_on_os("windows")
  skip_if_not_installed("callr")
  folder <- local_folder()
  job <- function(folder, slow, lines) {
    library(rankmix)
    part <- function(name) {
      read_letor(system.file("extdata", paste0(name, ".txt.gz"), package = "rankmix"))
    }
    data <- c(part("train"), part("vali"))
    rankers <- list(boosted = adaboost_mh(tree(4), rounds = 20, feature_share = 0.5),
                    trees = gbrt(trees = 20, document_share = 0.5), feature = best_feature(),
                    first = function(data) data$x[, 1])
    if (slow) {
      # Time to be killed in: the results come one by one.
      trace(rankmix:::measure_ranker, quote(Sys.sleep(0.3)), where = asNamespace("rankmix"),
            print = FALSE)
    }
    benchmark_rankers(rankers, query_folds(data, 3, seed = 5), c("ndcg@10", "err"), data = data,
                      seed = 1, verbose = FALSE, directory = folder, threads = 1)
  }
  process <- callr::r_bg(job, list(folder, TRUE))
  withr::defer(process$kill())
  until <- Sys.time() + 60
  files <- function() list.files(folder, "^task-")
  while (length(files()) < 5L && process$is_alive() && Sys.time() < until) Sys.sleep(0.02)
  process$kill()
  process$wait()
  kept <- files()
  expect_gte(length(kept), 5L)
  expect_lt(length(kept), 12L)
  times <- file.mtime(file.path(folder, kept))
  again <- callr::r(job, list(folder, FALSE))
  expect_identical(file.mtime(file.path(folder, kept)), times)
  expect_identical(table_of(again), table_of(run_benchmark()))
})

test_that("a directory keeps what is done, and tries again what failed", {
  folder <- local_folder()
  rankers <- small_rankers()[c("feature", "first")]
  broken <- c(rankers["feature"], list(first = function(data) stop("not today")))
  suppressWarnings(run_benchmark(broken, directory = folder))
  before <- file.mtime(list.files(folder, "^task-", full.names = TRUE))
  mended <- run_benchmark(rankers, directory = folder)
  expect_true(all(mended$runs$status == "done"))
  expect_identical(table_of(mended), table_of(run_benchmark(rankers)))
  # The same failing ranker is tried again, not read.
  tries <- tempfile()
  failing <- eval(bquote(list(bad = function(data) {
    cat("x", file = .(tries), append = TRUE)
    stop("still not")
  })))
  for (i in 1:2) suppressWarnings(run_benchmark(failing, directory = folder))
  expect_identical(readLines(tries, warn = FALSE), "xxxxxx")
  # Other folds, another seed.
  data <- small_data()
  expect_error(benchmark_rankers(rankers, query_folds(data, 4, seed = 5), data = data, seed = 1,
                                 directory = folder), class = "rankmix_error_run")
  expect_error(run_benchmark(rankers, directory = folder, seed = 2), class = "rankmix_error_run")
  expect_identical(table_of(run_benchmark(rankers, directory = folder, seed = NULL)),
                   table_of(mended))
})

test_that("a benchmark compares fold by fold, and knows who ranks alike", {
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
  err <- compare_rankers(benchmark, metric = err(), seed = 1)
  expect_identical(unique(err$pairs$metric), "err")
})

test_that("progress is signalled to progressr", {
  skip_if_not_installed("progressr")
  withr::local_options(progressr.enable = TRUE)
  steps <- 0
  withCallingHandlers(run_benchmark(small_rankers()["first"]), progression = function(p) {
    if (inherits(p, "progression") && identical(p$type, "update")) steps <<- steps + p$amount
  })
  expect_identical(steps, 3)
})

test_that("memory is that of the process at its peak", {
  skip_if_not(file.exists("/proc/self/clear_refs") && file.access("/proc/self/clear_refs", 2) == 0)
  benchmark <- run_benchmark(list(heavy = function(data) {
    x <- numeric(4e7)
    x[] <- 1
    data$x[, 1] * x[1]
  }, light = function(data) data$x[, 1]))
  peak <- tapply(benchmark$runs$memory_mb, benchmark$runs$ranker, min)
  expect_gt(peak[["heavy"]], 250)
  expect_lt(peak[["light"]], 100)
})

test_that("scores are kept, or not", {
  expect_null(run_benchmark(small_rankers()["first"], keep_scores = FALSE)$scores)
  kept <- run_benchmark(small_rankers()["first"])
  pooled <- rankmix:::report_scores(kept, "first")
  expect_equal(summary(evaluate(pooled$scores$first, pooled$data, "err"))$mean,
               summary(kept)$mean[2])
})

test_that("folds may be given as they are", {
  parts <- list(train = example_part("train"), valid = example_part("vali"),
                test = example_part("test"))
  one <- benchmark_rankers(small_rankers()["feature"], parts, verbose = FALSE)
  named <- benchmark_rankers(small_rankers()["feature"], list(a = parts, b = parts[-2]),
                             verbose = FALSE)
  expect_identical(unique(named$results$fold), c("a", "b"))
  expect_identical(named$results$value[named$results$fold == "b"], one$results$value)
})

test_that("a benchmark prints in ten lines", {
  benchmark <- suppressWarnings(run_benchmark(c(small_rankers(),
                                                list(broken = function(data) stop("no")))))
  shown <- capture.output(print(benchmark))
  expect_lte(length(shown), 10L)
  # All but the times.
  expect_snapshot(cat(gsub(" +[0-9.-]+$", "", shown), sep = "\n"))
})

test_that("what cannot be benchmarked is told", {
  data <- small_data()
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
    benchmark_rankers(list(a = gbrt()), folds, data = data, tune = list(a = list(step = -1)))
    benchmark_rankers(list(a = gbrt()), folds, data = data, tune = list(list(step = 1)))
  })
  expect_warning(benchmark_rankers(ok, parts, verbose = FALSE),
                 class = "rankmix_warning_overlap")
  no_valid <- list(train = example_part("train"), test = example_part("test"))
  expect_warning(failed <- benchmark_rankers(list(a = gbrt(5)), no_valid, verbose = FALSE,
                                             tune = list(a = list(step = c(0.1, 0.2)))),
                 class = "rankmix_warning_failed")
  expect_match(failed$runs$error, "no validation part")
})

test_that("a single specification is a list of one", {
  data <- random_data(queries = 12, seed = 1)
  folds <- query_folds(data, 3, seed = 1)
  single <- benchmark_rankers(best_feature(), folds, ndcg(5), data = data, seed = 1)
  listed <- benchmark_rankers(stats::setNames(list(best_feature()), format(best_feature())),
                              folds, ndcg(5), data = data, seed = 1)
  expect_identical(summary(single)$mean, summary(listed)$mean)
  expect_identical(summary(single)$ranker, format(best_feature()))
})

test_that("folds of queries ask for their data", {
  data <- random_data(queries = 12, seed = 3)
  expect_error(benchmark_rankers(best_feature(), query_folds(data, 3, seed = 1)),
               "`data` is not given", class = "rankmix_error_argument")
})
