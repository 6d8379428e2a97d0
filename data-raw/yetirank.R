# Writes vignettes/yetirank.rds, the full-scale results of the vignette "yetirank", of what bench/yetirank.R
# leaves in .build/yetirank.rds: means, differences and tests only, no judged data.
#
#   Rscript bench/yetirank.R && Rscript data-raw/yetirank.R

library(rankmix)
source("bench/yetirank-runs.R")
source("bench/yetirank-report.R")
found <- readRDS(".build/yetirank.rds")

step_rows <- function(collection, runs, data) {
  if (is.null(runs)) return(NULL)
  do.call(rbind, lapply(c("ndcg", "err"), function(metric) {
    cbind(collection = collection, metric = metric, steps_of(runs, data, metric))
  }))
}
# Settings beside the first one, by NDCG.
factor_rows <- function(factor, runs, data) {
  if (is.null(runs)) return(NULL)
  first <- runs[[1L]]
  do.call(rbind, lapply(names(runs)[-1L], function(name) {
    cbind(factor = factor, setting = name, against = names(runs)[1L],
          difference(runs[[name]], first, data), seconds = runs[[name]]$seconds)
  }))
}

# Means over folds, with the set-up.
curve_rows <- function(curves) {
  do.call(rbind, lapply(names(curves), function(setup) {
    mean <- mean_curve(curves[[setup]])
    if (!is.null(mean)) cbind(setup = setup, folds = length(curves[[setup]]), mean)
  }))
}
variance_rows <- function(found) {
  do.call(rbind, lapply(found, function(v) {
    data.frame(rankings = v$rankings, noise = v$weights, seeds = length(v$values),
               ndcg = mean(v$values), deviation = stats::sd(v$values), correlation = v$correlation)
  }))
}

# What the vignette shows of the curves by the number of trees, and of the band of equal scores.
write_summary <- function(all, to = "vignettes/yetirank.rds") {
  curves <- do.call(rbind, lapply(split(all$curves, all$curves$setup), function(own) {
    data.frame(setup = own$setup[1L], best_trees = own$trees[which.max(own$ndcg)], best = max(own$ndcg),
               at_5000 = own$ndcg[own$trees == 5000])
  }))
  band <- all$band[all$band$trees == max(all$band$trees), ]
  saveRDS(list(
    made = sprintf("rankmix %s, %s", packageVersion("rankmix"), R.version.string), steps = all$steps, factors = all$factors,
    variance = all$variance, inferred = all$inferred, curves = curves,
    band = c(trees = band$trees, ndcg10 = band$ndcg10_best - band$ndcg10_worst, err = band$err_best - band$err_worst)
  ), to, version = 3L, compress = "xz")
  cat(sprintf("%s: %d bytes\n", to, file.size(to)))
}

write_summary(list(
  steps = rbind(step_rows("simulated", found$simulated, "true"),
                step_rows("MQ2008", found$MQ2008, "test"),
                step_rows("OHSUMED", found$OHSUMED, "test")),
  factors = rbind(factor_rows("solver", found$solvers, "true"),
                  factor_rows("position", found$positions, "true"),
                  factor_rows("rankings", found$rankings, "true"),
                  factor_rows("fraction of documents", found$fractions, "true"),
                  factor_rows("assessors without errors", found$confusion$none, "true"),
                  factor_rows("Ukrainian assessors", found$confusion$ukrainian, "true"),
                  factor_rows("Russian assessors", found$confusion$russian, "true"),
                  factor_rows("shortcut", found$shortcuts, "test")),
  curves = curve_rows(found$curves),
  variance = variance_rows(found$variance), inferred = found$inferred,
  band = mean_band(found$band)
))
