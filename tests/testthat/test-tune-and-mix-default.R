test_that("default members are of several kinds, as typed", {
  expect_snapshot(writeLines(vapply(default_members(), format, "")))
  expect_identical(as.character(formals(tune_and_mix)$members), "default_members")
  texts <- vapply(default_members(), format, "")
  expect_identical(anyDuplicated(texts), 0L)
})

test_that("default members have all traits except learning from one grade", {
  traits <- rankmix:::traits_of(do.call(mixture, default_members()))
  expect_setequal(traits, c("resumable", "validation", "random", "missing", "weights", "sparse"))
})

test_that("all of them are trained, and all have equal prior weights", {
  data <- simulate_ranking(60, features = 5, seed = 1)$data
  parts <- split_parts(split_queries(data, 0.6, seed = 1), data)
  expect_no_warning(
    model <- tune_and_mix(parts$train, parts$test, calibrators = list(calibrator_naive(), calibrator_rbc()),
                          weights = mix_weights(0, rounds = c(5, 20)), seed = 1, verbose = FALSE)
  )
  expect_length(model$skipped, 0L)
  steps <- lapply(model$models[model$members$model], `[[`, "of_path")
  given <- ifelse(lengths(steps) > 0L, as.character(steps), model$members$classifier)
  weights <- tapply(model$members$weight, given, sum)
  expect_length(weights, length(default_members()))
  expect_equal(as.vector(weights), rep(1 / length(weights), length(weights)))
  expect_true(all(is.finite(predict(model, parts$test))))
})
