# Tests with the packages of Config/Needs/hooks, if they are installed: `make test-hooks`. DESCRIPTION does
# not suggest these packages, so no test uses `::` with them.

from_package <- function(package, name) {
  skip_if_not_installed(package)
  getExportedValue(package, name)
}

# The value of `code`, a function without arguments, in a process where a small package of
# this name replaces the real package. All functions of the small package are exported.
with_stand_in <- function(name, functions, code) {
  skip_if_not_installed("callr")
  folder <- tempfile("stand-in")
  withr::defer(unlink(folder, recursive = TRUE))
  package <- file.path(folder, name)
  dir.create(file.path(package, "R"), recursive = TRUE)
  dir.create(file.path(folder, "library"))
  writeLines(c(paste("Package:", name), "Version: 99.0", "Title: Stand-in", "License: none",
               "Description: Stands in.", "Author: Nobody", "Maintainer: Nobody <no@body.org>"),
             file.path(package, "DESCRIPTION"))
  writeLines('exportPattern("^[a-z]")', file.path(package, "NAMESPACE"))
  texts <- lapply(functions, deparse)
  writeLines(unlist(Map(function(name, text) c(sprintf("`%s` <-", name), text), names(texts),
                        texts)), file.path(package, "R", "code.R"))
  methods <- grep("^[a-z]+[.][a-z]+$", names(functions), value = TRUE)
  cat(sprintf("S3method(%s)", sub(".", ",", methods, fixed = TRUE)), sep = "\n",
      file = file.path(package, "NAMESPACE"), append = TRUE)
  done <- callr::rcmd("INSTALL", c("--no-docs", "-l", file.path(folder, "library"), package))
  stopifnot(done$status == 0L)
  callr::r(code, libpath = c(file.path(folder, "library"), .libPaths()))
}
