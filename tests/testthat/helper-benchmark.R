# Small benchmarks of the example data.

benchmark_data <- function() c(example_part("train"), example_part("vali"))

small_rankers <- function() {
  list(boosted = adaboost_mh(base_tree(4), rounds = 20, feature_fraction = 0.5),
       trees = gbrt(trees = 20, bagging_fraction = 0.5), feature = best_feature(),
       first = function(data) data$x[, 1])
}

# One of the rankers uses its seed.
few_rankers <- function() {
  list(random = function(data) data$x[, 1] + stats::rnorm(nrow(data$x), 0, 0.1), feature = best_feature())
}

run_benchmark <- function(rankers = small_rankers(), ..., metrics = c("ndcg@10", "err"),
                          seed = 1, verbose = FALSE) {
  data <- benchmark_data()
  benchmark_rankers(rankers, query_folds(data, 3, seed = 5), metrics, data = data, seed = seed,
                    verbose = verbose, ...)
}

# The parts of a benchmark that do not depend on the clock.
table_of <- function(benchmark) {
  list(benchmark$results, benchmark$digests, benchmark$scores,
       benchmark$runs[c("fold", "ranker", "status", "error", "tuned", "validation")])
}
