# Risks of Sakai's 20 topics against B, computed by hand from the formulas.
test_that("URisk, TRisk and GeoRisk have known values", {
  found <- tidy(risk(sakai_topics, "B"))
  a <- found[found$ranker == "A", ]
  expect_identical(a$alpha, c(0, 1, 5))
  expect_equal(a$urisk, c(0.075, 0.045, -0.075))
  expect_equal(a$trisk, c(2.11576, 0.9872525, -0.8075729), tolerance = 1e-6)
  expect_equal(a$p, 2 * pt(-abs(a$trisk), 19))
  known <- rbind(A = c(.4134253, .3956329, .3196015), B = c(.3643102, .3549443, .3156699),
                 C = c(.3549656, .3413010, .2825927))
  for (ranker in rownames(known)) {
    expect_equal(found$georisk[found$ranker == ranker], unname(known[ranker, ]), tolerance = 1e-6)
  }
  d <- sakai_topics[, "A"] - sakai_topics[, "B"]
  expect_equal(a$wins[1L], mean(d > 1e-9))
  expect_equal(a$robustness[1L], mean(d > 1e-9) - mean(d < -1e-9))
  expect_equal(a$difference, rep(0.075, 3))
})

test_that("the baseline has no risk", {
  found <- tidy(risk(sakai_topics, "B", alpha = 1))
  own <- found[found$ranker == "B", ]
  expect_identical(own$urisk, 0)
  expect_identical(own$trisk, NA_real_)
  expect_identical(own$p, NA_real_)
})

test_that("a weight counts copies", {
  weight <- rep(c(1, 3), 10)
  paired <- list(values = sakai_topics, weight = weight)
  copies <- list(values = sakai_topics[rep(1:20, weight), ])
  columns <- c("mean", "difference", "wins", "losses", "urisk", "georisk")
  expect_equal(rankmix:::risk_of_metric(paired, "B", 2)[columns],
               rankmix:::risk_of_metric(copies, "B", 2)[columns])
})

test_that("a comparison adds the confidence set of the best", {
  compared <- compare_topics(test = "randomization", adjust = "maxt", resamples = 1000)
  found <- tidy(risk(compared, "B"))
  expect_identical(found$metric[1L], "ndcg@10")
  expect_identical(found$best[1:3], compared$rankers$best[match(found$ranker[1:3], compared$rankers$ranker)])
  expect_identical(tidy(risk(sakai_topics, "B"))$best[1L], NA)
})

test_that("undefined risks are NA", {
  expect_identical(tidy(risk(sakai_topics - 0.5, "B", 0))$georisk, rep(NA_real_, 3))
  expect_identical(tidy(risk(0 * sakai_topics, "B", 0))$georisk, rep(NA_real_, 3))
  one <- tidy(risk(sakai_topics[1, , drop = FALSE], "B", 0))
  expect_identical(one$trisk, rep(NA_real_, 3))
  expect_identical(one$p[1L], 1)
  # One topic has the value 0 for all rankers, because it has no relevant document.
  values <- rbind(sakai_topics, 0)
  expect_false(anyNA(tidy(risk(values, "B"))$georisk))
})

test_that("risk() prints in 80 columns", {
  withr::local_options(width = 80)
  expect_snapshot(risk(sakai_topics, "B", alpha = c(0, 5)))
  many <- sakai_topics[, rep(1:3, 5)]
  colnames(many) <- paste0("ranker_with_a_very_long_name_", 1:15)
  lines <- capture.output(print(risk(many, colnames(many)[1L])))
  expect_lte(max(nchar(lines)), 80L)
  expect_match(lines, "more rankers", all = FALSE)
})

test_that("bad input is refused", {
  refused <- function(...) expect_error(risk(...), class = "rankmix_error_argument")
  refused()
  refused(sakai_topics)
  refused(sakai_topics, "D")
  refused(sakai_topics[, 1, drop = FALSE], "A")
  for (alpha in list(-1, NA, "a", numeric(), Inf)) refused(sakai_topics, "B", alpha)
  refused("a", "b")
  expect_error(risk(replace(sakai_topics, 2, NA), "B"), class = "rankmix_error_values")
})
