# Time of training beside LightGBM and XGBoost, in one run on the same data. Writes bench/speed.md.
#
#   Rscript bench/speed.R
#
# 136 features, 5 grades, 255 bins, on one thread and on two; MSLR-shaped data and independent normal features.
# RANKMIX_SIZES names the sizes: "S M" are 240,000 and 1.2 million documents, L is 2.3 million.
# - One round of adaboost_mh(base_tree(m)) beside one round of the peers' multiclass objective with m leaves,
#   which grows a tree for each class, or one tree for all classes if this is faster in XGBoost.
# - One tree of gbrt(num_leaves = m) beside one of the peers' squared errors.
# The fastest setting of each peer is found first (bench/peers.R). Then rankmix, LightGBM and XGBoost take turns. The
# time of a round is the difference of a long and a short fit over the difference in rounds. So reading, binning and
# set-up do not count. Ratios are taken run by run. The targets on two threads: 8 times as fast as both peers for
# AdaBoost.MH, and 3 times for gbrt().

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")
source("bench/simulate-mslr.R")
source("bench/peers.R")
need_peers()

sizes <- bench_sizes("S M")

spec_of <- function(kind, leaves) {
  if (kind == "multiclass") adaboost_mh(base_tree(leaves)) else gbrt(num_leaves = leaves)
}
spec_text <- function(spec) sub("\\((trees|rounds) = [0-9]+, ", "(", sub(", (step|learning_rate).*", ")", format(spec)))

measure <- function(case, place, kind, leaves, threads) {
  rounds <- if (kind == "multiclass") 12L else if (nrow(case$ranking) > 500000) 24L else 52L
  spec <- spec_of(kind, leaves)
  ours <- our_rounds(spec, case$ranking, threads)
  common <- c(objective = kind, leaves = leaves, threads = threads)
  found <- peer_times(ours, case$peers, common, rounds)
  line <- table_row(place, spec_text(spec), threads, sprintf("%.1f", median(found$times["rankmix", ])),
                    peer_columns(found))
  cat(line, "\n")
  label <- toString(c(place, spec_text(spec)))
  list(line = line, held = if (threads == 2L) held_ratios(found, if (kind == "l2") 3 else 8, label))
}

cases <- expand.grid(threads = wanted_threads("2 1"), leaves = wanted_leaves("8 64"), kind = c("multiclass", "l2"),
                     stringsAsFactors = FALSE)
measure_case <- function(size, shape) {
  case <- start_case(bench_shapes()[[shape]], sizes[[size]])
  on.exit(end_case(case))
  Map(function(threads, leaves, kind) measure(case, c(size, shape), kind, leaves, threads),
      cases$threads, cases$leaves, cases$kind)
}
places <- expand.grid(shape = wanted_shapes(), size = names(sizes), stringsAsFactors = FALSE)
results <- unlist(Map(measure_case, places$size, places$shape), recursive = FALSE)

lines <- c(
  "# Time of training", "",
  "Written by `Rscript bench/speed.R`: AdaBoost.MH beside the multiclass objectives of LightGBM and XGBoost,",
  "and gbrt() beside their squared errors, with equal numbers of leaves. The peers run by their C APIs.",
  sprintf("%s; 136 features, 5 grades, 255 bins. The table shows milliseconds a round, medians of %d alternating runs.",
          size_text(sizes), bench_repeats),
  sprintf("The first %d rounds do not count, because rankmix sorts the rows once in them.", first_rounds),
  "Each peer has its fastest setting. Ratios are computed for each run; the table shows their median and range.",
  "\"MSLR\" is simulated data with the shape of MSLR-WEB, \"normal\" has independent normal features.",
  peer_versions(), "",
  markdown_table(c("size", "data", "rankmix", "threads", "rankmix, ms", peer_header),
                 vapply(results, `[[`, "", "line"))
)
writeLines(lines, report_page("speed"))
cat(lines, sep = "\n")
hold_targets(unlist(lapply(unname(results), `[[`, "held")))
