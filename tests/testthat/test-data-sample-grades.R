test_that("copies have the probabilities and share the weight", {
  simulation <- simulate_ranking(15, seed = 1)
  data <- simulation$data
  found <- sample_grades(data, simulation$probability, copies = 400, seed = 1)
  expect_identical(length(found$query_ids), 15L * 400L)
  expect_identical(found$query_ids[c(1, 16)], c("1:1", "1:2"))
  expect_equal(found$weight, rep(1 / 400, 6000))
  expect_identical(found$x[seq_len(nrow(data)), ], data$x[, ])
  grades <- matrix(found$relevance, nrow(data))
  for (grade in 0:4) {
    expect_lt(max(abs(rowMeans(grades == grade) - simulation$probability[, grade + 1])), 0.12)
    expect_lt(abs(mean(grades == grade) - mean(simulation$probability[, grade + 1])), 0.005)
  }
  # The grades of two documents of a query are independent.
  expect_lt(abs(cor(grades[1, ], grades[2, ])), 0.2)
})

test_that("a ranker is trained on the expected loss", {
  simulation <- simulate_ranking(15, features = 6, seed = 1)
  found <- sample_grades(simulation$data, simulation$probability, copies = 30, seed = 1)
  model <- fit(linear_ranker(penalty = 0), found, threads = 1)
  # Least squares on the mean gains is the limit of many copies, because the solution is linear in the gains.
  gains <- rowMeans(matrix(2^found$relevance - 1, nrow(simulation$data)))
  expected <- fit(linear_ranker(penalty = 0), sample_grades(simulation$data, simulation$probability, 1, seed = 2),
                  threads = 1)
  direct <- stats::lm.fit(cbind(1, simulation$data$x[, ]), gains)$fitted.values
  expect_equal(stats::cor(predict(model, simulation$data), direct), 1, tolerance = 1e-6)
  # With a single copy, the grades are different.
  expect_lt(stats::cor(predict(expected, simulation$data), direct), 0.999)
})

test_that("a model of assessors is matched by query and document", {
  data <- ranking_data(cbind(a = 1:6), query = rep(c("p", "q"), each = 3), document = rep(c("x", "y", "z"), 2))
  votes <- data.frame(query = rep(c("q", "p"), each = 6), document = rep(c("z", "x", "y"), 4),
                      assessor = rep(rep(c("anna", "llm"), each = 3), 2), relevance = rep(c(2, 0, 0), 4))
  model <- dawid_skene(votes, prior = 0)
  found <- sample_grades(data, model, copies = 3, seed = 1)
  expect_identical(found$relevance, rep(c(0L, 0L, 2L), 6))
  expect_error(sample_grades(ranking_data(cbind(1:6), query = rep(1:2, each = 3)), model), "without ids",
               class = "rankmix_error_document")
  more <- ranking_data(cbind(a = 1:2), query = c("p", "p"), document = c("x", "w"))
  expect_error(sample_grades(more, model), "No assessor judged the document `w`", class = "rankmix_error_document")
  by_matrix <- dawid_skene(cbind(a = c(0, 1), b = c(0, 1)))
  expect_error(sample_grades(data, by_matrix), "without ids", class = "rankmix_error_document")
})

test_that("weights, documents and positions are kept, and arguments checked", {
  simulation <- simulate_ranking(4, seed = 1)
  frame <- as.data.frame(simulation$data)
  frame$w <- simulation$data$query
  frame$d <- seq_len(nrow(frame))
  data <- ranking_data(frame, relevance, query, document = d, weight = w)
  found <- sample_grades(data, simulation$probability, copies = 2, seed = 1)
  expect_equal(found$weight, rep(1:4, 2) / 2)
  expect_identical(found$document, rep(data$document, 2))
  expect_identical(sample_grades(data, simulation$probability, copies = 2, seed = 1)$relevance, found$relevance)
  expect_error(sample_grades(data), "`probability`", class = "rankmix_error_argument")
  expect_error(sample_grades(data, simulation$probability[-1, ]), "must be a matrix", class = "rankmix_error_argument")
  expect_error(sample_grades(data, simulation$probability, copies = 0), "`copies`", class = "rankmix_error_argument")
})
