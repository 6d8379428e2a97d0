# Which calibrators decide? Mixtures of all, of some and of single calibrators, compared on
# validation queries that neither trained nor tuned them. Writes bench/fast-calibrators.md.
#
#   Rscript bench/fast-calibrators.R [--again]
#
# Two classifiers, AdaBoost.MH of trees and of stumps, are trained on train.txt of each fold of MQ2008 and OHSUMED. The
# queries of vali.txt are halved, with several seeds: a mixture is tuned on one half as
# tune_and_mix() does it (two parts of cross-fitting, T, c) and ranks the other half, then
# the other way round. Test parts are not read. One thread; about eleven minutes. Needs
# RANKMIX_DATA. With --again the report is written from the values that an earlier run saved in .build.

library(rankmix)
source("bench/common.R")

metric <- metric_ndcg(10)
grid_rounds <- c(10, 50, 200, 1000)
grid_c <- rankmix:::default_c
split_seeds <- 1:2
# A set is not worse than all where the 95 % interval of its difference lies above this.
margin <- -0.005

methods <- all_calibrators()
labels <- vapply(methods, format, "")
slow <- grepl("gaussian_process|network|soft_ndcg", labels)
named <- function(...) which(labels %in% vapply(list(...), format, ""))
plain <- list(calibrator_naive(), calibrator_cpc(), calibrator_rbc(), calibrator_rbc("logistic"), calibrator_rbc("polynomial", 2),
              calibrator_rbc("polynomial", 3))
sets <- list(
  `all_calibrators()` = seq_along(methods),
  `without soft NDCG, network and Gaussian process` = which(!slow),
  `fast_calibrators()` = do.call(named, fast_calibrators()),
  `the plain ones of fast_calibrators()` = do.call(named, plain),
  `these without log-sigmoid` = do.call(named, plain[-2]),
  `naive, log-sigmoid, linear` = do.call(named, plain[1:3])
)
sets <- c(sets, stats::setNames(as.list(seq_along(methods)), labels))

read_part <- function(collection, fold, name) {
  read_letor(file.path(data_folder(collection, paste0("Fold", fold)), name))
}

stopwatch <- function(code) {
  started <- proc.time()[["elapsed"]]
  force(code)
  proc.time()[["elapsed"]] - started
}

# Validation scores of each calibrator on the half that tunes, cross-fitted, with their time.
tuning_scores <- function(f, range, held) {
  scores <- vector("list", length(methods))
  seconds <- vapply(seq_along(methods), function(m) {
    input <- rankmix:::calibrator_inputs(f, range, methods[m])
    stopwatch(scores[[m]] <<- rankmix:::crossfit_scores(list(input), held, 2L, 1L)[[1L]][[1L]])
  }, 0)
  list(scores = scores, seconds = seconds)
}

# Tunes every set on one half. The result has the values of the queries of the other half, and the seconds.
one_half <- function(models, tune, other) {
  held <- rankmix:::held_out(tune, 1L)
  raw <- function(model, data, rounds) {
    unname(predict(model, data, type = "raw", rounds = rounds, threads = 1))
  }
  grid <- expand.grid(model = seq_along(models), rounds = grid_rounds)
  cells <- Map(function(model, rounds) {
    tuning_scores(raw(models[[model]], tune, rounds),
                  rankmix:::discriminant_range(models[[model]], rounds), held)
  }, grid$model, grid$rounds)
  final <- list()  # by T, then calibrator: scores of both models on the other half
  final_scores <- function(rounds, m) {
    key <- paste(rounds, m)
    if (is.null(final[[key]])) {
      scores <- NULL
      seconds <- stopwatch(scores <- lapply(models, function(model) {
        fitted <- rankmix:::fit_calibrator(methods[[m]], raw(model, tune, rounds), held,
                                           rankmix:::discriminant_range(model, rounds), 1L)
        rankmix:::calibrated_scores(fitted, raw(model, other, rounds), 1L)
      }))
      final[[key]] <<- list(scores = scores, seconds = seconds)
    }
    final[[key]]
  }
  lapply(sets, function(set) {
    tuned <- lapply(grid_rounds, function(rounds) {
      members <- do.call(c, lapply(cells[grid$rounds == rounds], function(cell) cell$scores[set]))
      omega <- rankmix:::metric_means(metric, members, tune, 1L)
      list(omega = omega, values = rankmix:::mixture_values(members, omega, tune, metric, grid_c,
                                                            -Inf, 1L)[1L, ])
    })
    best <- which.max(vapply(tuned, function(t) max(t$values), 0))
    c_best <- grid_c[which.max(tuned[[best]]$values)]
    found <- lapply(set, final_scores, rounds = grid_rounds[best])
    scores <- do.call(c, lapply(seq_along(models), function(i) {
      lapply(found, function(one) one$scores[[i]])
    }))
    weights <- rankmix:::exponential_weights(c_best, tuned[[best]]$omega)
    values <- as.data.frame(evaluate(Reduce(`+`, Map(`*`, scores, weights)), other, metric,
                                     threads = 1))
    seconds <- sum(vapply(cells, function(cell) sum(cell$seconds[set]), 0)) +
      sum(vapply(found, `[[`, 0, "seconds"))
    list(values = stats::setNames(values$value, values$query), seconds = seconds)
  })
}

