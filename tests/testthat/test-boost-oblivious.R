# Slopes and curvatures by the scores, written down plainly; of least squares with weights
# that sum to 1, so that gains are drops of the mean squared residual.
oblivious_slopes <- function(spec, f, data) {
  w <- if (is.null(data$weight)) rep(1, nrow(data)) else data$weight[data$query]
  counts <- w > 0
  if (spec$objective$name == "squared") {
    w <- w / sum(w)
    return(list(g = w * (f - data$relevance), h = w, counts = counts, unit = 1))
  }
  g <- h <- numeric(nrow(data))
  for (i in seq_len(nrow(data))) {
    for (j in which(data$query == data$query[i] & data$relevance < data$relevance[i])) {
      p <- 1 / (1 + exp(f[i] - f[j]))
      g[c(i, j)] <- g[c(i, j)] + w[i] * c(-p, p)
      h[c(i, j)] <- h[c(i, j)] + w[i] * p * (1 - p)
    }
  }
  list(g = g, h = h, counts = counts, unit = 1 / 2)
}

worth_of <- function(s, rows, l2) {
  h <- sum(s$h[rows]) + l2
  if (h > 0) sum(s$g[rows])^2 / h else 0
}

is_left <- function(test, x) {
  own <- x[, test$feature]
  ifelse(is.na(own), test$missing_left, own <= test$threshold)
}

# What a test gains in each leaf; NA in one that it would leave with too few documents.
gains_of_test <- function(test, leaves, s, x, least, l2) {
  left <- is_left(test, x)
  vapply(leaves, function(rows) {
    a <- rows[left[rows]]
    b <- rows[!left[rows]]
    if (sum(s$counts[a]) < least || sum(s$counts[b]) < least) return(NA_real_)
    worth_of(s, a, l2) + worth_of(s, b, l2) - worth_of(s, rows, l2)
  }, 0)
}

# All of them, in the order that decides ties.
all_tests <- function(x) {
  tests <- list()
  for (feature in seq_len(ncol(x))) {
    missing <- anyNA(x[, feature])
    for (threshold in c(naive_thresholds(x[, feature]), if (missing) Inf)) {
      for (missing_left in unique(c(FALSE, missing && threshold < Inf))) {
        tests <- c(tests, list(list(feature = feature, threshold = threshold,
                                    missing_left = missing_left)))
      }
    }
  }
  tests
}

# The tests of a tree's levels, with their nodes.
levels_of_tree <- function(forest, t) {
  nodes <- seq(forest$node_begin[t] + 1L, length.out = diff(forest$node_begin)[t])
  test <- paste(forest$feature, forest$threshold, forest$missing_left)[nodes]
  runs <- rle(test)
  last <- cumsum(runs$lengths)
  lapply(seq_along(last), function(k) {
    of <- nodes[seq(to = last[k], length.out = runs$lengths[k])]
    list(feature = forest$feature[of[1]] + 1L, threshold = forest$threshold[of[1]],
         missing_left = forest$missing_left[of[1]] == 1L, nodes = of)
  })
}

# What rounding may change in a leaf's value: residuals of documents without weights are whole
# numbers of 2^-36 of the sum of their magnitudes, and so are steps.
rounding_of_values <- function(model, data) {
  spec <- model$spec
  if (spec$objective$name != "squared" || spec$precision == "double" || !is.null(data$weight)) {
    return(1e-10)
  }
  y <- data$relevance
  sum(abs(y - mean(y))) * 2^-36 * (0.5 + 0.5 / spec$step) + 1e-12
}

# Follows a model tree by tree: the largest shortfall of a level against the best of all
# tests, relative to the sum of slopes, whether gains are told, and the scores.
replay_oblivious <- function(model, data, least) {
  x <- data$x
  spec <- model$spec
  forest <- model$forest
  tests <- all_tests(x)
  f <- rep(model$start, nrow(x))
  shortfall <- 0
  for (t in seq_len(length(forest$node_begin) - 1L)) {
    s <- oblivious_slopes(spec, f, data)
    gains <- function(test, leaves) gains_of_test(test, leaves, s, x, least, spec$l2)
    sum_of <- function(test, leaves) sum(gains(test, leaves), na.rm = TRUE)
    leaves <- list(seq_len(nrow(x)))
    levels <- levels_of_tree(forest, t)
    for (test in levels) {
      own <- gains(test, leaves)
      best <- max(vapply(tests, sum_of, 0, leaves = leaves))
      parted <- which(!is.na(own))
      expect_identical(length(test$nodes), length(parted))
      told <- abs(own[parted] * s$unit - forest$gain[test$nodes])
      shortfall <- max(shortfall, c(best - sum(own, na.rm = TRUE), told) / sum(abs(s$g)))
      left <- is_left(test, x)
      for (leaf in parted) {
        rows <- leaves[[leaf]]
        leaves[[leaf]] <- rows[left[rows]]
        leaves[[length(leaves) + 1L]] <- rows[!left[rows]]
      }
    }
    if (length(levels) < spec$depth) {
      more <- max(vapply(tests, sum_of, 0, leaves = leaves))
      shortfall <- max(shortfall, more / sum(abs(s$g)))
    }
    values <- forest$values[seq(forest$leaf_begin[t] + 1L, forest$leaf_begin[t + 1L])]
    expect_identical(length(values), length(leaves))
    counted <- vapply(leaves, function(rows) sum(s$counts[rows]), 0L)
    expect_identical(forest$leaf_documents[forest$leaf_begin[t] + seq_along(leaves)], counted)
    for (leaf in seq_along(leaves)) {
      rows <- leaves[[leaf]]
      h <- sum(s$h[rows]) + spec$l2
      step <- if (h > 0) -sum(s$g[rows]) / h else 0
      expect_lte(abs(values[leaf] - step), rounding_of_values(model, data))
      f[rows] <- f[rows] + spec$step * values[leaf]
    }
  }
  list(shortfall = shortfall, f = f)
}

oblivious <- function(..., trees = 4, depth = 4, min_documents = 2) {
  gbrt(trees, ..., depth = depth, min_documents = min_documents, growth = "oblivious")
}

test_that("every level is the best test of all leaves together, and leaves are steps", {
  for (seed in draws(6)) {
    for (precision in c("single", "double")) {
      data <- random_data(queries = 15, missing = 0.15, distinct = if (seed %% 2 == 0) 4 else Inf,
                          seed = seed)
      for (weighted in c(FALSE, TRUE)) {
        if (weighted) data$weight <- rep_len(c(1, 0, 2.5), length(data$query_ids))
        for (spec in list(oblivious(precision = precision, step = 0.4),
                          oblivious(precision = precision, min_documents = 1),
                          oblivious(precision = precision, objective = pairwise(), l2 = 0.5),
                          oblivious(precision = precision, objective = pairwise()))) {
          model <- fit(spec, data, seed = 1)
          slow <- replay_oblivious(model, data, spec$min_documents)
          # Slopes and curvatures are rounded to 2^-30 of their sums.
          expect_lte(slow$shortfall, 1e-7)
          expect_equal(predict(model, data), slow$f, tolerance = 1e-9)
        }
      }
    }
  }
})

test_that("trees of depth 1 are those of two leaves", {
  for (seed in draws(4)) {
    data <- random_data(queries = 40, missing = 0.1, seed = seed)
    for (objective in list(squared(), pairwise(), softmax())) {
      one <- fit(oblivious(trees = 12, depth = 1, objective = objective), data, seed = 1)
      two <- fit(gbrt(12, leaves = 2, min_documents = 2, objective = objective), data, seed = 1)
      expect_identical(one$forest, two$forest)
    }
  }
})
