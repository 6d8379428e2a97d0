# Values of trec_eval for the cases under tests/testthat/fixtures/tools, beyond those of
# expected.csv.gz: success and the measures of sets.
#
#   Rscript data-raw/tool-values-trec-eval.R trec_eval-10.0 trec_eval-9.0.8 > trec_eval.csv
#
# with the paths of programs built from the tags; each file name says which it is.

folder <- "tests/testthat/fixtures/tools/cases"
asked <- c("success.1,5,10", "set_P", "set_recall", "set_F")

# LETOR text as the two files that trec_eval reads.
trec_files <- function(case) {
  lines <- readLines(file.path(folder, case, "labels.txt"))
  grade <- sub(" .*", "", lines)
  query <- sub("^\\S+ qid:(\\S+) .*", "\\1", lines)
  document <- sub(".*#docid = (\\S+).*", "\\1", lines)
  scores <- readLines(file.path(folder, case, "scores.txt"))
  files <- file.path(tempdir(), paste0(case, c(".qrels", ".run")))
  writeLines(paste(query, 0, document, grade), files[1L])
  writeLines(paste(query, "Q0", document, 1, scores, "x"), files[2L])
  files
}

print_values <- function(case, program, files, options, suffix) {
  printed <- system2(program, c("-q", options, paste("-m", asked), files), stdout = TRUE)
  parts <- do.call(rbind, strsplit(printed, "[[:space:]]+"))
  name <- sub("^(success)_(\\d+)$", "\\1", parts[, 1L])
  k <- ifelse(name == "success", sub(".*_", "", parts[, 1L]), "")
  query <- sub("^all$", "ALL", parts[, 2L])
  cat(sprintf("%s,%s%s,%s,%s,%s,%s\n", case, basename(program), suffix, name, k, query,
              parts[, 3L]), sep = "")
}

cat("case,tool,metric,k,query,value\n")
for (case in list.files(folder)) {
  files <- trec_files(case)
  for (program in commandArgs(TRUE)) {
    print_values(case, program, files, character(), "")
    if (basename(program) == "trec_eval-10.0") {
      print_values(case, program, files, "-l 2", "-l2")
    }
  }
}
