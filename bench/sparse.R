# Memory and time of sparse data. Writes bench/sparse.md.
#
#   Rscript bench/sparse.R
#
# 240,000 documents x 5,000 features, with 20, 40 and 80 values that are not 0 per document. For each of the
# three, a fresh process loads the data, records its resident memory, trains adaboost_mh(base_tree(8)) for 10
# rounds on 2 threads, and records the peak. Training may add 8 bytes per entry, 104 bytes per document, and
# its histograms. The time of lightgbm on the same matrix is also measured, in the layout that is faster in a
# single trial. Times are medians of five. Linux only: it reads /proc/self/status.
#
# A second table has 50,000 documents x 50,000 features, 50 values in a document: processor seconds per tree
# of gbrt() on one thread, with 31 leaves of at least 20 documents.

simulate_sparse <- function(documents, features, entries, list_length = 120, seed = 1) {
  set.seed(seed)
  n <- documents * entries
  # Like words, few features are frequent.
  column <- 1 + floor(features * runif(n)^3)
  key <- unique((column - 1) * documents + rep(seq_len(documents) - 1, entries))
  x <- Matrix::sparseMatrix(
    i = key %% documents + 1, j = key %/% documents + 1,
    x = 1 + rgeom(length(key), 0.6), dims = c(documents, features)
  )
  utility <- as.vector(x[, 1:50] %*% rnorm(50)) + rnorm(documents)
  list(x = x, grade = findInterval(utility, quantile(utility, c(0.52, 0.84, 0.97, 0.99))),
       query = rep(seq_len(documents / list_length), each = list_length))
}

# Seconds per round: the median of several differences of a long and a short run.
per_round <- function(run, from, to, times = 5L) {
  seconds <- function(rounds) {
    gc(FALSE)
    system.time(run(rounds))[["elapsed"]]
  }
  run(2L)  # warms up
  median(replicate(times, seconds(to) - seconds(from))) / (to - from)
}

# A child process prints the number of entries, the bytes that training adds, the bytes of
# histograms, seconds a round, and lightgbm's seconds a round.
measure <- function(path) {
  library(rankmix)
  status <- function(field) {
    line <- grep(paste0("^", field, ":"), readLines("/proc/self/status"), value = TRUE)
    1024 * as.numeric(gsub("[^0-9]", "", line))
  }
  data <- readRDS(path)
  ranking <- ranking_data(data$x, data$grade, data$query, threads = 2)
  spec <- function(rounds) adaboost_mh(base_tree(8), rounds = rounds)
  small <- ranking[1:40]
  fit(spec(2), small, threads = 2)  # loads the code and starts the threads
  rm(small)
  invisible(gc())
  before <- status("VmRSS")
  writeLines("5", "/proc/self/clear_refs")  # the peak starts anew
  fit(spec(10), ranking, seed = 1, threads = 2)
  added <- status("VmHWM") - before
  ours <- per_round(function(rounds) fit(spec(rounds), ranking, seed = 1, threads = 2),
                    from = 10, to = 60)
  # Slots of a histogram: the distinct values of each feature, rounded up to an odd number. A slot has 8 lanes
  # of 4 bytes. With 8 leaves five histograms are stored at a time, and the one that is being built.
  values <- diff(data$x@p)
  distinct <- vapply(seq_len(ncol(data$x)), function(j) {
    entries <- data$x@x[data$x@p[j] + seq_len(values[j])]
    length(unique(entries)) + (values[j] < nrow(data$x))
  }, numeric(1))
  histograms <- 6 * 32 * sum(pmin(255, distinct) + 1)
  cat(sum(values), added, histograms, ours, "\n")
}

measure_lightgbm <- function(path) {
  data <- readRDS(path)
  set <- lightgbm::lgb.Dataset(data$x, label = data$grade,
                               params = list(max_bin = 255L, feature_pre_filter = FALSE,
                                             verbose = -1L, num_threads = 2L))
  set$construct()
  time_layout <- function(layout, times = 5L) {
    params <- list(objective = "multiclass", num_class = 5L, num_leaves = 8L,
                   num_threads = 2L, verbose = -1L)
    params[[layout]] <- TRUE
    per_round(function(rounds) lightgbm::lgb.train(params, set, nrounds = rounds),
              from = 2L, to = 12L, times = times)
  }
  layouts <- c("force_col_wise", "force_row_wise")
  faster <- layouts[which.min(vapply(layouts, time_layout, numeric(1), times = 1L))]
  cat(time_layout(faster), "\n")
}

