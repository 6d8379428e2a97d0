# How close is training to the limit of one histogram update a clock cycle? Writes bench/store-bound.md.
#
#   Rscript bench/store-bound.R             # 1.2 million documents
#   Rscript bench/store-bound.R 240000      # other numbers of documents
#
# Problem: most work of a tree is to add each document of a leaf to the histograms of all features. A processor can
#   store one number a cycle, so an update of a histogram takes at least a cycle.
# Bound: a tree updates the smaller side of each split, and its root unless the sums of the root are kept from tree to
#   tree. updates = (root + sum over splits of the smaller side) * features. The bound is the time of these updates by
#   all threads. It has no time for gradients, for the choice of splits and for the lists of rows of leaves.
# Input: data of the shape of MSLR-WEB (bench/simulate-mslr.R). Times are differences of a long and a short fit.
# A ratio below 1 is possible, because rows in which all features of a block have their most frequent bins are not added
# to the histograms of this block.

library(rankmix)
source("bench/common.R")
source("bench/simulate-mslr.R")

threads <- 2L
cycle <- 0.28e-9  # seconds, at 3.6 GHz
rounds <- c(short = 4L, long = 24L)
turns <- 5L
arguments <- commandArgs(TRUE)
sizes <- if (length(arguments) > 0L) as.integer(arguments) else 1200000L

rankers <- list(
  gbrt = function(n) gbrt(n, num_leaves = 64),
  lambdamart = function(n) lambdamart(trees = n, num_leaves = 64),
  adaboost_mh = function(n) adaboost_mh(base_tree(64), rounds = n),
  oblivious = function(n) gbrt(n, max_depth = 6, growth = "oblivious")
)
labels <- c(gbrt = "`gbrt(num_leaves = 64)`", lambdamart = "`lambdamart(num_leaves = 64)`",
            adaboost_mh = "`adaboost_mh(base_tree(64))`",
            oblivious = "`gbrt(growth = \"oblivious\", max_depth = 6)`")
keeps_root <- c(gbrt = TRUE, lambdamart = FALSE, adaboost_mh = FALSE, oblivious = TRUE)

# Documents that are added to histograms, for each tree after the first `from`.
documents_added <- function(model, root, from) {
  forest <- model$forest
  mean(vapply(seq.int(from + 1L, length(forest$node_begin) - 1L), function(tree) {
    nodes <- seq.int(forest$node_begin[tree] + 1L, forest$node_begin[tree + 1L])
    counts <- forest$node_documents[nodes]
    leaves <- forest$leaf_documents[-seq_len(forest$leaf_begin[tree])]
    if (forest$leaf_begin[tree] == 0L) leaves <- forest$leaf_documents
    # A child below 0 is a leaf, numbered from -1.
    side <- function(child) ifelse(child < 0L, leaves[pmax(1L, -child)], counts[pmax(child, 0L) + 1L])
    smaller <- pmin(side(forest$left[nodes]), side(forest$right[nodes]))
    sum(smaller) + if (root) counts[1L] else 0
  }, 0))
}

measure <- function(documents) {
  made <- simulate_mslr(documents)
  data <- ranking_data(made$x, made$grade, made$query)
  features <- ncol(data)
  rm(made)
  fit_of <- function(name, n) fit(rankers[[name]](n), data, seed = 1, threads = threads, verbose = FALSE)
  models <- lapply(stats::setNames(nm = names(rankers)), fit_of, rounds[["long"]])
  # The rankers take turns, because the speed of a machine changes from minute to minute.
  seconds <- replicate(turns, vapply(names(rankers), function(name) {
    per_round(function(n) fit_of(name, n), rounds[["long"]], rounds[["short"]]) / 1000
  }, 0))
  do.call(rbind, lapply(names(rankers), function(name) {
    updates <- features * documents_added(models[[name]], !keeps_root[[name]], rounds[["short"]])
    bound <- updates * cycle / threads
    data.frame(documents = documents, ranker = labels[[name]], updates = updates, bound = bound,
               seconds = stats::median(seconds[name, ]), ratio = stats::median(seconds[name, ]) / bound,
               low = min(seconds[name, ]) / bound, high = max(seconds[name, ]) / bound)
  }))
}

found <- do.call(rbind, lapply(sizes, measure))
writeLines(c(
  "# Training beside the bound of one update a cycle", "",
  "Written by `Rscript bench/store-bound.R`, whose first lines define the bound: data of the shape of MSLR-WEB with 136",
  sprintf("features, %d threads, %.2f ns a cycle. Times of a tree are medians of %d runs.", threads, 1e9 * cycle, turns), "",
  markdown_table(
    c("documents", "ranker", "million updates a tree", "bound, ms", "time of a tree, ms", "time / bound (range of runs)"),
    sprintf("| %s | %s | %.0f | %.0f | %.0f | %.2f (%.2f to %.2f) |", format(found$documents, big.mark = ","),
            found$ranker, found$updates / 1e6, 1000 * found$bound, 1000 * found$seconds, found$ratio, found$low,
            found$high)
  )
), "bench/store-bound.md")
