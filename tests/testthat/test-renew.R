trained <- function(spec = gbrt(trees = 10, num_leaves = 8), data = example_part("train")) {
  fit(spec, data, seed = 1, threads = 1, verbose = FALSE)
}

test_that("only a non-inferior model is returned", {
  model <- trained()
  vali <- example_part("vali")
  test <- example_part("test")
  new <- renew(model, vali, floor = 0.2, validation = test, threads = 1)
  compared <- compare_rankers(new = new, old = model, data = test,
                             metric = metric_ndcg(10, ties = "average"), test = "t")
  expect_equal(new$renewed$difference, compared$pairs$difference)
  expect_equal(new$renewed$p_noninferior, tidy(equivalence(compared, 0.2))$p_noninferior)
  expect_identical(predict(new, test), predict(renew(model, vali, threads = 1), test))
  # Leaves trained on reversed grades are inferior.
  wrong <- vali
  wrong$relevance <- 3L - wrong$relevance
  expect_warning(kept <- renew(model, wrong, floor = 0.01, validation = test, threads = 1),
                 class = "rankmix_warning_floor")
  expect_identical(kept, model)
  expect_warning(renew(model, vali, floor = 0.2, validation = vali, threads = 1), class = "rankmix_warning_overlap")
  # The mean difference is 0, but its interval is wider than this tiny floor.
  expect_warning(renew(model, vali, floor = 1e-9, validation = test, threads = 1), "Give more")
})

test_that("calibrators are fitted again on the same classifier", {
  vali <- example_part("vali")
  test <- example_part("test")
  model <- trained(adaboost_mh(base_tree(4), rounds = 8))
  calibrated <- calibrate(model, vali, calibrator_cpc("log_sigmoid"), rounds = 5)
  expect_identical(renew(calibrated, vali, "calibration")$fitted, calibrated$fitted)
  new <- renew(calibrated, test, "calibration", threads = 1)
  expected <- calibrate(model, test, calibrator_cpc("log_sigmoid"), rounds = 5)
  expect_identical(new$fitted, expected$fitted)
  expect_identical(new$rounds, 5)
  expect_identical(new$renewed$what, "calibration")
  expect_identical(predict(new, vali), predict(expected, vali))
})

test_that("renewed models are models", {
  vali <- example_part("vali")
  test <- example_part("test")
  for (what in c("leaves", "rounds")) {
    rounds <- if (what == "rounds") list(rounds = 3)
    new <- do.call(renew, c(list(trained(), vali, what, seed = 1, threads = 1), rounds))
    expect_identical(new$renewed[c("what", "queries", "documents")],
                     data.frame(what = what, queries = 50L, documents = nrow(vali)))
    file <- withr::local_tempfile(fileext = ".json")
    write_model(new, file)
    expect_identical(predict(read_model(file), test), predict(new, test))
    shap <- explain(new, test, background = vali, threads = 1)
    expect_equal(shap$scores, predict(new, test))
    expect_output(print(new), "trees")
    expect_identical(glance(new)$trees, rankmix:::rounds_used(new))
    # A renewed model can be renewed again.
    again <- renew(new, vali, "leaves", threads = 1)
    expect_identical(nrow(again$renewed), 1L)
    expect_error(fit(new, vali, rounds = 30, verbose = FALSE), class = "rankmix_error_newdata")
    expect_error(verify(new, vali), "renewed", class = "rankmix_error_class")
    expect_error(provenance(new), "renewed", class = "rankmix_error_class")
  }
})

test_that("bad input is refused", {
  vali <- example_part("vali")
  bare <- ranking_data(vali$x, query = vali$query)
  model <- trained(gbrt(trees = 2))
  few <- function(spec) trained(spec, vali)
  expect_snapshot(error = TRUE, {
    renew()
    renew(model)
    renew(vali, vali)
    renew(model, bare)
    renew(model, vali, "trees")
    renew(model, vali, decay_rate = 1)
    renew(model, vali, rounds = 0)
    renew(model, vali, floor = 0.1)
    renew(model, vali, validation = vali)
    renew(model, vali, floor = 0, validation = vali)
    renew(model, vali, what = "leaves", leaves = 1)
    renew(model, vali[, 1:10])
    renew(model, vali, "calibration")
    renew(few(yetirank(trees = 2)), vali)
    renew(few(linear_ranker(missing = "mean")), vali, "rounds")
    renew(few(gbrt(trees = 2, objective = loss_xendcg())), vali)
    renew(few(gbrt(trees = 2, dropout = 0.5)), vali)
    renew(few(gbrt(trees = 2, dropout = 0.5)), vali, "rounds")
    renew(few(gbrt(trees = 2, monotone_constraints = c(f1 = 1))), vali)
    renew(few(lambdamart(trees = 2, pairs = 5)), vali)
    renew(few(gbrt(trees = 2, objective = loss_ordinal())), vali, "rounds")
    renew(few(gbrt(trees = 2)), vali, rounds = 3)
    renew(few(gbrt(trees = 2)), vali, "rounds", decay_rate = 0.5)
    renew(calibrate(few(adaboost_mh(base_tree(4), rounds = 2)), vali, calibrator_naive()), vali)
  })
})

test_that("a calibrator of probabilities is renewed", {
  data <- simulate_ranking(60, documents = 8, seed = 3)$data
  old <- calibrate(fit(gbrt(20), data[1:20], verbose = FALSE), data[21:40], calibrator_probability())
  new <- renew(old, data[41:60], "calibration")
  expect_identical(predict(new, data, type = "prob"),
                   predict(calibrate(old$ranker, data[41:60], calibrator_probability()), data, type = "prob"))
  ranks <- calibrate(function(data) data$x[, 1], data[21:40], calibrator_probability("isotonic"))
  expect_identical(renew(ranks, data[41:60], "calibration")$method, calibrator_probability("isotonic"))
})
