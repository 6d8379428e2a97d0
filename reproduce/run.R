# Runs the claims of the five papers and writes the report; `make reproduce` calls it.
#
#   Rscript reproduce/run.R [tiny | small | full] [--report]
#
# Each part of an experiment is a task: what is done is in .build/reproduce/<scale>, or in the
# folder RUN names, and is not done again. --report does no task. LIMIT ends a run after so many
# seconds, ONLY is a regular expression of what to do, such as "numbers to beat MQ2008". Where
# future::plan() has workers, such as by R_FUTURE_PLAN=multisession or a .future.R of yours, they do
# the tasks. Writes report.html and claims.md into the folder.

suppressPackageStartupMessages(library(rankmix))
own <- new.env(parent = globalenv())
sys.source("reproduce/load.R", own)

arguments <- commandArgs(trailingOnly = TRUE)
scale <- c(setdiff(arguments, "--report"), "small")[1L]
if (!scale %in% names(own$scales)) {
  stop("SCALE must be one of ", toString(names(own$scales)), ", not '", scale, "'.", call. = FALSE)
}
given <- function(name, default) {
  value <- Sys.getenv(name)
  if (nzchar(value)) value else default
}
folder <- given("RUN", file.path(".build", "reproduce", scale))
threads <- as.integer(given("THREADS", "1"))
run <- own$open_folder(folder, scale)
tasks <- own$tasks_of(own$experiments, scale, normalizePath("."))
experiment_of <- vapply(tasks, `[[`, "", "experiment")
wanted <- grepl(given("ONLY", ""), vapply(tasks, function(task) {
  paste(task$experiment, task$collection, task$number)
}, ""))
if (!"--report" %in% arguments) {
  invisible(own$run_experiments(tasks[wanted], run, as.numeric(given("LIMIT", "Inf")), threads))
}

results <- own$results_of(tasks, run)
collection_of <- vapply(tasks, `[[`, "", "collection")
keys_of <- function(claim) {
  names(results)[experiment_of == claim$experiment & collection_of == claim$collection]
}
here <- names(own$scales[[scale]])
beat <- lapply(stats::setNames(nm = intersect(own$beat_on, here)), function(collection) {
  results[experiment_of == "numbers to beat" & collection_of == collection]
})
claims <- c(own$claims, own$member_claims(beat))
claims <- Filter(function(one) length(keys_of(one)) > 0L, claims)
rows <- own$judge_claims(claims, results, keys_of)

done <- Filter(function(r) !is.null(r) && is.null(r$error), results)
failed <- Filter(function(r) !is.null(r$error), results)
facts <- c(
  sprintf("Scale '%s': %d of %d tasks done, %.0f s of processor time. rankmix %s (%s), %s.", scale,
          length(done), length(tasks), sum(vapply(done, `[[`, 0, "seconds")),
          packageVersion("rankmix"), {
            builds <- unique(vapply(done, `[[`, "", "build"))
            if (length(builds) > 1L) sprintf("%d builds", length(builds)) else
              paste("build", substr(builds, 1L, 8L))
          }, R.version.string),
  if (length(failed) > 0L) sprintf("Failed: %s.", toString(sprintf(
    "%s (%s)", names(failed), vapply(failed, `[[`, "", "error")
  )))
)
page <- file.path(run$folder, "report.html")
writeLines(own$claims_page(rows, own$beat_section(beat, rows), facts), page)
writeLines(own$claims_markdown(rows, facts), file.path(run$folder, "claims.md"))
saveRDS(rows, file.path(run$folder, "claims.rds"))
counts <- table(factor(own$show_verdict(rows)))
cat(sprintf("%s %s", counts, names(counts)), sep = "\n")
cat("See", page, "\n")
if (length(failed) > 0L) {
  stop(length(failed), " tasks failed; the report says which.", call. = FALSE)
}
