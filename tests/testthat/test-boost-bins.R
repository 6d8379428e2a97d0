test_that("the bins of each feature of a bandit are stored apart", {
  expect_true(rankmix:::searches_single(adaboost_mh(base_stump(), search = search_bandit())))
  expect_false(rankmix:::searches_single(adaboost_mh(base_stump())))
  expect_false(rankmix:::searches_single(gbrt()))
})
