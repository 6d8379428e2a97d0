# tune_and_mix() with its defaults beside each of its members and other rankers, on the test parts of
# MQ2008, OHSUMED and MSLR-sample, and on simulated data. Writes bench/goals.md.
#
#   Rscript bench/goals.R [collection/part ...] [--again]
#
# such as MQ2008/1. Without names all parts are run that were not, and the report is written of all.
# Members are trained on the training part, all that is chosen is chosen on the validation part, and test
# parts are read once, by what was chosen. RANKMIX_DATA names the data folder; scores are kept in
# .build/goals. lightgbm's rows are left out where it is not there. One thread.

library(rankmix)
source("bench/common.R")
peer <- requireNamespace("lightgbm", quietly = TRUE)

arguments <- commandArgs(trailingOnly = TRUE)
again <- "--again" %in% arguments
asked <- setdiff(arguments, "--again")
all_parts <- c(paste0("MQ2008/", 1:5), paste0("OHSUMED/", 1:5), "MSLR-sample/0", "simulated/1")
goals <- c(MQ2008 = 0.795, OHSUMED = 0.470, `MSLR-sample` = 0.46)

# As in bench/accuracy.R: of 2,000 simulated queries 1,000 train, 400 are held out, 600 measure.
read_part <- function(part) {
  at <- strsplit(part, "/")[[1L]]
  if (at[1L] == "simulated") {
    data <- simulate_ranking(2000, seed = as.integer(at[2L]))$data
    outer <- split_parts(split_queries(data, 0.7, seed = 1), data)
    inner <- split_parts(split_queries(outer$train, 1000 / 1400, seed = 2), outer$train)
    return(list(train = inner$train, valid = inner$test, test = outer$test))
  }
  folder <- if (at[1L] == "MSLR-sample") at[1L] else file.path(at[1L], paste0("Fold", at[2L]))
  lapply(c(train = "train.txt", valid = "vali.txt", test = "test.txt"), function(file) {
    read_letor(file.path(data_folder(folder), file))
  })
}

# Of the test part, with the seconds of one thread that it took.
timed_scores <- function(code) {
  seconds <- system.time(scores <- suppressWarnings(code))[["user.self"]]
  list(scores = scores, seconds = seconds)
}

# The best of the members that each specification gave, by their held-out metric.
member_scores <- function(mixture, test) {
  scores <- suppressWarnings(predict(mixture, test, type = "member", threads = 1))
  members <- mixture$members
  # The steps of a path are one ranker.
  path <- lapply(mixture$classifiers[members$model], `[[`, "of_path")
  ranker <- ifelse(lengths(path) > 0L, as.character(path), members$classifier)
  best <- vapply(split(seq_len(nrow(members)), factor(ranker, unique(ranker))), function(own) {
    own[which.max(members$value[own])]
  }, 0L)
  c(lapply(best, function(i) scores[, i]), list(`best member` = scores[, which.max(members$value)]))
}

# Leaves and the least documents of a leaf are those of the best NDCG@10 on the validation part; five
# models, with early stopping there, are averaged.
lightgbm_scores <- function(parts, objective) {
  train <- lightgbm_dataset(parts$train)
  valid <- lightgbm_dataset(parts$valid, reference = train)
  fit_one <- function(leaves, least, seed) {
    lightgbm::lgb.train(
      params = list(objective = objective, metric = "ndcg", eval_at = 10L, num_leaves = leaves,
                    learning_rate = 0.05, min_data_in_leaf = least, feature_fraction = 0.5,
                    bagging_fraction = 0.7, bagging_freq = 1L, num_threads = 1L, seed = seed,
                    deterministic = TRUE, force_row_wise = TRUE, feature_pre_filter = FALSE),
      data = train, nrounds = 500L, valids = list(valid = valid), early_stopping_rounds = 50L,
      verbose = -1L
    )
  }
  at <- expand.grid(leaves = c(7L, 15L, 31L), least = c(20L, 50L))
  tried <- Map(fit_one, at$leaves, at$least, 1L)
  best <- which.max(vapply(tried, function(model) model$best_score, 0))
  bag <- c(tried[best], lapply(2:5, function(seed) fit_one(at$leaves[best], at$least[best], seed)))
  Reduce(`+`, lapply(bag, predict, parts$test$x)) / length(bag)
}

