# Oblivious trees beside trees that grow leaf by leaf. Writes bench/oblivious.md.
#
#   Rscript bench/oblivious.R
#
# 240,000 documents x 136 features, 5 grades (bench/simulate.R), least squares.
# 1. Milliseconds a tree: gbrt(growth = "oblivious") of depth 6 with 32 and 255 bins, gbrt() with
#    64 leaves, and lightgbm's lambdarank with 64 leaves, where it is installed: seconds of the
#    processor on one thread, and elapsed on two. The time of a tree is the difference of a long
#    and a short fit, so that reading and binning do not count.
# 2. Nanoseconds a document and tree of predictions on one thread, likewise.
# Fails where a tree of depth 6 and 32 bins is not twice as fast as lightgbm's.

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")

repeats <- 5L
web <- simulate_web()
web <- ranking_data(web$x, web$grade, web$query)

# Of the processor, and elapsed.
seconds_of <- function(code) {
  gc(FALSE)
  time <- system.time(force(code))
  c(time[["user.self"]] + time[["sys.self"]], time[["elapsed"]])
}
# The median of a unit's time, which long - short units more take.
per_unit <- function(run, short, long, which) {
  stats::median(replicate(repeats, {
    (seconds_of(run(long)) - seconds_of(run(short)))[which] / (long - short)
  }))
}

per_tree <- function(run) {
  run(2L, 1L)  # warms up
  1000 * vapply(1:2, function(i) per_unit(function(trees) run(trees, i), 2L, 42L, i), 0)
}
ours <- function(spec) {
  per_tree(function(trees, threads) {
    fit(update(spec, trees = trees), web, seed = 1, threads = threads, verbose = FALSE)
  })
}
peer <- requireNamespace("lightgbm", quietly = TRUE)
lambdarank <- function() {
  data <- lightgbm_dataset(web)
  data$construct()
  per_tree(function(trees, threads) {
    params <- list(objective = "lambdarank", num_leaves = 64L, learning_rate = 0.1,
                   max_bin = 255L, num_threads = threads, force_row_wise = TRUE, verbose = -1L)
    lightgbm::lgb.train(params, data, nrounds = trees, verbose = -1L)
  })
}

specs <- list(gbrt(max_bin = 32, growth = "oblivious"), gbrt(growth = "oblivious"),
              gbrt(num_leaves = 64, max_bin = 32), gbrt(num_leaves = 64))
names(specs) <- vapply(specs, function(spec) sub("trees = 500, ", "", format(spec)), "")
trees <- lapply(specs, ours)
if (peer) trees$`lightgbm lambdarank, 64 leaves` <- lambdarank()

per_document <- vapply(specs[c(1L, 3L)], function(spec) {
  model <- fit(update(spec, trees = 300), web, seed = 1, verbose = FALSE)
  run <- function(rounds) predict(model, web, rounds = rounds, threads = 1L)
  1e9 * per_unit(run, 100L, 300L, 1L) / nrow(web)
}, 0)

lines <- c(
  "# Oblivious trees", "",
  "Written by `Rscript bench/oblivious.R`: 240,000 documents x 136 features, 5 grades; medians of",
  sprintf("%d runs. rankmix %s, %s, %s.", repeats, packageVersion("rankmix"),
          if (peer) paste("lightgbm", packageVersion("lightgbm")) else "lightgbm not installed",
          R.version.string),
  "", "| a tree, milliseconds | one thread, of the processor | two threads, elapsed |",
  "|---|---|---|",
  vapply(names(trees), function(name) {
    sprintf("| %s | %.1f | %.1f |", name, trees[[name]][1L], trees[[name]][2L])
  }, ""),
  "", "| a document and tree, one thread | nanoseconds |", "|---|---|",
  sprintf("| %s | %.2f |", names(per_document), per_document)
)
writeLines(lines, "bench/oblivious.md")
cat(lines, sep = "\n")
if (peer) {
  hold_targets(c("twice as fast as lightgbm's lambdarank" =
                   2 * trees[[1L]][1L] <= trees[[length(trees)]][1L]))
}
