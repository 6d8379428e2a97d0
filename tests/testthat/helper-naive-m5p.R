# A model tree by the description in ?m5p. Every cut of every node is tried, and every regression is solved
# from the rows. `w` are weights with mean 1.

naive_m5p <- function(x, y, w = rep(1, length(y)), min_data_in_split = 4, prune = TRUE,
                      smooth = TRUE) {
  fraction <- function(rows) w[rows] / sum(w[rows])
  variance <- function(rows) sum(fraction(rows) * (y[rows] - sum(fraction(rows) * y[rows]))^2)
  deviation <- sqrt(variance(seq_along(y)))
  tree <- naive_grow(x, y, w, seq_along(y), min_data_in_split, deviation, variance)
  tree <- naive_models(tree, x, y, w, prune, deviation)
  if (smooth) naive_smoothed_tree(tree) else tree
}

naive_grow <- function(x, y, w, rows, min_data_in_split, deviation, variance) {
  node <- list(rows = rows)
  if (length(rows) < max(4, min_data_in_split) || sqrt(variance(rows)) < 0.05 * deviation ||
        deviation == 0) {
    return(node)
  }
  best <- -Inf
  for (j in seq_len(ncol(x))) {
    cut <- naive_cut(x[, j], w, rows, variance)
    if (cut$gain > best + 1e-6) {
      best <- cut$gain
      node$feature <- j
      node$threshold <- cut$threshold
    }
  }
  if (best > -Inf) {
    left <- x[rows, node$feature] <= node$threshold
    node$left <- naive_grow(x, y, w, rows[left], min_data_in_split, deviation, variance)
    node$right <- naive_grow(x, y, w, rows[!left], min_data_in_split, deviation, variance)
  }
  node
}

naive_cut <- function(v, w, rows, variance) {
  best <- list(gain = -Inf, threshold = NA)
  values <- sort(unique(v[rows]))
  least <- max(1, length(rows) %/% 5) + 1
  for (i in seq_len(length(values) - 1L)) {
    left <- rows[v[rows] <= values[i]]
    right <- setdiff(rows, left)
    if (min(length(left), length(right)) < least) next
    gain <- variance(rows)^0.2 - sum(w[left]) / sum(w[rows]) * variance(left)^0.2 -
      sum(w[right]) / sum(w[rows]) * variance(right)^0.2
    if (gain > best$gain) best <- list(gain = gain, threshold = mean(values[i + 0:1]))
  }
  best
}

naive_tested <- function(node) {
  if (is.null(node$left)) integer() else {
    sort(unique(c(node$feature, naive_tested(node$left), naive_tested(node$right))))
  }
}

# Adds to each node its model, the number of coefficients, and the sum of squares. Prunes the tree from the
# bottom up.
naive_models <- function(node, x, y, w, prune, deviation) {
  model <- naive_regression(x, y, w, node$rows, naive_tested(node))
  node$model <- model
  node$size <- sum(model$weight != 0) + 1
  node$squares <- model$squares
  if (is.null(node$left)) {
    return(node)
  }
  for (side in c("left", "right")) {
    node[[side]] <- naive_models(node[[side]], x, y, w, prune, deviation)
  }
  n <- length(node$rows)
  error <- function(squares, v) {
    sqrt(squares / sum(w[node$rows])) * if (n <= v) 10 else (n + 2 * v) / (n - v)
  }
  below <- node$left$squares + node$right$squares
  size <- node$left$size + node$right$size + 1
  simple <- error(model$squares, node$size)
  if (prune && (simple <= error(below, size) || simple < 1e-5 * deviation)) {
    node$left <- node$right <- NULL
  } else {
    node$squares <- below
    node$size <- size
  }
  node
}

naive_regression <- function(x, y, w, rows, features) {
  n <- length(rows)
  w <- w[rows]
  mean_of <- function(v) sum(w * v) / sum(w)
  sd_of <- function(v) sqrt(sum(w * (v - mean_of(v))^2) / sum(w) * n / (n - 1))
  x <- x[rows, , drop = FALSE]
  y <- y[rows]
  varies <- function(j) length(unique(x[w > 0, j])) > 1
  features <- Filter(varies, features)
  solve_for <- function(features) {
    weight <- numeric(ncol(x))
    if (length(features) > 0L) {
      z <- sapply(features, function(j) (x[, j] - mean_of(x[, j])) / sd_of(x[, j]))
      gram <- crossprod(z * sqrt(w)) + diag(1e-8, length(features))
      weight[features] <- solve(gram, crossprod(z * w, y)) / vapply(features, function(j) {
        sd_of(x[, j])
      }, 0)
    }
    intercept <- mean_of(y) - sum(weight * apply(x, 2, mean_of))
    fitted <- drop(x %*% weight) + intercept
    list(weight = weight, intercept = intercept, squares = sum(w * (y - fitted)^2),
         features = features)
  }
  standard <- function(model) {
    abs(model$weight[model$features] * vapply(model$features, function(j) sd_of(x[, j]), 0)) /
      sd_of(y)
  }
  model <- solve_for(features)
  while (length(model$features) > 0L && max(standard(model)) > 1.5) {
    model <- solve_for(model$features[-which.max(standard(model))])
  }
  full <- model
  p <- length(full$features) + 1
  score <- n + p
  while (length(model$features) > 0L) {
    less <- solve_for(model$features[-which.min(standard(model))])
    better <- less$squares / full$squares * (n - p) + 2 * (length(less$features) + 1)
    if (!(better < score)) break
    score <- better
    model <- less
  }
  model
}

naive_smoothed_tree <- function(node, above = list()) {
  if (!is.null(node$left)) {
    above <- c(above, list(list(model = node$model)))
    for (side in c("left", "right")) {
      node[[side]] <- naive_smoothed_tree(node[[side]], c(above[-length(above)], list(
        c(above[[length(above)]], list(child = length(node[[side]]$rows))))))
    }
    return(node)
  }
  for (step in rev(above)) {
    for (part in c("weight", "intercept")) {
      node$model[[part]] <- (step$child * node$model[[part]] + 15 * step$model[[part]]) /
        (step$child + 15)
    }
  }
  node
}

naive_m5p_predict <- function(node, row) {
  if (is.null(node$left)) {
    return(sum(node$model$weight * row) + node$model$intercept)
  }
  naive_m5p_predict(if (row[node$feature] <= node$threshold) node$left else node$right, row)
}

# Features and thresholds from the top, left before right.
naive_m5p_splits <- function(node) {
  if (is.null(node$left)) {
    return(NULL)
  }
  rbind(c(node$feature, node$threshold), naive_m5p_splits(node$left),
        naive_m5p_splits(node$right))
}
