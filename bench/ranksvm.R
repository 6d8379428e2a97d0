# The time of a path of ranksvm(), eleven costs. Writes bench/ranksvm.md.
#
#   Rscript bench/ranksvm.R
#
# 1. MQ2008 (Fold1), training and choice by the validation part: both losses. Needs RANKMIX_DATA.
# 2. 240,000 documents x 136 features, 5 grades (bench/simulate.R), on one thread and two.

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")

path_of <- function(spec, train, valid, threads) {
  gc(FALSE)
  path <- NULL
  seconds <- system.time({
    path <- fit(spec, train, valid, threads = threads, verbose = FALSE)
  })[["elapsed"]]
  print(path)
  table <- glance(path)
  list(seconds = seconds, gap = max(table$gap), steps = sum(table$steps),
       products = sum(table$products), pairs = table$pairs[1L],
       converged = all(table$status == "converged"))
}
line_of <- function(name, path) {
  sprintf("| %s | %s | %.2f | %.1e | %d | %d |", name, format(path$pairs, big.mark = ","),
          path$seconds, path$gap, path$steps, path$products)
}

fold <- lapply(c(train = "train", valid = "vali"), function(part) {
  read_letor(file.path(data_folder("MQ2008", "Fold1"), paste0(part, ".txt")))
})
small <- path_of(ranksvm(), fold$train, fold$valid, 2L)
small_hinge <- path_of(ranksvm(loss = "hinge"), fold$train, fold$valid, 2L)

web <- simulate_web(240000)
web <- ranking_data(web$x, web$grade, web$query)
held_out <- simulate_web(12000, seed = 2)
held_out <- ranking_data(held_out$x, held_out$grade, held_out$query + 1e6)
two <- path_of(ranksvm(), web, held_out, 2L)
one <- path_of(ranksvm(), web, held_out, 1L)
hinge <- path_of(ranksvm(loss = "hinge"), web, held_out, 2L)

lines <- c(
  "# The time of RankSVM", "",
  "Written by `Rscript bench/ranksvm.R`: paths of the costs 1e-6, ..., 1e4, with the choice on",
  "validation data. `gap` is the largest relative gap over the costs.",
  sprintf("rankmix %s, %s.", packageVersion("rankmix"), R.version.string), "",
  "| | pairs | seconds | gap | Newton steps | products |", "|---|---|---|---|---|---|",
  line_of("MQ2008, Fold1, two threads", small),
  line_of("the same, hinge", small_hinge),
  line_of("240,000 x 136, two threads", two),
  line_of("the same, one thread", one),
  line_of("240,000 x 136, hinge, two threads", hinge)
)
writeLines(lines, "bench/ranksvm.md")
cat(lines, sep = "\n")
hold_targets(c("MQ2008 in 5 s" = small$seconds < 5, "240,000 documents in 3 minutes" =
                 two$seconds < 180, "all converged" = small$converged && two$converged))
