scored_queries <- function(queries, seed, b = 1.5, a = -1) {
  withr::with_seed(seed, {
    sizes <- sample(5:25, queries, TRUE)
    query <- rep(seq_len(queries), sizes)
    score <- rnorm(length(query))
    p <- plogis(a + b * score)
    list(score = score, p = p, data = ranking_data(cbind(score, noise = rnorm(length(query))),
                                                   rbinom(length(query), 1, p) * 2, query))
  })
}

test_that("Platt scaling is the logistic regression of its targets", {
  sample <- scored_queries(60, 1)
  relevant <- sample$data$relevance >= 1
  n <- c(sum(!relevant), sum(relevant))
  target <- ifelse(relevant, (n[2] + 1) / (n[2] + 2), 1 / (n[1] + 2))
  slow <- stats::optim(c(0, 1), function(b) {
    eta <- b[1] + b[2] * sample$score
    sum(log1p(exp(eta)) - target * eta)
  }, method = "BFGS", control = list(reltol = 1e-14))$par
  model <- calibrate(sample$score, sample$data, calibrator_probability())
  expect_equal(model$fitted$beta, slow, tolerance = 1e-5)
  expect_equal(predict(model, c(-2, 0.5), type = "prob"), plogis(slow[1] + slow[2] * c(-2, 0.5)), tolerance = 1e-5)
  # Probabilities of new queries are close to the true probabilities.
  new <- scored_queries(60, 2)
  expect_lt(max(abs(predict(model, new$score, type = "prob") - new$p)), 0.07)
})

test_that("isotonic regression agrees with stats", {
  sample <- scored_queries(60, 3)
  model <- calibrate(sample$score, sample$data, calibrator_probability("isotonic"))
  by <- order(sample$score)
  slow <- stats::isoreg(sample$score[by], as.numeric(sample$data$relevance[by] >= 1))$yf
  p <- predict(model, sample$score, type = "prob")
  expect_equal(p[by], slow)
  expect_identical(predict(model, range(sample$score) + c(-9, 9), type = "prob"), range(p))
  expect_output(print(model), "probabilities from 0 to")
})

test_that("separable and equal scores have finite probabilities", {
  data <- ranking_data(cbind(a = 1:20), rep(0:1, each = 10), rep(1:4, 5))
  p <- predict(calibrate(1:20, data, calibrator_probability()), 1:20, type = "prob")
  expect_true(all(p > 0 & p < 1) && !is.unsorted(p))
  expect_identical(predict(calibrate(1:20, data, calibrator_probability("isotonic")), c(10, 11), type = "prob"),
                   c(0, 1))
  expect_warning(flat <- calibrate(rep(3, 20), data, calibrator_probability("isotonic")),
                 class = "rankmix_warning_constant")
  expect_equal(predict(flat, c(0, 3), type = "prob"), c(0.5, 0.5))
  expect_warning(calibrate(20:1, data, calibrator_probability()), class = "rankmix_warning_calibration")
  expect_warning(calibrate(20:1, data, calibrator_probability("isotonic")), class = "rankmix_warning_calibration")
  expect_warning(calibrate(1:20, data, calibrator_probability(relevant = 2)), "No document",
                 class = "rankmix_warning_grade")
})

test_that("weights count copies, and the order of rows changes nothing", {
  sample <- scored_queries(20, 4)
  data <- sample$data
  weighted <- data
  weighted$weight <- rep(1:2, 10)
  twice <- which(data$query %% 2 == 0)
  rows <- c(seq_along(sample$score), twice)
  copies <- ranking_data(data$x[rows, ], data$relevance[rows],
                         c(data$query, 100 + data$query[twice]))
  for (model in c("platt", "isotonic")) {
    method <- calibrator_probability(model)
    expect_equal(calibrate(sample$score, weighted, method)$fitted, calibrate(sample$score[rows], copies, method)$fitted)
    shuffled <- rev(seq_along(sample$score))
    expect_identical(
      calibrate(sample$score[shuffled], ranking_data(data$x[shuffled, ], data$relevance[shuffled],
                                                     data$query[shuffled]), method)$fitted,
      calibrate(sample$score, data, method)$fitted
    )
  }
})

