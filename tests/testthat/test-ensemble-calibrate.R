# The model and the calibrator of each member as numbers: model:calibrator.
candidates_of <- function(mixture) {
  calibrator <- as.integer(factor(mixture$members$calibrator, unique(mixture$members$calibrator)))
  paste0(mixture$members$model, ":", calibrator)
}

# A reference implementation of tune_rounds() without a time budget: all members for each T, one after the other.
naive_tuning <- function(models, calibrators, data, metric, c, rounds, crossfit) {
  package <- asNamespace("rankmix")
  held <- package$held_out(data, 1L)
  stages <- lapply(rounds, function(r) {
    members <- list()
    for (model in models) {
      now <- min(r, length(model$alpha))
      f <- unname(predict(model, data, type = "raw", rounds = now))
      range <- sum(model$alpha[seq_len(now)])
      for (method in calibrators) {
        all <- package$fit_calibrator(method, f, held, range, 1L)
        scores <- if (crossfit == 1) {
          package$calibrated_scores(all, f, 1L)
        } else {
          package$crossfit_scores(list(package$calibrator_inputs(f, range, list(method))), held,
                                  crossfit, 1L)[[1]][[1]]
        }
        members <- base::c(members, list(list(fitted = all, scores = scores)))
      }
    }
    scores <- lapply(members, `[[`, "scores")
    omega <- vapply(scores, function(s) summary(evaluate(s, data, choosing_metric(metric)))$mean, 0)
    values <- package$mixture_values(scores, omega, data, metric, c, -Inf, 1L)
    list(fitted = lapply(members, `[[`, "fitted"), omega = omega, values = as.vector(values))
  })
  best <- which.max(vapply(stages, function(stage) max(stage$values), 0))
  base::c(stages[[best]][c("fitted", "omega")],
          list(rounds = rounds[best], tuned = unlist(lapply(stages, `[[`, "values"))))
}

test_that("without a budget all members are made for all T, as if made one by one", {
  models <- two_models()
  calibrators <- list(calibrator_naive(), calibrator_cpc(), calibrator_rbc("polynomial"))
  for (crossfit in 1:3) {
    mixture <- budget_mixture(models, calibrators, crossfit = crossfit, rounds = c(3, 12, 20),
                              threads = 1)
    slow <- naive_tuning(models, calibrators, example_part("vali"), metric_ndcg(10), c(0, 20),
                         c(3, 12, 20), crossfit)
    expect_identical(mixture$members$value, slow$omega)
    expect_identical(mixture$tuning$value, slow$tuned)
    expect_identical(as.numeric(mixture$rounds), slow$rounds)
    expect_identical(mixture$fitted, slow$fitted)
  }
  expect_identical(mixture$skipped, character())
})

test_that("mixtures equal mixtures of version 0.2.0", {
  mixture <- tune_and_mix(
    example_part("train"), example_part("vali"),
    list(adaboost_mh(base_tree(4), rounds = 40), adaboost_mh(base_stump(), rounds = 20)),
    list(calibrator_naive(), calibrator_cpc(), calibrator_rbc()), seed = 1, verbose = FALSE
  )
  expect_identical(list(mixture$rounds, mixture$c), list(40L, 100))
  expect_equal(mixture$members$value,
               c(0.825395483485214, 0.831125231436244, 0.817331815912887, 0.789434369567675,
                 0.788253109920101, 0.778457084736772), tolerance = 1e-9)
  expect_equal(mixture$tuning$value[mixture$tuning$c == 20],
               c(0.796626415470685, 0.815010278602516, 0.817348615018145), tolerance = 1e-9)
})

test_that("a budget that suffices changes nothing", {
  models <- two_models()
  calibrators <- list(calibrator_rbc(), calibrator_naive(), calibrator_cpc())
  for (crossfit in 1:2) {
    plain <- budget_mixture(models, calibrators, crossfit = crossfit, rounds = c(3, 8, 20))
    expect_identical(budget_mixture(models, calibrators, crossfit = crossfit,
                                    rounds = c(3, 8, 20), seconds = 1e6), plain)
  }
})

test_that("a budget limits calibrators, and values of T are tried while all members fit into the budget", {
  clock <- local_clock()
  use_clock(clock)
  models <- two_models()
  calibrators <- list(slow(1), slow(3), calibrator_naive())
  at <- function(seconds, ...) {
    clock$time <- 0
    budget_mixture(models, calibrators, ..., seconds = seconds)
  }
  # Both T need 2 x (1 + 1 + 3 + 3) seconds.
  all <- at(16)
  expect_identical(nrow(all$members), 6L)
  expect_identical(unique(all$tuning$rounds), c(3L, 20L))
  expect_identical(clock$time, 16)
  expect_identical(all, at(Inf))
  # One T needs 8 seconds. The budget is too small for both.
  one <- at(15)
  expect_identical(nrow(one$members), 6L)
  expect_identical(clock$time, 8)
  expect_length(unique(one$tuning$rounds), 1L)
  expect_identical(one$skipped, c(T = paste("T =", setdiff(c(3, 20), one$rounds))))
  # slow(3) starts for the first classifier only. At that time, slow(3) could still be as fast as slow(1).
  few <- at(4.5, rounds = 20)
  expect_identical(clock$time, 5)
  expect_identical(few$members$calibrator,
                   c("calibrator_slow(1)", "calibrator_slow(3)", "calibrator_naive()", "calibrator_slow(1)", "calibrator_naive()"))
  expect_identical(few$skipped, c(calibrator = "calibrator_slow(3) of adaboost_mh(base_stump())"))
  expect_output(print(few), "2 rankers, 5 members")
  expect_output(print(few), "Out of time: 1 calibrator; see $skipped", fixed = TRUE)
  # The mixture of a short budget can predict.
  members <- predict(few, example_part("vali"), type = "member")
  expect_identical(ncol(members), 5L)
  expect_equal(predict(few, example_part("vali")), drop(members %*% few$members$weight))
  expect_equal(summary(evaluate(few, example_part("vali"), metric_ndcg(10, ties = "average")))$mean, few$value)
})

