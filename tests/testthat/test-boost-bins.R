test_that("a bandit's features lie by themselves", {
  expect_true(rankmix:::searches_single(adaboost_mh(stump(), search = bandit())))
  expect_false(rankmix:::searches_single(adaboost_mh(stump())))
  expect_false(rankmix:::searches_single(gbrt()))
})
