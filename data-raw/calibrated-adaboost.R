# Writes vignettes/calibrated-adaboost.rds, the full-scale results of the vignette "calibrated-adaboost": the
# experiments of Busa-Fekete, Kegl, Elteto and Szarvas (2011) with AdaBoost.MH of
# this package. It has means, differences and tests only, no judged data.
#
#   Rscript data-raw/calibrated-adaboost.R [folder]
#
# Parts are the folds of MQ2008 and OHSUMED, the sample of MSLR, and simulated data of five
# grades. Of the training queries of a part 80 % train, the others calibrate; the validation
# queries weigh members and choose c and the threshold; all that is told is of the test queries,
# which choose nothing. Needs RANKMIX_DATA; about ten minutes of one thread. A `folder` keeps
# parts that are done, so that a run that was stopped goes on.

library(rankmix)
source("bench/common.R")
source("bench/calibrated-adaboost-runs.R")
source("data-raw/calibrated-adaboost-claims.R")
options(rankmix.threads = 1L)

parts <- data.frame(
  collection = c(rep("simulated", 3), "MSLR-sample", rep(c("OHSUMED", "MQ2008"), each = 5)),
  number = c(1:3, 1, 1:5, 1:5)
)
folder <- commandArgs(TRUE)[1L]
results <- lapply(seq_len(nrow(parts)), function(i) {
  kept <- file.path(folder, sprintf("%s-%d.rds", parts$collection[i], parts$number[i]))
  if (!is.na(folder) && file.exists(kept)) {
    return(readRDS(kept))
  }
  message(format(Sys.time(), "%H:%M:%S "), toString(parts[i, ]))
  # Few queries calibrate: some grades are missing there.
  result <- suppressWarnings(one_part(parts$collection[i], parts$number[i]))
  if (!is.na(folder)) saveRDS(result, kept)
  result
})

# Over the queries of all parts of a collection: each has the difference by the models of its part.
effects_of <- function(results, collection) {
  names <- names(results[[1L]]$differences)
  rows <- lapply(names, function(name) {
    change <- unlist(lapply(results, function(result) result$differences[[name]]))
    change <- change[!is.na(change)]
    # What is exactly 0 in every query needs no test.
    test <- if (stats::sd(change) > 0) stats::t.test(change) else {
      list(conf.int = rep(mean(change), 2L), p.value = NA_real_)
    }
    data.frame(collection = collection, what = name, queries = length(change),
               effect = mean(change), low = test$conf.int[1L], high = test$conf.int[2L],
               p = test$p.value)
  })
  do.call(rbind, rows)
}

collections <- unique(parts$collection)
bound <- function(name) do.call(rbind, lapply(results, `[[`, name))
means <- function(data, by) {
  numbers <- data[intersect(c("valid", "test"), names(data))]
  stats::aggregate(numbers, data[by], mean)
}
members <- bound("members")
written <- list(
  made = sprintf("rankmix %s, %s", packageVersion("rankmix"), R.version.string),
  members = means(members, c("collection", "learner", "features", "grouping", "search",
                             "calibrator", "family")),
  table3 = means(bound("table3"), c("collection", "mixture")),
  surface = means(bound("surface"), c("collection", "c", "kept")),
  # What was chosen on the validation queries of each part, and what would be best on its test.
  choices = do.call(rbind, lapply(results, function(result) {
    s <- result$surface
    chosen <- s[which.max(s$valid), ]
    best <- s[which.max(s$test), ]
    data.frame(chosen[c("collection", "part")], c = chosen$c, kept = chosen$kept,
               test = chosen$test, best_c = best$c, best_kept = best$kept, best = best$test,
               worst = min(s$test), equal = s$test[s$c == 0 & s$kept == 1])
  })),
  effects = do.call(rbind, lapply(collections, function(name) {
    effects_of(results[parts$collection == name], name)
  }))
)
rownames(written$effects) <- rownames(written$choices) <- NULL
write_summary(written)
print(written$effects, digits = 3)
