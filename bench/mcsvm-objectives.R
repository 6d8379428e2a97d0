# Objectives of the multi-class support vector machine against LiblineaR's (type 4). Writes
# bench/mcsvm-objectives.md.
#
#   Rscript bench/mcsvm-objectives.R [seconds]
#
# C = 1e-6 .. 10 on MQ2008 and OHSUMED (Fold1) and MSLR-sample (features standardised), both
# solvers with the tolerance 1e-3, and rankmix's duality gap. Needs RANKMIX_DATA. A fit of LiblineaR is
# stopped after the given number of seconds, by default an hour. Each finished line is saved in
# .build/mcsvm-objectives.txt; a run that was stopped continues from this file.

library(rankmix)
source("bench/common.R")
need_package("LiblineaR")

limit <- as.numeric(c(commandArgs(trailingOnly = TRUE), "3600")[1L])
costs <- 10^(-6:1)
kept <- ".build/mcsvm-objectives.txt"
dir.create(".build", showWarnings = FALSE)
if (!file.exists(kept)) file.create(kept)

objective <- function(weights, x, grade, cost) {
  z <- x %*% weights
  own <- cbind(seq_along(grade), grade + 1)
  margin <- z + 1
  margin[own] <- z[own]
  sum(weights^2) / 2 + cost * sum(do.call(pmax, as.data.frame(margin)) - z[own])
}

# Runs in a separate process, which can be stopped. NA if the process was stopped.
peer_objective <- function(x, grade, cost) {
  files <- tempfile(c("data", "model", "script"))
  saveRDS(list(x = x, grade = grade), files[1L], compress = FALSE)
  writeLines(c(
    sprintf("data <- readRDS(%s)", deparse(files[1L])),
    sprintf("model <- LiblineaR::LiblineaR(data$x, data$grade, type = 4, cost = %.17g,", cost),
    "                              epsilon = 1e-3, bias = 0)",
    sprintf("saveRDS(model, %s)", deparse(files[2L]))
  ), files[3L])
  suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), files[3L], timeout = limit))
  if (!file.exists(files[2L])) {
    return(NA)
  }
  model <- readRDS(files[2L])
  weights <- matrix(0, ncol(x), max(grade) + 1)
  weights[, as.integer(as.character(model$ClassNames)) + 1] <- t(model$W[, seq_len(ncol(x))])
  objective(weights, x, grade, cost)
}

standardised <- function(data) {
  x <- scale(data$x)
  x[is.na(x)] <- 0
  ranking_data(matrix(x, nrow(x)), data$relevance, data$query)
}
sets <- list(
  MQ2008 = read_letor(file.path(data_folder("MQ2008", "Fold1"), "train.txt")),
  OHSUMED = read_letor(file.path(data_folder("OHSUMED", "Fold1"), "train.txt")),
  `MSLR-sample, standardised` =
    standardised(read_letor(file.path(data_folder("MSLR-sample"), "train.txt")))
)

for (name in names(sets)) {
  data <- sets[[name]]
  path <- fit(mcsvm(costs, bias = FALSE, scale = "none"), data, threads = 2, verbose = FALSE)
  for (i in seq_along(costs)) {
    start <- sprintf("| %s | %g |", name, costs[i])
    if (any(startsWith(readLines(kept), start))) next
    ours <- objective(path$path[[i]]$weights, data$x, data$relevance, costs[i])
    theirs <- peer_objective(data$x, data$relevance, costs[i])
    compared <- if (is.na(theirs)) {
      sprintf("not done in %g s | |", limit)
    } else {
      sprintf("%.8g | %+.1e |", theirs, (ours - theirs) / theirs)
    }
    line <- sprintf("%s %.8g | %s %.1e | %d |", start, ours, compared, path$path[[i]]$gap,
                    path$path[[i]]$steps)
    cat(line, "\n")
    cat(line, "\n", file = kept, append = TRUE)
  }
}

lines <- c(
  "# Objectives of the multi-class support vector machine", "",
  "Written by `Rscript bench/mcsvm-objectives.R`: both solvers have the tolerance 1e-3 and no",
  "bias. One formula computes both objectives. `difference` is rankmix minus LiblineaR, relative to LiblineaR. The",
  "relative duality gap bounds how far rankmix is from the minimum.",
  sprintf("rankmix %s, LiblineaR %s, %s.", packageVersion("rankmix"),
          packageVersion("LiblineaR"), R.version.string), "",
  "| data | C | rankmix | LiblineaR | difference | gap | Newton steps |",
  "|---|---|---|---|---|---|---|", trimws(readLines(kept))
)
writeLines(lines, "bench/mcsvm-objectives.md")
cat(lines, sep = "\n")
