# Output of print methods, in lines that fit options(width).

# Prints pasted text; vectors give several lines. A line that is too long continues below, indented
# by two more characters.
say <- function(...) {
  width <- max(20L, getOption("width"))
  for (line in with_points(paste0(...))) {
    if (nchar(line, "width") > width) {
      margin <- nchar(sub("\\S.*", "", line))
      # strwrap() leaves the last column empty, hence the + 1.
      line <- wrap_calls(line, width + 1L, indent = margin, exdent = margin + 2L)
    }
    cat(line, sep = "\n")
  }
}

# strwrap() that keeps an argument on a line with its value, and a number with its percent sign: marks as
# wide as " = " and " %" hold them together.
wrap_calls <- function(text, ...) {
  held <- gsub(" %", "~%", gsub(" = ", "=:=", text, fixed = TRUE), fixed = TRUE)
  gsub("~%", " %", gsub("=:=", " = ", strwrap(held, ...), fixed = TRUE), fixed = TRUE)
}

# "1 query", "1,000 queries".
counted <- function(n, one, many = paste0(one, "s")) {
  paste(format_count(n), if (n == 1L) one else many)
}

# Names of at most `width` letters. A long name loses its middle, because similar names often differ at the end.
# Names that are equal then get a number, so that different names stay different within one call.
shorten <- function(names, width) {
  known <- unique(names)
  short <- without_middle(known, width)
  for (name in unique(short[duplicated(short)])) {
    own <- which(short == name)
    tag <- paste0(" #", seq_along(own))
    short[own] <- paste0(without_middle(known[own], width - nchar(tag)), tag)
  }
  short[match(names, known)]
}

without_middle <- function(name, width) {
  end <- (width - 3L) %/% 2L
  length <- nchar(name)
  ifelse(length <= width, name, paste0(substr(name, 1L, width - 3L - end), "...",
                                       substr(name, length - end + 1L, length)))
}

# "a - b". Both names of a long pair are shortened, because the end of the text has the second name only.
shorten_pairs <- function(a, b, width, between = " - ") {
  half <- (width - nchar(between)) %/% 2L
  whole <- paste0(a, between, b)
  if (all(nchar(whole) <= width)) {
    return(whole)
  }
  short <- shorten(c(a, b), half)
  paste0(short[seq_along(a)], between, short[length(a) + seq_along(b)])
}

# A text without its end.
cut_text <- function(text, width) {
  ifelse(nchar(text) > width, paste0(substr(text, 1L, width - 3L), "..."), text)
}

# Prints a row for each name, with its numbers and remark. The first name and `title` are the header, unless `title`
# is NULL. Long remarks, and in narrow consoles the numbers, go to a line of their own, so that names keep `least`
# letters. `cut` shortens the names to a width.
say_rows <- function(names, title, numbers, remarks = rep("", length(numbers)), marks = rep("  ", length(numbers)),
                     least = 18L, cut = function(width) shorten(names, width)) {
  # A margin of two, and two blanks before the numbers.
  space <- function(text) getOption("width") - 4L - max(nchar(c(title, text), "width"))
  least <- min(max(nchar(names)), least)
  blank <- rep("", length(numbers))
  below <- list()
  beside <- paste0(numbers, remarks)
  if (space(beside) < least) {
    below <- list(sub("^[:;, ]+", "", remarks))
    beside <- numbers
  }
  if (space(beside) < least) {
    below <- c(list(numbers), below)
    title <- if (!is.null(title)) ""
    beside <- blank
  }
  names <- format(cut(max(space(beside), least)))
  rows <- paste0(marks, if (is.null(title)) names else names[-1L], "  ", beside)
  if (!is.null(title)) say(sub(" +$", "", paste0("  ", names[1L], "  ", title)))
  for (i in seq_along(numbers)) {
    lines <- vapply(below, `[`, "", i)
    say(sub(" +$", "", rows[i]))
    say(sprintf("      %s", lines[nzchar(lines)]))
  }
}

# say_rows() of the pairs `a` - `b` with their verdicts.
say_pairs <- function(metric, pairs, title, numbers, verdicts) {
  say_rows(c(metric, paste(pairs$a, "-", pairs$b)), title, numbers, paste0("  ", verdicts), least = 36L,
           cut = function(width) c(shorten(metric, width), shorten_pairs(pairs$a, pairs$b, width)))
}
