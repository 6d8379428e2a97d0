test_that("rankers are labelled by their names, or by the settings that differ", {
  labels <- function(...) rankmix:::ranker_labels(rankmix:::as_members(list(...)))
  expect_identical(labels(gbrt(50), linear_ranker(penalty = 2)), c("gbrt()", "linear_ranker()"))
  expect_identical(labels(gbrt(50), gbrt(50, num_leaves = 4)), c("gbrt()", "gbrt(num_leaves = 4)"))
  expect_identical(labels(gbrt(), gbrt(num_leaves = 8), gbrt(num_leaves = 8, feature_fraction = 0.5)),
                   c("gbrt()", "gbrt(num_leaves = 8)", "gbrt(feature_fraction = 0.5)"))
  expect_identical(labels(gbrt(), lambdamart(), lambdamart(metric_ndcg(5))),
                   c("gbrt()", "lambdamart()", "lambdamart(\"ndcg@5\")"))
  expect_identical(labels(best = gbrt(), gbrt(), gbrt()), c("best", "gbrt()", "gbrt() #1"))
  expect_identical(labels(function(data) 1, mine = function(data) 2), c("function 1", "mine"))
  mixture <- tune_and_mix(example_part("train"), example_part("vali"),
                          list(trees = gbrt(10, num_leaves = 4), line = linear_ranker(penalty = c(0.1, 10))),
                          seed = 1, verbose = FALSE)
  expect_setequal(mixture$members$ranker, c("trees", "line"))
  expect_identical(format(mixture(trees = gbrt(10), linear_ranker())),
                   "mixture(trees = gbrt(trees = 10, num_leaves = 31, learning_rate = 0.1), linear_ranker())")
  # update() and JSON keep the names.
  spec <- update(mixture(trees = gbrt(10), line = linear_ranker()), metric = "map")
  expect_identical(names(spec$members), c("trees", "line"))
})
