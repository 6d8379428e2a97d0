# Makes the site of _pkgdown.yml in .build/site, by `make site`: pkgdown's pages, and then what
# they lack to work offline, or as files: formulas that a browser shows by itself, a search
# that needs no server, and the cheat sheet. Asks nothing of the internet.

source("tools/site_formulas.R")
source("tools/site_search.R")
source("tools/check_site.R")

options(pkgdown.internet = FALSE)
folder <- file.path(getwd(), ".build", "site")
unlink(folder, recursive = TRUE)
pkgdown::build_site(preview = FALSE, install = FALSE, devel = FALSE, new_process = FALSE)

pages <- list.files(folder, "[.]html$", recursive = TRUE, full.names = TRUE)
cat(sprintf("Formulas: %d\n", show_formulas(pages)))
# pkgdown takes NDCG@10 for somebody's address, and a page without a logo for one with.
for (page in pages) {
  text <- paste(readLines(page, encoding = "UTF-8"), collapse = "\n")
  text <- gsub("<a href=\"mailto:[^\"@]*@[0-9]+\"[^>]*>([^<]*)</a>", "\\1", text)
  text <- gsub("<img src=\"\" class=\"logo\" alt=\"\">", "", text, fixed = TRUE)
  writeLines(text, page, useBytes = TRUE)
}

cat(sprintf("Search: %d entries\n", write_search(folder, file.path(folder, "search.js"))))
unlink(file.path(folder, c("search.json", "sitemap.xml")))

stopifnot(file.copy("data-raw/cheatsheet/cheatsheet.pdf", folder))
cat(sprintf("The site is in .build/site: %d pages, %.1f MB\n", length(pages),
            sum(file.size(list.files(folder, recursive = TRUE, full.names = TRUE))) / 2^20))
