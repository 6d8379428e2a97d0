# Parts of a model for other programs: sums of trees with one number in each leaf, and weighted sums
# of features. Also thresholds for programs that hold floats.

tree_models <- c("rankmix_gbrt_model", "rankmix_rankboost_model", "rankmix_adaboost_mh_model")
sum_models <- c("rankmix_linear_model", "rankmix_ascent_model", "rankmix_adarank_model",
                "rankmix_mcsvm_model", "rankmix_best_feature_model")

holds_trees <- function(model) inherits(model, tree_models)
holds_sum <- function(model) inherits(model, sum_models)

# The chosen rounds as a forest with one output and one tree a round. The leaves hold the summands.
# `start` is added once.
added_trees <- function(model, call) {
  gains <- if (inherits(model, "rankmix_classifier")) say_linear_score(model) else 1
  summed_trees(model, gains, call)
}

# `gains` has the factor of each output of a leaf.
summed_trees <- function(model, gains, call) {
  model <- first_rounds(model, model$best_rounds)
  forest <- single_trees(model$forest, model, call)
  leaves <- rep(seq_len(length(forest$leaf_begin) - 1L), diff(forest$leaf_begin))
  values <- crossprod(matrix(forest$values, forest$outputs), gains)[, 1L]
  forest$values <- values * round_weights(model)[leaves]
  forest$outputs <- 1L
  list(forest = forest, start = if (is.null(model$start)) 0 else model$start)
}

# The factor of a group's discriminant in the linear score.
say_linear_score <- function(model) {
  say_message(paste("The file has the linear score of the model, not its calibrated score. The two can rank",
                    "differently. The linear score is the sum of (2^l - 1) f_l over the grades l, with the",
                    "discriminants f_l."))
  group_gains(model)
}

group_gains <- function(model) {
  as.vector(rowsum(gains_of_grades(model$classes), model$groups))
}

say_message <- function(text) rlang::inform(text, class = "rankmix_message_export")

# The trees of forests -------------------------------------------------------------------------

# The positions of the nodes of tree `t`. Takes no copy of the forest, because callers visit all of its trees.
nodes_of_tree <- function(forest, t) {
  begin <- forest$node_begin[t]
  seq.int(begin + 1L, length.out = forest$node_begin[t + 1L] - begin)
}

one_tree <- function(forest, t) {
  nodes <- nodes_of_tree(forest, t)
  tree <- lapply(forest[c("feature", "threshold", "missing_left", "left", "right")], `[`, nodes)
  # The values of a leaf are adjacent.
  values <- seq.int(forest$outputs * forest$leaf_begin[t] + 1L, length.out = forest$outputs * (length(nodes) + 1L))
  c(tree, list(values = matrix(forest$values[values], forest$outputs)))
}

product_leaves <- 4096L

# A product of trees in one round becomes a single tree.
single_trees <- function(forest, model, call) {
  forest <- threshold_trees(forest, model, call)
  if (identical(forest$round_begin, seq_along(forest$round_begin) - 1L)) {
    return(forest)
  }
  trees <- lapply(seq_len(length(forest$round_begin) - 1L), function(r) {
    at <- seq.int(forest$round_begin[r] + 1L, forest$round_begin[r + 1L])
    product_tree(lapply(at, function(t) one_tree(forest, t)), model, call)
  })
  join_trees(trees, forest$outputs)
}

# A forest of trees whose leaves have `values`, one tree a round.
join_trees <- function(trees, outputs) {
  joined <- lapply(stats::setNames(nm = names(trees[[1L]])), function(field) {
    unlist(lapply(trees, `[[`, field))
  })
  nodes <- vapply(trees, function(tree) length(tree$feature), 0L)
  begins <- c(0L, cumsum(nodes))
  c(joined, list(outputs = outputs, node_begin = begins,
                 leaf_begin = begins + seq_along(begins) - 1L,
                 round_begin = seq_along(begins) - 1L))
}

# Grows a copy of the next tree in each leaf of a tree, without branches that no document can reach.
product_tree <- function(trees, model, call) {
  grown <- list(feature = integer(), threshold = double(), missing_left = integer(),
                left = integer(), right = integer(), values = list())
  add_leaf <- function(values) {
    if (length(grown$values) >= product_leaves) {
      stop_input("format", sprintf("A product of `%s` is a tree of more than %d leaves.",
                                   ranker_text(model), product_leaves),
                 remedy = c("Write it as \"json\" or \"c\", or train with fewer terms.",
                            "Or write a student: `distill()` trains it on the scores of the model."),
                 call = call)
    }
    grown$values[[length(grown$values) + 1L]] <<- values
    -length(grown$values)
  }
  # Returns the index of the added node or leaf, as a child.
  grow <- function(k, at, reached, values) {
    tree <- trees[[k]]
    if (at < 0L) {
      values <- values * tree$values[, -at]
      return(if (k == length(trees)) add_leaf(values) else {
        grow(k + 1L, first_node(trees[[k + 1L]]), reached, values)
      })
    }
    feature <- tree$feature[at + 1L]
    sides <- reached_sides(reached[[feature + 1L]], tree$threshold[at + 1L],
                           tree$missing_left[at + 1L] == 1L)
    into <- function(side) {
      reached[[feature + 1L]] <- sides[[side]]
      grow(k, tree[[side]][at + 1L], reached, values)
    }
    if (is.null(sides$left) || is.null(sides$right)) {
      return(into(if (is.null(sides$left)) "right" else "left"))
    }
    node <- length(grown$feature) + 1L
    for (field in c("feature", "threshold", "missing_left")) {
      grown[[field]][node] <<- tree[[field]][at + 1L]
    }
    grown$left[node] <<- NA_integer_
    grown$right[node] <<- NA_integer_
    left <- into("left")
    grown$left[node] <<- left
    right <- into("right")
    grown$right[node] <<- right
    node - 1L
  }
  everything <- list(low = -Inf, high = Inf, missing = TRUE)
  grow(1L, first_node(trees[[1L]]), rep(list(everything), length(model$features)), 1)
  grown$values <- unlist(grown$values)
  grown
}

