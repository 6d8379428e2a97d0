# What Weka's M5P makes of the data of tests/testthat/helper-m5p-data.R: the splits of its trees,
# the linear models of their leaves, and predictions.
#
#   Rscript data-raw/m5p-weka.R weka.jar
#
# Needs Java, 17 say; the CRAN package RWekajars has the jar, of which version 3.9.3 was run.

jar <- commandArgs(TRUE)[1L]
source("tests/testthat/helper-m5p-data.R")

weka <- function(data, options) {
  file <- tempfile(fileext = ".arff")
  names <- paste0("f", seq_len(ncol(data) - 1L))
  values <- apply(data[, c(seq.int(2L, ncol(data)), 1L)], 1L, function(row) {
    paste(ifelse(is.na(row), "?", format(row, digits = 17, trim = TRUE)), collapse = ",")
  })
  writeLines(c("@relation r", sprintf("@attribute %s numeric", c(names, "y")), "@data", values),
             file)
  run <- function(...) {
    system2("java", c("--add-opens=java.base/java.lang=ALL-UNNAMED", "-cp", shQuote(jar),
                      "weka.classifiers.trees.M5P", options, "-t", file, ...), stdout = TRUE, stderr = FALSE)
  }
  csv <- run("-T", file, "-classifications",
             shQuote("weka.classifiers.evaluation.output.prediction.CSV -decimals 12"))
  rows <- grep("^[0-9]+,", csv, value = TRUE)
  text <- run("-no-cv", "-num-decimal-places", "12")
  c(read_tree(text), list(predictions = as.numeric(vapply(strsplit(rows, ","), `[[`, "", 3L))))
}

# Splits from the top, left before right; models in the order of the leaves.
read_tree <- function(text) {
  text <- text[seq_len(grep("^Number of Rules", text))]
  split <- regmatches(text, regexec("f([0-9]+) <= +([-0-9.E]+) :", text))
  split <- do.call(rbind, Filter(length, split))
  starts <- grep("^LM num", text)
  models <- lapply(seq_along(starts), function(i) {
    lines <- text[seq.int(starts[i], c(starts, length(text))[i + 1L])]
    term <- "^\t([-+] )?([-0-9.E]+)( \\* f([0-9]+))? *$"
    parts <- do.call(rbind, Filter(length, regmatches(lines, regexec(term, lines))))
    weight <- as.numeric(parts[, 3L]) * ifelse(parts[, 2L] == "- ", -1, 1)
    feature <- as.integer(parts[, 5L])
    feature[is.na(feature)] <- 0L
    data.frame(feature = feature, weight = weight)
  })
  list(feature = as.integer(split[, 2L]), threshold = as.numeric(split[, 3L]), models = models)
}

found <- lapply(m5p_cases(), function(data) {
  lapply(m5p_runs, function(run) {
    result <- weka(data, run$weka)
    # Some rows are enough: every leaf's model is there.
    result$predictions <- result$predictions[seq(1L, nrow(data), length.out = 60L)]
    result
  })
})
saveRDS(found, "tests/testthat/fixtures/m5p-weka.rds", compress = "xz", version = 2)
