# The measures are defined as in repro_eval 0.4: RMSE, nRMSE, ER, DRI and ttest.
original <- sakai_topics[, c("A", "B")]
again <- cbind(A = pmin(1, original[, "A"] * 0.9 + 0.02),
               B = original[20:1, "B"] * 0.5 + original[, "B"] * 0.5)
row_of <- function(x,
                   measure) unlist(tidy(x)[tidy(x)$measure == measure, c("estimate", "lower", "upper", "p")])

test_that("measures of the same queries have their values", {
  found <- reproduction(original, again, baseline = "B")
  error <- original[, "A"] - again[, "A"]
  expect_equal(row_of(found, "rmse")[["estimate"]], sqrt(mean(error^2)))
  expect_equal(row_of(found, "nrmse")[["estimate"]],
               sqrt(mean(error^2) / mean(pmax(original[, "A"], 1 - original[, "A"])^2)))
  d <- original[, "A"] - original[, "B"]
  d_again <- again[, "A"] - again[, "B"]
  expect_equal(row_of(found, "effect_ratio")[["estimate"]], mean(d_again) / mean(d))
  relative <- function(values) mean(values[, "A"]) / mean(values[, "B"]) - 1
  expect_equal(row_of(found, "delta_ri")[["estimate"]], relative(original) - relative(again))
  test <- t.test(again[, "A"], original[, "A"], paired = TRUE)
  expect_equal(unname(row_of(found, "difference")),
               unname(c(test$estimate, test$conf.int, test$p.value)))
  expect_equal(row_of(found, "original")[["estimate"]], mean(original[, "A"]))
})

test_that("the interval of the effect ratio holds the ratios that a t test does not reject", {
  first <- reproduction(original, again, baseline = "B", level = 0.9)
  d <- original[, "A"] - original[, "B"]
  d_again <- again[, "A"] - again[, "B"]
  ends <- row_of(first, "effect_ratio")[c("lower", "upper")]
  p <- vapply(ends, function(rho) t.test(d_again - rho * d)$p.value, 0)
  expect_equal(unname(p), c(0.1, 0.1))
  # The original improvement has a p-value of 0.048, so the interval at level 0.99 is unbounded.
  wide <- reproduction(original, again, baseline = "B", level = 0.99)
  expect_identical(row_of(wide, "effect_ratio")[["lower"]], NA_real_)
  expect_output(print(wide), "[unbounded]", fixed = TRUE)
})

test_that("different queries are compared by Welch's test", {
  rownames(original) <- paste0("old", 1:20)
  other <- again[1:12, ]
  rownames(other) <- paste0("new", 1:12)
  found <- reproduction(original, other, baseline = "B")
  test <- t.test(other[, "A"], original[, "A"])
  expect_equal(unname(row_of(found, "difference")),
               unname(c(diff(rev(test$estimate)), test$conf.int, test$p.value)))
  expect_false("rmse" %in% tidy(found)$measure)
  expect_identical(unique(tidy(found)$queries_reproduced), 12L)
  d <- original[, "A"] - original[, "B"]
  d_other <- other[, "A"] - other[, "B"]
  expect_equal(row_of(found, "effect_ratio")[["estimate"]], mean(d_other) / mean(d))
  rownames(other)[1L] <- "old1"
  expect_error(reproduction(original, other), "share some", class = "rankmix_error_queries")
})

