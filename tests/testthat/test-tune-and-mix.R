test_that("weights, c and T follow their definitions", {
  valid <- example_part("vali")
  mixture <- small_mixture(metric = metric_ndcg(5), c = c(0, 30, 120),
                           rounds = c(5, 15, 40))
  expect_identical(nrow(mixture$members), 6L)
  # Computes each member again by hand.
  members <- lapply(mixture$models, function(model) {
    lapply(few_calibrators, function(method) {
      rounds <- min(mixture$rounds, length(model$alpha))
      calibrate(model, valid, method, rounds = rounds)
    })
  })
  members <- do.call(c, members)
  scores <- vapply(members, predict, numeric(nrow(valid$x)), newdata = valid)
  expect_equal(unname(predict(mixture, valid, type = "member")), scores)
  omega <- apply(scores, 2, function(s) {
    slow_mean(s, valid, metric_ndcg(5))
  })
  expect_equal(mixture$members$value, omega)
  weights <- exp(mixture$c * omega) / sum(exp(mixture$c * omega))
  expect_equal(mixture$members$weight, weights)
  expect_equal(predict(mixture, valid), drop(scores %*% weights))
  expect_equal(summary(evaluate(mixture, valid, metric_ndcg(5, ties = "average")))$mean, mixture$value)
  expect_identical(dim(mixture$tuning), c(9L, 4L))
  expect_identical(mixture$value, max(mixture$tuning$value))
  first <- which.max(mixture$tuning$value)
  expect_equal(mixture$rounds, mixture$tuning$rounds[first])
  expect_equal(mixture$c, mixture$tuning$c[first])
})

test_that("the metric, the grids and the calibrators matter", {
  base <- small_mixture()
  expect_false(identical(small_mixture(metric = metric_err())$tuning, base$tuning))
  expect_identical(small_mixture(rounds = 7)$rounds, 7L)
  expect_identical(small_mixture(c = 3)$c, 3)
  expect_identical(nrow(small_mixture(calibrators = calibrator_naive())$members), 2L)
})

test_that("threads change nothing and the seed is kept", {
  expect_identical(small_mixture(threads = 1), small_mixture(threads = 4))
  drawn <- function() {
    set.seed(9)
    tune_and_mix(example_part("train"), example_part("vali"),
                 adaboost_mh(base_tree(4), rounds = 10, feature_fraction = 0.4), few_calibrators)
  }
  expect_identical(drawn(), drawn())
})

test_that("equal specifications get seeds and labels of their own", {
  spec <- adaboost_mh(base_tree(4), rounds = 10, feature_fraction = 0.4)
  mixture <- tune_and_mix(example_part("train"), example_part("vali"),
                          list(spec, spec), calibrator_naive(), seed = 1)
  alpha <- lapply(mixture$models, `[[`, "alpha")
  expect_false(identical(alpha[[1]], alpha[[2]]))
  expect_identical(anyDuplicated(colnames(predict(mixture, example_part("vali"),
                                                  type = "member"))), 0L)
  twice <- tune_and_mix(example_part("train"), example_part("vali"), spec,
                        list(calibrator_naive(), calibrator_naive()), seed = 1)
  expect_identical(twice$members$calibrator, c("calibrator_naive()", "calibrator_naive() #1"))
  skip_if_not_installed("ggplot2")
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
  expect_match(lines[1], "2 rankers, 6 members")
  table <- summary(mixture)
  expect_identical(names(table),
                   c("ranker", "classifier", "features", "calibrator", "rounds", "weight", "value"))
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
  refuse(tune_and_mix(train, valid, members = list(base_tree(3))))
  refuse(tune_and_mix(train, valid, calibrators = list()))
  refuse(tune_and_mix(train, valid, metric = "ndgc"))
  refuse(tune_and_mix(train, valid, calibrators = calibrator_cpc(), weights = mix_weights(members = "rbc")))
  refuse(tune_and_mix(train, valid, weights = list(c = 3)))
  refuse(tune_and_mix(train, valid, adaboost_mh(base_stump(), 2), calibrator_naive(),
                      weights = mix_weights(threshold = 1.1)))
  one <- train
  one$relevance[] <- 1L
  refuse(tune_and_mix(one, valid), "rankmix_error_one_grade")
  low <- train
  low$relevance <- pmin(train$relevance, 1L)
  refuse(tune_and_mix(low, valid, adaboost_mh(base_stump(), 2)), "rankmix_error_grade")
  expect_warning(
    tune_and_mix(train, train, adaboost_mh(base_stump(), rounds = 5), calibrator_naive()),
    class = "rankmix_warning_overlap"
  )
})

