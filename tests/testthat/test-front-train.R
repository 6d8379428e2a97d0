test_that("values and models agree with fit(), predict() and evaluate()", {
  data <- two_labels()
  front <- small_front(data[1:80], data[81:120], patience = 5, weights = c(relevance = 0.7, revenue = 0.3))
  metric <- metric_ndcg(10, ties = "average")
  models <- lapply(c(relevance = "relevance", revenue = "revenue"), function(label) {
    fit(gbrt(15), use_label(data[1:80], label), use_label(data[81:120], label), metric, patience = 5,
        seed = rankmix:::derived_seed(1, label), threads = 1, verbose = FALSE)
  })
  scores <- lapply(models, function(model) {
    own <- predict(model, data[81:120])
    own / sd(own)
  })
  for (j in seq_len(nrow(front$points))) {
    mixed <- front$points$weight_relevance[j] * scores$relevance + front$points$weight_revenue[j] * scores$revenue
    for (label in names(models)) {
      wanted <- evaluate(mixed, use_label(data[81:120], label), metric)$value
      expect_equal(front$values[[label]][, j], wanted)
    }
  }
  expect_equal(predict(front, data[81:120]), 0.7 * scores$relevance + 0.3 * scores$revenue)
  expect_identical(front$points$weight_relevance[front$choice$point], 0.7)
  expect_s3_class(front$model, "rankmix_mix")
})

test_that("a missing value of best_feature() counts as the lowest training value in mixtures", {
  data <- two_labels()
  x <- data$x
  x[seq(1, length(x), by = 5)] <- NA
  gaps <- ranking_data(x, data$relevance, data$query, labels = as.list(data$labels))
  front <- small_front(gaps[1:80], gaps[81:120], ranker = list(relevance = gbrt(15), revenue = best_feature()),
                       weights = c(relevance = 0.5, revenue = 0.5))
  part <- use_label(gaps[81:120], "revenue")
  expect_true(any(predict(front$models$revenue, part) == -Inf))
  own <- lapply(front$models, function(model) pmax(predict(model, part), if (is.null(model$lowest)) -Inf else model$lowest))
  expect_equal(predict(front, gaps[81:120]),
               Reduce(`+`, lapply(own, function(scores) 0.5 * scores / sd(scores))), ignore_attr = TRUE)
})

test_that("the chosen mixture is a model like others", {
  data <- two_labels()
  front <- small_front(data, weights = c(relevance = 0.5, revenue = 0.5))
  file <- withr::local_tempfile(fileext = ".json")
  write_model(front$model, file)
  expect_identical(predict(read_model(file), data), predict(front, data))
  expect_identical(coef(front$model), c(relevance = 0.5, revenue = 0.5))
  expect_output(print(front$model), "Chosen: given weights")
  expect_identical(nrow(tidy(front$model)), 2L)
  expect_identical(glance(front$model)$used, 2L)
  expect_error(explain(front$model, data[1]), class = "rankmix_error_argument")
  rds <- withr::local_tempfile()
  saveRDS(front, rds)
  expect_identical(predict(readRDS(rds), data), predict(front, data))
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(front$model), "ggplot")
  expect_error(ggplot2::autoplot(front$model, "tuning"), class = "rankmix_error_argument")
})

test_that("folds score each query by models of other folds", {
  data <- two_labels(60)
  folds <- query_folds(data, 3, seed = 4)
  front <- small_front(data, folds = folds, steps = 2)
  expect_identical(front$queries, 60L)
  part <- split_parts(folds, data, 2)
  plan <- list(objectives = front$objectives, rankers = list(relevance = gbrt(15), revenue = gbrt(15)), patience = 50,
               threads = 1)
  trained <- rankmix:::train_objectives(plan, part$train, part$valid, rankmix:::derived_seed(1, "fold", 2L),
                                        function() NULL)
  values <- rankmix:::values_of_mixtures(trained, front$weights, part$test, data, front$objectives, 1)
  rows <- match(part$test$query_ids, data$query_ids)
  expect_identical(front$values$revenue[rows, ], values$revenue)
  expect_identical(front$fold[rows], rep(2L, 20))
  expect_false(any(is.na(front$fold)))
  # Queries of the first validation part are not used for the final models.
  changed <- data
  out <- data$query %in% match(folds$folds[[1L]]$valid, data$query_ids)
  final <- rankmix:::final_parts(data, folds)
  expect_setequal(final$validation$query_ids, data$query_ids[unique(data$query[out])])
  expect_identical(length(final$train$query_ids), 40L)
  expect_identical(small_front(data, folds = 3, steps = 2)$queries, 60L)
})

test_that("a label that is graded in some parts only counts as not graded", {
  data <- two_labels(20)
  whole <- data[1:10]
  whole$labels$revenue <- rep_len(0:2, nrow(whole))
  parts <- rankmix:::with_label(list(data[11:20], whole), "revenue")
  expect_identical(vapply(parts, rankmix:::is_graded, NA), c(FALSE, FALSE))
  expect_identical(vapply(rankmix:::with_label(list(data, whole), "relevance"), rankmix:::is_graded, NA),
                   c(TRUE, TRUE))
})
