test_that("vectors of means are matched by name", {
  x <- c(a = 4, b = 3, c = 2, d = 1)
  y <- c(d = 1, c = 3, b = 2, a = 4)
  found <- tidy(order_agreement(x, y))
  expect_identical(found$measure, c("tau", "tau_b", "tau_ap", "rbo"))
  expect_equal(found$estimate[1:3], c(2 / 3, 2 / 3, 2 / 3 * (1 + 0.5 + 1) - 1))
  expect_identical(found$estimate[4L], rbo(x, y)[["ext"]])
  expect_identical(found$residual, c(NA, NA, NA, rbo(x, y)[["res"]]))
  expect_true(all(is.na(found$lower)))
  # Items without names are matched by position. Vectors of item names are supported, too.
  expect_equal(tidy(order_agreement(4:1, y[names(x)])), found)
  expect_equal(tidy(order_agreement(names(x), c("a", "c", "b", "d"))), found)
})

test_that("lists of different items have an overlap only", {
  expect_equal(tidy(order_agreement(c("a", "b"), c("b", "c"), how = "rbo"))$estimate,
               rbo(c("a", "b"), c("b", "c"))[["ext"]])
  expect_error(order_agreement(c("a", "b"), c("b", "c")), "`a`, `c`", class = "rankmix_error_argument")
})

test_that("ties are treated by `ties`", {
  x <- c(3, 2, 2, 1)
  y <- c(3, 3, 1, 2)
  for (ties in c("a", "b")) {
    expect_equal(tidy(order_agreement(x, y, "tau_ap", ties = ties))$estimate, rankmix:::tau_ap(x, y, ties))
  }
  lists <- lapply(list(x, y), stats::setNames, letters[1:4])
  expect_equal(tidy(order_agreement(x, y, "rbo", ties = "w"))$estimate,
               rbo(lists[[1L]], lists[[2L]], ties = "w")[["ext"]])
  expect_error(order_agreement(x, y, ties = "w"), "tau_ap", class = "rankmix_error_argument")
})

test_that("agreement of orders within TREC-3 has known values", {
  skip_if_not_installed("gt4ireval")
  values <- as.matrix(from_package("gt4ireval", "adhoc3"))
  rownames(values) <- seq_len(nrow(values))
  found <- order_agreement(values[1:25, ], values[26:50, ], c("tau", "tau_ap"))
  expect_equal(tidy(found)$estimate, c(0.8076923, 0.7868479), tolerance = 1e-6)
  expect_true(all(is.na(tidy(found)$lower)))
})

test_that("order_agreement() prints in 80 columns", {
  withr::local_options(width = 80)
  expect_snapshot({
    order_agreement(c(a = 4, b = 3, c = 2), c(a = 1, b = 2, c = 3))
    order_agreement(sakai_topics, sakai_topics[, 3:1] + 0.1 * sakai_topics[20:1, 3:1]^2, seed = 1,
                    resamples = 200)
    order_agreement(c("a", "b"), c("b", "c"), how = "rbo")
  })
  long <- order_agreement(sakai_topics, sakai_topics, seed = 1, resamples = 100)
  long$values$x <- strrep("a_long_name_", 8)
  expect_lte(max(nchar(capture.output(print(long)))), 80L)
})

test_that("bad input is refused", {
  refused <- function(...) expect_error(order_agreement(...), class = "rankmix_error_argument")
  refused()
  refused(1:3)
  refused(1:3, 1:4)
  refused(c(1, NA), 1:2)
  refused(c(a = 1, b = 2), c(a = 1, c = 2))
  refused(c(a = 1, a = 2), c(a = 1, b = 2))
  refused(1:3, 3:1, how = "pearson")
  refused(1:3, 3:1, how = character())
  refused(1:3, 3:1, how = 1)
  refused(1:3, 3:1, level = 2)
  refused(1:3, 3:1, resamples = 10)
  refused(1:3, 3:1, p = 1)
  refused(sakai_topics)
  refused(sakai_topics, "tau")
  refused(example_part("train"), example_part("train"))
  expect_error(tidy(order_agreement(1:3, 3:1), 1), class = "rankmix_error_argument")
})
