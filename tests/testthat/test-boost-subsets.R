test_that("the best prefix of sorted levels is the best of all subsets under squared error", {
  for (seed in 1:20) {
    set.seed(seed)
    count <- sample(2:7, 1)
    level <- c(letters[seq_len(count)], sample(letters[seq_len(count)], 60, TRUE))
    gradient <- rnorm(length(level)) + match(level, letters) %% 3
    hessian <- sample(c(1, 2, 0.5), length(level), TRUE)
    fast <- naive_subset_split(level, gradient * hessian, hessian, cat_smooth = 0, cat_l2 = 0,
                               min_data_per_group = 1)
    slow <- best_subset(all_subsets(letters[seq_len(count)]), level, gradient * hessian, hessian, 0, 1)
    expect_equal(fast$gain, slow$gain, tolerance = 1e-12)
  }
})

test_that("neither row order nor the names of levels change the split", {
  set.seed(1)
  level <- sample(letters[1:9], 300, TRUE)
  gradient <- round(rnorm(300) * 8) + match(level, letters) %% 4  # sums of whole numbers are exact
  split <- naive_subset_split(level, gradient, rep(1, 300), min_data_per_group = 5)
  mixed <- sample(300)
  again <- naive_subset_split(level[mixed], gradient[mixed], rep(1, 300), min_data_per_group = 5)
  expect_identical(again, split)
  # A renaming that keeps the order of names.
  other <- naive_subset_split(toupper(level), gradient, rep(1, 300), min_data_per_group = 5)
  expect_identical(tolower(other$left), split$left)
})

test_that("rare levels, and more levels than max_cat_threshold, form no set", {
  level <- rep(c("a", "b", "c", "d"), c(50, 50, 50, 3))
  gradient <- rep(c(1, -1, 2, -40), c(50, 50, 50, 3))
  split <- naive_subset_split(level, gradient, rep(1, 153), cat_l2 = 0, min_data_per_group = 10)
  expect_false("d" %in% split$left)
  expect_null(naive_subset_split(level, gradient, rep(1, 153), min_data_per_group = 100))
  many <- rep(letters, each = 20)
  one <- naive_subset_split(many, match(many, letters) - 13, rep(1, 520), max_cat_threshold = 1,
                            min_data_per_group = 1)
  expect_length(one$left, 1L)
})