test_that("there is always a member, by the cheapest calibrator", {
  clock <- local_clock()
  use_clock(clock)
  spec <- slow_spec(5, clock, adaboost_mh(base_stump(), rounds = 20))
  none <- budget_mixture(list(spec), list(slow(1), calibrator_naive(), calibrator_cpc()), seconds = 2)
  expect_identical(none$members$calibrator, "calibrator_naive()")
  expect_identical(none$members$weight, 1)
  expect_identical(clock$time, 5)
  expect_identical(unname(none$skipped), c("calibrator_slow(1)", "calibrator_cpc(\"log_sigmoid\")", "T = 3"))
  expect_output(print(none), "1 ranker, 1 member\n")
  expect_output(print(none), "Out of time: 2 calibrators; T = 3; see $skipped", fixed = TRUE)
  alone <- budget_mixture(list(spec), list(slow(1)), seconds = 2, crossfit = 2)
  expect_identical(alone$members$calibrator, "calibrator_slow(1)")
  expect_output(print(alone), "1 member")
})

test_that("the final fits are part of the budget", {
  clock <- local_clock()
  use_clock(clock)
  models <- two_models()
  at <- function(seconds) {
    clock$time <- 0
    budget_mixture(models, list(calibrator_naive(), slow(1)), rounds = 20, crossfit = 2,
                   seconds = seconds)
  }
  # A task takes 2 seconds, and a final fit is expected to take as long. So two members need 2 + 2 seconds, and two
  # more members need another 2 + 2.
  expect_identical(nrow(at(8)$members), 4L)
  expect_identical(clock$time, 6)
  expect_identical(nrow(at(7.9)$members), 3L)
  expect_identical(clock$time, 3)
})

test_that("training has half of the budget", {
  clock <- local_clock()
  use_clock(clock)
  specs <- list(slow_spec(2, clock), slow_spec(2, clock), slow_spec(2, clock), slow_spec(2, clock))
  trained <- budget_mixture(specs, calibrator_naive(), seconds = 6)
  expect_length(trained$models, 2L)
  expect_identical(names(trained$skipped), rep("specification", 2))
  expect_length(budget_mixture(specs, calibrator_naive(), seconds = 20)$models, 4L)
})

test_that("one pass over a model predicts all T, or one pass for each T if memory is short", {
  models <- c(two_models(), list(fit(gbrt(20, num_leaves = 4), example_part("train"), seed = 1)))
  valid <- example_part("vali")
  features <- rep(list(valid$x), 3L)
  input_of <- function(most) {
    rankmix:::staged_outputs(models, features, c(2L, 7L, 10L, 20L), 2L, most)
  }
  # The buffer needs 8 bytes for each document, column and T. The second model has only 10 rounds.
  enough <- 8 * nrow(valid) * (4 * 4 + 4 * 3 + 4)
  for (most in c(enough, enough - 1)) {
    inputs <- input_of(most)
    for (rounds in c(20L, 2L, 10L)) {
      for (i in 1:2) {
        now <- min(rounds, length(models[[i]]$alpha))
        expect_identical(inputs(i, now),
                         unname(predict(models[[i]], valid, type = "raw", rounds = now)))
      }
      expect_identical(inputs(3L, rounds), cbind(predict(models[[3]], valid, rounds = rounds)))
    }
  }
  passes <- function(most) {
    inputs <- input_of(most)
    inputs(1L, 20L)
    lengths(environment(inputs)$passes) > 0L
  }
  expect_identical(passes(enough), c(TRUE, FALSE, FALSE))
  expect_identical(passes(enough - 1), c(FALSE, FALSE, FALSE))
})

test_that("polynomials of too many grades are no members, and reported", {
  set.seed(4)
  grades <- rep(0:11, 50)
  data <- ranking_data(cbind(x = grades + rnorm(600)), grades, rep(1:50, each = 12))
  parts <- split_parts(split_queries(data, 0.5, seed = 1), data)
  models <- list(adaboost_mh(base_stump(), 5, grouping = "identity"), gbrt(5, num_leaves = 4))
  mixture <- suppressWarnings(tune_and_mix(
    parts$train, parts$test, models, list(calibrator_rbc(), calibrator_rbc("polynomial", degree = 5)), seed = 1,
    verbose = FALSE
  ))
  expect_identical(unname(mixture$skipped),
                   sprintf("calibrator_rbc(\"polynomial\", degree = 5) of %s", format(models[[1]])))
  expect_named(mixture$skipped, "unfit")
  expect_identical(nrow(mixture$members), 3L)
  expect_output(print(mixture), "Not calibrated")
  expect_error(suppressWarnings(tune_and_mix(parts$train, parts$test, models[1],
                                             list(calibrator_rbc("polynomial", degree = 5)), seed = 1,
                                             verbose = FALSE)),
               "monomials", class = "rankmix_error_argument")
})
