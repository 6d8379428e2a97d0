# R CMD check --as-cran of the built package, in the folder that is named, with the
# options that follow it. Fails on any error, warning or note, and where an example
# takes more of the time of all examples than CRAN allows.

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1L]
unlink(folder, recursive = TRUE)
dir.create(folder, recursive = TRUE)
folder <- normalizePath(folder)
root <- normalizePath(".")
r <- file.path(R.home("bin"), "R")
# `R CMD build` and `R CMD check` compile the same files with the same flags. With ccache the second compilation takes
# the objects of the first.
compiler <- if (nzchar(Sys.which("ccache"))) {
  if (!nzchar(Sys.getenv("CCACHE_DIR"))) Sys.setenv(CCACHE_DIR = file.path(dirname(folder), "ccache"))
  paste("CXX17 = ccache", system2(r, c("CMD", "config", "CXX17"), stdout = TRUE))
}
writeLines(c(compiler, paste0(c("CFLAGS", "CXXFLAGS", "CXX17FLAGS"), " = -O2 -Wall -pedantic")),
           file.path(folder, "Makevars"))

settings <- c(
  # What needs the archive or the clock of another machine is CRAN's to check.
  `_R_CHECK_CRAN_INCOMING_REMOTE_` = "false",
  `_R_CHECK_SYSTEM_CLOCK_` = "0",
  # R CMD check notes examples that take long by the clock, which a busy machine
  # decides. Their processor time is checked below.
  `_R_CHECK_EXAMPLE_TIMING_THRESHOLD_` = "1e6",
  # CRAN's note on an installed size above 5 MB is common for compiled packages. The size of the
  # documentation is checked below.
  `_R_CHECK_PKG_SIZES_THRESHOLD_` = "30",
  # The distribution's own flags are not portable.
  R_MAKEVARS_USER = file.path(folder, "Makevars"),
  # The manual's fonts where the full TeX is not installed.
  R_RD4PDF = "times,hyper",
  MAKEFLAGS = paste0("-j", max(1L, parallel::detectCores(), na.rm = TRUE))
)
do.call(Sys.setenv, as.list(settings))

old <- setwd(folder)
status <- system2(r, c("CMD", "build", shQuote(root)))
tarball <- list.files(pattern = "\\.tar\\.gz$")
options <- c("--as-cran", arguments[-1L], if (!nzchar(Sys.which("pdflatex"))) "--no-manual")
if (status == 0L) {
  status <- system2(r, c("CMD", "check", options, tarball))
}
setwd(old)

# CRAN allows an example 5 seconds. All examples take about 45 seconds on a quiet machine. Seconds depend on the
# machine and on other processes; the share of all examples does not.
share_limit <- 0.1
timings <- file.path(folder, "rankmix.Rcheck", "rankmix-Ex.timings")
if (!file.exists(timings)) {
  stop("R CMD check left no times of the examples.", call. = FALSE)
}
times <- utils::read.table(timings, header = TRUE, row.names = 1L)
processor <- times$user + times$system
share <- processor / sum(processor)
slow <- which(share > share_limit)
for (i in slow) {
  cat(sprintf("The example of %s took %.0f %% of the time of all examples, more than %.0f %%.\n",
              rownames(times)[i], 100 * share[i], 100 * share_limit))
}
cat(sprintf("Examples: %.0f s of processor time; slowest: %s, %.1f s\n", sum(processor),
            rownames(times)[which.max(processor)], max(processor)))

# Megabytes of documentation.
document_limit <- 5
pages <- list.files(file.path(folder, "rankmix.Rcheck", "rankmix", c("doc", "help", "html")),
                    recursive = TRUE, full.names = TRUE)
documents <- sum(file.size(pages)) / 2^20
cat(sprintf("Documentation: %.1f MB\n", documents))
large <- documents > document_limit
if (large) cat(sprintf("It must stay below %g MB.\n", document_limit))

log <- file.path(folder, "rankmix.Rcheck", "00check.log")
last <- if (file.exists(log)) utils::tail(grep("^Status", readLines(log), value = TRUE), 1L)
count <- function(word) {
  found <- regmatches(last, regexpr(paste0("[0-9]+ ", word), last))
  if (length(found) == 0L) 0L else as.integer(sub(" .*", "", found))
}
if (length(last) == 0L) {
  stop("R CMD check did not finish.", call. = FALSE)
}
counts <- c(count("ERROR"), count("WARNING"), count("NOTE"))
cat(sprintf("%d errors, %d warnings, %d notes\n", counts[1L], counts[2L],
            counts[3L]))
quit(status = if (status != 0L || any(counts > 0L) || length(slow) > 0L || large) 1L else 0L)
