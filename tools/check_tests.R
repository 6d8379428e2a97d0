# Every R file has the test file of its name. RcppExports.R is made, and what holds help pages
# alone has nothing to test.

files <- list.files("R", "[.]R$", full.names = TRUE)
has_code <- vapply(files, function(file) {
  any(vapply(as.list(parse(file, keep.source = FALSE)), is.call, NA))
}, NA)
names <- setdiff(basename(files[has_code]), "RcppExports.R")
lacking <- names[!file.exists(file.path("tests", "testthat", paste0("test-", names)))]
if (length(lacking) > 0L) {
  stop(paste(c("No test file of the name:", file.path("R", lacking)), collapse = "\n  "),
       call. = FALSE)
}
cat(sprintf("The %d files of R/ have test files of their names\n", length(names)))

# All files of R/ are read into one environment, and so are the helpers of the tests. Of two functions with
# one name, that of the last file remains.
defined_twice <- function(files) {
  defined <- unlist(lapply(files, function(file) {
    lines <- grep("^[A-Za-z.][A-Za-z0-9._]* <- ", readLines(file, warn = FALSE), value = TRUE)
    unique(sub(" <- .*", "", lines))
  }))
  unique(defined[duplicated(defined)])
}
for (place in c("R/*.R", "tests/testthat/helper*.R")) {
  twice <- defined_twice(Sys.glob(place))
  if (length(twice) > 0L) {
    stop("Two files of ", place, " define ", toString(twice), ".", call. = FALSE)
  }
}

# R CMD check warns where a test names a package with `::` that DESCRIPTION does not list. Tests that use
# such a package if it is there call from_package().
packages_named <- function(code) {
  if (!is.call(code)) {
    return(if (is.expression(code) || is.pairlist(code)) unlist(lapply(code, packages_named)))
  }
  if (is.name(code[[1L]]) && as.character(code[[1L]]) %in% c("::", ":::")) {
    return(as.character(code[[2L]]))
  }
  unlist(lapply(as.list(code), packages_named))
}
fields <- read.dcf("DESCRIPTION", fields = c("Package", "Depends", "Imports", "Suggests"))
declared <- trimws(sub("[(].*", "", unlist(strsplit(fields[!is.na(fields)], ","))))
base <- rownames(installed.packages(.Library, priority = "base"))
for (file in Sys.glob("tests/testthat/*.R")) {
  undeclared <- setdiff(packages_named(parse(file, keep.source = FALSE)), c(declared, base))
  if (length(undeclared) > 0L) {
    stop(file, " names ", toString(undeclared), " with `::`, and DESCRIPTION does not list it.", call. = FALSE)
  }
}
