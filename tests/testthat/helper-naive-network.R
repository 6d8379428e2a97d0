# A reference implementation of networks in double precision. Tests compare core/network with it.

# The numbers of a model as lists, see src/core/network/shape.h.
naive_layers <- function(numbers, inputs, spec) {
  at <- 0L
  take <- function(count) {
    at <<- at + count
    numbers[seq.int(at - count + 1L, length.out = count)]
  }
  normalizes <- spec$normalize != "none"
  layers <- list()
  for (units in spec$hidden) {
    layers[[length(layers) + 1L]] <- list(
      weights = matrix(take(inputs * units), inputs, units, byrow = TRUE),
      bias = if (spec$normalize == "batch") 0 else take(units),
      scale = if (normalizes) take(units), shift = if (normalizes) take(units)
    )
    inputs <- units
  }
  list(hidden = layers, score = take(inputs), constant = take(1L), trained = at,
       moments = numbers[-seq_len(at)])
}

naive_activation <- list(relu = function(z) pmax(z, 0), tanh = tanh,
                         logistic = function(z) 1 / (1 + exp(-z)))

# Scores of the documents of one batch, from scaled features. With `alone`, the stored moments of the model
# replace the moments of the batch.
naive_network <- function(numbers, z, spec, alone = FALSE) {
  layers <- naive_layers(numbers, ncol(z), spec)
  rows <- function(x) matrix(x, nrow(z), length(x), byrow = TRUE)
  for (layer in layers$hidden) {
    units <- ncol(layer$weights)
    z <- z %*% layer$weights + rows(rep_len(layer$bias, units))
    if (spec$normalize == "batch") {
      mean <- if (alone) layers$moments[seq_len(units)] else colMeans(z)
      variance <- if (alone) layers$moments[units + seq_len(units)] else colMeans(z^2) - mean^2
      layers$moments <- layers$moments[-seq_len(2L * units)]
      z <- (z - rows(mean)) / rows(sqrt(variance + 1e-5))
    } else if (spec$normalize == "layer") {
      z <- (z - rowMeans(z)) / sqrt(rowMeans((z - rowMeans(z))^2) + 1e-5)
    }
    if (!is.null(layer$scale)) z <- z * rows(layer$scale) + rows(layer$shift)
    z <- naive_activation[[spec$activation]](z)
  }
  as.vector(z %*% layers$score) + layers$constant
}

# The objective over its total weight.
naive_objective <- function(objective, f, data) {
  w <- if (is.null(data$weight)) rep(1, length(data$query_ids)) else data$weight
  value <- total <- 0
  for (q in seq_along(data$query_ids)) {
    rows <- which(data$query == q)
    s <- f[rows]
    grades <- data$relevance[rows]
    gains <- 2^grades - 1
    differ <- length(unique(grades)) > 1L
    part <- switch(
      objective$name,
      squared = c(sum((s - grades)^2) / 2, length(rows)),
      softmax = if (sum(gains) > 0) c(sum(gains * (log(sum(exp(s))) - s)) / sum(gains), 1),
      pairwise = {
        above <- outer(grades, grades, ">")
        c(sum(log1p(exp(-outer(s, s, "-")))[above]), sum(above))
      },
      list_mle = if (differ) {
        c(sum(vapply(which(grades > min(grades)), function(i) {
          log(sum(exp(s[grades <= grades[i]]))) - s[i]
        }, 0)), 1)
      }
    )
    if (!is.null(part)) {
      value <- value + w[q] * part[1L]
      total <- total + w[q] * part[2L]
    }
  }
  value / total
}

naive_scaled <- function(data, log1p = FALSE) {
  x <- if (log1p) sign(data$x) * log(1 + abs(data$x)) else data$x
  w <- if (is.null(data$weight)) rep(1, nrow(x)) else data$weight[data$query]
  apply(x, 2L, function(column) {
    mean <- sum(w * column) / sum(w)
    sd <- sqrt(sum(w * (column - mean)^2) / sum(w))
    if (sd > 0) (column - mean) / sd else 0 * column
  })
}

# The gradient with respect to the trained parameters, by finite differences.
naive_gradient <- function(value, numbers, trained, h = 1e-6) {
  vapply(seq_len(trained), function(i) {
    move <- replace(numeric(length(numbers)), i, h)
    (value(numbers + move) - value(numbers - move)) / (2 * h)
  }, 0)
}

# The numbers after `steps` steps of Adam, each on all data. `fixed` are the numbers whose gradient is 0.
# Rounding errors of finite differences would change them.
naive_adam <- function(value, numbers, trained, decays, step, steps, fixed = integer()) {
  m <- v <- numeric(trained)
  for (t in seq_len(steps)) {
    g <- replace(naive_gradient(value, numbers, trained), fixed, 0)
    m <- 0.9 * m + 0.1 * g
    v <- 0.999 * v + 0.001 * g^2
    w <- numbers[seq_len(trained)]
    move <- m / (1 - 0.9^t) / (sqrt(v / (1 - 0.999^t)) + 1e-8) + decays * w
    numbers[seq_len(trained)] <- w - step * move
  }
  numbers
}
