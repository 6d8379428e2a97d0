# What print methods write: lines that keep to options(width).

# A line of pasted parts, or several of vectors; what does not fit goes on below, two letters
# further in.
say <- function(...) {
  width <- max(20L, getOption("width"))
  for (line in paste0(...)) {
    if (nchar(line, "width") > width) {
      margin <- nchar(sub("\\S.*", "", line))
      # strwrap() leaves the last column empty.
      # An argument stays on a line with its value: a mark as wide as " = " holds them together.
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
