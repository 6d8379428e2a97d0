# Writes pages of explore_queries() and drives them in headless Chromium, by `make test-report`: filters, sort keys,
# keys, links, the Back button, marks and reasons, at 1280 and 390 pixels; ids that look like HTML; 10,000 queries
# with few elements; contrast in light and dark. Leaves the pages and their pictures in .build/explorer.
#
#   Rscript tools/test_explorer.R

suppressPackageStartupMessages(library(rankmix))

source("tools/browser.R")
folder <- file.path(getwd(), ".build", "explorer")
unlink(folder, recursive = TRUE)
dir.create(folder, recursive = TRUE)

problems <- character()
note <- function(bad, text) if (!isFALSE(bad)) problems <<- c(problems, text)

# Ids that would end a script or be read as HTML.
hostile <- c("</script><script>window.hacked=1</script>", "<img src=x onerror=window.hacked=1>", "<!-- <b>",
             "a&amp;\"'b", "q=1&sort=id#+%20", "\\u003c\\", "\u65e5\u672c\u8a9e \u2028")

small_page <- function() {
  part <- function(name) read_letor(system.file("extdata", paste0(name, ".txt.gz"), package = "rankmix"))
  train <- part("train")
  test <- part("test")
  ids <- as.character(test$query_ids)
  ids[seq_along(hostile)] <- hostile
  named <- test$features
  named[1L] <- "<b>f1</b>"
  x <- test$x
  colnames(x) <- named
  train_x <- train$x
  colnames(train_x) <- named
  train <- ranking_data(train_x, train$relevance, train$query)
  test <- ranking_data(x, test$relevance, ids[test$query], paste0("<i>", seq_len(nrow(x)), "</i>"))
  rankers <- list(`new </script>` = fit(lambdamart(trees = 20), train, threads = 1),
                  old = fit(gbrt(trees = 20), train, threads = 1), first = test$x[, 1])
  explore_queries(rankers, test, file.path(folder, "small.html"), seed = 1, threads = 1,
                  document_text = rep(c("A title <em>", ""), length.out = nrow(x)))
}

large_page <- function(queries = 10000L, documents = 15L) {
  set.seed(1)
  n <- queries * documents
  x <- matrix(rnorm(n * 8L), n)
  data <- ranking_data(x, pmax(0, pmin(4, round(x[, 1] + rnorm(n)))), rep(seq_len(queries), each = documents),
                       paste0("document-", seq_len(n)))
  file <- file.path(folder, "large.html")
  took <- system.time(explore_queries(list(new = x[, 1] + x[, 2], old = x[, 1] + x[, 3]), data, file, threads = 1,
                                      query_text = paste("text of query", seq_len(queries))))
  size <- file.size(file) / 1e6
  note(size > 30, sprintf("the page of %d queries has %.0f MB", queries, size))
  cat(sprintf("%d queries: %.1f MB, written in %.0f s\n", queries, size, took[["elapsed"]]))
}

# The functions of the scripts that drive the page.
library_script <- "
  const out = {};
  const $ = (selector) => document.querySelector(selector);
  const $$ = (selector) => [...document.querySelectorAll(selector)];
  // In virtual time, Chromium may draw no frame: then it calls no function that waits for one, and sends no event of
  // scrolling. So the test replaces the one by a timer, and sends the other.
  window.requestAnimationFrame = (work) => setTimeout(work, 16);
  const pause = () => new Promise((done) => setTimeout(done, 60));
  const scroll = (node, top) => { node.scrollTop = top; node.dispatchEvent(new Event('scroll')); };
  const until = async (done) => { for (let i = 0; i < 50 && !done(); i++) await pause(); };
  const key = (name, target) => (target || document.activeElement).dispatchEvent(
    new KeyboardEvent('keydown', {key: name, bubbles: true, cancelable: true}));
  const type = (input, text) => { input.value = text; input.dispatchEvent(new Event('input', {bubbles: true})); };
  const choose = (select, value) => {
    select.value = value; select.dispatchEvent(new Event('change', {bubbles: true})); };
  const control = (label) => $(`[aria-label='${label}']`);
  const status = () => $('.status').textContent;
  const differences = () => $$('.row .row-difference').map((e) => Number(e.textContent.replace('\\u2212', '-')));
  const query = () => new URLSearchParams(location.hash.slice(1)).get('q');
  const overflow = () => document.documentElement.scrollWidth - innerWidth;
  const wide = () => $$('.query *, header *, .controls *').filter((e) => e.getClientRects().length > 0 &&
    !e.classList.contains('hidden') && e.getBoundingClientRect().right > innerWidth + 1).length;
  const light = (rgb) => rgb.slice(0, 3).map((v) => v / 255)
    .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const colour = (text) => text.match(/[\\d.]+/g).map(Number);
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const found = colour(getComputedStyle(e).backgroundColor);
      if (found.length < 4 || found[3] === 1) return found;
    }
    return [255, 255, 255];
  };
  // The smallest contrast of elements that have text of their own.
  const contrast = () => Math.min(...$$('.explorer *').filter((e) => e.getClientRects().length > 0 &&
    [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim() !== '')).map((e) => {
      const values = [light(colour(getComputedStyle(e).color)), light(behind(e))].sort((a, b) => b - a);
      return (values[0] + 0.05) / (values[1] + 0.05);
    }));
