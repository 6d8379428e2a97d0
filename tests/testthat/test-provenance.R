train <- function() read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
demo_model <- function(spec = lambdamart(trees = 6)) fit(spec, train(), seed = 3, threads = 1, verbose = FALSE)

test_that("the provenance does not depend on the order of rows or threads", {
  data <- train()
  model <- demo_model()
  other <- fit(lambdamart(trees = 6), data[rev(seq_along(data$query_ids))], seed = 3, threads = 2, verbose = FALSE)
  expect_identical(provenance(model), provenance(other))
  expect_false(identical(provenance(model), provenance(demo_model(lambdamart(trees = 6, learning_rate = 0.2)))))
  expect_snapshot(print(provenance(model)))
})

test_that("models of all boosters are verified, also with dropout", {
  specs <- list(gbrt(trees = 5), gbrt(trees = 5, dropout = 0.5), lambdamart(trees = 5, bagging_fraction = 0.5),
                yetirank(trees = 3), rankboost(rounds = 5), adaboost_mh(base_tree(4), rounds = 5))
  for (spec in specs) {
    checked <- verify(demo_model(spec), train(), threads = 2)
    expect_true(attr(checked, "verified"), info = format(spec))
    expect_true(all(checked$same))
  }
})

test_that("a changed leaf is found in its round and in later rounds", {
  model <- demo_model()
  changed <- model
  at <- changed$forest$leaf_begin[4] + 1L  # the first leaf of round 4
  changed$forest$values[at] <- changed$forest$values[at] * (1 + 1e-12)
  checked <- verify(changed, train(), rounds = 1:6)
  expect_identical(checked$same, c(TRUE, TRUE, TRUE, FALSE, FALSE, FALSE))
  expect_true(attr(checked, "same_data"))
  expect_snapshot(print(checked))
})

test_that("other data are not another model", {
  data <- train()
  checked <- verify(demo_model(), data[-1])
  expect_false(any(checked$same))
  expect_false(attr(checked, "same_data"))
  expect_snapshot(print(checked))
})

test_that("models that cannot be verified are refused", {
  linear <- fit(linear_ranker(penalty = 1), train(), verbose = FALSE)
  expect_snapshot(error = TRUE, {
    provenance(linear)
    verify(linear, train())
    verify(demo_model(), train(), rounds = 7)
  })
})

test_that("settings that are not set are no part of the hash", {
  spec <- gbrt(trees = 2)
  older <- unclass(spec)
  older$feature_cost <- NULL
  expect_null(spec$feature_cost)
  expect_identical(hash_of_settings(structure(older, class = class(spec))), hash_of_settings(spec))
  expect_false(identical(hash_of_settings(gbrt(trees = 3)), hash_of_settings(spec)))
})

test_that("a hash on a full disk is an error, not another hash", {
  local_function("write_bytes", function(bytes, path) "not all bytes were written")
  expect_error(rankmix:::hash_of_values(list("a", 1:3)), "temporary file", class = "rankmix_error_file")
})
