test_that("cuts divide the weight of documents into equal parts", {
  cuts <- function(values, ..., max_bin = 4, weight = rep(1, length(values))) {
    rankmix:::feature_cuts(values, weight, NULL, max_bin)
  }
  expect_identical(cuts(as.double(100:1)), c(25, 50, 75))
  expect_identical(cuts(c(3, 1, 2)), c(1, 2))
  expect_identical(cuts(c(3, 3, NA)), numeric())
  expect_identical(cuts(c(NA_real_, NA)), numeric())
  expect_identical(cuts(c(1, 2, 3, 4), weight = c(97, 1, 1, 1), max_bin = 2), 1)
  expect_identical(cuts(c(1, NA, 2, 3, 4), weight = c(1, 100, 1, 1, 1), max_bin = 2), 2)
  # Most values are equal, so there is only one cut.
  expect_identical(cuts(c(rep(0, 90), 1:10), max_bin = 10), c(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)[1])
})

test_that("thresholds are thinned to equal parts", {
  values <- as.double(1:1000)
  thresholds <- c(-5, seq(0.5, 2000, 1))
  found <- rankmix:::feature_cuts(values, rep(1, 1000), thresholds, 5)
  expect_identical(found, c(200.5, 400.5, 600.5, 800.5))
  # Few thresholds remain. Thresholds outside the range of the values are left out.
  expect_identical(rankmix:::feature_cuts(values, rep(1, 1000), c(-1, 3, 500.5, 1000, 2000), 5), c(3, 500.5))
  expect_identical(rankmix:::feature_cuts(values, rep(1, 1000), c(-1, 2000), 5), numeric())
})

test_that("the nearest cut agrees with a search", {
  set.seed(1)
  for (i in 1:30) {
    fraction <- sort(runif(sample(5:40, 1)))
    cuts <- seq_along(fraction)
    naive <- unique(vapply(1:3 / 4, function(wanted) which.min(abs(fraction - wanted)), 1L))
    expect_identical(rankmix:::nearest_cuts(cuts, fraction, 4), naive)
  }
})

test_that("fractions, missing values and ranges agree with loops", {
  set.seed(2)
  queries <- list(query = sample(rep(1:7, 2:8)), weight = c(1, 2, 1, 0.5, 1, 3, 1), new = rep(c(FALSE, TRUE), c(3, 4)))
  queries$sizes <- tabulate(queries$query)
  values <- round(rnorm(length(queries$query)), 1)
  values[c(2, 5, 9)] <- NA
  values[queries$query == 6] <- NA
  cuts <- c(-0.5, 0, 0.8)
  found <- rankmix:::bin_fractions(values, cuts, queries)
  for (q in 1:7) {
    own <- values[queries$query == q]
    naive <- c(sum(own <= -0.5, na.rm = TRUE), sum(own > -0.5 & own <= 0, na.rm = TRUE),
               sum(own > 0 & own <= 0.8, na.rm = TRUE), sum(own > 0.8, na.rm = TRUE), sum(is.na(own)))
    expect_equal(found[q, ], naive / length(own))
  }
  rows <- rankmix:::value_rows(values, found, queries)
  expect_equal(rows$missing_reference, sum(found[1:3, 5] * c(1, 2, 1)) / 4)
  expect_equal(rows$missing_new, sum(found[4:7, 5] * c(0.5, 1, 3, 1)) / 5.5)
  range <- range(values[queries$query <= 3], na.rm = TRUE)
  outside <- vapply(c(4, 5, 7), function(q) {
    own <- values[queries$query == q & !is.na(values)]
    mean(own < range[1] | own > range[2])
  }, 0)
  expect_equal(rows$outside, sum(outside * c(0.5, 1, 1)) / 2.5)
  bins <- rankmix:::bin_rows("f", cuts, found, queries)
  expect_equal(sum(bins$reference), 1)
  expect_equal(sum(bins$new), 1)
  expect_identical(nrow(rankmix:::bin_rows("f", cuts, found[, ] * rep(c(1, 1, 1, 1, 0), each = 7), queries)), 4L)
  none <- replace(values, queries$query >= 4, NA)
  expect_identical(rankmix:::value_rows(none, rankmix:::bin_fractions(none, cuts, queries), queries)$outside, NA_real_)
})