# Processor seconds per tree: the median of three differences of a long and a short run on one thread.
per_tree <- function(run, from = 2L, to = 22L) {
  seconds <- function(trees) sum(system.time(run(trees))[1:2])
  run(2L)
  median(replicate(3L, seconds(to) - seconds(from))) / (to - from)
}

measure_wide <- function(path) {
  library(rankmix)
  data <- readRDS(path)
  ranking <- ranking_data(data$x, data$grade, data$query, threads = 1)
  seconds <- vapply(list(loss_squared(), loss_softmax()), function(objective) {
    per_tree(function(trees) fit(gbrt(trees, objective = objective), ranking, seed = 1, threads = 1))
  }, 0)
  cat(seconds, "\n")
}

documents <- 240000
features <- 5000
arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) == 2L) {
  switch(arguments[1L], "--ours" = measure(arguments[2L]),
         "--lightgbm" = measure_lightgbm(arguments[2L]), "--wide" = measure_wide(arguments[2L]))
  quit()
}
for (package in c("lightgbm", "Matrix")) {
  if (!requireNamespace(package, quietly = TRUE)) {
    stop("This script needs the package ", package, ": run `make setup-bench`.",
         call. = FALSE)
  }
}
child <- function(what, path) {
  output <- system2(file.path(R.home("bin"), "Rscript"), c("bench/sparse.R", what, path),
                    stdout = TRUE)
  as.numeric(strsplit(output[length(output)], " ")[[1L]])
}
rows <- lapply(c(20, 40, 80), function(entries) {
  path <- tempfile(fileext = ".rds")
  saveRDS(simulate_sparse(documents, features, entries), path, compress = FALSE)
  ours <- child("--ours", path)
  c(ours, child("--lightgbm", path))
})
table <- do.call(rbind, rows)
colnames(table) <- c("entries", "added", "histograms", "ours", "lightgbm")
table <- as.data.frame(table)
allowed <- 8 * table$entries + 104 * documents + table$histograms
added_per_entry <- diff(range(table$added)) / diff(range(table$entries))

path <- tempfile(fileext = ".rds")
saveRDS(simulate_sparse(50000, 50000, 50, list_length = 100), path, compress = FALSE)
wide <- child("--wide", path)

lines <- c(
  "# Memory and time of sparse data", "",
  "Written by `Rscript bench/sparse.R`: peak resident memory that training",
  "`adaboost_mh(base_tree(8))` adds to a sparse matrix of 240,000 documents x 5,000 features,",
  "5 grades, 2 threads. Also the milliseconds a round, of rankmix and of lightgbm (multiclass,",
  "8 leaves, its faster layout) on the same matrix. Dense bins of one byte would take",
  sprintf("%.0f MB. From the first row to the last, memory grows by %.1f bytes per entry.",
          documents * features / 1e6, added_per_entry),
  sprintf("rankmix %s, lightgbm %s, %s.", packageVersion("rankmix"),
          packageVersion("lightgbm"), R.version.string), "",
  "| entries, million | data, MB | added, MB | allowed, MB | ms a round | lightgbm, ms | ratio |",
  "|---|---|---|---|---|---|---|",
  sprintf("| %.1f | %.0f | %.0f | %.0f | %.1f | %.1f | %.1f |", table$entries / 1e6,
          12 * table$entries / 1e6, table$added / 1e6, allowed / 1e6, 1000 * table$ours,
          1000 * table$lightgbm, table$lightgbm / table$ours),
  "", "## Wide data", "",
  "50,000 documents x 50,000 features, 50 values in a document, one thread: processor time of a tree of",
  "31 leaves with at least 20 documents. Features that can no longer split a leaf are not summed there.", "",
  "| ranker | ms a tree |", "|---|---|",
  sprintf("| %s | %.0f |", c("`gbrt()`", "`gbrt(objective = loss_softmax())`"),
          1000 * wide)
)
writeLines(lines, "bench/sparse.md")
cat(lines, sep = "\n")
if (any(table$added > allowed)) {
  stop("Training on sparse data takes more memory than it may.", call. = FALSE)
}