"

# What a script finds on a page in a frame of some width. `hash` is the part of the address after "#".
drive <- function(page, width, script, hash = "", height = 900L, ...) {
  probe <- sprintf("<script>%s addEventListener('load', async () => {
    try { await pause(); %s } catch (error) { out.error = String(error.stack); }
    parent.postMessage(out, '*'); });</script></body>", library_script, script)
  text <- paste(readLines(file.path(folder, page), warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  inner <- tempfile("inside-", folder, ".html")
  outer <- NULL
  on.exit(unlink(c(inner, outer)))
  writeLines(enc2utf8(sub("</body>\n</html>$", "", text)), inner, useBytes = TRUE)
  cat(probe, "</html>", file = inner, append = TRUE)
  outer <- frame_page(folder, paste0(basename(inner), if (nzchar(hash)) paste0("#", hash)), width, height,
                      "<pre id='measured'></pre><script>addEventListener('message', e => {
      document.getElementById('measured').textContent = JSON.stringify(e.data); });</script>")
  opened <- open_page(outer, "--dump-dom", sprintf("--window-size=%d,1000", max(600L, width)), ...)
  note(length(opened$console) > 0L, paste("console:", paste(opened$console, collapse = "; ")))
  found <- page_result(opened)
  note(!is.null(found$error), paste0(page, " at ", width, " pixels: ", found$error))
  found
}

check <- function(found, expected, where) {
  for (name in names(expected)) {
    note(!identical(found[[name]], expected[[name]]),
         sprintf("%s: %s is %s, not %s", where, name, deparse(found[[name]])[1L], deparse(expected[[name]])[1L]))
  }
}

