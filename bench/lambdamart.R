# LambdaMART, and other objectives of gbrt(), beside LightGBM's lambdarank and, in time, XGBoost's rank:ndcg.
#
#   Rscript bench/lambdamart.R speed       writes bench/lambdamart-speed.md
#   Rscript bench/lambdamart.R folds       writes bench/lambdamart-folds.md
#   Rscript bench/lambdamart.R simulated   writes bench/lambdamart-simulated.md
#
# Speed: the time of a round for 240,000 and 1.2 million documents x 136 features, 255 bins and pairs with one
# of the top 30. Trees have 8, 64 and 255 leaves; one thread and two; MSLR-shaped and normal features. The
# fastest setting of each peer is found first (bench/peers.R), then all take turns. The time of a round is the
# difference of a long and a short fit, divided by the difference in rounds. Ratios are taken run by run.
# RANKMIX_SIZES names other sizes, for example "S" or "M L". The targets are for 64 leaves on two threads: 2.5
# times as fast as LightGBM, and 3 times as fast as XGBoost.
#
# Quality: NDCG@10 on the five folds of MQ2008 and OHSUMED. The number of leaves, the minimum number of
# documents in a leaf and the number of trees are chosen on the validation part, from the same grid for all
# rankers. Also NDCG@10 of 400 trees on simulated data for five seeds.
#
# Every piece is a file of .build/lambdamart, and is not run again while the file exists.

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")
source("bench/simulate-mslr.R")
source("bench/lambdamart-quality.R")
source("bench/lambdamart-speed.R")

lightgbm_model <- function(params, set, rounds) {
  params <- c(params, list(objective = "lambdarank", lambdarank_truncation_level = 30L,
                           max_bin = 255L, verbose = -1L))
  lightgbm::lgb.train(params, set, nrounds = rounds, verbose = -1L)
}
write_report <- function(file, report) {
  writeLines(report, file)
  cat(report, sep = "\n")
}

kept <- keep_pieces(".build/lambdamart")
parts <- commandArgs(trailingOnly = TRUE)
if (length(parts) == 0L) parts <- c("folds", "simulated", "speed")
if (any(c("folds", "simulated") %in% parts)) need_package("lightgbm")
if ("folds" %in% parts) bench_folds(kept)
if ("simulated" %in% parts) bench_simulated(kept)
if ("speed" %in% parts) bench_speed(kept)
