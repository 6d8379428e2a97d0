#' @rdname hooks
#' @exportS3Method treeshap::unify
unify.rankmix_ranker <- function(model, data, recalculate = FALSE, ...) {
  check_flag(recalculate, "recalculate")
  if (!holds_trees(model)) {
    stop_input("format", sprintf("`%s` is no sum of trees.", model_words(model)),
               remedy = "Explain it by `explain()`, which supports every model.")
  }
  parts <- added_trees(model, rlang::current_env())
  frame <- as.data.frame(explained_features(model, data, "data", check_threads(NULL)))
  if (length(parts$forest$node_begin) < 2L) {
    parts <- list(forest = with_start(parts), start = 0)
    parts$forest$leaf_documents <- nrow(frame)
  }
  unified <- structure(
    list(model = unified_nodes(parts$forest, parts$start, model$features), data = frame,
         feature_names = model$features),
    class = "model_unified", missing_support = TRUE, model = "rankmix"
  )
  # Products of trees have no document counts in their nodes.
  if (!recalculate && length(parts$forest$leaf_documents) > 0L) {
    return(unified)
  }
  of_package("treeshap", "set_reference_dataset")(unified, frame)
}

# The rows of each tree are its nodes, the root first, then its leaves. Children are row numbers.
# The first tree includes the constant of the model.
unified_nodes <- function(forest, start, features) {
  nodes <- diff(forest$node_begin)
  begins <- forest$node_begin[seq_along(nodes)] + forest$leaf_begin[seq_along(nodes)]
  of_node <- rep(seq_along(nodes), nodes)
  of_leaf <- rep(seq_along(nodes), diff(forest$leaf_begin))
  row_of <- function(child) {
    begins[of_node] + ifelse(child >= 0L, child + 1L, nodes[of_node] - child)
  }
  none <- rep(NA, length(of_leaf))
  rows <- order(c(of_node, of_leaf))
  covers <- c(forest$node_documents, forest$leaf_documents)
  left <- row_of(forest$left)
  right <- row_of(forest$right)
  tree <- c(of_node, of_leaf)[rows]
  data.frame(
    Tree = tree - 1L, Node = seq_along(tree) - begins[tree] - 1L,
    Feature = c(features[forest$feature + 1L], none)[rows],
    Decision.type = factor(c(rep("<=", length(of_node)), none)[rows], c("<=", "<")),
    Split = c(forest$threshold, none)[rows], Yes = c(left, none)[rows],
    No = c(right, none)[rows],
    Missing = c(ifelse(forest$missing_left == 1L, left, right), none)[rows],
    Prediction = c(rep(NA, length(of_node)), forest$values + start * (of_leaf == 1L))[rows],
    Cover = if (length(covers) > 0L) covers[rows] else NA_real_
  )
}
