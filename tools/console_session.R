# What run_console.R types into an interactive R: runs the pieces of code of session.rds and
# writes to outcomes.txt how each ended.

session <- readRDS("session.rds")
if (!interactive() || !isatty(stdin()) || !isatty(stdout())) {
  quit("no", status = 1L)
}
options(width = session$width, cli.width = session$width, cli.dynamic = TRUE,
        cli.progress_show_after = 0, cli.progress_clear = FALSE, warn = 1,
        rankmix.threads = 2L)
library(rankmix)

source(session$stage, local = stage <- new.env())
if (session$shared) {
  stage$make_readme_files()
  list2env(stage$readme_objects(), globalenv())
}

# Echoes and prints as the console does.
run_piece <- function(file, where) {
  tryCatch({
    source(file, local = where, echo = TRUE, max.deparse.length = Inf, spaced = FALSE)
    "ok"
  }, error = function(e) paste("error:", gsub("[\n\t]+", " ", conditionMessage(e))),
  interrupt = function(e) "interrupted")
}

for (session_piece in seq_along(session$files)) {
  where <- if (session$shared) globalenv() else new.env(parent = globalenv())
  ended <- run_piece(session$files[session_piece], where)
  cat(session$names[session_piece], "\t", ended, "\n", sep = "", file = "outcomes.txt",
      append = TRUE)
}
quit("no", status = 0L)
