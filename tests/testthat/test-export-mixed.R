skip_if_not_installed("jsonlite")

held_out_for_export <- function() {
  data <- simulate_ranking(30, features = 6, seed = 5)$data
  ranking_data(data$x, data$relevance, data$query + 1000)
}

every_calibrator <- function() c(all_calibrators(), list(calibrator_naive("grade"), calibrator_rbc("isotonic")))

small_mixture <- function(..., calibrators = list(calibrator_naive(), calibrator_rbc("polynomial")),
                          data = export_data()) {
  spec <- mixture(..., calibrators = calibrators)
  suppressWarnings(fit(spec, data, held_out_for_export(), metric_ndcg(5), seed = 1,
                       verbose = FALSE), classes = "rankmix_warning_grade")
}

boosted <- function() adaboost_mh(base_tree(3), 4)

test_that("mixtures of all kinds of models, calibrators and weights are read back", {
  skip_if_quick()
  valid <- held_out_for_export()
  mixtures <- list(
    every = small_mixture(boosted(), gbrt(5, num_leaves = 4), calibrators = every_calibrator()),
    kinds = small_mixture(ranksvm(c(0.1, 1)), cocr(gbrt(3)), network_ranker(hidden = 2, epochs = 2)),
    sets = small_mixture(boosted(), linear_ranker(penalty = 0.1, missing = "indicator"),
                         m5p(min_data_in_split = 40),
                         grid = mix_grid(list("identity", "binary"),
                                            c("original", "standardized", "whitened")),
                         data = export_data(FALSE)),
    selected = small_mixture(boosted(), mcsvm(0.1), weights = "selection", holdout = "same"),
    ascent = small_mixture(boosted(), gbrt(5), weights = mix_weights(method = "ascent",
                                                                standardize = "query")),
    one = small_mixture(bagging(m5p(min_data_in_split = 40), times = 2), calibrators = list(calibrator_rbc()))
  )
  for (name in names(mixtures)) {
    model <- mixtures[[name]]
    back <- written_and_read(model)
    expect_identical(back, model, label = name)
    expect_identical(all_predictions(back, valid), all_predictions(model, valid), label = name)
    expect_identical(summary(back), summary(model))
  }
  # Some row names are stored explicitly, and some are automatic.
  expect_gt(length(unique(lapply(mixtures, function(m) attr(m$setting, "row.names")))), 1L)
})

test_that("calibrated classifiers and discriminants are read back with every calibrator", {
  skip_if_quick()
  data <- export_data()
  valid <- held_out_for_export()
  local_function("warn_range", function(fitted, f) NULL)
  for (spec in list(boosted(), mcsvm(0.1), cocr(linear_ranker(penalty = 0.1)))) {
    classifier <- fit(spec, data, seed = 1, verbose = FALSE)
    f <- predict(classifier, valid, type = "raw")
    boosts <- rankmix:::spec_name(spec) == "adaboost_mh"
    methods <- if (boosts) every_calibrator() else list(calibrator_naive(), calibrator_rbc())
    for (method in methods) {
      label <- paste(format(spec), format(method))
      model <- calibrate(classifier, valid, method)
      back <- written_and_read(model)
      expect_identical(back, model, label = label)
      expect_identical(all_predictions(back, valid), all_predictions(model, valid), label = label)
      foreign <- calibrate(f, valid, method)
      back <- written_and_read(foreign)
      expect_identical(back, foreign, label = label)
      expect_identical(all_predictions(back, f), all_predictions(foreign, f), label = label)
    }
  }
})

test_that("mix() of models is read back, and requests scores that were given", {
  data <- export_data()
  valid <- held_out_for_export()
  rankers <- list(trees = fit(gbrt(4), data, seed = 1, verbose = FALSE),
                  mixed = small_mixture(boosted()), bm25 = valid$x[, 1L])
  for (weighting in list(mix_weights(), mix_weights(method = "selection"), mix_weights(standardize = "query"))) {
    model <- mix(rankers, valid, weights = weighting, seed = 1)
    back <- written_and_read(model)
    expect_identical(back, model)
    given <- list(bm25 = valid$x[, 1L])
    expect_identical(all_predictions(back, valid, scores = given),
                     all_predictions(model, valid, scores = given))
    if (model$members$weight[3L] > 0) {
      expect_error(predict(back, valid), class = "rankmix_error_scores")
    }
    expect_identical(capture.output(print(back)), capture.output(print(model)))
  }
})

