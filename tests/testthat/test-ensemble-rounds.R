# Plain values for calling each stage of a mixture alone.
small_plan <- function(holdout = mix_holdout(), train = example_part("train")) {
  spec <- mixture(adaboost_mh(base_stump(), rounds = 10), gbrt(10, num_leaves = 4),
                  calibrators = list(calibrator_naive(), calibrator_rbc("linear")),
                  weights = mix_weights(c(0, 20), rounds = c(3, 10)), holdout = holdout)
  rankmix:::plan_mixture(spec, rankmix:::new_task(train, seed = 1, threads = 1L))
}

test_that("stages called one by one give the mixture of fit()", {
  package <- asNamespace("rankmix")
  plan <- small_plan()
  data <- package$split_mixture_data(plan, example_part("train"))
  plan <- package$with_calibrators(plan, data$validation)
  trained <- package$train_members(plan, data$train)
  expect_identical(trained$label, c("adaboost_mh()", "gbrt()"))
  tuned <- package$tune_rounds(plan, trained, data)
  mixture <- package$new_mixture(plan, trained, tuned)
  whole <- tune_and_mix(example_part("train"), NULL, plan$members, plan$calibrators,
                        weights = mix_weights(c(0, 20), rounds = c(3, 10)), seed = 1, threads = 1,
                        verbose = FALSE)
  expect_identical(mixture$members, whole$members)
  expect_identical(mixture$tuning, whole$tuning)
  expect_identical(predict(mixture, example_part("test")), predict(whole, example_part("test")))
})

test_that("a split keeps the queries of its parts apart", {
  plan <- small_plan(mix_holdout(0.7, method = "split"))
  data <- rankmix:::split_mixture_data(plan, example_part("train"))
  ids <- lapply(data[c("train", "calibration", "validation")], `[[`, "query_ids")
  expect_identical(sort(unlist(ids, use.names = FALSE)), sort(example_part("train")$query_ids))
  expect_gt(min(lengths(ids)), 0L)
})

test_that("calibration gives the scores of any candidates, for any T", {
  package <- asNamespace("rankmix")
  plan <- small_plan(mix_holdout(method = "same"))
  data <- list(train = example_part("train"), validation = example_part("vali"))
  plan <- package$with_calibrators(plan, data$validation)
  models <- package$train_members(plan, data$train)$models
  candidates <- package$member_candidates(models, plan$calibrators)
  # A ranker with one score has no naive calibrator.
  expect_identical(candidates, data.frame(calibrator = c(1L, 2L, 2L), model = c(1L, 1L, 2L)))
  calibration <- package$new_calibration(plan, models, candidates, data, c(3L, 10L))
  all <- package$calibrated_candidates(calibration, 1:3, 3L)
  some <- package$calibrated_candidates(calibration, c(3L, 1L), 3L)
  expect_identical(some$scores, all$scores[c(3, 1)])
  expect_identical(all$fitted, package$final_calibrators(calibration, 1:3, 3L))
  outputs <- unname(predict(models[[1]], data$validation, type = "raw", rounds = 3))
  expect_identical(all$scores[[1]], package$naive_scores(outputs, sum(models[[1]]$alpha[1:3])))
  expect_identical(package$cheapest_scores(calibration, 3L)[[1]], all$scores[[1]])
  members <- package$with_calibrated(package$no_members(3), calibration, 1:2, 3L)
  expect_identical(members$rounds, c(3L, 3L, -1L))
  expect_identical(members$scores[1:2], all$scores[1:2])
})

test_that("weights and the selection of T need scores only", {
  package <- asNamespace("rankmix")
  data <- example_part("vali")
  evaluator <- package$new_evaluator(metric_ndcg(10), data, 1L)
  weighting <- package$weights_to_try(mix_weights(c(0, 20), choose = "best"), list())
  scores <- list(good = as.numeric(data$relevance), bad = -as.numeric(data$relevance))
  tried <- lapply(list(scores, rev(scores), scores["bad"]), function(scores) {
    omega <- package$metric_means(metric_ndcg(10), scores, data, 1L)
    c(list(omega = omega),
      package$weights_by_setting(weighting, scores, omega, seq_along(scores), names(scores), evaluator, 0))
  })
  # With c = 0, the second and third setting are equal. The smaller T wins ties.
  selected <- package$select_setting(weighting, c(tried[3], list(NULL), tried[1:2]), c(1L, 2L, 5L, 9L),
                                     evaluator)
  expect_identical(selected$choice$rounds, 5L)
  expect_identical(selected$choice$c, 20)
  expect_equal(selected$value, max(tried[[1]]$omega))
  expect_gt(selected$weight[1], 0.999)
  expect_identical(selected$tuning$rounds, rep(c(1L, 5L, 9L), each = 2))
})

test_that("values of T are tried in the order of naive members, the largest first", {
  clock <- local_clock()
  budget <- function(seconds) rankmix:::new_budget(Inf, seconds)
  values <- c(`10` = 0.3, `20` = 0.5, `50` = 0.4, `100` = 0.5)
  seen <- integer()
  look <- function(seconds) {
    function(rounds) {
      seen <<- c(seen, rounds)
      clock$time <- clock$time + seconds
      values[[as.character(rounds)]]
    }
  }
  grid <- c(10L, 20L, 50L, 100L)
  ranked <- function(seconds, each) grid[rankmix:::ranked_rounds(grid, look(each), budget(seconds))]
  expect_identical(ranked(100, 1), c(20L, 100L, 50L, 10L))
  expect_identical(seen, rev(grid))
  # If evaluations are slow, only few are made, but at least one.
  expect_identical(ranked(9.5, 1), c(100L, 50L, 20L, 10L))
  expect_identical(seen, c(rev(grid), 100L, 50L))
  expect_identical(ranked(1, 5), rev(grid))
})

test_that("with a short budget, naive members choose T", {
  clock <- local_clock()
  use_clock(clock)
  models <- two_models()
  grid <- c(1, 4, 10, 20)
  promise <- budget_mixture(models, calibrator_naive(), rounds = grid)
  short <- budget_mixture(models, list(calibrator_naive(), slow(1)), rounds = grid, seconds = 3)
  expect_identical(short$rounds, promise$rounds)
  expect_false(promise$rounds == grid[1])
})

test_that("of equal values of T the smaller is chosen, and calibrators of the others are dropped", {
  stages <- lapply(list(0.5, NULL, c(0.1, 0.6), 0.6, NA), function(value) {
    if (!is.null(value)) list(value = value, fitted = list("calibrator"))
  })
  kept <- lengths(lapply(rankmix:::only_best_fitted(stages), `[[`, "fitted"))
  expect_identical(kept, c(0L, 0L, 1L, 0L, 0L))
})
