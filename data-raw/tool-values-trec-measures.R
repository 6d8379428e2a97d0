# Values of the measures of metric_trec() as trec_eval 10.0 prints them, for the tests:
# Rscript data-raw/tool-values-trec-measures.R TREC_EVAL, the path of its program. Each case
# is evaluated whole, and in part: every third document is not retrieved, every fifth not
# judged.

program <- commandArgs(trailingOnly = TRUE)[1L]
tools <- file.path("tests", "testthat", "fixtures", "tools")
measures <- c("iprec_at_recall", "11pt_avg", "gm_map", "infAP", "num_rel_ret", "set_map",
              "set_F.2")

printed <- function(case, part, level) {
  lines <- readLines(file.path(tools, "cases", case, "labels.txt"))
  scores <- readLines(file.path(tools, "cases", case, "scores.txt"))
  query <- sub(".*qid:(\\S+).*", "\\1", lines)
  document <- sub(".*docid = (\\S+).*", "\\1", lines)
  at <- seq_along(lines)
  whole <- part == "whole"
  qrels <- tempfile()
  run <- tempfile()
  writeLines(paste(query, 0, document, sub(" .*", "", lines))[whole | at %% 5 != 0], qrels)
  writeLines(paste(query, "Q0", document, 1, scores, "t")[whole | at %% 3 != 0], run)
  said <- strsplit(system2(program, c("-q", "-l", level, paste0("-m", measures), qrels, run),
                           stdout = TRUE), "[ \t]+")
  field <- function(k) vapply(said, `[`, "", k)
  data.frame(case, part, level, metric = field(1L), query = field(2L), value = field(3L))
}

tasks <- expand.grid(case = list.files(file.path(tools, "cases")), part = c("whole", "part"),
                     level = 1:2, stringsAsFactors = FALSE)
values <- do.call(rbind, Map(printed, tasks$case, tasks$part, tasks$level))
connection <- gzfile(file.path(tools, "trec_measures.csv.gz"), "w")
utils::write.csv(values, connection, row.names = FALSE, quote = FALSE)
close(connection)
