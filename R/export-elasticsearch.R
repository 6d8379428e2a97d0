# The body of a request that creates a model of the learning to rank plugin of Elasticsearch and
# OpenSearch: weights, or trees in XGBoost's dump format, where smaller values go left.

elasticsearch_lines <- function(model, options, call) {
  if (holds_trees(model)) {
    forest <- with_start(added_trees(model, call))
    check_engine_missing(model, forest, options, call)
    trees <- elasticsearch_trees(model, forest)
    return(elasticsearch_model(options, "model/xgboost+json", json_array(trees)))
  }
  if (!holds_sum(model)) {
    cannot_hold("It is neither trees nor a weighted sum.")
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

# Nodes keep their numbers; leaves are numbered after all nodes.
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

# Engines ----------------------------------------------------------------------------------

# How the plugin treats a missing value in a tree, by the first version of the engine: "zero" (it is 0),
# "right" (it goes right) or "model" (it goes where the model sends it).
engine_rules <- list(
  elasticsearch = c("0" = "zero", "8.11.4" = "model"),
  opensearch = c("0" = "zero", "3.2" = "right", "3.8" = "model")
)
engine_names <- c(elasticsearch = "Elasticsearch", opensearch = "OpenSearch")

# "OpenSearch 2.19" with its `rule`; NULL without an engine.
read_engine <- function(engine, format, call) {
  if (is.null(engine)) {
    return(NULL)
  }
  if (format != "elasticsearch") {
    stop_input("argument", sprintf("`engine` is of the format \"elasticsearch\", not of \"%s\".", format),
               remedy = "Leave it out.", call = call)
  }
  check_text(engine, "engine", call)
  words <- strsplit(trimws(ascii_lower(engine)), "[ _-]+")[[1L]]
  version <- if (length(words) > 1L) numeric_version(words[2L], strict = FALSE) else NULL
  if (length(words) > 2L || !words[1L] %in% names(engine_rules) || anyNA(version)) {
    stop_input("argument", sprintf("`engine` must be an engine and its version, not %s.", show_value(engine)),
               remedy = "For example \"elasticsearch 9.0\" or \"opensearch 2.19\".", call = call)
  }
  rules <- engine_rules[[words[1L]]]
  begun <- is.null(version) | vapply(names(rules), function(first) {
    is.null(version) || version >= numeric_version(first)
  }, NA)
  list(name = paste(c(engine_names[[words[1L]]], words[-1L]), collapse = " "),
       rule = rules[[max(which(begun))]])
}

# Whether an engine would send some missing value to another side than the model does.
missing_goes_elsewhere <- function(forest, rule) {
  goes_left <- switch(rule, zero = 0 <= forest$threshold, right = FALSE,
                      model = forest$missing_left == 1L)
  any(goes_left != (forest$missing_left == 1L))
}

check_engine_missing <- function(model, forest, options, call) {
  if (options$missing == "zero") {
    return(invisible())
  }
  engine <- options$engine
  if (is.null(engine)) {
    differ <- vapply(c("zero", "right"), missing_goes_elsewhere, NA, forest = forest)
    if (any(differ)) {
      warn_input("missing", "Some engines send missing values elsewhere than this model does.",
                 "OpenSearch before 3.8 and Elasticsearch before 8.11.4 do.",
                 paste("Name the engine that will score, such as `engine = \"elasticsearch 9.0\"`,",
                       "to have this checked."))
    }
  } else if (missing_goes_elsewhere(forest, engine$rule)) {
    stop_input("missing", sprintf(switch(engine$rule,
                 zero = "%s treats a missing value as 0, `%s` does not.",
                 right = "%s sends every missing value to the right of a split, `%s` does not."),
                 engine$name, ranker_text(model)),
               remedy = c("Use OpenSearch from 3.8 on, or Elasticsearch from 8.11.4 on.",
                          "If no value is ever missing there, set `missing = \"zero\"`.",
                          "Or train on data in which missing values are replaced as in the engine."),
               call = call)
  }
}
