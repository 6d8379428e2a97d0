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

test_that("a factor that is split by subsets has one row, over all and within queries", {
  frame <- factor_frame(queries = 20, levels = 6, missing = 0.1)
  data <- factor_data(frame)
  model <- fit(gbrt(trees = 8, num_leaves = 6, categories = "subsets", cat_smooth = 1, min_data_per_group = 5),
               data, threads = 1)
  shap <- explain(model, data, threads = 1)
  name <- data$encoding[[1L]]$column
  levels <- data$encoding[[1L]]$features
  phi <- rowSums(shap$values[, levels])
  table <- tidy(shap)
  expect_setequal(table$feature, c(setdiff(data$features, levels), name))
  row <- table[table$feature == name, ]
  within <- mean(abs(phi - ave(phi, shap$query)))
  expect_gt(within, 0)
  expect_equal(c(row$importance, row$within, row$mean), c(mean(abs(phi)), within, mean(phi)))
  expect_equal(sum(table$fraction), 1)
  first <- shap$query == shap$query[1]
  of_query <- tidy(shap, by = "query")
  of_query <- of_query[of_query$query == shap$query[1] & of_query$feature == name, ]
  expect_equal(of_query$within, mean(abs(phi[first] - mean(phi[first]))))
})
