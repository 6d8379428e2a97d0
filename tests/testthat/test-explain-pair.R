test_that("a pair's contributions sum to the difference, and agree with all subsets", {
  data <- random_data(queries = 20, features = 4, missing = 0.1)
  for (model in list(fit(gbrt(trees = 8, num_leaves = 6, min_data_in_leaf = 1), data),
                     fit(linear_ranker(penalty = 0.1), data))) {
    pair <- explain_pair(model, data, 5, 9)
    scores <- predict(model, data$x[c(5, 9), ])
    expect_equal(unname(attr(pair, "scores")), scores, tolerance = 1e-12)
    expect_lt(abs(sum(pair$contribution) - (scores[1] - scores[2])), 1e-12)
    naive <- naive_by_background(function(x) predict(model, x), data$x[5, , drop = FALSE],
                                 data$x[9, , drop = FALSE])
    expect_equal(pair$contribution, naive[match(pair$feature, data$features)], tolerance = 1e-10)
    expect_false(is.unsorted(-abs(pair$contribution)))
    # The reversed pair has the opposite signs.
    turned <- explain_pair(model, data, 9, 5)
    expect_equal(turned$contribution[match(pair$feature, turned$feature)], -pair$contribution)
  }
  sampled <- explain_pair(fit(m5p(), data), data, 5, 9, times = 3, seed = 1)
  expect_equal(sum(sampled$contribution), -diff(unname(attr(sampled, "scores"))))
})

test_that("a feature with equal values in both documents contributes 0", {
  data <- random_data(queries = 20, features = 4)
  data$x[5, 2] <- data$x[9, 2]
  model <- fit(gbrt(trees = 8, num_leaves = 6, min_data_in_leaf = 1), data)
  pair <- explain_pair(model, data, 5, 9)
  expect_identical(pair$contribution[pair$feature == "x2"], 0)
})

test_that("the contribution of a factor with a missing level is in the row of the other document's level", {
  frame <- factor_frame(queries = 60, levels = 4, missing = 0.2)
  data <- factor_data(frame)
  model <- fit(gbrt(trees = 8, num_leaves = 6, categories = "subsets", cat_smooth = 1, min_data_per_group = 5), data)
  missing <- which(is.na(frame$site))[1L]
  known <- which(frame$site == "s03")[1L]
  pair <- explain_pair(model, data, missing, known)
  expect_identical(pair$feature[pair$contribution != 0 & !pair$feature %in% c("a", "b")], "site=s03")
  reversed <- explain_pair(model, data, known, missing)
  expect_equal(reversed$contribution[reversed$feature == "site=s03"], -pair$contribution[pair$feature == "site=s03"])
})

test_that("a pair is printed, and bad rows are reported", {
  train <- example_part("train")
  model <- fit(gbrt(20), train, threads = 1)
  best <- order(-predict(model, train))
  pair <- explain_pair(model, train, best[1], best[50])
  expect_snapshot(pair)
  expect_output(print(explain_pair(model, train, best[50], best[1])), "in fact below")
  expect_output(print(pair[1:2]), "feature")
  expect_snapshot_error(explain_pair(model, train, 1, 10000), class = "rankmix_error_argument")
  expect_snapshot_error(explain_pair(model, train, 0, 1), class = "rankmix_error_argument")
  expect_snapshot_error(explain_pair(model, train, 2, 2), class = "rankmix_error_argument")
  expect_snapshot_error(explain_pair(gbrt(), train, 1, 2), class = "rankmix_error_argument")
  expect_snapshot_error(explain_pair(model, train, 1), class = "rankmix_error_argument")
})
