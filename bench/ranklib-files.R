# Checks files of write_model(format = "ranklib") with RankLib itself. Its scores equal predict(), or the
# linear score of a classifier, up to rounding errors of RankLib's sums of floats. RANKLIB_JAR names the
# jar (see bench/ranklib.R). Features are floats at, and next to, every threshold.
#
#   RANKLIB_JAR=ranklib.jar Rscript bench/ranklib-files.R

suppressPackageStartupMessages({
  library(testthat)
  library(rankmix)
})
source("bench/ranklib.R")
source(file.path("tests", "testthat", "helper-export.R"))

if (is.null(ranklib_jar())) stop("Give java and RANKLIB_JAR, the jar of RankLib.", call. = FALSE)

data <- export_data(missing = FALSE)
data$x[] <- f32(data$x)
specs <- list(
  gbrt = gbrt(100, num_leaves = 16), lambdamart = lambdamart(trees = 100, num_leaves = 16),
  oblivious = gbrt(30, growth = "oblivious", max_depth = 4), yetirank = yetirank(trees = 50),
  rankboost = rankboost(50), adaboost_mh = adaboost_mh(base_tree(8), 50),
  product = adaboost_mh(base_product(3), 20), linear = linear_ranker(penalty = 0.1), ranksvm = ranksvm(0.1),
  smoothrank = smoothrank(start = linear_ranker(penalty = 0.1), schedule = c(8, 1), penalty = 0.1),
  ascent = coordinate_ascent(restarts = 1, iterations = 2),
  adarank = adarank(rounds = 5, repeats = 1), mcsvm = mcsvm(0.1), best_feature = best_feature()
)

# RankLib reads a missing value as 0.
filled <- function(x) replace(x, is.na(x), 0)

write_rows <- function(x, file) {
  features <- apply(x, 1L, function(row) {
    paste0(seq_along(row), ":", sprintf("%.9g", row), collapse = " ")
  })
  writeLines(paste0("0 qid:1 ", features), file)
}

# The largest rounding error of RankLib's sums of floats: half a unit in the last place for each tree and for
# each leaf. Sums of features are doubles.
max_lost <- function(model, expected) {
  if (is.null(model$forest)) return(1e-12 * max(abs(expected)))
  parts <- suppressMessages(rankmix:::added_trees(model, NULL))
  trees <- rankmix:::with_start(parts)
  count <- length(trees$leaf_begin) - 1L
  leaf <- rep(seq_len(count), diff(trees$leaf_begin))
  (count + 1) * 2^-24 * sum(tapply(abs(trees$values), leaf, max))
}

failed <- 0L
for (name in names(specs)) {
  model <- fit(specs[[name]], data, seed = 1, verbose = FALSE)
  x <- if (is.null(model$forest)) data$x else filled(edge_features(model))
  files <- c(rows = tempfile(), model = tempfile())
  write_rows(x, files[["rows"]])
  suppressMessages(write_model(model, files[["model"]], "ranklib", missing = "zero"))
  expected <- linear_score(model, x)
  apart <- max(abs(ranklib_scores(files[["model"]], files[["rows"]]) - expected))
  bound <- max_lost(model, expected)
  good <- apart <= bound
  if (!good) failed <- failed + 1L
  cat(sprintf("%s %-14s %d documents, apart by %.1e, allowed %.1e, largest score %.1e\n",
              if (good) " " else "!", name, nrow(x), apart, bound, max(abs(expected))))
}
cat(sprintf("%d of %d kinds score alike\n", length(specs) - failed, length(specs)))
quit(status = as.integer(failed > 0L))
