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

# A help page describes each parameter once: of two descriptions roxygen2 keeps the last, and says nothing.
described <- lapply(files, function(file) {
  lines <- readLines(file, encoding = "UTF-8")
  help <- grepl("^#'", lines)
  block <- cumsum(c(TRUE, help[-1L] != help[-length(help)]))
  lapply(unname(split(seq_along(lines), block)[unique(as.character(block[help]))]), function(own) {
    tag_of <- function(tag) {
      start <- sprintf("^#' @%s +", tag)
      sub(start, "", grep(start, lines[own], value = TRUE))
    }
    # The page of a block without a name is the page of the object that follows.
    page <- c(tag_of("rdname"), tag_of("name"), sub("[ (].*$", "", lines[max(own) + 1L]))[1L]
    names <- unlist(strsplit(sub(" .*$", "", tag_of("param")), ",", fixed = TRUE))
    if (length(names) > 0L) data.frame(page = trimws(page), parameter = names)
  })
})
described <- do.call(rbind, unlist(described, recursive = FALSE))
twice <- unique(described[duplicated(described), ])
if (nrow(twice) > 0L) {
  stop("Described twice: ", paste(sprintf("`%s` of ?%s", twice$parameter, twice$page), collapse = ", "), call. = FALSE)
}
cat(sprintf("All %d parameters of help pages are described once\n", nrow(described)))
