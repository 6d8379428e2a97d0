# Formulas of the site as MathML, which browsers show without a script. pandoc translates them,
# all at once.

# Gives the number of formulas in the pages.
show_formulas <- function(pages) {
  texts <- lapply(pages, function(page) paste(readLines(page, encoding = "UTF-8"), collapse = "\n"))
  pieces <- lapply(texts, cut_at_code)
  found <- unique(unlist(lapply(pieces, function(own) {
    unlist(regmatches(own[!is_code(own)], gregexpr(formula_pattern, own[!is_code(own)],
                                                   perl = TRUE)))
  })))
  shown <- translate_formulas(found)
  for (i in seq_along(pages)) {
    own <- pieces[[i]]
    prose <- own[!is_code(own)]
    places <- gregexpr(formula_pattern, prose, perl = TRUE)
    if (sum(lengths(regmatches(prose, places))) == 0L) next
    regmatches(prose, places) <- lapply(regmatches(prose, places), function(x) shown[x])
    own[!is_code(own)] <- prose
    writeLines(paste(own, collapse = ""), pages[i], useBytes = TRUE)
  }
  length(found)
}

formula_pattern <- "(?s)\\\\[(].+?\\\\[)]|\\$\\$.+?\\$\\$|\\\\\\[.+?\\\\\\]"

# Code and scripts have backslashes and dollars of their own.
code_pattern <- "(?s)<(pre|code|script)\\b.*?</\\1>"
is_code <- function(pieces) grepl("^<(pre|code|script)\\b", pieces)

# The text in pieces, each all code or all prose; together they are the text.
cut_at_code <- function(text) {
  places <- gregexpr(code_pattern, text, perl = TRUE)
  code <- regmatches(text, places)[[1L]]
  prose <- regmatches(text, places, invert = TRUE)[[1L]]
  c(rbind(prose, c(code, "")))
}

# HTML of each formula, under its own text.
translate_formulas <- function(formulas) {
  if (length(formulas) == 0L) {
    return(character())
  }
  wide <- !startsWith(formulas, "\\(")
  inside <- substr(formulas, 3L, nchar(formulas) - 2L)
  for (entity in list(c("&lt;", "<"), c("&gt;", ">"), c("&amp;", "&"))) {
    inside <- gsub(entity[1L], entity[2L], inside, fixed = TRUE)
  }
  inside <- trimws(gsub("[[:space:]]+", " ", inside))
  marks <- ifelse(wide, "$$", "$")
  source <- tempfile(fileext = ".md")
  target <- tempfile(fileext = ".html")
  on.exit(unlink(c(source, target)))
  writeLines(unlist(Map(c, "<!--cut-->", "", paste0(marks, inside, marks), "")), source,
             useBytes = TRUE)
  rmarkdown::pandoc_convert(source, to = "html", from = "markdown", output = target,
                            options = c("--mathml", "--wrap=none"), wd = tempdir())
  text <- paste(readLines(target, encoding = "UTF-8"), collapse = "\n")
  html <- strsplit(text, "<!--cut-->", fixed = TRUE)[[1L]][-1L]
  html <- gsub("^\\s*<p>|</p>\\s*$", "", html)
  bad <- length(html) != length(formulas) || !all(grepl("<math", html, fixed = TRUE))
  if (bad) {
    stop("pandoc has no MathML of: ",
         paste(formulas[!grepl("<math", html, fixed = TRUE)], collapse = "; "), call. = FALSE)
  }
  # What may be wider than a telephone scrolls by itself.
  long <- !wide & nchar(inside) > 40L
  html[long] <- sprintf("<span class=\"formula\">%s</span>", html[long])
  stats::setNames(html, formulas)
}
