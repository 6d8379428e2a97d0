# Time of training against lightgbm (and xgboost, where it is installed), in one run on
# the same data. Writes bench/speed.md.
#
#   Rscript bench/speed.R
#
# 240,000 documents, 136 features, 5 grades, 255 bins, on one thread and on two.
# - One round of adaboost_mh(tree(m)) against one iteration of lightgbm's multiclass
#   objective with m leaves, which grows a tree for each class.
# - One tree of gbrt(leaves = m) against one of lightgbm's regression objective, with and
#   without use_quantized_grad.
# The fastest of lightgbm's settings (row-wise or col-wise, quantised or not) is found
# first; then it and rankmix take turns. The time of a round is the difference of a long
# and a short fit over the difference in rounds, so that reading, binning and set-up do not
# count. Ratios are taken pair by pair.

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")
need_package("lightgbm")

repeats <- 3L
data <- simulate_web()
ranking <- ranking_data(data$x, data$grade, data$query)

# Milliseconds a round.
per_round <- function(run, short = 2L, long = 9L) {
  seconds <- vapply(c(short, long), function(rounds) {
    gc(FALSE)
    system.time(run(rounds))[["elapsed"]]
  }, numeric(1))
  1000 * diff(seconds) / (long - short)
}

rankmix_round <- function(spec, threads) {
  per_round(function(rounds) {
    spec$rounds <- rounds
    fit(spec, ranking, seed = 1, threads = threads, verbose = FALSE)
  })
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

lightgbm_round <- function(params, threads) {
  params <- c(params, list(max_bin = 255L, learning_rate = 0.1, verbose = -1L,
                           num_threads = threads))
  per_round(function(rounds) {
    lightgbm::lgb.train(params, lightgbm_sets[[params$objective]], nrounds = rounds, verbose = -1L)
  })
}

lightgbm_settings <- function(objective, leaves) {
  common <- list(objective = objective, num_leaves = leaves)
  if (objective == "multiclass") common$num_class <- 5L
  layouts <- list("row-wise" = list(force_row_wise = TRUE),
                  "col-wise" = list(force_col_wise = TRUE))
  if (objective == "regression") {
    layouts <- c(layouts, list(
      "row-wise, quantised" = list(force_row_wise = TRUE, use_quantized_grad = TRUE),
      "col-wise, quantised" = list(force_col_wise = TRUE, use_quantized_grad = TRUE)
    ))
  }
  lapply(layouts, function(layout) c(common, layout))
}

measure <- function(spec, objective, leaves, threads) {
  rankmix_round(spec, threads)  # warms up
  settings <- lightgbm_settings(objective, leaves)
  fastest <- which.min(vapply(settings, lightgbm_round, numeric(1), threads = threads))
  times <- vapply(seq_len(repeats), function(i) {
    c(rankmix_round(spec, threads), lightgbm_round(settings[[fastest]], threads))
  }, numeric(2))
  ratio <- times[2L, ] / times[1L, ]
  line <- sprintf("| %s | %d | %.1f | %.1f (%s) | %.2f (%.2f to %.2f) |",
                  sub("\\(trees = [0-9]+, ", "(", sub(", step.*", ")", format(spec))), threads,
                  median(times[1L, ]), median(times[2L, ]), names(settings)[fastest],
                  median(ratio), min(ratio), max(ratio))
  cat(line, "\n")
  list(line = line, time = median(times[1L, ]))
}

cases <- expand.grid(threads = 2:1, leaves = c(8L, 64L), kind = c("adaboost", "gbrt"),
                     stringsAsFactors = FALSE)
results <- Map(function(threads, leaves, kind) {
  if (kind == "adaboost") {
    measure(adaboost_mh(tree(leaves)), "multiclass", leaves, threads)
  } else {
    measure(gbrt(leaves = leaves), "regression", leaves, threads)
  }
}, cases$threads, cases$leaves, cases$kind)

# xgboost's hist trees of depth 3 and 6 have up to 8 and 64 leaves.
xgboost_lines <- function() {
  if (!requireNamespace("xgboost", quietly = TRUE)) {
    return("xgboost is not installed here: CRAN's version needs R 4.3.")
  }
  x <- xgboost::xgb.DMatrix(data$x, label = data$grade)
  of_depth <- function(depth) {
    per_round(function(rounds) {
      xgboost::xgb.train(list(objective = "reg:squarederror", tree_method = "hist",
                              max_depth = depth, max_bin = 255, nthread = 2), x, rounds)
    })
  }
  sprintf("xgboost %s, hist, regression, 2 threads: %.1f ms a tree of depth 3, %.1f of depth 6.",
          packageVersion("xgboost"), of_depth(3), of_depth(6))
}

lines <- c(
  "# Time of training", "",
  "Written by `Rscript bench/speed.R`: AdaBoost.MH against lightgbm's multiclass objective,",
  "and gbrt() against its regression, with as many leaves; 240,000 documents x 136 features,",
  sprintf("5 grades, 255 bins. Milliseconds a round, medians of %d runs in turn against the", repeats),
  "fastest of lightgbm's settings; the ratio is taken pair by pair: median (range).",
  sprintf("rankmix %s, lightgbm %s, %s.", packageVersion("rankmix"),
          packageVersion("lightgbm"), R.version.string),
  "", "| rankmix | threads | rankmix | lightgbm | ratio |", "|---|---|---|---|---|",
  vapply(results, `[[`, "", "line"), "", xgboost_lines()
)
writeLines(lines, "bench/speed.md")
cat(lines, sep = "\n")
