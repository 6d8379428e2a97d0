# Models that other programs trained, as rankers. import-<format>.R reads the files.
#
# Problem:   a file of trees, which may be damaged or malicious, becomes a ranker with the same scores.
# Algorithm: a reader returns each tree with checked indices of its nodes and leaves. Here the trees are
#            walked from their roots, so that children come after their nodes, as the core requires, and
#            joined to a forest. The model is a sum of trees like gbrt(), with a factor of 1 for each tree.
# Cost:      proportional to the size of the file.

import_formats <- c("lightgbm", "xgboost")

# The specification of an imported model. It cannot be trained.
imported <- function(format, trained_for, trees, ...) {
  check_no_others(...)
  new_spec("imported", format = format, trained_for = trained_for, trees = trees)
}

entry_of_imported <- function() {
  registry_entry(
    "imported",
    parameters = list(
      format = parameter(a_choice(import_formats), show = "bare"),
      trained_for = parameter(function(x, name, call) check_text(x, name, call), show = "bare"),
      trees = parameter(a_count(max = 1e7), show = "always")
    ),
    traits = c("rounds", "missing", "weights", "sparse", "bins"),
    rounds = "trees",
    train = function(spec, task) {
      stop_input("option", "A specification of an imported model cannot be trained.",
                 "The other program trained the model.",
                 "Train a ranker of the package, such as `lambdamart()`.", call = task$call)
    }
  )
}

#' @export
round_weights.rankmix_imported_model <- function(model) rep(1, rounds_used(model))

#' @export
print.rankmix_imported_model <- function(x, ...) {
  say("<ranker> ", format(x$spec))
  say(sprintf("%d trees, %d features", rounds_used(x), length(x$features)))
  if (!has_covers(x$forest)) say("Without numbers of training documents: `explain()` needs a `background`")
  invisible(x)
}

# Whether the first line of the file is `tree`, as in LightGBM's text.
begins_as_lightgbm <- function(file) {
  begin <- readBin(file, "raw", 5L)
  length(begin) == 5L && all(begin[1:4] == charToRaw("tree")) && begin[5L] %in% charToRaw("\r\n")
}

# The format of a JSON file.
imported_format <- function(json) {
  need(!is_dump(json),
       "It is a dump of XGBoost, which lacks the base score. Save the model by `save_model()` as JSON.")
  if (!is_json_object(json)) {
    return("json")
  }
  need(is.null(json[["tree_info"]]),
       "It is a dump of LightGBM as JSON. Save the model as text, by `save_model()`.")
  if (is.null(json[["format"]]) && !is.null(json[["learner"]])) "xgboost" else "json"
}

# A dump of XGBoost is an array of trees.
is_dump <- function(json) {
  is.list(json) && is.null(names(json)) && length(json) > 0L && "nodeid" %in% names(json[[1L]])
}

# The model of trees as the readers return them. `features` are names, or NULL.
imported_model <- function(format, trained_for, trees, features, count, start = 0) {
  need(length(trees) > 0L, "It has no trees.")
  named <- !is.null(features)
  if (!named) features <- paste0("x", seq_len(count))
  need(is_texts(features) && !anyDuplicated(features), "Two features have the same name, or a feature has none.")
  structure(
    list(spec = imported(format, trained_for, length(trees)), features = features, named = named,
         columns = character(), encoding = list(), forest = imported_forest(trees), start = start,
         status = "imported", best_rounds = length(trees)),
    class = c("rankmix_imported_model", "rankmix_gbrt_model", "rankmix_ranker")
  )
}

# A tree has the `feature` (from 0), `threshold`, `missing_left`, `left`, `right` and `gain` of its nodes, and
# the `values` and `documents` of its leaves. The first node is the root. A child of 0 or more is a node, a
# child c below 0 is leaf -c - 1.
imported_forest <- function(trees) {
  trees <- lapply(seq_along(trees), function(t) ordered_tree(trees[[t]], tree_place(t)))
  forest <- join_trees(lapply(trees, `[`, c("feature", "threshold", "missing_left", "left", "right", "values",
                                            "gain")), 1L)
  forest$node_documents <- unlist(lapply(trees, `[[`, "node_documents"))
  forest$leaf_documents <- unlist(lapply(trees, `[[`, "documents"))
  # An unlisted list of trees without nodes is NULL.
  for (field in c("feature", "missing_left", "left", "right", "node_documents")) {
    forest[[field]] <- as.integer(forest[[field]])
  }
  for (field in c("threshold", "gain", "values")) forest[[field]] <- as.double(forest[[field]])
  forest
}

tree_place <- function(t) sprintf("Tree %d", t - 1L)

# The tree with each node before its children. Nodes and leaves that the root does not lead to are left out.
ordered_tree <- function(tree, place) {
  nodes <- walked_nodes(tree, place)
  # If each node already comes before its children, the order does not change.
  child <- c(tree$left[nodes], tree$right[nodes])
  if (all(child < 0L | child >= nodes)) nodes <- sort(nodes)
  child <- c(tree$left[nodes], tree$right[nodes])
  used <- sort(-child[child < 0L])
  if (length(nodes) == 0L) used <- 1L
  need(!anyDuplicated(used), sprintf("%s leads to a leaf on two ways.", place))
  moved <- function(child) {
    as.integer(ifelse(child < 0L, -match(-child, used), match(child + 1L, nodes) - 1L))
  }
  of_nodes <- c("feature", "threshold", "missing_left", "left", "right", "gain")
  tree[of_nodes] <- lapply(tree[of_nodes], `[`, nodes)
  tree[c("values", "documents")] <- lapply(tree[c("values", "documents")], `[`, used)
  tree$left <- moved(tree$left)
  tree$right <- moved(tree$right)
  tree$node_documents <- summed_covers(tree)
  tree
}

# The nodes in the order of their depth.
walked_nodes <- function(tree, place) {
  count <- length(tree$feature)
  nodes <- integer(count)
  level <- seq_len(min(1L, count))
  walked <- 0L
  while (length(level) > 0L) {
    need(walked + length(level) <= count, sprintf("%s goes round in a circle.", place))
    nodes[walked + seq_along(level)] <- level
    walked <- walked + length(level)
    child <- c(rbind(tree$left[level], tree$right[level]))
    level <- child[child >= 0L] + 1L
  }
  nodes <- nodes[seq_len(walked)]
  need(!anyDuplicated(nodes), sprintf("%s leads to a node on two ways.", place))
  nodes
}

# The number of documents of a node is the sum over its leaves, so that nodes and leaves agree.
summed_covers <- function(tree) {
  covers <- numeric(length(tree$feature))
  of_child <- function(child) if (child < 0L) tree$documents[-child] else covers[child + 1L]
  for (node in rev(seq_along(covers))) {
    covers[node] <- of_child(tree$left[node]) + of_child(tree$right[node])
  }
  covers
}

# Whole numbers of at least 1 in the proportions of the covers of the leaves of a tree, because explain()
# counts documents. All are 0 if a cover is unknown.
whole_covers <- function(covers) {
  if (length(covers) == 0L || !all(is.finite(covers)) || any(covers <= 0)) {
    return(0 * seq_along(covers))
  }
  most <- 2^29
  if (all(covers == round(covers)) && sum(covers) <= most) {
    return(covers)
  }
  pmax(1, round(covers * 2^floor(log2(most / sum(covers)))))
}

has_covers <- function(forest) all(forest$leaf_documents > 0)
