# Claim Y6 of bench/yetirank.R: how much the random rankings change the weights of pairs, and the models that
# are trained with these weights.

# The standard deviation of the weights of pairs over the seeds, divided by the mean weight. Both are root
# mean squares over the pairs.
weight_noise <- function(part, rankings, seeds = 1:10) {
  data <- part$train
  model <- fit(update(spec_of("lambdarank"), trees = 50), data, seed = 1, threads = 1,
               verbose = FALSE)
  scores <- predict(model, data)
  documents <- rankmix:::objective_documents(data, data$relevance, numeric(), data$weight)
  objective <- rankmix:::yeti_objective(update(spec_of("lambdarank"), rankings = rankings), data)
  drawn <- lapply(seeds, function(seed) {
    pairs <- rankmix:::yeti_pairs(objective, documents, scores, seed, 0)
    stats::setNames(pairs[3L, ] / rankings, paste(pairs[1L, ], pairs[2L, ]))
  })
  pairs <- unique(unlist(lapply(drawn, names)))
  weights <- vapply(drawn, function(w) ifelse(is.na(w[pairs]), 0, w[pairs]), numeric(length(pairs)))
  spread <- sum((weights - rowMeans(weights))^2) / (length(seeds) - 1)
  # The mean of squares contains the variance of a mean over the seeds, which is subtracted.
  square <- sum(rowMeans(weights)^2) - spread / length(seeds)
  sqrt(spread / square)
}

# NDCG on true grades of models that differ by their seed alone, with the correlation of their
# scores within queries.
seed_noise <- function(part, rankings, seeds) {
  spec <- update(spec_of("lambdarank"), rankings = rankings, trees = 150, learning_rate = steps[2L])
  scores <- vapply(seeds, function(seed) {
    model <- fit(spec, part$train, seed = seed, threads = 1, verbose = FALSE)
    predict(model, part$true)
  }, numeric(length(part$true$relevance)))
  values <- apply(scores, 2L, function(x) mean(evaluate(x, part$true, metrics$ndcg)$value))
  within <- scores - apply(scores, 2L, function(x) ave(x, part$true$query))
  agree <- stats::cor(within)
  list(values = values, correlation = mean(agree[upper.tri(agree)]))
}

rankings_noise <- function(part, rankings) {
  seeds <- seq_len(if (rankings >= 1000) 3L else 6L)
  c(list(rankings = rankings, weights = weight_noise(part, rankings)),
    seed_noise(part, rankings, seeds))
}
