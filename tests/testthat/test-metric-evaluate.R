test_that("there is one row per query and metric", {
  data <- random_data(queries = 7)
  scores <- rnorm(nrow(data$x))
  result <- evaluate(scores, data, list(metric_ndcg(10), metric_err()))
  expect_s3_class(result, "rankmix_evaluation")
  expect_identical(nrow(result), 14L)
  expect_identical(result$query, rep(data$query_ids, 2))
  expect_identical(result$documents, rep(tabulate(data$query), 2))
  expect_identical(unique(result$metric), c("ndcg@10", "err"))
})

test_that("summary() gives mean, standard error, interval and number of queries", {
  data <- random_data(queries = 9)
  result <- evaluate(rnorm(nrow(data$x)), data, list(metric_ndcg(10), metric_err()))
  table <- summary(result, level = 0.9)
  values <- result$value[result$metric == "err"]
  expect_identical(table$metric, c("ndcg@10", "err"))
  expect_equal(table$mean[2], mean(values))
  expect_equal(table$se[2], sd(values) / sqrt(9))
  expect_identical(table$queries, c(9L, 9L))
  interval <- t.test(values, conf.level = 0.9)$conf.int
  expect_equal(c(table$lower[2], table$upper[2]), as.vector(interval))
  expect_snapshot_error(summary(result, level = 2),
                        class = "rankmix_error_argument")
  # 0.05 is a significance level: the interval would be a 5 % interval.
  expect_error(summary(result, level = 0.05), "confidence level", class = "rankmix_error_argument")
})

test_that("several rankers are evaluated at once", {
  data <- random_data(queries = 9)
  columns <- data.frame(a = data$x[, 1], b = round(data$x[, 2]))
  # Rounded scores tie, and in this test row order may break the ties.
  metrics <- list("ndcg@3" = metric_ndcg(3, ties = "order"), err = metric_err(ties = "order"))
  result <- evaluate(columns, data, metrics)
  expect_identical(names(result),
                   c("ranker", "query", "documents", "relevant", "metric", "value"))
  for (name in names(columns)) {
    alone <- evaluate(columns[[name]], data, metrics)
    expect_identical(result$value[result$ranker == name], alone$value)
  }
  table <- summary(result)
  expect_identical(table$ranker, c("a", "b", "a", "b"))
  expect_identical(table$metric, rep(c("ndcg@3", "err"), each = 2))
  expect_identical(evaluate(as.matrix(columns), data, metrics), result)
  model <- fit(adaboost_mh(base_stump(), rounds = 5), data, seed = 1)
  mixed <- evaluate(list(a = columns$a, model = model), data, metrics)
  expect_identical(mixed$value[mixed$ranker == "model"],
                   evaluate(model, data, metrics)$value)
  expect_snapshot(print(evaluate(columns, data, metric_ndcg(3))))
})

test_that("one ranker under a name keeps its name", {
  data <- random_data(queries = 3)
  expect_identical(unique(evaluate(list(mine = data$x[, 1]), data, metric_ndcg())$ranker),
                   "mine")
})

test_that("a model and its scores have the same evaluation", {
  data <- random_data()
  model <- fit(adaboost_mh(base_stump(), rounds = 5), data)
  metric <- metric_ndcg(ties = "average")
  expect_identical(evaluate(model, data, metric), evaluate(predict(model, data), data, metric))
})

test_that("models of other packages are evaluated by their predict()", {
  data <- random_data()
  model <- structure(list(), class = "rankmix_test_foreign")
  registerS3method("predict", "rankmix_test_foreign",
                   function(object, newdata) newdata$x[, 1])
  expect_identical(evaluate(model, data, metric_ndcg()),
                   evaluate(data$x[, 1], data, metric_ndcg()))
})

test_that("threads change nothing", {
  data <- random_data(queries = 300)
  scores <- rnorm(nrow(data$x))
  expect_identical(evaluate(scores, data, metric_ndcg(), threads = 1),
                   evaluate(scores, data, metric_ndcg(), threads = 4))
})

test_that("an evaluation prints its means", {
  data <- ranking_data(matrix(0, 4), c(0, 1, 1, 0), c(1, 1, 2, 2))
  expect_snapshot(print(evaluate(4:1, data, list(metric_ndcg(10), metric_err()))))
})

