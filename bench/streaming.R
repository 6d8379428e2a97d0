# Data that do not fit into memory as numbers: time, memory, and equal models. Writes bench/streaming.md.
#
#   Rscript bench/streaming.R            # 2.4 and 10.08 million documents x 136 features
#   Rscript bench/streaming.R 2          # two parts of 240,000 documents instead of 42
#
# Each part is LETOR text of 240,000 documents. The first part comes from simulate_web(). The other parts are
# copies in which fractional numbers are changed by about a thousandth. Each measurement is a separate
# process on two threads. All parts are read under `ulimit -v`, a limit of the address space of 4 GB. A
# matrix of all documents would have 11 GB. Linux only. Needs 30 GB of disk in the folder
# RANKMIX_SCRATCH, default tempdir(). Targets: models equal those from the matrix; the peak is at most
# 1.3 times the bins and 600 MB; a tree takes at most 1.2 times as long as from the matrix. For this ratio the
# same rows are timed in one process.

source("bench/common.R")
source("bench/simulate.R")

gigabytes <- function(bytes) sprintf("%.2f", bytes / 1e9)

status <- function(field) {
  line <- grep(paste0("^", field, ":"), readLines("/proc/self/status"), value = TRUE)
  1024 * as.numeric(gsub("[^0-9]", "", line))
}

write_parts <- function(folder, count) {
  base <- simulate_web()
  whole <- apply(base$x, 2L, function(column) all(column == round(column)))
  for (part in seq_len(count)) {
    file <- file.path(folder, sprintf("part%02d.txt", part))
    if (file.exists(file)) next
    set.seed(part)
    x <- base$x
    for (f in which(!whole)) x[, f] <- signif(x[, f] * (1 + rnorm(nrow(x)) / 1000), 5)
    data <- rankmix::ranking_data(x, base$grade, base$query + 2000 * part, threads = 2)
    rankmix::write_letor(data, paste0(file, ".new"), threads = 2)
    file.rename(paste0(file, ".new"), file)
  }
}

# The tasks of child processes. Prints figures as R code.
tasks <- list(
  read = function(files, bins) {
    seconds <- system.time(data <- rankmix::binned_data(files, folder = dirname(bins), threads = 2,
                                                        verbose = FALSE))[["elapsed"]]
    c(trees_of(data), list(seconds = seconds))
  },
  file = function(files, bins) {
    seconds <- system.time(data <- rankmix::binned_data(files, file = bins, folder = dirname(bins), threads = 2,
                                                        verbose = FALSE))[["elapsed"]]
    c(trees_of(data), list(seconds = seconds))
  },
  mapped = function(files, bins) {
    seconds <- system.time(data <- rankmix::read_binned_data(bins, threads = 2))[["elapsed"]]
    c(trees_of(data), list(seconds = seconds))
  },
  only_file = function(files, bins) {
    seconds <- system.time(data <- rankmix::binned_data(files, file = bins, folder = dirname(bins), threads = 2,
                                                        verbose = FALSE))[["elapsed"]]
    list(rows = nrow(data), seconds = seconds)
  },
  matrix = function(files, bins) {
    seconds <- system.time(data <- rankmix::read_letor(files, threads = 2))[["elapsed"]]
    c(trees_of(data), list(seconds = seconds))
  },
  long = function(files, bins) {
    data <- rankmix::read_binned_data(bins, threads = 2)
    seconds <- system.time({
      model <- rankmix::fit(rankmix::lambdamart(trees = 100, num_leaves = 64), data, seed = 1, threads = 2,
                            verbose = FALSE)
    })[["elapsed"]]
    list(rows = nrow(data), seconds = seconds, model = rlang::hash(model))
  }
)

# Seconds of a tree: the difference of 12 and 2 trees, so that the set-up does not count.
trees_of <- function(data) {
  fitted <- function(trees) {
    seconds <- system.time({
      model <- rankmix::fit(rankmix::lambdamart(trees = trees, num_leaves = 64), data, seed = 1, threads = 2,
                            verbose = FALSE)
    })[["elapsed"]]
    list(model = model, seconds = seconds)
  }
  few <- fitted(2)
  more <- fitted(12)
  list(rows = nrow(data), tree = (more$seconds - few$seconds) / 10, set_up = few$seconds,
       model = rlang::hash(more$model))
}

