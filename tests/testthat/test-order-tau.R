# The values agree with tau_a(), tau_b(), tauAP_a() and tauAP_b() of ircor 1.0.
means_x <- c(.67, .45, .29, .12, .57, .24, .94, .75, .08, .54)
means_y <- c(.48, .68, .32, .09, .06, .61, .87, .22, .44, .84)
kendall <- function(...) rankmix:::kendall_tau(...)
ap <- function(...) rankmix:::tau_ap(...)

test_that("Kendall's tau and the AP correlation have known values", {
  expect_equal(kendall(means_x, means_y, FALSE), 0.2)
  expect_equal(kendall(means_x, means_y, TRUE), 0.2)
  expect_equal(ap(means_x, means_y, "a"), 0.3928571, tolerance = 1e-6)
  expect_equal(ap(1:5, 1:5, "a"), 1)
  expect_equal(ap(1:5, 5:1, "a"), -1)
})

test_that("ties have known values", {
  y <- round(means_y, 1)
  expect_equal(kendall(means_x, y, FALSE), 0.2222222, tolerance = 1e-6)
  expect_equal(kendall(means_x, y, TRUE), 0.2247333, tolerance = 1e-6)
  expect_equal(ap(means_x, y, "a"), 0.39903, tolerance = 1e-6)
  expect_equal(ap(round(means_x, 1), y, "b"), 0.339418, tolerance = 1e-6)
  expect_equal(ap(y, round(means_x, 1), "b"), 0.339418, tolerance = 1e-6)
})

test_that("ties = \"a\" is the mean over all orders", {
  x <- c(3, 1, 2, 2)
  y <- c(5, 5, 1, 5)
  orders <- as.matrix(expand.grid(rep(list(1:4), 4)))
  orders <- orders[apply(orders, 1L, anyDuplicated) == 0L, ]
  agrees <- function(order, values) !any(outer(values, values, "<") & outer(order, order, ">"))
  of <- function(values) orders[apply(orders, 1L, agrees, values = values), , drop = FALSE]
  all <- apply(of(x), 1L, function(one) mean(apply(of(y), 1L, function(other) ap(one, other, "a"))))
  expect_equal(ap(x, y, "a"), mean(all))
})

# The definitions, as sums over all pairs.
plain_tau <- function(x, y) sum(sign(outer(x, x, "-")) * sign(outer(y, y, "-"))) / 2
plain_ap <- function(x, y) {
  terms <- vapply(seq_along(x), function(i) {
    before <- y > y[i]
    own <- y == y[i] & seq_along(y) != i
    agree <- function(which) sum((x > x[i])[which]) + sum((x == x[i])[which]) / 2
    k <- seq(0, sum(own))
    mean((agree(before) + k * agree(own) / max(sum(own), 1)) / pmax(sum(before) + k, 1))
  }, 0)
  2 * sum(terms) / (length(x) - 1) - 1
}
plain_ap_tied <- function(x, y) {
  terms <- vapply(seq_along(x), function(i) if (any(y > y[i])) mean((x > x[i])[y > y[i]]) else NA, 0)
  2 * mean(terms, na.rm = TRUE) - 1
}

test_that("fast counts agree with all pairs", {
  for (seed in 1:40) {
    set.seed(seed)
    n <- sample(2:30, 1)
    x <- sample(sample(c(3, 10, 1000), 1), n, TRUE)
    y <- sample(sample(c(3, 10, 1000), 1), n, TRUE)
    expect_identical(kendall(x, y, FALSE), plain_tau(x, y) / (n * (n - 1) / 2))
    if (length(unique(x)) > 1L && length(unique(y)) > 1L) {
      expect_equal(kendall(x, y, TRUE), stats::cor(x, y, method = "kendall"))
      expect_equal(ap(x, y, "b"), (plain_ap_tied(x, y) + plain_ap_tied(y, x)) / 2)
    }
    expect_equal(ap(x, y, "a"), plain_ap(x, y))
  }
})

test_that("long orders take no time in proportion to all pairs", {
  set.seed(1)
  x <- rnorm(1e5)
  expect_equal(kendall(x, rank(x), TRUE), 1)
  expect_equal(kendall(x, -x, FALSE), -1)
  expect_equal(ap(x, round(x, 1), "a"), 1, tolerance = 0.05)
})

test_that("undefined agreements are NA", {
  expect_identical(kendall(1, 2, FALSE), NA_real_)
  expect_identical(ap(1, 2, "a"), NA_real_)
  expect_identical(kendall(c(1, 1), 1:2, FALSE), 0)
  expect_identical(kendall(c(1, 1), 1:2, TRUE), NA_real_)
  expect_identical(ap(c(1, 1), 1:2, "b"), NA_real_)
  expect_equal(ap(c(1, 1), 1:2, "a"), 0)
})

test_that("rounding noise makes no order", {
  expect_length(unique(rankmix:::snapped_values(c(0.3 - 0.2, 0.2 - 0.1, 0.1))), 1L)
  expect_identical(rankmix:::snapped_values(c(1, 1e-17)), c(1, 0))
})
