# Time of a round of each base learner, on one thread and two, and of a bandit's. Writes
# bench/learners.md.
#
#   Rscript bench/learners.R
#
# 240,000 documents x 136 features, 5 grades, 255 bins, and tree(8) also on 1.2 million.
# A round is timed as the difference of two fits, on one thread and two in turn.

library(rankmix)
source("bench/simulate.R")

data <- simulate_web()
ranking <- ranking_data(data$x, data$grade, data$query)

seconds <- function(run) {
  gc(FALSE)
  system.time(run)[["elapsed"]]
}
# Milliseconds a round, median of some repeats.
per_round <- function(base, threads, data = ranking, short = 3, long = 63, repeats = 3L, ...) {
  time <- function(rounds) {
    seconds(fit(adaboost_mh(base, rounds = rounds, ...), data, seed = 1, threads = threads,
                verbose = FALSE))
  }
  time(short)  # warms up
  1000 * median(replicate(repeats, time(long) - time(short))) / (long - short)
}

learners <- list(stump(), tree(8), tree(64), hamming_tree(8), product(3),
                 tree(8, votes = "confidence"))
names <- vapply(learners, format, character(1))
# One thread and two in turn: the machine is not the same from minute to minute. Rounds
# enough that binning, which both fits repeat, adds little to the spread.
pairs <- lapply(learners, function(base) {
  replicate(9L, c(one = per_round(base, 1L, repeats = 1L),
                  two = per_round(base, 2L, repeats = 1L)))
})
times <- vapply(pairs, function(pair) apply(pair, 1L, median), numeric(2))
gain <- vapply(pairs, function(pair) median(pair["one", ] / pair["two", ]), numeric(1))
over_tree <- times["two", ] / times["two", names == "tree(8)"]

# A bandit against full search, with as many features again that tell nothing.
set.seed(2)
wide <- ranking_data(cbind(data$x, data$x[sample(nrow(data$x)), ]), data$grade, data$query)
bandit_times <- lapply(1:2, function(threads) {
  replicate(5L, c(full = per_round(stump(), threads, wide, short = 3, long = 53, repeats = 1L),
                  one = per_round(stump(), threads, wide, short = 20, long = 1520, repeats = 1L,
                                  search = bandit())))
})
rm(ranking, data, wide)

large <- simulate_web(1200000)
large <- ranking_data(large$x, large$grade, large$query)
large_time <- per_round(tree(8), 2L, large)
scaling <- large_time / 5 / times["two", names == "tree(8)"]

lines <- c(
  "# Time of the base learners", "",
  "Written by `Rscript bench/learners.R`: 240,000 documents x 136 features, 5 grades, 255",
  sprintf("bins; milliseconds a round, medians of 9 pairs. rankmix %s, %s.",
          packageVersion("rankmix"), R.version.string), "",
  "| base learner | 1 thread | 2 threads | 1 over 2 | over tree(8) |", "|---|---|---|---|---|",
  sprintf("| %s | %.1f | %.1f | %.2f | %.2f |", names, times["one", ], times["two", ],
          gain, over_tree), "",
  vapply(1:2, function(threads) {
    found <- bandit_times[[threads]]
    ratio <- found["full", ] / found["one", ]
    sprintf(paste("stump() on 272 features, %d thread%s: %.1f ms a round of full search, %.2f of a",
                  "bandit; pair by pair %.1f times (%.1f to %.1f)."), threads,
            if (threads > 1) "s" else "", median(found["full", ]), median(found["one", ]),
            median(ratio), min(ratio), max(ratio))
  }, character(1)), "",
  sprintf("tree(8) on 1.2 million documents: %.1f ms a round, %.2f times as much a document.",
          large_time, scaling)
)
writeLines(lines, "bench/learners.md")
cat(lines, sep = "\n")
