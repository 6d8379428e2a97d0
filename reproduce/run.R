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

given <- function(name, default) {
  value <- Sys.getenv(name)
  if (nzchar(value)) value else default
}
field_of <- function(tasks, name) vapply(tasks, function(task) as.character(task[[name]]), "")

# Claims with results, their verdicts, and how the results were made.
judged <- function(own, scale, tasks, results) {
  experiment <- field_of(tasks, "experiment")
  collection <- field_of(tasks, "collection")
  keys_of <- function(claim) {
    names(results)[experiment == claim$experiment & collection == claim$collection]
  }
  here <- intersect(own$beat_on, names(own$scales[[scale]]))
  beat <- lapply(stats::setNames(nm = here), function(name) {
    results[experiment == "numbers to beat" & collection == name]
  })
  claims <- c(own$claims, own$member_claims(beat))
  claims <- Filter(function(one) length(keys_of(one)) > 0L, claims)
  list(rows = own$assess_claims(claims, results, keys_of), beat = beat)
}

facts_of <- function(scale, results) {
  done <- Filter(function(r) !is.null(r) && is.null(r$error), results)
  failed <- Filter(function(r) !is.null(r$error), results)
  builds <- unique(vapply(done, `[[`, "", "build"))
  c(sprintf("Scale '%s': %d of %d tasks done, %.0f s of processor time. rankmix %s (%s), %s.",
            scale, length(done), length(results), sum(vapply(done, `[[`, 0, "seconds")),
            utils::packageVersion("rankmix"),
            if (length(builds) == 1L) paste("build", substr(builds, 1L, 8L)) else
              sprintf("%d builds", length(builds)), R.version.string),
    if (length(failed) > 0L) sprintf("Failed: %s.", toString(sprintf(
      "%s (%s)", names(failed), vapply(failed, `[[`, "", "error")
    ))))
}

write_reports <- function(own, folder, found, facts) {
  page <- file.path(folder, "report.html")
  writeLines(own$claims_page(found$rows, own$beat_section(found$beat, found$rows), facts), page)
  writeLines(own$claims_markdown(found$rows, own$beat_markdown(found$beat, found$rows), facts),
             file.path(folder, "claims.md"))
  saveRDS(found$rows, file.path(folder, "claims.rds"))
  counts <- table(own$show_verdict(found$rows))
  cat(sprintf("%s %s", counts, names(counts)), sep = "\n")
  cat("See", page, "\n")
}

main <- function(arguments) {
  own <- new.env(parent = globalenv())
  sys.source("reproduce/load.R", own)
  scale <- c(setdiff(arguments, "--report"), "small")[1L]
  if (!scale %in% names(own$scales)) {
    stop("SCALE must be one of ", toString(names(own$scales)), ", not '", scale, "'.",
         call. = FALSE)
  }
  run <- own$open_folder(given("RUN", file.path(".build", "reproduce", scale)), scale)
  tasks <- own$tasks_of(own$experiments, scale, normalizePath("."))
  if (!"--report" %in% arguments) {
    names <- paste(field_of(tasks, "experiment"), field_of(tasks, "collection"),
                   field_of(tasks, "number"))
    own$run_experiments(tasks[grepl(given("ONLY", ""), names)], run,
                        as.numeric(given("LIMIT", "Inf")), as.integer(given("THREADS", "1")))
  }
  results <- own$results_of(tasks, run)
  write_reports(own, run$folder, judged(own, scale, tasks, results), facts_of(scale, results))
  failed <- sum(vapply(results, function(r) !is.null(r$error), NA))
  if (failed > 0L) stop(failed, " tasks failed; the report says which.", call. = FALSE)
}

main(commandArgs(trailingOnly = TRUE))
