small_models <- function() {
  train <- example_part("train")
  list(a = fit(gbrt(trees = 10, num_leaves = 4), train, threads = 1),
       b = fit(linear_ranker(loss_pairwise()), train, threads = 1))
}

test_that("reasons agree with explain_pair() for neighbours", {
  models <- small_models()
  data <- example_part("test")[1:12]
  page <- explored_page(models, data, explain = 2, depth = 4)
  values <- do.call(cbind, page$index$values)
  changed <- order(-abs(values[, 1L] - values[, 2L]))[1:2]
  expect_setequal(page$index$explained + 1L, changed)
  expect_identical(page$index$reasons, c("", ""))
  why <- jsonlite::fromJSON(sub("</script>.*", "", sub(".*id=\"explorer-why\">", "", page$text)),
                            simplifyVector = FALSE)
  for (model in 1:2) {
    scores <- predict(models[[model]], data)
    for (query in changed) {
      rows <- which(data$query == query)
      rows <- utils::head(rows[order(-scores[rows])], 4L)
      pairs <- why$rankers[[model]][[as.character(query - 1L)]]
      expect_length(pairs, length(rows) - 1L)
      for (r in seq_along(pairs)) {
        expected <- explain_pair(models[[model]], data, rows[r], rows[r + 1L], threads = 1)
        expected <- expected[expected$contribution != 0, ]
        first <- utils::head(expected, 6L)
        items <- matrix(as.double(unlist(pairs[[r]][[2L]])), 4L)
        expect_equal(pairs[[r]][[1L]], scores[rows[r]] - scores[rows[r + 1L]], tolerance = 1e-3)
        expect_identical(as.character(unlist(why$names)[items[1L, ] + 1L]), first$feature)
        expect_equal(items[2L, ], first$contribution, tolerance = 1e-3)
        expect_equal(items[3L, ], first$above, tolerance = 1e-3)
        expect_equal(items[4L, ], first$below, tolerance = 1e-3)
        expect_equal(pairs[[r]][[3L]], nrow(expected) - nrow(first))
        expect_equal(pairs[[r]][[4L]], sum(expected$contribution) - sum(first$contribution), tolerance = 1e-3)
      }
    }
  }
})

test_that("the default features are the features of the reasons", {
  models <- small_models()["a"]
  data <- example_part("test")[1:12]
  page <- explored_page(list(a = models$a, b = data$x[, 1]), data, explain = 12, depth = 5)
  scores <- predict(models$a, data)
  sizes <- numeric(length(data$features))
  for (query in seq_along(data$query_ids)) {
    rows <- which(data$query == query)
    rows <- utils::head(rows[order(-scores[rows])], 5L)
    for (r in seq_len(length(rows) - 1L)) {
      pair <- explain_pair(models$a, data, rows[r], rows[r + 1L], threads = 1)
      sizes <- sizes + abs(pair$contribution[match(data$features, pair$feature)])
    }
  }
  count <- min(8L, sum(sizes > 0))
  expect_identical(page$index$features, data$features[order(-sizes)][seq_len(count)])
})

test_that("without models, the features that move documents are shown, and no reasons", {
  data <- random_data(queries = 30, features = 12)
  rankers <- list(new = data$x[, 1], old = data$x[, 1] + 3 * data$x[, 7])
  page <- explored_page(rankers, data)
  expect_identical(page$index$features[1L], "x7")
  expect_length(page$index$features, 8L)
  expect_length(page$index$explained, 0L)
  expect_true(all(nzchar(page$index$reasons)))
  same <- explored_page(list(a = data$x[, 1], b = data$x[, 1]), data)
  expect_identical(same$index$features, data$features[1:8])
  none <- explored_page(rankers, data, features = character())
  expect_length(none$index$features, 0L)
  expect_false("feature0" %in% names(none[["block-0"]]))
})

test_that("reasons by sampling depend on the seed alone", {
  train <- example_part("train")
  data <- example_part("test")[1:6]
  rankers <- list(a = fit(adaboost_mh(base_tree(3), rounds = 5), train, threads = 1), b = data$x[, 1])
  page <- explored_page(rankers, data, explain = 1, depth = 3, seed = 4)
  expect_identical(explored_page(rankers, data, explain = 1, depth = 3, seed = 4)$text, page$text)
  expect_identical(page$index$reasons[1L], "")
})

test_that("a model that cannot be explained has the reason on the page", {
  data <- random_data(queries = 6, features = 3)
  model <- structure(list(features = "other", named = TRUE), class = "rankmix_ranker")
  why <- rankmix:::explained_lists(list(a = model, b = NULL), data,
                                   list(values = cbind(a = 1:6, b = 6:1), depth = 3,
                                        ranks = cbind(a = seq_len(nrow(data)), b = 1)), 2, 1, 1)
  expect_match(why$reasons[["a"]], "features of the model")
  expect_true(is.null(why$pairs$a))
})
