# Memory that training adds to the data. Writes bench/memory.md.
#
#   Rscript bench/memory.R
#
# A fresh process for each base learner loads the data (1.2 million documents x 136
# features, 5 grades), notes its resident memory, trains adaboost_mh() with it, or gbrt() and
# lambdamart(), for 16 rounds, and notes the peak. The target is 1 byte per feature and row plus
# 64 bytes a row, 100 for other objectives than least squares. Linux only: it reads VmHWM and
# VmRSS from /proc/self/status.

source("bench/simulate.R")

documents <- 1200000
bases <- c("base_stump()", "base_tree(8)", "base_tree(64)", "base_hamming_tree(8)", "base_product(3)", "base_product(10)",
           "base_tree(8, votes = \"confidence\")", "base_tree(64, votes = \"confidence\")",
           sprintf("%s, precision = \"double\"",
                   c("base_stump()", "base_tree(8)", "base_tree(64)", "base_hamming_tree(64)", "base_product(3)",
                     "base_product(10)", "base_tree(8, votes = \"confidence\")",
                     "base_tree(64, votes = \"confidence\")",
                     "base_hamming_tree(64, votes = \"confidence\")",
                     "base_product(10, votes = \"confidence\")")))
learners <- c(sprintf("adaboost_mh(%s)", bases), "gbrt(num_leaves = 8)", "gbrt(num_leaves = 64)",
              "gbrt(num_leaves = 64, precision = \"double\")", "lambdamart(num_leaves = 64)")
# Bytes a document beside those of the bins: an objective needs gradients and queries.
most <- ifelse(startsWith(learners, "lambdamart"), 100, 64)

# What a child process prints: the bytes that training adds.
measure <- function(path, learner) {
  library(rankmix)
  status <- function(field) {
    line <- grep(paste0("^", field, ":"), readLines("/proc/self/status"), value = TRUE)
    1024 * as.numeric(gsub("[^0-9]", "", line))
  }
  spec <- function(rounds) {
    spec <- eval(parse(text = learner))
    spec[[intersect(c("rounds", "trees"), names(spec))]] <- rounds
    spec
  }
  data <- readRDS(path)
  ranking <- ranking_data(data$x, data$grade, data$query, threads = 2)
  # Loads the code and starts the threads.
  small <- ranking_data(data$x[1:5000, ], data$grade[1:5000], data$query[1:5000], threads = 2)
  fit(spec(2), small, threads = 2)
  rm(small)
  invisible(gc())
  before <- status("VmRSS")
  writeLines("5", "/proc/self/clear_refs")  # the peak starts anew
  model <- fit(spec(16), ranking, seed = 1, threads = 2)
  cat(status("VmHWM") - before, "\n")
}

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) == 3L && arguments[1L] == "--measure") {
  measure(arguments[2L], readLines(arguments[3L]))
  quit()
}

# Another process measures: making the data leaves freed pages behind, which would hide
# what training takes.
path <- tempfile()
data <- simulate_web(documents)
features <- ncol(data$x)
size <- as.numeric(object.size(data$x))
saveRDS(data, path, compress = FALSE)
rm(data)
added <- vapply(learners, function(learner) {
  named <- tempfile()
  writeLines(learner, named)
  output <- system2(file.path(R.home("bin"), "Rscript"),
                    c("bench/memory.R", "--measure", path, named), stdout = TRUE)
  as.numeric(output[length(output)])
}, numeric(1))

allowed <- documents * (features + most)
row <- function(label, bytes) {
  sprintf("| %s | %.1f | %.0f |", label, bytes / 1e6, bytes / documents)
}
lines <- c(
  "# Memory of training", "",
  "Written by `Rscript bench/memory.R`: peak resident memory that `fit()` adds to",
  sprintf("%s documents x %d features, 5 grades, with each learner, 2 threads. The limit is",
          format(documents, big.mark = ",", scientific = FALSE), features),
  "1 byte per feature and document, plus 64 bytes a document, or 100 bytes with an objective other than squared error.",
  sprintf("rankmix %s, %s.",
          packageVersion("rankmix"), R.version.string),
  "", "| | MB | bytes a document |", "|---|---|---|",
  row("the data", size), row("limit for training", allowed[1L]), row(learners, added)
)
writeLines(lines, "bench/memory.md")
cat(lines, sep = "\n")
over <- learners[added > allowed]
if (length(over) > 0L) {
  stop("More memory than allowed: ", toString(over), call. = FALSE)
}
