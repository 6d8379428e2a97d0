data <- random_data(queries = 6, seed = 1)

test_that("data that come first are told to be second", {
  expect_snapshot(error = TRUE, {
    fit(data, gbrt())
  })
})

test_that("what is trained first is answered whatever it is", {
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
  # Stands for dplyr, which has a generic explain() of its own.
  found <- with_stand_in("dplyr", list(explain = function(x, ...) UseMethod("explain")), function() {
    found <- list()
    use <- function() {
      data <- rankmix::simulate_ranking(20, seed = 1)$data
      model <- fit(gbrt(5, leaves = 4, min_documents = 1), data, seed = 1)
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

test_that("evaluate() of the package evaluate says whose function it is", {
  skip_if_not_installed("evaluate")
  data <- random_data(queries = 6, seed = 1)
  model <- fit(best_feature(), data)
  evaluate_code <- getExportedValue("evaluate", "evaluate")
  expect_snapshot(error = TRUE, evaluate_code(model, data, "ndcg@10"))
})
