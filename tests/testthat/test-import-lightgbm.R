test_that("scores agree with LightGBM, by all its rules of missing values", {
  data <- imported_data()
  scores <- imported_table("scores.csv")
  for (name in c("nan", "none", "l1")) {
    model <- read_model(imported_file(sprintf("lightgbm-%s.txt", name)))
    expect_identical(predict(model, data), scores[[name]], label = name)
  }
  expect_identical(model$spec$trained_for, "regression_l1")
})

test_that("zeros that are missing go where LightGBM sends them, or are refused", {
  k <- lightgbm_zero
  expect_identical(f32(1e-35), k)
  # LightGBM's rule for one node.
  goes_left <- function(x, threshold, type) {
    missing <- bitwShiftR(type, 2L)
    if (is.na(x) && missing != 2L) x <- 0
    if (missing == 1L && abs(x) <= k || missing == 2L && is.na(x)) bitwAnd(type, 2L) > 0L else x <= threshold
  }
  near <- c(k, -k, previous_double(k), previous_double(-k), k * (1 + 2^-52), 0, 1e-36, -1e-36, 1, -1)
  values <- c(near, NA, 2, -2, 1e-30)
  refused <- 0L
  for (threshold in c(near, 5e-324)) {
    for (type in c(0L, 2L, 4L, 6L, 8L, 10L)) {
      wanted <- vapply(values, goes_left, NA, threshold, type)
      tree <- list(threshold = threshold)
      tree <- tryCatch(with_missing_rule(tree, type, "Tree 0"), error = function(e) NULL)
      if (is.null(tree)) {
        # Zeros and small values would go to different sides, but belong on the same side.
        refused <- refused + 1L
        expect_identical(bitwShiftR(type, 2L), 1L)
        next
      }
      found <- ifelse(is.na(values), tree$missing_left == 1L, values <= tree$threshold)
      expect_identical(found, wanted, label = sprintf("threshold %.17g, type %d", threshold, type))
    }
  }
  expect_error(read_model(imported_file("lightgbm-zero.txt")), "treats zeros as missing")
  expect_gt(refused, 0L)
  expect_lt(refused, 11L)
  expect_error(with_missing_rule(list(threshold = 1), 12L, "Tree 3"), "Tree 3 has a `decision_type`")
  expect_error(with_missing_rule(list(threshold = 1), 1L, "Tree 3"), "Tree 3 splits a categorical feature")
})

test_that("written models are read with the same scores", {
  for (model in export_trees()) {
    x <- rbind(export_data()$x, edge_features(model))
    file <- withr::local_tempfile()
    suppressMessages(write_model(model, file, "lightgbm"), classes = "rankmix_message_export")
    read <- read_model(file)
    # The leaves of the first tree include the constant.
    expect_equal(predict(read, x), linear_score(model, x), tolerance = 1e-14)
    again <- withr::local_tempfile()
    write_model(read, again, "lightgbm")
    expect_identical(predict(read_model(again), x), predict(read, x))
    fields <- c("feature", "threshold", "left", "right", "values", "missing_left")
    expect_identical(read_model(again)$forest[fields], read$forest[fields])
    if (inherits(model, "rankmix_rankboost_model")) expect_identical(predict(read, x), predict(model, x))
  }
})

test_that("LightGBM itself gives the same scores, bit for bit", {
  skip_if_not_installed("lightgbm")
  load <- getExportedValue("lightgbm", "lgb.load")
  for (model in export_trees()) {
    x <- rbind(export_data()$x, edge_features(model))
    file <- withr::local_tempfile()
    suppressMessages(write_model(model, file, "lightgbm"), classes = "rankmix_message_export")
    expect_identical(predict(load(file), x), predict(read_model(file), x))
  }
})

test_that("features without names are matched by position", {
  file <- withr::local_tempfile()
  lines <- readLines(imported_file("lightgbm-nan.txt"))
  at <- startsWith(lines, "feature_names=")
  lines[at] <- "feature_names=Column_0 Column_1 Column_2 Column_3 Column_4"
  writeLines(lines, file)
  model <- read_model(file)
  expect_false(model$named)
  expect_identical(predict(model, unname(imported_data()$x)), imported_table("scores.csv")$nan)
  # The file has the line ends of Windows.
  writeLines(paste0(lines, "\r"), file)
  expect_identical(read_model(file), model)
})

test_that("broken files and models that are not rankers are refused with their place", {
  lines <- readLines(imported_file("lightgbm-nan.txt"))
  file <- withr::local_tempfile(fileext = ".txt")
  change <- function(name, value, nth = 1L) {
    at <- which(startsWith(lines, paste0(name, "=")))[nth]
    lines[at] <- if (is.function(value)) value(lines[at]) else paste0(name, "=", value)
    lines
  }
  reason <- function(lines) {
    writeLines(lines, file)
    error <- expect_error(read_model(file), class = "rankmix_error_model_file")
    conditionMessage(error)
  }
  expect_match(reason(change("num_class", "3")), "several classes")
  expect_match(reason(change("num_tree_per_iteration", "3")), "several classes")
  expect_match(reason(append(lines, "average_output", 3)), "random forest")
  expect_match(reason(change("version", "v9")), "version")
  expect_match(reason(change("num_cat", "1", 2L)), "Tree 1 splits a categorical feature")
  expect_match(reason(change("is_linear", "1", 3L)), "Tree 2 has linear models")
  expect_match(reason(change("num_leaves", "9", 2L)), "Tree 1: `leaf_value` has another length")
  expect_match(reason(change("threshold", function(line) sub("[0-9]", "x", line), 2L)),
               "Tree 1: `threshold` has something that is no number")
  expect_match(reason(change("split_feature", function(line) sub("[0-9]+$", "5", line))),
               "Tree 0: `split_feature` has a number that cannot be")
  expect_match(reason(change("left_child", function(line) sub("[-0-9]+ ", "0 ", line), 4L)), "Tree 3 goes round")
  expect_match(reason(change("left_child", function(line) sub("[-0-9]+$", "99", line), 4L)),
               "Tree 3: `left_child` has a number that cannot be")
  expect_match(reason(change("decision_type", function(line) sub("[0-9]+$", "1", line))), "categorical")
  expect_match(reason(change("leaf_value", function(line) sub("=[^ ]+", "=inf", line))),
               "Tree 0: `leaf_value` has a number that cannot be")
  expect_match(reason(change("Tree", "5", 2L)), "Tree 1 is not in its place")
  expect_match(reason(change("tree_sizes", "5 6")), "`tree_sizes`")
  expect_match(reason(lines[seq_len(match("end of trees", lines) - 3L)]), "incomplete")
  expect_match(reason(change("feature_names", "a b")), "`feature_names`")
  expect_match(reason(change("feature_names", "a b c d d")), "Two features have the same name")
  expect_match(reason(lines[!startsWith(lines, "leaf_value")]), "Tree 0: `leaf_value` is missing")
  expect_match(reason(change("max_feature_idx", "two")), "max_feature_idx")
})
