# Simulated queries, each with its own random effect on scores. Scores are rounded, so that there are few
# thresholds.
cut_sample <- function(queries) {
  query <- rep(seq_len(queries), sample(5:15, queries, TRUE))
  score <- round(20 * (rnorm(length(query)) + 0.5 * rnorm(queries)[query])) / 20
  p <- plogis(0.5 + 2 * score + 0.8 * rnorm(queries)[query])
  list(position = score, query = query, relevant = runif(length(query)) < p)
}

cut_data <- function(sample) {
  ranking_data(cbind(score = sample$position, zero = 0), as.integer(sample$relevant), sample$query)
}

# The sample without queries that have no relevant document.
with_relevant <- function(sample) {
  kept <- sample$query %in% sample$query[sample$relevant]
  list(position = sample$position[kept], query = match(sample$query[kept], unique(sample$query[kept])),
       relevant = sample$relevant[kept])
}

# The losses of queries, one after the other.
slow_losses <- function(parts, threshold, risk) {
  vapply(seq_len(max(parts$query)), function(q) {
    kept <- parts$query == q & parts$position >= threshold
    hits <- sum(parts$relevant[kept])
    if (risk == "recall") {
      1 - hits / sum(parts$relevant[parts$query == q])
    } else if (any(kept)) 1 - hits / sum(kept) else 0
  }, 0)
}
