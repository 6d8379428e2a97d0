# Time of a round of each base learner and of a bandit, on one thread and on two. Writes
# bench/learners.md.
#
#   Rscript bench/learners.R
#
# 240,000 documents x 136 features, 5 grades, 255 bins, and base_tree(8) also on 1.2 million.
# The same few early rounds are timed repeatedly, each time with a new model. Compared runs alternate within a
# second or two, because the speed of a machine changes from minute to minute. Other work on the machine only
# adds time. It adds more to two threads, because each thread waits for the slower one. So the target for two
# threads, a gain of 1.8, is compared with the shortest times of many turns; medians are shown beside them. In
# some turns two processes of one thread run at once. Their gain over one process shows the most that the
# machine allows.

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")

binned <- function(data, spec = adaboost_mh()) {
  ranking <- ranking_data(data$x, data$grade, data$query)
  list(bins = rankmix:::bins_of(spec, ranking, 2L), grades = as.integer(data$grade))
}
# Returns a function of rounds and threads: the seconds of these rounds after the first three.
timer <- function(spec, data) {
  weights <- numeric()  # all the same
  start <- function() {
    if (inherits(spec, "rankmix_adaboost_mh")) {
      rankmix:::adaboost_mh_start(data$bins, data$grades, weights, 5L, unclass(spec$base),
                                  unclass(spec), 1, 1L)
    } else {
      rankmix:::gbrt_start(data$bins, as.double(data$grades), weights, unclass(spec), 1, 1L)
    }
  }
  run <- if (inherits(spec, "rankmix_adaboost_mh")) {
    rankmix:::adaboost_mh_run
  } else {
    rankmix:::gbrt_run
  }
  function(rounds, threads) {
    fit <- start()
    run(fit, 3L, 1000000L, threads, NULL)
    begin <- proc.time()[["elapsed"]]
    run(fit, as.integer(rounds), 1000000L, threads, NULL)
    proc.time()[["elapsed"]] - begin
  }
}
# Seconds of each of two processes at once.
time_two <- function(timed, rounds) {
  begin <- Sys.time() + 0.05
  one <- function() {
    while (Sys.time() < begin) NULL
    timed(rounds, 1L)
  }
  jobs <- list(parallel::mcparallel(one()), parallel::mcparallel(one()))
  mean(unlist(parallel::mccollect(jobs)))
}
# Seconds of each function of the list `runs`, which take turns. Every other turn has the reverse order.
in_turn <- function(runs, turns) {
  vapply(seq_len(turns), function(turn) {
    order <- if (turn %% 2 == 1) seq_along(runs) else rev(seq_along(runs))
    times <- numeric(length(runs))
    times[order] <- vapply(runs[order], function(run) run(turn), numeric(1))
    setNames(times, names(runs))
  }, numeric(length(runs)))
}
least <- function(times) min(times, na.rm = TRUE)
spread <- function(ratio) sprintf("%.1f (%.1f to %.1f)", median(ratio), min(ratio), max(ratio))

data <- simulate_web()
small <- binned(data)
bases <- list(base_stump(), base_tree(8), base_tree(64), base_hamming_tree(8), base_product(3),
              base_tree(8, votes = "confidence"))
specs <- c(lapply(bases, adaboost_mh), list(gbrt(num_leaves = 8), gbrt(num_leaves = 64)))
labels <- c(vapply(bases, format, character(1)), "gbrt(num_leaves = 8)", "gbrt(num_leaves = 64)")
timers <- lapply(specs, timer, small)
gain_turns <- 80L
rounds <- vapply(timers, function(timed) {
  timed(5L, 2L)  # warms up
  max(3, round(0.3 / (timed(5L, 1L) / 5)))  # a third of a second
}, numeric(1))
# All learners run in each turn, so that a noisy minute affects all of them.
times <- in_turn(unlist(Map(function(timed, rounds) {
  list(one = function(turn) timed(rounds, 1L), two = function(turn) timed(rounds, 2L),
       both = function(turn) if (turn %% 5 == 0) time_two(timed, rounds) else NA)
}, timers, rounds)), gain_turns)
rows <- do.call(rbind, lapply(seq_along(specs), function(i) {
  of <- times[3 * (i - 1) + 1:3, ]
  row.names(of) <- c("one", "two", "both")
  data.frame(
    label = labels[i], one = 1000 * median(of["one", ]) / rounds[i],
    two = 1000 * median(of["two", ]) / rounds[i],
    gain = median(of["one", ] / of["two", ]), least = least(of["one", ]) / least(of["two", ]),
    machine = median(2 * of["one", ] / of["both", ], na.rm = TRUE)
  )
}))
print(rows, row.names = FALSE)