test_that("queries are matched, and evaluations of one ranker work", {
  rownames(original) <- rownames(again) <- 1:20
  expect_equal(tidy(reproduction(original, again[20:1, 2:1], baseline = "B")),
               tidy(reproduction(original, again, baseline = "B")))
  single <- tidy(reproduction(evaluation_of(original[, "A"]), evaluation_of(again[, "A"])))
  expect_identical(unique(single$ranker), "ranker")
  expect_identical(unique(single$metric), "ndcg@10")
  plain <- tidy(reproduction(unname(original[, "A"]), unname(again[, "A"])))
  expect_equal(plain$estimate, single$estimate)
  weighted <- tidy(reproduction(evaluation_of(original[, "A"], weight = rep(1:2, 10)),
                                evaluation_of(again[, "A"], weight = rep(1:2, 10))))
  expect_equal(weighted$estimate[4L], sqrt(weighted.mean((original[, "A"] - again[, "A"])^2, rep(1:2, 10))))
  expect_error(reproduction(evaluation_of(original[, "A"], weight = rep(1:2, 10)),
                            evaluation_of(again[, "A"])),
               "different weights", class = "rankmix_error_argument")
})

test_that("undefined measures are NA", {
  same <- reproduction(original, original, baseline = "B")
  expect_identical(unname(row_of(same, "rmse")), c(0, 0, 0, NA))
  expect_identical(row_of(same, "difference")[["p"]], 1)
  expect_equal(unname(row_of(same, "effect_ratio"))[1:3], c(1, 1, 1))
  expect_equal(unname(row_of(same, "delta_ri"))[1:3], c(0, 0, 0))
  equal <- reproduction(cbind(A = original[, 1], B = original[, 1]), again, baseline = "B")
  expect_identical(row_of(equal, "effect_ratio")[["estimate"]], NA_real_)
  zero <- reproduction(cbind(original[, "A", drop = FALSE], B = 0), again, baseline = "B")
  expect_identical(row_of(zero, "delta_ri")[["estimate"]], NA_real_)
  large <- reproduction(2 * original[, "A", drop = FALSE], again[, "A", drop = FALSE])
  expect_identical(row_of(large, "nrmse")[["estimate"]], NA_real_)
  one <- reproduction(original[1, "A", drop = FALSE], again[1, "A", drop = FALSE])
  expect_identical(row_of(one, "difference")[["p"]], 1)
  expect_identical(row_of(one, "rmse")[["lower"]], NA_real_)
})

test_that("equal differences have no interval of the difference and the error", {
  original <- c(q1 = 0.1, q2 = 0.2, q3 = 0.7)
  found <- tidy(reproduction(original, original + 0.1))
  rows <- found[found$measure %in% c("difference", "rmse"), ]
  expect_equal(rows$estimate, c(0.1, 0.1))
  expect_identical(c(rows$lower, rows$upper), rep(NA_real_, 4L))
  expect_equal(rows$p[1L], 0.25)
  # Values of other queries, which are equal up to rounding noise.
  other <- tidy(reproduction(c(q1 = 0.3 - 0.2, q2 = 0.3 - 0.2), c(r1 = 0.1, r2 = 0.1)))
  row <- other[other$measure == "difference", c("estimate", "lower", "upper", "p")]
  expect_identical(unlist(row, use.names = FALSE), c(0, 0, 0, 1))
})

test_that("reproduction() prints in 80 columns", {
  withr::local_options(width = 80)
  expect_snapshot(reproduction(original, again, baseline = "B"))
  expect_snapshot(reproduction(c(a = 0.1, b = 0.2, c = 0.5), c(d = 0.3, e = 0.2, f = 0.2)))
})

test_that("bad input is refused", {
  expect_error(reproduction(), class = "rankmix_error_argument")
  expect_error(reproduction(original), class = "rankmix_error_argument")
  expect_error(reproduction(original, again, baseline = "C"), "`A`, `B`", class = "rankmix_error_argument")
  expect_error(reproduction(original[, "A"], again[, "A"], baseline = "ranker"),
               class = "rankmix_error_argument")
  expect_error(reproduction(original, again[, "A", drop = FALSE]), "`B`", class = "rankmix_error_argument")
  expect_error(reproduction(original, replace(again, 2, NA)), "`reproduced`", class = "rankmix_error_values")
  expect_error(reproduction("a", again), class = "rankmix_error_argument")
  expect_error(reproduction(original, again, level = 5), class = "rankmix_error_argument")
})
