# Which lines of R and C++ code the tests run. Called by `make coverage`.
#
#   Rscript tools/coverage.R [--r] [--native] [--core] [--goal=95] [REGEX]
#
#   --r        R code, by covr and the R tests. The C++ code of .build/library is reused, and not measured.
#   --native   R code, and the C++ code of bindings and core that the R tests run. Compiles all C++ code.
#   --core     C++ code that tests/cpp runs. Compiles the core and its tests.
#   --goal     fails if less than this percentage of the lines of R or of C++ is covered
#   REGEX      only R test files whose names match
#
# RANKMIX_TESTS=quick runs the R tests with small draws, without the slow tests.
#
# Without parts, --native and --core are run. A full run compiles all C++ code twice and runs all tests, so it can be
# run in parts. With REGEX, lines are added to the results of earlier runs. Without REGEX, the results of that part are
# measured anew.
#
# Writes to .build/coverage: index.html, which lists the lines that are not covered; summary.md, a table by folder; and
# lines.csv, with the number of runs of each line.
#
# C++ code is compiled with `-O1 -g -fno-inline --coverage -fprofile-update=atomic`. Counters are atomic because of
# threads. Without inlining, each function keeps its own lines. R/RcppExports.R and src/RcppExports.cpp are not counted,
# because Rcpp writes them.

source("tools/coverage_gcov.R")
source("tools/coverage_report.R")

arguments <- commandArgs(trailingOnly = TRUE)
options <- grep("^--", arguments, value = TRUE)
regex <- setdiff(arguments, options)
regex <- if (length(regex) > 0L && nzchar(regex[1L])) regex[1L]
goal <- as.numeric(sub("^--goal=", "", grep("^--goal=", options, value = TRUE)))
parts <- intersect(c("r", "native", "core"), sub("^--", "", options))
if (length(parts) == 0L) parts <- c("native", "core")
unknown <- grep("^--(r|native|core|goal=[0-9.]+)$", options, value = TRUE, invert = TRUE)
if (length(unknown) > 0L) stop("There is no option ", toString(unknown), ".", call. = FALSE)

root <- normalizePath(".")
output <- file.path(root, ".build", "coverage")
dir.create(output, recursive = TRUE, showWarnings = FALSE)
make_jobs <- paste0("-j", max(1L, parallel::detectCores(), na.rm = TRUE))
gcov_flags <- "-O1 -g -fno-inline --coverage -fprofile-update=atomic"

install_covr <- function() {
  if (requireNamespace("covr", quietly = TRUE)) return(invisible())
  library <- file.path(root, ".build", "packages")
  dir.create(library, showWarnings = FALSE)
  .libPaths(c(library, .libPaths()))
  if (identical(unname(getOption("repos")["CRAN"]), "@CRAN@")) utils::chooseCRANmirror(ind = 1L)
  message("Installing covr from CRAN")
  utils::install.packages("covr", lib = library, quiet = TRUE)
}

# A copy of the package without C++ code. Its Makefile copies a library that was compiled before.
package_copy <- function(shared_library) {
  copy <- file.path(output, "package")
  unlink(copy, recursive = TRUE)
  dir.create(file.path(copy, "src"), recursive = TRUE)
  file.copy(c("DESCRIPTION", "NAMESPACE", "R", "inst"), copy, recursive = TRUE)
  writeLines(c("all:", sprintf("\tcp '%s' .", shared_library)), file.path(copy, "src", "Makefile"))
  copy
}

# The shared library of bindings and core, compiled for gcov. gcov needs the folder of the objects, so it is kept.
native_folder <- file.path(output, "native")
compile_native <- function() {
  file <- file.path(native_folder, "library", "rankmix", "libs", paste0("rankmix", .Platform$dynlib.ext))
  sources <- list.files("src", "[.](cpp|h)$|^Makevars$", recursive = TRUE, full.names = TRUE)
  if (file.exists(file) && all(file.mtime(sources) < file.mtime(file))) return(file)
  message("Compiling for gcov. The log is .build/coverage/native/install.log.")
  unlink(native_folder, recursive = TRUE)
  dir.create(file.path(native_folder, "library"), recursive = TRUE)
  dir.create(file.path(native_folder, "source"))
  copy <- file.path(native_folder, "source")
  file.copy(c("DESCRIPTION", "NAMESPACE", "R", "inst", "src"), copy, recursive = TRUE)
  unlink(list.files(file.path(copy, "src"), "[.](o|so|dll)$", recursive = TRUE, full.names = TRUE))
  makevars <- file.path(native_folder, "Makevars")
  writeLines(c(paste("CXX17FLAGS =", gcov_flags), "LDFLAGS = --coverage"), makevars)
  Sys.setenv(R_MAKEVARS_USER = makevars, RANKMIX_SYMBOLS = "yes",
             MAKEFLAGS = make_jobs)
  on.exit(Sys.unsetenv(c("R_MAKEVARS_USER", "RANKMIX_SYMBOLS", "MAKEFLAGS")))
  log <- file.path(native_folder, "install.log")
  into <- shQuote(file.path(native_folder, "library"))
  status <- system2(file.path(R.home("bin"), "R"),
                    c("CMD", "INSTALL", "--no-docs", "--no-test-load", "-l", into, shQuote(copy)),
                    stdout = log, stderr = log)
  if (status != 0L) stop("The compilation failed: ", log, call. = FALSE)
  file
}

