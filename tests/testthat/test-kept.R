test_that("every kind of model predicts what it did", {
  kept <- readRDS(test_path("fixtures", "predictions.rds"))
  cases <- suppressWarnings(kept_cases())
  skip_if_not_installed("Matrix")
  expect_setequal(names(kept), names(cases))
  # What an optimiser ends with depends on the last bits of other processors' functions.
  optimised <- grepl("calibrated by (cpc|rbc)|mixture|svm|whitened", names(cases))
  for (i in seq_along(cases)) {
    name <- names(cases)[i]
    expect_equal(unname(suppressWarnings(cases[[name]]())), unname(kept[[name]]),
                 tolerance = if (optimised[i]) 1e-8 else 1e-12, label = name)
  }
})
