# Time of explanations against lightgbm. Writes bench/explain.md.
#
#   Rscript bench/explain.R [documents]
#
# 1000 regression trees of 64 leaves, 136 features: contributions by covers of 10,000 documents, in five
# parts. rankmix and lightgbm take turns on the same part; the times are CPU seconds on one thread. Each
# explains its own model, trained on 30,000 documents. Fails where explain() is not twice as fast.
# Contributions by a background of 200 documents are timed without a peer.

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")
need_package("lightgbm")

trees <- 1000L
asked <- as.integer(commandArgs(TRUE))
documents <- if (length(asked) > 0L) asked[1L] else 10000L
data <- simulate_web(40000)
train <- seq_len(30000)
parts <- split(30000L + seq_len(documents), rep(1:5, length.out = documents))
model <- fit(gbrt(trees = trees, num_leaves = 64), ranking_of(data, train), seed = 1, verbose = FALSE)
peer <- lightgbm_regression(data, train, trees, 64L)

seconds <- function(run) seconds_of(run, "user.self")
background <- data$x[1:200, ]
times <- vapply(parts, function(rows) {
  x <- data$x[rows, ]
  c(cover = seconds(explain(model, x, threads = 1)),
    lightgbm = seconds(predict(peer, x, type = "contrib", params = list(num_threads = 1L))),
    background = seconds(explain(model, x, background = background, threads = 1)))
}, numeric(3))
sizes <- lengths(parts)
ratio <- times["lightgbm", ] / times["cover", ]
per_second <- function(name) format(signif(median(sizes / times[name, ]), 3), big.mark = ",")

lines <- c(
  "# Time of explanations", "",
  sprintf("Written by `Rscript bench/explain.R %d`: %d trees of 64 leaves, %s documents x 136 features",
          documents, trees, format(documents, big.mark = ",")),
  "in five parts. The table shows documents per CPU second on one thread, medians over parts. `ratio` is the time of",
  "lightgbm divided by the time of explain() by covers: median (range).",
  sprintf("rankmix %s, lightgbm %s, %s.", packageVersion("rankmix"),
          packageVersion("lightgbm"), R.version.string), "",
  "| explain(), covers | lightgbm, contrib | ratio | explain(), 200 documents as background |",
  "|---|---|---|---|",
  sprintf("| %s | %s | %.1f (%.1f to %.1f) | %s |", per_second("cover"), per_second("lightgbm"),
          median(ratio), min(ratio), max(ratio), per_second("background"))
)
writeLines(lines, "bench/explain.md")
cat(lines, sep = "\n")
hold_targets(c(twice = median(ratio) >= 2))