test_that("models with functions of the user are refused with a reason", {
  data <- export_data()
  valid <- held_out_for_export()
  first <- function(data) data$x[, 1L]
  file <- withr::local_tempfile()
  own <- new_ranker("own", train = function(x, ...) NULL,
                    predict = function(model, x, ...) as.double(is.na(x[, 1L])),
                    traits = "missing")
  expect_snapshot(error = TRUE, {
    write_model(small_mixture(boosted(), first = first), file)
    write_model(mix(list(first = first, trees = fit(gbrt(2), data, seed = 1, verbose = FALSE)),
                    valid), file)
    write_model(fit(own(), data, verbose = FALSE), file)
    write_model(simulate_ranking(5, seed = 1)$truth, file)
  })
})

test_that("mixtures whose parts do not fit together are refused", {
  skip_if_quick()
  refused <- function(model, change) {
    changed <- change(model)
    stopifnot(!identical(changed, model))
    expect_error(written_and_read(changed), class = "rankmix_error_model_file")
  }
  set_in <- function(...) {
    path <- list(...)
    function(value) {
      function(model) {
        model <- unclass(model)
        call <- Reduce(function(inner, key) call("[[", inner, key), path, quote(model))
        eval(call("<-", call, value))
        structure(model, class = c("rankmix_mixture", "rankmix_ranker"))
      }
    }
  }
  model <- small_mixture(boosted(), gbrt(4))
  refused(model, set_in("models")(list()))
  refused(model, set_in("models")(list(1, 2)))
  refused(model, set_in("members", "model")(rep(3L, nrow(model$members))))
  refused(model, set_in("members", "weight")(rep(NaN, nrow(model$members))))
  refused(model, set_in("members", "family")(rep(NA_character_, nrow(model$members))))
  refused(model, set_in("fitted")(model$fitted[-1L]))
  refused(model, set_in("fitted")(rev(model$fitted)))
  refused(model, set_in("fitted", 1L)(list()))
  for (field in c("scale", "standardize", "method", "threshold", "skipped")) {
    refused(model, function(model) {
      model[[field]] <- NULL
      model
    })
  }
  refused(model, set_in("members", "ranker")(NULL))
  refused(model, set_in("members", "features")(NULL))
  refused(model, set_in("skipped")("gbrt()"))
  refused(model, set_in("scale")(1))
  refused(model, set_in("rounds")("a"))
  refused(model, set_in("metric")(list()))
  refused(model, set_in("standardize")("row"))
  refused(model, set_in("method")("none"))
  refused(model, set_in("setting")(list()))
  refused(model, set_in("tuning", "fraction")(rep("a", nrow(model$tuning))))
  refused(model, set_in("contributions", "without")(model$contributions$without[, -2L]))
  refused(model, set_in("contributions", "alone")(model$contributions$alone[-1L, ]))
  refused(model, set_in("contributions", "weight")(1))
  refused(model, set_in("models", 2L, "own_rounds")(9L))
  refused(model, set_in("models", 2L, "feature_set")("standardized"))
  refused(model, set_in("models", 2L)(model))
})

test_that("calibrators whose numbers do not fit are refused", {
  skip_if_quick()
  valid <- held_out_for_export()
  f <- predict(fit(boosted(), export_data(), seed = 1, verbose = FALSE), valid, type = "raw")
  refused <- function(model, name, value) {
    model$fitted[[name]] <- value
    expect_error(written_and_read(model), class = "rankmix_error_model_file")
  }
  # These fields are reported and not used.
  reported <- c("method", "value", "converged", "length", "noise", "signal", "left")
  for (method in every_calibrator()) {
    model <- calibrate(f, valid, method)
    needed <- setdiff(names(model$fitted), reported)
    if (identical(method$model, "isotonic")) {
      needed <- c(needed, "value")
      refused(model, "at", rev(model$fitted$at))
    }
    for (name in needed) {
      refused(model, name, c(model$fitted[[name]], 1))
      refused(model, name, rep(NA_real_, length(model$fitted[[name]])))
      refused(model, name, NULL)
    }
  }
  classifier <- calibrate(fit(boosted(), export_data(), verbose = FALSE), valid, calibrator_naive())
  for (change in list(list(rounds = 9), list(classes = 3L), list(classifier = 1),
                      list(discriminants = 1), list(fitted = NULL))) {
    broken <- structure(utils::modifyList(unclass(classifier), change),
                        class = class(classifier))
    expect_error(written_and_read(broken), class = "rankmix_error_model_file")
  }
})
