# Writes vignettes/articles/yetirank.rds, the numbers of the article on YetiRank, of what
# bench/yetirank.R leaves in .build/yetirank.rds: means, differences and tests only, no judged data.
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
# Of one step for all, as figure 2 has it, on true grades.
first_rows <- function(runs) {
  do.call(rbind, lapply(names(runs), function(setup) {
    run <- runs[[setup]][[1L]]
    data.frame(setup = setup, trees = run$grid, ndcg = unname(run$of$true$ndcg$first))
  }))
}
variance_rows <- function(found) {
  do.call(rbind, lapply(found, function(v) {
    data.frame(rankings = v$rankings, noise = v$weights, seeds = length(v$values),
               ndcg = mean(v$values), deviation = stats::sd(v$values), correlation = v$correlation)
  }))
}

saveRDS(list(
  steps = rbind(step_rows("simulated", found$simulated, "true"),
                step_rows("MQ2008", found$MQ2008, "test"),
                step_rows("OHSUMED", found$OHSUMED, "test")),
  factors = rbind(factor_rows("solver", found$solvers, "true"),
                  factor_rows("position", found$positions, "true"),
                  factor_rows("rankings", found$rankings, "true"),
                  factor_rows("fraction of documents", found$fractions, "true"),
                  factor_rows("judges without errors", found$confusion$none, "true"),
                  factor_rows("Ukrainian judges", found$confusion$ukrainian, "true"),
                  factor_rows("Russian judges", found$confusion$russian, "true"),
                  factor_rows("shortcut", found$shortcuts, "test")),
  first = first_rows(found$simulated), curves = curve_rows(found$curves),
  variance = variance_rows(found$variance), inferred = found$inferred,
  band = mean_band(found$band)
), "vignettes/articles/yetirank.rds", version = 3L)
