choose <- function(...) rankmix:::choose_by_floor(...)
tests_of <- function(...) rankmix:::floor_tests(...)
weights_of_two <- rankmix:::simplex_weights(c("relevance", "revenue"), 10)

test_that("the sequence agrees with a loop over t-tests", {
  withr::local_seed(1)
  for (i in 1:20) {
    values <- simulated_values(20, (0:10) / 200)
    found <- choose(values, weights_of_two, c(relevance = 0.03), "revenue", 0.1)
    last <- 1L
    for (j in 2:11) {
      test <- t.test(values$relevance[, 1L], values$relevance[, j], paired = TRUE, mu = 0.03, alternative = "less")
      if (test$p.value > 0.1) break
      last <- j
    }
    expect_identical(which(found$tests$passed), seq_len(last))
    expect_identical(found$point, which.max(colMeans(values$revenue)[seq_len(last)]))
    # With a floor for the other objective, the sequence runs in the opposite direction.
    back <- choose(lapply(rev(values), function(v) v[, 11:1]), weights_of_two, c(revenue = 0.03), "relevance", 0.1)
    expect_true(back$tests$passed[11L])
  }
})

test_that("if all mixtures lose exactly the floor, a mixture is chosen with a probability of at most the level", {
  withr::local_seed(2)
  times <- repetitions(1000)
  losses <- c(0, rep(0.03, 10))
  chosen <- replicate(times, {
    choose(simulated_values(25, losses, gains = losses), weights_of_two, c(relevance = 0.03), "revenue", 0.05)$point
  })
  expect_lt(mean(chosen > 1L), 0.05 + 3 * sqrt(0.05 * 0.95 / times))
  # The test has power: without a loss, nearly all mixtures pass.
  passed <- replicate(50, {
    tests_of(simulated_values(400, losses * 0), weights_of_two, c(relevance = 0.03), 0.05)$passed[11L]
  })
  expect_gt(mean(passed), 0.9)
})

test_that("the error rate holds for correlated mixtures, folds and three objectives", {
  withr::local_seed(3)
  times <- repetitions(600)
  errors <- replicate(times, {
    base <- rnorm(30, sd = 0.1)
    path <- outer(base, 0:10 / 10)
    values <- list(relevance = 0.5 - 0.03 * c(0, rep(1, 10))[col(path)] + path, revenue = path)
    choose(values, weights_of_two, c(relevance = 0.03), "revenue", 0.05, fold = rep(1:3, 10))$point > 1L
  })
  expect_lt(mean(errors), 0.05 + 3 * sqrt(0.05 * 0.95 / times))
  three <- rankmix:::simplex_weights(c("a", "b", "c"), 2)
  errors <- replicate(times, {
    noise <- function() matrix(rnorm(25 * 6, sd = 0.1), 25)
    values <- list(a = noise() - 0.03 * (col(noise()) > 1), b = noise(), c = noise())
    choose(values, three, c(a = 0.03), "c", 0.05)$point > 1L
  })
  expect_lt(mean(errors), 0.05 + 3 * sqrt(0.05 * 0.95 / times))
})

test_that("three objectives are adjusted by Holm, and each floor must hold", {
  withr::local_seed(4)
  three <- rankmix:::simplex_weights(c("a", "b", "c"), 2)
  values <- lapply(c(a = 1, b = 2, c = 3), function(k) 0.5 + matrix(rnorm(40 * 6, sd = 0.05), 40))
  p <- function(name, alone) {
    vapply(1:6, function(j) {
      d <- values[[name]][, alone] - values[[name]][, j]
      if (j == alone) 0 else t.test(d, mu = 0.02, alternative = "less")$p.value
    }, 0)
  }
  one <- tests_of(values, three, c(a = 0.02), 0.05)
  expect_equal(one$p_adjusted[-1L], p.adjust(p("a", 1L)[-1L], "holm"))
  expect_identical(one$p_noninferior[1L], NA_real_)
  two <- tests_of(values, three, c(a = 0.02, b = 0.02), 0.05)
  alone_b <- which(three[, "b"] == 1)
  wanted <- pmax(p("a", 1L), p("b", alone_b))
  # The model that is trained for an objective alone loses nothing on this objective. So its p-value is not compared.
  expect_equal(two$p_noninferior[-c(1L, alone_b)], wanted[-c(1L, alone_b)])
  expect_equal(two$p_adjusted, p.adjust(two$p_noninferior, "holm"))
  none <- choose(values, three, c(a = 1e-9, b = 1e-9), "c", 0.05)
  expect_identical(none$point, NA_integer_)
})

test_that("a choice can be made again", {
  front <- small_front(two_labels())
  expect_null(front$choice)
  wide <- choose_point(front, floor = c(relevance = 0.5))
  expect_identical(wide$choice$point, which.max(front$points$value_revenue))
  expect_identical(wide$choice$maximize, "revenue")
  narrow <- choose_point(wide, floor = c(relevance = 1e-6))
  expect_identical(narrow$choice$point, 1L)
  expect_identical(narrow$choice$gains$difference[1:2], c(0, 0))
  other <- choose_point(front, floor = c(revenue = 0.5), level = 0.2)
  expect_identical(other$choice[c("maximize", "reference", "level")],
                   list(maximize = "relevance", reference = "revenue", level = 0.2))
  given <- choose_point(front, weights = c(revenue = 1, relevance = 4))
  expect_identical(given$points$weight_relevance[given$choice$point], 0.8)
  expect_snapshot(error = TRUE, {
    choose_point(front)
    choose_point(front, floor = c(relevance = 0.1), weights = c(relevance = 1, revenue = 0))
    choose_point(front, weights = c(relevance = 0.123, revenue = 0.877))
    choose_point(front, weights = c(relevance = 1))
    choose_point(front, floor = 0.1)
    choose_point(front, floor = c(relevanc = 0.1))
    choose_point(front, floor = c(relevance = 0))
    choose_point(front, floor = c(relevance = 0.1, revenue = 0.1))
    choose_point(front, floor = c(relevance = 0.1), maximize = "relevance")
    choose_point(front, maximize = "revenue", weights = c(relevance = 1, revenue = 0))
    choose_point(3, floor = c(relevance = 0.1))
    predict(front, two_labels(10))
  })
})

test_that("no mixture that keeps all floors is a warning", {
  front <- small_front(two_labels(60, clicks = rep(0:1, 300)), steps = 2)
  expect_warning(none <- choose_point(front, floor = c(relevance = 1e-9, revenue = 1e-9)),
                 class = "rankmix_warning_floor")
  expect_null(none$model)
  expect_output(print(none), "No mixture passes the test of the floor")
})
