# Slow calibrators by R's own functions. bench/mixture.R compares the package's calibrators with them.
# Sigmoids by nlminb() from grids, logistic regression by glm.fit(), networks by
# nnet(), Gaussian processes by chol() of all documents.

slow_targets <- function(method, f, held) {
  f <- unname(f)
  function(a, b) {
    if (method$target == "soft_ndcg") {
      rankmix:::soft_ndcg_target(method$sigma, f, held, a, b, 1L)
    } else {
      exponent <- if (is.null(method$exponent)) 0 else method$exponent
      rankmix:::sigmoid_target(method$target, exponent, f, held$relevance, held$weight, a, b, 1L)
    }
  }
}

# The starting points of the minimisation: the best points of a grid that are not higher than their
# neighbours. For the soft NDCG: the best points of finer grids around the best points.
slow_starts <- function(value, fine) {
  grid <- expand.grid(steepness = seq(-4, 5, 0.75), shift = seq(-3, 3, 0.5))
  values <- mapply(value, grid$steepness, grid$shift)
  if (fine) {
    around <- unique(do.call(rbind, lapply(head(order(values), 8L), function(i) {
      expand.grid(steepness = grid$steepness[i] + seq(-0.5, 0.5, 0.25),
                  shift = grid$shift[i] + seq(-0.5, 0.5, 0.125))
    })))
    values <- mapply(value, around$steepness, around$shift)
    return(as.matrix(around)[head(order(values), 4L), , drop = FALSE])
  }
  table <- matrix(values, 13L)
  low <- vapply(seq_along(values), function(k) {
    i <- (k - 1L) %% 13L + 1L
    j <- (k - 1L) %/% 13L + 1L
    values[k] <= min(table[max(1L, i - 1L):min(13L, i + 1L), max(1L, j - 1L):min(13L, j + 1L)])
  }, NA)
  chosen <- which(low)
  as.matrix(grid)[head(chosen[order(values[chosen])], 3L), , drop = FALSE]
}

slow_sigmoid <- function(method, f, held) {
  center <- mean(f)
  scale <- sd(f)
  target <- slow_targets(method, f, held)
  at <- function(theta) target(exp(theta[1L]) / scale, center + theta[2L] * scale)
  starts <- slow_starts(function(s, b) at(c(s, b))[["value"]], method$target == "soft_ndcg")
  runs <- apply(starts, 1L, stats::nlminb, objective = function(theta) at(theta)[["value"]],
                gradient = function(theta) {
                  gradient <- at(theta)
                  c(gradient[["da"]] * exp(theta[1L]) / scale, gradient[["db"]] * scale)
                }, lower = c(-6, -10), upper = c(6, 10), simplify = FALSE)
  best <- runs[[which.min(vapply(runs, `[[`, 0, "objective"))]]$par
  function(f) {
    p <- rankmix:::sigmoid_probabilities(f, exp(best[1L]) / scale, center + best[2L] * scale, 1L)
    drop(p %*% (2^(seq_len(ncol(f)) - 1) - 1))
  }
}

slow_logistic <- function(f, z) {
  largest <- max(z)
  fit <- suppressWarnings(stats::glm.fit(cbind(1, f), z / largest,
                                         family = stats::quasibinomial()))
  beta <- replace(fit$coefficients, is.na(fit$coefficients), 0)
  function(f) largest * stats::plogis(drop(cbind(1, f) %*% beta))
}

slow_polynomial <- function(f, z, degree) {
  limits <- apply(f, 2L, range)
  powers <- as.matrix(expand.grid(rep(list(0:degree), ncol(f))))
  powers <- powers[rowSums(powers) <= degree, , drop = FALSE]
  monomials <- function(f) {
    x <- vapply(seq_len(ncol(f)), function(l) {
      clipped <- pmin(pmax(f[, l], limits[1L, l]), limits[2L, l])
      2 * (clipped - limits[1L, l]) / diff(limits[, l]) - 1
    }, numeric(nrow(f)))
    apply(powers, 1L, function(e) apply(t(t(x)^e), 1L, prod))
  }
  beta <- stats::lm.fit(monomials(f), z)$coefficients
  beta[is.na(beta)] <- 0
  function(f) drop(monomials(f) %*% beta)
}

