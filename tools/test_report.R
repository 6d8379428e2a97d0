# Writes a report of a small benchmark and opens it in headless Chromium, by `make
# test-report`: no error on the console, every image there, nothing wider than the window
# at 1280, 1200, 1100 and 390 pixels. A table that scrolls has a shadow at its edge. Leaves the page
# and its pictures in .build/report.
#
#   Rscript tools/test_report.R [report.html]

suppressPackageStartupMessages(library(rankmix))

source("tools/browser.R")
folder <- file.path(getwd(), ".build", "report")
unlink(folder, recursive = TRUE)
dir.create(folder, recursive = TRUE)

write_small_report <- function(file) {
  part <- function(name) {
    read_letor(system.file("extdata", paste0(name, ".txt.gz"), package = "rankmix"))
  }
  data <- c(part("train"), part("vali"))
  benchmark <- suppressWarnings(benchmark_rankers(
    list(boosted = adaboost_mh(base_tree(4), rounds = 50), trees = gbrt(trees = 50),
         feature = best_feature(), `a name that is rather long` = function(data) data$x[, 1],
         broken = function(train, valid) stop("no such method <here>")),
    query_folds(data, 5, seed = 1), list(metric_ndcg(10), metric_err()), data = data,
    tune = list(trees = list(learning_rate = c(0.1, 0.3))), seed = 1, verbose = FALSE, keep_models = TRUE
  ))
  report(benchmark, file, explorer = c("boosted", "trees"), data = data)
}

# The page in a frame of some width, which reports its sizes to the outside: windows have a
# least width, frames have none. Tables scroll where the width is too small, as on a telephone, but
# not from 1100 pixels on. Images with 160 dots per inch are readable at 60 pixels per inch: text of
# 11 points then has a height of 9 pixels.
framed <- function(page, width) {
  probe <- "<script>addEventListener('load', () => {
    const images = [...document.images];
    const wide = [...document.querySelectorAll('body *')].filter(e => !e.closest('.wide') &&
      e.getBoundingClientRect().right > innerWidth + 1).map(e => e.tagName);
    const cut = [...document.querySelectorAll('.wide')].filter(e =>
      e.scrollWidth > e.clientWidth + 1);
    const first = e => e.textContent.trim().slice(0, 20);
    const hidden = cut.filter(e => getComputedStyle(e).overflowX !== 'auto' ||
      !getComputedStyle(e).backgroundAttachment.includes('local'));
    const seen = {images: images.length, cut: cut.map(first).join(', '),
      hidden: hidden.map(first).join(', '),
      broken: images.filter(i => !i.complete || i.naturalWidth === 0).length,
      tiny: images.filter(i => i.getBoundingClientRect().width / (i.naturalWidth / 160) < 60)
        .length,
      queries: document.querySelectorAll('.explorer .row').length,
      lists: document.querySelectorAll('.explorer section.ranking').length,
      noAlt: images.filter(i => !i.alt).length,
      width: innerWidth, height: document.documentElement.scrollHeight,
      scroll: document.documentElement.scrollWidth, wide: wide.join(' '),
      small: parseFloat(getComputedStyle(document.body).fontSize) < 14 ? 1 : 0};
    // A click on a document shows its reasons. On a telephone, the list of queries is shown first.
    if (seen.lists === 0) document.querySelector('.explorer .row').click();
    document.querySelector('.explorer li.document button').click();
    const inside = [...document.querySelectorAll('.explorer .query *')].filter(e =>
      !e.classList.contains('hidden') && e.getBoundingClientRect().right > innerWidth + 1);
    parent.postMessage(Object.assign(seen, {
      features: document.querySelectorAll('.explorer .feature').length,
      reasons: document.querySelectorAll('.explorer .why .reason').length,
      inside: inside.map(e => e.className).join(' '), opened: document.documentElement.scrollHeight,
      top: document.querySelector('.explorer').getBoundingClientRect().top + scrollY}), '*');
  })</script></body>"
  text <- paste(readLines(page, warn = FALSE), collapse = "\n")
  inner <- file.path(folder, sprintf("inside-%d.html", width))
  # The last one: figures could hold the text too.
  at <- max(gregexpr("</body>", text, fixed = TRUE)[[1L]])
  writeLines(paste0(substr(text, 1L, at - 1L), probe, substr(text, at + 7L, nchar(text))), inner)
  outer <- frame_page(folder, basename(inner), width, 900L, "<pre id='measured'></pre><script>
    addEventListener('message', e => {
      document.getElementById('measured').textContent = JSON.stringify(e.data); });</script>")
  page_result(open_page(outer, "--dump-dom", sprintf("--window-size=%d,1000", max(600L, width))))
}

