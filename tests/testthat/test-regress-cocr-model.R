data <- complete_simulation(60, 7)
parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
linear_model <- fit(cocr(linear_ranker(penalty = 0.01)), parts$train, verbose = FALSE)
trees <- fit(cocr(gbrt(15, num_leaves = 4), "squared"), parts$train, parts$test, verbose = FALSE)

test_that("probabilities are the nearest numbers that fall", {
  set.seed(1)
  h <- rbind(matrix(rnorm(400, 0.5, 0.6), 100), c(0.2, 0.9, 0.1, 0.4), c(1.4, 1.2, -0.3, -0.1),
             c(0.5, 0.5, 0.5, 0.5))
  fitted <- rankmix:::monotone_levels(h)
  reference <- t(apply(h, 1, function(row) pmin(pmax(rev(isoreg(rev(row))$yf), 0), 1)))
  expect_equal(fitted, reference, tolerance = 1e-12)
  fractions <- rankmix:::grade_fractions(fitted)
  expect_true(all(fractions >= 0))
  expect_equal(rowSums(fractions), rep(1, nrow(h)), tolerance = 1e-12)
  expect_identical(rankmix:::monotone_levels(cbind(c(-1, 0.3, 2))), cbind(c(0, 0.3, 1)))
})

test_that("all types of prediction agree with each other", {
  for (model in list(linear_model, trees)) {
    level <- predict(model, parts$test, "level")
    cumulative <- predict(model, parts$test, "cumulative")
    prob <- predict(model, parts$test, "prob")
    raw <- predict(model, parts$test, "raw")
    expect_identical(colnames(level), paste0("grade>=", 1:4))
    expect_identical(colnames(prob), paste0("grade", 0:4))
    expect_equal(unname(rowSums(prob[, 3:5])), unname(cumulative[, 2]), tolerance = 1e-12)
    expect_equal(unname(raw[, 3]), unname(level[, 2] - level[, 3]), tolerance = 1e-12)
    expect_equal(unname(raw[, 1]), unname(1 - level[, 1]), tolerance = 1e-12)
    expect_equal(drop(raw %*% 0:4), predict(model, parts$test), tolerance = 1e-12)
    expect_identical(predict(model, parts$test, "label"), as.integer(rowSums(level >= 0.5)))
    in_order <- apply(level, 1, function(h) all(diff(h) <= 0) && all(h >= 0 & h <= 1))
    expect_gt(sum(in_order), 0)
    expect_equal(cumulative[in_order, ], level[in_order, ], tolerance = 1e-12)
  }
  expect_error(predict(trees, parts$test, "odds"), class = "rankmix_error_argument")
  several <- predict(trees, parts$test, "prob", rounds = c(2, 5))
  expect_identical(dim(several), c(nrow(parts$test$x), 5L, 2L))
  expect_identical(several[, , 2], predict(trees, parts$test, "prob", rounds = 5))
})

test_that("a soft score of 1/2 passes the threshold 1/2 in spite of rounding", {
  halves <- c(0.1 + 0.4, 0.5 - 1e-16, 0.3 + 0.2, 0.49)
  half <- function(x, y, weights) function(x) rep_len(halves, nrow(x))
  model <- fit(cocr(half, "absolute", "hard"), parts$train, verbose = FALSE)
  expect_identical(predict(model, parts$test)[1:4], c(4, 4, 4, 0))
})

test_that("calibrators and mixtures accept a model of cocr() as a classifier", {
  expect_true(rankmix:::is_classifier(cocr()))
  for (method in list(calibrator_naive(), calibrator_cpc(), calibrator_rbc(), calibrator_rbc("polynomial"))) {
    calibrated <- calibrate(linear_model, parts$test, method)
    # Predictions of linear models may be outside of 0 to 1.
    scores <- suppressWarnings(predict(calibrated, parts$test), classes = "rankmix_warning_range")
    expect_true(all(is.finite(scores)))
  }
  mixed <- fit(mixture(cocr(linear_ranker(penalty = c(0.1, 1)), c("oerr", "squared")),
                       cocr(gbrt(8, num_leaves = 4)), calibrators = list(calibrator_naive(), calibrator_cpc(), calibrator_rbc())),
               parts$train, parts$test, seed = 1, verbose = FALSE)
  # Each cost and each penalty gives a member.
  expect_identical(nrow(mixed$members), 15L)
  expect_true(all(is.finite(predict(mixed, parts$test))))
})

test_that("benchmarks tune its costs in one training", {
  grid <- rankmix:::default_grid(cocr())
  expect_identical(grid$cost, list(rankmix:::cost_names))
  expect_identical(rankmix:::default_grid(cocr(gbrt()))$cost, rankmix:::cost_names)
})

test_that("cocr() prints its cost and its base", {
  expect_snapshot({
    cocr()
    cocr(gbrt(100, max_depth = 4), "squared", "hard")
    cocr(linear_ranker(penalty = 1), cost = naive_cost("squared", 4))
    linear_model
    trees
    fit(cocr(linear_ranker(penalty = c(0.1, 1)), c("oerr", "absolute")), parts$train, parts$test)
    glance(linear_model)
  })
  expect_identical(rownames(coef(linear_model)), c(data$features, "(Intercept)"))
  direct <- tidy(linear_model)
  expect_equal(direct$weight, unname(rowSums(coef(linear_model))))
  expect_identical(unique(tidy(trees)$level), paste0("grade>=", 1:4))
  expect_error(coef(trees), class = "rankmix_error_argument")
  expect_s3_class(summary(trees), "summary.rankmix_ranker")
})
