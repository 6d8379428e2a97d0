test_that("calibrator_rbc(\"linear\") is least squares, also for collinear discriminants", {
  case <- rbc_case(seed = 5)
  fitted <- fit_rbc(calibrator_rbc(), case)
  expect_equal(fitted$beta, unname(coef(lm(case$z ~ case$f))))
  collinear <- cbind(case$f[, 1], -case$f[, 1], case$f[, 2])
  fitted <- fit_rbc(calibrator_rbc(), list(f = collinear, held = case$held))
  expect_equal(scores_of_fit(fitted, collinear), unname(fitted(lm(case$z ~ collinear))))
})

test_that("calibrator_rbc(\"logistic\") is glm()", {
  case <- rbc_case(seed = 6)
  fitted <- fit_rbc(calibrator_rbc("logistic"), case)
  by_glm <- suppressWarnings(glm(I(case$z / 3) ~ case$f, family = quasibinomial()))
  expect_equal(scores_of_fit(fitted, case$f), 3 * unname(fitted(by_glm)), tolerance = 1e-6)
})

test_that("calibrator_rbc(\"polynomial\") is least squares on all monomials, weighted too", {
  for (degree in 2:5) {
    case <- rbc_case(n = 500, classes = 3, seed = degree)
    case$held$weight <- runif(500)
    powers <- as.matrix(expand.grid(0:degree, 0:degree, 0:degree))
    powers <- powers[rowSums(powers) <= degree, ]
    monomials <- apply(powers, 1, function(e) case$f[, 1]^e[1] * case$f[, 2]^e[2] * case$f[, 3]^e[3])
    fitted <- fit_rbc(calibrator_rbc("polynomial", degree = degree), case)
    expect_identical(length(fitted$coefficients), nrow(powers))
    expect_equal(scores_of_fit(fitted, case$f),
                 unname(fitted(lm(case$z ~ monomials - 1, weights = case$held$weight))),
                 tolerance = 1e-6)
  }
})

test_that("polynomials of collinear discriminants have a ridge, and clip discriminants beyond their range", {
  case <- rbc_case(seed = 8)
  f <- cbind(case$f[, 1], -case$f[, 1])
  case <- list(f = f, held = held_part(pmin(1L, case$held$relevance)))
  fitted <- fit_rbc(calibrator_rbc("polynomial", degree = 3), case)
  z <- case$held$relevance
  expect_equal(scores_of_fit(fitted, f), unname(fitted(lm(z ~ poly(f[, 1], 3)))),
               tolerance = 1e-4)
  far <- rbind(c(100, -100), c(max(f[, 1]), min(f[, 2])))
  expect_equal(diff(scores_of_fit(fitted, far)), 0)
})

test_that("normalised gains are divided by the ideal DCG of the query", {
  case <- rbc_case(seed = 12)
  ideal <- vapply(unique(case$held$query), function(q) {
    z <- sort(2^case$held$relevance[case$held$query == q] - 1, decreasing = TRUE)
    sum(z / log2(seq_along(z) + 1))
  }, 0)
  names(ideal) <- unique(case$held$query)
  own <- ideal[as.character(case$held$query)]
  z <- unname(ifelse(own > 0, (2^case$held$relevance - 1) / own, 0))
  fitted <- fit_rbc(calibrator_rbc(normalize = TRUE), case)
  expect_equal(fitted$beta, unname(coef(lm(z ~ case$f))))
  for (model in rankmix:::rbc_models) {
    plain <- scores_of_fit(fit_rbc(calibrator_rbc(model), case), case$f)
    expect_false(isTRUE(all.equal(plain, scores_of_fit(fit_rbc(calibrator_rbc(model, normalize = TRUE), case),
                                                       case$f))))
  }
})

test_that("regressions depend neither on threads nor on the order of rows", {
  # Some calibrators train on samples. These numbers of documents lie between the sample sizes, and above them.
  for (n in c(3000, 5000)) {
    case <- rbc_case(n = n, seed = 13)
    query <- case$held$query
    shuffled <- sample(n)
    other <- list(f = case$f[shuffled, ],
                  held = rankmix:::held_out(ranking_data(cbind(0 * query),
                                                         case$held$relevance[shuffled],
                                                         query[shuffled]), 1L))
    for (method in all_models()) {
      fitted <- fit_rbc(method, case)
      expect_identical(fit_rbc(method, case, threads = 1L), fitted)
      expect_identical(scores_of_fit(fitted, case$f, 1L), scores_of_fit(fitted, case$f, 4L))
      expect_identical(fit_rbc(method, other), fitted, info = format(method))
    }
  }
})

