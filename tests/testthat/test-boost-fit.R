test_that("staged discriminants equal those of shorter fits", {
  data <- random_data(queries = 40)
  long <- fit(adaboost_mh(tree(4), rounds = 30), data)
  for (rounds in c(1, 7, 30)) {
    short <- fit(adaboost_mh(tree(4), rounds = rounds), data)
    expect_identical(predict(long, data, type = "raw", rounds = rounds),
                     predict(short, data, type = "raw"))
  }
  expect_identical(unname(predict(long, data, type = "raw", rounds = 0)),
                   matrix(0, nrow(data$x), 3))
  staged <- predict(long, data, type = "raw", rounds = c(30, 1, 7))
  expect_identical(dim(staged), c(nrow(data$x), 3L, 3L))
  expect_identical(staged[, , "7"],
                   predict(long, data, type = "raw", rounds = 7))
  expect_identical(staged[, , 1], predict(long, data, type = "raw"))
  expect_error(predict(long, data, type = "raw", rounds = c(1, 31)),
               class = "rankmix_error_argument")
  expect_error(predict(long, data, rounds = 31), class = "rankmix_error_argument")
})

test_that("all kinds of predictions come after several numbers of rounds at once", {
  data <- random_data(queries = 20)
  rounds <- c(30, 0, 7)
  expect_stages <- function(model, type, size) {
    staged <- predict(model, data, type = type, rounds = rounds)
    expect_identical(dim(staged), c(nrow(data$x), size, 3L))
    expect_identical(tail(dimnames(staged), 1L), list(c("30", "0", "7")))
    for (r in rounds) {
      stage <- if (is.null(size)) {
        staged[, as.character(r)]
      } else {
        staged[, , as.character(r)]
      }
      expect_identical(stage, predict(model, data, type = type, rounds = r))
    }
  }
  model <- fit(adaboost_mh(tree(4), rounds = 30), data)
  for (type in c("score", "rank", "label")) {
    expect_stages(model, type, NULL)
  }
  expect_stages(model, "prob", 3L)
  expect_stages(model, "raw", 3L)
  trees <- fit(gbrt(30, leaves = 4), data)
  expect_stages(trees, "score", NULL)
  expect_stages(trees, "rank", NULL)
  for (wrong in list(numeric(), c(1, NA), c(1, 31), c(1, 0.5), "7")) {
    expect_error(predict(model, data, rounds = wrong), class = "rankmix_error_argument")
    expect_error(predict(trees, data, rounds = wrong), class = "rankmix_error_argument")
  }
})

test_that("validation data choose the number of rounds", {
  train <- example_part("train")
  valid <- example_part("vali")
  spec <- adaboost_mh(tree(8), rounds = 100)
  model <- fit(spec, train, validation = valid, metric = ndcg(5))
  expect_identical(model$curve$rounds, c(10L, 20L, 50L, 100L))
  by_hand <- vapply(model$curve$rounds, function(rounds) {
    scores <- predict(model, valid, rounds = rounds)
    summary(evaluate(scores, valid, ndcg(5)))$mean
  }, numeric(1))
  expect_equal(model$curve$value, by_hand)
  expect_identical(model$best_rounds, model$curve$rounds[which.max(by_hand)])
  expect_identical(predict(model, valid),
                   predict(model, valid, rounds = model$best_rounds))
  expect_false(identical(fit(spec, train, validation = valid, metric = err())$curve,
                         model$curve))
  expect_identical(fit(spec, train)$best_rounds, 100L)
  expect_output(print(model), "Best on the validation data: ndcg@5")
})

test_that("prediction types fit together", {
  data <- random_data(queries = 30)
  model <- fit(adaboost_mh(tree(4), rounds = 10), data)
  prob <- predict(model, data, type = "prob")
  expect_identical(colnames(prob), c("grade0", "grade1", "grade2"))
  expect_equal(rowSums(prob), rep(1, nrow(data$x)))
  expect_true(all(prob >= 0))
  scores <- predict(model, data)
  expect_equal(scores, prob[, 2] + 3 * prob[, 3])
  ranks <- predict(model, data, type = "rank")
  for (q in seq_along(data$query_ids)) {
    rows <- which(data$query == q)
    expect_identical(ranks[rows][order(-scores[rows], seq_along(rows))], seq_along(rows))
  }
  expect_snapshot_error(predict(model, data$x, type = "rank"),
                        class = "rankmix_error_argument")
  expect_snapshot_error(predict(model, data, type = "class"),
                        class = "rankmix_error_argument")
})

