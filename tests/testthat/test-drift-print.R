test_that("drift() prints in 80 columns", {
  withr::local_options(width = 80)
  vali <- example_part("vali")
  moved <- example_part("test")
  moved$x[, "f1"] <- moved$x[, "f1"] + 1
  moved$x[1:700, "f20"] <- NA
  score <- function(data) data$x[, 1]
  expect_snapshot({
    drift(score, moved, vali, metric = "ndcg@10", seed = 1, threads = 1)
    drift(score, moved, vali, metric = "ndcg@10", margin = 0.2, features = c("f1", "f2"), seed = 1, threads = 1)
    drift(score, moved, vali, permutations = 99, seed = 1, threads = 1)
  })
  long <- paste0("a_feature_with_a_long_name_", 1:20)
  named <- function(data) ranking_data(`colnames<-`(data$x, long), data$relevance, data$query)
  lines <- capture.output(print(drift(score, named(moved), named(vali), permutations = 99)))
  expect_lte(max(nchar(lines)), 80L)
})

test_that("the training data as reference are shown", {
  train <- example_part("train")
  model <- fit(gbrt(trees = 2), train, threads = 1, verbose = FALSE)
  expect_output(print(drift(model, example_part("test"), train, permutations = 99)), "is the training data")
})
