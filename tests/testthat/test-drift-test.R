# Queries with `sizes` documents each. The last `new` queries are new.
test_queries <- function(sizes, new, weight = rep(1, length(sizes))) {
  list(query = rep(seq_along(sizes), sizes), sizes = sizes, weight = weight,
       new = seq_along(sizes) > length(sizes) - new, by_id = seq_along(sizes))
}
naive_distance <- function(fractions, weight, new) {
  mean_of <- function(own) colSums(fractions[own, , drop = FALSE] * weight[own]) / sum(weight[own])
  sum(abs(mean_of(new) - mean_of(!new))) / 2
}

test_that("distances and p-values agree with all permutations", {
  set.seed(1)
  weight <- c(1, 2, 1, 1, 0.5, 1, 3)
  queries <- test_queries(rep(4, 7), 3, weight)
  fractions <- lapply(1:2, function(i) prop.table(matrix(runif(7 * (i + 1)), 7), 1))
  found <- rankmix:::permuted_distances(fractions, queries, list(permutations = 4000, seed = 1))
  for (i in 1:2) {
    observed <- naive_distance(fractions[[i]], weight, queries$new)
    all <- apply(combn(7, 3), 2, function(own) naive_distance(fractions[[i]], weight, 1:7 %in% own))
    expect_equal(found$distance[i], observed)
    p <- mean(all >= observed - 1e-12)
    # The tolerance is four standard errors of 4000 permutations.
    expect_lt(abs(found$p[i] - p), 4 * sqrt(p * (1 - p) / 4000) + 1 / 4000)
    expect_lt(abs(found$expected[i] - mean(all)), 4 * sd(all) / sqrt(4000))
  }
})

test_that("p-values use the given number of permutations, and the seed determines them", {
  queries <- test_queries(rep(3, 12), 5)
  set.seed(2)
  fractions <- list(prop.table(matrix(runif(36), 12), 1))
  distances <- function(permutations, seed = 1) {
    rankmix:::permuted_distances(fractions, queries, list(permutations = permutations, seed = seed))
  }
  expect_identical(distances(600), distances(600))
  expect_false(identical(distances(600), distances(600, seed = 2)))
  p <- distances(600)$p * 601
  expect_equal(p, round(p))
  set.seed(3)
  before <- .Random.seed
  distances(99)
  expect_identical(.Random.seed, before)
})

# Documents of a query are alike, so a test of single documents would reject almost always.
simulated_parts <- function(queries) {
  sizes <- sample(5:20, queries, TRUE)
  values <- rep(rnorm(queries), sizes) + rnorm(sum(sizes), 0, 0.3)
  list(sizes = sizes, values = values)
}

test_that("the error rate of the permutation test is its level", {
  set.seed(4)
  times <- repetitions(400)
  tested <- vapply(seq_len(times), function(i) {
    part <- simulated_parts(40)
    queries <- test_queries(part$sizes, 15)
    found <- rankmix:::tested_drift("f", function(name) part$values, list(), queries,
                                    list(max_bin = 8, permutations = 99, seed = i))
    document_test <- suppressWarnings(ks.test(part$values[queries$new[queries$query]],
                                              part$values[!queries$new[queries$query]]))
    c(found$table$p, document_test$p.value)
  }, numeric(2))
  # The tolerance is four standard errors of the draws.
  for (level in c(0.05, 0.2)) {
    expect_lt(abs(mean(tested[1, ] <= level) - level), 4 * sqrt(level * (1 - level) / times))
  }
  expect_gt(mean(tested[2, ] <= 0.05), 0.3)
})

test_that("Holm keeps the error rate over the features", {
  set.seed(5)
  times <- repetitions(200)
  any_rejected <- vapply(seq_len(times), function(i) {
    sizes <- sample(5:20, 30, TRUE)
    queries <- test_queries(sizes, 15)
    values <- lapply(1:6, function(j) rep(rnorm(30), sizes) + rnorm(sum(sizes), 0, 0.3))
    names(values) <- letters[1:6]
    found <- rankmix:::tested_drift(letters[1:6], function(name) values[[name]], list(), queries,
                                    list(max_bin = 5, permutations = 299, seed = i))
    any(found$table$p_adjusted <= 0.1)
  }, NA)
  expect_lt(mean(any_rejected), 0.1 + 4 * sqrt(0.09 / times))
  expect_gt(mean(any_rejected), 0.02)
})

