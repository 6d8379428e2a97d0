# Called by tools/test_slurm.sh, with the scratch folder.
scratch <- commandArgs(trailingOnly = TRUE)[1L]
library(rankmix)
setwd(scratch)
read <- function(part) {
  read_letor(system.file("extdata", paste0(part, ".txt.gz"), package = "rankmix"))
}
train <- read("train")
valid <- read("vali")
mixture <- function(...) {
  tune_and_mix(train, valid,
               list(adaboost_mh(base_tree(4), rounds = 50, feature_fraction = 0.5),
                    adaboost_mh(base_product(2), rounds = 50)),
               list(calibrator_naive(), calibrator_cpc()),
               grid = mix_grid(features = c("original", "standardized")), seed = 1, verbose = FALSE, ...)
}
here <- mixture()
jobs <- function() {
  sum(grepl("JobId=.*(COMPLETED|COMPLETING|RUNNING|PENDING)",
            system2("scontrol", c("-o", "show", "jobs"), stdout = TRUE)))
}
before <- jobs()
future::plan(future.batchtools::batchtools_slurm, template = file.path(scratch, "template.tmpl"))
there <- mixture(checkpoint = file.path(scratch, "run"))
ran <- jobs() - before
stopifnot(ran == 4L, identical(here, there))
cat(sprintf("The mixture of %d Slurm jobs is that of this process, bit for bit.\n", ran))
