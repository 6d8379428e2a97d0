# _pkgdown.yml places every help page and every article, and names only pages and articles that exist. No vignette
# makes links of metrics.

settings <- yaml::read_yaml("_pkgdown.yml")

# Which of `pages` the entries of an index place, and the entries that are no page. An entry is
# a name, or a call with a pattern; a page is a list of its names.
place <- function(index, pages) {
  entries <- unlist(lapply(index, `[[`, "contents"))
  calls <- grepl("^(starts_with|matches)[(]\"", entries)
  patterns <- sub("^starts_with[(]\"(.*)\"[)]$", "^\\1", entries[calls])
  patterns <- sub("^matches[(]\"(.*)\"[)]$", "\\1", patterns)
  named <- entries[!calls]
  placed <- vapply(pages, function(names) {
    any(names %in% named) || any(vapply(patterns, function(p) any(grepl(p, names)), NA))
  }, NA)
  list(missed = vapply(pages[!placed], `[`, "", 1L), unknown = setdiff(named, unlist(pages)),
       twice = named[duplicated(named)])
}

# The names of each help page, its own first.
topics <- lapply(list.files("man", "[.]Rd$", full.names = TRUE), function(file) {
  lines <- readLines(file)
  if (any(lines == "\\keyword{internal}") && basename(file) != "rankmix-package.Rd") {
    return(NULL)
  }
  marked <- grep("^\\\\(name|alias)[{]", lines, value = TRUE)
  unique(sub("^\\\\(name|alias)[{](.*)[}]$", "\\2", marked))
})
topics <- Filter(Negate(is.null), topics)
articles <- sub("[.]Rmd$", "", list.files("vignettes", "[.]Rmd$", recursive = TRUE))
found <- list(reference = topics, articles = as.list(articles))

problems <- unlist(lapply(names(found), function(part) {
  index <- place(settings[[part]], found[[part]])
  c(sprintf("`%s` does not place %s", part, index$missed),
    sprintf("`%s` names %s, which does not exist", part, index$unknown),
    sprintf("`%s` names %s twice", part, index$twice))
}))

# pandoc makes an address of NDCG@10, unless this extension is off.
linking <- Filter(function(article) {
  !any(grepl("-autolink_bare_uris", readLines(file.path("vignettes", paste0(article, ".Rmd")), 10L)))
}, articles)
problems <- c(problems, sprintf("vignettes/%s.Rmd lacks `md_extensions: -autolink_bare_uris`", linking))

# Articles that the menus open.
links <- grep("^articles/.*[.]html$", unlist(settings$navbar, use.names = FALSE), value = TRUE)
pages <- c(paste0("articles/", basename(articles), ".html"), "articles/index.html")
problems <- c(problems, sprintf("`navbar` opens %s, which does not exist", setdiff(links, pages)))

if (length(problems) > 0L) {
  stop(paste(c("_pkgdown.yml:", problems), collapse = "\n  "), call. = FALSE)
}
cat(sprintf("The site places %d help pages and %d articles\n", length(topics), length(articles)))
