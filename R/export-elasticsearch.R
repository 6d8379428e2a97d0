# The body of a request that makes a model of the learning to rank plugin of Elasticsearch and
# OpenSearch: trees as XGBoost dumps them, where what is less goes left, or weights.

elasticsearch_lines <- function(model, options, call) {
  if (holds_trees(model)) {
    trees <- elasticsearch_trees(model, with_start(added_trees(model, call)))
    return(elasticsearch_model(options, "model/xgboost+json", json_array(trees)))
  }
  if (!holds_sum(model)) {
    stop_format("elasticsearch", model, "It is neither trees nor a weighted sum.", call = call)
  }
  sum <- plain_sum(model, "elasticsearch", options, call)
  say_no_intercept(sum$intercept)
  used <- used_features(model, which(sum$weights != 0) - 1L)
  elasticsearch_model(options, "model/linear",
                      json_members(model$features[used], with_point(sum$weights[used])))
}

elasticsearch_model <- function(options, type, definition) {
  paste0("{\"model\":{\"name\":", json_string(options$name), ",\"model\":{\"type\":\"", type,
         "\",\"definition\":", json_string(definition), "}}}")
}

# Nodes have the numbers that they have here, leaves those behind them.
elasticsearch_trees <- function(model, forest) {
  nodes <- diff(forest$node_begin)
  tree <- rep(seq_along(nodes), nodes)
  numbered <- function(child) ifelse(child >= 0L, child, nodes[tree] - child - 1L)
  yes <- numbered(forest$left)
  no <- numbered(forest$right)
  leaf_number <- unlist(lapply(nodes, function(count) count + 0:count))
  depth <- node_depths(forest)
  feature <- json_string(model$features)[forest$feature + 1L]
  threshold <- float_text(float_above(forest$threshold))
  missing <- ifelse(forest$missing_left == 1L, yes, no)
  number <- seq_along(tree) - 1L - forest$node_begin[tree]
  nested_trees(
    forest,
    function(values) sprintf("{\"nodeid\":%d,\"leaf\":%s}", leaf_number, with_point(values)),
    function(node, left, right) {
      paste0("{\"nodeid\":", number[node], ",\"depth\":", depth[node], ",\"split\":",
             feature[node], ",\"split_condition\":", threshold[node], ",\"yes\":", yes[node],
             ",\"no\":", no[node], ",\"missing\":", missing[node], ",\"children\":[", left, ",",
             right, "]}")
    }
  )
}

# Children come after their node.
node_depths <- function(forest) {
  depth <- integer(length(forest$feature))
  base <- rep(forest$node_begin[-length(forest$node_begin)], diff(forest$node_begin))
  for (node in seq_along(depth)) {
    for (child in c(forest$left[node], forest$right[node])) {
      if (child >= 0L) depth[base[node] + child + 1L] <- depth[node] + 1L
    }
  }
  depth
}
