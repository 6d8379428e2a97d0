small_mixture <- function(..., threads = 2) {
  tune_and_mix(
    example_part("train"), example_part("vali"),
    classifiers = list(adaboost_mh(tree(4), rounds = 40),
                       adaboost_mh(stump(), rounds = 20)),
    seed = 1, threads = threads, ...
  )
}

test_that("weights, c and T follow their definitions", {
  valid <- example_part("vali")
  mixture <- small_mixture(metric = ndcg(5), c = c(0, 30, 120),
                           rounds = c(5, 15, 40))
  expect_identical(nrow(mixture$members), 6L)
  # Each member again, by hand.
  members <- lapply(mixture$classifiers, function(model) {
    lapply(all_calibrators(), function(method) {
      rounds <- min(mixture$rounds, length(model$alpha))
      calibrate(model, valid, method, rounds = rounds)
    })
  })
  members <- do.call(c, members)
  scores <- vapply(members, predict, numeric(nrow(valid$x)), newdata = valid)
  expect_equal(unname(predict(mixture, valid, type = "member")), scores)
  omega <- apply(scores, 2, function(s) {
    mean(naive_per_query(s, valid, function(s, g) naive_value("ndcg", s, g, k = 5)))
  })
  expect_equal(mixture$members$value, omega)
  weights <- exp(mixture$c * omega) / sum(exp(mixture$c * omega))
  expect_equal(mixture$members$weight, weights)
  expect_equal(predict(mixture, valid), drop(scores %*% weights))
  expect_equal(summary(evaluate(mixture, valid, ndcg(5)))$mean, mixture$value)
  expect_identical(dim(mixture$tuning), c(9L, 3L))
  expect_identical(mixture$value, max(mixture$tuning$value))
  first <- which.max(mixture$tuning$value)
  expect_equal(mixture$rounds, mixture$tuning$rounds[first])
  expect_equal(mixture$c, mixture$tuning$c[first])
})

test_that("c = 0 weighs equally and a large c does not overflow", {
  equal <- small_mixture(c = 0, rounds = 10)
  expect_equal(equal$members$weight, rep(1 / 6, 6))
  weights <- rankmix:::exponential_weights(200, c(1e6, 0))
  expect_identical(weights, c(1, 0))
})

test_that("the metric, the grids and the calibrators matter", {
  base <- small_mixture()
  expect_false(identical(small_mixture(metric = err())$tuning, base$tuning))
  expect_identical(small_mixture(rounds = 7)$rounds, 7L)
  expect_identical(small_mixture(c = 3)$c, 3)
  expect_identical(nrow(small_mixture(calibrators = naive())$members), 2L)
})

test_that("threads change nothing and the seed is kept", {
  expect_identical(small_mixture(threads = 1), small_mixture(threads = 4))
  drawn <- function() {
    set.seed(9)
    tune_and_mix(example_part("train"), example_part("vali"),
                 adaboost_mh(tree(4), rounds = 10, feature_share = 0.4))
  }
  expect_identical(drawn(), drawn())
})

test_that("equal specifications get seeds and labels of their own", {
  spec <- adaboost_mh(tree(4), rounds = 10, feature_share = 0.4)
  mixture <- tune_and_mix(example_part("train"), example_part("vali"),
                          list(spec, spec), naive(), seed = 1)
  alpha <- lapply(mixture$classifiers, `[[`, "alpha")
  expect_false(identical(alpha[[1]], alpha[[2]]))
  expect_identical(anyDuplicated(colnames(predict(mixture, example_part("vali"),
                                                  type = "member"))), 0L)
  twice <- tune_and_mix(example_part("train"), example_part("vali"), spec,
                        list(naive(), naive()), seed = 1)
  expect_identical(twice$members$calibrator, c("naive()", "naive() #1"))
  expect_s3_class(ggplot2::autoplot(twice), "ggplot")
})

test_that("a saved mixture predicts the same in a fresh process", {
  mixture <- small_mixture()
  valid <- example_part("vali")
  folder <- tempfile("saved")
  dir.create(folder)
  withr::defer(unlink(folder, recursive = TRUE))
  saveRDS(mixture, file.path(folder, "mixture.rds"))
  script <- child_script(folder, c(
    "valid <- read_letor(system.file('extdata', 'vali.txt.gz', package = 'rankmix'))",
    "mixture <- readRDS('mixture.rds')",
    "saveRDS(predict(mixture, valid, threads = 1), 'scores.rds')"
  ))
  system2(file.path(R.home("bin"), "Rscript"), script)
  expect_identical(readRDS(file.path(folder, "scores.rds")),
                   predict(mixture, valid))
})

test_that("a mixture prints in ten lines and summarises its members", {
  mixture <- small_mixture()
  lines <- capture.output(print(mixture))
  expect_lte(length(lines), 10L)
  expect_match(lines[1], "6 members: 2 classifiers x 3 calibrators")
  table <- summary(mixture)
  expect_identical(names(table),
                   c("classifier", "calibrator", "rounds", "weight", "value"))
  expect_false(is.unsorted(-table$weight))
  expect_equal(sum(table$weight), 1)
})

test_that("ranks come per query", {
  mixture <- small_mixture(rounds = 10)
  valid <- example_part("vali")
  ranks <- predict(mixture, valid, type = "rank")
  expect_identical(sort(ranks[valid$query == 1]), seq_len(sum(valid$query == 1)))
})

test_that("bad input is refused", {
  train <- example_part("train")
  valid <- example_part("vali")
  refuse <- function(code, class = "rankmix_error_argument") {
    expect_snapshot_error(code, class = class)
  }
  refuse(tune_and_mix(train, valid$x))
  refuse(tune_and_mix(train, valid, classifiers = list(tree(3))))
  refuse(tune_and_mix(train, valid, calibrators = list()))
  refuse(tune_and_mix(train, valid, metric = "ndgc"))
  refuse(tune_and_mix(train, valid, c = 201))
  refuse(tune_and_mix(train, valid, rounds = 0.5))
  refuse(tune_and_mix(train, valid, rounds = Inf))
  one <- train
  one$relevance[] <- 1L
  refuse(tune_and_mix(one, valid), "rankmix_error_one_grade")
  low <- train
  low$relevance <- pmin(train$relevance, 1L)
  refuse(tune_and_mix(low, valid, adaboost_mh(stump(), 2)), "rankmix_error_grade")
  expect_warning(
    tune_and_mix(train, train, adaboost_mh(stump(), rounds = 5)),
    class = "rankmix_warning_overlap"
  )
})

test_that("the mixture of a real fold ranks well", {
  folder <- real_fold("MQ2008", "Fold1")
  read <- function(name) read_letor(file.path(folder, name))
  mixture <- tune_and_mix(
    read("train.txt"), read("vali.txt"),
    classifiers = list(adaboost_mh(tree(8), rounds = 50),
                       adaboost_mh(stump(), rounds = 50)),
    metric = ndcg(10, empty = 1), seed = 1
  )
  test <- read("test.txt")
  value <- summary(evaluate(mixture, test, ndcg(10, empty = 1)))$mean
  # Random scores reach 0.66; every method that learns is above 0.75.
  expect_gt(value, 0.76)
})
