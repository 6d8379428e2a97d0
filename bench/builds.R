# What a change of the code costs: compares the times of training, early stopping, prediction and the
# memory of training by two installed builds, in turn. Prints a table, and fails where the new build
# is slower than the old one by more than 3 %.
#
#   Rscript bench/builds.R <library of the old build> <library of the new build> [turns]
#
# In each turn a process of each build is started, first one build, then the other. The process times each
# piece of work three times, for a third of a second or more, and the shortest time counts. The shortest times
# over all turns are compared, because other work on the machine only adds time.
# The median of the ratios within turns is shown beside the shortest times.
# 60,000 documents x 136 features, 5 grades, 2 threads; early stopping on MQ2008 fold 1.

arguments <- commandArgs(trailingOnly = TRUE)

work <- list(
  "base_stump()" = function(d) train(adaboost_mh(base_stump(), 40), d),
  "base_tree(8)" = function(d) train(adaboost_mh(base_tree(8), 30), d),
  "base_tree(64)" = function(d) train(adaboost_mh(base_tree(64), 15), d),
  "base_hamming_tree(8)" = function(d) train(adaboost_mh(base_hamming_tree(8), 30), d),
  "base_product(3)" = function(d) train(adaboost_mh(base_product(3), 25), d),
  "base_tree(8), confidence" = function(d) train(adaboost_mh(base_tree(8, "confidence"), 15), d),
  "base_tree(8), double" = function(d) train(adaboost_mh(base_tree(8), 15, precision = "double"), d),
  "gbrt(num_leaves = 8)" = function(d) train(gbrt(100, num_leaves = 8), d),
  "gbrt(num_leaves = 64)" = function(d) train(gbrt(30, num_leaves = 64), d),
  "gbrt(num_leaves = 8), double" = function(d) train(gbrt(50, num_leaves = 8, precision = "double"), d),
  "bins of features" = function(d) rankmix:::bins_of(gbrt(), d$data, 2L),
  "predict, adaboost_mh" = function(d) for (i in 1:10) predict(d$boosted, d$data, threads = 2),
  "predict, gbrt" = function(d) for (i in 1:10) predict(d$trees, d$data, threads = 2),
  "mcsvm()" = function(d) fit(mcsvm(0.01), d$small, threads = 2, verbose = FALSE),
  "stops early: none" = function(d) stops(d, NULL),
  "stops early: patience" = function(d) stops(d, 1e6)
)
train <- function(spec, d) {
  fit(spec, d$data, seed = 1, threads = 2, verbose = FALSE)
}
stops <- function(d, patience) {
  fit(adaboost_mh(base_tree(8), 1000), d$fold$train, if (!is.null(patience)) d$fold$valid,
      patience = patience, seed = 1, threads = 2, verbose = FALSE)
}

# Runs in a child process: the seconds of each piece of work, the shortest of three times.
measure <- function(library, file) {
  library(rankmix, lib.loc = library)
  d <- readRDS(file)
  d$boosted <- fit(adaboost_mh(base_tree(8), 100), d$small, seed = 1, verbose = FALSE)
  d$trees <- fit(gbrt(100), d$small, seed = 1, verbose = FALSE)
  seconds <- vapply(work, function(piece) {
    min(vapply(1:3, function(i) system.time(piece(d))[["elapsed"]], 0))
  }, 0)
  cat(sprintf("%s\t%.4f\n", names(seconds), seconds), sep = "")
}

if (arguments[1L] == "--measure") {
  measure(arguments[2L], arguments[3L])
  quit()
}

library(rankmix, lib.loc = arguments[2L])
source("bench/common.R")
source("bench/simulate.R")
turns <- if (length(arguments) > 2L) as.integer(arguments[3L]) else 8L
made <- simulate_web(60000)
data <- ranking_data(made$x, made$grade, made$query)
fold <- lapply(c(train = "train.txt", valid = "vali.txt"), function(name) {
  read_letor(file.path(data_folder("MQ2008", "Fold1"), name))
})
file <- tempfile(fileext = ".rds")
small <- data[data$query_ids[seq_len(length(data$query_ids) %/% 10L)]]
small$x[is.na(small$x)] <- 0
saveRDS(list(data = data, small = small, fold = fold), file, compress = FALSE)

run <- function(library) {
  out <- system2(file.path(R.home("bin"), "Rscript"),
                 c("bench/builds.R", "--measure", shQuote(library), shQuote(file)), stdout = TRUE)
  parts <- strsplit(grep("\t", out, value = TRUE), "\t")
  stats::setNames(as.numeric(vapply(parts, `[`, "", 2L)), vapply(parts, `[`, "", 1L))
}
both <- lapply(seq_len(turns), function(turn) {
  first <- turn %% 2L + 1L
  found <- list()
  found[[first]] <- run(arguments[first])
  found[[3L - first]] <- run(arguments[3L - first])
  found
})
old <- do.call(cbind, lapply(both, `[[`, 1L))
new <- do.call(cbind, lapply(both, `[[`, 2L))
least <- function(seconds) apply(seconds, 1L, min)
ratio <- least(new) / least(old)
table <- data.frame(work = rownames(old), old = least(old), new = least(new), ratio = ratio,
                    median = apply(new / old, 1L, stats::median))
print(format(table, digits = 3), row.names = FALSE)
stopping <- function(seconds) {
  least(seconds)[["stops early: patience"]] / least(seconds)[["stops early: none"]]
}
cat(sprintf("Early stopping takes %.3f of the time without it by the old build, %.3f by the new one\n",
            stopping(old), stopping(new)))
hold_targets(c(stats::setNames(ratio <= 1.03, rownames(old)),
               "early stopping" = stopping(new) <= 1.1))
