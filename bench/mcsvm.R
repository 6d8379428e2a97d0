# The time of the multi-class support vector machine against LiblineaR's (type 4). Writes
# bench/mcsvm.md; bench/mcsvm-objectives.R compares their objectives.
#
#   Rscript bench/mcsvm.R
#
# 1. The time of the whole path, C = 1e-6 .. 10, on 240,000 documents x 136 standardised
#    features, 5 grades. LiblineaR fits each C separately. It runs in a separate process, which is stopped
#    after 12 times the time of rankmix; the ratio is then a lower bound.
# 2. The time per document on 1.2 million documents.

arguments <- commandArgs(trailingOnly = TRUE)
costs <- 10^(-6:1)
liblinear <- function(x, grade, cost) {
  LiblineaR::LiblineaR(x, grade, type = 4, cost = cost, epsilon = 1e-3, bias = 0)
}

# Runs in the other process: the fits one after the other. Each writes its time as a line of the file.
if (length(arguments) == 3L && arguments[1L] == "--peer") {
  data <- readRDS(arguments[2L])
  for (cost in costs) {
    seconds <- system.time(liblinear(data$x, data$relevance, cost))[["elapsed"]]
    cat(cost, seconds, "\n", file = arguments[3L], append = TRUE)
  }
  quit()
}

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")
need_package("LiblineaR")

standardised <- function(data) {
  x <- scale(data$x)
  x[is.na(x)] <- 0
  ranking_data(matrix(x, nrow(x)), data$relevance, data$query)
}

path_seconds <- function(data, threads) {
  gc(FALSE)
  path <- NULL
  seconds <- system.time({
    path <- fit(mcsvm(costs, bias = FALSE, scale = "none"), data, threads = threads,
                verbose = FALSE)
  })[["elapsed"]]
  print(path)
  list(seconds = seconds, gap = max(glance(path)$gap), steps = sum(glance(path)$steps))
}
simulated <- function(documents) {
  data <- simulate_web(documents)
  standardised(list(x = data$x, relevance = data$grade, query = data$query))
}

data <- simulated(240000)
two <- path_seconds(data, 2L)
one <- path_seconds(data, 1L)

file <- tempfile()
log <- tempfile()
file.create(log)
saveRDS(list(x = data$x, relevance = data$relevance), file, compress = FALSE)
limit <- 12 * two$seconds
started <- proc.time()[["elapsed"]]
status <- suppressWarnings(system2(file.path(R.home("bin"), "Rscript"),
                                   c("bench/mcsvm.R", "--peer", file, log), timeout = limit))
spent <- proc.time()[["elapsed"]] - started
done <- if (file.size(log) > 0) utils::read.table(log) else data.frame(V1 = numeric(), V2 = numeric())
peer_line <- if (nrow(done) == length(costs)) {
  sprintf("LiblineaR took %.0f s for the eight fits: %.1f times as long.", sum(done$V2),
          sum(done$V2) / two$seconds)
} else {
  sprintf(paste("LiblineaR was stopped after %.0f s, %.1f times as long. It had done %d of the",
                "eight fits (%s)."), spent, spent / two$seconds, nrow(done),
          paste(sprintf("C = %g in %.0f s", done$V1, done$V2), collapse = ", "))
}
rm(data)
large <- path_seconds(simulated(1200000), 2L)

lines <- c(
  "# The time of the multi-class support vector machine", "",
  "Written by `Rscript bench/mcsvm.R`.",
  sprintf("rankmix %s, LiblineaR %s, %s.", packageVersion("rankmix"),
          packageVersion("LiblineaR"), R.version.string), "",
  "C = 1e-6, ..., 10 on 240,000 documents x 136 standardised features, 5 grades:",
  sprintf("%.1f s on two threads, %.1f s on one (%d Newton steps, largest gap %.1e).", two$seconds,
          one$seconds, two$steps, two$gap),
  peer_line, "",
  sprintf("1.2 million documents: %.1f s on two threads, %.2f times the time per document.",
          large$seconds, large$seconds / 5 / two$seconds)
)
writeLines(lines, "bench/mcsvm.md")
cat(lines, sep = "\n")
