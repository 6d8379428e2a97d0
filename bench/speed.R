# Time of training against lightgbm (and xgboost, where it is installed), in one run on
# the same data. Writes bench/speed.md.
#
#   Rscript bench/speed.R
#
# 240,000 documents, 136 features, 5 grades, 255 bins, on one thread and on two.
# - One round of adaboost_mh(base_tree(m)) against one iteration of lightgbm's multiclass
#   objective with m leaves, which grows a tree for each class.
# - One tree of gbrt(num_leaves = m) against one of lightgbm's regression objective.
# The fastest of lightgbm's settings (row-wise or col-wise, use_quantized_grad or not) is
# found first, by the median of three short runs of each in turn; then it, xgboost with as
# many leaves and rankmix take turns. The time of a round is
# the difference of a long and a short fit over the difference in rounds, so that reading,
# binning and set-up do not count. Ratios are taken pair by pair. Fails where a ratio to
# lightgbm is below its target: 3 of AdaBoost.MH, 1.5 of gbrt().

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")
need_package("lightgbm")

repeats <- 5L
data <- simulate_web()
ranking <- ranking_data(data$x, data$grade, data$query)

rankmix_round <- function(spec, threads) {
  per_round(function(rounds) {
    spec$rounds <- rounds
    fit(spec, ranking, seed = 1, threads = threads, verbose = FALSE)
  }, 52L)
}

# A constructed data set serves all fits of an objective, whose parameters it keeps.
lightgbm_data <- function() {
  constructed <- lightgbm::lgb.Dataset(
    data$x, label = data$grade, params = list(max_bin = 255L, num_threads = 2L, verbose = -1L)
  )
  constructed$construct()
  constructed
}
lightgbm_sets <- list(multiclass = lightgbm_data(), regression = lightgbm_data())

lightgbm_run <- function(params, threads, rounds) {
  params <- c(params, list(max_bin = 255L, learning_rate = 0.1, verbose = -1L,
                           num_threads = threads))
  lightgbm::lgb.train(params, lightgbm_sets[[params$objective]], nrounds = rounds, verbose = -1L)
}

lightgbm_settings <- function(objective, leaves) {
  common <- list(objective = objective, num_leaves = leaves)
  if (objective == "multiclass") common$num_class <- 5L
  lapply(lightgbm_layouts, function(layout) c(common, layout))
}

xgboost_data <- if (has_xgboost) xgboost::xgb.DMatrix(data$x, label = data$grade)
xgboost_round <- function(objective, leaves, threads, long) {
  if (!has_xgboost) {
    return(NA_real_)
  }
  params <- list(tree_method = "hist", grow_policy = "lossguide", max_leaves = leaves,
                 max_depth = 0L, max_bin = 255L, eta = 0.1, nthread = threads,
                 objective = "reg:squarederror")
  if (objective == "multiclass") {
    params$objective <- "multi:softprob"
    params$num_class <- 5L
  }
  per_round(function(rounds) {
    xgboost::xgb.train(params, xgboost_data, rounds, verbose = 0)
  }, long)
}

measure <- function(spec, objective, leaves, threads) {
  long <- if (objective == "regression") 52L else 16L
  rankmix_round(spec, threads)  # warms up
  settings <- lightgbm_settings(objective, leaves)
  tried <- lapply(settings, function(setting) {
    function(rounds) lightgbm_run(setting, threads, rounds)
  })
  fastest <- fastest_of(tried, long %/% 2L)
  times <- vapply(seq_len(repeats), function(i) {
    c(rankmix_round(spec, threads), per_round(tried[[fastest]], long),
      xgboost_round(objective, leaves, threads, long))
  }, numeric(3))
  line <- sprintf("| %s | %d | %.1f | %s | %s | %s |",
                  sub("\\(trees = [0-9]+, ", "(", sub(", step.*", ")", format(spec))), threads,
                  median(times[1L, ]), fastest, ratio_cells(times[1L, ], times[2L, ]),
                  ratio_cells(times[1L, ], times[3L, ]))
  cat(line, "\n")
  label <- sprintf("%s, threads: %d", format(spec), threads)
  list(line = line, held = setNames(
    median(times[2L, ] / times[1L, ]) >= if (objective == "regression") 1.5 else 3, label
  ))
}

cases <- expand.grid(threads = 2:1, leaves = c(8L, 64L), kind = c("adaboost", "gbrt"),
                     stringsAsFactors = FALSE)
results <- Map(function(threads, leaves, kind) {
  if (kind == "adaboost") {
    measure(adaboost_mh(base_tree(leaves)), "multiclass", leaves, threads)
  } else {
    measure(gbrt(num_leaves = leaves), "regression", leaves, threads)
  }
}, cases$threads, cases$leaves, cases$kind)

lines <- c(
  "# Time of training", "",
  "Written by `Rscript bench/speed.R`: AdaBoost.MH against lightgbm's multiclass objective,",
  "and gbrt() against lightgbm's regression, with equal numbers of leaves; 240,000 documents x 136 features,",
  sprintf("5 grades, 255 bins. Milliseconds a round, medians of %d alternating runs, compared with the", repeats),
  "fastest of lightgbm's settings. Ratios are taken run by run: median (range).",
  "xgboost grows histogram trees by loss, with the same number of leaves.",
  versions_line(),
  "", "| rankmix | threads | rankmix | lightgbm's setting | lightgbm | ratio | xgboost | ratio |",
  "|---|---|---|---|---|---|---|---|",
  vapply(results, `[[`, "", "line")
)
writeLines(lines, "bench/speed.md")
cat(lines, sep = "\n")
hold_targets(unlist(lapply(results, `[[`, "held")))