slow_network <- function(f, z) {
  size <- max(z)
  center <- colMeans(f)
  spread <- apply(f, 2L, sd)
  x <- function(f) t((t(f) - center) / spread)
  net <- nnet::nnet(x(f), z / size, size = 5, linout = TRUE, decay = 1, maxit = 200,
                    trace = FALSE, Wts = rankmix:::network_start(ncol(f)))
  function(f) size * drop(stats::predict(net, x(f)))
}

# A Gaussian process: length and noise maximise the exact likelihood of 256 documents, and predictions use all
# documents.
slow_process <- function(f, z) {
  center <- colMeans(f)
  spread <- apply(f, 2L, sd)
  x <- t((t(f) - center) / spread)
  mean <- mean(z)
  sorted <- do.call(order, c(lapply(seq_len(ncol(f)), function(l) f[, l]), list(z)))
  some <- sorted[round(seq(1, nrow(f), length.out = min(256L, nrow(f))))]
  squares <- as.matrix(stats::dist(x[some, ]))^2
  y <- (z - mean)[some]
  unlikely <- function(theta) {
    covariance <- exp(-squares / (2 * exp(2 * theta[1L])))
    diag(covariance) <- diag(covariance) + exp(theta[2L])
    root <- chol(covariance)
    length(y) / 2 * log(sum(backsolve(root, y, transpose = TRUE)^2) / length(y)) +
      sum(log(diag(root)))
  }
  best <- exp(stats::nlminb(c(log(2), 0), unlikely, lower = log(c(0.5, 1e-3)),
                            upper = log(c(100, 1e3)))$par)
  kernel <- function(a, b) {
    exp(-pmax(outer(rowSums(a^2), rowSums(b^2), `+`) - 2 * a %*% t(b), 0) / (2 * best[1L]^2))
  }
  root <- chol(kernel(x, x) + diag(best[2L], nrow(x)))
  alpha <- backsolve(root, backsolve(root, z - mean, transpose = TRUE))
  function(f) mean + drop(kernel(t((t(f) - center) / spread), x) %*% alpha)
}

# Fits a calibrator to some validation documents. Returns a function that computes calibrated scores.
slow_fit <- function(method, f, held, range) {
  if (method$name == "naive") {
    return(function(f) rankmix:::naive_scores(f, range))
  }
  if (method$name == "cpc") {
    return(slow_sigmoid(method, f, held))
  }
  z <- rankmix:::regression_gains(method, held)
  switch(method$model,
         linear = {
           beta <- stats::lm.fit(cbind(1, f), z)$coefficients
           beta[is.na(beta)] <- 0
           function(f) drop(cbind(1, f) %*% beta)
         },
         logistic = slow_logistic(f, z),
         polynomial = slow_polynomial(f, z, method$degree),
         network = slow_network(f, z),
         gaussian_process = slow_process(f, z))
}

# Predictions for all documents, by calibrators that were fitted on other queries.
slow_crossfit <- function(method, f, data, range, parts = 2L) {
  held <- rankmix:::held_out(data, 1L)
  part <- rep(1L, length(held$ideal))
  sorted <- rankmix:::sorted_queries(held, f)
  part[sorted] <- rep_len(seq_len(parts), length(sorted))
  scores <- numeric(nrow(f))
  for (k in seq_len(parts)) {
    own <- part[data$query] == k
    seen <- rankmix:::held_out(data[which(part != k)], 1L)
    scores[own] <- slow_fit(method, f[!own, , drop = FALSE], seen, range)(f[own, , drop = FALSE])
  }
  scores
}
