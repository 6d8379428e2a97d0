test_that("cascades print, change and tune", {
  spec <- cascade(cheap = linear_ranker(penalty = 1), gbrt(20), lambdamart(trees = 20), keep = c(50, 10))
  expect_snapshot({
    spec
    update(spec, keep = c(20, 5), folds = 1)
  })
  expect_identical(update(spec, keep = c(50, 10)), spec)
  data <- random_data(queries = 30, seed = 1)
  found <- suppressWarnings(benchmark_rankers(
    list(cascade = cascade(linear_ranker(penalty = 1), gbrt(5, num_leaves = 4), keep = 2)), query_folds(data, 3, seed = 1),
    data = data, tune = list(cascade = list(keep = c(2, 4))), seed = 1, verbose = FALSE
  ))
  expect_true(all(grepl("^keep = [24]$", found$runs$tuned)))
})

test_that("cascades that make no sense are refused", {
  data <- random_data(queries = 10)
  expect_snapshot(error = TRUE, {
    cascade(linear_ranker(), gbrt())
    cascade(linear_ranker(), keep = 3)
    cascade(linear_ranker(), 3, keep = 3)
    cascade(linear_ranker(), gbrt(), keep = c(5, 3))
    cascade(linear_ranker(), gbrt(), gbrt(), keep = c(5, 5))
    cascade(linear_ranker(), gbrt(), keep = 0)
    cascade(linear_ranker(), gbrt(), keep = "5")
    cascade(linear_ranker(), gbrt(), keep = 5, fold = 3)
    cascade(linear_ranker(), gbrt(), 10)
    cascade(list(linear_ranker(), gbrt()), keep = 10)
    cascade(linear_ranker, gbrt(), keep = 10)
    cascade(a = linear_ranker(), a = gbrt(), keep = 10)
    cascade(linear_ranker(), gbrt(), keep = 0.2)
    mixture(cascade(linear_ranker(), gbrt(), keep = 5), gbrt())
    mixture(fit(cascade(best_feature(), gbrt(2, min_data_in_leaf = 1), keep = 2), data, verbose = FALSE), gbrt())
    bagging(cascade(linear_ranker(), gbrt(), keep = 5))
  })
})

test_that("the traits of a cascade are those that all stages have", {
  traits <- function(...) rankmix:::traits_of(cascade(..., keep = 3))
  expect_true(all(c("missing", "weights", "sparse") %in% traits(gbrt(), lambdamart())))
  expect_false("real_relevance" %in% traits(gbrt(), yetirank()))
  expect_false("bins" %in% traits(gbrt(), gbrt()))
})
