# The time of smoothrank(). Writes bench/smoothrank-speed.md.
#
#   Rscript bench/smoothrank-speed.R
#
# 1. OHSUMED: one penalty on the first fold; all ten penalties on five folds, chosen by their
#    validation parts. Needs RANKMIX_DATA.
# 2. 240,000 documents x 136 features, 5 grades (bench/simulate.R), one penalty.
# 3. A value and its gradient for 1.2 million documents.

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")

seconds_of <- function(code) {
  gc(FALSE)
  system.time(code)[["elapsed"]]
}
line_of <- function(name, seconds, models = NULL) {
  stages <- do.call(rbind, lapply(models, `[[`, "stages"))
  count <- function(column) {
    if (is.null(models)) "" else format(sum(stages[[column]]), big.mark = ",")
  }
  sprintf("| %s | %.2f | %s | %s |", name, seconds, count("steps"), count("evaluations"))
}

folds <- lapply(1:5, function(i) {
  lapply(c(train = "train", valid = "vali"), function(part) {
    read_letor(file.path(data_folder("OHSUMED", paste0("Fold", i)), paste0(part, ".txt")))
  })
})
one <- NULL
seconds_one <- seconds_of({
  one <- fit(smoothrank(penalty = 1e-3), folds[[1L]]$train, folds[[1L]]$valid, metric_ndcg(50),
             threads = 2L, verbose = FALSE)
})
grid <- NULL
seconds_grid <- seconds_of({
  grid <- lapply(folds, function(fold) {
    fit(smoothrank(), fold$train, fold$valid, metric_ndcg(50), threads = 2L, verbose = FALSE)
  })
})

web <- simulate_web(240000)
web <- ranking_data(web$x, web$grade, web$query)
start <- fit(linear_ranker(penalty = 0.1), web, threads = 2L)
large <- NULL
spec <- smoothrank(start = start, penalty = 1, scale = "standard", adaptive = TRUE)
seconds_large <- seconds_of(large <- fit(spec, web, threads = 2L, verbose = FALSE))
print(large)

most <- rep(seq_len(1e4), each = 120)
set.seed(1)
documents <- ranking_data(cbind(seq_along(most)), rbinom(length(most), 4, 0.15), most)
scores <- rnorm(length(most))
seconds_value <- vapply(c(1, 0.01), function(sigma) {
  seconds_of(rankmix:::objective_value(loss_smooth(metric_ndcg(50), sigma), scores, documents))
}, 0)

lines <- c(
  "# The time of SmoothRank", "",
  "Written by `Rscript bench/smoothrank-speed.R`: NDCG@50, thirteen values of sigma, two threads. `steps` and `evaluations`",
  "are steps of conjugate gradients and evaluations of the metric, over all stages and penalties.",
  sprintf("rankmix %s, %s.", packageVersion("rankmix"), R.version.string), "",
  "| | seconds | steps | evaluations |", "|---|---|---|---|",
  line_of("OHSUMED, Fold1, one penalty", seconds_one, list(one)),
  line_of("OHSUMED, five folds, ten penalties", seconds_grid,
          unlist(lapply(grid, `[[`, "path"), recursive = FALSE)),
  line_of("240,000 x 136, one penalty", seconds_large, list(large)),
  line_of("value and gradient of 1.2 million documents, sigma 1, one thread", seconds_value[1L]),
  line_of("the same, sigma 0.01", seconds_value[2L])
)
writeLines(lines, "bench/smoothrank-speed.md")
cat(lines, sep = "\n")
hold_targets(c("one penalty in 1 s" = seconds_one < 1, "the grid in 30 s" = seconds_grid < 30,
               "240,000 documents in 60 s" = seconds_large < 60,
               "1.2 million documents in 1 s" = all(seconds_value < 1)))
