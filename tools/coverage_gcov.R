# Reads the counts of gcov: how often the tests ran each line of C++ code.

# Data frames of `file`, `line` and `runs`, as one: the runs of equal lines are added.
add_lines <- function(one, other) {
  both <- rbind(one[c("file", "line", "runs")], other[c("file", "line", "runs")])
  both <- stats::aggregate(runs ~ file + line, both, sum)
  both[order(both$file, both$line), ]
}

# `folder` holds the objects with their files of counts. `sources` is the folder src that was compiled. Counts of
# headers outside of it, such as Eigen's, are left out. gcov 9 or later is needed, for its JSON.
gcov_lines <- function(folder, sources) {
  notes <- list.files(folder, "[.]gcno$", recursive = TRUE, full.names = TRUE)
  if (length(notes) == 0L) stop("gcov left nothing in ", folder, ".", call. = FALSE)
  sources <- paste0(normalizePath(sources), "/")
  found <- lapply(notes, function(note) lines_of_note(normalizePath(note), sources))
  lines <- do.call(rbind, found)
  lines <- lines[lines$file != "src/RcppExports.cpp", ]
  lines <- stats::aggregate(runs ~ file + line, lines, sum)
  lines[order(lines$file, lines$line), ]
}

# An object that no process used has notes and no counts: gcov then says that no line ran.
lines_of_note <- function(note, sources) {
  text <- suppressWarnings(system2(Sys.getenv("GCOV", "gcov"), c("--json-format", "--stdout", shQuote(note)),
                                   stdout = TRUE, stderr = FALSE))
  text <- grep("^[{]", text, value = TRUE)
  if (length(text) == 0L) stop("gcov could not read ", note, ".", call. = FALSE)
  read <- jsonlite::parse_json(text[1L])
  do.call(rbind, lapply(read$files, function(file) {
    path <- file$file
    if (!startsWith(path, "/")) path <- file.path(read$current_working_directory, path)
    path <- normalizePath(path, mustWork = FALSE)
    if (!startsWith(path, sources) || length(file$lines) == 0L) return()
    data.frame(file = paste0("src/", substring(path, nchar(sources) + 1L)),
               line = vapply(file$lines, function(line) as.integer(line$line_number), 0L),
               runs = vapply(file$lines, function(line) as.double(line$count), 0))
  }))
}