test_that("queries of weight 0 have no effect", {
  case <- rbc_case(n = 600, seed = 14)
  light <- case$held$query %% 3 == 0
  case$held$weight <- ifelse(light, 0, 1)
  rows <- which(!light)
  part <- list(f = case$f[rows, ],
               held = rankmix:::held_out(ranking_data(cbind(0 * rows), case$held$relevance[rows],
                                                      case$held$query[rows]), 1L))
  part$held$weight <- rep(1, length(rows))
  for (method in c(all_models(), lapply(rankmix:::cpc_targets, calibrator_cpc))) {
    expect_identical(fit_rbc(method, case), fit_rbc(method, part), info = format(method))
  }
})

test_that("whole weights count copies of queries and of documents", {
  case <- rbc_case(n = 100, seed = 15)
  query <- case$held$query
  grade <- case$held$relevance
  found <- function(f, grade, query, method, ...) {
    data <- ranking_data(cbind(0 * query), grade, query, ...)
    fitted <- calibrate(f, data, method, threads = 1)$fitted
    scores_of_fit(fitted, case$f)
  }
  of_query <- rep_len(c(0, 1, 3), max(query))[query]
  of_document <- rep_len(c(2, 0, 1, 1), length(query))
  for (method in c(all_models(), list(calibrator_naive()))) {
    for (weight in list(of_query, of_document)) {
      rows <- rep(seq_along(query), weight)
      copy <- if (identical(weight, of_query)) 1000 * sequence(weight) else 0
      copies <- found(case$f[rows, ], grade[rows], query[rows] + copy, method)
      weighted <- if (identical(weight, of_query)) {
        found(case$f, grade, query, method, weight = weight)
      } else {
        found(case$f, grade, query, method, document_weight = weight)
      }
      expect_equal(weighted, copies, tolerance = 1e-6, info = format(method))
    }
  }
})

test_that("weights that are no whole numbers are relative", {
  case <- rbc_case(n = 100, seed = 16)
  weight <- rep_len(c(0.5, 1.25, 3), max(case$held$query))[case$held$query]
  found <- function(method, by) {
    data <- ranking_data(cbind(0 * weight), case$held$relevance, case$held$query, weight = weight * by)
    predict(calibrate(case$f, data, method, threads = 1), case$f)
  }
  for (method in all_models()) {
    expect_equal(found(method, 1), found(method, 0.001), tolerance = 1e-8, info = format(method))
  }
})

test_that("calibrator_rbc(\"isotonic\") is isotonic regression of one score", {
  set.seed(15)
  score <- round(rnorm(400), 1)
  grades <- pmin(2L, pmax(0L, as.integer(round(score + rnorm(400)))))
  held <- held_part(grades)
  case <- list(f = cbind(score), held = held)
  fitted <- fit_rbc(calibrator_rbc("isotonic"), case)
  # All tied documents have the mean of their values.
  mean_of <- tapply(2^grades - 1, score, mean)
  count <- as.vector(table(score))
  at <- as.numeric(names(mean_of))
  by_hand <- stats::isoreg(rep(at, count), rep(as.vector(mean_of), count))$yf
  expect_equal(scores_of_fit(fitted, cbind(rep(at, count))), by_hand)
  # Scores are linear between documents and constant beyond them.
  new <- seq(-5, 5, 0.013)
  expect_equal(scores_of_fit(fitted, cbind(new)),
               stats::approx(at, by_hand[cumsum(count)], new, rule = 2)$y)
  # A query of weight 2 equals two copies of the query.
  held$weight <- ifelse(held$query %% 2 == 0, 2, 1)
  rows <- rep(seq_along(grades), held$weight)
  twice <- list(f = cbind(score[rows]), held = held_part(grades[rows]))
  expect_equal(scores_of_fit(fit_rbc(calibrator_rbc("isotonic"), list(f = cbind(score), held = held)),
                             cbind(new)),
               scores_of_fit(fit_rbc(calibrator_rbc("isotonic"), twice), cbind(new)))
  # For a classifier, the naive score is used.
  classes <- rbc_case(n = 200, seed = 16)
  several <- fit_rbc(calibrator_rbc("isotonic"), classes)
  naive <- rankmix:::naive_scores(classes$f, 1)
  expect_true(all(diff(scores_of_fit(several, classes$f)[order(naive)]) >= 0))
})

test_that("gains that are all 0 and constant discriminants give equal finite scores", {
  f <- matrix(rnorm(60), 20)
  for (method in all_calibrators()) {
    fitted <- rankmix:::fit_calibrator(method, f, held_part(rep(0L, 20)), 3, 1L)
    expect_true(all(is.finite(scores_of_fit(fitted, f))), info = format(method))
    fitted <- rankmix:::fit_calibrator(method, f * 0, held_part(rep(0:1, 10)), 0, 1L)
    scores <- scores_of_fit(fitted, f * 0)
    expect_true(all(is.finite(scores)) && max(scores) == min(scores), info = format(method))
  }
})

test_that("too many monomials are refused", {
  case <- rbc_case(n = 40, classes = 20)
  expect_snapshot_error(fit_rbc(calibrator_rbc("polynomial", degree = 4), case),
                        class = "rankmix_error_argument")
})
