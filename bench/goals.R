# tune_and_mix() with its defaults beside each of its members and other rankers, on the test parts of
# MQ2008, OHSUMED and MSLR-sample, and on simulated data. Writes bench/goals.md.
#
#   Rscript bench/goals.R [collection/part ...] [--again] [--kept] [--quick] [--report]
#
# such as MQ2008/1. Without names, the parts without results are run, and the report covers all parts. Members
# are trained on the training part. All choices use the validation part, and the chosen models rank the test
# part once. RANKMIX_DATA names the data folder; scores are kept in .build/goals. Without lightgbm its rows
# are left out. One thread. With --kept the models that bench/members-cache.R trained are members, which saves
# their training; with --quick the rows of lightgbm and of the paper's protocol are missing until a later run
# adds them; --report trains nothing.

library(rankmix)
source("bench/common.R")
peer <- requireNamespace("lightgbm", quietly = TRUE)

arguments <- commandArgs(trailingOnly = TRUE)
again <- "--again" %in% arguments
take_kept <- "--kept" %in% arguments
quick <- "--quick" %in% arguments
report_only <- "--report" %in% arguments
asked <- setdiff(arguments, c("--again", "--kept", "--quick", "--report"))
all_parts <- c(paste0("MQ2008/", 1:5), paste0("OHSUMED/", 1:5), "MSLR-sample/0", paste0("simulated/", 1:3))
goals <- c(MQ2008 = 0.795, OHSUMED = 0.470, `MSLR-sample` = 0.46)

read_part <- function(part) {
  at <- strsplit(part, "/")[[1L]]
  if (at[1L] == "simulated") {
    return(simulated_parts(as.integer(at[2L])))
  }
  folder <- if (at[1L] == "MSLR-sample") at[1L] else file.path(at[1L], paste0("Fold", at[2L]))
  lapply(c(train = "train.txt", valid = "vali.txt", test = "test.txt"), function(file) {
    read_letor(file.path(data_folder(folder), file))
  })
}

# Scores of the test part, with the seconds on one thread.
timed_scores <- function(code) {
  seconds <- system.time(scores <- suppressWarnings(code))[["user.self"]]
  list(scores = scores, seconds = seconds)
}

# For each specification, the member with the best validation metric.
member_scores <- function(mixture, test) {
  scores <- suppressWarnings(predict(mixture, test, type = "member", threads = 1))
  members <- mixture$members
  # The steps of a path are one ranker.
  path <- lapply(mixture$models[members$model], `[[`, "of_path")
  ranker <- ifelse(lengths(path) > 0L, as.character(path), members$classifier)
  best <- vapply(split(seq_len(nrow(members)), factor(ranker, unique(ranker))), function(own) {
    own[which.max(members$value[own])]
  }, 0L)
  c(lapply(best, function(i) scores[, i]), list(`best member` = scores[, which.max(members$value)]))
}

# The number of leaves and the minimum number of documents in a leaf are those with the best NDCG@10 on the
# validation part. Five models with early stopping on the validation part are averaged.
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

# The models that bench/members-cache.R trained with the default specifications, if all are there.
kept_members <- function(part) {
  files <- file.path(".build/members", sprintf("%s-%s-model.rds", sub("/", "-", part), default_names))
  if (!all(file.exists(files))) {
    return(NULL)
  }
  made <- Map(function(file, spec) {
    models <- readRDS(file)
    if (length(models) > 1L) models <- lapply(models, function(model) as_step(model, format(spec)))
    models
  }, files, default_members())
  unlist(made, recursive = FALSE, use.names = FALSE)
}
# Steps of a path are one member.
as_step <- function(model, path) {
  model$of_path <- path
  model
}
default_names <- c("trees", "stumps", "gbrt", "small", "small2", "slow8", "softmax", "xendcg8", "smooth8",
                   "lambda8", "ridge", "svm", "ranksvm", "rankboost", "ascent", "cocr_gbrt", "lambdanet")

