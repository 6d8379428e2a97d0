# Every function of the package is defined once: of two with one name R keeps the last, and
# says nothing.

files <- list.files("R", "[.]R$", full.names = TRUE)
defined <- unlist(lapply(files, function(file) {
  values <- as.list(parse(file, keep.source = FALSE))
  named <- Filter(function(value) is.call(value) && identical(value[[1L]], as.name("<-")), values)
  vapply(named, function(value) as.character(value[[2L]])[1L], "")
}))
twice <- unique(defined[duplicated(defined)])
if (length(twice) > 0L) {
  stop("Defined twice in R/: ", paste(twice, collapse = ", "), call. = FALSE)
}
cat(sprintf("The %d names in R/ are defined once\n", length(defined)))
