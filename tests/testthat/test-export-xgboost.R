# XGBoost's rules, in floats: features are rounded, and values below the threshold go left. The leaves of the trees are
# added to the constant one by one.
score_xgboost <- function(json, x) {
  booster <- json$learner$gradient_booster
  stopifnot(booster$name == "gbtree", json$learner$objective$name == "rank:ndcg",
            json$learner$learner_model_param$num_class == "0",
            length(json$learner$feature_names) == ncol(x), all(unlist(booster$model$tree_info) == 0),
            length(booster$model$trees) == booster$model$gbtree_model_param$num_trees,
            identical(unlist(booster$model$iteration_indptr), 0:length(booster$model$trees)))
  x <- in_floats(x)
  sum <- rep(f32(as.numeric(json$learner$learner_model_param$base_score)), nrow(x))
  for (tree in booster$model$trees) {
    arrays <- lapply(tree[vapply(tree, function(field) is.list(field) && is.null(names(field)), NA)], unlist)
    left <- arrays$left_children
    count <- length(left)
    stopifnot(tree$tree_param$num_nodes == count, tree$tree_param$num_feature == ncol(x),
              lengths(arrays[c("right_children", "split_conditions", "split_indices", "default_left", "parents",
                               "base_weights", "sum_hessian", "loss_changes", "split_type")]) == count,
              arrays$parents[1L] == 2147483647,
              arrays$parents[left[left >= 0] + 1] == which(left >= 0) - 1,
              # XGBoost requires that the right child follows the left child.
              arrays$right_children[left >= 0] == left[left >= 0] + 1)
    condition <- f32(arrays$split_conditions)
    sum <- f32(sum + walk_tree(0, x, function(node, x, rows) {
      at <- node + 1
      if (left[at] == -1) {
        return(NULL)
      }
      v <- x[rows, arrays$split_indices[at] + 1]
      list(left[at], arrays$right_children[at],
           first = ifelse(is.na(v), arrays$default_left[at] == 1, v < condition[at]))
    }, function(node) condition[node + 1]))
  }
  sum
}

# All models, and their rows as floats at and near the thresholds.
xgboost_cases <- function() {
  models <- export_trees()
  none <- models$gbrt
  none$best_rounds <- 0L
  c(models, list(none = none))
}

test_that("a reader of the rules of XGBoost makes the same decisions, and gives sums of floats", {
  skip_if_not_installed("jsonlite")
  models <- xgboost_cases()
  for (name in names(models)) {
    model <- models[[name]]
    x <- in_floats(rbind(export_data()$x, edge_features(model)))
    json <- jsonlite::parse_json(paste(written(model, "xgboost"), collapse = ""))
    found <- score_xgboost(json, x)
    expect_equal(found, linear_score(model, x), tolerance = 1e-6, label = name)
    # The trees of the package give the same sum.
    parts <- suppressMessages(added_trees(model, NULL))
    sum <- rep(f32(parts$start), nrow(x))
    for (t in seq_len(length(parts$forest$node_begin) - 1L)) sum <- f32(sum + f32(tree_values(parts, x, t)))
    expect_identical(found, sum, label = name)
  }
})

test_that("XGBoost itself gives the same sums", {
  skip_if_not_installed("jsonlite")
  skip_if(!has_xgboost(), "XGBoost is not installed for /usr/bin/python3")
  models <- xgboost_cases()
  for (name in names(models)) {
    model <- models[[name]]
    x <- rbind(export_data()$x, edge_features(model))
    file <- withr::local_tempfile(fileext = ".json")
    suppressMessages(write_model(model, file, "xgboost"), classes = "rankmix_message_export")
    json <- jsonlite::read_json(file)
    expect_identical(predict_by_xgboost(file, x), score_xgboost(json, x), label = name)
  }
})

test_that("features with names that XGBoost refuses are named by positions, with a message", {
  skip_if_not_installed("jsonlite")
  data <- export_data(FALSE)
  x <- data$x
  colnames(x) <- c("a[1]", "c", "d", "e", "f", "g")
  model <- fit(gbrt(2, num_leaves = 3), ranking_data(x, data$relevance, data$query), verbose = FALSE)
  file <- withr::local_tempfile()
  expect_snapshot(write_model(model, file, "xgboost"))
  json <- jsonlite::read_json(file, simplifyVector = TRUE)
  expect_identical(json$learner$feature_names, sprintf("f%d", 0:5))
})
