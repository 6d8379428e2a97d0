# Time of a round of each base learner, on one thread and two, and of a bandit's. Writes
# bench/learners.md.
#
#   Rscript bench/learners.R
#
# 240,000 documents x 136 features, 5 grades, 255 bins, and tree(8) also on 1.2 million.
# A round is timed as the difference of a long and a short fit, on one thread and two in
# turn. Two threads over one are told in two ways: by the median of the turns, and by the
# least times of all long and all short fits. What else the machine does only adds time,
# and more to two threads, as each waits for the slower.

library(rankmix)
source("bench/simulate.R")

data <- simulate_web()
ranking <- ranking_data(data$x, data$grade, data$query)

# Seconds to fit `rounds` rounds of a specification.
time_fit <- function(spec, rounds, threads, data = ranking) {
  spec$rounds <- rounds
  gc(FALSE)
  system.time(fit(spec, data, seed = 1, threads = threads, verbose = FALSE))[["elapsed"]]
}
# Milliseconds a round, median of some repeats.
per_round <- function(spec, threads, data, from, to, repeats) {
  time_fit(spec, from, threads, data)  # warms up
  differences <- replicate(repeats, time_fit(spec, to, threads, data) -
                             time_fit(spec, from, threads, data))
  1000 * median(differences) / (to - from)
}

bases <- list(stump(), tree(8), tree(64), hamming_tree(8), product(3),
              tree(8, votes = "confidence"))
specs <- c(lapply(bases, adaboost_mh), list(gbrt(leaves = 8), gbrt(leaves = 64)))
labels <- c(vapply(bases, format, character(1)), "gbrt(leaves = 8)", "gbrt(leaves = 64)")
# One thread and two in turn, either first: the machine is not the same from minute to
# minute. Rounds enough that binning, which all fits repeat, adds little to the spread.
turns <- 7L
few <- 3L
many <- 63L
fit_times <- lapply(specs, function(spec) {
  time_fit(spec, few, 2L)  # warms up
  vapply(seq_len(turns), function(turn) {
    times <- numeric()
    for (threads in if (turn %% 2 == 1) 1:2 else 2:1) {
      times[paste0("few", threads)] <- time_fit(spec, few, threads)
      times[paste0("many", threads)] <- time_fit(spec, many, threads)
    }
    times[c("few1", "many1", "few2", "many2")]
  }, numeric(4))
})
# Milliseconds a round on one thread and on two, from the seconds of the four fits.
round_times <- function(times) {
  1000 * c(one = times[["many1"]] - times[["few1"]],
           two = times[["many2"]] - times[["few2"]]) / (many - few)
}
pairs <- lapply(fit_times, function(times) apply(times, 2L, round_times))
median_times <- vapply(pairs, function(pair) apply(pair, 1L, median), numeric(2))
gain <- vapply(pairs, function(pair) median(pair["one", ] / pair["two", ]), numeric(1))
least_times <- vapply(fit_times, function(times) round_times(apply(times, 1L, min)),
                      numeric(2))
of_tree <- median_times["two", labels == "tree(8)"]

# A bandit against full search, with as many features again that tell nothing.
set.seed(2)
wide <- ranking_data(cbind(data$x, data$x[sample(nrow(data$x)), ]), data$grade, data$query)
search_times <- lapply(1:2, function(threads) {
  replicate(5L, c(
    full = per_round(adaboost_mh(stump()), threads, wide, from = 3, to = 53, repeats = 1L),
    bandit = per_round(adaboost_mh(stump(), search = bandit()), threads, wide, from = 20,
                       to = 1520, repeats = 1L)
  ))
})
rm(data, wide)

large <- simulate_web(1200000)
large <- ranking_data(large$x, large$grade, large$query)
# In turn, as above: documents differ in number by a factor of 5.
scaling_times <- replicate(3L, c(
  large = per_round(adaboost_mh(tree(8)), 2L, large, from = 3, to = 33, repeats = 1L),
  small = per_round(adaboost_mh(tree(8)), 2L, ranking, from = 3, to = 63, repeats = 1L)
))
scaling <- scaling_times["large", ] / scaling_times["small", ] / 5

lines <- c(
  "# Time of the base learners", "",
  "Written by `Rscript bench/learners.R`: 240,000 documents x 136 features, 5 grades, 255",
  sprintf("bins; milliseconds a round. rankmix %s, %s.", packageVersion("rankmix"),
          R.version.string), "",
  sprintf("Medians are of %d turns, \"over tree(8)\" on two threads by medians. \"Least\" is by the least", turns),
  sprintf("times of %d long and %d short fits, which other work on the machine disturbed least.", turns, turns), "",
  paste("| base learner | 1 thread | 2 threads | 1 over 2 | least, 1 thread | least, 2 threads |",
        "least, 1 over 2 | over tree(8) |"),
  "|---|---|---|---|---|---|---|---|",
  sprintf("| %s | %.1f | %.1f | %.2f | %.1f | %.1f | %.2f | %.2f |", labels, median_times["one", ],
          median_times["two", ], gain, least_times["one", ], least_times["two", ],
          least_times["one", ] / least_times["two", ], median_times["two", ] / of_tree), "",
  vapply(1:2, function(threads) {
    found <- search_times[[threads]]
    ratio <- found["full", ] / found["bandit", ]
    sprintf(paste("stump() on 272 features, %d thread%s: %.1f ms a round of full search, %.2f of a",
                  "bandit; pair by pair %.1f times (%.1f to %.1f)."), threads,
            if (threads > 1) "s" else "", median(found["full", ]), median(found["bandit", ]),
            median(ratio), min(ratio), max(ratio))
  }, character(1)), "",
  sprintf(paste("tree(8) on 1.2 million documents, 2 threads: %.1f ms a round, %.2f times as much a",
                "document as on 240,000; pair by pair (%.2f to %.2f)."),
          median(scaling_times["large", ]), median(scaling), min(scaling), max(scaling))
)
writeLines(lines, "bench/learners.md")
cat(lines, sep = "\n")
