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

shorten <- function(text, width) {
  ifelse(nchar(text) > width, paste0(substr(text, 1L, width - 3L), "..."), text)
}
