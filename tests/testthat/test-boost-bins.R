test_that("a bandit's features lie by themselves", {
  expect_true(rankmix:::searches_single(adaboost_mh(base_stump(), search = search_bandit())))
  expect_false(rankmix:::searches_single(adaboost_mh(base_stump())))
  expect_false(rankmix:::searches_single(gbrt()))
})
