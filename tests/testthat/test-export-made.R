test_that("settings are written as calls, and reading makes them by these calls", {
  made <- list(
    gbrt(5, num_leaves = 3, objective = loss_smooth(metric_ndcg(5, ties = "average"), 2)), gbrt(max_depth = 3),
    linear_ranker(loss_pairwise("logistic", pairs = "query"), penalty = c(1, 2)),
    linear_ranker(loss_squared("grade", class_weight = "balanced")), network_ranker(loss_list_mle(), hidden = c(3, 2)),
    adaboost_mh(base_product(3, "confidence"), search = search_bandit(0.3)),
    adaboost_mh(base_hamming_tree(4), grouping = c(0, 1, 1, 2, 2)), cocr(gbrt(3), cost = "absolute"),
    bagging(m5p(), times = 3), adarank(metric_average_precision(relevant = 2)), best_feature(metric_err(10)),
    coordinate_ascent(metric_rbp(p = 0.5)), smoothrank(metric_ndcg(5), start = ranksvm(1)),
    metric_ndcg(10, convention = "letor4"), metric_bpref(), metric_precision(5, short_lists = "shrink"), base_stump()
  )
  for (value in made) {
    maker <- rankmix:::maker_of(value)
    expect_equal(rankmix:::make(maker$name, maker$settings), value, label = maker$name)
    if (requireNamespace("jsonlite", quietly = TRUE)) {
      text <- rankmix:::json_value(value)
      expect_equal(rankmix:::value_of_json(jsonlite::parse_json(text)), value)
    }
  }
})

test_that("no other function is called", {
  for (name in list("system", "fit", "custom_metric", "new_ranker", "mixture", 1, c("gbrt", "tree"),
                    NULL)) {
    expect_error(rankmix:::make(name, list()), class = "rankmix_no_json")
  }
  expect_error(rankmix:::make("gbrt", list("..." = 1)), "no such setting")
  expect_error(rankmix:::make("gbrt", list(envir = 1)), "no such setting")
})
