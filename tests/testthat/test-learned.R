few_documents <- function() {
  ranking_data(cbind(a = c(3, 1, 2, 6, 5, 4)), relevance = c(2, 0, 1, 2, 1, 0),
               query = rep(1:2, each = 3))
}
one_grade_a_query <- function() {
  set.seed(2)
  grade <- rep(1:4, each = 25)
  ranking_data(cbind(a = sample(100), b = sample(100)), grade, grade)
}

test_that("a model that ranks nothing gives a warning with the reason and the remedy", {
  expect_snapshot({
    model <- fit(gbrt(5), few_documents(), threads = 1)
    model <- fit(lambdamart(trees = 5), few_documents(), threads = 1)
    model <- fit(gbrt(5, objective = loss_pairwise()), one_grade_a_query(), threads = 1)
    model <- fit(linear_ranker(), ranking_data(cbind(a = rep(0, 6)), few_documents()$relevance,
                                        few_documents()$query), threads = 1)
    model <- fit(coordinate_ascent(restarts = 2), one_grade_a_query(), seed = 1, threads = 1)
    model <- fit(adarank(rounds = 3), one_grade_a_query(), threads = 1)
  })
})

test_that("a model that ranks has no warning", {
  expect_no_warning(fit(gbrt(5, min_data_in_leaf = 1), few_documents(), threads = 1),
                    class = "rankmix_warning_constant")
  expect_no_warning(fit(best_feature(), few_documents(), threads = 1))
})

test_that("a feature that differs only between queries ranks nothing", {
  data <- few_documents()
  between <- ranking_data(cbind(a = c(1, 1, 1, 2, 2, 2)), data$relevance, data$query)
  expect_warning(fit(linear_ranker(), between, threads = 1), class = "rankmix_warning_constant")
})

test_that("a model scores all queries if the documents of the first tie", {
  relevance <- rep(c(0L, 1L), 1000)
  x <- cbind(a = c(rep(0, 1990), relevance[1991:2000]))
  data <- ranking_data(x, relevance, rep(seq_len(1000), each = 2))
  expect_no_warning(fit(best_feature(), data, threads = 1))
})

test_that("costs above all gains are the cause of a constant model", {
  train <- example_part("train")
  expect_warning(fit(gbrt(5, feature_cost = rep(2, ncol(train))), train),
                 "No split gains more than the cost of its feature", class = "rankmix_warning_constant")
})

test_that("the cause is found for binned data, too", {
  message_of <- function(data, spec = gbrt(5)) {
    tryCatch(fit(spec, data, threads = 1), rankmix_warning_constant = conditionMessage)
  }
  binned <- binned_data(as.data.frame(few_documents()), relevance, query, verbose = FALSE)
  expect_match(message_of(binned), "min_data_in_leaf")
  expect_identical(message_of(binned), message_of(few_documents()))
  # Here the only feature is constant in each query.
  frame <- data.frame(relevance = rep(0:1, 20), query = rep(1:10, each = 4), x = rep(c(2, 9, 4, 7, 1), each = 8))
  binned <- binned_data(frame, relevance, query, verbose = FALSE)
  spec <- gbrt(5, min_data_in_leaf = 1)
  expect_match(message_of(binned, spec), "No feature differs between the documents of a training query.")
  expect_identical(message_of(binned, spec), message_of(ranking_data(frame, relevance, query = query), spec))
})

test_that("queries of weight 0 count as absent for the warning, also if they come first", {
  data <- simulate_ranking(60, documents = 30, features = 6, seed = 1)$data
  data$weight <- rep(c(0, 1), c(50, 10))
  model <- expect_no_warning(fit(gbrt(trees = 3), data, seed = 1, threads = 1, verbose = FALSE))
  expect_identical(predict(model, data),
                   predict(fit(gbrt(trees = 3), data[51:60], seed = 1, threads = 1, verbose = FALSE), data))
  data$weight <- NULL
  data$document_weight <- as.double(data$query > 50)
  expect_no_warning(fit(gbrt(trees = 3), data, seed = 1, threads = 1, verbose = FALSE))
  # The feature differs only in the query of weight 0.
  few <- ranking_data(cbind(a = c(1, 2, 3, 7, 7, 7)), c(0, 1, 2, 0, 1, 2), rep(1:2, each = 3),
                      weight = rep(c(0, 1), each = 3))
  expect_warning(fit(best_feature(), few, threads = 1, verbose = FALSE), class = "rankmix_warning_constant")
})

test_that("queries are predicted in blocks, of which the first is small", {
  expect_identical(query_blocks(c(2L, 5L, 6L, 9L, 10L), rep(4L, 5), first = 4, block = 8), list(2L, 5:6, 9:10))
  expect_identical(query_blocks(1:4, c(9L, 1L, 1L, 20L), first = 4, block = 100), list(1L, 2:4))
  expect_identical(query_blocks(1:4, c(1L, 2L, 1L, 1L), first = 4, block = 100), list(1:3, 4L))
  # The documents of one query alone differ.
  learns <- function(query) {
    x <- cbind(a = as.double(rep(1:300, each = 40) == query) * c(0, 1))
    fit(best_feature(), ranking_data(x, rep(c(0, 1), 6000), rep(1:300, each = 40)), threads = 1, verbose = FALSE)
  }
  for (query in c(1, 25, 26, 300)) expect_no_warning(learns(query), class = "rankmix_warning_constant")
  expect_warning(learns(0), class = "rankmix_warning_constant")
})
