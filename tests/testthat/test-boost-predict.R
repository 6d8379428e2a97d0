test_that("all kinds of predictions can be made after several numbers of rounds at once", {
  data <- random_data(queries = 20)
  rounds <- c(30, 0, 7)
  expect_stages <- function(model, type, size) {
    staged <- predict(model, data, type = type, rounds = rounds)
    expect_identical(dim(staged), c(nrow(data$x), size, 3L))
    expect_identical(tail(dimnames(staged), 1L), list(c("30", "0", "7")))
    for (r in rounds) {
      stage <- if (is.null(size)) {
        staged[, as.character(r)]
      } else {
        staged[, , as.character(r)]
      }
      expect_identical(stage, predict(model, data, type = type, rounds = r))
    }
  }
  model <- fit(adaboost_mh(base_tree(4), rounds = 30), data)
  for (type in c("score", "rank", "label")) {
    expect_stages(model, type, NULL)
  }
  expect_stages(model, "prob", 3L)
  expect_stages(model, "raw", 3L)
  trees <- fit(gbrt(30, num_leaves = 4), data)
  expect_stages(trees, "score", NULL)
  expect_stages(trees, "rank", NULL)
  for (wrong in list(numeric(), c(1, NA), c(1, 31), c(1, 0.5), "7")) {
    expect_error(predict(model, data, rounds = wrong), class = "rankmix_error_argument")
    expect_error(predict(trees, data, rounds = wrong), class = "rankmix_error_argument")
  }
})

test_that("prediction types agree with each other", {
  data <- random_data(queries = 30)
  model <- fit(adaboost_mh(base_tree(4), rounds = 10), data)
  prob <- predict(model, data, type = "prob")
  expect_identical(colnames(prob), c("grade0", "grade1", "grade2"))
  expect_equal(rowSums(prob), rep(1, nrow(data$x)))
  expect_true(all(prob >= 0))
  scores <- predict(model, data)
  expect_equal(scores, prob[, 2] + 3 * prob[, 3])
  ranks <- predict(model, data, type = "rank")
  for (q in seq_along(data$query_ids)) {
    rows <- which(data$query == q)
    expect_identical(ranks[rows][order(-scores[rows], seq_along(rows))], seq_along(rows))
  }
  expect_snapshot_error(predict(model, data$x, type = "rank"),
                        class = "rankmix_error_argument")
  expect_snapshot_error(predict(model, data, type = "class"),
                        class = "rankmix_error_argument")
})

test_that("a data frame is ranked by the column that was the query in training", {
  frame <- as.data.frame(random_data(queries = 12, features = 3))
  frame$site <- paste0("s", frame$query %% 3)
  given <- ranking_data(frame[setdiff(names(frame), "site")], relevance = relevance,
                        query = query)
  several <- ranking_data(frame, relevance = relevance, query = c(site, query))
  some <- list(fit(gbrt(trees = 5), given), fit(linear_ranker(penalty = 1), given))
  more <- frame[sample(nrow(frame)), ]
  new <- more[names(more) != "site"]
  for (model in some) {
    expect_identical(predict(model, new, type = "rank"),
                     predict(model, ranking_data(new, query = query), type = "rank"))
    expect_error(predict(model, new[setdiff(names(new), "query")], type = "rank"),
                 class = "rankmix_error_argument")
    expect_error(predict(model, as.matrix(new[model$features]), type = "rank"),
                 class = "rankmix_error_argument")
  }
  model <- fit(gbrt(trees = 5), several)
  expect_identical(predict(model, more, type = "rank"),
                   predict(model, ranking_data(more, query = c(site, query)), type = "rank"))
  # The query is an expression here (`query + 1`), so the model has no column name for it.
  model <- fit(gbrt(trees = 5), ranking_data(frame[names(frame) != "site"], relevance, query + 1))
  expect_snapshot_error(predict(model, new, type = "rank"), class = "rankmix_error_argument")
  # A written model keeps the name of its query column.
  skip_if_not_installed("jsonlite")
  file <- withr::local_tempfile()
  write_model(some[[1]], file)
  expect_identical(predict(read_model(file), new, type = "rank"),
                   predict(some[[1]], new, type = "rank"))
})
