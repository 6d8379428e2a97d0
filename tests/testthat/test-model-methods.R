train <- example_part("train")
valid <- example_part("vali")
classifier <- fit(adaboost_mh(base_tree(4), 20), train, valid, seed = 1)
boosted <- fit(gbrt(20), train, seed = 1)
feature <- fit(best_feature(), train)
calibrated <- calibrate(classifier, valid, calibrator_cpc())
mixture <- tune_and_mix(train, valid, list(classifier, adaboost_mh(base_stump(), 20)),
                        list(calibrator_naive(), calibrator_cpc()), seed = 1)
mixed <- mix(list(boosted = boosted, feature = feature, scores = valid$x[, 2]), valid)

test_that("plot() draws what autoplot() gives", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  for (model in list(classifier, boosted, feature, calibrated, mixture, mixed)) {
    shown <- withVisible(plot(model))
    expect_false(shown$visible)
    expect_identical(class(shown$value), class(ggplot2::autoplot(model)))
  }
  expect_identical(plot(boosted, "importance")$labels$title,
                   ggplot2::autoplot(boosted, "importance")$labels$title)
  e <- evaluate(list(a = boosted, b = feature), valid, metric_ndcg(10))
  compared <- compare_rankers(e, seed = 1)
  curve <- learning_curve(list(feature = best_feature()), list(train = train, test = valid),
                          fractions = c(0.5, 1), seed = 1, verbose = FALSE)
  for (one in list(e, compared, curve, cutoff_curves(valid$x[, 1], valid, metric_ndcg(3)),
                   convention_report(as.data.frame(valid$x[, 1:2]), valid, metric_ndcg(3)),
                   compare_over_datasets(cbind(a = 1:3, b = c(2, 1, 4), c = c(3, 3, 1))))) {
    expect_s3_class(plot(one), "ggplot")
  }
})

test_that("plot() draws all that autoplot() draws", {
  skip_if_not_installed("ggplot2")
  # Each class with an autoplot() method needs a plot() method, for the class itself or for all rankers.
  registered <- asNamespace("rankmix")$.__NAMESPACE__.$S3methods
  # Methods that only raise an error are registered as functions, so their third entry is not a string.
  registered <- registered[vapply(registered[, 3L], is.character, NA), 1:2]
  drawn <- as.character(registered[registered[, 1L] == "autoplot", 2L])
  plotted <- as.character(registered[registered[, 1L] == "plot", 2L])
  rankers <- grepl("_model$|_mix$|_mixture$|_calibrated$|_path$", drawn)
  expect_identical(setdiff(drawn[!rankers], plotted), character())
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  named <- simulate_ranking(20, seed = 1)$data
  model <- fit(gbrt(10, num_leaves = 4, min_data_in_leaf = 1), named, seed = 1)
  for (one in list(explain(model, named), explain_pair(model, named, above = 1, below = 2),
                   permutation_importance(model, named, metric_ndcg(10), seed = 1),
                   partial_dependence(model, named, named$features[1L]))) {
    expect_s3_class(plot(one), "ggplot")
  }
})

test_that("augment() puts scores and ranks beside the data", {
  for (model in list(classifier, boosted, feature, calibrated, mixture)) {
    frame <- augment(model, valid, threads = 1)
    expect_identical(frame$.score, predict(model, valid))
    expect_equal(frame$.rank, predict(model, valid, type = "rank"))
    expect_identical(frame[seq_len(ncol(frame) - 2L)], as.data.frame(valid))
  }
  features <- as.data.frame(valid$x)
  plain <- augment(boosted, features)
  expect_identical(names(plain), c(names(features), ".score"))
  framed <- data.frame(features, query = valid$query, grade = valid$relevance)
  known <- fit(gbrt(5), ranking_data(framed, relevance = grade, query = query), threads = 1)
  expect_equal(augment(known, framed)$.rank, predict(known, framed, type = "rank"))
  expect_named(augment(known, features), c(names(features), ".score"))
  expect_identical(augment(boosted, valid, rounds = 5)$.score, predict(boosted, valid, rounds = 5))
  unjudged <- ranking_data(features, query = valid$query)
  expect_equal(augment(boosted, unjudged)$.rank, predict(boosted, valid, type = "rank"))
  expect_error(augment(boosted), "`data` is not given", class = "rankmix_error_argument")
  expect_error(augment(boosted, valid, rounds = c(1, 2)), class = "rankmix_error_argument")
  expect_error(augment(boosted, newdata = valid), "`data` is not given",
               class = "rankmix_error_argument")
})

test_that("summary() of a model is its glance and its features", {
  for (model in list(classifier, boosted, feature)) {
    summarised <- summary(model)
    expect_identical(summarised$fit, glance(model))
    expect_identical(summarised$features, tidy(model))
    expect_error(summary(model, data = 1), "no argument `data`", class = "rankmix_error_argument")
  }
  expect_identical(summary(calibrated)$features, calibrated$reliability)
  expect_identical(glance(calibrated)$rounds, calibrated$rounds)
  expect_snapshot({
    summary(feature)
    summary(mixed)
  })
})

test_that("models are not updated", {
  for (model in list(classifier, boosted, feature, calibrated, mixture, mixed)) {
    error <- expect_error(update(model, rounds = 3), "changes a specification",
                          class = "rankmix_error_argument")
    expect_identical(as.character(error$call[[1L]]), "update")
  }
})

test_that("calibrators are not updated either", {
  for (method in all_calibrators()[c(1, 2, 12)]) {
    error <- expect_error(update(method, model = "linear"), class = "rankmix_error_argument")
    expect_identical(as.character(error$call[[1L]]), "update")
  }
  expect_snapshot(error = TRUE, update(calibrator_cpc(), target = "sigmoid"))
})

test_that("autoplot() is there without ggplot2 on the search path", {
  skip_if_not_installed("ggplot2")
  expect_true("autoplot" %in% getNamespaceExports("rankmix"))
  ours <- rankmix::autoplot(boosted, "importance")
  expect_identical(ours$data, ggplot2::autoplot(boosted, "importance")$data)
  error <- expect_error(rankmix::autoplot(boosted, "trees"), class = "rankmix_error_argument")
  expect_identical(as.character(error$call[[1L]]), "autoplot")
})
