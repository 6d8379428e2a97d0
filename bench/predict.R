# Time of prediction beside LightGBM, XGBoost and a compiled export. Writes bench/predict.md.
#
#   Rscript bench/predict.R
#
# 1000 regression trees of 64 leaves, 120,000 documents x 136 features, on one thread and on two:
# - documents per second of one call for all documents,
# - microseconds of a query of 100 documents, the median and the 99 % quantile of the calls, on one thread.
# Each peer predicts by its C API with its own model, trained on half as many documents. Each peer (bench/peers) uses
# its fastest method. The third peer is gbrt() exported by write_model(model, file, "c") and compiled for this
# processor. rankmix is timed as calls of predict() in R. All take turns. RANKMIX_SIZES has another number of
# documents, RANKMIX_TREES of trees. The target is twice the documents a second of the fastest peer.

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")
source("bench/simulate-mslr.R")
source("bench/peers.R")
need_peers()

trees <- as.integer(Sys.getenv("RANKMIX_TREES", "1000"))
documents <- one_size("120000")
repeats <- bench_repeats
calls <- 200L

data <- bench_shapes()$MSLR(documents + documents %/% 2)
train <- data$query <= max(data$query) / 3
part_of <- function(rows) list(x = data$x[rows, ], grade = data$grade[rows], query = data$query[rows])
test <- data$x[!train, ]
files <- c(train = tempfile(fileext = ".bin"), test = tempfile(fileext = ".bin"))
write_bin(part_of(train), files[["train"]])
write_bin(part_of(!train), files[["test"]])
ranking <- ranking_of(data, train)
model <- fit(gbrt(trees = trees, num_leaves = 64), ranking, seed = 1, verbose = FALSE)
classifier <- fit(adaboost_mh(base_tree(64), rounds = trees), ranking, seed = 1, verbose = FALSE)
rm(data)

peers <- lapply(stats::setNames(nm = names(peer_names)), start_peer, data = files[["train"]])
peers$compiled <- start_compiled(model)
peer_labels <- c(peer_names, compiled = "exported C")
ask <- function(name, threads, calls) {
  found <- ask_peer(peers[[name]], predict = 1L, test = files[["test"]], trees = trees, leaves = 64L,
                    threads = threads, calls = calls)
  if (is.null(found)) stop(name, " cannot predict.", call. = FALSE)
  found
}

# Documents a second ---------------------------------------------------------------------------

speeds <- function(threads) {
  ours <- list(gbrt = function() predict(model, test, threads = threads),
               adaboost = function() predict(classifier, test, type = "raw", threads = threads))
  for (run in ours) run()  # warms up
  for (name in names(peers)) ask(name, threads, 1L)
  vapply(seq_len(repeats), function(i) {
    c(vapply(ours, function(run) nrow(test) / seconds_of(run()), 0),
      vapply(names(peers), function(name) best_method(ask(name, threads, 1L), "documents_per_second", max), 0))
  }, numeric(2L + length(peers)))
}
per_second <- function(x) format(round(median(x), -2), big.mark = ",", scientific = FALSE)
speed_of <- function(threads) {
  found <- speeds(threads)
  ratio <- found["gbrt", ] / apply(found[names(peers), , drop = FALSE], 2L, max)
  line <- table_row(threads, apply(found[c("gbrt", names(peers)), , drop = FALSE], 1L, per_second),
                    sprintf("%.2f (%.2f to %.2f)", median(ratio), min(ratio), max(ratio)),
                    per_second(found["adaboost", ]))
  list(line = line, held = stats::setNames(median(ratio) >= 2, paste("twice the fastest peer, threads:", threads)))
}
results <- lapply(1:2, speed_of)

# One query --------------------------------------------------------------------------------------

microseconds <- function(run) {
  start <- Sys.time()
  run()
  1e6 * as.numeric(difftime(Sys.time(), start, units = "secs"))
}
queries <- lapply(seq_len(min(calls, nrow(test) %/% 100L)), function(i) test[100L * (i - 1L) + 1:100, ])
latency_of_rankmix <- function() {
  times <- vapply(rep_len(queries, calls), function(query) {
    microseconds(function() predict(model, query, threads = 1L))
  }, 0)
  stats::quantile(times, c(0.5, 0.99), names = FALSE)
}
latency_of_peer <- function(name) {
  found <- ask(name, 1L, calls)
  c(best_method(found, "query_us", min), best_method(found, "query_us_99", min))
}
invisible(latency_of_rankmix())  # warms up
latencies <- lapply(seq_len(repeats), function(i) {
  cbind(rankmix = latency_of_rankmix(), vapply(names(peers), latency_of_peer, numeric(2)))
})
latency_line <- function(name) {
  times <- vapply(latencies, function(turn) turn[, name], numeric(2))
  table_row(if (name == "rankmix") "gbrt(), by predict() of R" else peer_labels[[name]],
            sprintf("%.0f", apply(times, 1L, median)))
}

lines <- c(
  "# Time of prediction", "",
  sprintf("Written by `Rscript bench/predict.R`: %s trees of 64 leaves, %s documents x 136", trees,
          format(nrow(test), big.mark = ",")),
  sprintf("features. The table shows documents per second, medians of %d alternating runs. `ratio` is the speed",
          repeats),
  "of gbrt() divided by the speed of the fastest peer, run by run: median (range). The peers run by their C APIs,",
  "each by its fastest method. \"exported C\" is gbrt(), exported by write_model() and compiled for this processor.",
  "adaboost_mh(base_tree(64)) has five outputs.",
  peer_versions(), "",
  markdown_table(c("threads", "gbrt()", peer_labels, "ratio", "adaboost_mh()"), vapply(results, `[[`, "", "line")),
  "## One query", "",
  sprintf("Microseconds of a query of 100 documents on one thread: the median and the 99th percentile of %d calls, in %d turns.",
          calls, repeats), "",
  markdown_table(c("", "median", "99 %"), vapply(c("rankmix", names(peers)), latency_line, ""))
)
writeLines(lines, "bench/predict.md")
cat(lines, sep = "\n")
for (peer in peers) stop_peer(peer)
unlink(files)
hold_targets(unlist(lapply(results, `[[`, "held")))