test_that("the metric is compared by Welch's test", {
  vali <- example_part("vali")
  test <- example_part("test")
  score <- function(data) data$x[, 1]
  found <- tidy(drift(score, test, vali, metric = "ndcg@5", permutations = 99, seed = 1, level = 0.1), "metric")
  values <- lapply(list(vali, test), function(data) evaluate(score(data), data, "ndcg@5")$value)
  welch <- t.test(values[[2]], values[[1]], conf.level = 0.9)
  expect_equal(c(found$lower, found$upper), as.vector(welch$conf.int))
  expect_equal(found$p, welch$p.value)
  expect_equal(found$difference, mean(values[[2]]) - mean(values[[1]]))
  verdict <- function(lower, upper, margin) {
    rankmix:::drift_verdict(data.frame(lower = lower, upper = upper), margin)
  }
  expect_identical(verdict(-0.3, -0.1, 0), "train again")
  expect_identical(verdict(-0.3, -0.1, 0.2), "undecided")
  expect_identical(verdict(-0.3, -0.1, 0.4), "keep the model")
  expect_identical(verdict(NA_real_, NA_real_, 0.4), "undecided")
})

test_that("the interval of the metric covers the difference at its level", {
  set.seed(6)
  times <- repetitions(2000)
  covered <- vapply(seq_len(times), function(i) {
    moments <- lapply(list(rbeta(60, 4, 1.5), rbeta(30, 3, 1)), rankmix:::value_moments, weight = NULL)
    row <- rankmix:::welch_row(moments[[1]], moments[[2]], 0.1)
    truth <- 3 / 4 - 4 / 5.5
    row$lower <= truth && truth <= row$upper
  }, NA)
  # The tolerance is four standard errors of the draws, and 1 % for the skewness of beta distributions.
  expect_lt(abs(mean(covered) - 0.9), 4 * sqrt(0.09 / times) + 0.01)
})

test_that("weights of queries enter the interval of the metric by HC2", {
  vali <- example_part("vali")
  test <- example_part("test")
  vali$weight <- 1 / seq_along(vali$query_ids)
  test$weight <- 1 / seq_along(test$query_ids)
  score <- function(data) data$x[, 1]
  found <- tidy(drift(score, test, vali, metric = "ndcg@5", permutations = 99, seed = 1), "metric")
  parts <- lapply(list(vali, test), function(data) {
    values <- evaluate(score(data), data, "ndcg@5")
    kept <- !is.nan(values$value)
    v <- values$value[kept]
    h <- values$weight[kept] / sum(values$weight[kept])
    list(square = sum(h^2 * (v - sum(h * v))^2 / (1 - h)), df = 1 / sum(h^2) - 1)
  })
  squares <- vapply(parts, `[[`, 0, "square")
  half <- qt(0.975, sum(squares)^2 / sum(squares^2 / vapply(parts, `[[`, 0, "df"))) * sqrt(sum(squares))
  expect_equal(found$upper - found$difference, half)
})

test_that("thresholds of a model that was trained on the reference keep the level", {
  skip_if_quick()
  set.seed(7)
  noise <- function(queries) {
    n <- 20 * queries
    ranking_data(matrix(rnorm(10 * n), n), pmin(4, rpois(n, 0.7)), rep(seq_len(queries), each = 20))
  }
  p <- unlist(lapply(1:60, function(i) {
    reference <- noise(60)
    model <- fit(lambdamart(trees = 20, num_leaves = 8), reference, threads = 1, verbose = FALSE)
    found <- drift(model, noise(40), reference, seed = i, permutations = 199, threads = 1)$features
    found$p[found$cuts == "model"]
  }))
  expect_gt(length(p), 500)
  for (level in c(0.05, 0.2)) expect_lt(abs(mean(p <= level) - level), 4 * sqrt(level * (1 - level) / length(p)))
})

test_that("equal values of the metric have no interval", {
  data <- random_data(queries = 6)
  perfect <- function(data) as.double(data$relevance)
  found <- drift(perfect, data, data, metric = metric_ndcg(5, empty = 1), permutations = 99, seed = 1)
  expect_identical(c(found$metric$difference, found$metric$lower), c(0, NA))
  expect_identical(found$metric$verdict, "undecided")
  data$relevance[] <- 0L
  expect_error(drift(perfect, data, random_data(queries = 6), metric = metric_ndcg(5, empty = "drop"),
                     permutations = 99), "No query of `new_data` counts", class = "rankmix_error_values")
})

test_that("the test of one feature with two bins equals the two-sample permutation test of coin", {
  queries <- test_queries(rep(10, 12), 5)
  settings <- list(permutations = 20000, seed = 1)
  found <- rankmix:::permuted_distances(list(f = cbind(bin_fraction, 1 - bin_fraction)), queries, settings)
  expected <- peer_values("coin", "two samples")
  # The tolerance is four standard errors of 20,000 permutations. The observed order counts as one more permutation.
  expect_lt(abs(found$p - expected), 4 * sqrt(expected * (1 - expected) / 20000) + 1 / 20000)
})
