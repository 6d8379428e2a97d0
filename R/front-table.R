# The means of several objectives for mixtures of one model for each objective, and which mixtures are on the front.
# Input: `values`, a list with a matrix (queries x mixtures) for each objective; and `weights`, mixtures x objectives,
# with a row of weight 1 for each objective alone. These functions need no data or models, so tests can use simulated
# values.

# All weights that are multiples of 1 / steps and sum to 1, by decreasing weight of the first objective, then of the
# second.
simplex_weights <- function(names, steps) {
  counts <- function(left, parts) {
    if (parts == 1L) {
      return(matrix(left))
    }
    do.call(rbind, lapply(left:0, function(first) cbind(first, counts(left - first, parts - 1L))))
  }
  weights <- counts(as.integer(steps), length(names)) / steps
  dimnames(weights) <- list(NULL, names)
  weights
}

# Adds a row of weights if it is new, in the order of the grid.
add_weights <- function(weights, row) {
  if (any(same_weights(weights, row))) {
    return(weights)
  }
  weights <- rbind(weights, row[colnames(weights)], deparse.level = 0)
  weights[do.call(order, lapply(seq_len(ncol(weights)), function(k) -weights[, k])), , drop = FALSE]
}

same_weights <- function(weights, row) {
  rowSums(abs(weights - rep(row[colnames(weights)], each = nrow(weights)))) < 1e-9
}

# The row with weight 1 for an objective.
alone_of <- function(weights, objective) which(weights[, objective] == 1)[1L]

# Whether no other row is at least as good in all columns and better in one.
undominated <- function(means) {
  vapply(seq_len(nrow(means)), function(i) {
    other <- t(means) - means[i, ]
    !any(colSums(other >= 0) == ncol(means) & colSums(other > 0) > 0)
  }, NA)
}

front_means <- function(values, query_weight) {
  means <- vapply(values, function(of) query_means(of, as.double(query_weight)), numeric(ncol(values[[1L]])))
  matrix(means, ncol = length(values), dimnames = list(NULL, names(values)))
}

# A row for each mixture and objective: the difference to the model of this objective alone. That model was fixed
# before any value was seen, so the interval needs no adjustment for a choice.
front_differences <- function(values, weights, query_weight, fold, level) {
  rows <- lapply(names(values), function(name) {
    alone <- values[[name]][, alone_of(weights, name)]
    losses <- do.call(rbind, lapply(seq_len(nrow(weights)), function(j) {
      loss_row(alone, values[[name]][, j], query_weight, 0, level, fold)
    }))
    data.frame(point = seq_len(nrow(weights)), objective = name, value = front_means(values, query_weight)[, name],
               difference = 0 - losses$lost, se = losses$se, lower = 0 - losses$upper, upper = 0 - losses$lower)
  })
  do.call(rbind, rows)
}

# A row for each mixture: its weights, its means, and whether it is on the front.
front_points <- function(values, weights, query_weight) {
  means <- front_means(values, query_weight)
  colnames(means) <- colnames(weights)
  table <- data.frame(point = seq_len(nrow(weights)))
  table[paste0("weight_", colnames(weights))] <- as.data.frame(weights)
  table[paste0("value_", colnames(weights))] <- as.data.frame(means)
  table$front <- undominated(means)
  table
}
