# A benchmark of six rankers on the five folds of MQ2008, killed half-way and started again:
# its table equals the table of an undisturbed run. Writes the report of the latter to the file named,
# if one is.
#
#   Rscript bench/benchmark.R [report.html]        (RANKMIX_DATA names the data folder)

library(rankmix)
source("bench/common.R")

arguments <- commandArgs(trailingOnly = TRUE)
run <- function(directory) {
  rankers <- list(
    boosted = adaboost_mh(base_tree(8), rounds = 300), stumps = adaboost_mh(base_stump(), rounds = 300),
    trees = gbrt(trees = 200), svm = mcsvm(10^(-4:0)), feature = best_feature(),
    bm25 = function(data) data$x[, 25]
  )
  benchmark_rankers(rankers, read_folds(data_folder("MQ2008")), list(metric_ndcg(10), metric_err()),
                    tune = list(trees = list(learning_rate = c(0.05, 0.1), num_leaves = c(8, 31))),
                    directory = directory, seed = 1, verbose = FALSE)
}
if (length(arguments) == 2L && arguments[1L] == "--child") {
  run(arguments[2L])
  quit()
}

folder <- tempfile("run")
dir.create(folder)
done <- function() length(list.files(folder, "^task-"))
script <- file.path(R.home("bin"), "Rscript")
child <- callr::process$new(script, c("bench/benchmark.R", "--child", folder))
while (done() < 15L && child$is_alive()) Sys.sleep(0.01)
invisible(child$kill())
child$wait()
kept <- done()
cat(sprintf("Killed when %d of 30 trainings were done.\n", kept))
stopifnot(kept >= 15L, kept < 30L)
resumed <- run(folder)
undisturbed <- run(NULL)
clock <- c("fit_seconds", "predict_seconds", "memory_mb")
runs <- function(benchmark) benchmark$runs[setdiff(names(benchmark$runs), clock)]
stopifnot(identical(resumed$results, undisturbed$results),
          identical(runs(resumed), runs(undisturbed)),
          identical(compare_rankers(resumed, seed = 1)$pairs,
                    compare_rankers(undisturbed, seed = 1)$pairs))
cat("The run that went on has the same table as the undisturbed one.\n")
print(undisturbed)
print(compare_rankers(undisturbed, seed = 1))
if (length(arguments) == 1L) {
  report(undisturbed, arguments[1L], title = "Six rankers on MQ2008")
  cat("Wrote", arguments[1L], "\n")
}
