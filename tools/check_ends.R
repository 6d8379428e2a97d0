# Text files end with a line break, no line ends with a space, and no file is larger than half a megabyte.
# Snapshots, fixtures and help pages are written by programs, so only their size is checked.
#
#   Rscript tools/check_ends.R [FILE...]
#
# Without files, all files that git knows are checked.

largest <- 500  # kilobytes

files <- commandArgs(trailingOnly = TRUE)
if (length(files) == 0L) files <- system2("git", c("-c", "core.quotepath=off", "ls-files"), stdout = TRUE)
files <- files[file.exists(files) & !dir.exists(files)]
made <- grepl("^tests/testthat/(_snaps|fixtures)/|^man/|RcppExports", files)
endings <- "[.](R|Rmd|md|cpp|h|yml|yaml|toml|txt|cff|json|js|css|sh|mk)$"
texts <- (grepl(endings, files) | basename(files) %in% c("Makefile", "Makevars", "DESCRIPTION", "WORDLIST")) & !made

problems <- unlist(lapply(files[texts], function(file) {
  bytes <- readBin(file, "raw", file.size(file))
  count <- length(bytes)
  if (count == 0L) return()
  line_break <- as.raw(10L)
  before_break <- bytes[which(bytes == line_break) - 1L]
  c(if (bytes[count] != line_break) sprintf("%s: no line break at the end", file),
    if (any(before_break == as.raw(13L))) sprintf("%s: Windows line ends", file),
    if (any(before_break %in% as.raw(c(9L, 32L)))) sprintf("%s: spaces at the end of a line", file))
}))
kilobytes <- file.size(files) / 1024
large <- files[kilobytes > largest]
problems <- c(problems, sprintf("%s: more than %d kB", large, largest))

if (length(problems) > 0L) stop(paste(c("", problems), collapse = "\n"), call. = FALSE)
cat(sprintf("The ends and sizes of %d files are good\n", length(files)))
