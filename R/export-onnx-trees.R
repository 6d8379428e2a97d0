# Forests as nodes of ONNX. ONNX holds features and thresholds as floats. Values up to a threshold
# go left, as in rankmix, so each threshold becomes the largest float up to it. ONNX adds leaves in
# floats.

# Documents x outputs, in floats; `start` is added.
onnx_forest <- function(graph, view, forest, start = 0) {
  if (length(forest$node_begin) < 2L) forest <- with_start(list(forest = forest, start = start * 0))
  nodes <- diff(forest$node_begin)
  # Each tree has its nodes first, with the numbers of the forest, and then its leaves.
  size <- 2L * nodes + 1L
  tree <- rep(seq_along(nodes), size)
  number <- sequence(size) - 1L
  node <- number < nodes[tree]
  of_nodes <- function(x, leaves = 0) replace(rep(leaves, length(node)), node, x)
  numbered <- function(child) {
    ifelse(child >= 0L, child, nodes[tree[node]] - child - 1L)
  }
  splits <- onnx_splits(view, forest)
  outputs <- forest$outputs
  each <- function(x) rep(x[!node], each = outputs)
  onnx_op(
    graph, "TreeEnsembleRegressor", "features", domain = "ai.onnx.ml", attributes = list(
      onnx_int("n_targets", outputs),
      onnx_ints("nodes_treeids", tree - 1L), onnx_ints("nodes_nodeids", number),
      onnx_ints("nodes_featureids", of_nodes(splits$column - 1L)),
      onnx_texts("nodes_modes", ifelse(node, "BRANCH_LEQ", "LEAF")),
      onnx_floats("nodes_values", of_nodes(splits$threshold)),
      onnx_ints("nodes_truenodeids", of_nodes(numbered(forest$left))),
      onnx_ints("nodes_falsenodeids", of_nodes(numbered(forest$right))),
      onnx_ints("nodes_missing_value_tracks_true", of_nodes(splits$missing_left)),
      onnx_ints("target_treeids", each(tree - 1L)), onnx_ints("target_nodeids", each(number)),
      onnx_ints("target_ids", rep(seq_len(outputs) - 1L, sum(!node))),
      onnx_floats("target_weights", as.double(forest$values)),
      onnx_floats("base_values", rep_len(as.double(start), outputs)),
      onnx_text("aggregate_function", "SUM"), onnx_text("post_transform", "NONE")
    )
  )
}

# The value of each leaf of a boosted model after a number of rounds; for a classifier, of each
# grade.
onnx_boosted <- function(graph, model, view, rounds) {
  model <- first_rounds(model, min(rounds, rounds_used(model)))
  forest <- single_trees(model$forest, model, graph$call)
  trees <- length(forest$leaf_begin) - 1L
  values <- matrix(as.double(forest$values), forest$outputs)
  weights <- round_weights(model)[rep(seq_len(trees), diff(forest$leaf_begin))]
  values <- values * rep(weights, each = forest$outputs)
  if (!is.null(model$groups)) values <- values[model$groups + 1L, , drop = FALSE]
  forest$outputs <- nrow(values)
  forest$values <- values
  start <- if (is.null(model$start)) 0 else model$start
  onnx_wide(graph, onnx_forest(graph, view, forest, start))
}

# A tree whose leaves hold the weights of linear models. Each weight is the sum of two floats.
onnx_model_tree <- function(graph, model, view) {
  used <- sort(unique(model$models$feature))
  leaves <- length(model$forest$values)
  weights <- matrix(0, length(used) + 1L, leaves)
  leaf <- rep(seq_len(leaves), diff(model$models$begin))
  weights[cbind(match(model$models$feature, used), leaf)] <- model$models$weight
  weights[length(used) + 1L, ] <- model$forest$values
  forest <- model$forest
  high <- matrix(as_float(weights), nrow(weights))
  forest$values <- rbind(high, weights - high)
  forest$outputs <- nrow(forest$values)
  parts <- onnx_wide(graph, onnx_forest(graph, view, forest))
  count <- length(used) + 1L
  sums <- function(at) {
    onnx_op(graph, "Add", onnx_columns(graph, parts, at), onnx_columns(graph, parts, count + at))
  }
  if (length(used) == 0L) {
    return(sums(count))
  }
  z <- onnx_columns(graph, onnx_inputs(graph, view), used + 1L)
  products <- onnx_op(graph, "Mul", sums(seq_along(used)), z)
  onnx_op(graph, "Add", onnx_row_sums(graph, products), sums(count))
}