# Runs of each line of R code.
measure_r <- function(shared_library) {
  install_covr()
  copy <- package_copy(shared_library)
  results <- file.path(output, "tests.rds")
  unlink(results)
  code <- c(
    sprintf("Sys.setenv(NOT_CRAN = \"true\", RANKMIX_TESTS = %s)", deparse(Sys.getenv("RANKMIX_TESTS", "usual"))),
    sprintf("found <- testthat::test_dir(%s,", deparse(file.path(root, "tests", "testthat"))),
    "  package = \"rankmix\", load_package = \"installed\", reporter = \"check\", stop_on_failure = FALSE,",
    sprintf("  filter = %s)", if (is.null(regex)) "NULL" else deparse(regex)),
    sprintf("saveRDS(as.data.frame(found), %s)", deparse(results)),
    # A process that a test kills can leave a part of its counts, which covr cannot read. Others may still write.
    "Sys.sleep(5)",
    "traces <- list.files(.libPaths()[1L], \"^covr_trace_\", full.names = TRUE)",
    "readable <- vapply(traces, function(file) !inherits(try(readRDS(file), silent = TRUE), \"try-error\"), NA)",
    "unlink(traces[!readable])"
  )
  covered <- covr::package_coverage(copy, type = "none", code = paste(code, collapse = "\n"), clean = FALSE,
                                    pre_clean = FALSE, line_exclusions = list("R/RcppExports.R"))
  if (!file.exists(results)) stop("The tests ended early. Without results there is no coverage.", call. = FALSE)
  tests <- readRDS(results)
  cat(sprintf("R tests: %d files, %d expectations, %d failed\n", length(unique(tests$file)), sum(tests$nb),
              sum(tests$failed) + sum(tests$error)))
  lines <- covr::tally_coverage(covered, by = "line")
  data.frame(file = lines$filename, line = lines$line, runs = lines$value)
}

# Runs of each line of C++ code by tests/cpp.
measure_core <- function() {
  build <- file.path(output, "core")
  unlink(list.files(build, "[.]gcda$", recursive = TRUE, full.names = TRUE))
  settings <- c("VARIANTS=gcov", "gcov.seed=0", paste0("gcov.flags=", gcov_flags, " -Wno-error"),
                paste0("BUILD=", build))
  status <- system2("make", c("--no-print-directory", make_jobs, "-C", "tests/cpp", "all", shQuote(settings)))
  if (status != 0L) warning("Tests of the core failed.", call. = FALSE)
  gcov_lines(build, file.path(root, "src"))
}

measured <- list()
if (any(c("r", "native") %in% parts)) {
  native <- "native" %in% parts
  built <- file.path(root, ".build", "library", "rankmix", "libs", paste0("rankmix", .Platform$dynlib.ext))
  # Another build can be named, for example of another checkout with the same C++ code.
  shared_library <- if (native) compile_native() else Sys.getenv("RANKMIX_SHARED_LIBRARY", built)
  if (!file.exists(shared_library)) stop("Run `make library` first.", call. = FALSE)
  # gcov adds the counts of each process to the files of earlier ones.
  if (native && is.null(regex)) {
    unlink(list.files(native_folder, "[.]gcda$", recursive = TRUE, full.names = TRUE))
  }
  measured$r <- measure_r(shared_library)
  if (native) measured$native <- gcov_lines(native_folder, file.path(native_folder, "source", "src"))
}
if ("core" %in% parts) measured$core <- measure_core()

for (part in names(measured)) {
  kept <- file.path(output, paste0(part, ".rds"))
  # Counts of gcov are sums already. Counts of R are added if the code is the same.
  sources <- tools::md5sum(list.files("R", "[.]R$", full.names = TRUE))
  if (part == "r" && !is.null(regex) && file.exists(kept)) {
    before <- readRDS(kept)
    if (identical(attr(before, "sources"), sources)) measured$r <- add_lines(before, measured$r)
  }
  saveRDS(structure(measured[[part]], sources = sources), kept)
}

pieces <- lapply(Filter(file.exists, file.path(output, c("r.rds", "native.rds", "core.rds"))), readRDS)
lines <- Reduce(add_lines, pieces)
utils::write.csv(lines, file.path(output, "lines.csv"), row.names = FALSE)
covered <- write_report(lines, output)
short <- covered[covered < c(goal, 0)[1L]]
if (length(short) > 0L) {
  stop(sprintf("Less than %g %% of the lines are covered: %s.", goal,
               paste(sprintf("%s %.1f %%", names(short), short), collapse = ", ")), call. = FALSE)
}
