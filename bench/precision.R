# Whether single precision costs accuracy. Writes bench/precision.md.
#
#   Rscript bench/precision.R
#
# 20 simulated data sets of 24,000 documents x 136 features, half of the queries held out:
# held-out NDCG@10 of models whose weights or residuals are kept, and seen by the search for
# splits, in single or in double precision, and the differences, seed by seed. To tell how large
# noise is, the double one is also compared with itself on three quarters of the features a
# round.

library(rankmix)
source("bench/simulate.R")

value <- function(spec, halves, seed) {
  model <- fit(spec, halves$train, seed = seed, verbose = FALSE)
  summary(evaluate(model, halves$test, ndcg(10)))$mean
}
one_seed <- function(seed) {
  data <- simulate_web(24000, seed = seed)
  train <- data$query <= stats::median(data$query)
  half <- function(rows) ranking_data(data$x[rows, ], data$grade[rows], data$query[rows])
  halves <- list(train = half(train), test = half(!train))
  specs <- list(
    ada_single = adaboost_mh(tree(8), rounds = 300),
    ada_double = adaboost_mh(tree(8), rounds = 300, precision = "double"),
    ada_share = adaboost_mh(tree(8), rounds = 300, precision = "double", feature_share = 0.75),
    gbrt_single = gbrt(trees = 200),
    gbrt_double = gbrt(trees = 200, precision = "double"),
    gbrt_share = gbrt(trees = 200, precision = "double", feature_share = 0.75)
  )
  vapply(specs, value, numeric(1), halves = halves, seed = seed)
}
values <- vapply(1:20, one_seed, numeric(6))

line <- function(label, a, b) {
  difference <- values[a, ] - values[b, ]
  error <- sd(difference) / sqrt(length(difference))
  p <- if (all(difference == 0)) 1 else t.test(difference)$p.value
  sprintf("| %s | %.4f | %.4f | %+.5f | %.5f | %.2f | %.5f |", label, mean(values[a, ]),
          mean(values[b, ]), mean(difference), error, p,
          max(abs(difference)))
}
lines <- c(
  "# Single precision against double", "",
  "Written by `Rscript bench/precision.R`: held-out NDCG@10 over 20 simulated data sets of",
  "12,000 training documents; the mean difference, its standard error, the p-value of a",
  "paired t test, and the largest difference. The last lines show the noise of another choice.",
  sprintf("rankmix %s, %s.", packageVersion("rankmix"), R.version.string), "",
  "| models | first | second | difference | s.e. | p | largest |", "|---|---|---|---|---|---|---|",
  line("adaboost_mh(tree(8)), single and double", "ada_single", "ada_double"),
  line("gbrt(), single and double", "gbrt_single", "gbrt_double"),
  line("adaboost_mh(tree(8)), feature_share 0.75 and 1", "ada_share", "ada_double"),
  line("gbrt(), feature_share 0.75 and 1", "gbrt_share", "gbrt_double")
)
writeLines(lines, "bench/precision.md")
cat(lines, sep = "\n")
