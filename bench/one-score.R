# Which calibrators rankers of one score need in a mixture, on validation queries that neither trained,
# calibrated nor weighted them. Writes bench/one-score.md.
#
#   Rscript bench/members-cache.R PARTS RANKERS   (as below; a minute of one thread a fold)
#   Rscript bench/one-score.R                     (some seconds)
#
# The rankers are those of tune_and_mix()'s default. All parts are used that bench/members-cache.R has saved.
# Test parts are not read. Needs RANKMIX_DATA.

source("bench/members-mix.R")

seventeen <- c("trees", "stumps", "gbrt", "small", "softmax", "ridge", "svm", "ranksvm", "rankboost",
               "lambda8", "xendcg8", "smooth8", "ascent", "cocr_gbrt", "lambdanet", "small2", "slow8")
every <- c(lapply(1:5, function(fold) c("MQ2008", fold)), lapply(1:5, function(fold) c("OHSUMED", fold)),
           list(c("MSLR-sample", 0), c("simulated", 1)))
parts <- Filter(function(part) {
  all(file.exists(vapply(seventeen, function(name) kept_in(part, name), "")))
}, every)
opened <- lapply(parts, compact_part, seventeen)

calibrators <- fast_calibrators()
texts <- vapply(calibrators, format, "")
of_one <- which(vapply(calibrators, function(method) method$name == "rbc", NA))

# Keeps the members of rankers of one score only for the calibrators `wanted`. Classifiers keep all members;
# only they have a naive calibrator.
only <- function(wanted) {
  function(members, opened, tune) {
    kept <- opened$kept[[tune]][seventeen]
    calibrator <- unlist(lapply(kept, `[[`, "calibrator"))
    one <- unlist(lapply(kept, function(ranker) rep(!1L %in% ranker$calibrator, ncol(ranker$tune))))
    use <- !one | calibrator %in% wanted
    members[c("tune", "other", "own")] <- lapply(members[c("tune", "other", "own")], function(x) {
      x[, use, drop = FALSE]
    })
    members$ranker <- members$ranker[use]
    members
  }
}
sets <- c(list(`all eight` = of_one), stats::setNames(as.list(of_one), texts[of_one]),
          list(`the four without normalize` = of_one[1:4], `the four with it` = of_one[5:8],
               `linear and logistic, all four` = of_one[c(1, 2, 5, 6)],
               `polynomials, all four` = of_one[c(3, 4, 7, 8)]))
values <- lapply(sets, function(wanted) mixture_queries(opened, seventeen, exponential(), only(wanted)))
count <- vapply(sets, function(wanted) {
  members <- only(wanted)(members_of(opened[[1L]], 1L, seventeen), opened[[1L]], 1L)
  ncol(members$tune)
}, 0L)
cell <- function(own, first) {
  difference <- (own - first)[!is.nan(own - first)]
  sprintf("%.4f (%+.4f, %.4f)", mean(own, na.rm = TRUE), mean(difference),
          stats::sd(difference) / sqrt(length(difference)))
}
collections <- names(values[[1L]])
rows <- vapply(names(values), function(name) {
  cells <- vapply(collections, function(part) cell(values[[name]][[part]], values[[1L]][[part]]), "")
  sprintf("| %s | %d | %s |", name, count[[name]], paste(cells, collapse = " | "))
}, "")
queries <- vapply(values[[1L]], function(own) sum(!is.nan(own)), 0L)
writeLines(c(
  "# Calibrators of rankers of one score", "",
  "Written by `Rscript bench/one-score.R` from the models of `bench/members-cache.R`: the 17 rankers of the default mixture. Each",
  "mixture is tuned on one half of the validation queries of each fold and measured on the other half, in both directions. The",
  "rows differ in the calibrators of rankers with one score per document. The table shows NDCG@10. In brackets: the difference to",
  "the first row, paired by query, and its standard error.",
  sprintf("Queries that count: %s.", paste(collections, queries, collapse = ", ")),
  sprintf("rankmix %s, %s.", utils::packageVersion("rankmix"), R.version.string), "",
  paste("| calibrators of one score | members |", paste(collections, collapse = " | "), "|"),
  paste0("|---|---|", strrep("---|", length(collections))), rows
), "bench/one-score.md")