test_that("one grade only is an error", {
  data <- ranking_data(matrix(1:4), rep(1, 4), c(1, 1, 2, 2))
  expect_snapshot_error(fit(adaboost_mh(), data),
                        class = "rankmix_error_one_grade")
})

test_that("validation queries that are also in the training data are a warning", {
  data <- random_data()
  expect_snapshot_warning(
    fit(adaboost_mh(stump(), rounds = 2), data, validation = data),
    class = "rankmix_warning_overlap"
  )
})

test_that("equal ids are the same, whatever their type", {
  shift <- function(ids) {
    data <- random_data()
    data$query_ids <- ids
    data
  }
  n <- length(random_data()$query_ids)
  expect_warning(
    fit(adaboost_mh(stump(), rounds = 2), shift(seq_len(n) * 1e5),
        validation = shift(100000L * seq_len(n))),
    class = "rankmix_warning_overlap"
  )
})

test_that("validation data with further features are reported once", {
  frame <- function(data, names) {
    frame <- stats::setNames(as.data.frame(data$x), names)
    ranking_data(frame, data$relevance, data$query + 1000 * length(names))
  }
  train <- frame(random_data(features = 3), c("a", "b", "c"))
  valid <- frame(random_data(features = 4, seed = 2), c("d", "c", "b", "a"))
  count <- function(code) {
    warned <- 0
    withCallingHandlers(code, rankmix_warning_newdata = function(w) {
      warned <<- warned + 1
      rlang::cnd_muffle(w)
    })
    warned
  }
  spec <- adaboost_mh(stump(), rounds = 5)
  expect_identical(count(fit(spec, train, validation = valid)), 1)
  expect_identical(count(tune_and_mix(train, valid, spec)), 1)
})

test_that("validation data are checked before anything is trained", {
  data <- random_data()
  valid <- random_data(features = 3, seed = 2)
  spec <- adaboost_mh(stump(), rounds = 1e6)
  expect_error(fit(spec, data, validation = valid), class = "rankmix_error_newdata")
  expect_error(tune_and_mix(data, valid, spec), class = "rankmix_error_newdata")
  other <- ranking_data(data$x, data$relevance, data$query + 1000)
  expect_snapshot_error(
    fit(spec, data, validation = other, metric = ndcg(100, short = "drop")),
    class = "rankmix_error_metric"
  )
})

test_that("validation data that cannot choose are refused, wherever they would", {
  data <- random_data(queries = 30)
  case <- function(change, ...) {
    other <- random_data(queries = 12, seed = 2)
    ranking_data(other$x, change(other$relevance, other$query), other$query + 1000, ...)
  }
  bad <- list(
    none_relevant = case(function(grade, query) 0 * grade),
    one_query = case(function(grade, query) grade)["1002"],
    all_alike = case(function(grade, query) query %% 3),
    one_differs = case(function(grade, query) ifelse(query == 2, grade, query %% 3)),
    weights = case(function(grade, query) grade,
                   weight = as.numeric(random_data(queries = 12, seed = 2)$query == 2))
  )
  spec <- adaboost_mh(stump(), rounds = 10)
  model <- fit(spec, data)
  scores <- function(data) data$x[, 1]
  for (valid in bad) {
    refuse <- function(code) {
      expect_error(code, class = "rankmix_error_validation")
    }
    for (one in list(spec, gbrt(10), mcsvm(c(0.1, 1)), mcsvm())) {
      refuse(fit(one, data, valid, metric = ndcg(10, empty = 1)))
    }
    refuse(fit(spec, data, valid, patience = 5))
    refuse(fit(model, data, valid, rounds = 20))
    refuse(tune_and_mix(data, valid, spec, naive()))
    refuse(mix(list(a = model, b = scores), valid))
    fold <- list(train = data, valid = valid, test = random_data(seed = 3))
    fold$test$query_ids <- fold$test$query_ids + 5000L
    refuse(benchmark_rankers(list(a = spec), fold))
    refuse(benchmark_rankers(list(a = best_feature()), fold,
                             tune = list(a = list(direction = c("higher", "both")))))
    refuse(learning_curve(list(a = gbrt(10)), fold, shares = 1))
    # What does not look at them is none the worse.
    expect_s3_class(benchmark_rankers(list(a = best_feature(), b = scores), fold,
                                      verbose = FALSE), "rankmix_benchmark")
    expect_snapshot_error(fit(spec, data, valid), class = "rankmix_error_validation")
  }
  refuse(tune_and_mix(data[1:2], classifiers = spec, hold_out = holding_out(0.5)))
  expect_snapshot_error(mix(list(a = model, b = scores), bad$none_relevant),
                        class = "rankmix_error_validation")
  expect_snapshot_error(benchmark_rankers(list(a = spec), list(fold, fold)),
                        class = "rankmix_error_validation")
  # Two queries are a choice.
  good <- case(function(grade, query) grade)
  good <- good[rankmix:::differing_queries(good)[1:2]]
  expect_s3_class(fit(spec, data, good), "rankmix_ranker")
})

