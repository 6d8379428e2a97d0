# Oblivious trees beside trees that grow leaf by leaf, and beside other libraries. Writes bench/oblivious.md.
#
#   Rscript bench/oblivious.R
#
# 240,000 documents x 136 features, 5 grades, least squares. RANKMIX_SIZES has another number of documents.
# 1. Milliseconds a tree: gbrt(growth = "oblivious") of depth 6 with 32 and 255 bins, gbrt() with 64 leaves, and, by
#    their C APIs (bench/peers), LightGBM with 64 leaves at its fastest setting and XGBoost by depth to depth 6, all
#    in turn. The time of a tree is the difference of a long and a short fit, so that reading and binning do not count.
# 2. Nanoseconds per document and tree of predictions by the same programs, on one thread.
# CatBoost, whose trees are oblivious, is not measured. The target is half of LightGBM's time for a tree of depth 6 and
# 32 bins, on one thread.

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")
source("bench/simulate-mslr.R")
source("bench/peers.R")
need_peers()

repeats <- bench_repeats
case <- start_case(bench_shapes()$MSLR, one_size())
web <- case$ranking
rounds <- 42L

specs <- list(gbrt(max_bin = 32, growth = "oblivious"), gbrt(growth = "oblivious"),
              gbrt(num_leaves = 64, max_bin = 32), gbrt(num_leaves = 64))
names(specs) <- vapply(specs, function(spec) sub("trees = 500, ", "", format(spec)), "")

per_tree <- function(threads) {
  ours <- lapply(specs, function(spec) {
    function(trees) fit(update(spec, trees = trees), web, seed = 1, threads = threads, verbose = FALSE)
  })
  common <- c(objective = "l2", leaves = 64L, threads = threads)
  fastest <- fastest_setting(case$peers$lightgbm, common, rounds %/% 2L)
  peers <- list(
    function() peer_round(case$peers$lightgbm, fastest$values, common, rounds),
    function() peer_round(case$peers$xgboost, c(grow_policy = "depthwise", max_depth = "6"), common, rounds)
  )
  names(peers) <- c("LightGBM, 64 leaves, fastest setting", "XGBoost, by depth, depth 6")
  for (run in ours) run(2L)  # warms up
  found <- vapply(seq_len(repeats), function(i) {
    c(vapply(ours, per_round, 0, long = rounds), vapply(peers, function(run) run(), 0))
  }, numeric(length(ours) + length(peers)))
  apply(matrix(found, ncol = repeats, dimnames = list(c(names(ours), names(peers)), NULL)), 1L, stats::median)
}
trees <- vapply(1:2, per_tree, numeric(length(specs) + 2L))
end_case(case)

per_document <- vapply(specs[c(1L, 3L)], function(spec) {
  model <- fit(update(spec, trees = 300), web, seed = 1, verbose = FALSE)
  run <- function(rounds) predict(model, web, rounds = rounds, threads = 1L)
  1e6 * stats::median(replicate(repeats, per_round(run, 300L, 100L))) / nrow(web)
}, 0)

lines <- c(
  "# Oblivious trees", "",
  sprintf("Written by `Rscript bench/oblivious.R`: %s documents x 136 features, 5 grades, squared errors;",
          format(nrow(web), big.mark = ",")),
  sprintf("medians of %d alternating runs. The peers run by their C APIs, with 255 bins.", repeats),
  peer_versions(), "",
  markdown_table(c("a tree, milliseconds", "one thread", "two threads"), c(
    sprintf("| %s | %.1f | %.1f |", rownames(trees), trees[, 1L], trees[, 2L]),
    table_row("CatBoost, depth 6", "not measured", "")
  )),
  markdown_table(c("a document and tree, one thread", "nanoseconds"),
                 sprintf("| %s | %.2f |", names(per_document), per_document))
)
writeLines(lines, "bench/oblivious.md")
cat(lines, sep = "\n")
hold_targets(c("twice as fast as LightGBM" = 2 * trees[1L, 1L] <= trees["LightGBM, 64 leaves, fastest setting", 1L]))