page <- file.path(folder, "report.html")
given <- commandArgs(trailingOnly = TRUE)
if (length(given) > 0L) invisible(file.copy(given[1L], page)) else write_small_report(page)

problems <- character()
note <- function(bad, text) if (isTRUE(bad)) problems <<- c(problems, text)
console <- open_page(page, "--dump-dom")$console
note(length(console) > 0L, paste("console:", paste(console, collapse = "; ")))
text <- paste(readLines(page, warn = FALSE), collapse = "\n")
note(grepl("(src|href)=\"(https?:)?//", text), "the page loads something from elsewhere")
for (width in c(1280L, 1200L, 1100L, 390L)) {
  seen <- framed(page, width)
  at <- sprintf("at %d pixels: ", width)
  note(seen$width != width, paste0(at, "the frame has ", seen$width))
  note(seen$images < 8, paste0(at, seen$images, " images only"))
  note(seen$broken > 0, paste0(at, seen$broken, " images are broken"))
  note(seen$tiny > 0, paste0(at, seen$tiny, " images are too small"))
  note(seen$queries < 5 || seen$queries > 100, paste0(at, "the explorer has ", seen$queries, " queries"))
  note(seen$lists != if (width > 1000L) 2L else 0L, paste0(at, "the explorer has ", seen$lists, " lists"))
  note(seen$features < 20, paste0(at, "documents have ", seen$features, " features"))
  note(seen$reasons < 2, paste0(at, "a document has ", seen$reasons, " reasons"))
  note(nzchar(seen$inside), paste0(at, "too wide in a query: ", seen$inside))
  note(seen$noAlt > 0, paste0(at, seen$noAlt, " images have no alternative text"))
  note(seen$scroll > width + 1, paste0(at, "the page is ", seen$scroll, " wide: ", seen$wide))
  note(nzchar(seen$wide), paste0(at, "too wide: ", seen$wide))
  note(nzchar(seen$hidden), paste0(at, "tables that are cut do not show that they scroll: ", seen$hidden))
  note(width < 400L && !nzchar(seen$cut), paste0(at, "no table is cut, so that scrolling is not tested"))
  note(width >= 1100L && nzchar(seen$cut), paste0(at, "tables are too wide: ", seen$cut))
  note(seen$small > 0, paste0(at, "the text is too small"))
  file <- file.path(folder, sprintf("report-%d.png", width))
  taken <- take_picture(folder, basename(page), width, seen$height, file)
  note(!taken, paste0(at, "no picture could be taken"))
  file <- file.path(folder, sprintf("reasons-%d.png", width))
  taken <- take_picture(folder, sprintf("inside-%d.html", width), width, seen$opened, file)
  note(!taken, paste0(at, "no picture of reasons could be taken"))
  cat(sprintf("%d pixels: %d images, page %d high\n", width, seen$images, seen$height))
}
unlink(list.files(folder, "^(inside|frame)-", full.names = TRUE))
if (length(problems) > 0L) {
  stop(paste(c("The report:", problems), collapse = "\n  "), call. = FALSE)
}
cat("The report is complete, quiet and fits; see .build/report\n")
