long_table <- function() {
  data.frame(ranker = rep(c("a", "b"), each = 4), query = rep(c("q1", "q2"), 4),
             metric = rep(rep(c("ap", "rr"), each = 2), 2), value = 1:8 / 8)
}

test_that("a matrix is compared as its values are", {
  compared <- compare_rankers(sakai_topics, test = "t", adjust = "holm", seed = 1)
  t <- compared$pairs$difference / compared$pairs$se
  expect_equal(t, c(2.11575986, 1.61330088, .65269363), tolerance = 1e-8)
  # The book has p .048, effect size .473 and margin of error .0742.
  expect_equal(round(compared$pairs$p_t[1], 3), .048)
  expect_equal(round(compared$pairs$effect[1], 3), .473)
  expect_equal(compared$pairs$p_randomization, c(.065917969, .14460754, .62353516), tolerance = 1e-8)
  expect_identical(names(compared$values), "value")
  expect_identical(compared$rankers$ranker, c("A", "B", "C"))
  expect_identical(names(compare_rankers(sakai_topics, metric = "nDCG@10")$values), "nDCG@10")
  expect_identical(names(compare_rankers(sakai_topics, metric = metric_ndcg(5))$values), "ndcg@5")
})

test_that("matrices, data frames and long tables give the same evaluation", {
  values <- sakai_topics[1:4, ]
  rownames(values) <- paste0("q", 1:4)
  made <- as_evaluation(values, "ap")
  expect_s3_class(made, "rankmix_evaluation")
  expect_identical(names(made), c("ranker", "query", "metric", "value"))
  expect_identical(made$query, rep(rownames(values), 3))
  expect_identical(made$value, as.vector(values))
  expect_identical(as_evaluation(as.data.frame(values), "ap"), made)
  expect_identical(as_evaluation(data.frame(query = rownames(values), values), "ap"), made)
  plain <- structure(as.data.frame(made), class = "data.frame")
  expect_identical(as_evaluation(plain), made)
  # Rows may have any order. Queries are in the order of their first row.
  turned <- as_evaluation(plain[nrow(plain):1, ])
  expect_identical(turned$value, rev(made$value))
  expect_identical(summary(made)$mean, unname(colMeans(values)))
  expect_identical(as_evaluation(made), made)
  expect_identical(as_evaluation(sakai_topics)$query, rep(1:20, 3))
})

test_that("names of columns of other tools are recognised, or given", {
  table <- long_table()
  expected <- as_evaluation(table)
  terrier <- stats::setNames(table, c("name", "qid", "measure", "value"))
  expect_identical(as_evaluation(terrier), expected)
  own <- stats::setNames(table, c("who", "id", "what", "score"))
  expect_identical(as_evaluation(own, columns = c(ranker = "who", query = "id", metric = "what",
                                                  value = "score")), expected)
  # A column that `columns` names is used, even if another column has the standard name.
  both <- cbind(own[-1], ranker = "x", who = own$who)
  expect_identical(as_evaluation(both, columns = c(ranker = "who", query = "id", metric = "what",
                                                   value = "score")), expected)
  tibble <- if (rlang::is_installed("tibble")) tibble::as_tibble(table) else table
  expect_identical(as_evaluation(tibble), expected)
})

test_that("folds, weights and further columns are kept", {
  table <- cbind(long_table(), fold = rep(c("f1", "f2"), 4), weight = rep(c(1, 3), 4), long = TRUE)
  made <- as_evaluation(table)
  expect_identical(names(made), c("fold", "ranker", "query", "metric", "value", "weight", "long"))
  expect_equal(summary(made)$mean[1], weighted.mean(made$value[1:2], c(1, 3)))
  compared <- compare_rankers(made, metric = "ap", seed = 1)
  expect_identical(compared$pairs$folds, 2L)
  expect_identical(compared$values$ap$weight, c(1, 3))
  # One query in two folds is no duplicate.
  again <- transform(long_table(), query = "q1", fold = rep(1:2, 4))
  expect_identical(as_evaluation(again)$fold, rep(c("1", "2"), 4))
})

