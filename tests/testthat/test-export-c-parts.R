mixed_for_c <- function(...) {
  valid <- simulate_ranking(40, features = 6, seed = 5)$data
  valid <- ranking_data(valid$x, valid$relevance, valid$query + 1000)
  suppressWarnings(fit(mixture(...), export_data(), valid, seed = 1, verbose = FALSE),
                   classes = "rankmix_warning_grade")
}

test_that("composite models give the same bits in C", {
  local_known_warnings("constant")
  skip_on_cran()
  skip_if(!nzchar(compiler_of_c()), "no C compiler")
  data <- export_data()
  train <- function(spec) fit(spec, data, seed = 1, verbose = FALSE)
  booster <- train(adaboost_mh(base_tree(4), 5))
  svm <- train(mcsvm(0.1, grouping = "binary"))
  models <- list(
    trees = train(bagging(gbrt(4, num_leaves = 4), times = 3, feature_fraction = 0.5)),
    lines = train(bagging(linear_ranker(penalty = 0.1, missing = "indicator"), times = 3,
                          feature_fraction = 0.6)),
    soft = train(cocr(linear_ranker(penalty = 0.1, missing = "indicator"))),
    hard = train(cocr(gbrt(4, num_leaves = 4), ranker = "hard")),
    levels = train(cocr(bagging(m5p(min_data_in_split = 40), times = 2))),
    calibrated = suppressWarnings(calibrate(booster, data, calibrator_cpc(), rounds = 3)),
    mixture = mixed_for_c(adaboost_mh(base_tree(3), 6), gbrt(6, num_leaves = 4), best_feature(),
                          ranksvm(c(0.1, 1)), cocr(gbrt(3, num_leaves = 4)),
                          network_ranker(hidden = 2, epochs = 2), mcsvm(0.1),
                          weights = mix_weights(c(0, 5), standardize = TRUE),
                          calibrators = list(calibrator_naive(), calibrator_cpc(), calibrator_rbc(), calibrator_rbc("polynomial")))
  )
  models$mix <- mix(list(a = models$trees, b = svm, c = models$mixture, d = models$calibrated,
                         e = train(best_feature())), data)
  for (name in names(models)) {
    if (name == "mix") {
      expect_identical(scores_of_c(models[[name]], data$x), predict(models[[name]], data))
    } else {
      expect_same_c(models[[name]], data$x, name)
    }
  }
})

test_that("mixtures and calibrated models that C cannot express are an error with its reason", {
  data <- export_data(FALSE)
  file <- withr::local_tempfile()
  first <- function(data) data$x[, 1L]
  trees <- fit(gbrt(2, num_leaves = 3), data, seed = 1, verbose = FALSE)
  booster <- fit(adaboost_mh(base_tree(3), 2), data, seed = 1, verbose = FALSE)
  other <- ranking_data(data$x[, 6:1], data$relevance, data$query)
  turned <- fit(gbrt(2, num_leaves = 3), other, seed = 1, verbose = FALSE)
  own <- fit(cocr(function(x, y, weights) function(x) x[, 1L]), data, verbose = FALSE)
  expect_snapshot(error = TRUE, {
    write_model(mixed_for_c(gbrt(2), first = first), file, "c")
    write_model(mixed_for_c(gbrt(2), weights = mix_weights(standardize = "query")), file, "c")
    write_model(mixed_for_c(gbrt(2), grid = mix_grid(features = "standardized")), file, "c")
    write_model(calibrate(predict(booster, data, type = "raw"), data, calibrator_rbc()), file, "c")
    write_model(mix(list(a = trees, b = data$x[, 1L]), data), file, "c")
    write_model(mix(list(a = trees, b = turned), data), file, "c")
    write_model(mix(list(a = trees, b = booster), data, weights = mix_weights(standardize = "query")), file, "c")
    write_model(own, file, "c")
    write_model(simulate_ranking(5, seed = 1)$truth, file, "c")
  })
})
