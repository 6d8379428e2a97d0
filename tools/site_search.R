# What the search of the site looks through (pkgdown/extra.js): an entry a page, and one a
# heading, with the names that a help page documents. A script, as pages that are opened as
# files may not fetch data.

write_search <- function(folder, file) {
  pages <- setdiff(list.files(folder, "[.]html$", recursive = TRUE),
                   c("404.html", "articles/index.html", "reference/index.html"))
  entries <- unlist(lapply(pages, entries_of, folder = folder), recursive = FALSE)
  json <- jsonlite::toJSON(entries, auto_unbox = TRUE)
  writeLines(c("window.searchEntries =", json, ";"), file, useBytes = TRUE)
  length(entries)
}

entries_of <- function(page, folder) {
  document <- xml2::read_html(file.path(folder, page), encoding = "UTF-8")
  title <- text_of(xml2::xml_find_first(document, "//main//h1"))
  dir <- switch(dirname(page), reference = "Reference", articles = "Articles", news = "News",
                "Home")
  entry <- function(what, id, text, names = "") {
    list(path = page, id = id, dir = dir, title = title, what = what, names = names,
         text = substr(tolower(text), 1L, 6000L))
  }
  opening <- xml2::xml_find_all(document, "//main//p[not(preceding::h2)]")
  headings <- xml2::xml_find_all(document, "//main//*[self::h2 or self::h3]")
  sections <- lapply(headings, function(heading) {
    box <- xml2::xml_parent(heading)
    id <- xml2::xml_attr(heading, "id", default = xml2::xml_attr(box, "id", default = ""))
    entry(text_of(heading), id, text_of(box))
  })
  c(list(entry(title, "", paste(text_of(opening), collapse = " "), names_of(page))), sections)
}

text_of <- function(nodes) trimws(gsub("[[:space:]]+", " ", xml2::xml_text(nodes)))

# The aliases of a help page, which has its file's name.
names_of <- function(page) {
  file <- file.path("man", sub("html$", "Rd", basename(page)))
  if (dirname(page) != "reference" || !file.exists(file)) {
    return("")
  }
  aliases <- grep("^\\\\alias[{]", readLines(file), value = TRUE)
  paste(tolower(sub("^\\\\alias[{](.*)[}]$", "\\1", aliases)), collapse = " ")
}
