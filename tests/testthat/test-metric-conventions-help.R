test_that("conventions() lists the rules", {
  rules <- conventions()
  expect_identical(unique(rules$convention),
                   c("letor3", "letor4", "mslr", "yahoo", "ranklib", "trec_eval",
                     "trec_eval9", "gdeval", "lightgbm", "xgboost", "catboost",
                     "sklearn"))
  rule <- function(convention, metric) {
    rules[rules$convention == convention & rules$metric == metric, ]
  }
  expect_identical(rule("trec_eval9", "ndcg")$single_precision, "scores")
  expect_identical(rule("gdeval", "err")$empty, "drop")
  expect_identical(rule("letor3", "ndcg")$gain, "c(0, 1, 3)")
  expect_identical(rule("mslr", "precision")$relevant, "2")
})
