# The page in headless Chromium, where it is: nothing on the console, nothing wider than the window.

test_page <- function(check, page, folder) {
  browser <- Sys.which(c("chromium", "chromium-browser", "google-chrome", "chrome"))
  browser <- browser[nzchar(browser)][1L]
  if (is.na(browser)) {
    message("There is no Chromium: the page was not looked at.")
    return(invisible())
  }
  for (width in c(1280L, 390L)) {
    seen <- page_in_frame(browser, page, width, folder)
    at <- sprintf("at %d pixels ", width)
    check(seen$width == width, paste0(at, "the frame is as wide"))
    check(seen$wide == 0 && seen$scroll <= width, paste0(at, "nothing is wider"))
    check(seen$cut == 0, paste0(at, "tables fit the width"))
    check(length(seen$console) == 0L, paste0(at, "the console is quiet"))
  }
}

# Windows have a least width, frames have none: the page reports its sizes to the outside.
page_in_frame <- function(browser, page, width, folder) {
  probe <- "<script>addEventListener('load', () => parent.postMessage({
    width: innerWidth, scroll: document.documentElement.scrollWidth,
    wide: [...document.querySelectorAll('body *')].filter(e => !e.closest('.wide') &&
      e.getBoundingClientRect().right > innerWidth + 1).length,
    cut: [...document.querySelectorAll('.wide')].filter(e =>
      e.scrollWidth > e.clientWidth + 1).length}, '*'))</script></body>"
  text <- paste(readLines(page), collapse = "\n")
  writeLines(sub("</body>", probe, text, fixed = TRUE), file.path(folder, "inside.html"))
  outside <- file.path(folder, "outside.html")
  writeLines(sprintf("<!doctype html><body><pre id='measured'></pre><script>
    addEventListener('message', e => {
      document.getElementById('measured').textContent = JSON.stringify(e.data); });
    </script><iframe src='inside.html' style='border:0;width:%dpx;height:900px'></iframe>",
                     width), outside)
  log <- tempfile()
  document <- system2(browser, c(
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
    "--allow-file-access-from-files", "--enable-logging=stderr",
    paste0("--user-data-dir=", tempfile("profile")), "--virtual-time-budget=10000", "--dump-dom",
    sprintf("--window-size=%d,1000", max(600L, width + 50L)), shQuote(paste0("file://", outside))
  ), stdout = TRUE, stderr = log)
  reported <- sub(".*<pre id=\"measured\">([^<]*)</pre>.*", "\\1", paste(document, collapse = " "))
  field <- function(name) as.numeric(sub(sprintf(".*\"%s\":([0-9.]+).*", name), "\\1", reported))
  list(width = field("width"), scroll = field("scroll"), wide = field("wide"),
       cut = field("cut"), console = grep("CONSOLE", readLines(log, warn = FALSE), value = TRUE))
}
