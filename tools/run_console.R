# Runs, where people sit, what they are asked to type: every R block of README.md and of the
# article Recipes, and every example of the help pages, in an interactive R under a
# pseudo-terminal, with progress bars from the first moment on, in terminals of 80 and of 60
# columns. Leaves "passed failed skipped" in the file that is named; what was seen is in the
# folder beside it.
#
#   Rscript tools/run_console.R FILE [README.md (both pages) or a help page]
#
# Needs the `script` of util-linux; elsewhere all is skipped.

source("tools/console_stage.R")

# The R blocks that readers of a page see, named by their first lines.
markdown_blocks <- function(file) {
  lines <- readLines(file)
  from <- grep("^```(r|[{]r.*[}])$", lines)
  from <- from[!grepl("include = FALSE", lines[from], fixed = TRUE)]
  ends <- grep("^```$", lines)
  blocks <- lapply(from, function(i) lines[(i + 1L):(min(ends[ends > i]) - 1L)])
  stats::setNames(blocks, sprintf("%s, line %d", file, from + 1L))
}

# The examples of the installed package's help pages, as R runs them.
help_examples <- function() {
  pages <- tools::Rd_db("rankmix", lib.loc = .libPaths())
  examples <- lapply(pages, function(page) {
    file <- tempfile()
    on.exit(unlink(file))
    tools::Rd2ex(page, file, commentDonttest = FALSE)
    if (file.exists(file)) readLines(file)
  })
  names(examples) <- sub("[.]Rd$", "", names(pages))
  Filter(Negate(is.null), examples)
}

# Runs pieces of code one after the other in one interactive session in `folder`; `shared`
# if they depend on each other. Gives NA for those that ended well, else what went wrong.
run_at_console <- function(pieces, folder, width, shared) {
  dir.create(folder, recursive = TRUE)
  files <- file.path(folder, sprintf("piece%03d.R", seq_along(pieces)))
  Map(writeLines, pieces, files)
  session <- list(names = names(pieces), files = basename(files), width = width,
                  shared = shared, stage = normalizePath("tools/console_stage.R"))
  saveRDS(session, file.path(folder, "session.rds"))
  file.copy("tools/console_session.R", folder)
  typed <- file.path(folder, "typed")
  writeLines("source(\"console_session.R\")", typed)
  command <- sprintf("stty cols %d rows 40; exec '%s' --no-save --no-restore --quiet",
                     width, file.path(R.home("bin"), "R"))
  seen <- file.path(folder, "seen.txt")
  old <- setwd(folder)
  on.exit(setwd(old))
  system2("script", c("-qec", shQuote(command), "/dev/null"), stdin = "typed",
          stdout = "seen.txt", stderr = "seen.txt", env = "NOT_CRAN=true")
  reported <- if (file.exists("outcomes.txt")) readLines("outcomes.txt") else character()
  vapply(names(pieces), function(name) {
    own <- startsWith(reported, paste0(name, "\t"))
    if (!any(own)) "the session ended before or in it" else sub("^[^\t]*\t", "", reported[own][1L])
  }, "")
}

arguments <- commandArgs(trailingOnly = TRUE)
target <- arguments[1L]
unlink(target)
if (!nzchar(Sys.which("script")) || Sys.info()[["sysname"]] != "Linux") {
  message("Without the program script of util-linux nothing runs at a console.")
  writeLines("0 0 1", target)
  quit()
}
scratch <- file.path(dirname(normalizePath(target, mustWork = FALSE)), "console")
unlink(scratch, recursive = TRUE)

pages <- c("README.md", "vignettes/articles/recipes.Rmd")
blocks <- do.call(c, lapply(pages, markdown_blocks))
examples <- help_examples()
if (length(arguments) > 1L) {
  blocks <- if ("README.md" %in% arguments) blocks else list()
  examples <- examples[intersect(arguments, names(examples))]
}
jobs <- expand.grid(what = c("readme", "help"), width = c(80, 60), stringsAsFactors = FALSE)
results <- parallel::mclapply(seq_len(nrow(jobs)), function(i) {
  pieces <- if (jobs$what[i] == "readme") blocks else examples
  if (length(pieces) == 0L) return(character())
  run_at_console(pieces, file.path(scratch, paste0(jobs$what[i], jobs$width[i])),
                 jobs$width[i], jobs$what[i] == "readme")
}, mc.cores = 2L, mc.preschedule = FALSE)

failed <- 0L
for (i in seq_len(nrow(jobs))) {
  wrong <- results[[i]][results[[i]] != "ok"]
  failed <- failed + length(wrong)
  for (name in names(wrong)) {
    message(sprintf("At %d columns: %s: %s (%s)", jobs$width[i], name, wrong[[name]],
                    file.path(scratch, paste0(jobs$what[i], jobs$width[i]), "seen.txt")))
  }
}
passed <- sum(lengths(results)) - failed
message(sprintf("At the console: %d blocks and examples ran, %d failed", passed, failed))
writeLines(paste(passed, failed, 0), target)
quit(status = if (failed > 0L || passed == 0L) 1L else 0L)