first_node <- function(tree) if (length(tree$feature) > 0L) 0L else -1L

# The values in (low, high], and missing values, that go to each side; NULL if there are none.
reached_sides <- function(reached, threshold, missing_left) {
  side <- function(low, high, missing) {
    if (low < high || missing) list(low = low, high = high, missing = missing)
  }
  list(left = side(reached$low, min(reached$high, threshold), reached$missing && missing_left),
       right = side(max(reached$low, threshold), reached$high,
                    reached$missing && !missing_left))
}

# Trees as text. A leaf is written by its value, a node by its number (from 1) and the numbers of
# its children.
nested_trees <- function(forest, of_leaves, of_node) {
  leaves <- of_leaves(forest$values)
  vapply(seq_len(length(forest$node_begin) - 1L), function(t) {
    base <- forest$node_begin[t]
    count <- forest$node_begin[t + 1L] - base
    own <- leaves[seq.int(forest$leaf_begin[t] + 1L, forest$leaf_begin[t + 1L])]
    text <- character(count)
    child <- function(c) if (c < 0L) own[-c] else text[c + 1L]
    for (at in rev(seq_len(count))) {
      text[at] <- of_node(base + at, child(forest$left[base + at]),
                          child(forest$right[base + at]))
    }
    if (count == 0L) own else text[1L]
  }, "")
}

# Adds a tree of one leaf for the constant, or if there is no other tree.
with_start <- function(parts) {
  forest <- parts$forest
  if (parts$start != 0 || length(forest$node_begin) < 2L) {
    last <- length(forest$node_begin)
    forest$node_begin <- c(forest$node_begin, forest$node_begin[last])
    forest$leaf_begin <- c(forest$leaf_begin, forest$leaf_begin[last] + 1L)
    forest$round_begin <- c(forest$round_begin, last)
    forest$values <- c(forest$values, parts$start)
  }
  forest
}

# Sums -----------------------------------------------------------------------------------------

# The weights of all inputs, and the constant.
weighted_sum <- function(model) {
  if (inherits(model, "rankmix_mcsvm_model")) {
    gains <- say_linear_score(model)
    return(list(weights = as.vector(model$weights %*% gains),
                intercept = sum(model$intercept * gains)))
  }
  if (inherits(model, "rankmix_best_feature_model")) {
    return(list(weights = model$sign * (model$features == model$feature), intercept = 0))
  }
  if (inherits(model, "rankmix_adarank_model")) {
    return(list(weights = unname(coef(model)), intercept = 0))
  }
  list(weights = model$weights, intercept = shifts_of(model))
}

# A weighted sum for a format that reads a missing value as 0 and has no indicators.
plain_sum <- function(model, format, options, call) {
  sum <- weighted_sum(model)
  if (length(sum$weights) > length(model$features)) {
    cannot_hold("It has indicators of missing values.",
                "Train it with `missing = \"mean\"` or `missing = \"zero\"`.")
  }
  fills <- model$filling$numbers
  differs <- if (inherits(model, "rankmix_best_feature_model")) sum$weights != 0 else {
    !is.null(fills) & sum$weights != 0 & fills != 0
  }
  check_zero_missing(any(differs), format, model, options, call)
  sum
}

check_zero_missing <- function(differs, format, model, options, call) {
  if (differs && options$missing == "error") {
    stop_input("missing", sprintf("The format \"%s\" treats a missing value as 0, `%s` does not.",
                                  format, ranker_text(model)),
               remedy = c("If no value is ever missing, or a missing value means 0, set `missing = \"zero\"`.",
                          "Else write \"onnx\", \"json\" or \"c\".",
                          paste("Or write a student that treats it as 0, such as `linear_ranker(missing = \"zero\")`:",
                                "`distill()` trains it on the scores of the model.")), call = call)
  }
}

say_no_intercept <- function(intercept) {
  if (intercept != 0) {
    say_message(sprintf(paste("The intercept %s is left out: the format has none. Rankings stay",
                              "the same."), format(intercept)))
  }
}

# Floats of 32 bits ----------------------------------------------------------------------------

largest_float <- 3.4028234663852886e38

# The nearest float.
as_float <- function(x) {
  x <- pmax(pmin(x, largest_float), -largest_float)
  readBin(writeBin(as.double(x), raw(), size = 4L), "double", length(x), size = 4L)
}

# The next float up (`by` 1) or down (-1). The bits of floats of one sign are consecutive integers.
next_float <- function(x, by) {
  size <- readBin(writeBin(abs(as.double(x)), raw(), size = 4L), "integer", length(x), size = 4L)
  place <- ifelse(x < 0, -size, size) + by
  moved <- readBin(writeBin(as.integer(abs(place)), raw(), size = 4L), "double", length(x),
                   size = 4L)
  as_float(ifelse(place < 0, -moved, moved))
}

# The largest float up to x. If equal values go left, it splits floats exactly as x does.
float_below <- function(x) {
  float <- as_float(x)
  ifelse(float > x, next_float(float, -1), float)
}

# The smallest float above x, for readers in which only smaller values go left.
float_above <- function(x) {
  float <- as_float(x)
  ifelse(float > x, float, next_float(float, 1))
}

float_text <- function(x) sprintf("%.9g", x)
