# Renders the articles of vignettes/articles to the folder that is named; fails where one does.

folder <- commandArgs(trailingOnly = TRUE)[1L]
dir.create(folder, recursive = TRUE, showWarnings = FALSE)
folder <- normalizePath(folder)
articles <- list.files("vignettes/articles", "[.]Rmd$", full.names = TRUE)
stopifnot(length(articles) > 0L)
for (article in articles) {
  seconds <- system.time(
    rmarkdown::render(article, output_dir = folder, intermediates_dir = tempfile(), quiet = TRUE,
                      envir = new.env(parent = globalenv()))
  )[["elapsed"]]
  cat(sprintf("%s: %.0f s\n", basename(article), seconds))
}
