# OBJECTS in src/Makevars lists every source file, and nothing else.

sources <- list.files("src", "\\.cpp$", recursive = TRUE)
text <- paste(readLines("src/Makevars"), collapse = "\n")
text <- sub("^.*OBJECTS *=", "", gsub("\\\\\n", " ", text))
listed <- sub("\\.o$", ".cpp", strsplit(trimws(text), "[[:space:]]+")[[1L]])
problems <- c(
  sprintf("src/%s is not in OBJECTS", setdiff(sources, listed)),
  sprintf("OBJECTS lists %s, which does not exist", setdiff(listed, sources)),
  sprintf("OBJECTS lists %s twice", listed[duplicated(listed)])
)
if (length(problems) > 0L) {
  stop(paste(c("src/Makevars:", problems), collapse = "\n  "), call. = FALSE)
}
cat(sprintf("OBJECTS lists the %d source files\n", length(sources)))
