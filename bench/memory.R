# Memory that training and other calls add to the data. Writes bench/memory.md.
#
#   Rscript bench/memory.R
#   Rscript bench/memory.R calls    # only the table of other calls, a minute
#
# A fresh process for each base learner loads the data (1.2 million documents x 136
# features, 5 grades), notes its resident memory, trains adaboost_mh() with it, or gbrt() and
# lambdamart(), for 16 rounds, and notes the peak. The target is 1 byte per feature and row plus
# 64 bytes per row, 100 for other objectives than least squares. Linux only: it reads VmHWM and
# VmRSS from /proc/self/status. The other calls run in one process, on 240,000 documents whose matrix has
# new names. Their target is the size of the result, and half of the features.

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
# Bytes a document in addition to the bins. An objective needs gradients and queries.
most <- ifelse(startsWith(learners, "lambdamart"), 100, 64)

status <- function(field) {
  line <- grep(paste0("^", field, ":"), readLines("/proc/self/status"), value = TRUE)
  1024 * as.numeric(gsub("[^0-9]", "", line))
}

# A child process prints the bytes that training adds.
measure <- function(path, learner) {
  library(rankmix)
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

# The size of the result of each call, in units of the features.
calls <- alist(
  "`ranking_data()`" = list(0, ranking_data(x, grade, query, threads = 2)),
  "`ranking_data()` of a data frame" = list(1, ranking_data(frame, grade, query, threads = 2)),
  "`predict()` of trees" = list(0, predict(trees, x, threads = 2)),
  "`predict()` of a linear model" = list(0, predict(ridge, x, threads = 2)),
  "`predict()` of a linear model, missing values" = list(0, predict(ridge, holes, threads = 2)),
  "`evaluate()`" = list(0, evaluate(trees, data, "ndcg@10", threads = 2)),
  "`explain()` of trees" = list(1, explain(trees, data, threads = 2)),
  "`explain()` of a linear model" = list(1, explain(ridge, data, threads = 2)),
  # One copy of the features is changed in place.
  "`permutation_importance()`" = list(1, permutation_importance(
    trees, data, times = 2, features = "f1", seed = 1, threads = 2, verbose = FALSE
  )),
  "`partial_dependence()`" = list(1, partial_dependence(trees, data, "f1", points = 3, threads = 2))
)

# Prints the peak that each call adds, in units of the features.
measure_calls <- function() {
  library(rankmix)
  web <- simulate_web()
  x <- web$x
  grade <- web$grade
  query <- web$query
  colnames(x) <- paste0("f", seq_len(ncol(x)))
  few <- query <= 40
  small <- ranking_data(x[few, ], grade[few], query[few], threads = 2)
  trees <- fit(gbrt(5), small, threads = 2, verbose = FALSE)
  ridge <- fit(linear_ranker(missing = "mean"), small, threads = 2)
  invisible(explain(trees, small, threads = 2))
  data <- ranking_data(x, grade, query, threads = 2)
  frame <- as.data.frame(x)
  holes <- x
  holes[1, 1] <- NA
  colnames(x) <- colnames(x)
  for (call in calls) {
    invisible(gc())
    before <- status("VmRSS")
    writeLines("5", "/proc/self/clear_refs")
    found <- eval(call[[3L]])
    cat((status("VmHWM") - before) / as.numeric(object.size(x)), "\n")
    rm(found)
  }
}

arguments <- commandArgs(trailingOnly = TRUE)
if (identical(arguments, "--measure-calls")) {
  measure_calls()
  quit()
}
if (length(arguments) == 3L && arguments[1L] == "--measure") {
  measure(arguments[2L], readLines(arguments[3L]))
  quit()
}

child <- function(arguments) {
  output <- system2(file.path(R.home("bin"), "Rscript"), c("bench/memory.R", arguments), stdout = TRUE)
  suppressWarnings(as.numeric(output))
}

# Writes the second table, and fails if a call needs more than its target.
report_calls <- function(lines) {
  peaks <- child("--measure-calls")
  peaks <- utils::tail(peaks[!is.na(peaks)], length(calls))
  targets <- vapply(calls, `[[`, 0, 2L) + 0.5
  lines <- c(
    lines, "## Other calls", "",
    "Peak resident memory that a call adds to 240,000 documents x 136 features, in units of the features (261 MB).",
    "The target is 0.5 plus the size of the result, or of one copy that the call changes.", "",
    "| | features | target |", "|---|---|---|", sprintf("| %s | %.2f | %.1f |", names(calls), peaks, targets)
  )
  writeLines(lines, "bench/memory.md")
  cat(lines, sep = "\n")
  over <- names(calls)[peaks > targets]
  if (length(over) > 0L) {
    stop("More memory than allowed: ", toString(over), call. = FALSE)
  }
}

if (identical(arguments, "calls")) {
  lines <- readLines("bench/memory.md")
  first <- match("## Other calls", lines)
  report_calls(if (is.na(first)) c(lines, "") else lines[seq_len(first - 1L)])
  quit()
}

# A child process measures. Simulating the data leaves freed pages in this process, which would hide memory
# that training uses.
path <- tempfile()
data <- simulate_web(documents)
features <- ncol(data$x)
size <- as.numeric(object.size(data$x))
saveRDS(data, path, compress = FALSE)
rm(data)
added <- vapply(learners, function(learner) {
  named <- tempfile()
  writeLines(learner, named)
  output <- child(c("--measure", path, named))
  output[length(output)]
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
  "1 byte per feature and document, plus 64 bytes per document, or 100 bytes with an objective other than squared error.",
  sprintf("rankmix %s, %s.",
          packageVersion("rankmix"), R.version.string),
  "", "| | MB | bytes per document |", "|---|---|---|",
  row("the data", size), row("limit for training", allowed[1L]), row(learners, added)
)
report_calls(c(lines, ""))
over <- learners[added > allowed]
if (length(over) > 0L) {
  stop("More memory than allowed: ", toString(over), call. = FALSE)
}
