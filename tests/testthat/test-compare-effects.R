# Five data sets with their differences and standard errors.
five <- function() {
  data.frame(dataset = letters[1:5], a = "ours", b = "trees", difference = c(0.02, 0.05, -0.01, 0.035, 0.012),
             se = c(0.008, 0.02, 0.012, 0.01, 0.015))
}

pooled <- function(x, ...) tidy(compare_over_datasets(x, ...))

test_that("pooled effects agree with metafor", {
  # The expected values are from metafor 3.8-1 with tolerance 1e-12. With the default tolerance, REML and PM stop
  # early, at tau2 0.000268973 and 0.000321527.
  found <- pooled(five())
  expect_equal(c(found$difference, found$se, found$tau2), c(0.01971168111, 0.009561756379, 0.0002681504452),
               tolerance = 1e-9)
  expect_equal(c(found$p, found$lower, found$upper), c(0.108266664, -0.006836010586, 0.0462593728),
               tolerance = 1e-8)
  expect_equal(c(found$q, found$p_q, found$i2), c(11.02541496, 0.02627986522, 0.6597631871), tolerance = 1e-9)
  expect_equal(c(found$predicted_lower, found$predicted_upper), c(-0.0329367488, 0.07236011102),
               tolerance = 1e-8)
  normal <- pooled(five(), interval = "normal")
  expect_equal(c(normal$se, normal$p), c(0.009253821973, 0.03316233327), tolerance = 1e-8)
  fixed <- pooled(five(), estimator = "fixed", interval = "normal")
  expect_equal(c(fixed$difference, fixed$se), c(0.01952197, 0.005030662), tolerance = 1e-6)
  dl <- pooled(five(), estimator = "DL")
  expect_equal(c(dl$difference, dl$tau2), c(0.01966033, 0.0002428755), tolerance = 1e-6)
  pm <- pooled(five(), estimator = "PM")
  expect_equal(c(pm$difference, pm$tau2), c(0.01977316272, 0.0002995760454), tolerance = 1e-9)
  # Paule and Mandel choose tau2 so that this sum equals its degrees of freedom.
  weight <- 1 / (five()$se^2 + pm$tau2)
  expect_equal(sum(weight * (five()$difference - pm$difference)^2), 4, tolerance = 1e-9)
})

test_that("random data sets agree with metafor", {
  # data-raw/effects-metafor.R wrote this file.
  expected <- read.csv(test_path("fixtures", "effects-metafor.csv"))
  sizes <- c(2, 3, 3, 5, 8, 20)
  for (i in seq_len(nrow(expected))) {
    row <- expected[i, ]
    set.seed(row$case)
    y <- round(rnorm(sizes[row$case], 0.01, 0.03), 3)
    se <- round(runif(sizes[row$case], 0.005, 0.03), 3)
    found <- pooled(data.frame(difference = y, se = se), estimator = row$estimator)
    columns <- c("se", "p", "lower", "upper", "tau2", "i2", "q", "p_q", "predicted_lower", "predicted_upper")
    expect_equal(unlist(found[columns]), unlist(row[columns]), tolerance = 1e-7)
    expect_equal(found$difference, row$mean, tolerance = 1e-7)
    normal <- pooled(data.frame(difference = y, se = se), estimator = row$estimator, interval = "normal")
    expect_equal(normal$se, row$se_normal, tolerance = 1e-7)
    truncated <- pooled(data.frame(difference = y, se = se), estimator = row$estimator,
                        interval = "truncated")
    expect_equal(truncated$se, max(found$se, normal$se))
  }
})

test_that("pairs are adjusted, and the control is the ranker `b` of each pair", {
  x <- rbind(five(), transform(five(), b = "feature", difference = difference + 0.04),
             data.frame(dataset = letters[1:5], a = "trees", b = "feature", difference = 0.04, se = 0.01))
  found <- compare_over_datasets(x)
  pairs <- tidy(found)
  expect_identical(paste(pairs$a, pairs$b), c("ours trees", "ours feature", "trees feature"))
  expect_equal(pairs$p_adjusted, p.adjust(pairs$p, "holm"))
  expect_identical(pairs$note[3], "the same difference on all data sets")
  against <- pooled(x, control = "trees")
  expect_identical(against$b, c("trees", "trees"))
  expect_equal(against$difference, c(pairs$difference[1], -pairs$difference[3]))
  # A data set may have the pair in the reverse order, with the difference b - a.
  turned <- five()
  turned[2, c("a", "b")] <- c("trees", "ours")
  turned$difference[2] <- -turned$difference[2]
  expect_equal(pooled(turned), pooled(five()))
  expect_identical(glance(found)$pairs, 3L)
  expect_equal(sign(pooled(transform(five(), difference = -difference))$difference), -1)
})

test_that("the same difference on all data sets has no interval, and no tiny p-value", {
  for (se in list(c(0.05, 0.05), c(0.05, 0.07, 0.03), seq(0.01, 0.09, 0.01))) {
    sets <- length(se)
    for (estimator in c("REML", "PM", "DL", "fixed")) {
      found <- pooled(data.frame(difference = rep(0.1, sets), se = se), estimator = estimator)
      expect_equal(found[c("difference", "se", "p")], data.frame(difference = 0.1, se = 0, p = 2^(1 - sets)))
      ends <- unlist(found[c("statistic", "lower", "upper", "predicted_lower", "predicted_upper")])
      expect_identical(unname(ends), rep(NA_real_, 5L))
      expect_identical(found$note, "the same difference on all data sets")
    }
    zero <- pooled(data.frame(difference = rep(0, sets), se = se))
    expect_identical(c(zero$p, zero$lower), c(1, NA))
    # Other intervals use the standard errors of the data sets.
    expect_gt(pooled(data.frame(difference = rep(0.1, sets), se = se), interval = "truncated")$se, 0)
  }
  expect_match(utils::capture.output(print(compare_over_datasets(data.frame(difference = c(1, 1), se = 1)))),
               "+1.0000 [no interval], p = 0.5000; new [no interval]", fixed = TRUE, all = FALSE)
})

