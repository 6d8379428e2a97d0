# Time of the whole job, from two files of text to NDCG@10. Writes bench/text-to-ndcg.md.
#
#   Rscript bench/text-to-ndcg.R
#
# LETOR text of 240,000 documents x 136 features is read, 100 rounds of LambdaMART with 64 leaves are trained on two
# threads, and NDCG@10 is evaluated on a second file with a quarter of the documents. RANKMIX_SIZES has another number
# of documents, RANKMIX_TREES of rounds. The files are in the cache. LightGBM needs the sizes of queries in separate
# files, which are written before the timing. Each peer runs at its fastest setting, all take turns. The target is 3
# times as fast as both peers.

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")
source("bench/simulate-mslr.R")
source("bench/peers.R")
need_peers()

repeats <- bench_repeats
threads <- 2L
trees <- as.integer(Sys.getenv("RANKMIX_TREES", "100"))
documents <- one_size()
folder <- tempfile("text")
dir.create(folder)

# Writes the text for all programs, and a text without query ids for LightGBM.
write_texts <- function(part, data, rows) {
  data <- ranking_data(signif(data$x[rows, ], 5), data$grade[rows], data$query[rows], threads = threads)
  file <- file.path(folder, paste0(part, ".txt"))
  plain <- file.path(folder, paste0(part, "-plain.txt"))
  write_letor(data, file, threads = threads)
  writeLines(sub(" qid:[^ ]+", "", readLines(file)), plain)
  writeLines(as.character(diff(data$offsets)), paste0(plain, ".query"))
  c(text = file, plain = plain)
}
data <- bench_shapes()$MSLR(documents + documents %/% 4)
first <- data$query <= 0.8 * max(data$query)
train <- write_texts("train", data, first)
test <- write_texts("test", data, !first)
rm(data)
megabytes <- sum(file.size(c(train[["text"]], test[["text"]]))) / 1e6
invisible(gc(FALSE))

by_rankmix <- function() {
  gc(FALSE)
  ndcg <- NULL
  load <- system.time(data <- read_letor(train[["text"]], threads = threads))[["elapsed"]]
  training <- system.time(model <- fit(lambdamart(metric_ndcg(), trees = trees, num_leaves = 64), data, seed = 1,
                                       threads = threads, verbose = FALSE))[["elapsed"]]
  testing <- system.time({
    second <- read_letor(test[["text"]], threads = threads)
    scores <- predict(model, second, threads = threads)
    ndcg <- mean(evaluate(scores, second, "ndcg@10", convention = "lightgbm")$value)
  })[["elapsed"]]
  c(load_seconds = load, train_seconds = training, test_seconds = testing,
    total_seconds = load + training + testing, ndcg = ndcg)
}
by_peer <- function(name, setting, rounds = trees) {
  files <- if (name == "lightgbm") "plain" else "text"
  run_peer(name, text = train[[files]], test = test[[files]], objective = "lambdarank", leaves = 64L,
           threads = threads, rounds = rounds, setting)[1L, ]
}
# Each setting runs once, with a fifth of the trees.
fastest <- lapply(stats::setNames(nm = names(peer_names)), function(name) {
  settings <- peer_settings(name, 64L, "lambdarank")
  totals <- vapply(settings, function(setting) by_peer(name, setting, max(1L, trees %/% 5L))[["total_seconds"]], 0)
  settings[which.min(totals)]
})

invisible(by_rankmix())  # warms up
turns <- lapply(seq_len(repeats), function(i) {
  c(list(rankmix = by_rankmix()), lapply(stats::setNames(nm = names(peer_names)), function(name) {
    by_peer(name, fastest[[name]][[1L]])
  }))
})
names_of_all <- c(rankmix = "rankmix", peer_names)
of_turns <- function(name, what) vapply(turns, function(turn) turn[[name]][[what]], 0)
ratios <- lapply(stats::setNames(nm = names(peer_names)), function(name) {
  of_turns(name, "total_seconds") / of_turns("rankmix", "total_seconds")
})
line_of <- function(name) {
  seconds <- vapply(c("load_seconds", "train_seconds", "test_seconds", "total_seconds"), function(what) {
    median(of_turns(name, what))
  }, 0)
  ratio <- ratios[[name]]
  table_row(names_of_all[[name]], if (name %in% names(fastest)) names(fastest[[name]]) else "",
            sprintf("%.2f", seconds),
            if (is.null(ratio)) "" else sprintf("%.2f (%.2f to %.2f)", median(ratio), min(ratio), max(ratio)),
            sprintf("%.4f", of_turns(name, "ndcg")[1L]))
}

lines <- c(
  "# From text to NDCG", "",
  sprintf("Written by `Rscript bench/text-to-ndcg.R`: two files of LETOR text, %.0f MB together, are read.", megabytes),
  sprintf("About %s documents x 136 features are for training, a quarter of this number for the test.",
          format(documents, big.mark = ",", scientific = FALSE)),
  sprintf("%d rounds of LambdaMART with 64 leaves, 255 bins and pairs of the top 30, on %d threads.", trees, threads),
  sprintf("The times are seconds, medians of %d alternating runs. Files are in the cache. Ratios are computed for each",
          repeats),
  "run; the table shows their median and range. The reading time of LightGBM includes its binning. XGBoost and rankmix bin when they train.",
  "Each peer has its fastest setting. Each program computes its NDCG@10 itself, with gains 2^grade - 1.",
  peer_versions(), "",
  markdown_table(c("", "setting", "reading", "training", "test file", "total", "ratio", "NDCG@10"),
                 vapply(names(names_of_all), line_of, ""))
)
writeLines(lines, report_page("text-to-ndcg"))
cat(lines, sep = "\n")
unlink(folder, recursive = TRUE)
hold_targets(stats::setNames(vapply(ratios, median, 0) >= 3, paste("3 times", peer_names[names(ratios)])))
