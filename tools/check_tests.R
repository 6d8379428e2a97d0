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
