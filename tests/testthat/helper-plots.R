# Every plot as an image. A test fails if an image changes, so that each change is reviewed.

skip_without_pictures <- function() {
  skip_if_not_installed("vdiffr")
  skip_if_not_installed("ggplot2")
}

# Fixed values of four rankers on three folds.
plotted_comparison <- function(...) {
  n <- 90
  q <- seq_len(n)
  base <- 0.5 + 0.4 * sin(q)
  values <- list(mixture = base + 0.02 * cos(3 * q), trees = base,
                 linear = base - 0.05 + 0.1 * cos(5 * q), feature = base - 0.15 + 0.2 * cos(7 * q))
  values$trees[1:20] <- values$mixture[1:20]
  fold <- rep(c("Fold1", "Fold2", "Fold3"), length.out = n)
  tables <- lapply(values, evaluation_of, fold = fold)
  do.call(compare_rankers, c(tables, list(seed = 1, resamples = 1000, ...)))
}

# Values of k rankers on n queries with known means: ranker 1 is the best.
many_rankers <- function(k, n = 40) {
  q <- seq_len(n)
  values <- vapply(seq_len(k), function(i) 0.6 - 0.01 * i + 0.1 * sin(q * i) + 0.1 * cos(q), q + 0)
  colnames(values) <- sprintf("ranker%02d", seq_len(k))
  rownames(values) <- paste0("q", q)
  values
}

compare_many <- function(k, ..., n = 40) {
  compare_rankers(many_rankers(k, n), metric = "ndcg@10", seed = 1, resamples = 500, ...)
}
