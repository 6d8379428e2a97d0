test_that("each query has its agreement", {
  data <- ranking_data(cbind(x = c(3, 2, 1, 5, 4)), relevance = c(0, 1, 0, 1, 0), query = c(1, 1, 1, 2, 2))
  found <- ranking_agreement(data$x[, 1], c(3, 1, 2, 7, 7), data)
  expect_identical(found$query, data$query_ids)
  expect_identical(found$documents, c(3L, 2L))
  expect_identical(found$moved, c(2L, 2L))
  expect_identical(found$identical, c(FALSE, FALSE))
  expect_equal(found$tau, c(1 / 3, 0))
  expect_equal(found$tau_b, c(1 / 3, NA))
  expect_equal(found$tau_ap, c(0.5, 0))
  expect_equal(found$rbo[1L], rbo(c("a", "b", "c"), c("a", "c", "b"))[["ext"]])
  same <- ranking_agreement(data$x[, 1], function(data) 2 * data$x[, 1], data)
  expect_identical(same$identical, c(TRUE, TRUE))
  expect_identical(same$tau, c(1, 1))
  # Grades are not needed.
  expect_equal(ranking_agreement(data$x[, 1], c(3, 1, 2, 7, 7),
                                 ranking_data(data$x, query = c(1, 1, 1, 2, 2)))$tau,
               found$tau)
})

test_that("documents that a run lacks are tied below the others", {
  a <- as_run(data.frame(query = "q1", document = c("a", "b", "c"), score = 3:1))
  b <- as_run(data.frame(query = "q1", document = c("b", "d"), score = 2:1))
  found <- ranking_agreement(a, b)
  expect_identical(found[c("documents", "shared")], data.frame(documents = 4L, shared = 1L),
                   ignore_attr = TRUE)
  # The expected values use the scores of a, b, c and d.
  expect_equal(found$tau_b, cor(c(4, 3, 2, 1), c(1, 4, 1, 3), method = "kendall"))
  known <- rbo(c("a", "b", "c"), c("b", "d"))
  expect_equal(found$rbo, known[["ext"]])
  expect_equal(found$residual, known[["res"]])
  expect_false(found$identical)
})

test_that("runs are matched by query", {
  a <- as_run(data.frame(query = c("q1", "q1", "q2"), document = c("a", "b", "a"), score = c(2, 1, 1)))
  b <- as_run(data.frame(query = c("q2", "q1", "q1"), document = c("a", "b", "a"), score = c(1, 1, 2)))
  found <- ranking_agreement(a, b)
  expect_identical(as.character(found$query), c("q1", "q2"))
  expect_identical(found$identical, c(TRUE, TRUE))
  expect_identical(found$tau, c(1, NA))
  less <- b[b$query == "q1", ]
  expect_error(ranking_agreement(a, less), "`q2`", class = "rankmix_error_topics")
  expect_identical(nrow(ranking_agreement(a, less, topics = "common")), 1L)
  twice <- rbind(a, a[1, ])
  expect_error(ranking_agreement(twice, a), "twice", class = "rankmix_error_document")
})

test_that("ranking_agreement() prints means", {
  withr::local_options(width = 80)
  data <- ranking_data(cbind(x = c(3, 2, 1, 5, 4)), relevance = c(0, 1, 0, 1, 0), query = c(1, 1, 1, 2, 2))
  found <- ranking_agreement(data$x[, 1], c(3, 1, 2, 7, 7), data)
  expect_snapshot(found)
  expect_output(print(found[c("query", "rbo")]), "query +rbo")
  summary <- summary(found)
  expect_identical(summary$queries[summary$measure == "tau_b"], 1L)
  expect_equal(summary$mean[summary$measure == "tau"], 1 / 6)
})

test_that("bad input is refused", {
  run <- as_run(data.frame(query = "q1", document = c("a", "b"), score = 2:1))
  expect_error(ranking_agreement(), class = "rankmix_error_argument")
  expect_error(ranking_agreement(run), class = "rankmix_error_argument")
  expect_error(ranking_agreement(run, 1:2), "both be runs", class = "rankmix_error_argument")
  expect_error(ranking_agreement(1:2, 2:1), class = "rankmix_error_argument")
  data <- ranking_data(cbind(x = 1:2), relevance = 0:1, query = c(1, 1))
  expect_error(ranking_agreement(1:2, 1:3, data), "`b`", class = "rankmix_error_scores")
  expect_error(ranking_agreement(1:2, 2:1, data, how = "tau_c"), class = "rankmix_error_argument")
  expect_error(ranking_agreement(1:2, 2:1, data, topics = "qrels"), class = "rankmix_error_argument")
  expect_error(ranking_agreement(1:2, 2:1, data, ties = "w"), class = "rankmix_error_argument")
  expect_identical(class(tidy(ranking_agreement(1:2, 2:1, data))), "data.frame")
})