test_that("a table without a ranker is an evaluation of one ranker", {
  one <- data.frame(query = 1:3, value = c(.1, .2, .6))
  made <- as_evaluation(one, "err")
  expect_null(made$ranker)
  compared <- compare_rankers(x = made, y = as_evaluation(transform(one, value = value / 2), "err"), seed = 1)
  expect_equal(compared$pairs$difference, .15)
  # The argument's name in the call replaces the name of a single ranker.
  named <- as_evaluation(cbind(z = one$value), "err")
  renamed <- compare_rankers(x = named, y = made, seed = 1)
  expect_identical(renamed$rankers$ranker, c("x", "y"))
})

test_that("missing values are errors, or left out, or filled, and a message counts them", {
  table <- long_table()[-7, ]
  expect_snapshot(error = TRUE, {
    as_evaluation(table)
    as_evaluation(table[c(1, 6), ], topics = "common")
    compare_rankers(rbind(a = c(x = 1, y = NA), b = c(1, 1)))
  })
  expect_snapshot(common <- as_evaluation(table, topics = "common"))
  expect_identical(common$query, rep("q2", 4))
  expect_identical(attr(common, "rows"), 4L)
  expect_snapshot(filled <- as_evaluation(table, fill = 0))
  expect_identical(filled$value[filled$metric == "rr" & filled$ranker == "b"], c(0, 1))
  # NA is a missing value, too. NaN leaves a query out of the mean.
  values <- rbind(q1 = c(a = .5, b = NA), q2 = c(NaN, NaN), q3 = c(1, .25))
  expect_message(filled <- as_evaluation(values, fill = 0), class = "rankmix_message_evaluation")
  expect_identical(summary(filled)$mean, c(.75, .125))
  expect_identical(summary(filled)$queries, c(2L, 2L))
  expect_message(common <- compare_rankers(values, topics = "common", seed = 1), "1 of 3 queries is left out")
  expect_identical(common$pairs$queries, 1L)
  expect_error(compare_rankers(rbind(c(a = 1, b = NaN), c(1, 1))), class = "rankmix_error_values")
})

test_that("bad tables are errors that name the place", {
  table <- long_table()
  expect_snapshot(error = TRUE, {
    as_evaluation()
    as_evaluation(1:3)
    as_evaluation(matrix(1:4, 2))
    as_evaluation(cbind(a = "x"))
    as_evaluation(sakai_topics[0, ])
    as_evaluation(cbind(a = c(1, Inf), b = 1))
    as_evaluation(cbind(a = 1:2, b = 1), c("ap", "rr"))
    as_evaluation(cbind(a = 1:2, b = 1), 10)
    as_evaluation(rbind(table, table[3, ]))
    as_evaluation(cbind(rbind(table, table[3, ]), fold = 1))
    as_evaluation(table[0, ])
    as_evaluation(table[-2])
    as_evaluation(table[-4])
    as_evaluation(transform(table, value = "0.5"))
    as_evaluation(transform(table, ranker = c(NA, ranker[-1])))
    as_evaluation(transform(table, query = c(NA, query[-1])))
    as_evaluation(transform(table, weight = -1))
    as_evaluation(transform(table, weight = 1:8))
    as_evaluation(table, "mrr")
    as_evaluation(table[-3], c("ap", "rr"))
    as_evaluation(table, columns = "query")
    as_evaluation(table, columns = c(query = "qury"))
    as_evaluation(table, topics = "qrels")
    as_evaluation(table, fill = 0, topics = "common")
    as_evaluation(table, fill = NA)
    compare_rankers(sakai_topics, data = example_part("test"))
    compare_rankers(sakai_topics[, 1, drop = FALSE])
    compare_rankers(sakai_topics, topics = "qrels")
  })
  expect_error(as_evaluation(rbind(table, table)), class = "rankmix_error_queries")
  expect_error(as_evaluation(table[-1, ]), class = "rankmix_error_queries")
  expect_error(as_evaluation(table[-4]), class = "rankmix_error_column")
  expect_error(as_evaluation(transform(table, value = Inf)), class = "rankmix_error_values")
  expect_error(as_evaluation(table, "mrr"), class = "rankmix_error_argument")
  expect_error(as_evaluation(transform(table, query = NA)), class = "rankmix_error_query")
})

test_that("evaluations of tables are compared over data sets and printed", {
  first <- as_evaluation(sakai_topics, "ap")
  second <- as_evaluation(sakai_topics[, 3:1], "ap")
  over <- compare_over_datasets(list(x = first, y = second), how = "ranks")
  expect_equal(over$means, rbind(x = colMeans(sakai_topics), y = colMeans(sakai_topics)))
  expect_output(print(first), "A: ap: 0.3450")
})