small_page()
large_page()
for (page in c("small.html", "large.html")) {
  text <- paste(readLines(file.path(folder, page), warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  note(grepl("(src|href)=\"", text) || grepl("https?://|@import|url[(]", text), paste(page, "refers to something else"))
  console <- open_page(file.path(folder, page), "--dump-dom")$console
  note(length(console) > 0L, paste(page, "on the console:", paste(console, collapse = "; ")))
}

found <- drive("small.html", 1280L, "
  out.first = query() === null ? 'none' : 'chosen';
  out.all = status();
  choose(control('Sort by'), 'loss'); await pause();
  const sorted = differences();
  out.sorted = sorted.length > 5 && sorted.every((d, i) => i === 0 || d >= sorted[i - 1]);
  choose(control('Sort by'), 'gain'); await pause();
  out.gain = differences().every((d, i, all) => i === 0 || d <= all[i - 1]);
  choose(control('Show'), 'b'); await pause();
  out.worse = differences().length > 0 && differences().every((d) => d < 0);
  choose(control('Show'), 'tie'); await pause();
  out.tie = differences().every((d) => d === 0);
  choose(control('Show'), 'all'); type(control('Smallest difference'), '0.1'); await pause();
  out.large = differences().length > 0 && differences().every((d) => Math.abs(d) >= 0.1);
  out.hash = location.hash.includes('min=0.1');
  type(control('Smallest difference'), ''); type(control('Filter by text'), '<\\/SCRIPT>'); await pause();
  out.found = status(); out.name = $('.row .row-name').textContent;
  type(control('Filter by text'), 'no such query'); await pause();
  out.none = status();
  type(control('Filter by text'), ''); await pause();
  $('.list').focus();
  const start = query(); key('j'); await pause(); const next = query(); key('ArrowDown'); key('k'); await pause();
  out.keys = start !== next && query() === next;
  out.selected = $$('.row[aria-selected=true]').length;
  out.active = document.getElementById($('.list').getAttribute('aria-activedescendant')) !== null;
  key('/'); out.slash = document.activeElement === control('Filter by text');
  key('j'); await pause(); out.typing = query() === next;
  key('Enter'); await pause(); out.enter = document.activeElement.closest('li.document') !== null;
  key('Escape'); out.escape = document.activeElement === $('.list');
  key('?'); out.help = $('dialog').open; $('dialog button').click(); out.closed = $('dialog').open;
  key('f'); out.features = getComputedStyle($('.features')).display; key('f');
  out.lists = $$('section.ranking').length;
  out.overflow = overflow(); out.wide = wide();
  out.hacked = window.hacked === undefined && $$('.query i:not(.up):not(.down), .query b, .query em').length === 0;
  key('End'); await pause(); out.end = $$('.row').pop().getAttribute('aria-selected');
", height = 1100L)
check(found, list(first = "chosen", all = "80 queries", sorted = TRUE, gain = TRUE, worse = TRUE, tie = TRUE,
                  large = TRUE, hash = TRUE, found = "1 query of 80", name = hostile[1L], none = "0 queries of 80",
                  keys = TRUE,
                  selected = 1L, active = TRUE, slash = TRUE, typing = TRUE, enter = TRUE, escape = TRUE, help = TRUE,
                  closed = FALSE, features = "none", lists = 2L, overflow = 0L, wide = 0L, hacked = TRUE, end = "true"),
      "small, 1280 pixels")

# Marks, reasons, the pair, and the Back button.
marks <- "
  const rows = $$('.row'); rows[0].click(); await pause(); const first = query();
  rows[0].parentElement.children[1].click(); await pause(); const second = query();
  history.back(); await until(() => query() === first); out.back = first !== second && query() === first;
  out.heading = $('.query h2').textContent === 'Query ' + first;
  const button = $('li.document[data-side=\"0\"] button'); button.click(); await pause();
  out.pressed = button.getAttribute('aria-pressed');
  const same = $$('li.marked'); out.both = same.length >= 1 &&
    same.every((e) => e.dataset.document === same[0].dataset.document);
  out.why = $('.why strong').textContent; out.bars = $$('.why .reason').length;
  button.click(); await pause(); out.off = $$('li.marked, .why').length;
  choose(control('Ranker B'), '2'); await pause();
  out.pair = new URLSearchParams(location.hash.slice(1)).get('b');
  $('li.document[data-side=\"1\"] button').click(); await pause();
  out.scores = $('.why').textContent.includes('as scores');
  choose(control('Ranker A'), '2'); await pause();
  out.swapped = $$('h3 .ranker').map((e) => e.textContent).join();
  const shown = $$('.documents, section.ranking')[0]; const ranks = [...shown.querySelectorAll('.rank')];
  out.ranks = ranks.every((e, i) => Number(e.textContent) === i + 1);
"
found <- drive("small.html", 1280L, marks, "side=why&sort=id")
check(found, list(back = TRUE, heading = TRUE, pressed = "true", both = TRUE, why = "Why rank 1 is above rank 2",
                  off = 0L, pair = "first", scores = TRUE, swapped = "first,new </script>", ranks = TRUE), "marks")
note(found$bars < 1, "there are no bars of reasons")

# A link to a query. The browser opens the same link when it reloads the page.
for (id in c(hostile, "345")) {
  found <- drive("small.html", 1280L, "out.heading = $('.query h2').textContent; out.sort = control('Sort by').value;
    out.side = control('Show').value; out.filter = control('Filter by text').value;
    out.b = control('Ranker B').value;
    out.query = query(); out.hacked = window.hacked === undefined;",
    sprintf("q=%s&sort=loss&side=a&filter=3&b=first", gsub("'", "%27", utils::URLencode(id, TRUE, TRUE))))
  check(found, list(heading = paste("Query", id), sort = "loss", side = "a", filter = "3", b = "2", query = id,
                    hacked = TRUE), paste("link to", id))
}
found <- drive("small.html", 1280L, "out.text = $('.query').textContent; key('j', document.body); await pause();
  out.left = query() !== 'nothing';", "q=nothing&sort=worst&b=me")
check(found, list(text = "This page has no query nothing.", left = TRUE), "a broken link")

found <- drive("small.html", 390L, "
  out.narrow = [$('.side'), $('.detail')].map((e) => e.getClientRects().length > 0).join();
  out.overflow = overflow(); out.wide = wide();
  $$('.row')[2].click(); await pause();
  out.query = [$('.side'), $('.detail')].map((e) => e.getClientRects().length > 0).join();
  $('li.document button').click(); await pause();
  out.inside = overflow(); out.wideInside = wide();
  const sections = $$('section.ranking').map((e) => e.getBoundingClientRect());
  out.below = sections[1].top >= sections[0].bottom;
  $('.back').click(); await pause();
  out.again = [$('.side'), $('.detail')].map((e) => e.getClientRects().length > 0).join();
  out.rows = $$('.row').length > 3;
", height = 844L)
check(found, list(narrow = "true,false", overflow = 0L, wide = 0L, query = "false,true", inside = 0L, wideInside = 0L,
                  below = TRUE, again = "true,false", rows = TRUE), "small, 390 pixels")

# Contrast of all text, with a marked document and its reasons.
dark <- "--blink-settings=preferredColorScheme=0"
for (scheme in c("light", "dark")) {
  found <- drive("small.html", 1280L, "$('li.document button').click(); await pause(); out.contrast = contrast();
    out.dark = matchMedia('(prefers-color-scheme: dark)').matches;", "side=why", 900L, if (scheme == "dark") dark)
  note(found$contrast < 4.5, sprintf("%s: a contrast is %.2f", scheme, found$contrast))
  note(found$dark != (scheme == "dark"), paste(scheme, "was not the scheme"))
}

# Many queries: few elements exist at any time.
found <- drive("large.html", 1280L, "
  out.elements = $$('*').length; out.rows = $$('.row').length; out.status = status();
  type(control('Filter by text'), 'query 77'); await pause(); out.filtered = status();
  type(control('Filter by text'), ''); choose(control('Sort by'), 'id'); await pause();
  const last = () => $$('.row').pop().querySelector('.row-name').firstChild.data;
  scroll($('.list'), 1e9); await until(() => last() === '10000');
  out.last = last(); out.after = $$('.row').length;
  key('End', document.body); await pause(); out.heading = $('.query h2').textContent;
")
check(found, list(status = "10,000 queries", filtered = "111 queries of 10,000", last = "10000",
                  heading = "Query 10000"), "10,000 queries")
note(found$elements > 1000 || found$rows > 100 || found$after > 100,
     sprintf("there are %d elements and %d rows", found$elements, found$after))

# How long they take, for the reader: no check depends on the clock.
timed <- file.path(folder, "timed.html")
invisible(file.copy(file.path(folder, "large.html"), timed))
cat("<pre id='measured'></pre><script>(() => {", library_script, "
  const took = (work) => { const from = performance.now(); work(); return Math.round(performance.now() - from); };
  out.list = Math.round(performance.now());
  out.filter = took(() => type(control('Filter by text'), 'query 77'));
  out.all = took(() => type(control('Filter by text'), ''));
  out.sort = took(() => choose(control('Sort by'), 'id'));
  out.query = took(() => key('End', document.body));
  document.getElementById('measured').textContent = JSON.stringify(out); })();</script>", file = timed, append = TRUE)
found <- page_result(open_page(timed, "--dump-dom", "--window-size=1280,900", virtual = FALSE))
unlink(timed)
cat(sprintf("first list after %d ms; a filter %d ms, no filter %d ms, sorted by id %d ms, another query %d ms\n",
            found$list, found$filter, found$all, found$sort, found$query))

# Pictures to look at.
pictures <- list(wide = list(1280L, 900L), narrow = list(390L, 1600L), dark = list(1280L, 900L))
for (name in names(pictures)) {
  size <- pictures[[name]]
  outer <- frame_page(folder, "small.html#side=why&q=345", size[[1L]], size[[2L]])
  file <- file.path(folder, paste0(name, ".png"))
  open_page(outer, paste0("--screenshot=", file), sprintf("--window-size=%d,%d", max(500L, size[[1L]]), size[[2L]]),
            if (name == "dark") dark)
  unlink(outer)
  note(!file.exists(file), paste("no picture:", name))
}
if (length(problems) > 0L) {
  stop(paste(c("The explorer:", problems), collapse = "\n  "), call. = FALSE)
}
cat("The explorer works; see .build/explorer\n")
