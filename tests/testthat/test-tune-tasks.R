test_that("rungs are nested, and folds cover the queries once", {
  data <- simulate_ranking(50, documents = 5, seed = 1)$data
  splits <- rankmix:::tuning_splits(data, NULL, 4, 7)
  ids <- rankmix:::id_text(data$query_ids)
  expect_setequal(unlist(lapply(splits, `[[`, "valid")), ids)
  for (split in splits) expect_setequal(c(split$train, split$valid), ids)
  few <- rankmix:::rung_ids(ids, 1 / 9, 3)
  some <- rankmix:::rung_ids(ids, 1 / 3, 3)
  expect_length(few, 6L)
  expect_length(some, 17L)
  expect_true(all(few %in% some))
  expect_identical(rankmix:::rung_ids(ids, 1, 3), ids)
})

test_that("trainings of candidates agree with fit()", {
  data <- simulate_ranking(60, documents = 8, seed = 2)$data
  prepared <- rankmix:::prepare_tuning(list(train = data[1:40], valid = data[41:60]), 1)
  metric <- rankmix:::choosing_metric(metric_ndcg(10))
  for (spec in list(gbrt(30), lambdamart(trees = 20), ranksvm(), best_feature(), adaboost_mh(rounds = 20))) {
    task <- list(spec = spec, metric = metric, patience = 10, seed = 4)
    found <- rankmix:::perform_tuning(task, prepared, 1, NULL)
    model <- fit(spec, data[1:40], data[41:60], metric, seed = 4, threads = 1, verbose = FALSE,
                 patience = if (rankmix:::has_trait(spec, "rounds")) 10)
    expect_identical(found$values, evaluate(model, data[41:60], metric)$value)
  }
  bad <- new_ranker("bad_ranker", train = function(spec, task) stop("no"), predict = function(model, x) x[, 1])
  failed <- rankmix:::perform_tuning(list(spec = bad(), metric = metric, seed = 1), prepared, 1, NULL)
  expect_match(failed$error, "no$")
})
