# Factors in boosted trees: 0/1 columns, splits by subsets, and target encoding. Writes bench/categories.md.
#
#   Rscript bench/categories.R
#
# Simulated documents with eight numbers and one factor, whose levels have normal effects. Frequencies of
# levels fall like 1 / rank. The grade depends on the numbers, on the effect of the level, and on its
# interaction with a number. Test NDCG@10 of lambdamart() on 300 queries of 25 documents. The training data
# have the same size. Fails if subsets are worse than columns at 100 levels or more.

library(rankmix)
source("bench/common.R")

seeds <- 1:8
levels <- c(30L, 100L, 200L)
trees <- 150L

simulate_factor <- function(levels, seed, queries = 600L, size = 25L) {
  set.seed(seed)
  rows <- queries * size
  x <- matrix(rnorm(rows * 8L), rows, dimnames = list(NULL, paste0("x", 1:8)))
  frequency <- sample(1 / seq_len(levels))
  site <- sample(levels, rows, TRUE, frequency)
  effect <- rnorm(levels)[site]
  utility <- x[, 1L] + sin(2 * x[, 2L]) + 0.5 * x[, 3L] * x[, 4L] + effect * (0.6 + (x[, 5L] > 0)) +
    rnorm(rows)
  cuts <- stats::quantile(utility, c(0.6, 0.8, 0.9, 0.97))
  data.frame(query = rep(seq_len(queries), each = size), grade = findInterval(utility, cuts),
             x, site = factor(sprintf("s%03d", site), sprintf("s%03d", seq_len(levels))))
}

one_case <- function(levels, seed) {
  frame <- simulate_factor(levels, seed)
  part <- function(rows) ranking_data(frame[rows, ], relevance = grade, query = query)
  half <- frame$query <= 300L
  train <- part(half)
  test <- part(!half)
  encoding <- target_encoding(train, seed = seed)
  spec <- lambdamart(metric_ndcg(10), trees = trees, num_leaves = 15)
  run <- function(spec, train, test) {
    seconds <- seconds_of(model <- fit(spec, train, seed = seed, threads = 1, verbose = FALSE), "user.self")
    c(ndcg = summary(evaluate(model, test, metric_ndcg(10), threads = 1))$mean, seconds = seconds)
  }
  subsets <- update(spec, categories = "subsets")
  cbind(columns = run(spec, train, test),
        "target encoding" = run(spec, encoding$data, predict(encoding, test)),
        subsets = run(subsets, train, test),
        "subsets, min_data_per_group = 20" = run(update(subsets, min_data_per_group = 20), train, test))
}

cases <- lapply(levels, function(count) {
  simplify2array(lapply(seeds, function(seed) one_case(count, seed)))
})
names(cases) <- levels

line <- function(count, method) {
  values <- cases[[count]]
  ndcg <- values["ndcg", method, ]
  difference <- ndcg - values["ndcg", "columns", ]
  interval <- if (method == "columns") "" else {
    found <- stats::t.test(difference)$conf.int
    sprintf("%+.4f (%+.4f to %+.4f)", mean(difference), found[1L], found[2L])
  }
  sprintf("| %s | %s | %.4f | %s | %.1f |", count, method, mean(ndcg), interval,
          mean(values["seconds", method, ]))
}
methods <- dimnames(cases[[1L]])[[2L]]
lines <- c(
  "# Factors in boosted trees", "",
  sprintf("Written by `Rscript bench/categories.R`: test NDCG@10 over %d simulated data sets of 7,500 training",
          length(seeds)),
  sprintf("documents and 7,500 test documents. The ranker is `lambdamart(metric_ndcg(10), trees = %d,", trees),
  "num_leaves = 15)`. Differences are to 0/1 columns, with 95 % intervals of paired t tests. Seconds are of the",
  "processor, on one thread.",
  sprintf("rankmix %s, %s.", packageVersion("rankmix"), R.version.string), "",
  "| levels | factor as | NDCG@10 | difference | seconds |", "|---|---|---|---|---|",
  unlist(lapply(names(cases), function(count) vapply(methods, line, "", count = count)))
)
writeLines(lines, "bench/categories.md")
cat(lines, sep = "\n")
hold_targets(vapply(cases[c("100", "200")], function(values) {
  mean(values["ndcg", "subsets", ]) >= mean(values["ndcg", "columns", ])
}, NA))
