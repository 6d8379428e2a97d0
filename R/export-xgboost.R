# XGBoost's JSON model of the booster "gbtree". XGBoost compares floats of 32 bits, and values below the
# threshold go left. Scores are sums of floats, in the order of the trees, from the constant `base_score`.

# The layout of the file. XGBoost from 1.3 reads it.
xgboost_version <- c(1L, 7L, 0L)

# The identity is the transformation of this objective, so predictions are the sums. XGBoost requires the
# parameters of the objective, whose name differs between versions.
xgboost_objective <- paste0(
  "{\"lambda_rank_param\":{\"fix_list_weight\":\"0\",\"num_pairsample\":\"1\"},",
  "\"lambdarank_param\":{},\"name\":\"rank:ndcg\"}"
)

xgboost_lines <- function(model, options, call) {
  if (!holds_trees(model)) {
    cannot_hold("It is not made of trees that are added up.")
  }
  parts <- added_trees(model, call)
  if (length(parts$forest$node_begin) < 2L) {
    parts <- list(forest = with_start(parts), start = 0)
  }
  features <- length(model$features)
  count <- length(parts$forest$node_begin) - 1L
  trees <- vapply(seq_len(count), function(t) xgboost_tree(parts$forest, t, features), "")
  numbers <- function(x) json_array(sprintf("%d", x))
  c(paste0("{\"learner\":{\"attributes\":{},\"feature_names\":",
           json_array(json_string(xgboost_names(model$features))), ",\"feature_types\":",
           json_array(rep("\"float\"", features)), ",\"gradient_booster\":{\"model\":{",
           sprintf(paste0("\"gbtree_model_param\":{\"num_parallel_tree\":\"1\",\"num_trees\":\"%d\",",
                          "\"size_leaf_vector\":\"0\"},"), count),
           "\"iteration_indptr\":", numbers(0:count), ",\"tree_info\":", numbers(rep(0L, count)),
           ",\"trees\":["),
    paste0(trees, c(rep(",", count - 1L), "")),
    paste0("]},\"name\":\"gbtree\"},\"learner_model_param\":{\"base_score\":\"",
           xgboost_numbers(parts$start), "\",\"boost_from_average\":\"1\",\"num_class\":\"0\",",
           sprintf("\"num_feature\":\"%d\",\"num_target\":\"1\"},\"objective\":", features),
           xgboost_objective, "},\"version\":", numbers(xgboost_version), "}"))
}

# Nodes and leaves are numbered together by depth: the children of the i-th node, from 0, are 2i + 1 and
# 2i + 2. XGBoost assumes that the right child has the number after the left child, and ignores the file. Leaves
# have their value in the place of the threshold.
xgboost_tree <- function(forest, t, features) {
  tree <- one_tree(forest, t)
  count <- length(tree$feature)
  nodes <- walked_nodes(tree, "A tree")
  child <- c(rbind(tree$left[nodes], tree$right[nodes]))
  of_node <- c(0L, which(child >= 0L))[seq_len(count)] + 1L
  of_leaf <- integer(count + 1L)
  of_leaf[-child[child < 0L]] <- which(child < 0L)
  of_leaf <- of_leaf + 1L
  # Values of the nodes, in the order of `tree`, and of the leaves.
  placed <- function(at_nodes, at_leaves) {
    values <- numeric(2L * count + 1L)
    values[of_node] <- at_nodes[nodes]
    values[of_leaf] <- at_leaves
    values
  }
  own <- seq.int(forest$node_begin[t] + 1L, length.out = count)
  covers <- placed(known_numbers(forest$node_documents, own),
                   known_numbers(forest$leaf_documents, seq.int(forest$leaf_begin[t] + 1L, length.out = count + 1L)))
  left <- right <- rep(-1L, 2L * count + 1L)
  left[of_node] <- 2L * seq_len(count) - 1L
  right[of_node] <- 2L * seq_len(count)
  parents <- c(2147483647, rep(of_node - 1L, each = 2L))
  values <- as.vector(tree$values)
  floats <- function(x) json_array(xgboost_numbers(x))
  numbers <- function(x) json_array(sprintf("%.0f", x))
  json_members(
    c("base_weights", "categories", "categories_nodes", "categories_segments", "categories_sizes",
      "default_left", "id", "left_children", "loss_changes", "parents", "right_children",
      "split_conditions", "split_indices", "split_type", "sum_hessian", "tree_param"),
    c(floats(placed(0 * nodes, values)), rep("[]", 4L), numbers(placed(tree$missing_left, 0)), t - 1L,
      numbers(left), floats(placed(known_numbers(forest$gain, own), 0)), numbers(parents), numbers(right),
      floats(placed(float_above(tree$threshold), values)), numbers(placed(tree$feature, 0)),
      numbers(0 * covers), floats(covers),
      sprintf(paste0("{\"num_deleted\":\"0\",\"num_feature\":\"%d\",\"num_nodes\":\"%d\",",
                     "\"size_leaf_vector\":\"0\"}"), features, 2L * count + 1L))
  )
}

# Products of trees have no gains and no numbers of documents.
known_numbers <- function(x, at) {
  values <- if (is.null(x)) rep(0, length(at)) else x[at]
  values[is.na(values)] <- 0
  values
}

# The nearest floats. A number without a point or an exponent would be an integer, which XGBoost refuses.
xgboost_numbers <- function(x) with_exponent(float_text(as_float(x)))

with_exponent <- function(text) {
  plain <- !grepl("e", text, fixed = TRUE)
  text[plain] <- paste0(text[plain], "e0")
  text
}

# XGBoost does not allow these characters in names.
xgboost_names <- function(features) {
  if (!any(grepl("[][<]", features))) {
    return(features)
  }
  say_message(paste("Features are named by their positions, `f0` and so on: XGBoost allows no names with",
                    "brackets or `<`."))
  sprintf("f%d", seq_along(features) - 1L)
}