# The results of a part are kept after each step.
run_part <- function(part) {
  file <- file.path(".build/goals", paste0(sub("/", "-", part), ".rds"))
  if (report_only) {
    return(readRDS(file))
  }
  run <- if (file.exists(file) && !again) readRDS(file) else list(part = part, rows = list())
  parts <- NULL
  add <- function(name, code) {
    if (is.null(run$rows[[name]])) {
      if (is.null(parts)) parts <<- read_part(part)
      run$rows[[name]] <<- timed_scores(code())
      saveRDS(run, file)
    }
  }
  mix <- function(...) tune_and_mix(parts$train, parts$valid, ..., seed = 1, threads = 1, verbose = FALSE)
  alone <- function(spec) predict(fit(spec, parts$train, validation = parts$valid, seed = 1, threads = 1,
                                      verbose = FALSE), parts$test, threads = 1)
  kept <- if (take_kept) kept_members(part)
  mixture <- NULL
  add("mixture", function() {
    mixture <<- if (is.null(kept)) mix() else mix(kept)
    predict(mixture, parts$test, threads = 1)
  })
  if (!is.null(mixture)) {
    run$trained_here <- is.null(kept)
    members <- member_scores(mixture, parts$test)
    run$members <- lapply(members, function(scores) list(scores = scores, seconds = NA_real_))
    saveRDS(run, file)
  }
  add("best feature", function() predict(fit(best_feature(), parts$train), parts$test))
  add("ridge", function() alone(linear_ranker()))
  if (peer && !quick) {
    add("lightgbm lambdarank", function() lightgbm_scores(parts, "lambdarank"))
    add("lightgbm xendcg", function() lightgbm_scores(parts, "rank_xendcg"))
    add("lightgbm regression", function() lightgbm_scores(parts, "regression"))
  }
  if (is.null(kept) && !quick) {
    add("mixture, split", function() predict(mix(holdout = "split"), parts$test, threads = 1))
  }
  message(part)
  run
}
with_values <- function(run) {
  parts <- read_part(run$part)
  rows <- c(run$rows, run$members)
  values <- as.data.frame(evaluate(lapply(rows, `[[`, "scores"), parts$test,
                                   list(metric_ndcg(10, empty = 1), metric_err(max_grade = max(parts$train$relevance))),
                                   threads = 1))
  run$seconds <- vapply(rows, `[[`, 0, "seconds")
  if (isFALSE(run$trained_here)) {
    run$seconds["mixture"] <- run$seconds["mixture"] + sum(vapply(default_names, function(name) {
      readRDS(file.path(".build/members", sprintf("%s-%s.rds", sub("/", "-", run$part), name)))$seconds
    }, 0))
  }
  run$values <- cbind(part = run$part, values)
  run
}

dir.create(".build/goals", showWarnings = FALSE, recursive = TRUE)
runs <- lapply(if (length(asked) > 0L) asked else all_parts, run_part)
if (length(asked) > 0L) quit(save = "no")
runs <- lapply(runs, with_values)

values <- do.call(rbind, lapply(runs, `[[`, "values"))
# Parts are folds of one collection, but each simulation draws a collection of its own.
collection_of <- function(part) ifelse(startsWith(part, "simulated"), part, sub("/.*", "", part))
values$collection <- collection_of(values$part)
seconds <- do.call(rbind, lapply(runs, function(run) {
  data.frame(collection = collection_of(run$part), ranker = names(run$seconds), seconds = run$seconds)
}))

