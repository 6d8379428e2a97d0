# Which members a mixture should have, and how they should be weighted, on validation queries that neither
# trained, calibrated nor weighted them. The default of tune_and_mix() was chosen by this comparison. Writes
# bench/members.md.
#
#   Rscript bench/members-cache.R all   (some minutes of one thread per fold)
#   Rscript bench/members.R             (a minute)
#
# Members are trained on train.txt of each fold; the queries of vali.txt are halved: a mixture is tuned on
# one half and ranks the other, then the other way round. Test parts are not read. Needs RANKMIX_DATA.

source("bench/members-mix.R")

nine <- c("trees", "stumps", "gbrt", "small", "softmax", "ridge", "svm", "ranksvm", "rankboost")
six_more <- c("lambda8", "xendcg8", "smooth8", "ascent", "cocr_gbrt", "lambdanet")
seventeen <- c(nine, six_more, "small2", "slow8")
most <- c(seventeen, "forest", "softmax8", "cocr", "listnet1", "m5p", "oblivious", "ranknet", "listnet",
          "adarank")
parts <- c(lapply(1:5, function(fold) c("MQ2008", fold)), lapply(1:5, function(fold) c("OHSUMED", fold)),
           list(c("MSLR-sample", 0), c("simulated", 1)))

# The family of each ranker, as the package groups rankers.
family_of_name <- function(name) {
  family <- c(trees = "adaboost_mh", stumps = "adaboost_mh", listnet1 = "linear", ridge = "linear",
              lambdanet = "network", ranknet = "network", listnet = "network", cocr = "cocr",
              cocr_gbrt = "cocr")
  boosted <- c("gbrt", "small", "small2", "softmax", "softmax8", "slow8", "xendcg8", "smooth8", "lambda8",
               "oblivious")
  ifelse(name %in% names(family), family[name], ifelse(name %in% boosted, "gbrt", name))
}

opened <- lapply(parts, compact_part, most)
values <- function(set, weighting = exponential(), prepare = as_they_are) {
  mixture_queries(opened, set, weighting, prepare)
}
rows <- list(
  `nine, families equal: the default before` = values(nine, exponential(group = family_of_name)),
  `nine` = values(nine),
  `nine, and six of other kinds` = values(c(nine, six_more)),
  `seventeen: the default` = values(seventeen),
  `seventeen, families equal` = values(seventeen, exponential(group = family_of_name)),
  `all` = values(most),
  `all, families equal` = values(most, exponential(group = family_of_name))
)
for (name in seventeen) rows[[paste("seventeen without", name)]] <- values(setdiff(seventeen, name))
for (name in setdiff(most, seventeen)) rows[[paste("seventeen and", name)]] <- values(c(seventeen, name))
methods <- list(
  `the default` = values(seventeen),
  `the best c` = values(seventeen, exponential(choose = "best")),
  `members equal a priori` = values(seventeen, exponential(group = seq_along)),
  `c = 0, equal weights` = values(seventeen, exponential(0)),
  `c = 20` = values(seventeen, exponential(20)),
  `c = 100` = values(seventeen, exponential(100)),
  `scaled` = values(seventeen, prepare = scaled),
  `by query` = values(seventeen, prepare = by_query),
  `a mean for each ranker` = values(seventeen, prepare = one_a_ranker),
  `a mean for each ranker, ascent, shrunk by half` = values(seventeen, ascent(0.5), one_a_ranker)
)
best <- at_best(opened, seventeen, one_a_ranker)
methods$`the best c for the half that measures` <- at_best(opened, seventeen)$exponential
methods$`ascent on the half that measures` <- best$ascent
alone <- lapply(stats::setNames(most, most), values)

collections <- names(rows[[1L]])
table_of <- function(rows, reference, heading) {
  cells <- vapply(rows, function(row) {
    paste(vapply(collections, function(name) {
      change <- row[[name]] - reference[[name]]
      change <- change[!is.nan(change)]
      error <- if (all(change == 0)) 0 else stats::t.test(change)$stderr
      sprintf("%.4f (%+.4f, %.4f)", mean(row[[name]], na.rm = TRUE), mean(change), error)
    }, ""), collapse = " | ")
  }, "")
  c("", sprintf("| %s | %s |", heading, paste(collections, collapse = " | ")),
    paste0(strrep("|---", length(collections) + 1L), "|"),
    sprintf("| %s | %s |", names(rows), cells))
}
counts <- vapply(rows[[1L]], function(row) sum(!is.nan(row)), 0)
writeLines(c(
  "# Members of a mixture", "",
  "Written by `Rscript bench/members.R` from the models of `bench/members-cache.R`. The mixtures use fast_calibrators() and the",
  "weights of mix_weights(). They are tuned on one half of the validation queries of each fold and measured on the other half,",
  "in both directions. The tables show NDCG@10. In brackets: the difference to the first row, paired by query, and its standard",
  "error. Test parts were not read.",
  sprintf("Queries: %s.", toString(sprintf("%s %d", collections, counts))),
  sprintf("rankmix %s, %s.", packageVersion("rankmix"), R.version.string), "",
  "About 250 sets of members, weighting methods and scalings were measured before the default was chosen. Most of them are within",
  "a standard error of each other. So the default is not the best row: it is a mix of many kinds of rankers with equal prior",
  "weights. Its values here are slightly optimistic. A validation query of one fold is a test query of another fold.", "",
  "The 17 default members of tune_and_mix() are the \"seventeen\" below. Their specifications are in `bench/members-rankers.R`.", "",
  "## Members",
  table_of(rows, rows[[1L]], "members"), "", "## Weighting methods for the seventeen",
  table_of(methods, methods[[1L]], "weights"), "",
  "The last two rows choose weights on the queries that also measure. These values are upper bounds of what weights could reach, not methods.", "",
  "## Rankers alone", "", "Differences are to the mixture of the seventeen.", table_of(alone, rows$`seventeen: the default`, "ranker")
), "bench/members.md")