turns <- 30L
# Later rounds of a product need more terms and cycles.
tree_timed <- timer(adaboost_mh(base_tree(8)), small)
product_timed <- timer(adaboost_mh(base_product(3)), small)
product_times <- in_turn(list(product = function(turn) product_timed(100L, 2L),
                              tree = function(turn) tree_timed(100L, 2L)), 5L)
of_tree <- product_times["product", ] / product_times["tree", ]

# A bandit against full search, with as many features again without information.
set.seed(2)
wide <- list(x = cbind(data$x, data$x[sample(nrow(data$x)), ]), grade = data$grade,
             query = data$query)
searched <- function(spec) timer(spec, binned(wide, spec))
full <- searched(adaboost_mh(base_stump()))
pulled <- searched(adaboost_mh(base_stump(), search = search_bandit()))
search_times <- lapply(1:2, function(threads) {
  in_turn(list(full = function(turn) full(10L, threads) / 10,
               bandit = function(turn) pulled(300L, threads) / 300), turns)
})
searches <- lapply(search_times, function(times) times["full", ] / times["bandit", ])
rm(data, wide)

# The runs alternate, as above. The numbers of documents differ by a factor of 5.
large_tree <- timer(adaboost_mh(base_tree(8)), binned(simulate_web(1200000)))
scaling_times <- in_turn(list(large = function(turn) large_tree(3L, 2L) / 3,
                              small = function(turn) tree_timed(15L, 2L) / 15), turns)
scaling <- scaling_times["large", ] / scaling_times["small", ] / 5

lines <- c(
  "# Time of the base learners", "",
  "Written by `Rscript bench/learners.R`: 240,000 documents x 136 features, 5 grades, 255",
  sprintf("bins; milliseconds a round from the fourth on, medians of %d turns. rankmix %s,", gain_turns,
          packageVersion("rankmix")), paste0(R.version.string, "."), "",
  "\"1 over 2, least\" compares the shortest times, which other work on the machine disturbed least. \"1 over 2, median\" compares",
  "turn by turn. \"Two processes\" is the work of two processes of one thread, relative to one process, in a fifth of the turns. Its",
  "median is the speed-up that the machine allows.", "",
  "| learner | 1 thread | 2 threads | 1 over 2, least | 1 over 2, median | two processes |",
  "|---|---|---|---|---|---|",
  sprintf("| %s | %.1f | %.1f | %.2f | %.2f | %.2f |", rows$label, rows$one, rows$two,
          rows$least, rows$gain, rows$machine), "",
  sprintf(paste("100 rounds of base_product(3), 2 threads: %.1f ms a round, %.2f times as long as",
                "base_tree(8); the ratios of single turns are %.2f to %.2f."), 10 * median(product_times["product", ]),
          median(of_tree), min(of_tree), max(of_tree)), "",
  vapply(1:2, function(threads) {
    sprintf(paste("base_stump() on 272 features, %d thread%s: %.1f ms a round by full search, %.2f ms",
                  "by a bandit; the median ratio, with the range over turns, is %s."), threads, if (threads > 1) "s" else "",
            1000 * median(search_times[[threads]]["full", ]),
            1000 * median(search_times[[threads]]["bandit", ]), spread(searches[[threads]]))
  }, character(1)), "",
  sprintf(paste("base_tree(8) on 1.2 million documents, 2 threads: %.1f ms a round, %.2f times as long",
                "for a document as on 240,000; the ratios of single turns are %.2f to %.2f."),
          1000 * median(scaling_times["large", ]), median(scaling), min(scaling), max(scaling))
)
writeLines(lines, "bench/learners.md")
cat(lines, sep = "\n")
hold_targets(c(
  setNames(rows$least >= 1.8, paste(rows$label, "1.8 times as fast on two threads")),
  "base_product(3) at most 3 times base_tree(8)" = median(of_tree) <= 3,
  setNames(vapply(searches, median, 0) >= 20,
           paste("a bandit 20 times as fast as full search, threads:", 1:2)),
  "1.2 million documents at most 1.25 times a document" = median(scaling) <= 1.25
))