# A row of a table: the mean over folds, the paired difference to the mixture over queries, and the time.
entry_of <- function(own, ranker, time) {
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
# A row that some parts do not have yet would be a mean over other queries than the other rows.
in_all_parts <- function(own) {
  Filter(function(ranker) sum(own$ranker == ranker) == sum(own$ranker == "mixture"), unique(own$ranker))
}
table_of <- function(collection, metric) {
  own <- values[values$collection == collection & values$metric == metric, ]
  time <- seconds[seconds$collection == collection, ]
  c("", sprintf("### %s", metric), "",
    "| ranker | mean of folds | mixture minus ranker [95 % interval] | p | seconds |", "|---|---|---|---|---|",
    vapply(in_all_parts(own), function(ranker) entry_of(own, ranker, time), ""))
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
# Over all collections ---------------------------------------------------------------------

# The mixture minus each ranker on each collection, with stratified standard errors, as values of
# compare_over_datasets().
compared_collections <- function(metric) {
  complete <- Reduce(intersect, lapply(unique(values$collection), function(collection) {
    in_all_parts(values[values$collection == collection & values$metric == metric, ])
  }))
  rankers <- setdiff(complete, "mixture, split")
  lapply(split(values, factor(values$collection, unique(values$collection))), function(own) {
    own <- own[own$metric == metric & own$ranker %in% rankers, ]
    # Queries of different parts may have the same id.
    own$query <- paste(own$part, own$query)
    if (length(unique(own$part)) > 1L) own$fold <- own$part
    columns <- intersect(c("ranker", "fold", "query", "metric", "value"), names(own))
    compare_rankers(as_evaluation(own[columns]), test = "t", adjust = "holm", control = "mixture", seed = 1)
  })
}
# A goal of the pooled differences: above 0, and below 0 on no collection.
pooled_row <- function(pair, apart) {
  worse <- apart$dataset[apart$difference + stats::qt(0.975, Inf) * apart$se < 0]
  sprintf("| %s | %+.4f [%+.4f, %+.4f] | %s | %+.4f to %+.4f | %s |", pair$a, -pair$difference, -pair$upper,
          -pair$lower, format.pval(pair$p, digits = 2, eps = 1e-4), min(apart$difference),
          max(apart$difference), if (length(worse) == 0L) "none" else paste(worse, collapse = ", "))
}
pooled <- function(metric) {
  compared <- compared_collections(metric)
  effects <- compare_over_datasets(compared, metric, control = "mixture")
  pairs <- tidy(effects)
  rows <- lapply(seq_len(nrow(pairs)), function(i) {
    apart <- do.call(rbind, lapply(names(compared), function(name) {
      own <- tidy(compared[[name]])
      own <- own[own$a == pairs$a[i], ]
      data.frame(dataset = name, difference = -own$difference, se = own$se)
    }))
    pooled_row(pairs[i, ], apart)
  })
  c("", "## Pooled over all collections", "",
    sprintf("%s: the mixture minus each ranker. Random effects over %d collections by REML, with the", metric,
            length(compared)),
    "intervals of Hartung and Knapp. `below 0` names the collections on which the mixture is significantly worse.",
    "P-values are not adjusted for the number of comparisons. Each simulated data set counts as a collection.", "",
    "| ranker | mean difference [95 % interval] | p | collections | below 0 |", "|---|---|---|---|---|",
    unlist(rows))
}

writeLines(c(
  "# The default mixture beside others", "",
  "Written by `Rscript bench/goals.R`. `tune_and_mix(train, valid)` runs with its defaults. It is trained on the training part of",
  "each fold, tuned on the validation part, and measured once on the test part. `mixture, split` is the protocol of the paper:",
  "80 % of the training queries train, the others calibrate, and the validation part finds the weights. The next rows are other",
  "rankers, also chosen on the validation part. lightgbm has the best of six settings, averaged over five seeds. Then come the",
  "best calibrated member of each specification, and the best of all members, by their validation metric. Differences are paired",
  "by query, with t intervals and p-values. Seconds are for training, tuning and predicting one fold on one thread, on a busy",
  "machine.",
  if (any(vapply(runs, function(run) isFALSE(run$trained_here), NA))) {
    c("Members are the models that `bench/members-cache.R` trained with the default specifications (`--kept`). Their",
      "seeds differ from the seeds of tune_and_mix().")
  },
  if (sum(values$ranker == "mixture, split") < sum(values$ranker == "mixture")) {
    "The protocol of the paper has not been run on all data yet."
  },
  sprintf("rankmix %s, %s%s.", packageVersion("rankmix"), R.version.string,
          if (peer) paste("; lightgbm", packageVersion("lightgbm")) else ""),
  pooled("ndcg@10(empty = 1)"), unlist(sections)
), "bench/goals.md")
