# Whether single precision costs accuracy. Writes bench/precision.md.
#
#   Rscript bench/precision.R
#
# 20 simulated data sets of 24,000 documents x 136 features, half of the queries for validation. Compared is
# the validation NDCG@10 of models that store weights or residuals in single or in double precision; the
# search for splits uses the same precision. Differences are taken seed by seed. To show the size of noise,
# the double model is also compared with a double model that uses three quarters of the features per round.
# Fails if the mean difference of a learner is significant (paired t tests, Holm over learners), or if
# differences scatter twice as much as this noise.

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")

value <- function(spec, halves, seed) {
  model <- fit(spec, halves$train, seed = seed, verbose = FALSE)
  summary(evaluate(model, halves$test, metric_ndcg(10)))$mean
}
one_seed <- function(seed) {
  data <- simulate_web(24000, seed = seed)
  train <- data$query <= stats::median(data$query)
  half <- function(rows) ranking_data(data$x[rows, ], data$grade[rows], data$query[rows])
  halves <- list(train = half(train), test = half(!train))
  unlist(lapply(learners, function(learner) {
    c(single = value(learner(), halves, seed),
      double = value(learner(precision = "double"), halves, seed),
      fraction = value(learner(precision = "double", feature_fraction = 0.75), halves, seed))
  }))
}
learners <- list(
  "adaboost_mh(base_tree(8))" = function(...) adaboost_mh(base_tree(8), rounds = 300, ...),
  "adaboost_mh(base_tree(64))" = function(...) adaboost_mh(base_tree(64), rounds = 100, ...),
  "adaboost_mh(base_product(3))" = function(...) adaboost_mh(base_product(3), rounds = 300, ...),
  "gbrt()" = function(...) gbrt(trees = 200, ...),
  "lambdamart()" = function(...) lambdamart(trees = 200, ...)
)
values <- vapply(1:20, one_seed, numeric(3 * length(learners)))

# The differences of two variants of a learner, with a paired t test.
compare <- function(learner, kind) {
  of <- function(kind) values[paste0(learner, ".", kind), ]
  difference <- of(kind) - of("double")
  # The trees of both precisions may be equal.
  test <- if (all(difference == 0)) list(conf.int = c(0, 0), p.value = 1) else t.test(difference)
  list(first = mean(of(kind)), second = mean(of("double")), difference = mean(difference),
       interval = test$conf.int, p = test$p.value, spread = sd(difference))
}
line <- function(label, found) {
  sprintf("| %s | %.4f | %.4f | %+.4f | %+.4f to %+.4f | %.2f | %.4f |", label, found$first,
          found$second, found$difference, found$interval[1L], found$interval[2L], found$p,
          found$spread)
}
single <- lapply(names(learners), compare, kind = "single")
fraction <- lapply(names(learners), compare, kind = "fraction")
holm <- p.adjust(vapply(single, `[[`, 0, "p"), "holm")

lines <- c(
  "# Single precision against double", "",
  "Written by `Rscript bench/precision.R`: test NDCG@10 over 20 simulated data sets of 12,000 training documents. The columns are",
  "the mean difference, its 95 % interval, the p-value of a paired t test, and the standard deviation of the differences. For",
  "comparison, the last lines show the effect of another setting.",
  sprintf("The smallest p-value of single against double precision is %.2f after Holm's adjustment. rankmix %s, %s.",
          min(holm), packageVersion("rankmix"), R.version.string), "",
  "| models | first | second | difference | interval | p | s.d. |", "|---|---|---|---|---|---|---|",
  Map(line, paste0(names(learners), ", single and double"), single),
  Map(line, paste0(names(learners), ", feature_fraction 0.75 and 1"), fraction)
)
lines <- unlist(lines, use.names = FALSE)
writeLines(lines, "bench/precision.md")
cat(lines, sep = "\n")
hold_targets(c(
  setNames(holm > 0.05, paste(names(learners), "has no other mean")),
  setNames(vapply(single, `[[`, 0, "spread") <= 2 * vapply(fraction, `[[`, 0, "spread"),
           paste(names(learners), "differs no more than by other features"))
))
