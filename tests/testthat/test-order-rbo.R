# The values agree with rbo() of julian-urbano/sigir2024-rbo (2024-04), which uses another algorithm.
test_that("lists without ties have known values", {
  x <- strsplit("abcdefg", "")[[1L]]
  y <- strsplit("zcavwxy", "")[[1L]]
  known <- rbind(c(.2660450, .2447190, .1316453), c(.2882173, .2216856, .3589904),
                 c(.2907304, .1678402, .5841631))
  found <- t(vapply(c(0.8, 0.9, 0.95), function(p) rbo(x, y, p), numeric(4)))
  expect_equal(unname(found[, c("ext", "min", "res")]), known, tolerance = 1e-6)
  expect_equal(found[, "max"] - found[, "min"], found[, "res"])
  expect_identical(rbo(x, y, ties = "w"), rbo(x, y, ties = "b"))
})

test_that("lists with ties and different lengths have known values", {
  x <- list("red", c("blue", "green"), "yellow", "pink")
  y <- list(c("blue", "red"), "white", c("yellow", "black", "purple"), "green")
  known <- rbind(w = c(.6935891, .4723356, .8354089, .3630733), a = c(.6684524, .4491587, .8122320, .3630733),
                 b = c(.7126555, .4869659, .8500392, .3630733))
  for (ties in rownames(known)) {
    expect_equal(unname(rbo(x, y, 0.9, ties)), unname(known[ties, ]), tolerance = 1e-6)
    expect_identical(rbo(y, x, 0.9, ties), rbo(x, y, 0.9, ties))
  }
  expect_equal(unname(rbo(x, y, 0.95)), c(.6922853, .3310519, .8930692, .5620173), tolerance = 1e-6)
})

test_that("scores are lists with ties", {
  scores <- c(red = 5, blue = 4, green = 4, yellow = 0.3 - 0.2, pink = 0.1 - 1e-17)
  list <- list("red", c("blue", "green"), c("yellow", "pink"))
  expect_identical(rbo(scores, letters), rbo(list, letters))
  expect_identical(rbo(factor(c("a", "b")), "a"), rbo(c("a", "b"), "a"))
})

test_that("equal, disjoint and short lists have known values", {
  expect_equal(unname(rbo("a", "a", 0.5))[1L], 1)
  expect_equal(unname(rbo("a", "b", 0.5))[1:2], c(0, 0))
  same <- rbo(letters, letters)
  expect_equal(same[["ext"]], 1)
  tied <- list(c("a", "b"), "c")
  expect_equal(rbo(tied, tied, ties = "b")[["ext"]], 1)
  expect_equal(rbo(tied, tied, ties = "w")[["ext"]], 1)
  expect_lt(rbo(tied, tied, ties = "a")[["ext"]], 1)
  # With p = 0.98, ten items have little weight.
  expect_gt(rbo(letters[1:10], letters[10:1], p = 0.98)[["res"]], 0.4)
})

test_that("ties = \"a\" is the mean over all orders", {
  x <- list(c("a", "b", "c"), "d")
  y <- c("c", "a", "d", "b")
  orders <- list(c("a", "b", "c"), c("a", "c", "b"), c("b", "a", "c"), c("b", "c", "a"), c("c", "a", "b"),
                 c("c", "b", "a"))
  all <- rowMeans(vapply(orders, function(one) rbo(c(one, "d"), y), numeric(4)))
  expect_equal(rbo(x, y), all)
})

test_that("ties = \"a\" has the mean of `min` for lists of different lengths, and at most the means of the others", {
  x <- c("a", "b")
  y <- list("d", c("a", "c", "b"))
  orders <- list(c("a", "c", "b"), c("a", "b", "c"), c("c", "a", "b"), c("c", "b", "a"), c("b", "a", "c"),
                 c("b", "c", "a"))
  means <- rowMeans(vapply(orders, function(one) rbo(x, c("d", one)), numeric(4)))
  found <- rbo(x, y)
  expect_equal(found[["min"]], means[["min"]])
  expect_lt(found[["ext"]], means[["ext"]] - 1e-4)
  expect_lte(found[["max"]], means[["max"]] + 1e-12)
})

test_that("bad lists are refused", {
  expect_error(rbo(), class = "rankmix_error_argument")
  expect_error(rbo("a"), class = "rankmix_error_argument")
  expect_error(rbo(character(), "a"), "no items", class = "rankmix_error_argument")
  expect_error(rbo(c("a", "b", "a"), "a"), "`a` twice", class = "rankmix_error_argument")
  expect_error(rbo("a", c("b", NA)), "`y` has a missing item", class = "rankmix_error_argument")
  expect_error(rbo(c(1, 2), "a"), "must have names", class = "rankmix_error_argument")
  expect_error(rbo(c(a = 1, b = NA), "a"), class = "rankmix_error_argument")
  expect_error(rbo(TRUE, "a"), class = "rankmix_error_argument")
  for (p in list(0, 1, NA, "a")) expect_error(rbo("a", "b", p), class = "rankmix_error_argument")
  expect_error(rbo("a", "b", ties = "c"), class = "rankmix_error_argument")
})