test_that("arguments of fit() are checked", {
  data <- random_data()
  expect_error(fit(adaboost_mh(), data, valdation = data),
               class = "rankmix_error_argument")
  expect_error(predict(fit(adaboost_mh(stump(), rounds = 2), data), data,
                       nrounds = 1),
               class = "rankmix_error_argument")
  refuse <- function(code) {
    expect_snapshot_error(code, class = "rankmix_error_argument")
  }
  refuse(fit(adaboost_mh(), data$x))
  refuse(fit(adaboost_mh(), data, validation = 1))
  refuse(fit(adaboost_mh(), data, seed = -1))
  refuse(fit(adaboost_mh(), data, threads = 0))
  refuse(fit(adaboost_mh(), data, verbose = NA))
})

test_that("a progress bar reports and changes nothing", {
  data <- random_data()
  spec <- adaboost_mh(tree(3), rounds = 20)
  seen <- integer()
  local_mocked_bar <- function(done, total) seen <<- c(seen, done)
  bins <- rankmix:::bins_of(spec, data$x, 1L)
  quiet <- fit(spec, data, seed = 1)
  task <- rankmix:::new_task(data, 1, 1L, local_mocked_bar, bins = function(spec) bins)
  loud <- rankmix:::row_of(spec)$train(spec, task)
  expect_identical(loud$alpha, quiet$alpha)
  expect_identical(utils::tail(seen, 1), 20)
  expect_identical(suppressMessages(fit(spec, data, seed = 1, verbose = TRUE)),
                   quiet)
})

test_that("an interrupt returns within a second and leaves a working session", {
  skip_on_cran()
  skip_on_os("windows")
  folder <- tempfile("interrupt")
  dir.create(folder)
  withr::defer(unlink(folder, recursive = TRUE))
  script <- child_script(folder, c(
    "set.seed(1)",
    "x <- matrix(rnorm(60000 * 40), ncol = 40)",
    "data <- ranking_data(x, rpois(60000, 0.5), rep(1:3000, 20))",
    "writeLines(as.character(Sys.getpid()), 'started')",
    "end <- tryCatch({",
    "  fit(adaboost_mh(tree(16), rounds = 1e6), data, threads = 2)",
    "  'finished'",
    "}, interrupt = function(e) 'interrupted')",
    "back <- as.numeric(Sys.time())",
    "again <- fit(adaboost_mh(tree(4), rounds = 2), data, threads = 2)",
    "writeLines(c(end, length(again$alpha), sprintf('%.3f', back)), 'partial')",
    "file.rename('partial', 'ended')"
  ))
  wait_for <- function(name, seconds) {
    path <- file.path(folder, name)
    deadline <- Sys.time() + seconds
    while (!file.exists(path) && Sys.time() < deadline) Sys.sleep(0.01)
    file.exists(path)
  }
  system2(file.path(R.home("bin"), "Rscript"), script, wait = FALSE,
          stdout = FALSE, stderr = FALSE)
  expect_true(wait_for("started", 60))
  Sys.sleep(1)
  pid <- as.integer(readLines(file.path(folder, "started")))
  sent <- as.numeric(Sys.time())
  tools::pskill(pid, tools::SIGINT)
  expect_true(wait_for("ended", 30))
  ended <- trimws(readLines(file.path(folder, "ended")))
  expect_identical(ended[1:2], c("interrupted", "2"))
  expect_lt(as.numeric(ended[3]) - sent, 1)
})
