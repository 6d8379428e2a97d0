# Memory that training adds to the data. Writes bench/memory.md.
#
#   Rscript bench/memory.R
#
# A fresh process makes the data (1.2 million documents x 136 features, 5 grades), notes
# its peak resident memory, trains adaboost_mh(tree(8)), and notes the peak again.
# The target is 1 byte per feature and row plus 64 bytes a row. Linux only: it
# reads VmHWM and VmRSS from /proc/self/status.

child <- function(documents) {
  source("bench/simulate.R")
  # Another process measures: making the data leaves freed pages behind, which
  # would hide what training takes.
  path <- tempfile()
  saveRDS(simulate_web(documents), path, compress = FALSE)
  quit(status = system2(
    file.path(R.home("bin"), "Rscript"),
    c("bench/memory.R", "--measure", path, format(documents, scientific = FALSE))
  ))
}

measure <- function(path, documents) {
  library(rankmix)
  status <- function(field) {
    line <- grep(paste0("^", field, ":"), readLines("/proc/self/status"),
                 value = TRUE)
    1024 * as.numeric(gsub("[^0-9]", "", line))
  }
  data <- readRDS(path)
  ranking <- ranking_data(data$x, data$grade, data$query, threads = 2)
  # Loads the code and starts the threads.
  small <- ranking_data(data$x[1:5000, ], data$grade[1:5000],
                        data$query[1:5000], threads = 2)
  fit(adaboost_mh(tree(8), rounds = 2), small, threads = 2)
  rm(small)
  invisible(gc())
  before <- status("VmRSS")
  writeLines("5", "/proc/self/clear_refs")  # the peak starts anew
  model <- fit(adaboost_mh(tree(8), rounds = 10), ranking, seed = 1, threads = 2)
  added <- status("VmHWM") - before
  features <- ncol(data$x)
  allowed <- documents * (features + 64)
  lines <- c(
    "# Memory of training", "",
    "Written by `Rscript bench/memory.R`: peak resident memory that",
    sprintf("`fit(adaboost_mh(tree(8)))` adds to %s documents x %d features, 5 grades,",
            format(documents, big.mark = ",", scientific = FALSE), features),
    "2 threads. Allowed are 1 byte per feature and document and 64 bytes a document.",
    "", "| | MB | bytes a document |", "|---|---|---|",
    sprintf("| the data | %.1f | %.0f |", object.size(data$x) / 1e6,
            object.size(data$x) / documents),
    sprintf("| added by training | %.1f | %.0f |", added / 1e6, added / documents),
    sprintf("| allowed | %.1f | %.0f |", allowed / 1e6, allowed / documents)
  )
  writeLines(lines, "bench/memory.md")
  cat(lines, sep = "\n")
  if (added > allowed) {
    stop("Training takes more memory than it may.", call. = FALSE)
  }
}

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) == 3L && arguments[1L] == "--measure") {
  measure(arguments[2L], as.numeric(arguments[3L]))
} else {
  child(1200000)
}
