# Keeps the predictions of members of mixtures for validation queries, which bench/members.R uses: rankers are
# trained on the training part of a fold, and calibrated with each of fast_calibrators() on one half of the
# validation queries, to predict the other half, and the other way round. Test parts are not read.
#
#   Rscript bench/members-cache.R all | collection/part[,...] [ranker[,...]]
#
# such as `MQ2008/1,OHSUMED/3 gbrt,ridge`; the part of simulated data is the seed; MSLR-sample has only part
# 0. Files that exist in .build/members are not computed again. Needs RANKMIX_DATA. One thread.

source("bench/common.R")
source("bench/members-rankers.R")
internal <- asNamespace("rankmix")

read_fold <- function(collection, fold, names = c(train = "train.txt", valid = "vali.txt")) {
  folder <- if (collection == "MSLR-sample") collection else file.path(collection, paste0("Fold", fold))
  lapply(names, function(name) rankmix::read_letor(file.path(data_folder(folder), name)))
}
read_part <- function(part) {
  parts <- if (part[1L] == "simulated") simulated_parts(as.integer(part[2L])) else read_fold(part[1L], part[2L])
  parts[c("train", "valid")]
}
halves_of <- function(valid) rankmix::split_parts(rankmix::split_queries(valid, 0.5, seed = 1), valid)
kept_in <- function(part, ranker) {
  file.path(".build/members", sprintf("%s-%s-%s.rds", part[1L], part[2L], ranker))
}

# Matrices of scores, documents x members, for each T in use. The scores of `tune` are cross-fitted: their
# calibrators were fitted to other queries of `tune`. The scores of `other` are of calibrators that were
# fitted to all queries of `tune`.
half_scores <- function(models, tune, other, metric) {
  calibrators <- structure(rankmix::fast_calibrators(), of_one_score = "all")
  grid <- internal$usual_rounds(models)
  models <- internal$with_own_rounds(models, tune, grid, metric, 1L, NULL)
  grid <- internal$rounds_to_try(models, grid)
  pairs <- internal$member_candidates(models, calibrators)
  plan <- list(calibrators = calibrators, holdout = rankmix::mix_holdout(parts = 2),
               weighting = list(standardize = FALSE), metric = metric,
               time = list(calibration = list(limited = FALSE)), threads = 1L, call = NULL)
  calibration <- internal$new_calibration(plan, models, pairs, list(validation = tune), grid)
  candidates <- seq_len(nrow(pairs))
  features <- internal$features_of_models(models, other, 1L)
  stages <- lapply(grid, function(rounds) {
    fitted <- internal$final_calibrators(calibration, candidates, rounds)
    list(tune = do.call(cbind, internal$calibrated_candidates(calibration, candidates, rounds)$scores),
         other = do.call(cbind, lapply(seq_along(models), function(i) {
           own <- which(pairs$model == i)
           f <- internal$calibrator_input(models[[i]], features[[i]],
                                          internal$member_rounds(models[[i]], rounds), 1L)
           do.call(cbind, internal$calibrators_scores(fitted[own], internal$discriminant_slice(f, 1L), 1L))
         })))
  })
  list(cells = pairs, rounds = grid, stages = stages,
       own_rounds = lapply(models, `[[`, "own_rounds"))
}

make_kept <- function(part, ranker, data) {
  file <- kept_in(part, ranker)
  if (file.exists(file)) return(invisible())
  seconds <- system.time({
    model <- suppressWarnings(rankmix::fit(rankers[[ranker]], data$train, seed = seed_of(ranker), threads = 1,
                                           verbose = FALSE))
  })[["user.self"]]
  models <- lapply(internal$model_steps(model), function(step) {
    step$best_rounds <- internal$rounds_used(step)
    step
  })
  halves <- halves_of(data$valid)
  metric <- rankmix::metric_ndcg(10)
  kept <- suppressWarnings(list(
    half_scores(models, halves$train, halves$test, metric),
    half_scores(models, halves$test, halves$train, metric)
  ))
  saveRDS(models, sub("[.]rds$", "-model.rds", file))
  saveRDS(list(ranker = ranker, seconds = seconds, halves = kept), file)
  message(sprintf("%s %s: %.1f s", toString(part), ranker, seconds))
}

if (sys.nframe() == 0L) {
  arguments <- commandArgs(trailingOnly = TRUE)
  dir.create(".build/members", showWarnings = FALSE, recursive = TRUE)
  every <- paste0(rep(c("MQ2008/", "OHSUMED/"), each = 5), 1:5)
  asked <- if (arguments[1L] == "all") c(every, "MSLR-sample/0", "simulated/1") else {
    strsplit(arguments[1L], ",")[[1L]]
  }
  parts <- strsplit(asked, "/")
  wanted <- if (length(arguments) > 1L) strsplit(arguments[2L], ",")[[1L]] else names(rankers)
  data <- NULL
  for (part in parts) {
    if (all(file.exists(vapply(wanted, function(name) kept_in(part, name), "")))) next
    data <- read_part(part)
    for (name in wanted) {
      tryCatch(make_kept(part, name, data), error = function(e) {
        message(sprintf("%s %s: %s", toString(part), name, conditionMessage(e)))
      })
    }
  }
}
