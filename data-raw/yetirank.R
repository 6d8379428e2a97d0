# Writes vignettes/articles/yetirank.rds, the numbers of the article on YetiRank, of what
# bench/yetirank.R leaves in .build/yetirank.rds: means, differences and tests only, no judged data.
#
#   Rscript bench/yetirank.R && Rscript data-raw/yetirank.R

library(rankmix)
source("bench/yetirank-runs.R")
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

saveRDS(list(
  steps = rbind(step_rows("simulated, 150 trees", found$simulated, "true"),
                step_rows("simulated, 800 trees", found$many, "true"),
                step_rows("MQ2008", found$MQ2008, "test"),
                step_rows("OHSUMED", found$OHSUMED, "test")),
  factors = rbind(factor_rows("solver", found$solvers, "true"),
                  factor_rows("position", found$positions, "true"),
                  factor_rows("rankings", found$rankings, "true"),
                  factor_rows("share of documents", found$shares, "true"),
                  factor_rows("judges without errors", found$confusion$none, "true"),
                  factor_rows("Ukrainian judges", found$confusion$ukrainian, "true"),
                  factor_rows("Russian judges", found$confusion$russian, "true"),
                  factor_rows("shortcut", found$shortcuts, "test")),
  curve = if (!is.null(found$many)) lapply(found$many, function(run) run[[1L]]$of$true$ndcg$curve),
  inferred = found$inferred, band = rowMeans(found$band)
), "vignettes/articles/yetirank.rds", version = 3L)
