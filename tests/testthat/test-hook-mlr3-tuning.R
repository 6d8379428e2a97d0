tuning_task <- function() {
  data <- simulate_ranking(40, documents = 8, features = 5, seed = 4)$data
  frame <- data.frame(data$x, relevance = data$relevance, query = data$query)
  task <- from_package("mlr3", "as_task_regr")(frame, target = "relevance")
  task$set_col_roles("query", "group")
  list(task = task, data = data)
}

test_that("values of the parameters change the specification, whose own values are the defaults", {
  made <- tuning_task()
  learner <- mlr3_learner(gbrt(trees = 8, min_data_in_leaf = 2), seed = 1, threads = 1)
  expect_length(learner$param_set$values, 0L)
  expect_setequal(learner$param_set$ids(), names(formals(gbrt))[names(formals(gbrt)) != "..."])
  expect_identical(learner$param_set$ids(tags = "budget"), "trees")
  learner$train(made$task)
  expect_true(learner$model$spec == gbrt(trees = 8, min_data_in_leaf = 2))
  plain <- learner$hash
  learner$param_set$set_values(learning_rate = 0.3, num_leaves = 4, objective = loss_softmax(), trees = 5)
  expect_false(learner$hash == plain)
  copy <- learner$clone(deep = TRUE)
  copy$param_set$set_values(trees = 6)
  learner$train(made$task)
  changed <- gbrt(trees = 5, min_data_in_leaf = 2, learning_rate = 0.3, num_leaves = 4, objective = loss_softmax())
  expect_true(learner$model$spec == changed)
  expect_identical(learner$predict(made$task)$response,
                   predict(fit(changed, ranking_data(as.data.frame(made$task$data()[, -1]), made$data$relevance,
                                                     made$data$query), seed = 1), made$data$x))
  expect_true(copy$train(made$task)$model$spec == update(changed, trees = 6))
})

test_that("values that are not allowed are refused when they are set, or when the learner trains", {
  made <- tuning_task()
  learner <- mlr3_learner(gbrt(trees = 8))
  expect_error(learner$param_set$set_values(growth = "up"), "`growth` must be one of")
  expect_error(learner$param_set$set_values(num_leaves = 2.5), "num_leaves")
  expect_error(learner$param_set$set_values(leaves = 3), "leaves")
  learner$param_set$set_values(learning_rate = 2)
  expect_error(learner$train(made$task), class = "rankmix_error_argument")
  expect_true(setting_problem(gbrt(), "growth", "oblivious"))
  expect_match(setting_problem(gbrt(), "growth", "up"), "must be one of")
  expect_setequal(mlr3_learner(mixture(gbrt(), linear_ranker()))$param_set$ids(),
                  setdiff(names(entry_of(mixture(gbrt()))$parameters), entry_of(mixture(gbrt()))$dots))
})

test_that("the search space has the ranges and choices of tune_ranker()", {
  from_package("paradox", "ps")
  for (spec in list(lambdamart(), gbrt(), adaboost_mh(), mcsvm(), network_ranker(), linear_ranker())) {
    space <- tuning_space(spec)
    made <- mlr3_space(spec)
    expect_identical(made$ids(), if (length(space) > 0L) names(space) else character())
    for (name in names(space)) {
      values <- space[[name]]
      if (inherits(values, "rankmix_tuning_range")) {
        bounds <- c(made$lower[[name]], made$upper[[name]])
        if (values$log && !values$integer) bounds <- exp(bounds)
        if (!(values$log && values$integer)) expect_equal(bounds, c(values$low, values$high))
      } else {
        expect_length(made$levels[[name]], length(values))
      }
    }
  }
  design <- from_package("paradox", "generate_design_random")(mlr3_space(lambdamart()), 200)$transpose()
  leaves <- vapply(design, `[[`, 0, "num_leaves")
  expect_true(all(leaves >= 4 & leaves <= 256 & leaves == round(leaves)))
  # Half of the draws are below the geometric mean of the bounds.
  expect_gt(mean(leaves < 32), 0.35)
  expect_lt(mean(leaves < 32), 0.65)
  own <- mlr3_space(gbrt(), list(objective = list(loss_squared(), loss_softmax()), max_bin = c(15, 63)))
  value <- from_package("paradox", "generate_design_grid")(own)$transpose()[[4]]
  expect_true(inherits(value$objective, "rankmix_objective") && value$max_bin %in% c(15, 63))
})

test_that("wrong spaces are reported", {
  expect_snapshot(error = TRUE, {
    mlr3_space()
    mlr3_space("gbrt")
    mlr3_space(gbrt(), new.env())
    mlr3_space(gbrt(), list(leaves = tuning_range(2, 8)))
    mlr3_space(gbrt(), list(learning_rate = tuning_range(0.1, 3)))
  })
})

test_that("random search of mlr3tuning finds the value of its best settings", {
  tune <- from_package("mlr3tuning", "tune")
  made <- tuning_task()
  folds <- from_package("mlr3", "rsmp")("cv", folds = 3)
  set.seed(1)
  folds$instantiate(made$task)
  learner <- function(...) mlr3_learner(gbrt(trees = 15, min_data_in_leaf = 3, ...), seed = 1, threads = 1)
  space <- mlr3_space(gbrt(), tuning_space(gbrt())[c("num_leaves", "learning_rate")])
  lgr <- from_package("lgr", "get_logger")
  withr::defer(for (name in c("mlr3", "bbotk")) lgr(name)$set_threshold(NULL))
  for (name in c("mlr3", "bbotk")) lgr(name)$set_threshold("warn")
  measure <- mlr3_measure("ndcg@5(ties = \"average\")")
  found <- tune(from_package("mlr3tuning", "tnr")("random_search"), made$task, learner(), folds, measure,
                term_evals = 5, search_space = space)
  values <- found$archive$data[[measure$id]]
  expect_identical(unname(found$result_y), max(values))
  best <- found$result_learner_param_vals
  spec <- do.call(learner, best[c("num_leaves", "learning_rate")])
  again <- from_package("mlr3", "resample")(made$task, spec, folds)
  expect_equal(unname(again$aggregate(measure)), unname(found$result_y), tolerance = 1e-12)
  # to_tune() in the learner defines the same search space.
  tuned <- learner()
  to_tune <- from_package("paradox", "to_tune")
  tuned$param_set$set_values(learning_rate = to_tune(0.05, 0.3, logscale = TRUE),
                             growth = to_tune(from_package("paradox", "p_fct")(c("leaves", "oblivious"))))
  found <- tune(from_package("mlr3tuning", "tnr")("random_search"), made$task, tuned, folds, measure, term_evals = 4)
  expect_true(found$result_learner_param_vals$growth %in% c("leaves", "oblivious"))
})
