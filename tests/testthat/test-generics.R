data <- random_data(queries = 6, seed = 1)

test_that("the error for data as the first argument shows the right order", {
  expect_snapshot(error = TRUE, {
    fit(data, gbrt())
  })
})

test_that("the error for a model in first place names the order of arguments", {
  expect_snapshot(error = TRUE, {
    fit(as.data.frame(data), gbrt())
    fit(gbrt, data)
    fit(function(x) x, data)
    fit(list()$model, data)
    fit()
  })
})

test_that("evaluate() and explain() work whoever is attached first or last", {
  skip_if_not_installed("callr")
  # A stand-in for dplyr, which has its own generic explain().
  found <- with_stand_in("dplyr", list(explain = function(x, ...) UseMethod("explain")), function() {
    found <- list()
    use <- function() {
      data <- rankmix::simulate_ranking(20, seed = 1)$data
      model <- fit(gbrt(5, num_leaves = 4, min_data_in_leaf = 1), data, seed = 1)
      c(class(explain(model, data))[1L], class(evaluate(model, data, "ndcg@10"))[1L],
        class(evaluate(data$x[, 1L], data, "ndcg@10"))[1L],
        tryCatch(explain(gbrt(), data), error = function(e) class(e)[1L]))
    }
    for (others in list(c("rankmix", "dplyr", "generics"), c("dplyr", "generics", "rankmix"))) {
      for (package in others) library(package, character.only = TRUE, warn.conflicts = FALSE)
      found <- c(found, list(use()))
      for (package in others) detach(paste0("package:", package), character.only = TRUE)
    }
    found
  })
  expected <- c("rankmix_shap", rep("rankmix_evaluation", 2L), "rankmix_error_argument")
  expect_identical(found, list(expected, expected))
})

test_that("evaluate() of the package evaluate is recognised", {
  skip_if_not_installed("evaluate")
  data <- random_data(queries = 6, seed = 1)
  model <- fit(best_feature(), data)
  evaluate_code <- getExportedValue("evaluate", "evaluate")
  expect_snapshot(error = TRUE, evaluate_code(model, data, "ndcg@10"))
})

test_that("other objects in place of specifications and models are errors of the package", {
  data <- example_part("test")
  for (wrong in list("gbrt", 3, TRUE, list(gbrt()))) {
    expect_error(fit(wrong, data), "takes a specification", class = "rankmix_error_argument")
  }
  expect_error(fit(grade ~ ., mtcars), "takes a specification, not a formula", class = "rankmix_error_argument")
  for (wrong in list(NULL, "gbrt", 3, TRUE, mtcars, mean, data)) {
    expect_error(explain(wrong, data), "takes a fitted ranker", class = "rankmix_error_argument")
  }
  expect_snapshot(error = TRUE, fit("gbrt", data))
  expect_snapshot(error = TRUE, explain("gbrt", data))
})

test_that("text of no encoding is refused like any other wrong value", {
  bytes <- "f\xfc"
  Encoding(bytes) <- "bytes"
  for (call in list(quote(read_letor(bytes)), quote(read_model(bytes)), quote(read_run(bytes)),
                    quote(gbrt(bytes)), quote(metric_precision(bytes)))) {
    expect_error(eval(call), "encoding \"bytes\"", class = "rankmix_error_argument")
  }
})

test_that("classes of the package without a method give an error of the package", {
  model <- fit(best_feature(), data)
  folds <- query_folds(data, 3, seed = 1)
  for (wrong in list(data, best_feature(), folds, evaluate(model, data, "ndcg@10"), metric_ndcg(10))) {
    for (generic in list(predict, augment, explain, glance, coef, fit)) {
      if (!identical(wrong, best_feature()) || !identical(generic, fit)) {
        expect_error(generic(wrong), class = "rankmix_error_argument")
      }
    }
  }
  expect_snapshot(error = TRUE, {
    augment(folds)
    plot(folds)
    tidy(data)
  })
})