test_that("the mixture of a real fold ranks well", {
  skip_if_quick()
  folder <- real_fold("MQ2008", "Fold1")
  read <- function(name) read_letor(file.path(folder, name))
  mixture <- tune_and_mix(
    read("train.txt"), read("vali.txt"),
    members = list(adaboost_mh(base_tree(8), rounds = 50),
                       adaboost_mh(base_stump(), rounds = 50)),
    metric = metric_ndcg(10, empty = 1), weights = mix_weights(rounds = c(20, 50)), seed = 1
  )
  test <- read("test.txt")
  value <- summary(evaluate(mixture, test, metric_ndcg(10, empty = 1)))$mean
  # Random scores have 0.66, and all trained methods have more than 0.75.
  expect_gt(value, 0.76)
})

test_that("members can be one kind, or the best alone", {
  valid <- example_part("vali")
  best <- small_mixture(members = "one_best")
  expect_identical(sort(best$members$weight, decreasing = TRUE)[1:2], c(1, 0))
  expect_identical(best$value, max(best$members$value))
  expect_equal(summary(evaluate(best, valid, metric_ndcg(10, ties = "average")))$mean, best$value)
  one <- function(kind) unique(sub("\\(.*", "", small_mixture(members = kind)$members$calibrator))
  expect_identical(one("cpc"), "calibrator_cpc")
  expect_identical(one("rbc"), "calibrator_rbc")
})

test_that("classifiers of a mixture are mixed anew without training", {
  mixture <- small_mixture()
  again <- small_mixture_of(mixture$models, prior = "member", choose = "best")
  expect_identical(again[names(again) != "seed"], mixture[names(mixture) != "seed"])
  cpcs <- small_mixture_of(mixture$models, members = "cpc")
  expect_identical(cpcs$models, mixture$models)
})

test_that("groupings and feature sets make a grid of classifiers", {
  train <- example_part("train")
  valid <- example_part("vali")
  train$x[is.na(train$x)] <- 0
  valid$x[is.na(valid$x)] <- 0
  train$missing <- valid$missing <- 0
  mixture <- tune_and_mix(
    train, valid, list(adaboost_mh(base_tree(4), rounds = 10), mcsvm(0.1, scale = "standard")),
    list(calibrator_naive(), calibrator_rbc()), weights = mix_weights(rounds = 10), holdout = mix_holdout(method = "same"),
    grid = mix_grid(list("identity", c(0, 1, 1, 1)),
                       c("original", "standardized", "whitened")), seed = 1
  )
  expect_length(mixture$models, 12L)
  expect_identical(nrow(mixture$members), 24L)
  # Fits one of the classifiers by hand.
  seeds <- rankmix:::classifier_seeds(1, 12L)
  alone <- fit(adaboost_mh(base_tree(4), rounds = 10, grouping = c(0, 1, 1, 1)),
               standardize_queries(train, add = TRUE), seed = seeds[7])
  expect_identical(mixture$models[[7]]$forest, alone$forest)
  expect_identical(mixture$models[[7]]$features, alone$features)
  expect_identical(unique(mixture$members$features), c("original", "standardized", "whitened"))
  expect_equal(summary(evaluate(mixture, valid, metric_ndcg(10, ties = "average")))$mean, mixture$value)
  # A grouped SVM gives each grade the discriminant of its group.
  grouped <- mixture$models[[4]]
  raw <- predict(grouped, valid, type = "raw")
  expect_identical(unname(raw[, 2]), unname(raw[, 4]))
  expect_false(identical(raw[, 1], raw[, 2]))
  expect_snapshot_error(predict(mixture, valid$x), class = "rankmix_error_newdata")
  skip_if_not_installed("ggplot2")
  for (type in c("features", "grouping", "tuning", "members")) {
    expect_s3_class(ggplot2::autoplot(mixture, type = type), "ggplot")
  }
  pairs <- rankmix:::member_pairs(mixture, "grouping")
  expect_identical(nrow(pairs), 12L)
  members <- mixture$members
  expect_identical(pairs$base[1:2], members$value[1:2])
  expect_identical(pairs$changed[1:2], members$value[5:6])
  expect_snapshot_error(ggplot2::autoplot(mixture, type = "normalization"),
                        class = "rankmix_error_argument")
})

