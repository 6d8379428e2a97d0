# Writes what every kind of model predicts by the installed package, for
# tests/testthat/test-kept.R: before a change of the house, and again only where "Changed
# results" of NEWS.md says why.
#
#   Rscript data-raw/predictions.R

library(rankmix)
options(rankmix.threads = 2L)
source("tests/testthat/helper-data.R")
source("tests/testthat/helper-kept.R")
predictions <- suppressWarnings(lapply(kept_cases(), function(case) case()))
saveRDS(predictions, "tests/testthat/fixtures/predictions.rds", version = 3, compress = "xz")
cat(sprintf("%d kinds of models, %d numbers\n", length(predictions), sum(lengths(predictions))))
