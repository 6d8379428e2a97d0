# Boosting of monotone trees by trying every split of every leaf, in plain doubles: squared
# loss, all documents have equal weights. Features of a branch share one of the `groups`. A feature has a cost
# until a split uses it.

naive_within <- function(value, bounds) min(max(value, bounds[1]), bounds[2])

# The best split of a leaf with these rows and bounds; NULL if no split has a gain.
naive_monotone_split <- function(x, r, leaf, signs, thresholds, least, prices = numeric(ncol(x))) {
  rows <- leaf$rows
  node_score <- function(at, value) sum(2 * r[at] * value - value^2)
  value <- function(at) naive_within(mean(r[at]), leaf$bounds)
  whole <- node_score(rows, value(rows))
  best <- NULL
  for (f in leaf$allowed) {
    column <- x[rows, f]
    any_missing <- anyNA(column)
    for (t in c(thresholds[[f]], if (any_missing) Inf)) {
      for (missing_left in if (any_missing && t < Inf) c(FALSE, TRUE) else FALSE) {
        left <- ifelse(is.na(column), missing_left, column <= t)
        if (min(sum(left), sum(!left)) < least) next
        a <- value(rows[left])
        b <- value(rows[!left])
        sign <- if (t < Inf) signs[f] else 0
        if (sign * (b - a) < 0) next
        gain <- node_score(rows[left], a) + node_score(rows[!left], b) - whole - prices[f]
        if (gain > 1e-9 && (is.null(best) || gain > best$gain + 1e-9)) {
          best <- list(gain = gain, feature = f, threshold = t, missing_left = missing_left,
                       left = rows[left], right = rows[!left], middle = (a + b) / 2,
                       sign = sign)
        }
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