test_that("parts of evaluations and several together still print", {
  data <- random_data(queries = 4)
  result <- evaluate(data$x[, 1], data, list(metric_ndcg(3), metric_err()))
  expect_output(print(rbind(result, result)), "ndcg@3")
  expect_output(print(result[0, ]))
  expect_output(print(result[, c("metric", "value")]), "err")
  expect_identical(nrow(summary(result[0, ])), 0L)
  expect_identical(names(summary(result[0, ])), names(summary(result)))
  expect_snapshot_error(summary(result[, c("metric", "value")]),
                        class = "rankmix_error_column")
})

test_that("bad scores are refused", {
  data <- ranking_data(matrix(0, 4), c(0, 1, 1, 0), c(1, 1, 2, 2))
  expect_snapshot_error(evaluate(1:3, data, metric_ndcg()),
                        class = "rankmix_error_scores")
  expect_snapshot_error(evaluate(c(1, NA, NaN, 2), data, metric_ndcg()),
                        class = "rankmix_error_scores")
  expect_snapshot_error(evaluate("a", data, metric_ndcg()),
                        class = "rankmix_error_scores")
  expect_snapshot_error(evaluate(1:4, data, list(metric_ndcg(5), metric_ndcg(5L))),
                        class = "rankmix_error_argument")
  twice <- evaluate(1:4, data, metric_ndcg())
  expect_snapshot_error(summary(rbind(twice, twice)),
                        class = "rankmix_error_argument")
  expect_snapshot_error(evaluate(1:4, data$x, metric_ndcg()),
                        class = "rankmix_error_argument")
  expect_snapshot_error(evaluate(factor(1:4), data, metric_ndcg()),
                        class = "rankmix_error_scores")
  big <- structure(rep(5e-324, 4), class = "integer64")
  expect_error(evaluate(big, data, metric_ndcg()), class = "rankmix_error_scores")
  expect_error(evaluate(function(x) stop("none"), data, metric_ndcg()), "computes the scores fails",
               class = "rankmix_error_scores")
  expect_identical(evaluate(function(data) data$x[, 1], data, metric_ndcg(ties = "average")),
                   evaluate(data$x[, 1], data, metric_ndcg(ties = "average")))
  expect_snapshot_error(evaluate(1:4, data, mean),
                        class = "rankmix_error_argument")
  expect_snapshot_error(evaluate(list(1:4, 4:1), data, metric_ndcg()),
                        class = "rankmix_error_argument")
  expect_snapshot_error(evaluate(list(a = 1:4, b = 1:3), data, metric_ndcg()),
                        class = "rankmix_error_scores")
  expect_snapshot_error(evaluate(data.frame(a = 1:4, b = c(1, NA, 2, 3)), data,
                                 metric_ndcg()),
                        class = "rankmix_error_scores")
})

test_that("rows are printed, and a part of an evaluation has no means", {
  data <- random_data(queries = 15, seed = 3)
  result <- evaluate(data$x[, 1], data, metric_ndcg(5))
  expect_identical(result$relevant,
                   as.integer(tapply(data$relevance > 0, data$query, sum)))
  printed <- function(...) capture.output(print(...))
  expect_length(printed(result), 1 + 1 + 1 + 10 + 1)
  expect_match(printed(result, n = 3), "12 more rows", all = FALSE)
  expect_length(printed(result, n = Inf), 1 + 1 + 1 + 15)
  expect_length(printed(result, n = 0), 2)
  worst <- head(result[order(result$value), ], 4)
  expect_s3_class(worst, "rankmix_evaluation")
  expect_identical(worst$value, sort(result$value)[1:4])
  expect_false(any(grepl("mean", printed(worst))))
  expect_length(printed(worst), 1 + 1 + 4)
  expect_s3_class(tail(result, 2), "rankmix_evaluation")
  expect_error(print(result, n = -1), class = "rankmix_error_argument")
})

test_that("a run's relevant documents are those that were judged so, retrieved or not", {
  run <- as_run(data.frame(query = 1, document = c("a", "b"), score = 2:1))
  qrels <- as_qrels(data.frame(query = 1, document = c("a", "c", "d"), relevance = c(0, 2, 1)))
  result <- evaluate(run, qrels, metric_ndcg(10))
  expect_identical(c(result$documents, result$relevant), c(2L, 2L))
})

