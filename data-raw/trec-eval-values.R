# Synthetic runs and judgements, and what trec_eval prints for them, for
# tests/testthat/test-metric-trec-eval.R. Writes tests/testthat/fixtures/trec-eval.
#
#   RANKMIX_TREC_EVAL=/path/of/trec_eval Rscript data-raw/trec-eval-values.R
#
# trec_eval 10.0-rc3. If RANKMIX_TREC_EVAL_TEST names trec_eval's folder `test`, its own files are compared as
# well; needs an installed rankmix. The files of trec_eval are not part of this repository.

program <- Sys.getenv("RANKMIX_TREC_EVAL")
if (!nzchar(program)) stop("RANKMIX_TREC_EVAL must name the program trec_eval.")
folder <- file.path("tests", "testthat", "fixtures", "trec-eval")
library(rankmix)
source(file.path("tests", "testthat", "helper-trec-eval.R"))

# Inputs -----------------------------------------------------------------------------------

# `grades` holds the grades of the judged documents, `found` the number of judged documents in the run and
# `others` that of documents without a judgement. Scores are multiples of `step`, so that many are equal.
draw_query <- function(query, grades, found, others, step = 0.5) {
  judged <- sprintf("%s%03d", sample(c("A", "b", "C"), length(grades), TRUE), sample(999L, length(grades)))
  retrieved <- c(sample(judged, found), sprintf("u%03d", sample(999L, others)))
  score <- round((0.8 * grades[match(retrieved, judged)] + stats::rnorm(length(retrieved))) / step) * step
  score[is.na(score)] <- round(stats::rnorm(sum(is.na(score))) / step) * step
  list(
    qrels = paste(query, 0, judged, grades),
    run = if (length(retrieved) > 0L) paste(query, "Q0", retrieved, 1, score, "synthetic")
  )
}

draw_case <- function(case) {
  pool <- case == "pool"
  grades <- function(n, highest = 3L) sample(0:highest, n, TRUE, seq(highest + 1, 1)^2)
  queries <- list(
    draw_query("q1", grades(40), 35, 20),
    draw_query("q2", grades(25), 25, 0),                        # all judged documents, no others
    draw_query("q3", grades(30), 20, 15, step = 100),           # all scores equal
    draw_query("q4", integer(12), 8, 4),                        # no relevant document
    draw_query("q5", c(rep(1L, 6), integer(10)), 10, 5),        # grade 1 only
    draw_query("q6", c(rep(3L, 5), rep(0L, 7)), 0, 9),          # no judged document retrieved
    draw_query("q7", rep(2L, 7), 5, 0),                         # relevant documents only, some missed
    draw_query("q8", c(3L, 2L, 1L, 0L, 0L), 4, 0, step = 0.01), # one more than the relevant documents
    draw_query("q9", c(3L, 1L, 1L, 0L, 0L), 5, 0, step = 0.01), # two more
    draw_query("q10", grades(60), 1, 0),                        # one document
    draw_query("q11", grades(20), 0, 0),                        # not in the run
    draw_query("q12", grades(90, 1L), 60, 45, step = 0.01)
  )
  if (pool) queries <- c(queries, list(draw_query("q13", sample(-1:2, 40, TRUE), 30, 15)))
  qrels <- unlist(lapply(queries, `[[`, "qrels"))
  if (case == "binary") qrels <- sub(" [123]$", " 1", qrels)
  list(qrels = qrels, run = unlist(lapply(queries, `[[`, "run")))
}

# Values ---------------------------------------------------------------------------------------

measures <- c("all_trec", "yaap", "set_F.2", "dcg", "unj.3,30", "utility.2,-1,0.5,0.25",
              "Rprec_mult.0.05,0.33,5", "rbp_resid.p=0.8", "relative_P.1,7", "iprec_at_recall.0.05,0.35")
collection <- 1000

print_values <- function(qrels, run, options) {
  ask <- function(asked) {
    system2(program, c("-q", options, paste0("-m", asked), "-N", collection, qrels, run), stdout = TRUE)
  }
  # RBP uses variables that are not set. They are 0 if no other measure is computed before.
  lines <- c(grep("^(runid|relstring|rbp) ", ask(measures), value = TRUE, invert = TRUE), ask("rbp"))
  trec_eval_lines(lines)
}

dir.create(folder, showWarnings = FALSE)
set.seed(20)
tables <- sapply(c("graded", "binary", "pool"), draw_case, simplify = FALSE)
values <- list()
for (case in names(tables)) {
  files <- file.path(folder, paste0(case, c("-qrels.txt", "-run.txt")))
  writeLines(tables[[case]]$qrels, files[1L])
  writeLines(tables[[case]]$run, files[2L])
  # Without -c, trec_eval stops at a judged query that the run lacks.
  common <- tempfile()
  writeLines(grep("^q11 ", tables[[case]]$qrels, value = TRUE, invert = TRUE), common)
  for (options in c("", if (case != "binary") "-l 2", "-c")) {
    printed <- print_values(if (options == "-c") files[1L] else common, files[2L], options)
    values <- c(values, list(cbind(case = case, options = options, printed)))
  }
}
connection <- gzfile(file.path(folder, "printed.csv.gz"), "w")
utils::write.csv(do.call(rbind, values), connection, row.names = FALSE)
close(connection)

# The files of trec_eval itself ------------------------------------------------------------------------

compare_own_file <- function(expected, qrels, run, relevant = 1, topics = "common", depth = Inf) {
  printed <- trec_eval_lines(grep("^(runid|relstring)", readLines(file.path(test, expected)), value = TRUE,
                                  invert = TRUE))
  documents <- read_run(file.path(test, run))
  ranks <- stats::ave(seq_len(nrow(documents)), documents$query, FUN = function(rows) {
    order(order(documents$score[rows], documents$document[rows], decreasing = TRUE, method = "radix"))
  })
  documents <- documents[ranks <= depth, ]
  table <- with_own_values(printed, documents, read_qrels(file.path(test, qrels)), relevant, topics)
  table$beyond <- beyond_rounding(table)
  lacking <- setdiff(printed$metric, table$metric)
  cat(sprintf("%s: %d values, largest difference %.2g beyond rounding%s\n", expected, nrow(table),
              max(table$beyond), if (length(lacking) > 0L) {
                paste0("; not in rankmix: ", paste(lacking, collapse = ", "))
              } else {
                ""
              }))
  print(table[is.na(table$beyond) | table$beyond > 0, ])
}

test <- Sys.getenv("RANKMIX_TREC_EVAL_TEST")
if (nzchar(test)) {
  compare_own_file("out.test.a", "qrels.test", "results.test")
  compare_own_file("out.test.aq", "qrels.test", "results.test")
  compare_own_file("out.test.aqc", "qrels.test", "results.trunc", topics = "qrels")
  compare_own_file("out.test.aqcM", "qrels.test", "results.trunc", topics = "qrels", depth = 100)
  compare_own_file("out.test.aql", "qrels.rel_level", "results.test", relevant = 2)
  compare_own_file("out.test.meas_params", "qrels.test", "results.test")
}