run_part <- function(part) {
  file <- file.path(".build/goals", paste0(sub("/", "-", part), ".rds"))
  if (file.exists(file) && !again) {
    return(readRDS(file))
  }
  parts <- read_part(part)
  mix <- function(...) tune_and_mix(parts$train, parts$valid, ..., seed = 1, threads = 1, verbose = FALSE)
  alone <- function(spec) predict(fit(spec, parts$train, validation = parts$valid, seed = 1, threads = 1,
                                      verbose = FALSE), parts$test, threads = 1)
  mixture <- NULL
  rows <- list(mixture = timed_scores({
    mixture <- mix()
    predict(mixture, parts$test, threads = 1)
  }))
  rows$`mixture, "split"` <- timed_scores(predict(mix(hold_out = "split"), parts$test, threads = 1))
  rows$`best feature` <- timed_scores(predict(fit(best_feature(), parts$train), parts$test))
  rows$ridge <- timed_scores(alone(linear()))
  if (peer) {
    rows$`lightgbm lambdarank` <- timed_scores(lightgbm_scores(parts, "lambdarank"))
    rows$`lightgbm xendcg` <- timed_scores(lightgbm_scores(parts, "rank_xendcg"))
  }
  members <- lapply(member_scores(mixture, parts$test), function(scores) {
    list(scores = scores, seconds = NA_real_)
  })
  rows <- c(rows, members)
  grades <- max(parts$train$relevance)
  values <- as.data.frame(evaluate(lapply(rows, `[[`, "scores"), parts$test,
                                   list(ndcg(10, empty = 1), err(max_grade = grades)), threads = 1))
  run <- list(part = part, seconds = vapply(rows, `[[`, 0, "seconds"), values = cbind(part = part, values))
  saveRDS(run, file)
  message(part)
  run
}

dir.create(".build/goals", showWarnings = FALSE, recursive = TRUE)
runs <- lapply(if (length(asked) > 0L) asked else all_parts, run_part)
if (length(asked) > 0L) quit(save = "no")

values <- do.call(rbind, lapply(runs, `[[`, "values"))
values$collection <- sub("/.*", "", values$part)
seconds <- do.call(rbind, lapply(runs, function(run) {
  data.frame(collection = sub("/.*", "", run$part), ranker = names(run$seconds), seconds = run$seconds)
}))

# A row of a table: the mean of folds, the difference of the mixture over queries, in pairs, and the time.
row_of <- function(own, ranker, time) {
  mine <- own[own$ranker == ranker, ]
  change <- own$value[own$ranker == "mixture"] - mine$value
  mean_of <- mean(tapply(mine$value, mine$part, mean))
  paired <- if (ranker == "mixture" || all(change == 0)) "" else {
    test <- stats::t.test(change)
    sprintf("%+.4f [%+.4f, %+.4f] | %s", mean(change), test$conf.int[1L], test$conf.int[2L],
            format.pval(test$p.value, digits = 2, eps = 1e-4))
  }
  if (paired == "") paired <- " | "
  used <- time$seconds[time$ranker == ranker]
  sprintf("| %s | %.4f | %s | %s |", ranker, mean_of, paired,
          if (all(is.na(used))) "" else sprintf("%.1f", mean(used)))
}
table_of <- function(collection, metric) {
  own <- values[values$collection == collection & values$metric == metric, ]
  time <- seconds[seconds$collection == collection, ]
  c("", sprintf("### %s", metric), "",
    "| ranker | mean of folds | the mixture less it [95 % interval] | p | seconds |", "|---|---|---|---|---|",
    vapply(unique(own$ranker), function(ranker) row_of(own, ranker, time), ""))
}
sections <- lapply(unique(values$collection), function(collection) {
  own <- values[values$collection == collection, ]
  first <- own$metric[1L]
  mixed <- own[own$ranker == "mixture" & own$metric == first, ]
  reached <- mean(tapply(mixed$value, mixed$part, mean))
  goal <- goals[collection]
  c("", sprintf("## %s: %d queries in %d part%s", collection, nrow(mixed), length(unique(mixed$part)),
                if (length(unique(mixed$part)) > 1L) "s" else ""),
    if (!is.na(goal)) {
      c("", sprintf("Goal: %.3f or more. %s: %.4f (%+.4f).", goal,
                    if (reached >= goal) "Reached" else "Missed", reached, reached - goal))
    },
    unlist(lapply(unique(own$metric), table_of, collection = collection)))
})
writeLines(c(
  "# The default mixture beside others", "",
  "Written by `Rscript bench/goals.R`: `tune_and_mix(train, valid)` with its defaults, trained on the training",
  "part of each fold, tuned on its validation part, measured once on its test part. `mixture, \"split\"` is",
  "the paper's protocol: 80 % of the training queries train, the others calibrate, the validation part",
  "weighs. Below are the other rankers, chosen on the validation part too; those of lightgbm are the better",
  "of six settings, averaged over five seeds. Then the best calibrated member of each specification of the",
  "mixture, and the best of all, by their held-out metric. Differences are of queries, in pairs, with",
  "intervals and p by t. Seconds are those of one thread, for training, tuning and predicting a fold, measured",
  "on a machine that was busy; members are those of the mixture.",
  sprintf("rankmix %s, %s%s.", packageVersion("rankmix"), R.version.string,
          if (peer) paste("; lightgbm", packageVersion("lightgbm")) else ""),
  unlist(sections)
), "bench/goals.md")
