# The MSLR experiment of Tune and mix (2013) by simulation: 720,000 documents x 272 features train
# AdaBoost.MH with base_tree(8), base_tree(64), base_product(3) and base_product(10), 2,000 rounds each; as many
# documents as a tenth of them validate, and test, the mixture. `make reproduce-large` calls it.
#
#   Rscript reproduce/large.R [--estimate]
#
# A run that was killed resumes: trained models and checkpoints of 100 rounds are in
# .build/reproduce/large, or in the folder RUN names. --estimate times a few rounds of each learner
# and says what all of it would take. DOCUMENTS, FEATURES, ROUNDS, EVERY and THREADS change the
# sizes. Needs about 8 GB of memory at full size. Writes large.md into the folder.

suppressPackageStartupMessages(library(rankmix))
source("bench/simulate.R")
source("reproduce/large-runs.R")

given <- function(name, default) {
  value <- Sys.getenv(name)
  if (nzchar(value)) value else default
}
size <- list(documents = as.numeric(given("DOCUMENTS", "720000")),
             features = as.integer(given("FEATURES", "272")),
             rounds = as.integer(given("ROUNDS", "2000")),
             eval_every = as.integer(given("EVERY", "100")))
threads <- as.integer(given("THREADS", "2"))
folder <- given("RUN", file.path(".build", "reproduce", "large"))
dir.create(folder, showWarnings = FALSE, recursive = TRUE)
keep_size(folder, size)

if ("--estimate" %in% commandArgs(trailingOnly = TRUE)) {
  lines <- estimate_text(estimate(size, threads), size, threads)
} else {
  parts <- large_parts(size)
  models <- lapply(stats::setNames(nm = names(learners)), function(name) {
    train_learner(folder, name, parts$train, size, threads)
  })
  lines <- large_text(mixed(folder, models, parts, size, threads), worked_seconds(folder), size,
                      threads)
  writeLines(lines, file.path(folder, "large.md"))
}
cat(lines, sep = "\n")
