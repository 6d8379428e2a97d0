# Measures the gain of tuning by tune_ranker(), and the bias of its estimates of the gain. Writes bench/tuning.md.
#
#   Rscript bench/tuning.R [repetitions]
#
# 1. Judged collections: lambdamart() with its defaults, tuned by tune_ranker(), and by random search of the same space
#    with the same amount of training, each with early stopping on the validation part. If lightgbm is installed:
#    LightGBM with random search, too. NDCG@10 of the test queries.
# 2. Simulation: `repetitions` (40) small data sets with 3,000 test queries each. The true gain is the difference of the
#    tuned and the default model on the test queries. It is compared with the value that was chosen, with the
#    bootstrap and with the nested estimate.
#
# Targets: tuned models are not worse than either random search by more than two standard errors; the intervals of
# the gain cover at least 85 % of the true gains (95 % would be ideal).

library(rankmix)
source("bench/common.R")

repetitions <- as.integer(c(commandArgs(trailingOnly = TRUE), "40")[1L])
internal <- asNamespace("rankmix")
spec <- lambdamart(trees = 500)
patience <- 50
metric <- metric_ndcg(10)

cached <- function(name, value) {
  file <- file.path(".build", "tuning", paste0(name, ".rds"))
  if (!file.exists(file)) {
    dir.create(dirname(file), showWarnings = FALSE, recursive = TRUE)
    saveRDS(value, file)
  }
  readRDS(file)
}

per_query <- function(object, test) {
  values <- evaluate(object, test, metric)$value
  ifelse(is.na(values) & !is.nan(values), 0, values)
}

# Random search with `count` trainings on all queries.
random_search <- function(train, valid, count, seed) {
  space <- tuning_space(spec)
  set.seed(seed)
  points <- internal$latin_points(count - 1L, length(space))
  specs <- c(list(spec), lapply(seq_len(count - 1L), function(i) {
    internal$with_settings(spec, internal$settings_at(space, points[i, ]))
  }))
  models <- lapply(specs, fit, train, valid, metric, patience = patience, seed = seed, verbose = FALSE)
  models[[which.max(vapply(models, function(model) max(model$curve$value), 0))]]
}

lightgbm_search <- function(train, valid, test, count, seed) {
  set.seed(seed)
  params <- function() {
    list(objective = "lambdarank", metric = "ndcg", eval_at = 10L, verbosity = -1L, num_threads = 2L, seed = seed,
         num_leaves = round(4 * 64^runif(1)), learning_rate = 0.02 * 15^runif(1),
         min_data_in_leaf = round(200^runif(1)), feature_fraction = runif(1, 0.2, 1),
         bagging_fraction = runif(1, 0.5, 1), bagging_freq = 1L, lambda_l2 = 0.01 * 1e4^runif(1))
  }
  dataset <- function(data, ...) lightgbm::lgb.Dataset(data$x, label = data$relevance, group = diff(data$offsets), ...)
  sorted <- function(data) data[seq_along(data$query_ids)]
  best <- NULL
  for (i in seq_len(count)) {
    d <- dataset(sorted(train))
    model <- lightgbm::lgb.train(params(), d, 500L, list(valid = dataset(sorted(valid), reference = d)),
                                 early_stopping_rounds = patience)
    if (is.null(best) || model$best_score > best$best_score) best <- model
  }
  per_query(predict(best, sorted(test)$x), sorted(test))
}

# The values of a fold are kept in .build/tuning, because all folds take hours. Remove that folder to measure anew.
fold_values <- function(name, f, fold, budget) {
  cached(sprintf("%s-%d-%d", name, f, budget), {
    message(name, ", fold ", f)
    tuned <- tune_ranker(spec, fold$train, fold$valid, metric = metric, budget = budget, patience = patience,
                         seed = f, verbose = FALSE)
    default <- fit(spec, fold$train, fold$valid, metric, patience = patience, seed = f, verbose = FALSE)
    columns <- data.frame(default = per_query(default, fold$test), tuned = per_query(tuned$model, fold$test),
                          random = per_query(random_search(fold$train, fold$valid, budget, f), fold$test))
    if (requireNamespace("lightgbm", quietly = TRUE)) {
      columns$lightgbm <- lightgbm_search(fold$train, fold$valid, fold$test, budget, f)
    }
    columns
  })
}

