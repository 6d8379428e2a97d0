vectors <- list(ndcg_vec, mean_ndcg_vec, dcg_vec, err_vec, average_precision_vec,
                reciprocal_rank_vec, precision_vec, recall_vec, r_precision_vec, f_measure_vec,
                success_vec, bpref_vec, rbp_vec)
names(vectors) <- c("ndcg", "mean_ndcg", "dcg", "err", "average_precision", "reciprocal_rank",
                    "precision", "recall", "r_precision", "f_measure", "success", "bpref", "rbp")

test_that("each is the mean that evaluate() gives", {
  data <- random_data(queries = 20, seed = 6)
  scores <- round(data$x[, 1], 1)
  query <- paste0("q", data$query_ids[data$query])
  for (name in names(vectors)) {
    metric <- get(name, asNamespace("rankmix"))
    expect_identical(vectors[[name]](data$relevance, scores, query),
                     summary(evaluate(scores, data, metric()))$mean, label = name)
    expect_identical(vectors[[name]](data$relevance, scores, query, ties = "average"),
                     summary(evaluate(scores, data, metric(ties = "average")))$mean, label = name)
  }
  expect_setequal(names(vectors), setdiff(rankmix:::metric_names(), "judged"))
  expect_identical(ndcg_vec(data$relevance, scores, factor(query), k = 3, empty = "drop"),
                   summary(evaluate(scores, data, ndcg(3, empty = "drop")))$mean)
})

test_that("weights, several queries and missing values are heeded", {
  data <- random_data(queries = 20, seed = 6)
  scores <- data$x[, 1]
  weight <- runif(20)[data$query]
  weighed <- ranking_data(data$x, data$relevance, data$query, weight = weight)
  expect_equal(ndcg_vec(data$relevance, scores, data$query, case_weights = weight),
               summary(evaluate(scores, weighed, ndcg()))$mean, tolerance = 1e-14)
  expect_identical(ndcg_vec(data$relevance, scores, list(data$query, data$query)),
                   ndcg_vec(data$relevance, scores, data$query))
  holed <- replace(scores, 3, NA)
  expect_identical(ndcg_vec(data$relevance, holed, data$query), NA_real_)
  expect_identical(ndcg_vec(data$relevance, holed, data$query, na_rm = TRUE),
                   ndcg_vec(data$relevance[-3], scores[-3], data$query[-3]))
  # A feature that equals the grade is no leak of a ranking.
  expect_silent(ndcg_vec(data$relevance, data$relevance, data$query))
})

test_that("bad input is told", {
  expect_snapshot_error(ndcg_vec(c(1, 0), c(1, 2)), class = "rankmix_error_argument")
  expect_snapshot_error(ndcg_vec(c(1, 0), 1, c(1, 1)), class = "rankmix_error_length")
  expect_snapshot_error(ndcg_vec(c(1, 0.5), c(1, 2), c(1, 1)), class = "rankmix_error_grade")
  expect_snapshot_error(ndcg_vec(c(1, 0), c(1, 2), c(1, 1), k = 1:2),
                        class = "rankmix_error_argument")
  expect_snapshot_error(ndcg_vec(c(1, 0), c(1, 2), c(1, 1), cutoff = 2))
})

test_that("yardstick sums up by them, and its names that they mask are said", {
  summarise <- from_package("yardstick", "numeric_metric_summarizer")
  data <- random_data(queries = 20, seed = 6)
  frame <- data.frame(grade = as.double(data$relevance), score = data$x[, 1])
  found <- summarise("ndcg", ndcg_vec, frame, grade, score,
                     fn_options = list(query = data$query))
  expect_identical(found$.estimate, ndcg_vec(frame$grade, frame$score, data$query))
  ours <- getNamespaceExports("rankmix")
  theirs <- getNamespaceExports("yardstick")
  expect_setequal(grep("_vec$", intersect(ours, theirs), value = TRUE),
                  c("average_precision_vec", "precision_vec", "recall_vec"))
})
