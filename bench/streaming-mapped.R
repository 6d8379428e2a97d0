# 100 million documents x 40 features from a function that gives chunks, in bins that are mapped from a file, on a
# machine limited to 8 GB of memory. Writes bench/streaming-mapped.md.
#
#   Rscript bench/streaming-mapped.R          # 400 chunks of 250,000 documents
#   Rscript bench/streaming-mapped.R 8        # 8 chunks
#
# The figures of a task that ended are kept in a file beside the bins, and the next run does not repeat this task. So a
# run that was stopped can be continued. The files are removed at the end.
#
# The first chunk has 40 features of simulate_mslr(). The other chunks are copies in which fractional numbers are changed
# by about a thousandth. Each measurement is a separate process on two threads. The limit is a memory cgroup: its folder
# is RANKMIX_CGROUP, or a scope of systemd if this is not set. A cgroup counts file pages, too, which the system takes
# back. Linux only. Needs 40 GB of disk in the folder RANKMIX_SCRATCH, default tempdir(). There is no target but to run.

source("bench/common.R")

limit <- 8e9
documents <- 250000L
features <- 40L
trees <- c(few = 1L, more = 4L)

status <- function(field) {
  line <- grep(paste0("^", field, ":"), readLines("/proc/self/status"), value = TRUE)
  1024 * as.numeric(gsub("[^0-9]", "", line))
}

# A function that returns the next chunk, and NULL after the last one.
chunks_of <- function(count) {
  source("bench/simulate-mslr.R")
  base <- simulate_mslr(documents)
  columns <- unique(round(seq(1, ncol(base$x), length.out = features)))
  x <- as.data.frame(base$x[, columns])
  base$x <- NULL
  fractional <- which(!vapply(x, function(column) all(column == round(column)), NA))
  queries <- max(base$query)
  made <- 0L
  function() {
    if (made == count) return(NULL)
    if (made > 0L) {
      set.seed(made)
      noise <- 1 + stats::rnorm(nrow(x)) / 1000
      x[fractional] <- lapply(x[fractional], function(column) signif(column * noise, 5))
    }
    made <<- made + 1L
    cbind(x, relevance = base$grade, query = base$query + queries * (made - 1L))
  }
}

# Seconds of a tree: the difference of two numbers of trees, so that the set-up does not count.
trees_of <- function(bins, ranker) {
  data <- rankmix::read_binned_data(bins, threads = 2)
  seconds <- vapply(trees, function(n) {
    system.time(rankmix::fit(ranker(n), data, seed = 1, threads = 2, verbose = FALSE))[["elapsed"]]
  }, 0)
  list(rows = nrow(data), seconds = seconds[["few"]], tree = (seconds[["more"]] - seconds[["few"]]) / diff(trees))
}

# The tasks of child processes, which print figures as R code.
tasks <- list(
  read = function(bins, count) {
    seconds <- system.time(data <- rankmix::binned_data(chunks_of(count), relevance = relevance, query = query,
                                                        file = bins, folder = dirname(bins), threads = 2,
                                                        verbose = FALSE))[["elapsed"]]
    list(rows = nrow(data), seconds = seconds)
  },
  gbrt = function(bins, count) trees_of(bins, function(n) rankmix::gbrt(n, num_leaves = 64)),
  adaboost_mh = function(bins, count) {
    trees_of(bins, function(n) rankmix::adaboost_mh(rankmix::base_tree(64), rounds = n))
  },
  lambdamart = function(bins, count) trees_of(bins, function(n) rankmix::lambdamart(trees = n, num_leaves = 64)),
  make = function(bins, count) {
    next_chunk <- chunks_of(count)
    list(seconds = system.time(while (!is.null(next_chunk())) NULL)[["elapsed"]])
  }
)

arguments <- commandArgs(TRUE)
if (length(arguments) > 0L && arguments[1L] == "--task") {
  found <- tasks[[arguments[2L]]](arguments[3L], as.integer(arguments[4L]))
  found$peak <- status("VmHWM")
  cat("FIGURES ", paste(deparse(found, width.cutoff = 500L), collapse = " "), "\n", sep = "")
  quit("no")
}

run_task <- function(task, bins, count) {
  command <- sprintf("Rscript bench/streaming-mapped.R --task %s %s %d", task, shQuote(bins), count)
  cgroup <- Sys.getenv("RANKMIX_CGROUP")
  if (nzchar(cgroup)) {
    writeLines(sprintf("%.0f", limit), file.path(cgroup, "memory.limit_in_bytes"))
    command <- sprintf("echo $$ > %s; exec %s", shQuote(file.path(cgroup, "cgroup.procs")), command)
  } else {
    command <- sprintf("systemd-run --quiet --scope -p MemoryMax=%.0f %s", limit, command)
  }
  out <- system2("bash", c("-c", shQuote(command)), stdout = TRUE)
  line <- grep("^FIGURES ", out, value = TRUE)
  if (length(line) != 1L) stop("The task ", task, " failed:\n", paste(out, collapse = "\n"), call. = FALSE)
  eval(parse(text = sub("^FIGURES ", "", line)))
}

count <- if (length(arguments) > 0L) as.integer(arguments[1L]) else 400L
bins <- file.path(Sys.getenv("RANKMIX_SCRATCH", tempdir()), "mapped.bins")
pieces <- paste0(bins, ".figures")
piece <- keep_pieces(pieces)
figures <- lapply(stats::setNames(nm = names(tasks)), function(task) piece(task, run_task(task, bins, count)))
size <- file.size(bins)
unlink(c(bins, pieces), recursive = TRUE)

gigabytes <- function(bytes) sprintf("%.1f", bytes / 1e9)
rows <- figures$read$rows
rankers <- c(gbrt = "`gbrt(num_leaves = 64)`", lambdamart = "`lambdamart(num_leaves = 64)`",
             adaboost_mh = "`adaboost_mh(base_tree(64))`")
writeLines(c(
  "# Bins mapped from a file", "",
  "Written by `Rscript bench/streaming-mapped.R`: bins in a file, two threads, and at most 8 GB of memory.",
  "The first lines of the script describe the measurement.", "",
  sprintf("A function gives %s million documents with %d features in chunks of %s. `binned_data(file = )` takes %.0f s.",
          format(rows / 1e6, digits = 3), features, format(documents, big.mark = ","), figures$read$seconds),
  sprintf("Making the chunks takes %.0f s of these. The peak is %s GB. A matrix of doubles would have %s GB, and the file",
          figures$make$seconds, gigabytes(figures$read$peak), gigabytes(8 * rows * features)),
  sprintf("has %s GB.", gigabytes(size)), "",
  sprintf("| ranker | seconds of %d trees | seconds a further tree | peak GB |", trees[["few"]]), "|---|---|---|---|",
  vapply(names(rankers), function(name) {
    sprintf("| %s | %.0f | %.1f | %s |", rankers[[name]], figures[[name]]$seconds, figures[[name]]$tree,
            gigabytes(figures[[name]]$peak))
  }, ""), "",
  "The peak counts pages of the file, which the system takes back if memory is short."
), "bench/streaming-mapped.md")
