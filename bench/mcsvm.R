# The multi-class support vector machine against LiblineaR's (type 4). Writes
# bench/mcsvm.md.
#
#   Rscript bench/mcsvm.R
#
# 1. Objectives for C = 1e-6 .. 10 on MQ2008 and OHSUMED (Fold1) and MSLR-sample (features
#    standardised), both solvers with the tolerance 1e-3, and rankmix's duality gap. Needs
#    RANKMIX_DATA.
# 2. The time of the whole path on 240,000 documents x 136 standardised features, 5 grades.
#    LiblineaR fits each C on its own; it runs in a process of its own, which is stopped once
#    it has taken 12 times as long as rankmix: the ratio is then a lower bound.
# 3. The time a document on 1.2 million documents.

arguments <- commandArgs(trailingOnly = TRUE)
costs <- 10^(-6:1)
liblinear <- function(x, grade, cost) {
  LiblineaR::LiblineaR(x, grade, type = 4, cost = cost, epsilon = 1e-3, bias = 0)
}

# The other process: the fits in turn, each with its time in a line of the file.
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

objective <- function(weights, x, grade, cost) {
  z <- x %*% weights
  own <- cbind(seq_along(grade), grade + 1)
  margin <- z + 1
  margin[own] <- z[own]
  sum(weights^2) / 2 + cost * sum(do.call(pmax, as.data.frame(margin)) - z[own])
}
peer_objective <- function(x, grade, cost) {
  model <- liblinear(x, grade, cost)
  weights <- matrix(0, ncol(x), max(grade) + 1)
  weights[, as.integer(as.character(model$ClassNames)) + 1] <- t(model$W[, seq_len(ncol(x))])
  objective(weights, x, grade, cost)
}

standardised <- function(data) {
  x <- scale(data$x)
  x[is.na(x)] <- 0
  ranking_data(matrix(x, nrow(x)), data$relevance, data$query)
}
real_sets <- function() {
  list(
    MQ2008 = read_letor(file.path(data_folder("MQ2008", "Fold1"), "train.txt")),
    OHSUMED = read_letor(file.path(data_folder("OHSUMED", "Fold1"), "train.txt")),
    `MSLR-sample, standardised` =
      standardised(read_letor(file.path(data_folder("MSLR-sample"), "train.txt")))
  )
}
agreement <- function(name, data) {
  path <- fit(mcsvm(costs), data, threads = 2, verbose = FALSE)
  vapply(seq_along(costs), function(i) {
    ours <- objective(path[[i]]$weights, data$x, data$relevance, costs[i])
    theirs <- peer_objective(data$x, data$relevance, costs[i])
    line <- sprintf("| %s | %g | %.8g | %.8g | %+.1e | %.1e | %d |", name, costs[i], ours, theirs,
                    (ours - theirs) / theirs, path[[i]]$gap, path[[i]]$steps)
    cat(line, "\n")
    line
  }, character(1))
}

path_seconds <- function(data, threads) {
  gc(FALSE)
  path <- NULL
  seconds <- system.time({
    path <- fit(mcsvm(costs), data, threads = threads, verbose = FALSE)
  })[["elapsed"]]
  print(path)
  list(seconds = seconds, gap = max(glance(path)$gap), steps = sum(glance(path)$steps))
}
simulated <- function(documents) {
  data <- simulate_web(documents)
  standardised(list(x = data$x, relevance = data$grade, query = data$query))
}

sets <- real_sets()
agreements <- unlist(Map(agreement, names(sets), sets))
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
  sprintf(paste("LiblineaR was stopped after %.0f s, %.1f times as long, when it had done %d of the",
                "eight fits (%s)."), spent, spent / two$seconds, nrow(done),
          paste(sprintf("C = %g in %.0f s", done$V1, done$V2), collapse = ", "))
}
rm(data)
large <- path_seconds(simulated(1200000), 2L)

lines <- c(
  "# The multi-class support vector machine", "",
  "Written by `Rscript bench/mcsvm.R`.",
  sprintf("rankmix %s, LiblineaR %s, %s.", packageVersion("rankmix"),
          packageVersion("LiblineaR"), R.version.string), "",
  "## Objectives", "",
  "Both solvers with the tolerance 1e-3, no bias, the same formula for both; rankmix minus",
  "LiblineaR relative to LiblineaR's, negative where rankmix is lower; the relative duality gap",
  "bounds how far rankmix is from the minimum.", "",
  "| data | C | rankmix | LiblineaR | difference | gap | Newton steps |", "|---|---|---|---|---|---|---|",
  agreements, "",
  "## Time of the path", "",
  "C = 1e-6, ..., 10 on 240,000 documents x 136 standardised features, 5 grades:",
  sprintf("%.1f s on two threads, %.1f s on one (%d Newton steps, largest gap %.1e).", two$seconds,
          one$seconds, two$steps, two$gap),
  peer_line, "",
  sprintf("1.2 million documents: %.1f s on two threads, %.2f times as much a document.",
          large$seconds, large$seconds / 5 / two$seconds)
)
writeLines(lines, "bench/mcsvm.md")
cat(lines, sep = "\n")
