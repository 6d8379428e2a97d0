# Trees that split factors by sets of levels, as trees of thresholds. Other programs, and their file
# formats, use the columns of 0 and 1.
#
# Problem:   a node sends the levels of a set to the left. Find an equivalent tree with thresholds only.
# Algorithm: a chain of tests "is it this level?", one for each level of the set. Each has a copy of the
#            left side; the last one leads to the right side. Tests whose outcome is known are left out.
#            Rows have a 1 in at most one column of a factor.
# Cost:      a leaf of the tree has up to one copy for each level that reaches it; a limit stops more.

subset_leaves <- 4096L

threshold_trees <- function(forest, model, call, most = subset_leaves) {
  if (is.null(model$categories)) {
    return(forest)
  }
  trees <- lapply(seq_len(length(forest$node_begin) - 1L), function(t) {
    threshold_tree(c(one_tree(forest, t), list(levels = levels_of_nodes(forest, t))), model, call, most)
  })
  if (length(trees) == 0L) forest else join_trees(trees, forest$outputs)
}

# The set of each node of tree t. It is empty for a node with a threshold.
levels_of_nodes <- function(forest, t) {
  nodes <- nodes_of_tree(forest, t)
  lapply(nodes, function(node) {
    if (is.null(forest$set_levels)) {
      return(integer())
    }
    at <- forest$set_begin[node + 0:1]
    forest$set_levels[seq.int(at[1L] + 1L, length.out = at[2L] - at[1L])]
  })
}

threshold_tree <- function(tree, model, call, most) {
  columns <- columns_of_trees(length(model$features), model$categories)
  grown <- list(feature = integer(), threshold = double(), missing_left = integer(),
                left = integer(), right = integer(), values = list())
  add_leaf <- function(values) {
    if (length(grown$values) >= most) stop_subset_leaves(model, most, call)
    grown$values[[length(grown$values) + 1L]] <<- values
    -length(grown$values)
  }
  # Adds a node and returns its position. The children of the node are set later.
  add_node <- function(column, threshold, missing_left) {
    node <- length(grown$feature) + 1L
    grown$feature[node] <<- column - 1L
    grown$threshold[node] <<- threshold
    grown$missing_left[node] <<- missing_left
    grown$left[node] <<- NA_integer_
    grown$right[node] <<- NA_integer_
    node
  }
  set_child <- function(side, node, child) grown[[side]][node] <<- child
  # Grows a copy of the subtree below a node, or of a leaf. `level` is TRUE or FALSE for the columns of factors whose
  # value is known, else NA.
  grow <- function(at, level) {
    if (at < 0L) {
      return(add_leaf(tree$values[, -at]))
    }
    node <- at + 1L
    column <- columns[tree$feature[node] + 1L]
    if (length(tree$levels[[node]]) > 0L) {
      return(grow_chain(node, factor_at(column, model$categories), level))
    }
    added <- add_node(column, tree$threshold[node], tree$missing_left[node])
    set_child("left", added, grow(tree$left[node], level))
    set_child("right", added, grow(tree$right[node], level))
    added - 1L
  }
  grow_chain <- function(node, entry, level) {
    tests <- entry$columns[entry$numbers %in% tree$levels[[node]]]
    if (any(level[tests], na.rm = TRUE)) {
      return(grow(tree$left[node], level))
    }
    top <- before <- NULL
    link <- function(child) if (is.null(before)) top <<- child else set_child("left", before, child)
    for (column in tests[is.na(level[tests])]) {
      # A missing value is in no set, so it leads to the next test.
      added <- add_node(column, 0.5, 1L)
      link(added - 1L)
      before <- added
      inside <- level
      inside[entry$columns] <- FALSE
      inside[column] <- TRUE
      set_child("right", added, grow(tree$left[node], inside))
      level[column] <- FALSE
    }
    link(grow(tree$right[node], level))
    top
  }
  grow(first_node(tree), rep(NA, length(model$features)))
  grown$values <- unlist(grown$values)
  grown
}

# The factor whose number is in this column.
factor_at <- function(column, categories) {
  Find(function(entry) min(entry$columns) == column, categories)
}

stop_subset_leaves <- function(model, most, call) {
  stop_input("format", sprintf("A tree of `%s` has more than %d leaves if thresholds replace its sets of levels.",
                               ranker_text(model), most),
             "Its trees split factors by sets of levels.",
             c(paste("Write it as \"json\", or train with `categories = \"columns\"` or a lower",
                     "`max_cat_threshold`."),
               "Or write a student: `distill()` trains it on the scores of the model."), call = call)
}
