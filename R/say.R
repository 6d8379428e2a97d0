# Output of print methods, in lines that fit options(width).

# Prints pasted text; vectors give several lines. A line that is too long continues below, indented
# by two more characters.
say <- function(...) {
  width <- max(20L, getOption("width"))
  for (line in paste0(...)) {
    if (nchar(line, "width") > width) {
      margin <- nchar(sub("\\S.*", "", line))
      # strwrap() leaves the last column empty, hence the + 1. " = " is replaced by a mark of the
      # same width without blanks, so that an argument stays on the line of its value.
      line <- strwrap(gsub(" = ", "=:=", line, fixed = TRUE), width + 1L, indent = margin,
                      exdent = margin + 2L)
      line <- gsub("=:=", " = ", line, fixed = TRUE)
    }
    cat(line, sep = "\n")
  }
}

# "1 query", "1,000 queries".
counted <- function(n, one, many = paste0(one, "s")) {
  paste(format_count(n), if (n == 1L) one else many)
}

shorten <- function(text, width) {
  ifelse(nchar(text) > width, paste0(substr(text, 1L, width - 3L), "..."), text)
}