test_that("every ranker gets probabilities, and keeps its ranking", {
  train <- example_part("train")
  valid <- example_part("vali")
  rankers <- list(fit(gbrt(20), train), fit(linear_ranker(), train), fit(adaboost_mh(base_tree(4), 10), train),
                  fit(mcsvm(), train), fit(cocr(linear_ranker(penalty = 0.1)), train), fit(best_feature(), train),
                  fit(bagging(m5p(), 2), train), function(data) data$x[, 3])
  rankers$mix <- mix(rankers[1:2] |> stats::setNames(c("a", "b")), valid, metric_ndcg(10))
  for (ranker in rankers) {
    model <- calibrate(ranker, valid, calibrator_probability())
    p <- predict(model, valid, type = "prob")
    scores <- rankmix:::scores_of(ranker, valid, 1L, NULL)
    expect_true(is.double(p) && length(p) == nrow(valid) && all(p > 0 & p < 1))
    expect_identical(predict(model, valid), scores)
    expect_identical(predict(model, valid, type = "rank"), rankmix:::rank_within_queries(scores, valid))
    expect_identical(order(p), order(scores))
    expect_output(print(model), "<calibrated ranker>")
    expect_equal(sum(tidy(model)$documents), nrow(valid))
    expect_identical(glance(model)$queries, length(valid$query_ids))
  }
  early <- calibrate(rankers[[3]], valid, calibrator_probability(), rounds = 4)
  expect_identical(predict(early, valid), predict(rankers[[3]], valid, rounds = 4))
})

test_that("models with probabilities are written as JSON, and refused by other formats", {
  skip_if_not_installed("jsonlite")
  train <- example_part("train")
  for (method in list(calibrator_probability("isotonic", 2), calibrator_probability())) {
    model <- calibrate(fit(gbrt(5), train), example_part("vali"), method)
    file <- withr::local_tempfile(fileext = ".json")
    write_model(model, file)
    expect_identical(predict(read_model(file), train, type = "prob"), predict(model, train, type = "prob"))
    expect_error(write_model(model, withr::local_tempfile(fileext = ".c"), "c"), class = "rankmix_error")
    damaged <- list(ranker = 3, rounds = 99, method = calibrator_cpc(), fitted = list(), queries = 0.5,
                    reliability = NULL)
    for (field in names(damaged)) {
      broken <- model
      broken[[field]] <- damaged[[field]]
      expect_error({
        write_model(broken, file)
        read_model(file)
      }, class = "rankmix_error", info = field)
    }
  }
})

test_that("rankers without probabilities name the remedy", {
  train <- example_part("train")
  expect_snapshot_error(predict(fit(gbrt(5), train), train, type = "prob"), class = "rankmix_error_calibration")
  small <- train[1:8]
  for (spec in list(linear_ranker(penalty = 1), smoothrank(penalty = 1), network_ranker(epochs = 1),
                    bagging(m5p(), 2))) {
    expect_error(predict(fit(spec, small, verbose = FALSE), train, type = "prob"), class = "rankmix_error_calibration")
  }
})

test_that("bad input is refused", {
  train <- example_part("train")
  model <- fit(gbrt(5), train)
  refuse <- function(code, class = "rankmix_error_argument") expect_snapshot_error(code, class = class)
  refuse(calibrator_probability("logit"))
  refuse(calibrator_probability(relevant = NA))
  refuse(calibrate(model, train, calibrator_cpc()))
  refuse(calibrate(train$x[, 1], train, calibrator_rbc()))
  refuse(calibrate(model, train, "platt"))
  refuse(calibrate(model, train, calibrator_probability(relevant = 0)))
  refuse(calibrate(train$x[-1, 1], train, calibrator_probability()), "rankmix_error_scores")
  refuse(calibrate(replace(train$x[, 1], 3, -Inf), train, calibrator_probability()), "rankmix_error_scores")
  scores <- calibrate(-train$x[, 1], train, calibrator_probability()) |> suppressWarnings()
  refuse(predict(scores, train$x[, 1], type = "rank"))
  refuse(predict(scores, train, type = "prob"), "rankmix_error_scores")
  refuse(mixture(gbrt(5), calibrators = list(calibrator_probability())))
})
