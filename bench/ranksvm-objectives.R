# Objectives of ranksvm() against LIBLINEAR's on the pairs, listed. Writes
# bench/ranksvm-objectives.md.
#
#   Rscript bench/ranksvm-objectives.R [seconds]
#
# C = 1e-6 .. 1e4 on OHSUMED (Fold1), squared hinge (LiblineaR's type 2, primal) and hinge (type
# 3, dual), every pair with weight 1, no bias, features standardised. Needs RANKMIX_DATA. A fit of LiblineaR
# is stopped after the given number of seconds, by default an hour. Each finished line is saved in
# .build/ranksvm-objectives.txt; a run that was stopped continues from this file.

library(rankmix)
source("bench/common.R")
source("tests/testthat/helper-naive-linear.R")
need_package("LiblineaR")

limit <- as.numeric(c(commandArgs(trailingOnly = TRUE), "3600")[1L])
kept <- ".build/ranksvm-objectives.txt"
dir.create(".build", showWarnings = FALSE)
if (!file.exists(kept)) file.create(kept)

data <- read_letor(file.path(data_folder("OHSUMED", "Fold1"), "train.txt"))
z <- naive_standard(data$x)$z
pairs <- naive_pairs(data, "plain")
sign <- rep_len(c(1, -1), nrow(pairs))
file <- tempfile(fileext = ".rds")
saveRDS(list(x = sign * (z[pairs$upper, ] - z[pairs$lower, ]), sign = sign), file, compress = FALSE)

# Runs in a separate process, which can be stopped. NA if the process was stopped.
peer_objective <- function(loss, cost) {
  files <- tempfile(c("model", "script"))
  writeLines(c(
    sprintf("data <- readRDS(%s)", deparse(file)),
    sprintf("model <- LiblineaR::LiblineaR(data$x, data$sign, type = %d, cost = %.17g,",
            if (loss == "hinge") 3L else 2L, cost),
    "                              epsilon = 1e-4, bias = 0)",
    sprintf("saveRDS(model, %s)", deparse(files[1L]))
  ), files[2L])
  suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), files[2L], timeout = limit))
  if (!file.exists(files[1L])) {
    return(NA)
  }
  model <- readRDS(files[1L])
  v <- model$W[1L, seq_len(ncol(z))] * model$ClassNames[1L]
  naive_rank_objective(v, z, pairs, cost, loss)
}

for (loss in c("squared_hinge", "hinge")) {
  path <- fit(ranksvm(loss = loss, pairs = "plain"), data, data, threads = 1, verbose = FALSE)
  for (model in path$path) {
    cost <- model$spec$cost
    start <- sprintf("| %s | %g |", loss, cost)
    if (any(startsWith(readLines(kept), start))) next
    ours <- naive_rank_objective(model$weights * model$scale, z, pairs, cost, loss)
    theirs <- peer_objective(loss, cost)
    compared <- if (is.na(theirs)) sprintf("not done in %g s | |", limit) else {
      sprintf("%.8g | %+.1e |", theirs, (ours - theirs) / theirs)
    }
    line <- sprintf("%s %.8g | %s %.1e | %d |", start, ours, compared, model$gap, model$steps)
    cat(line, "\n")
    cat(line, "\n", file = kept, append = TRUE)
  }
}

rows <- trimws(readLines(kept))
lines <- c(
  "# Objectives of RankSVM", "",
  "Written by `Rscript bench/ranksvm-objectives.R`: OHSUMED, Fold1,",
  sprintf("%s pairs. Features are standardised, every pair has weight 1, and there is no bias. One formula, over all",
          format(nrow(pairs), big.mark = ",")),
  "pairs, computes both objectives. `difference` is rankmix minus LiblineaR (types 2 and 3, tolerance 1e-4), relative to LiblineaR;",
  "the relative gap bounds how far rankmix is from the minimum.",
  sprintf("rankmix %s, LiblineaR %s, %s.", packageVersion("rankmix"),
          packageVersion("LiblineaR"), R.version.string), "",
  "| loss | C | rankmix | LiblineaR | difference | gap | Newton steps |",
  "|---|---|---|---|---|---|---|", rows
)
writeLines(lines, "bench/ranksvm-objectives.md")
cat(lines, sep = "\n")
differences <- suppressWarnings(as.numeric(vapply(strsplit(rows, " *\\| *"), `[`, "", 6L)))
hold_targets(c("objectives within 1e-4" = all(differences <= 1e-4, na.rm = TRUE)))