test_that("without validation data a fraction of the queries is held out", {
  train <- example_part("train")
  mixture <- tune_and_mix(train, members = adaboost_mh(base_tree(4), rounds = 10),
                          calibrators = calibrator_naive(), holdout = mix_holdout(0.7), seed = 3)
  parts <- split_parts(split_queries(train, 0.7, seed = 3), train)
  by_hand <- tune_and_mix(parts$train, parts$test, adaboost_mh(base_tree(4), rounds = 10),
                          calibrator_naive(), seed = 3)
  # The first background is all data. The second background is the training part.
  expect_false(identical(mixture$background, by_hand$background))
  mixture$background <- by_hand$background <- NULL
  expect_identical(mixture, by_hand)
})

test_that("a budget leaves out later members and reports them", {
  mixture <- small_mixture(budget = mix_budget(models = 1))
  expect_length(mixture$models, 1L)
  expect_identical(mixture$skipped, c(specification = "adaboost_mh(base_stump())"))
  expect_output(print(mixture), "Not trained: `adaboost_mh\\(base_stump\\(\\)\\)`")
  expect_length(small_mixture(budget = mix_budget(seconds = 1e-9))$models, 1L)
  expect_length(small_mixture(budget = mix_budget(seconds = 1e9))$models, 2L)
})

test_that("without calibrators the preset depends on the number of validation queries", {
  mixture <- tune_and_mix(example_part("train"), example_part("vali"),
                          adaboost_mh(base_stump(), rounds = 3), seed = 1)
  expect_identical(mixture$calibrators, "fast_calibrators()")
  expect_identical(mixture$members$calibrator, vapply(fast_calibrators(), format, ""))
  expect_output(print(mixture), "1 ranker, 10 members by fast_calibrators()", fixed = TRUE)
  given <- tune_and_mix(example_part("train"), example_part("vali"),
                        adaboost_mh(base_stump(), rounds = 3), fast_calibrators(), seed = 1)
  expect_null(given$calibrators)
  expect_identical(given$members, mixture$members)
  cpcs <- tune_and_mix(example_part("train"), example_part("vali"),
                       adaboost_mh(base_stump(), rounds = 3), weights = mix_weights(members = "cpc"),
                       seed = 1)
  expect_identical(cpcs$members$calibrator, "calibrator_cpc(\"log_sigmoid\")")
  # The presets for fewer than 500 queries and for more.
  clock <- local_clock()
  preset <- function(queries) {
    data <- simulate_ranking(queries, documents = 3, seed = 2)$data
    data$query_ids <- data$query_ids + 1000
    clock$time <- 0
    train <- simulate_ranking(20, seed = 1)$data
    suppressWarnings(tune_and_mix(train, data, adaboost_mh(base_stump(), rounds = 2),
                                  weights = mix_weights(rounds = 2, members = "cpc"),
                                  budget = mix_budget(seconds = 1), seed = 1))$calibrators
  }
  expect_identical(preset(499), "fast_calibrators()")
  expect_identical(preset(500), "all_calibrators()")
})

test_that("cross-fitted members are tuned on queries that their calibrators have not seen", {
  valid <- example_part("vali")
  mixture <- small_mixture(calibrators = list(calibrator_cpc(), calibrator_rbc("polynomial", degree = 4)),
                           c = c(0, 50), rounds = 20, crossfit = 3)
  plain <- small_mixture(calibrators = list(calibrator_cpc(), calibrator_rbc("polynomial", degree = 4)),
                         c = c(0, 50), rounds = 20)
  # Computes the scores by hand. Each third of the sorted queries is scored by a fit on the other queries.
  f <- unname(predict(mixture$models[[1]], valid, type = "raw"))
  sorted <- rankmix:::sorted_queries(rankmix:::held_out(valid, 1L), f)
  part <- integer(50)
  part[sorted] <- rep_len(1:3, 50)
  scores <- matrix(0, nrow(valid$x), 4)
  for (k in 1:3) {
    out <- part[valid$query] == k
    for (m in 1:4) {
      # Both classifiers sort the queries alike, so the folds of the first classifier are used for both.
      model <- mixture$models[[(m + 1) %/% 2]]
      seen <- valid[which(part != k)]
      method <- list(calibrator_cpc(), calibrator_rbc("polynomial", degree = 4))[[2 - m %% 2]]
      fold <- calibrate(model, seen, method, rounds = 20)
      scores[out, m] <- predict(fold, valid)[out]
    }
  }
  omega <- summary(evaluate(as.data.frame(scores), valid, metric_ndcg(10, ties = "average")))$mean
  expect_equal(mixture$members$value, omega, tolerance = 1e-6)
  weights <- exp(mixture$c * (omega - max(omega)))
  mixed <- drop(scores %*% weights) / sum(weights)
  expect_equal(mixture$value, summary(evaluate(mixed, valid, metric_ndcg(10, ties = "average")))$mean, tolerance = 1e-3)
  # The calibrators of the mixture itself use all queries.
  expect_identical(mixture$fitted, plain$fitted)
  expect_gt(plain$members$value[2], mixture$members$value[2])
  expect_snapshot_error(small_mixture(crossfit = 99), class = "rankmix_error_argument")
})

