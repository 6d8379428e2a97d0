# Simulated data whose second label depends on other features than the relevance.
two_labels <- function(queries = 120, seed = 1, ...) {
  data <- simulate_ranking(queries, documents = 10, seed = seed)$data
  sold <- withr::with_seed(seed, stats::runif(nrow(data)) < stats::plogis(data$x[, 2]))
  earned <- ifelse(sold, exp(data$x[, 3] / 2), 0)
  ranking_data(data$x, data$relevance, data$query, labels = list(revenue = earned, ...))
}

small_front <- function(data, ..., ranker = gbrt(15)) {
  pareto_front(ranker, data, ..., seed = 1, threads = 1, verbose = FALSE)
}

# Simulated values, queries x mixtures. The true mean of mixture j is `losses[j]` below the mean of the first
# mixture.
simulated_values <- function(queries, losses, gains = -losses, spread = 0.1) {
  common <- stats::rnorm(queries, 0.5, 0.2)
  noise <- function() matrix(stats::rnorm(queries * length(losses), sd = spread), queries)
  list(relevance = common - rep(losses, each = queries) + noise(),
       revenue = common + rep(gains, each = queries) + noise())
}
