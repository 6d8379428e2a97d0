# Leaf values of boosted trees on new data. The trees keep their tests. Each tree gets the Newton steps of its
# leaves at the scores of the renewed trees before it, as in training:
#   value = -G / (H + lambda),   G, H: sums of gradients and hessians of the leaf's documents.
# Gradients come from the core, and the leaf of a document is the prediction of a tree whose leaf values are
# the numbers of its leaves. Cost: O(documents x trees), and the gradients of each round.

# The reason why leaves cannot be renewed; NULL if they can.
leaves_reason <- function(spec) {
  objective <- spec$objective
  if (drops_trees(spec)) {
    "with `dropout` has no leaves that can be renewed"
  } else if (!is.null(spec$monotone_constraints)) {
    "with `monotone_constraints` has no leaves that can be renewed"
  } else if (!objective$name %in% renewable_objectives) {
    sprintf("has no leaves that can be renewed for `%s`", component_name("loss", paste0(objective$name, "()")))
  } else if (!is.null(objective$unbiased)) {
    "with `unbiased` has no leaves that can be renewed"
  } else if (is_plain_number(objective$pairs)) {
    "with random `pairs` has no leaves that can be renewed"
  }
}

# Gradients of other objectives depend on the round.
renewable_objectives <- c("squared", "pairwise", "softmax", "list_mle", "query_rmse", "lambda")

# The model with new leaf values. `renewed` is the fraction of leaves that keep their value.
renewed_leaves <- function(model, data, decay_rate, threads, call) {
  x <- number_levels(match_features(data, model, threads, call), model$categories)
  task <- new_task(data, model$seed, threads, call = call)
  on <- objective_task(model$spec, task)
  start <- model$start
  if (model$spec$objective$name == "squared") {
    weights <- boosting_weights(task)
    if (length(weights) == 0L) weights <- rep(1, nrow(data))
    start <- decay_rate * start + (1 - decay_rate) * sum(weights * on$documents$targets) / sum(weights)
  }
  found <- newton_leaves(model, x, start, on, document_counts_of(data), decay_rate, threads)
  model <- without_training(model)
  model$forest$values <- found$values
  model$start <- start
  model$renewed <- mean(found$kept)
  model
}

# A number for each document: how often it counts as a document of a leaf.
document_counts_of <- function(data) {
  counts <- document_counts(data)
  weights <- unscaled_weights(data)
  if (length(counts) > 0L) counts else if (is.null(weights)) rep(1, nrow(data)) else as.double(weights > 0)
}

newton_leaves <- function(model, x, start, on, counts, decay_rate, threads) {
  forest <- model$forest
  rates <- round_weights(model)
  values <- forest$values
  kept <- logical(length(values))
  scores <- rep(start, nrow(x))
  for (t in seq_len(rounds_used(model))) {
    at <- seq.int(forest$leaf_begin[t] + 1L, forest$leaf_begin[t + 1L])
    leaf <- leaves_of_tree(forest, t, x, threads)
    gradients <- objective_gradients(on$settled, on$documents, scores, threads)
    sums <- rowsum(cbind(gradients$gradient, gradients$hessian, counts), leaf)
    reached <- as.integer(rownames(sums))
    step <- ifelse(sums[, 2L] > 0, -sums[, 1L] / (sums[, 2L] + model$spec$lambda_l2), 0)
    new <- reached[sums[, 3L] >= model$spec$min_data_in_leaf]
    kept[at[-new]] <- TRUE
    if (length(new) == 0L) kept[at] <- TRUE
    values[at[new]] <- decay_rate * values[at[new]] + (1 - decay_rate) * step[match(new, reached)]
    scores <- scores + rates[t] * values[at][leaf]
  }
  list(values = values, kept = kept)
}

# The leaf of tree t, from 1, that each row reaches. Each round has one tree.
leaves_of_tree <- function(forest, t, x, threads) {
  tree <- some_rounds(forest, t - 1L, t)
  tree$values <- as.double(seq_along(tree$values))
  as.integer(forest_predict(tree, 1, x, 1L, threads)[, 1L, 1L])
}

# Fields that describe the training do not describe the renewed model.
without_training <- function(model) {
  model[c("digest", "curve", "metric", "renewed")] <- NULL
  model
}
