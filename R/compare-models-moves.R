# Changes of rankings if a new model replaces an old one (see compare_models()): moves of the documents
# of each query, and their correlation with features.

# A row for each query: how much of its top changes, and the overlap of both rankings.
query_changes <- function(scores, data, settings) {
  rows <- split(seq_along(data$query), data$query)
  found <- vapply(rows, function(own) {
    old <- scores$old[own]
    new <- scores$new[own]
    overlap <- overlap_values(scores_list(old), scores_list(new), settings$p, "b")[["ext"]]
    c(top_change(old, new, settings$k), top_change(old, new, 1), overlap)
  }, numeric(3))
  list2DF(c(list(query = data$query_ids), if (!is.null(data$weight)) list(weight = data$weight),
            list(documents = unname(lengths(rows)), changed = unname(found[1L, ]),
                 first_changed = unname(found[2L, ]), overlap = unname(found[3L, ]))))
}

# The fraction of the top k that changes.
top_change <- function(old, new, k) {
  k <- min(k, length(old))
  # Sums of the fractions for ties have rounding errors.
  min(max(1 - sum(pmin(top_chances(old, k), top_chances(new, k))) / k, 0), 1)
}

# The probability of each document to be in the top k, if ties are broken at random.
top_chances <- function(scores, k) {
  first <- rank(-scores, ties.method = "min")
  last <- rank(-scores, ties.method = "max")
  pmin(pmax((k - first + 1) / (last - first + 1), 0), 1)
}

# The correlation of each feature with the moves of documents within queries, the largest first.
moved_features <- function(scores, data, features, level) {
  move <- ranks_in_queries(scores$new, data$query) - ranks_in_queries(scores$old, data$query)
  is_sparse(data$x)  # its columns are taken by the package Matrix
  rows <- lapply(stats::setNames(nm = features), function(name) {
    values <- as.vector(data$x[, match(name, data$features)])
    rank_correlation(move, values, data$query, data$weight, length(data$query_ids), level)
  })
  table <- bind_named(rows, "feature")
  table <- table[order(-abs(table$correlation)), ]
  rownames(table) <- NULL
  table
}

# Average ranks within queries from the bottom, divided by the number of documents.
ranks_in_queries <- function(x, query) {
  sorted <- order(query, x)
  n <- length(sorted)
  q <- query[sorted]
  v <- x[sorted]
  starts <- c(TRUE, q[-1L] != q[-n] | v[-1L] != v[-n])
  group <- cumsum(starts)
  first <- which(starts)
  last <- c(first[-1L] - 1L, n)
  begin <- match(q, q) - 1L
  ranks <- numeric(n)
  ranks[sorted] <- ((first + last) / 2)[group] - begin
  ranks / tabulate(query)[query]
}

# The pooled correlation of moves and ranks of a feature within queries, with a t interval by the delta
# method. Each query has one term for the covariance and for both variances.
rank_correlation <- function(move, values, query, weight, count, level) {
  own <- which(!is.na(values))
  terms <- matrix(0, count, 3L)
  sizes <- tabulate(query[own], count)
  if (length(own) > 0L) {
    q <- query[own]
    d <- move[own]
    f <- ranks_in_queries(values[own], q)
    centred <- function(x) x - (rowsum(x, q, reorder = TRUE)[, 1L] / sizes[sizes > 0L])[match(q, which(sizes > 0L))]
    d <- centred(d)
    f <- centred(f)
    terms[sizes > 0L, ] <- rowsum(cbind(d * f, d^2, f^2), q, reorder = TRUE) / sizes[sizes > 0L]
  }
  cbind(correlation_interval(terms, weight, level), queries = sum(sizes > 1L))
}

# Rounding noise of ranks is below this. The variance of ranks of two documents is 1 / 16.
min_rank_variance <- 1e-12

correlation_interval <- function(terms, weight, level) {
  weight <- if (is.null(weight)) rep(1, nrow(terms)) else as.double(weight)
  means <- colSums(terms * weight) / sum(weight)
  if (min(means[2:3]) < min_rank_variance) {
    return(data.frame(correlation = NA_real_, lower = NA_real_, upper = NA_real_))
  }
  r <- means[1L] / sqrt(means[2L] * means[3L])
  influence <- terms[, 1L] / sqrt(means[2L] * means[3L]) -
    r / 2 * (terms[, 2L] / means[2L] + terms[, 3L] / means[3L])
  moments <- stratified_moments(influence, if (weights_vary(weight)) weight)
  half <- if (isTRUE(moments$df >= 1)) stats::qt(1 - level / 2, moments$df) * moments$se else NA_real_
  data.frame(correlation = r, lower = max(r - half, -1), upper = min(r + half, 1))
}

weights_vary <- function(weight) any(weight != weight[1L])
