# Synthetic judgements of subtopics and runs, and what ndeval prints for them, for
# tests/testthat/test-metric-diversity-evaluate.R. Writes tests/testthat/fixtures/ndeval.
#
#   RANKMIX_NDEVAL=/path/of/ndeval Rscript data-raw/ndeval-values.R
#
# ndeval 4.5, as in pyndeval 0.0.6, compiled from its ndeval.c.

program <- Sys.getenv("RANKMIX_NDEVAL")
if (!nzchar(program)) stop("RANKMIX_NDEVAL must name the program ndeval.")
folder <- file.path("tests", "testthat", "fixtures", "ndeval")
dir.create(folder, showWarnings = FALSE)
set.seed(21)

# `density` is the probability that a document is relevant to a subtopic.
draw_topic <- function(topic, subtopics, documents, density, retrieved, others) {
  ids <- sprintf("%s%03d", sample(c("a", "B", "c"), documents, TRUE), sample(999L, documents))
  judged <- expand.grid(document = ids, subtopic = seq_len(subtopics), stringsAsFactors = FALSE)
  judged$grade <- stats::rbinom(nrow(judged), 1, density) * sample(1:3, nrow(judged), TRUE)
  gain <- stats::ave(judged$grade, judged$document, FUN = sum)[seq_len(documents)]
  found <- sample(documents, retrieved)
  run <- data.frame(document = c(ids[found], sprintf("u%03d", sample(999L, others))))
  # Scores are rounded, so that many are equal.
  run$score <- round(c(gain[found], numeric(others)) / 2 + stats::rnorm(nrow(run)))
  list(qrels = paste(topic, judged$subtopic, judged$document, judged$grade),
       run = if (nrow(run) > 0L) paste(topic, "Q0", run$document, 1, run$score, "synthetic"))
}

topics <- list(
  draw_topic(1, 4, 40, 0.2, 30, 10),
  draw_topic(2, 12, 60, 0.1, 25, 25),   # subtopics of two digits
  draw_topic(3, 3, 15, 0.6, 10, 0),     # shorter than the depth
  draw_topic(4, 5, 30, 0.1, 0, 12),     # no judged document retrieved
  draw_topic(5, 1, 20, 0.5, 20, 5),     # one subtopic
  draw_topic(6, 6, 25, 0.9, 25, 0),     # nearly everything is relevant
  draw_topic(7, 4, 20, 0, 15, 3),       # no relevant document
  draw_topic(8, 4, 20, 0.2, 0, 0)       # not in the run
)
files <- file.path(folder, c("qrels.txt", "run.txt"))
writeLines(unlist(lapply(topics, `[[`, "qrels")), files[1L])
writeLines(unlist(lapply(topics, `[[`, "run")), files[2L])

print_values <- function(alpha, beta, options) {
  lines <- system2(program, c("-traditional", options, "-alpha", alpha, "-beta", beta, files),
                   stdout = TRUE)
  table <- utils::read.csv(text = lines, check.names = FALSE, colClasses = "character")[-1L]
  data.frame(alpha, beta, options, query = rep(table$topic, ncol(table) - 1L),
             metric = rep(names(table)[-1L], each = nrow(table)),
             value = unlist(table[-1L], use.names = FALSE))
}
values <- rbind(print_values(0.5, 0.5, character(1)), print_values(0.5, 0.5, "-c"), print_values(0.3, 0.8, ""),
                print_values(1, 0.9, ""), print_values(0, 0.5, ""))
connection <- gzfile(file.path(folder, "printed.csv.gz"), "w")
utils::write.csv(values, connection, row.names = FALSE)
close(connection)