test_that("calibration queries are sorted by their content", {
  data <- random_data(queries = 40, seed = 3)
  f <- matrix(rnorm(3 * length(data$relevance)), ncol = 3)
  sorted <- rankmix:::sorted_queries(rankmix:::held_out(data, 1L), f)
  rows <- sample(length(data$relevance))
  other <- ranking_data(data$x[rows, ], data$relevance[rows], data$query_ids[data$query[rows]])
  again <- rankmix:::sorted_queries(rankmix:::held_out(other, 1L), f[rows, ])
  expect_identical(other$query_ids[again], data$query_ids[sorted])
  # Queries of weight 0 have no effect.
  weighted <- ranking_data(data$x, data$relevance, data$query,
                           weight = rep(c(1, 0), 20)[data$query])
  held <- rankmix:::held_out(weighted, 1L)
  expect_identical(sort(rankmix:::sorted_queries(held, f)), seq(1L, 39L, 2L))
  for (method in list(calibrator_cpc(), calibrator_rbc("logistic"), calibrator_rbc("gaussian_process"))) {
    scores <- rankmix:::crossfit_scores(
      list(rankmix:::calibrator_inputs(f, 5, list(method))), held, 2, 1L
    )[[1]][[1]]
    expect_true(all(is.finite(scores)) && length(unique(scores)) > 5)
  }
})

test_that("classifiers that were trained elsewhere keep their own features", {
  train <- example_part("train")
  valid <- example_part("vali")
  names <- train$features
  part_of <- function(data, columns) {
    ranking_data(structure(data$x[, columns], dimnames = list(NULL, names[columns])),
                 data$relevance, data$query)
  }
  whole <- seq_along(names)
  old <- fit(adaboost_mh(base_tree(4), rounds = 10), part_of(train, c(3, 1, 2)))
  held <- part_of(valid, whole)
  suppressWarnings(
    mixture <- tune_and_mix(part_of(train, whole), held, list(old, adaboost_mh(base_stump(), rounds = 10)),
                            calibrator_naive(), weights = mix_weights(rounds = 10), seed = 1)
  )
  members <- suppressWarnings(predict(mixture, held, type = "member"))
  expect_identical(unname(members[, 1]), suppressWarnings(predict(old, held)))
  alone <- fit(adaboost_mh(base_stump(), rounds = 10), part_of(train, whole))
  expect_identical(unname(members[, 2]), predict(alone, held))
  # This classifier has fewer grades than the data.
  low <- train
  low$relevance <- pmin(train$relevance, 1L)
  few <- fit(adaboost_mh(base_stump(), rounds = 3), low)
  expect_error(tune_and_mix(train, valid, few, calibrator_cpc()), class = "rankmix_error_grade")
})

test_that("further columns of new data do not change the sets of features", {
  simulation <- simulate_ranking(30, features = 6, constant = 0, seed = 2)
  train <- simulation$data
  valid <- simulate_ranking(20, truth = simulation$truth, seed = 3)$data
  valid$query_ids <- valid$query_ids + 100
  mixture <- tune_and_mix(train, valid, adaboost_mh(base_tree(4), rounds = 10), calibrator_naive(),
                          grid = mix_grid(features = c("whitened", "standardized")), seed = 1)
  wider <- ranking_data(cbind(new = rnorm(nrow(valid$x)), structure(
    valid$x, dimnames = list(NULL, valid$features)
  )), valid$relevance, valid$query)
  expect_warning(scores <- predict(mixture, wider), class = "rankmix_warning_newdata") |>
    suppressWarnings(classes = "rankmix_warning_newdata")
  expect_identical(scores, predict(mixture, valid))
})