run_task <- function(task, files, bins, limit = NULL) {
  list_of_files <- tempfile()
  saveRDS(files, list_of_files)
  command <- sprintf("Rscript bench/streaming.R --task %s %s %s", task, shQuote(list_of_files), shQuote(bins))
  if (!is.null(limit)) command <- sprintf("ulimit -v %.0f; %s", limit / 1024, command)
  out <- system2("bash", c("-c", shQuote(command)), stdout = TRUE)
  line <- grep("^FIGURES ", out, value = TRUE)
  if (length(line) != 1L) stop("The task ", task, " failed:\n", paste(out, collapse = "\n"), call. = FALSE)
  eval(parse(text = sub("^FIGURES ", "", line)))
}

arguments <- commandArgs(TRUE)
if (length(arguments) > 0L && arguments[1L] == "--task") {
  found <- tasks[[arguments[2L]]](readRDS(arguments[3L]), arguments[4L])
  found$peak <- status("VmHWM")
  cat("FIGURES ", paste(deparse(found, width.cutoff = 500L), collapse = " "), "\n", sep = "")
  quit("no")
}

count <- if (length(arguments) > 0L) as.integer(arguments[1L]) else 42L
folder <- file.path(Sys.getenv("RANKMIX_SCRATCH", tempdir()), "streaming")
dir.create(folder, showWarnings = FALSE)
write_parts(folder, count)
files <- file.path(folder, sprintf("part%02d.txt", seq_len(count)))
some <- files[seq_len(min(10L, count))]
bins <- file.path(folder, "all.bins")

features <- 136
figures <- list(
  matrix = run_task("matrix", some, bins),
  read = run_task("read", some, bins),
  file = run_task("file", some, bins),
  mapped = run_task("mapped", some, bins)
)
unlink(bins)
limit <- 4 * 2^30
large <- list(
  read = run_task("read", files, bins, limit),
  only_file = run_task("only_file", files, bins, limit),
  mapped = run_task("mapped", files, bins, limit),
  long = run_task("long", files, bins, limit)
)
unlink(bins)

labels <- c(matrix = "`read_letor()`", read = "`binned_data()`, bins in memory",
            file = "`binned_data(file = )`, bins written", mapped = "`read_binned_data()`, bins mapped",
            only_file = "`binned_data(file = )`, bins written", long = "mapped, 100 trees")
row <- function(name, of, text) {
  figure <- of[[name]]
  tree <- switch(name, long = sprintf("%.2f", figure$seconds / 100), only_file = "", sprintf("%.2f", figure$tree))
  sprintf("| %s | %s | %s | %s | %s |", labels[[name]],
          if (name == "long") "" else sprintf("%.1f", figure$seconds),
          if (name %in% c("mapped", "long")) "" else sprintf("%.0f", text / figure$seconds / 1e6), tree,
          gigabytes(figure$peak))
}
table <- function(of, paths) {
  text <- sum(file.size(paths))
  c("| data from | seconds to read and bin | MB of text a second | seconds a tree | peak GB |", "|---|---|---|---|---|",
    vapply(names(of), row, "", of, text))
}
of_bins <- large$read$rows * features
held <- c(
  "equal models" = length(unique(vapply(figures, `[[`, "", "model"))) == 1L &&
    length(unique(vapply(large[c("read", "mapped")], `[[`, "", "model"))) == 1L,
  "peak memory" = large$read$peak <= 1.3 * of_bins + 6e8,
  "seconds a tree" = figures$read$tree <= 1.2 * figures$matrix$tree
)
writeLines(c(
  "# Data of any size", "",
  "Written by `Rscript bench/streaming.R`: LETOR text with 136 features, `lambdamart()` with 64 leaves, two",
  "threads. The first lines of the script describe the measurement.", "",
  sprintf("## %s million documents, %s GB of text", format(figures$read$rows / 1e6, digits = 3),
          gigabytes(sum(file.size(some)))), "",
  table(figures, some), "",
  sprintf("The models are equal, bit for bit: %s.", if (held[["equal models"]]) "yes" else "NO"), "",
  sprintf("## %s million documents, %s GB of text, in an address space of 4 GB",
          format(large$read$rows / 1e6, digits = 3), gigabytes(sum(file.size(files)))), "",
  table(large, files), "",
  sprintf("A matrix of doubles has %s GB, the bins %s GB. The peak of mapped bins counts their pages, which the",
          gigabytes(8 * of_bins), gigabytes(of_bins)),
  "system can take back at any time.", "",
  sprintf("Targets: equal models; peak with bins in memory at most 1.3 times the bins and .6 GB (%s); seconds a tree at most",
          gigabytes(1.3 * of_bins + 6e8)),
  sprintf("1.2 times those from the matrix (%.2f). %s", figures$read$tree / figures$matrix$tree,
          if (all(held)) "All hold." else paste0("Missed: ", toString(names(held)[!held]), "."))
), "bench/streaming.md")
hold_targets(held)
