# Time and memory of reading LETOR text, beside the loaders of LightGBM and XGBoost and the reader of e1071.
# And time and memory of other work with data of this size. Writes bench/read.md.
#
#   Rscript bench/read.R
#
# 240,000 documents x 136 features, and five times as many documents in one file; 2 threads, the file in the
# cache. The peers load by their C APIs (bench/peers). LightGBM reads the same numbers without query ids,
# which it needs in a separate file. Its loader also bins the numbers. Peak memory is the peak of a process
# that only reads. RANKMIX_SIZES has another number of documents.

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")
source("bench/simulate-mslr.R")
source("bench/peers.R")
need_peers()
for (package in c("e1071", "SparseM")) need_package(package)

documents <- one_size()
threads <- 2L
folder <- tempfile("read")
dir.create(folder)
large <- file.path(folder, "large.txt")
small <- file.path(folder, "small.txt")
plain <- file.path(folder, "plain.txt")

data <- bench_shapes()$MSLR(documents)
data <- ranking_data(signif(data$x, 5), data$grade, data$query, threads = threads)
write_time <- system.time(write_letor(data, small, threads = threads))[["elapsed"]]
lines <- readLines(small)
writeLines(sub(" qid:[^ ]+", "", lines), plain)
sizes <- as.character(diff(data$offsets))
writeLines(sizes, paste0(plain, ".query"))
stopifnot(identical(unname(read_letor(small)$x), unname(data$x)))
rm(data, lines)
invisible(gc(FALSE))

seconds <- function(run, times) {
  vapply(seq_len(times), function(i) {
    gc(FALSE)
    system.time(run())[["elapsed"]]
  }, numeric(1))
}
by_rankmix <- function() read_letor(small, threads = threads)
loader <- function(name, text, times) {
  run_peer(name, text = text, load = 1L, threads = threads, repeats = times)[, "load_seconds"]
}
# A tenth of the file: the whole takes minutes. The text has no grades, because the reader of e1071 1.7 fails
# on them.
tenth <- file.path(folder, "tenth.txt")
writeLines(sub("^[0-9]+ ", "", readLines(plain, n = documents %/% 10)), tenth)
by_e1071 <- function() e1071::read.matrix.csr(tenth)

ours <- seconds(by_rankmix, 5L)
theirs <- list(LightGBM = loader("lightgbm", plain, 5L), XGBoost = loader("xgboost", small, 5L))
e1071 <- 10 * seconds(by_e1071, 1L)

# The peak memory of a process, minus its memory after the package was loaded.
peak_of <- function(path) {
  script <- file.path(folder, "peak.R")
  writeLines(c(
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
    "library(rankmix)",
    "peak <- function() as.numeric(gsub('[^0-9]', '', grep('^VmHWM', readLines('/proc/self/status'), value = TRUE))) * 1024",
    "before <- peak()",
    sprintf("data <- read_letor('%s', threads = %d)", path, threads),
    "cat(peak() - before, 8 * length(data$x))"
  ), script)
  as.numeric(strsplit(system2("Rscript", script, stdout = TRUE), " ")[[1L]])
}
peak <- peak_of(small)

# The same text five times, with different query ids.
large_text <- format(5 * documents, big.mark = ",", scientific = FALSE)
connection <- file(large, "w")
lines <- readLines(small)
for (part in 1:5) {
  writeLines(sub(" qid:", paste0(" qid:", part), lines), connection)
}
close(connection)
rm(lines)
invisible(gc(FALSE))
large_time <- system.time(data <- read_letor(large, threads = threads))[["elapsed"]]
large_peak <- peak_of(large)
verbs <- c(
  "ranking_data()" = system.time(
    ranking_data(data$x, data$relevance, data$query_ids[data$query],
                 threads = threads))[["elapsed"]],
  "query_folds(stratify = TRUE)" = system.time(
    query_folds(data, 5, stratify = TRUE, seed = 1))[["elapsed"]],
  "standardize_queries()" = system.time(
    standardize_queries(data, threads = threads))[["elapsed"]]
)

lines <- c(
  "# Time and memory of reading", "",
  sprintf("Written by `Rscript bench/read.R`: LETOR text of %s documents x 136 features,",
          format(documents, big.mark = ",", scientific = FALSE)),
  sprintf("%.0f MB, %d threads, with the file in the cache. Medians of 5 (range). The time of e1071 is for a",
          file.size(small) / 1e6, threads),
  "tenth of the file without grades, times ten.",
  "The loader of LightGBM bins the features, the loader of XGBoost does not.",
  sub("\\.$", sprintf(", e1071 %s.", packageVersion("e1071")), peer_versions()), "",
  "| | seconds | over rankmix |", "|---|---|---|",
  sprintf("| read_letor() | %.2f (%.2f to %.2f) | |", median(ours), min(ours), max(ours)),
  vapply(names(theirs), function(name) {
    times <- theirs[[name]]
    sprintf("| loader of %s | %.2f (%.2f to %.2f) | %.1f |", name, median(times), min(times), max(times),
            median(times) / median(ours))
  }, ""),
  sprintf("| e1071::read.matrix.csr() | %.0f | %.0f |", e1071, e1071 / median(ours)),
  sprintf("| write_letor() | %.2f | |", write_time),
  sprintf("| read_letor(), %s documents, %.2f GB | %.2f | |", large_text,
          file.size(large) / 1e9, large_time), "",
  sprintf("Rise of the process's memory to its peak: %.0f MB for a matrix of %.0f MB (+%.1f %%);",
          peak[1L] / 1e6, peak[2L] / 1e6, 100 * (peak[1L] / peak[2L] - 1)),
  sprintf("%s documents: %.0f MB for %.0f MB (+%.1f %%).", large_text, large_peak[1L] / 1e6,
          large_peak[2L] / 1e6, 100 * (large_peak[1L] / large_peak[2L] - 1)), "",
  sprintf("With %s documents, seconds:", large_text), "", "| | |", "|---|---|",
  sprintf("| %s | %.2f |", names(verbs), verbs)
)
writeLines(lines, "bench/read.md")
cat(lines, sep = "\n")
unlink(folder, recursive = TRUE)