# For each set the value of each query of a validation part, the mean over the seeds, and
# the seconds of a half.
one_fold <- function(collection, fold) {
  train <- read_part(collection, fold, "train.txt")
  valid <- read_part(collection, fold, "vali.txt")
  models <- lapply(list(adaboost_mh(base_tree(8)), adaboost_mh(base_stump())), fit, train, seed = 1,
                   threads = 1, verbose = FALSE)
  halves <- do.call(c, lapply(split_seeds, function(seed) {
    parts <- split_parts(split_queries(valid, 0.5, seed = seed), valid)
    list(one_half(models, parts$train, parts$test), one_half(models, parts$test, parts$train))
  }))
  message(sprintf("%s, fold %d: %s queries", collection, fold, length(valid$query_ids)))
  lapply(stats::setNames(names(sets), names(sets)), function(set) {
    values <- unlist(lapply(halves, function(half) half[[set]]$values))
    list(values = c(tapply(ifelse(is.na(values), 0, values), names(values), mean)),
         seconds = mean(vapply(halves, function(half) half[[set]]$seconds, 0)))
  })
}

collections <- c("MQ2008", "OHSUMED")
values_file <- ".build/fast-calibrators.rds"
if (!"--again" %in% commandArgs(trailingOnly = TRUE)) {
  found <- lapply(stats::setNames(collections, collections), function(collection) {
    lapply(1:5, one_fold, collection = collection)
  })
  dir.create(".build", showWarnings = FALSE)
  saveRDS(found, values_file)
}
found <- readRDS(values_file)
values_of <- function(collection, set) {
  unlist(lapply(found[[collection]], function(fold) fold[[set]]$values))
}
seconds_of <- function(collection, set) {
  mean(vapply(found[[collection]], function(fold) fold[[set]]$seconds, 0))
}

# A set minus all calibrators, query by query.
difference <- function(collections, set) {
  both <- lapply(c(set, names(sets)[1L]), function(set) {
    unlist(lapply(collections, values_of, set))
  })
  if (all(both[[1L]] == both[[2L]])) {
    return(c(difference = 0, lower = 0, upper = 0))
  }
  test <- stats::t.test(both[[1L]], both[[2L]], paired = TRUE)
  c(difference = unname(test$estimate), lower = test$conf.int[1L], upper = test$conf.int[2L])
}
rows <- vapply(names(sets), function(set) {
  by <- lapply(list("MQ2008", "OHSUMED", collections), difference, set)
  shown <- vapply(by, function(d) sprintf("%+.4f [%+.4f, %+.4f]", d[1L], d[2L], d[3L]), "")
  sprintf("| %s | %.4f | %s | %.4f | %s | %s | %s | %.2f | %.2f |",
          if (grepl("^[a-z_]+\\(", set)) sprintf("`%s`", set) else set,
          mean(values_of("MQ2008", set)), shown[1L], mean(values_of("OHSUMED", set)), shown[2L],
          shown[3L], if (by[[3L]][["lower"]] > margin) "yes" else "no",
          seconds_of("MQ2008", set), seconds_of("OHSUMED", set))
}, "")
queries <- vapply(collections, function(collection) {
  length(values_of(collection, names(sets)[1L]))
}, 0L)
all_set <- names(sets)[1L]
speed <- vapply(collections, function(collection) {
  seconds_of(collection, all_set) / seconds_of(collection, "fast_calibrators()")
}, 0)
fast <- difference(collections, "fast_calibrators()")
writeLines(c(
  "# Which calibrators decide", "",
  "Written by `Rscript bench/fast-calibrators.R`: NDCG@10 of mixtures of two classifiers,",
  "`adaboost_mh(base_tree(8))` and `adaboost_mh(base_stump())`, with several sets of calibrators. Members are trained on",
  sprintf("train.txt of the five folds. vali.txt is halved with %d seeds; each mixture is tuned on one half and measured",
          length(split_seeds)),
  sprintf("on the other, in both directions. MQ2008 has %d validation queries (halves of about 78), OHSUMED %d",
          queries[1L], queries[2L]),
  "(halves of about 10). Test parts are not read. One thread; T is chosen among",
  sprintf("%s. rankmix %s, %s.", toString(grid_rounds), packageVersion("rankmix"),
          R.version.string), "",
  "Differences are relative to all calibrators, with 95 % intervals by paired t tests over queries. A query counts by its",
  sprintf("mean over the splits. A set is \"not worse\" if the interval over both collections lies"),
  sprintf("above %.3f. Seconds are for the calibration of one half for all T, with the final fits.", margin), "",
  "The set of `fast_calibrators()` was chosen from this table: among the sets of several calibrators that take less than a",
  "second, its interval has the highest lower end. Because it was chosen among four sets, its",
  sprintf("interval is slightly optimistic. It changes NDCG@10 by **%+.4f [%+.4f, %+.4f]** in 1/%.0f (MQ2008)",
          fast[1L], fast[2L], fast[3L], speed[1L]),
  sprintf("and 1/%.0f (OHSUMED) of the time. On each data set some single calibrators look as good, but they are not the same on both.",
          speed[2L]), "",
  paste("| calibrators | MQ2008 | difference | OHSUMED | difference | both | not worse |",
        "s, MQ2008 | s, OHSUMED |"),
  "|---|---|---|---|---|---|---|---|---|", rows
), "bench/fast-calibrators.md")
cat(readLines("bench/fast-calibrators.md"), sep = "\n")
