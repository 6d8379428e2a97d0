# Opens every page of .build/site in headless Chromium, by `make test-site`: no link within the
# site is broken, nothing comes from elsewhere, the console stays empty, nothing is wider than
# the window at 1280 and 390 pixels, and the search finds. Leaves pictures in
# .build/site-pictures.

source("tools/browser.R")

folder <- file.path(getwd(), ".build", "site")
pages <- list.files(folder, "[.]html$", recursive = TRUE)
pictures <- file.path(getwd(), ".build", "site-pictures")
unlink(pictures, recursive = TRUE)
dir.create(pictures)
problems <- character()
note <- function(bad, text) problems <<- c(problems, rep_len(text, length(bad))[bad])

# Links, from the files.
read_page <- function(page) xml2::read_html(file.path(folder, page), encoding = "UTF-8")
documents <- stats::setNames(lapply(pages, read_page), pages)
attribute <- function(document, path) xml2::xml_text(xml2::xml_find_all(document, path))
names_in <- lapply(documents, function(document) {
  utils::URLdecode(unique(c(attribute(document, "//@id"), attribute(document, "//a/@name"))))
})
is_elsewhere <- function(links) grepl("^([a-z]+:|//)", links)

check_links <- function(page) {
  document <- documents[[page]]
  loaded <- c(attribute(document, "//*[not(self::a)]/@src"), attribute(document, "//link/@href"))
  outside <- is_elsewhere(loaded) & !startsWith(loaded, "data:")
  note(outside, sprintf("%s loads %s", page, loaded))
  links <- c(attribute(document, "//a/@href"), loaded)
  links <- unique(links[!is_elsewhere(links)])
  path <- utils::URLdecode(sub("[?#].*$", "", links))
  anchor <- ifelse(grepl("#", links), utils::URLdecode(sub("^[^#]*#", "", links)), "")
  target <- ifelse(path == "", page, file.path(dirname(page), path))
  target <- sub("^[.]/", "", vapply(target, tidy_path, ""))
  exists <- file.exists(file.path(folder, target))
  note(!exists, sprintf("%s: a broken link, %s", page, links))
  named <- anchor == "" | !target %in% pages |
    mapply(function(to, name) name %in% c(names_in[[to]], "top"), target, anchor)
  note(exists & !named, sprintf("%s: no such place, %s", page, links))
  length(links)
}

# "a/b/../c" is "a/c".
tidy_path <- function(path) {
  parts <- character()
  for (part in strsplit(path, "/", fixed = TRUE)[[1L]]) {
    parts <- if (part == "..") parts[-length(parts)] else if (part == ".") parts else c(parts, part)
  }
  paste(parts, collapse = "/")
}

# All pages, one after the other in one frame: what is broken or too wide, and the heights.
look <- "<pre id='measured'></pre><script>
  const pages = %s, width = %d, measured = [];
  const pause = ms => new Promise(done => setTimeout(done, ms));
  const inScroller = e => {
    for (let up = e.parentElement; up; up = up.parentElement) {
      const style = up.ownerDocument.defaultView.getComputedStyle(up);
      if (style.overflowX === 'auto' || style.overflowX === 'scroll') return true;
    }
    return false;
  };
  addEventListener('load', async () => {
    const frame = document.querySelector('iframe');
    for (const page of pages) {
      const loaded = new Promise(done => frame.addEventListener('load', done, {once: true}));
      frame.src = page;
      await loaded;
      await pause(50);
      const inner = frame.contentDocument, root = inner.documentElement;
      const wide = [...inner.querySelectorAll('body *')].filter(e => {
        const box = e.getBoundingClientRect();
        return box.width > 0 && box.right > width + 1 && !inScroller(e);
      }).map(e => e.tagName + '.' + e.className);
      const images = [...inner.images];
      measured.push({page: page, scroll: root.scrollWidth, height: root.scrollHeight,
        inner: frame.contentWindow.innerWidth, wide: wide.slice(0, 3).join(' '),
        broken: images.filter(i => i.naturalWidth === 0).length,
        noAlt: images.filter(i => !i.hasAttribute('alt')).length});
    }
    document.getElementById('measured').textContent = JSON.stringify(measured);
  });</script>"

# What a reader finds who types a word into the search of the home page.
type <- "<pre id='measured'></pre><script>
  const pause = ms => new Promise(done => setTimeout(done, ms));
  addEventListener('load', async () => {
    const inner = document.querySelector('iframe').contentDocument;
    const input = inner.getElementById('search-input');
    input.focus();
    input.dispatchEvent(new Event('focus'));
    input.value = '%s';
    input.dispatchEvent(new Event('input'));
    for (let i = 0; i < 50 && !inner.querySelector('#found a'); ++i) await pause(100);
    document.getElementById('measured').textContent =
      JSON.stringify([...inner.querySelectorAll('#found a')].map(a => a.getAttribute('href')));
  });</script>"

links <- sum(vapply(pages, check_links, 0L))
note(!any(endsWith(attribute(documents[["index.html"]], "//main//img/@src"), "comparison.png")),
     "The home page has no picture of a comparison")
cat(sprintf("%d pages, %d links\n", length(pages), links))

in_frame <- function(page, width, head) {
  outer <- frame_page(folder, page, width, 900L, head)
  on.exit(unlink(outer))
  opened <- open_page(outer, "--dump-dom", "--virtual-time-budget=3000000",
                      sprintf("--window-size=%d,1000", max(600L, width)))
  note(length(opened$console) > 0L, paste("console:", unique(opened$console)))
  page_result(opened)
}
shown <- c("index.html", "reference/index.html", "reference/compare_rankers.html",
           "reference/rankers.html", "articles/index.html", "articles/get-started.html",
           "articles/tune-and-mix.html", "news/index.html")
for (width in c(1280L, 390L)) {
  seen <- in_frame(pages[1L], width, sprintf(look, jsonlite::toJSON(pages), width))
  at <- sprintf("%s at %d pixels", seen$page, width)
  note(!identical(seen$page, pages), sprintf("At %d pixels not all pages were seen", width))
  note(seen$inner != width, sprintf("%s: the frame has %d", at, seen$inner))
  note(seen$scroll > width + 1, sprintf("%s is %d wide: %s", at, seen$scroll, seen$wide))
  note(nzchar(seen$wide), sprintf("%s: too wide: %s", at, seen$wide))
  note(seen$broken > 0, sprintf("%s: %d images are broken", at, seen$broken))
  note(seen$noAlt > 0, sprintf("%s: %d images have no alternative text", at, seen$noAlt))
  for (page in shown) {
    file <- sprintf("%s-%d.png", gsub("/", "-", sub("[.]html$", "", page)), width)
    height <- min(seen$height[seen$page == page], 6000L)
    taken <- take_picture(folder, page, width, height, file.path(pictures, file))
    note(!taken, sprintf("No picture of %s", page))
  }
  cat(sprintf("%d pixels: %d pages seen\n", width, nrow(seen)))
}
for (word in c("compare_rankers", "ndcg", "lambdamart")) {
  found <- in_frame("index.html", 1280L, sprintf(type, word))
  first <- if (length(found) > 0L) sub("#.*", "", found[[1L]]) else "nothing"
  note(first != sprintf("reference/%s.html", word),
       sprintf("The search for %s finds %s first", word, first))
}

if (length(problems) > 0L) {
  # stop() would cut a long list.
  message(paste(c("The site:", problems), collapse = "\n  "))
  stop(length(problems), " problems.", call. = FALSE)
}
cat("The site is whole, quiet and fits; see .build/site-pictures\n")
