test_that("groups have their means and intervals", {
  d <- sakai_topics[, "A"] - sakai_topics[, "B"]
  group <- factor(rep(c("old", "new"), c(8, 12)), c("old", "new"))
  found <- rankmix:::subgroup_tests(d, list(), list(age = group), 0.05, 500, 1)$groups
  expect_identical(found$group, c("old", "new"))
  expect_identical(found$queries, c(8L, 12L))
  test <- t.test(d[9:20])
  expect_equal(c(found$difference[2L], found$lower[2L], found$upper[2L]),
               unname(c(test$estimate, test$conf.int)))
})

# The statistic by the formula in R/compare-subgroups.R, for one column.
naive_statistic <- function(d, weight, group) {
  prior <- mean((weight * d)^2)
  parts <- vapply(split(seq_along(d), group), function(own) {
    w <- weight[own]
    mean <- sum(w * d[own]) / sum(w)
    c(mean, (sum(w^2 * (d[own] - mean)^2) + prior) / sum(w)^2)
  }, numeric(2))
  centre <- sum(parts[1L, ] / parts[2L, ]) / sum(1 / parts[2L, ])
  sum((parts[1L, ] - centre)^2 / parts[2L, ])
}

test_that("the statistic and its p-value agree with permutations", {
  d <- c(3, 1, 2, -1, -2, 0)
  d <- d - mean(d)
  group <- rep(1:2, each = 3)
  weight <- c(1, 2, 1, 1, 0.5, 0.5)
  expect_equal(rankmix:::group_statistic(cbind(d), cbind(weight), group), naive_statistic(d, weight, group))
  # There are 20 splits into two groups of three.
  all <- apply(utils::combn(6, 3), 2L, function(own) naive_statistic(d, rep(1, 6), seq_len(6) %in% own))
  exact <- mean(all >= naive_statistic(d, rep(1, 6), group) - 1e-9)
  found <- rankmix:::interaction_p(d, NULL, NULL, factor(group), 20000, 1)
  expect_equal(found, exact, tolerance = 0.1)
})

test_that("Holm's adjustment is over columns", {
  set.seed(2)
  group <- factor(rep(1:2, 20))
  d <- rnorm(40) + 2 * (group == 1)
  columns <- list(real = group, none = factor(rep(1:2, each = 20)), one = factor(rep("a", 40)))
  found <- rankmix:::subgroup_tests(d, list(), columns, 0.05, 999, 1)
  expect_identical(found$tests$p_adjusted, p.adjust(found$tests$p_interaction, "holm"))
  expect_lt(found$tests$p_adjusted[1L], 0.01)
  expect_identical(found$tests$p_interaction[3L], NA_real_)
  # The p-value of a group is the p-value of its column.
  expect_identical(found$groups$p_interaction, found$tests$p_interaction[c(1, 1, 2, 2, 3)])
})

test_that("queries are permuted within folds", {
  set.seed(1)
  at <- rankmix:::permuted_rows(6, 30, c("a", "a", "b", "b", "b", "c"))
  expect_true(all(at[1:2, ] %in% 1:2), all(at[3:5, ] %in% 3:5))
  expect_true(all(at[6, ] == 6))
  # If the groups are the folds, nothing can be permuted.
  expect_identical(rankmix:::interaction_p(1:6 + 0, NULL, rep(1:2, 3), factor(rep(1:2, 3)), 100, 1), 1)
})

test_that("equal differences have p = 1", {
  expect_identical(rankmix:::interaction_p(rep(0.1, 6), NULL, NULL, factor(rep(1:2, 3)), 100, 1), 1)
  expect_identical(rankmix:::interaction_p(numeric(6), NULL, NULL, factor(rep(1:2, 3)), 100, 1), 1)
})

test_that("columns become groups", {
  groups <- rankmix:::query_groups_of
  expect_identical(levels(groups(c("b", "a", "b"), 3)), c("a", "b"))
  expect_identical(levels(groups(c(3, 1, 2, 3), 3)), c("1", "2", "3"))
  thirds <- groups(1:30, 3)
  expect_identical(as.vector(table(thirds)), c(10L, 10L, 10L))
  expect_identical(levels(thirds), c("1 to 10", "11 to 20", "21 to 30"))
  expect_identical(as.character(groups(c(NA, 1, 2), 3)), c("missing", "1", "2"))
  expect_identical(levels(groups(c(NA, 1:20), 2)), c("1 to 10", "11 to 20", "missing"))
  expect_identical(levels(groups(factor("a", c("a", "b")), 3)), "a")
  # Most queries have the same value, so there are fewer groups than requested.
  expect_identical(nlevels(groups(c(rep(0, 50), 1:10), 3)), 2L)
  expect_identical(levels(groups(c(TRUE, FALSE), 3)), c("FALSE", "TRUE"))
})
