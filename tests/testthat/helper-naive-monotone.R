# Boosting of monotone trees by trying every split of every leaf, in plain doubles: squared
# loss, all documents have equal weights. Features of a branch share one of the `groups`. A feature has a cost
# until a split uses it.

naive_within <- function(value, bounds) min(max(value, bounds[1]), bounds[2])

# The best split of a leaf with these rows and bounds; NULL if no split has a gain.
naive_monotone_split <- function(x, r, leaf, signs, thresholds, least, prices = numeric(ncol(x))) {
  rows <- leaf$rows
  node_score <- function(count, sum, value) 2 * sum * value - count * value^2
  within <- function(value) pmin(pmax(value, leaf$bounds[1]), leaf$bounds[2])
  whole <- node_score(length(rows), sum(r[rows]), within(mean(r[rows])))
  best <- NULL
  for (f in leaf$allowed) {
    tests <- naive_tests(x[rows, f], thresholds[[f]], missing_alone = TRUE)
    left <- crossprod(tests$left, cbind(1, r[rows]))
    right <- crossprod(!tests$left, cbind(1, r[rows]))
    a <- within(left[, 2L] / left[, 1L])
    b <- within(right[, 2L] / right[, 1L])
    sign <- ifelse(tests$threshold < Inf, signs[f], 0)
    gain <- node_score(left[, 1L], left[, 2L], a) + node_score(right[, 1L], right[, 2L], b) - whole - prices[f]
    gain[pmin(left[, 1L], right[, 1L]) < least | sign * (b - a) < 0] <- -Inf
    for (k in order(tests$threshold, tests$missing_left)) {
      if (gain[k] > 1e-9 && (is.null(best) || gain[k] > best$gain + 1e-9)) {
        best <- list(gain = gain[k], feature = f, threshold = tests$threshold[k], missing_left = tests$missing_left[k],
                     left = rows[tests$left[, k]], right = rows[!tests$left[, k]], middle = (a[k] + b[k]) / 2,
                     sign = sign[k])
      }
    }
  }
  best
}

# The predictions for the rows of x, and the splits of the trees in their order.
naive_monotone <- function(x, y, signs, trees, leaves, step, least, groups = list(seq_len(ncol(x))),
                           costs = numeric(ncol(x))) {
  thresholds <- lapply(seq_len(ncol(x)), function(j) naive_thresholds(x[, j]))
  f <- rep(mean(y), nrow(x))
  features <- integer()
  prices <- function() ifelse(seq_len(ncol(x)) %in% features, 0, costs * first_gain)
  allowed_after <- function(tested) {
    if (length(tested) == 0L) return(seq_len(ncol(x)))
    sort(unique(unlist(Filter(function(group) all(tested %in% group), groups))))
  }
  all <- list(rows = seq_len(nrow(x)), bounds = c(-Inf, Inf), allowed = seq_len(ncol(x)))
  first_gain <- naive_monotone_split(x, y - f, all, signs, thresholds, least)$gain
  for (tree in seq_len(trees)) {
    r <- y - f
    make <- function(rows, bounds, tested) {
      leaf <- list(rows = rows, bounds = bounds, tested = tested, allowed = allowed_after(tested))
      leaf$best <- naive_monotone_split(x, r, leaf, signs, thresholds, least, prices())
      leaf
    }
    grown <- list(make(seq_len(nrow(x)), c(-Inf, Inf), integer()))
    while (length(grown) < leaves) {
      gains <- vapply(grown, function(leaf) if (is.null(leaf$best)) 0 else leaf$best$gain, 0)
      if (max(gains) <= 0) break
      at <- which.max(gains)
      split <- grown[[at]]$best
      left <- right <- grown[[at]]$bounds
      if (split$sign > 0) left[2] <- right[1] <- split$middle
      if (split$sign < 0) left[1] <- right[2] <- split$middle
      features <- c(features, split$feature)
      tested <- c(grown[[at]]$tested, split$feature)
      grown[[at]] <- make(split$left, left, tested)
      grown <- c(grown, list(make(split$right, right, tested)))
    }
    for (leaf in grown) {
      f[leaf$rows] <- f[leaf$rows] + step * naive_within(mean(r[leaf$rows]), leaf$bounds)
    }
  }
  list(f = f, features = features)
}

# The largest decrease of a prediction (for sign -1, the largest increase) when one feature increases from
# threshold to threshold. The other features keep their values of some documents.
largest_fall <- function(model, x, feature, sign) {
  values <- sort(unique(x[, feature]))
  grid <- sort(c(values, values[-1] - diff(values) / 2, min(values) - 1, max(values) + 1))
  falls <- apply(x, 1, function(row) {
    rows <- matrix(row, length(grid), ncol(x), byrow = TRUE, dimnames = list(NULL, colnames(x)))
    rows[, feature] <- grid
    max(-sign * diff(predict(model, rows)))
  })
  max(falls)
}
