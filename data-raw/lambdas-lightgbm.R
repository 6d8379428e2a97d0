# Leaf values of LightGBM's lambdarank from scores that are given, for test-objective-lambda.R.
#
#   Rscript data-raw/lambdas-lightgbm.R > tests/testthat/fixtures/lambdas-lightgbm.csv
#
# One tree on a feature of eight values, each of which becomes a leaf. Queries have at most 30
# documents, the truncation level, and no two documents the same score.

set.seed(4)
sizes <- c(5, 30, 12, 1, 23, 8, 30, 17, 9, 26)
query <- rep(seq_along(sizes), sizes)
rows <- length(query)
grade <- pmin(rpois(rows, 0.9), 4)
grade[query == 6] <- 0
cell <- sample(8L, rows, replace = TRUE)
score <- sample(4 * rows, rows) / 500 + 0.3001 * grade  # no two are the same

leaves <- function(norm, sigmoid) {
  data <- lightgbm::lgb.Dataset(matrix(cell, ncol = 1L), label = grade, group = sizes,
                                init_score = score, params = list(min_data_in_bin = 1L))
  booster <- lightgbm::lgb.train(
    list(objective = "lambdarank", lambdarank_norm = norm, sigmoid = sigmoid,
         lambdarank_truncation_level = 30L, num_leaves = 8L, min_data_in_leaf = 1L,
         min_sum_hessian_in_leaf = 0, learning_rate = 1, verbose = -1L, num_threads = 1L),
    data, nrounds = 1L, verbose = -1L
  )
  stats::predict(booster, matrix(cell, ncol = 1L), type = "raw")
}

utils::write.csv(
  data.frame(query, grade, cell, score, plain = leaves(FALSE, 1), steep = leaves(FALSE, 2.5),
             normalised = leaves(TRUE, 1)),
  row.names = FALSE, quote = FALSE
)
