# Every path that ARCHITECTURE.md, CONTRIBUTING.md and README.md name in
# backquotes exists; `*` and `<name>` stand for anything.

looks_like_path <- function(x) {
  grepl("^[A-Za-z0-9_.<>*-]+(/[A-Za-z0-9_.<>*-]+)*/?$", x) &
    (grepl("/", x) | grepl("\\.(R|md|h|cpp|txt|yml)$", x)) & !grepl("^\\.\\.", x)
}

problems <- character()
checked <- 0L
for (file in c("ARCHITECTURE.md", "CONTRIBUTING.md", "README.md")) {
  text <- paste(readLines(file), collapse = "\n")
  text <- gsub("```.*?```", "", text, perl = TRUE)
  named <- unique(unlist(regmatches(text, gregexpr("`[^`\n]+`", text))))
  named <- gsub("`", "", named)
  named <- named[looks_like_path(named)]
  # What a command writes is not in the repository.
  named <- named[!grepl("^(demo|\\.build)/", named)]
  checked <- checked + length(named)
  found <- vapply(named, function(path) {
    length(Sys.glob(sub("/$", "", gsub("<[^>]*>", "*", path)))) > 0L
  }, logical(1))
  problems <- c(problems, sprintf("%s names `%s`, which does not exist", file,
                                  named[!found]))
}
if (length(problems) > 0L) {
  stop(paste(problems, collapse = "\n"), call. = FALSE)
}
if (checked == 0L) {
  stop("No path was found to check.", call. = FALSE)
}
cat(sprintf("All %d paths in the documents exist\n", checked))
