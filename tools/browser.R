# What tests of pages share: the page in headless Chromium, at the width of a window or of a
# telephone.

browser <- Sys.which(c("chromium", "chromium-browser", "google-chrome", "chrome"))
browser <- unname(browser[nzchar(browser)][1L])
if (is.na(browser)) {
  stop("This needs Chromium: run `make setup-report`.", call. = FALSE)
}

# What Chromium prints of a page: its document, and on stderr what went to the console. In virtual time, waiting
# takes no time and clocks do not show how long code runs. In real time, the document is printed once it is loaded.
open_page <- function(page, ..., virtual = TRUE) {
  profile <- tempfile("profile")
  on.exit(unlink(profile, recursive = TRUE))
  log <- tempfile()
  document <- suppressWarnings(system2(browser, c(
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--allow-file-access-from-files", "--hide-scrollbars", "--enable-logging=stderr",
    paste0("--user-data-dir=", profile), if (virtual) "--virtual-time-budget=10000", ...,
    shQuote(if (grepl("^[a-z]+://", page)) page else paste0("file://", page))
  ), stdout = TRUE, stderr = log))
  list(document = paste(document, collapse = "\n"),
       console = grep("CONSOLE", readLines(log, warn = FALSE), value = TRUE))
}

# Writes a page beside others in `folder` that shows one of them in a frame of some width:
# windows have a least width, frames have none. `head` goes before the frame.
frame_page <- function(folder, page, width, height, head = "") {
  outer <- tempfile("frame-", folder, ".html")
  frame <- sprintf("<iframe src='%s' scrolling='no' style='%s;width:%dpx;height:%dpx'></iframe>",
                   page, "border:0;display:block", width, height)
  writeLines(c("<!doctype html><meta charset='utf-8'><body style='margin:0'>", head, frame),
             outer)
  outer
}

# A picture of a page of `folder` at some width, from the top down to `height`.
take_picture <- function(folder, page, width, height, file) {
  outer <- frame_page(folder, page, width, height)
  on.exit(unlink(outer))
  open_page(outer, sprintf("--screenshot=%s", file),
            sprintf("--window-size=%d,%d", max(500L, width), height))
  file.exists(file)
}

# What a script in a page of `folder` leaves as JSON in the element #measured.
page_result <- function(opened) {
  text <- sub("(?s).*<pre id=\"measured\">([^<]*)</pre>.*", "\\1", opened$document, perl = TRUE)
  for (entity in list(c("&lt;", "<"), c("&gt;", ">"), c("&amp;", "&"))) {
    text <- gsub(entity[1L], entity[2L], text, fixed = TRUE)
  }
  tryCatch(jsonlite::fromJSON(text), error = function(e) {
    stop("The page did not tell how it looks: ", substr(text, 1L, 200L), call. = FALSE)
  })
}