test_that("paths of costs are classifiers in a list", {
  data <- simulate_ranking(30, seed = 4)$data
  valid <- simulate_ranking(20, seed = 5)$data
  path <- fit(mcsvm(c(0.01, 0.1), scale = "standard"), data)
  valid$query_ids <- valid$query_ids + 100
  suppressWarnings(mixture <- tune_and_mix(data, valid, list(path, adaboost_mh(base_stump(), rounds = 3)),
                                           calibrator_naive(), seed = 1))
  expect_length(mixture$models, 3L)
  expect_output(print(mixture), "3 members")
  expect_identical(nrow(summary(mixture)), 3L)
})

test_that("models of the same features are matched to new data once, whatever their kind", {
  train <- simulate_ranking(20, seed = 1)$data
  x <- train$x
  colnames(x) <- letters[seq_len(ncol(x))]
  models <- lapply(list(x, x[, 1:2], x), function(x) {
    fit(adaboost_mh(base_stump(), 3), ranking_data(x, train$relevance, train$query), seed = 1,
        threads = 1, verbose = FALSE)
  })
  # Each kind of matching reports an unknown column once.
  asked <- 0L
  count <- function(expr) {
    asked <<- 0L
    withCallingHandlers(expr, rankmix_warning_newdata = function(w) {
      asked <<- asked + 1L
      tryInvokeRestart("muffleWarning")
    })
  }
  features <- count(features_of_models(models, cbind(x, unknown = 0), 1L))
  expect_identical(asked, 2L)
  expect_identical(features, list(x, x[, 1:2], x))
  models[[3L]]$columns <- "query"
  expect_identical(count(features_of_models(models, cbind(x, unknown = 0), 1L)), features)
  expect_identical(asked, 3L)
})

test_that("labels and members of weight 0 cost nothing where scores are wanted", {
  data <- simulate_ranking(30, seed = 1)$data
  parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
  mixture <- tune_and_mix(parts$train, parts$test,
                          list(adaboost_mh(base_stump(), 3), adaboost_mh(base_tree(3), 3)),
                          list(calibrator_naive(), calibrator_cpc()), weights = mix_weights(c = 5), seed = 1, threads = 1,
                          verbose = FALSE)
  mixture$members$weight <- c(0, 0, 0, 1)
  expected <- predict(mixture, parts$test, type = "member")[, 4L]
  mixture$fitted[1:3] <- list(NULL)
  mixture$models[1] <- list(NULL)
  expect_identical(predict(mixture, parts$test), unname(expected))
})

test_that("a single specification becomes a list of length one, and a mixture is refused as a member", {
  train <- example_part("train")
  valid <- example_part("vali")
  spec <- adaboost_mh(base_stump(), rounds = 5)
  single <- tune_and_mix(train, valid, spec, calibrator_naive(), seed = 1)
  listed <- tune_and_mix(train, valid, list(spec), list(calibrator_naive()), seed = 1)
  expect_identical(predict(single, valid), predict(listed, valid))
  expect_snapshot(error = TRUE, {
    tune_and_mix(train, valid, single)
    tune_and_mix(train, valid, gbrt(50), list(calibrator_naive(), calibrator_cpc()))
  })
})

test_that("a mixture does not depend on the order of rows and queries", {
  data <- simulate_ranking(40, documents = c(3, 8), features = 5, seed = 1)$data
  rows <- withr::with_seed(2, sample(nrow(data)))
  other <- ranking_data(data$x[rows, ], data$relevance[rows], data$query_ids[data$query][rows])
  members <- list(gbrt(trees = 5, min_data_in_leaf = 3), linear_ranker(penalty = c(1, 100)))
  for (holdout in list(mix_holdout(), mix_holdout(method = "split"))) {
    mixtures <- lapply(list(data, other), tune_and_mix, members = members, holdout = holdout, seed = 1, threads = 1,
                       verbose = FALSE)
    expect_equal(predict(mixtures[[2L]], data), predict(mixtures[[1L]], data), tolerance = 1e-12)
  }
  # The validation queries are given in another order.
  train <- simulate_ranking(40, documents = 6, features = 5, seed = 3)$data
  train <- ranking_data(train$x, train$relevance, paste0("train", train$query))
  for (method in c("selection", "ascent", "exponential")) {
    mixtures <- lapply(list(data, other), function(validation) {
      tune_and_mix(train, validation, members = members, weights = mix_weights(method = method), seed = 1, threads = 1,
                   verbose = FALSE)
    })
    expect_equal(mixtures[[2L]]$members$weight, mixtures[[1L]]$members$weight, tolerance = 1e-12)
  }
})