collection_rows <- function(name, folds, budget) {
  values <- do.call(rbind, lapply(seq_along(folds), function(f) fold_values(name, f, folds[[f]], budget)))
  values <- values[!is.nan(values$default), ]
  differences <- lapply(setdiff(names(values), "tuned"), function(other) {
    d <- values$tuned - values[[other]]
    c(mean = mean(d), se = sd(d) / sqrt(length(d)))
  })
  names(differences) <- setdiff(names(values), "tuned")
  list(values = values, differences = differences,
       row = do.call(table_row, as.list(c(name, budget, nrow(values), sprintf("%.4f", colMeans(values)),
             vapply(differences, function(d) sprintf("%+.4f (%.4f)", d[1L], d[2L]), "")))))
}

# One simulated data set: the true gain, and its estimates.
simulated_gain <- function(seed, outer) {
  data <- simulate_ranking(3220, documents = 8, seed = seed)$data
  train <- data[1:140]
  valid <- data[141:220]
  test <- data[221:3220]
  own <- lambdamart(trees = 100)
  found <- tune_ranker(own, train, valid, metric = metric, budget = 12, patience = 15, seed = seed, verbose = FALSE,
                       outer = outer)
  default <- fit(own, train, valid, metric, patience = 15, verbose = FALSE, seed = found$model$seed)
  c(true = mean(per_query(found$model, test) - per_query(default, test), na.rm = TRUE),
    chosen = found$candidates$value[found$best] - found$candidates$value[found$default],
    gain = found$gain$gain, lower = found$gain$lower, upper = found$gain$upper)
}

mslr <- lapply(c(train = "train.txt", valid = "vali.txt", test = "test.txt"), function(file) {
  read_letor(file.path(data_folder("MSLR-sample"), file))
})
# As in bench/goals.R, but with one simulated data set, because it takes as long as all others.
collections <- list(MQ2008 = read_folds(data_folder("MQ2008")), OHSUMED = read_folds(data_folder("OHSUMED")),
                    `MSLR-sample` = list(mslr), simulated = list(simulated_parts(1)))
rows <- lapply(names(collections), function(name) collection_rows(name, collections[[name]], 30))
others <- names(rows[[1L]]$differences)

gains <- lapply(c(bootstrap = 0, nested = 4), function(outer) {
  message("Simulation, ", if (outer > 0) "nested" else "bootstrap")
  do.call(rbind, lapply(seq_len(repetitions), function(seed) {
    cached(sprintf("gain-%d-%d", outer, seed), simulated_gain(seed, outer = if (outer > 0) outer))
  }))
})
covered <- vapply(gains, function(g) mean(g[, "lower"] <= g[, "true"] & g[, "true"] <= g[, "upper"]), 0)
with_se <- function(x) sprintf("%+.4f (%.4f)", mean(x), sd(x) / sqrt(length(x)))

writeLines(c(
  "# Tuning", "",
  sprintf("Written by `Rscript bench/tuning.R %d`. rankmix %s, %s.", repetitions, utils::packageVersion("rankmix"),
          R.version.string), "",
  "## Test queries of judged collections", "",
  "The ranker is `lambdamart(trees = 500)` with early stopping. All searches have the same space and the work of 30 trainings for each",
  "fold. Means of NDCG@10 over the test queries of all folds; differences of `tune_ranker()` minus the others, with",
  "standard errors over queries in brackets.",
  if (!"lightgbm" %in% others) c("", "The package lightgbm was not installed for this run."), "",
  markdown_table(c("collection", "budget", "queries", c("default", "tuned", others[-1L]), paste("tuned -", others)),
                 unlist(lapply(rows, `[[`, "row"))),
  "## The gain that tuning reports", "",
  sprintf("%d simulated data sets: 140 training, 80 validation and 3,000 test queries, budget 12. The true gain is the",
          repetitions),
  "difference of the tuned and the default model on the test queries. Errors are means of estimate minus truth, with their",
  "standard errors. `chosen` is the difference of the validation values by which the search chose.", "",
  markdown_table(c("estimate", "true gain", "error of chosen", "error of estimate", "coverage of 95 % intervals"),
    vapply(names(gains), function(name) {
      g <- gains[[name]]
      table_row(name, with_se(g[, "true"]), with_se(g[, "chosen"] - g[, "true"]), with_se(g[, "gain"] - g[, "true"]),
                sprintf("%.2f", covered[[name]]))
    }, ""))
), "bench/tuning.md")

peers <- intersect(c("random", "lightgbm"), others)
held <- c(unlist(lapply(rows, function(row) {
  vapply(row$differences[peers], function(d) d[[1L]] > -2 * d[[2L]], NA)
})), covered >= 0.85)
names(held) <- c(outer(peers, names(collections), paste, sep = ", "), paste("coverage,", names(gains)))
hold_targets(held)
