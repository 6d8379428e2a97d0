# A reader of LightGBM's text format. It finds blocks of key=value by their sizes in bytes.
read_lightgbm <- function(lines) {
  text <- charToRaw(paste0(paste(lines, collapse = "\n"), "\n"))
  value_of <- function(lines, key) {
    found <- sub("^[^=]*=", "", grep(paste0("^", key, "="), lines, value = TRUE)[1L])
    as.numeric(strsplit(found, " ", fixed = TRUE)[[1L]])
  }
  sizes <- value_of(lines, "tree_sizes")
  begin <- regexpr("Tree=0\n", rawToChar(text), fixed = TRUE, useBytes = TRUE)[1L]
  trees <- lapply(seq_along(sizes), function(t) {
    from <- begin + sum(sizes[seq_len(t - 1L)])
    block <- strsplit(rawToChar(text[seq.int(from, length.out = sizes[t])]), "\n")[[1L]]
    stopifnot(block[1L] == sprintf("Tree=%d", t - 1L))
    keys <- c("num_leaves", "split_feature", "threshold", "decision_type", "left_child",
              "right_child", "leaf_value", "leaf_count", "internal_count", "num_cat", "is_linear")
    tree <- lapply(stats::setNames(nm = keys), function(key) value_of(block, key))
    stopifnot(tree$num_cat == 0, tree$is_linear == 0, length(tree$leaf_value) == tree$num_leaves,
              length(tree$threshold) == tree$num_leaves - 1)
    tree
  })
  stopifnot(lines[1:2] == c("tree", "version=v4"), "end of trees" %in% lines)
  trees
}

score_lightgbm <- function(trees, x) {
  rowSums(vapply(trees, function(tree) {
    walk_tree(if (tree$num_leaves == 1) -1 else 0, x, function(node, x, rows) {
      if (node < 0) {
        return(NULL)
      }
      at <- node + 1
      type <- tree$decision_type[at]
      stopifnot(bitwAnd(type, 1) == 0, bitwAnd(type, 12) == 8)
      v <- x[rows, tree$split_feature[at] + 1]
      list(tree$left_child[at], tree$right_child[at],
           first = ifelse(is.na(v), bitwAnd(type, 2) == 2, v <= tree$threshold[at]))
    }, function(node) tree$leaf_value[-node])
  }, numeric(nrow(x))))
}

test_that("a reader of the rules of LightGBM gives the same scores", {
  models <- export_trees()
  for (name in names(models)) {
    model <- models[[name]]
    x <- rbind(export_data()$x, edge_features(model))
    trees <- read_lightgbm(written(model, "lightgbm"))
    expect_equal(score_lightgbm(trees, x), linear_score(model, x), tolerance = 1e-12, label = name)
  }
  one <- models$gbrt
  counts <- unlist(lapply(read_lightgbm(written(one, "lightgbm")), `[[`, "leaf_count"))
  expect_equal(counts, one$forest$leaf_documents)
})

test_that("splits by sets of levels are thresholds of 0/1 features", {
  data <- factor_data(factor_frame(missing = 0.1))
  model <- fit(gbrt(5, num_leaves = 6, min_data_in_leaf = 2, categories = "subsets",
                    min_data_per_group = 5), data)
  trees <- read_lightgbm(written(model, "lightgbm"))
  expect_equal(score_lightgbm(trees, data$x), predict(model, data), tolerance = 1e-12)
})

test_that("LightGBM itself gives the same scores", {
  skip_if_not_installed("lightgbm")
  load <- getExportedValue("lightgbm", "lgb.load")
  models <- export_trees()
  none <- models$gbrt
  none$best_rounds <- 0L
  models$none <- none
  for (name in names(models)) {
    model <- models[[name]]
    x <- rbind(export_data()$x, edge_features(model))
    file <- withr::local_tempfile()
    suppressMessages(write_model(model, file, "lightgbm"),
                     classes = "rankmix_message_export")
    expect_equal(predict(load(file), x), linear_score(model, x), tolerance = 1e-12,
                 label = name)
  }
})

test_that("features with names that LightGBM refuses are named by positions, with a message", {
  data <- export_data(FALSE)
  x <- data$x
  colnames(x) <- c("a b", "c", "d", "e", "f", "g")
  model <- fit(gbrt(2, num_leaves = 3), ranking_data(x, data$relevance, data$query), seed = 1,
               verbose = FALSE)
  file <- withr::local_tempfile()
  expect_snapshot(write_model(model, file, "lightgbm"))
  expect_true("feature_names=Column_0 Column_1 Column_2 Column_3 Column_4 Column_5" %in%
                readLines(file))
})