test_that("summary() groups queries by columns", {
  data <- random_data(queries = 12, seed = 3)
  result <- evaluate(list(a = data$x[, 1], b = data$x[, 2]), data, list(metric_ndcg(5), metric_err()))
  result$long <- result$documents > 6
  table <- summary(result, by = "long")
  expect_identical(names(table)[1:3], c("ranker", "metric", "long"))
  for (i in seq_len(nrow(table))) {
    own <- result$value[result$ranker == table$ranker[i] & result$metric == table$metric[i] &
                          result$long == table$long[i]]
    expect_equal(table$mean[i], mean(own))
    expect_identical(table$queries[i], length(own))
  }
  expect_identical(nrow(table), nrow(unique(as.data.frame(result)[c("ranker", "metric", "long")])))
  two <- summary(result, by = c("long", "relevant"))
  expect_equal(sum(two$queries), sum(table$queries))
  each <- summary(result, by = "query")
  keys <- c("ranker", "metric", "query")
  at <- match(do.call(paste, result[keys]), do.call(paste, each[keys]))
  expect_equal(each$mean[at], result$value)
  expect_identical(summary(result), summary(result[names(result) != "long"]))
  expect_snapshot(error = TRUE, {
    summary(result, by = "relevent")
    summary(result, by = "metric")
    summary(result, by = 3)
    summary(result, bye = "long")
  })
})

test_that("a single query prints in the singular, and columns alone have no queries", {
  data <- random_data(queries = 12, seed = 3)
  result <- evaluate(data$x[, 1], data, "ndcg@5")
  expect_output(print(result[1, ]), "<rankmix_evaluation> 1 query$|1 query\n")
  expect_output(print(result[1:11, ]), "... and 1 more row", fixed = TRUE)
  expect_output(print(result["value"]), "<rankmix_evaluation> 12 rows", fixed = TRUE)
  expect_output(print(data[1, 1]), "<ranking_data> 1 query, .*, 1 feature\n")
  expect_output(print(split_queries(data[1:2], 0.5, seed = 1)), "1 query train, 1 test")
  expect_output(print(evaluate(data$x[data$query == 1, 1], data[1], "ndcg@5")), "error, 1 query)",
                fixed = TRUE)
})


test_that("a group of queries of weight 0 has no mean", {
  data <- random_data(queries = 9)
  data$weight <- rep(c(0, 1, 2), 3)
  evaluation <- evaluate(data$x[, 1], data, "ndcg@5")
  evaluation$group <- data$weight[match(evaluation$query, data$query_ids)]
  found <- summary(evaluation, by = "group")
  expect_identical(found$mean[1L], NaN)
  expect_identical(found$queries, c(0L, 3L, 3L))
  expect_identical(is.na(found$se), c(TRUE, FALSE, FALSE))
  expect_equal(found$mean[2:3], as.vector(tapply(evaluation$value, evaluation$group, mean))[2:3])
  data$weight <- rep(0, 9)
  expect_identical(summary(evaluate(data$x[, 1], data, "ndcg@5"))$mean, NaN)
})

test_that("names of rankers that are not text are refused", {
  data <- random_data(queries = 9)
  scores <- data$x[, 1:2]
  colnames(scores) <- c("bm25", "caf\xe9")
  Encoding(colnames(scores)) <- "unknown"
  expect_snapshot_error(evaluate(scores, data, "ndcg@5"), class = "rankmix_error_argument")
  values <- matrix(stats::runif(20), 10, dimnames = list(NULL, colnames(scores)))
  expect_error(compare_rankers(values, metric = "ndcg@5"), "bytes that are not text", class = "rankmix_error_argument")
  long <- data.frame(query = 1:4, ranker = rep(colnames(scores), each = 2), value = c(0.1, 0.2, 0.3, 0.4))
  expect_error(as_evaluation(long, "ndcg@5"), "bytes that are not text", class = "rankmix_error_argument")
  named <- "caf\xe9"
  Encoding(named) <- "latin1"
  colnames(scores)[2L] <- named
  expect_identical(unique(evaluate(scores, data, "ndcg@5")$ranker), c("bm25", "caf\u00e9"))
})
