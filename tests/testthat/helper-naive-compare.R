# Slow, simple reference implementations of the comparisons.

# The fraction of all sign patterns whose |sum| reaches the observed |sum|. Sums are rounded, because equal
# sums may differ by rounding errors.
naive_sign_flips <- function(difference) {
  signs <- as.matrix(expand.grid(rep(list(c(-1, 1)), length(difference))))
  sums <- round(abs(signs %*% difference), 12)
  mean(sums >= round(abs(sum(difference)), 12))
}

# Wilcoxon's p-value over all signs of the ranks of differences that are not 0. Ties have their mean rank.
naive_signed_ranks <- function(difference) {
  difference <- difference[difference != 0]
  if (length(difference) == 0L) {
    return(1)
  }
  ranks <- rank(round(abs(difference), 12))
  signs <- as.matrix(expand.grid(rep(list(0:1), length(ranks))))
  sums <- signs %*% ranks
  observed <- sum(ranks[difference > 0])
  min(1, 2 * min(mean(sums <= observed), mean(sums >= observed)))
}

# The BCa interval from given bootstrap means, by leaving queries out one by one.
naive_bca <- function(difference, means, level) {
  estimate <- mean(difference)
  bias <- qnorm((sum(means < estimate) + 0.5 * sum(means == estimate)) / length(means))
  left_out <- vapply(seq_along(difference), function(i) mean(difference[-i]), 0)
  away <- mean(left_out) - left_out
  acceleration <- sum(away^3) / (6 * sum(away^2)^1.5)
  z <- bias + qnorm(c((1 - level) / 2, (1 + level) / 2))
  unname(quantile(means, pnorm(bias + z / (1 - acceleration * z)), type = 6))
}

# An evaluation as a data frame with the given values.
evaluation_of <- function(values, ranker = NULL, fold = NULL, query = seq_along(values),
                          weight = NULL) {
  table <- list2DF(c(
    if (!is.null(fold)) list(fold = fold), if (!is.null(ranker)) list(ranker = ranker),
    list(query = query, documents = rep(10L, length(values)),
         metric = rep("ndcg@10", length(values)), value = values),
    if (!is.null(weight)) list(weight = weight)
  ))
  structure(table, class = c("rankmix_evaluation", "data.frame"))
}

# A benchmark of the example data with fixed times. It is made once.
fixed_benchmarks <- new.env()
fixed_benchmark <- function() {
  if (is.null(fixed_benchmarks$one)) fixed_benchmarks$one <- make_fixed_benchmark()
  fixed_benchmarks$one
}
make_fixed_benchmark <- function() {
  data <- c(example_part("train"), example_part("vali"))
  rankers <- list(feature = best_feature(), second = function(data) data$x[, 2],
                  third = function(data) data$x[, 3])
  benchmark <- benchmark_rankers(rankers, query_folds(data, 4, seed = 1), c("ndcg@10", "err"),
                                 data = data, seed = 1, verbose = FALSE)
  benchmark$runs$fit_seconds <- rep(c(1.5, 0.02, 0), 4)
  benchmark$runs$predict_seconds <- 0.01
  benchmark$runs$memory_mb <- 5
  benchmark
}

compare_values <- function(a, b, ..., fold = NULL, seed = 1) {
  compare_rankers(a = evaluation_of(a, fold = fold), b = evaluation_of(b, fold = fold), ...,
                  seed = seed)
}
