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

# The helpers are read into one environment: of two functions with one name the last file's remains.
defined <- unlist(lapply(Sys.glob("tests/testthat/helper*.R"), function(file) {
  lines <- grep("^[A-Za-z.][A-Za-z0-9._]* <- ", readLines(file, warn = FALSE), value = TRUE)
  unique(sub(" <- .*", "", lines))
}))
twice <- unique(defined[duplicated(defined)])
if (length(twice) > 0L) {
  stop("Two helpers of the tests define ", toString(twice), ".", call. = FALSE)
}
