# Prints the cheat sheet to PDF by headless Chromium, by `make cheatsheet`: one page, and no
# name on it that the package does not have.

source("tools/browser.R")

folder <- "data-raw/cheatsheet"
source_file <- file.path(folder, "cheatsheet.html")
target <- file.path(folder, "cheatsheet.pdf")

# The code of the sheet: what is called is a function.
text <- paste(readLines(source_file), collapse = "\n")
code <- unlist(regmatches(text, gregexpr("(?s)<(pre|code)>.*?</\\1>", text, perl = TRUE)))
name_called <- "[A-Za-z][A-Za-z0-9_.]*(?=[(])"
called <- unique(unlist(regmatches(code, gregexpr(name_called, code, perl = TRUE))))
known <- c(getNamespaceExports("rankmix"), "predict", "plot", "update", "list", "c", "vignette",
           "options", "saveRDS", "citation", "plan")
unknown <- setdiff(called, known)
if (length(unknown) > 0L) {
  stop("The cheat sheet calls what there is not: ", paste(unknown, collapse = ", "),
       call. = FALSE)
}
blocks <- regmatches(text, gregexpr("(?s)(?<=<pre>).*?(?=</pre>)", text, perl = TRUE))[[1L]]
for (block in blocks) parse(text = gsub("&lt;", "<", block))

unlink(target)
opened <- open_page(normalizePath(source_file), "--no-pdf-header-footer", "--disable-pdf-tagging",
                    sprintf("--print-to-pdf=%s", file.path(getwd(), target)))
# Each page has an object of its own; the size is for those who load it on a telephone.
bytes <- readBin(target, "raw", file.size(target))
bytes <- rawToChar(bytes[bytes != 0])
pages <- lengths(regmatches(bytes, gregexpr("/Type ?/Page[^s]", bytes, useBytes = TRUE)))
if (pages != 1L || file.size(target) > 60 * 1024) {
  stop(sprintf("The cheat sheet has %d pages and %.0f KB.", pages, file.size(target) / 1024),
       call. = FALSE)
}
cat(sprintf("%s: 1 page, %d functions, %.0f KB\n", target, length(called),
            file.size(target) / 1024))