test_that("errors of dplyr's verbs on ranking data name the remedy", {
  skip_if_not_installed("dplyr")
  data <- random_data(queries = 3, features = 2)
  expect_error(from_package("dplyr", "filter")(data, query == 1), "`subset(data, relevant > 0)`", fixed = TRUE)
  expect_error(from_package("dplyr", "select")(data, f1), "`data[, names]`", fixed = TRUE)
  expect_error(from_package("dplyr", "mutate")(data, f1 = 1), "`as.data.frame(data)`", fixed = TRUE)
})

test_that("a specification that is not trained is distinguished from a model", {
  local_known_warnings("constant")
  data <- random_data(queries = 3, features = 2)
  expect_error(predict(gbrt(), data), "Train it first: `fit(spec, data)`", fixed = TRUE)
  expect_error(evaluate(gbrt(), data, "ndcg@10"), "is not trained", fixed = TRUE, class = "rankmix_error_scores")
  expect_error(fit(fit(gbrt(trees = 2), data), data), "`fit(model$spec, data)`", fixed = TRUE)
})

test_that("an error for a result names the model in it", {
  data <- simulate_ranking(40, documents = 8, seed = 1)$data
  parts <- split_parts(split_queries(data, 0.5, seed = 1), data)
  model <- fit(gbrt(10), parts$train, seed = 1, verbose = FALSE)
  results <- list(
    result = rank_frame(relevance ~ ., as.data.frame(data), query = query, ranker = gbrt(5), seed = 1, threads = 1,
                        verbose = FALSE),
    tuned = tune_ranker(gbrt(5), parts$train, parts$test, budget = 2, seed = 1, threads = 1, verbose = FALSE),
    distilled = distill(model, parts$train, gbrt(5), metric = metric_ndcg(ties = "average"), seed = 1, threads = 1,
                        verbose = FALSE),
    cut = cut_list(model, parts$test, "recall >= 0.1")
  )
  for (name in names(results)) {
    x <- results[[name]]
    text <- sprintf("It contains a model: give `%s$%s`", name, if (name == "distilled") "student" else "model")
    refused <- function(call, class = "rankmix_error_argument") {
      expect_error(call, text, fixed = TRUE, class = class)
    }
    refused(explain(x, parts$test))
    refused(coef(x))
    refused(renew(x, parts$test))
    refused(explain_pair(x, parts$test, 1, 2))
    refused(provenance(x), "rankmix_error_class")
    if (name != "distilled") refused(write_model(x, tempfile(fileext = ".json")))
    if (name != "result") refused(augment(x, parts$test))
  }
})

test_that("each result has a method, or an error of the package", {
  data <- random_data(queries = 6, seed = 1)
  model <- fit(best_feature(), data)
  values <- evaluate(list(a = model, b = data$x[, 1]), data, "ndcg@10")
  shuffled <- permutation_importance(model, data, "ndcg@10", seed = 1)
  for (x in list(query_report(values, seed = 1), shuffled, provenance(fit(gbrt(2, min_data_in_leaf = 2), data, seed = 1)),
                 queries_needed(0.1, sd = 0.3))) {
    for (verb in list(glance, coef, predict, function(x) augment(x, data), function(x) explain(x, data))) {
      expect_error(verb(x), "has no method", class = "rankmix_error_argument")
    }
  }
  expect_error(tidy(shuffled), "It is a data frame", class = "rankmix_error_argument")
})

test_that("summary() of a result is its table", {
  data <- random_data(queries = 6, seed = 1)
  values <- evaluate(list(a = data$x[, 1], b = data$x[, 2]), data, "ndcg@10")
  for (x in list(query_report(values, seed = 1), queries_needed(0.1, sd = 0.3), risk(values, baseline = "a"))) {
    expect_identical(summary(x), tidy(x))
  }
  report <- query_report(values, by = "relevant", seed = 1)
  expect_identical(summary(report, what = "groups"), tidy(report, what = "groups"))
  # The methods of the package stay.
  expect_identical(names(summary(values))[1:2], c("ranker", "metric"))
})
