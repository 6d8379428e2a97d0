sql_of <- function(model) paste(written(model, "sql"), collapse = "\n")

# The scores of the documents by SQLite.
score_by_sqlite <- function(model, x) {
  skip_if_not_installed("RSQLite")
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(connection))
  DBI::dbWriteTable(connection, "documents", as.data.frame(x))
  DBI::dbGetQuery(connection, sprintf("SELECT (%s) AS score FROM documents AS features", sql_of(model)))$score
}

# The rows of the data, rows with values at thresholds, and rows with the next doubles.
sql_rows <- function(model) {
  x <- rbind(export_data()$x, edge_features(model))
  for (feature in unique(model$forest$feature)) {
    threshold <- model$forest$threshold[model$forest$feature == feature]
    threshold <- threshold[is.finite(threshold)]
    near <- c(threshold, threshold * (1 + 2^-52), threshold * (1 - 2^-52))
    x[seq_along(near) %% nrow(x) + 1L, feature + 1L] <- near
  }
  colnames(x) <- model$features
  x
}

test_that("SQLite gives the scores of trees, bit for bit", {
  models <- export_trees()
  data <- export_data()
  models$dropout <- fit(gbrt(8, num_leaves = 5, dropout = 0.3), data, seed = 1, verbose = FALSE)
  models$none <- models$gbrt
  models$none$best_rounds <- 0L
  for (name in names(models)) {
    model <- models[[name]]
    x <- sql_rows(model)
    found <- score_by_sqlite(model, x)
    if (inherits(model, "rankmix_classifier")) {
      # Each leaf has the sum over grades, so the additions have another order.
      expect_equal(found, linear_score(model, x), tolerance = 1e-14, label = name)
    } else {
      expect_identical(found, predict(model, x), label = name)
    }
  }
})

test_that("SQLite gives the scores of sums, bit for bit", {
  x <- export_data()$x
  models <- c(export_sums("indicator"), export_sums("mean")[c("linear", "adarank")])
  for (name in names(models)) {
    model <- models[[name]]
    colnames(x) <- model$features
    found <- score_by_sqlite(model, x)
    if (name == "mcsvm") {
      expect_equal(found, linear_score(model, x), tolerance = 1e-14)
    } else {
      expect_identical(found, predict(model, x), label = name)
    }
  }
  best <- fit(best_feature("ndcg@5"), export_data(), verbose = FALSE)
  wanted <- predict(best, x)
  wanted[wanted == -Inf] <- -.Machine$double.xmax
  expect_identical(score_by_sqlite(best, x), wanted)
})

test_that("deep trees and many trees are within the limits of SQLite", {
  # All nodes of this tree are on one path. Nested expressions would exceed SQLite's limit on depth.
  depth <- 300L
  chain <- list(feature = rep(0L, depth), threshold = as.double(seq_len(depth)), missing_left = rep(0L, depth),
                left = -seq_len(depth), right = c(seq_len(depth - 1L), -depth - 1L), gain = rep(0, depth),
                values = seq_len(depth + 1) / 7, documents = rep(1, depth + 1))
  mirror <- chain
  mirror[c("left", "right")] <- chain[c("right", "left")]
  mirror$threshold <- rev(chain$threshold)
  mirror$missing_left <- rep(1L, depth)
  model <- imported_model("lightgbm", "custom", list(chain, mirror), "x", 1)
  x <- cbind(x = c(0:301, NA, 17.5))
  expect_identical(score_by_sqlite(model, x), predict(model, x))
  stump <- list(feature = 0L, threshold = 100, missing_left = 1L, left = -1L, right = -2L, gain = 0,
                documents = c(1, 1))
  stumps <- lapply(1:1203, function(t) c(stump, list(values = c(1, -1) / t)))
  model <- imported_model("lightgbm", "custom", stumps, "x", 1)
  expect_identical(score_by_sqlite(model, x), predict(model, x))
})

test_that("500 trees of 31 leaves give the same bits in SQLite", {
  skip_if_quick()
  data <- simulate_ranking(150, features = 20, seed = 2)$data
  model <- fit(gbrt(500, num_leaves = 31, min_data_in_leaf = 3, learning_rate = 0.05), data, verbose = FALSE)
  x <- data$x
  x[seq(1, length(x), by = 11)] <- NA
  colnames(x) <- model$features
  expect_identical(score_by_sqlite(model, x), predict(model, x))
})

test_that("names of columns are quoted, and a column that is not there is an error", {
  skip_if_not_installed("RSQLite")
  data <- export_data()
  x <- data$x
  colnames(x) <- c("a b", "c\"d", "e'f", "select", "g;--", "h")
  model <- fit(gbrt(8, num_leaves = 6, min_data_in_leaf = 5), ranking_data(x, data$relevance, data$query),
               verbose = FALSE)
  expect_identical(score_by_sqlite(model, x), predict(model, x))
  used <- model$features[model$forest$feature[1L] + 1L]
  expect_error(score_by_sqlite(model, x[, colnames(x) != used]), "no such column")
})

test_that("PostgreSQL gives the same bits", {
  skip_if_quick()
  server <- local_postgres()
  models <- export_trees()[c("gbrt", "rankboost", "coarse")]
  models$linear <- export_sums("indicator")$linear
  for (name in names(models)) {
    model <- models[[name]]
    x <- if (name == "linear") export_data()$x else sql_rows(model)
    colnames(x) <- model$features
    expect_identical(server(model, x, sql_of(model)), predict(model, x), label = name)
  }
})

test_that("other models are refused, and features without names", {
  data <- export_data()
  file <- withr::local_tempfile()
  net <- fit(network_ranker(hidden = 3, epochs = 2), data, seed = 1, verbose = FALSE)
  unnamed <- ranking_data(unname(export_data(FALSE)$x), data$relevance, data$query)
  trees <- fit(gbrt(3, num_leaves = 4), unnamed, verbose = FALSE)
  expect_snapshot(error = TRUE, {
    write_model(net, file, "sql")
    write_model(trees, file, "sql")
  })
})