test_that("comparisons with a control lack the pairs of other rankers", {
  sets <- lapply(c(x = 1, y = 2), function(seed) {
    values <- with_seed(seed, matrix(stats::runif(30), 10L, dimnames = list(NULL, c("a", "b", "c"))))
    compare_rankers(values, test = "t", control = "c", seed = 1)
  })
  expect_identical(tidy(compare_over_datasets(sets, control = "c"))$b, c("c", "c"))
  expect_error(compare_over_datasets(sets), "`x` has no difference of `a` and `b`", class = "rankmix_error_argument")
  expect_error(compare_over_datasets(sets, control = "a"), class = "rankmix_error_argument")
})

test_that("benchmarks, comparisons and evaluations give differences and standard errors", {
  sets <- lapply(c(x = 1, y = 2, z = 3), function(seed) random_data(seed = seed))
  rankers <- list(up = function(data) data$x[, 1], down = function(data) -data$x[, 1],
                  second = function(data) data$x[, 2])
  evaluated <- lapply(sets, function(data) suppressWarnings(evaluate(rankers, data, c("ndcg@10", "err"))))
  compared <- lapply(evaluated, compare_rankers, test = "t", adjust = "none", seed = 1)
  found <- compare_over_datasets(compared)
  expect_s3_class(found, "rankmix_effects")
  by_hand <- do.call(rbind, lapply(names(sets), function(name) {
    pairs <- compared[[name]]$pairs
    cbind(dataset = name, pairs[pairs$metric == "ndcg@10", c("a", "b", "difference", "se")])
  }))
  expect_equal(tidy(found), pooled(by_hand))
  expect_equal(tidy(compare_over_datasets(evaluated)), tidy(found))
  expect_false(isTRUE(all.equal(pooled(evaluated, metric = "err")$difference, tidy(found)$difference)))
  expect_identical(glance(found)$metric, "ndcg@10")
  against <- pooled(evaluated, control = "up")
  expect_equal(against$difference[1], -tidy(found)$difference[1])
  skip_if_quick()
  benchmarks <- lapply(sets, function(data) {
    benchmark_rankers(rankers, list(train = sets$x[1:2], test = data), c("ndcg@10", "err"),
                      verbose = FALSE) |> suppressWarnings()
  })
  expect_equal(pooled(benchmarks), tidy(found))
})

test_that("a pair without a standard error is NA, and the note names the data set", {
  value <- function(v) {
    structure(data.frame(ranker = rep(c("a", "b", "c"), each = 3), query = rep(1:3, 3), documents = 5L,
                         relevant = 1L, metric = "m", value = v),
              class = c("rankmix_evaluation", "data.frame"))
  }
  first <- value(c(0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.5, 0.2, 0.1))
  second <- value(c(0.3, 0.2, 0.4, 0.1, 0.2, 0.3, 0.5, 0.2, 0.1))
  found <- compare_over_datasets(list(one = first, two = second))
  expect_identical(tidy(found)$difference[1], NA_real_)
  expect_identical(tidy(found)$note[1], "no standard error on `one`")
  expect_true(all(is.finite(tidy(found)$difference[2:3])))
  expect_output(print(found), "not pooled; no standard error on `one`")
  expect_output(print(found), "Two data sets cannot show much")
})

test_that("the method follows from the data, and bad input is an error", {
  means <- rbind(x = c(a = 1, b = 2), y = c(2, 3))
  expect_s3_class(compare_over_datasets(means), "rankmix_friedman")
  expect_s3_class(compare_over_datasets(as.data.frame(means)), "rankmix_friedman")
  expect_s3_class(compare_over_datasets(five()), "rankmix_effects")
  expect_snapshot({
    compare_over_datasets(five())
    compare_over_datasets(five()[1:2, ], interval = "truncated")
  })
  expect_snapshot(error = TRUE, {
    compare_over_datasets(means, how = "effects")
    compare_over_datasets(five(), how = "ranks")
    compare_over_datasets(means, control = "a")
    compare_over_datasets(five(), control = "nobody")
    compare_over_datasets(five(), how = "mean")
    compare_over_datasets(five(), estimator = "ML")
    compare_over_datasets(five(), interval = "t")
    compare_over_datasets(five()[1, ])
    compare_over_datasets(transform(five(), se = 0))
    compare_over_datasets(transform(five(), difference = NA_real_))
    compare_over_datasets(five()[-2])
    compare_over_datasets(rbind(five(), five()[2, ]))
  })
})

test_that("a single evaluation is no list of data sets", {
  data <- random_data(queries = 8)
  single <- evaluate(list(a = data$x[, 1], b = data$x[, 2]), data, "ndcg@5")
  for (how in c("effects", "ranks")) {
    expect_error(compare_over_datasets(single, how = how), "a list of benchmarks", class = "rankmix_error_argument")
  }
  one <- evaluate(data$x[, 1], data, "ndcg@5")
  expect_error(compare_over_datasets(list(d = one, e = one)), "one ranker", class = "rankmix_error_argument")
})
