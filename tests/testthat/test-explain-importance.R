test_that("importance is the mean magnitude, over all and within queries", {
  data <- random_data(queries = 15, features = 3)
  shap <- explain(fit(gbrt(trees = 8, num_leaves = 6, min_data_in_leaf = 1), data), data)
  table <- tidy(shap)
  for (i in seq_len(3)) {
    phi <- shap$values[, table$feature[i]]
    expect_equal(table$importance[i], mean(abs(phi)))
    expect_equal(table$mean[i], mean(phi))
    expect_equal(table$within[i], mean(abs(phi - ave(phi, shap$query))))
  }
  expect_equal(sum(table$fraction), 1)
  expect_false(is.unsorted(-table$within))
  of_query <- tidy(shap, by = "query")
  expect_identical(nrow(of_query), 3L * length(data$query_ids))
  sizes <- as.vector(table(factor(shap$query, unique(shap$query))))
  first <- of_query[of_query$feature == "x1", ]
  expect_equal(weighted.mean(first$within, sizes), table$within[table$feature == "x1"])
  expect_equal(weighted.mean(first$mean, sizes), table$mean[table$feature == "x1"])
})

test_that("without queries there is no fraction within them", {
  train <- example_part("train")
  shap <- explain(fit(gbrt(20), train, threads = 1), train$x)
  expect_true(all(is.na(tidy(shap)$within)))
  expect_equal(sum(tidy(shap)$fraction), 1)
  expect_snapshot_error(tidy(shap, by = "query"), class = "rankmix_error_argument")
  expect_snapshot_error(tidy(shap, by = "row"), class = "rankmix_error_argument")
  expect_snapshot(summary(shap))
})
