# The pages of tools/coverage.R, from a data frame of `file`, `line` and `runs`.

count_lines <- function(lines, by) {
  hit <- tapply(lines$runs > 0, by, sum)
  all <- tapply(lines$runs > 0, by, length)
  data.frame(name = names(all), lines = as.vector(all), covered = as.vector(hit), percent = as.vector(100 * hit / all))
}

# The folder. The files of R/ are in one folder, so their families stand for folders, such as "R/boost-*.R".
part_of <- function(files) {
  family <- sub("^(R/[a-z]+)-.*[.]R$", "\\1-*.R", files)
  ifelse(startsWith(files, "R/"), ifelse(family == files, "R/ (other files)", family), dirname(files))
}

# For example "3, 7-9".
as_ranges <- function(numbers) {
  if (length(numbers) == 0L) return("")
  run <- cumsum(c(TRUE, diff(numbers) != 1))
  ranges <- tapply(numbers, run, function(r) paste(unique(range(r)), collapse = "-"))
  paste(ranges, collapse = ", ")
}

escaped <- function(text) {
  text <- gsub("&", "&amp;", text, fixed = TRUE)
  gsub(">", "&gt;", gsub("<", "&lt;", text, fixed = TRUE), fixed = TRUE)
}

html_table <- function(table, heads) {
  row <- function(cells, tag) paste0("<tr>", paste0("<", tag, ">", cells, "</", tag, ">", collapse = ""), "</tr>")
  rows <- vapply(seq_len(nrow(table)), function(i) row(unlist(table[i, ]), "td"), "")
  c("<table>", row(heads, "th"), rows, "</table>")
}

# The lines of a file that no test ran, with their code.
file_details <- function(file, lines) {
  missed <- lines$line[lines$file == file & lines$runs == 0]
  if (length(missed) == 0L || !file.exists(file)) return()
  code <- readLines(file, warn = FALSE, encoding = "UTF-8")
  missed <- missed[missed <= length(code)]
  c(sprintf("<details id=\"%s\"><summary>%s: %s</summary><pre>", file, file, as_ranges(missed)),
    sprintf("%5d  %s", missed, escaped(code[missed])), "</pre></details>")
}

# Writes index.html and summary.md. Prints the table by folder, and the files with the lowest coverage. Returns the
# percentages of R and of C++ code.
write_report <- function(lines, output) {
  language <- ifelse(startsWith(lines$file, "R/"), "R", "C++")
  whole <- count_lines(lines, language)
  folders <- count_lines(lines, part_of(lines$file))
  files <- count_lines(lines, lines$file)
  files <- files[order(files$percent, -files$lines), ]
  shown <- function(table) transform(table, percent = sprintf("%.1f", percent))

  heads <- c("", "lines", "covered", "%")
  markdown <- function(table) {
    c("| | lines | covered | % |", "|---|---|---|---|",
      sprintf("| %s | %d | %d | %.1f |", table$name, table$lines, table$covered, table$percent))
  }
  summary <- c(markdown(rbind(whole, folders)), "", "The ten files with the lowest coverage:", "",
               markdown(utils::head(files, 10L)))
  writeLines(summary, file.path(output, "summary.md"))
  writeLines(summary)

  linked <- transform(shown(files), name = sprintf("<a href=\"#%s\">%s</a>", name, name))
  style <- c("body{font:16px/1.4 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}",
             "td,th{padding:.1rem .8rem;text-align:right}td:first-child{text-align:left}pre{overflow-x:auto}")
  writeLines(c(
    "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Coverage of rankmix</title>",
    "<meta name=\"viewport\" content=\"width=device-width\">", "<style>", style, "</style></head><body>",
    "<h1>Coverage of rankmix</h1>",
    "<p>A line is covered if at least one test ran it. The goal is 95 % of the lines of R and of C++.</p>",
    html_table(shown(whole), heads), "<h2>Folders</h2>", html_table(shown(folders), heads),
    "<h2>Files</h2>", html_table(linked, heads), "<h2>Lines that no test ran</h2>",
    unlist(lapply(files$name, file_details, lines = lines)), "</body></html>"
  ), file.path(output, "index.html"), useBytes = TRUE)
  cat(sprintf("\nThe page is %s\n", file.path(output, "index.html")))
  stats::setNames(whole$percent, whole$name)
}
