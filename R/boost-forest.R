# Ensembles of trees in the layout of the core: the arrays of all trees are concatenated, see
# src/core/tree/tree.h.

# The forest of the rounds after `first`, up to `last`.
some_rounds <- function(forest, first, last) {
  begins <- function(begin, from, to) begin[seq.int(from, to) + 1L] - begin[from + 1L]
  inside <- function(begin, from, to) {
    seq.int(begin[from + 1L] + 1L, length.out = begin[to + 1L] - begin[from + 1L])
  }
  trees <- forest$round_begin[c(first, last) + 1L]
  nodes <- inside(forest$node_begin, trees[1L], trees[2L])
  bounds <- forest$node_begin[trees + 1L]
  values <- inside(forest$leaf_begin * forest$outputs, trees[1L], trees[2L])
  of_nodes <- c("feature", "threshold", "missing_left", "left", "right", "gain",
                "node_documents")
  forest[of_nodes] <- lapply(forest[of_nodes], `[`, nodes)
  if (!is.null(forest$set_levels)) {
    levels <- inside(forest$set_begin, bounds[1L], bounds[2L])
    forest$set_levels <- forest$set_levels[levels]
    forest$set_begin <- begins(forest$set_begin, bounds[1L], bounds[2L])
  }
  forest$leaf_documents <-
    forest$leaf_documents[inside(forest$leaf_begin, trees[1L], trees[2L])]
  forest$values <- forest$values[values]
  forest$round_begin <- begins(forest$round_begin, first, last)
  forest$node_begin <- begins(forest$node_begin, trees[1L], trees[2L])
  forest$leaf_begin <- begins(forest$leaf_begin, trees[1L], trees[2L])
  forest
}

# The model after its first `rounds` rounds.
first_rounds <- function(model, rounds) {
  if (rounds == rounds_used(model)) {
    return(model)
  }
  if (inherits(model, "rankmix_network_model")) {
    return(first_epochs(model, rounds))
  }
  if (!is.null(model$parts)) {
    model$parts <- lapply(model$parts, function(part) {
      first_rounds(part, min(rounds, rounds_used(part)))
    })
  }
  if (!is.null(model$forest)) model$forest <- some_rounds(model$forest, 0L, rounds)
  if (!is.null(model$chosen)) model$chosen <- model$chosen[seq_len(rounds), ]
  if (length(model$pulls$begin) > 1L) {
    model$pulls$begin <- model$pulls$begin[seq_len(rounds + 1L)]
    kept <- seq_len(model$pulls$begin[rounds + 1L])
    per_draw <- c("feature", "reward")
    model$pulls[per_draw] <- lapply(model$pulls[per_draw], `[`, kept)
  }
  of_rounds <- intersect(c("alpha", "edge", "z"), names(model))
  model[of_rounds] <- lapply(model[of_rounds], `[`, seq_len(rounds))
  model
}

# Discriminants of only the rounds after `first`.
later_discriminants <- function(model, x, first, threads) {
  last <- rounds_used(model)
  weights <- round_weights(model)[seq.int(first + 1L, length.out = last - first)]
  f <- forest_predict(some_rounds(model$forest, first, last), weights,
                      number_levels(x, model$categories), last - first, threads)
  discriminant_slice(spread_groups(model, f), 1L)
}
