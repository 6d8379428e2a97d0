# LightGBM's text, version 4: double precision. Values equal to the threshold go left, as in rankmix, and each
# split has a direction for missing values.

lightgbm_lines <- function(model, options, call) {
  if (!holds_trees(model)) {
    cannot_hold("It is not made of trees that are added up.")
  }
  forest <- lightgbm_forest(model, call)
  trees <- lapply(seq_len(length(forest$node_begin) - 1L),
                  function(t) lightgbm_tree(forest, t))
  sizes <- vapply(trees, function(lines) sum(nchar(lines, "bytes") + 1), 0)
  features <- length(model$features)
  c("tree", "version=v4", "num_class=1", "num_tree_per_iteration=1", "label_index=0",
    sprintf("max_feature_idx=%d", features - 1L), "objective=regression",
    paste0("feature_names=", paste(lightgbm_names(model$features), collapse = " ")),
    paste0("feature_infos=", paste(lightgbm_ranges(forest, features), collapse = " ")),
    paste0("tree_sizes=", paste(plain_counts(sizes), collapse = " ")), "",
    unlist(trees), "end of trees", "", "feature_importances:", "", "parameters:",
    "end of parameters", "", "pandas_categorical:null")
}

plain_counts <- function(x) sprintf("%.0f", x)

# The constant is added to the leaves of the first tree.
lightgbm_forest <- function(model, call) {
  parts <- added_trees(model, call)
  if (length(parts$forest$node_begin) < 2L) {
    return(with_start(parts))
  }
  first <- seq_len(parts$forest$leaf_begin[2L])
  parts$forest$values[first] <- parts$forest$values[first] + parts$start
  parts$forest
}

lightgbm_tree <- function(forest, t) {
  nodes <- seq.int(forest$node_begin[t] + 1L, length.out = diff(forest$node_begin[t + 0:1]))
  leaves <- seq.int(forest$leaf_begin[t] + 1L, length.out = length(nodes) + 1L)
  line <- function(name, values) paste0(name, "=", paste(values, collapse = " "))
  counts <- function(documents, at) if (is.null(documents)) 0L * at else documents[at]
  bounded <- pmax(pmin(forest$threshold[nodes], 1e300), -1e300)
  gain <- if (is.null(forest$gain)) 0 * nodes else forest$gain[nodes]
  c(sprintf("Tree=%d", t - 1L), line("num_leaves", length(leaves)), line("num_cat", 0L),
    line("split_feature", forest$feature[nodes]), line("split_gain", sprintf("%.9g", gain)),
    line("threshold", exact_text(bounded)),
    line("decision_type", 8L + 2L * forest$missing_left[nodes]),
    line("left_child", forest$left[nodes]), line("right_child", forest$right[nodes]),
    line("leaf_value", exact_text(forest$values[leaves])),
    line("leaf_weight", counts(forest$leaf_documents, leaves)),
    line("leaf_count", counts(forest$leaf_documents, leaves)),
    line("internal_value", 0L * nodes),
    line("internal_weight", counts(forest$node_documents, nodes)),
    line("internal_count", counts(forest$node_documents, nodes)), "is_linear=0", "shrinkage=1",
    "", "")
}

# LightGBM does not allow blanks or JSON characters in names.
lightgbm_names <- function(features) {
  if (all(grepl("^[^][{}\",:[:space:]]+$", features))) {
    return(features)
  }
  say_message(paste("Features are named by their positions, `Column_0` and so on: LightGBM allows",
                    "no blanks, brackets, quotes, commas or colons in names."))
  sprintf("Column_%d", seq_along(features) - 1L)
}

lightgbm_ranges <- function(forest, features) {
  known <- is.finite(forest$threshold)
  of_feature <- split(forest$threshold[known], factor(forest$feature[known] + 1L,
                                                      seq_len(features)))
  vapply(of_feature, function(thresholds) {
    if (length(thresholds) == 0L) "none" else {
      paste0("[", paste(exact_text(range(thresholds)), collapse = ":"), "]")
    }
  }, "")
}
