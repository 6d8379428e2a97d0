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

# One model by the ranks of a job. `sbatch --wait` returns the exit status of the job.
job <- function(ranks, model, ...) {
  script <- file.path(scratch, "ranks.sh")
  writeLines(c("#!/bin/bash", paste("#SBATCH --output=ranks.log --ntasks", ranks), paste(
    "mpirun --allow-run-as-root -n", ranks, "Rscript test_slurm_cluster.R", model, "ranks.checkpoint 40", ...
  )), script)
  system2("sbatch", c("--wait", "--quiet", script))
}
own <- fit(lambdamart(trees = 40), binned_data(train, verbose = FALSE), seed = 1, threads = 1, verbose = FALSE)
stopifnot(job(2, "broken.rds", "killed") != 0L, !file.exists("broken.rds"), file.exists("ranks.checkpoint"))
stopifnot(job(1, "resumed.rds") == 0L, identical(readRDS("resumed.rds"), own))
unlink("ranks.checkpoint")
stopifnot(job(2, "whole.rds") == 0L, identical(readRDS("whole.rds"), own))
cat("A job of two ranks gives the model of this process. A job of one rank resumes after a rank was killed.\n")
