# LambdaMART beside lightgbm's lambdarank and xgboost's rank:ndcg (where it is installed).
#
#   Rscript bench/lambdamart.R speed       writes bench/lambdamart-speed.md
#   Rscript bench/lambdamart.R folds       writes bench/lambdamart-folds.md
#   Rscript bench/lambdamart.R simulated   writes bench/lambdamart-simulated.md
#
# Speed: a round at 240,000 and 1.2 million documents x 136 features, 255 bins, pairs with one of
# the top 30, 8, 64 and 255 leaves, one thread and two. The fastest of lightgbm's settings
# (row-wise or col-wise, quantised or not) is found first, then all take turns; the time of a
# round is the difference of a long and a short fit over the difference in rounds, ratios are
# taken pair by pair. RANKMIX_SIZES names fewer sizes ("S", "M").
#
# Quality: NDCG@10 on the five folds of MQ2008 and OHSUMED with leaves, least documents and
# number of trees chosen on the validation part from the same grid for all; and of 500 trees on
# simulated data for five seeds.

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")
need_package("lightgbm")

has_xgboost <- requireNamespace("xgboost", quietly = TRUE)
versions <- sprintf("rankmix %s, lightgbm %s, xgboost %s, %s.", packageVersion("rankmix"),
                    packageVersion("lightgbm"),
                    if (has_xgboost) packageVersion("xgboost") else "not installed",
                    R.version.string)

lightgbm_model <- function(params, set, rounds) {
  params <- c(params, list(objective = "lambdarank", lambdarank_truncation_level = 30L,
                           max_bin = 255L, verbose = -1L))
  lightgbm::lgb.train(params, set, nrounds = rounds, verbose = -1L)
}

# Speed -------------------------------------------------------------------------------------

# Milliseconds a round. Something else held up the short fit where it took longer.
per_round <- function(run, long, short = 2L) {
  repeat {
    seconds <- vapply(c(short, long), function(rounds) {
      gc(FALSE)
      system.time(run(rounds))[["elapsed"]]
    }, numeric(1))
    if (diff(seconds) > 0) {
      return(1000 * diff(seconds) / (long - short))
    }
  }
}

layouts <- list(
  "row-wise" = list(force_row_wise = TRUE), "col-wise" = list(force_col_wise = TRUE),
  "row-wise, quantised" = list(force_row_wise = TRUE, use_quantized_grad = TRUE),
  "col-wise, quantised" = list(force_col_wise = TRUE, use_quantized_grad = TRUE)
)

# What fits of a size need, made once: everything that a round of one of the three takes.
speed_case <- function(documents) {
  data <- simulate_web(documents)
  sizes <- tabulate(data$query)
  sizes <- sizes[sizes > 0L]
  set <- lightgbm::lgb.Dataset(data$x, label = data$grade, group = sizes,
                               params = list(max_bin = 255L, num_threads = 2L, verbose = -1L))
  set$construct()
  theirs <- if (has_xgboost) xgboost::xgb.DMatrix(data$x, label = data$grade)
  if (has_xgboost) xgboost::setinfo(theirs, "group", sizes)
  list(ranking = ranking_data(data$x, data$grade, data$query), lightgbm = set, xgboost = theirs)
}

runs_of <- function(case, leaves, threads) {
  theirs <- lapply(layouts, function(layout) {
    function(rounds) {
      lightgbm_model(c(layout, list(num_leaves = leaves, learning_rate = 0.1,
                                    num_threads = threads)), case$lightgbm, rounds)
    }
  })
  ours <- function(rounds) {
    fit(lambdamart(ndcg(), trees = rounds, leaves = leaves), case$ranking, seed = 1,
        threads = threads, verbose = FALSE)
  }
  xgboost <- function(rounds) {
    params <- list(objective = "rank:ndcg", tree_method = "hist", grow_policy = "lossguide",
                   max_leaves = leaves, max_depth = 0L, max_bin = 255L, eta = 0.1,
                   nthread = threads, lambdarank_pair_method = "topk",
                   lambdarank_num_pair_per_sample = 30L)
    xgboost::xgb.train(params, case$xgboost, rounds, verbose = 0)
  }
  list(ours = ours, lightgbm = theirs, xgboost = if (has_xgboost) xgboost)
}

measure <- function(case, size, leaves, threads, repeats = 5L) {
  long <- if (size == "S") 42L else 16L
  runs <- runs_of(case, leaves, threads)
  per_round(runs$ours, long)  # warms up
  tried <- replicate(3L, vapply(runs$lightgbm, per_round, numeric(1), long = long %/% 2L))
  fastest <- which.min(apply(tried, 1L, median))
  times <- vapply(seq_len(repeats), function(i) {
    c(per_round(runs$ours, long), per_round(runs$lightgbm[[fastest]], long),
      if (has_xgboost) per_round(runs$xgboost, long) else NA_real_)
  }, numeric(3))
  shown <- function(peer) {
    if (anyNA(times[peer, ])) {
      return("not installed | ")
    }
    ratio <- times[peer, ] / times[1L, ]
    sprintf("%.0f | %.2f (%.2f to %.2f)", median(times[peer, ]), median(ratio), min(ratio),
            max(ratio))
  }
  line <- sprintf("| %s | %d | %d | %.0f | %s | %s | %s |", size, leaves, threads,
                  median(times[1L, ]), names(runs$lightgbm)[fastest], shown(2L), shown(3L))
  cat(line, "\n")
  list(line = line, round = median(times[1L, ]))
}

# Milliseconds of the slopes of all documents once trees have told them apart.
slope_time <- function(case) {
  model <- fit(lambdamart(ndcg(), trees = 20, leaves = 64), case$ranking, seed = 1, threads = 1,
               verbose = FALSE)
  scores <- predict(model, case$ranking)
  once <- function(times) {
    for (i in seq_len(times)) rankmix:::objective_value(lambda(ndcg()), scores, case$ranking)
  }
  per_round(once, 12L)
}

bench_speed <- function() {
  sizes <- c(S = 240000, M = 1200000)
  wanted <- strsplit(Sys.getenv("RANKMIX_SIZES", "S M"), " ")[[1L]]
  lines <- character()
  share <- ""
  for (size in wanted) {
    case <- speed_case(sizes[[size]])
    for (leaves in c(8L, 64L, 255L)) {
      for (threads in 1:2) {
        measured <- measure(case, size, leaves, threads)
        lines <- c(lines, measured$line)
        if (size == "S" && leaves == 64L && threads == 1L) {
          slopes <- slope_time(case)
          share <- sprintf(paste("Slopes of S take at most %.0f ms of the %.0f of a round with 64",
                                 "leaves on one thread: they are asked for query by query here."),
                           slopes, measured$round)
        }
      }
    }
  }
  report <- c(
    "# Time of LambdaMART", "",
    "Written by `Rscript bench/lambdamart.R speed`. Milliseconds a round, medians of 5 runs in",
    "turn; S is 240,000 documents x 136 features, M 1.2 million, both with 5 grades and 255 bins.",
    "Pairs have one of the top 30 documents. The ratio is taken pair by pair: median (range).",
    versions, "", share, "",
    paste("| size | leaves | threads | lambdamart() | lightgbm's setting | lightgbm | ratio |",
          "xgboost | ratio |"),
    "|---|---|---|---|---|---|---|---|---|", lines
  )
  writeLines(report, "bench/lambdamart-speed.md")
  cat(report, sep = "\n")
}

# Quality -----------------------------------------------------------------------------------

value <- function(scores, data) mean(evaluate(scores, data, ndcg(10))$value, na.rm = TRUE)

simulated_pair <- function(seed, documents = 30000) {
  data <- simulate_web(2 * documents, seed = seed)
  ranking <- ranking_data(data$x, data$grade, data$query)
  split_parts(split_queries(ranking, 0.5, seed = seed), ranking)
}

simulated_values <- function(seed, leaves = 64L) {
  parts <- simulated_pair(seed)
  ours <- function(...) {
    fit(lambdamart(..., trees = 500, leaves = leaves), parts$train, seed = seed, threads = 1,
        verbose = FALSE)
  }
  theirs <- function(norm) {
    lightgbm_model(list(num_leaves = leaves, learning_rate = 0.1, min_data_in_leaf = 20L,
                        num_threads = 1L, seed = seed, lambdarank_norm = norm),
                   lightgbm_dataset(parts$train), 500L)
  }
  models <- list(`lambdamart(ndcg())` = ours(ndcg()),
                 `lambdamart(ndcg(10))` = ours(ndcg(10)),
                 `lambdamart(ndcg(), normalize = "both")` = ours(ndcg(), normalize = "both"),
                 `lightgbm, lambdarank_norm = FALSE` = theirs(FALSE),
                 `lightgbm, lambdarank_norm = TRUE` = theirs(TRUE))
  values <- vapply(models, function(model) {
    value(predict(model, if (inherits(model, "lgb.Booster")) parts$test$x else parts$test),
          parts$test)
  }, 0)
  print(round(values, 4))
  values
}

grid <- expand.grid(leaves = c(4L, 8L, 16L, 31L), least = c(10L, 50L, 200L))
stages <- c(10, 20, 50, 100, 200, 500)
step <- 0.05

# The scores of the test part by the setting and the number of trees that are best on the
# validation part; `scores(leaves, least, part)` gives a column for each stage.
chosen_scores <- function(fold, train) {
  best <- -Inf
  for (i in seq_len(nrow(grid))) {
    model <- train(grid$leaves[i], grid$least[i])
    values <- vapply(stages, function(stage) value(model(fold$valid, stage), fold$valid), 0)
    if (max(values) > best) {
      best <- max(values)
      scores <- model(fold$test, stages[which.max(values)])
    }
  }
  scores
}

rankers_of <- function(fold) {
  of_rankmix <- function(spec) {
    function(leaves, least) {
      model <- fit(update(spec, leaves = leaves, min_documents = least, trees = 500, step = step),
                   fold$train, seed = 1, threads = 1, verbose = FALSE)
      function(part, stage) predict(model, part, rounds = stage)
    }
  }
  of_lightgbm <- function(leaves, least) {
    model <- lightgbm_model(list(num_leaves = leaves, min_data_in_leaf = least,
                                 learning_rate = step, num_threads = 1L, seed = 1L),
                            lightgbm_dataset(fold$train), 500L)
    function(part, stage) predict(model, part$x, num_iteration = stage)
  }
  both <- lambdamart(ndcg(), normalize = "both")
  list(`lambdamart(ndcg())` = of_rankmix(lambdamart(ndcg())),
       `lambdamart(ndcg(10))` = of_rankmix(lambdamart(ndcg(10))),
       `lambdamart(ndcg(), normalize = "both")` = of_rankmix(both),
       lightgbm = of_lightgbm, `gbrt()` = of_rankmix(gbrt()))
}

folds_values <- function(collection) {
  folds <- read_folds(data_folder(collection))
  scores <- lapply(folds, function(fold) {
    fold <- list(train = fold$train, valid = fold$valid, test = fold$test)
    found <- lapply(rankers_of(fold), function(train) chosen_scores(fold, train))
    print(vapply(found, function(s) round(value(s, fold$test), 4), 0))
    found
  })
  tests <- lapply(folds, `[[`, "test")
  names <- names(scores[[1L]])
  by_fold <- vapply(seq_along(folds), function(k) {
    vapply(scores[[k]], value, 0, data = tests[[k]])
  }, numeric(length(names)))
  list(by_fold = by_fold, compared = compare_folds(scores, tests, names))
}

# Differences of the first ranker from the others, over the test queries of all folds together.
compare_folds <- function(scores, tests, names) {
  pooled <- lapply(stats::setNames(nm = names), function(name) {
    unlist(lapply(scores, `[[`, name))
  })
  rows <- tidy(do.call(compare_rankers, c(pooled, list(data = do.call(c, tests), metric = ndcg(10),
                                                       seed = 1))))
  rows <- rows[match(names[-1L], ifelse(rows$a == names[1L], rows$b, NA)), ]
  sprintf("%+.4f (%+.4f to %+.4f), p = %.3f", rows$difference, rows$lower, rows$upper, rows$p_t)
}

quality_lines <- function(title, by_case, compared = NULL) {
  rows <- sprintf("| %s | %s | %.4f | %s |", rownames(by_case),
                  apply(by_case, 1L, function(v) paste(sprintf("%.4f", v), collapse = " ")),
                  rowMeans(by_case), c("", if (is.null(compared)) "" else compared))
  c(paste("##", title), "", "| ranker | each | mean | the first one is better by |",
    "|---|---|---|---|", rows, "")
}

write_report <- function(file, report) {
  writeLines(report, file)
  cat(report, sep = "\n")
}

bench_folds <- function() {
  lines <- character()
  for (collection in c("MQ2008", "OHSUMED")) {
    found <- folds_values(collection)
    lines <- c(lines, quality_lines(collection, found$by_fold, found$compared))
    cat(lines, sep = "\n")
  }
  write_report("bench/lambdamart-folds.md", c(
    "# Accuracy of LambdaMART on judged folds", "",
    "Written by `Rscript bench/lambdamart.R folds`: NDCG@10 of the test parts. lightgbm's",
    "lambdarank has truncation 30, as `lambdamart(ndcg())` has. Leaves",
    sprintf("(%s), least documents of a leaf (%s) and trees", toString(unique(grid$leaves)),
            toString(unique(grid$least))),
    sprintf("(%s; step %s) are chosen on the validation part of each fold;", toString(stages),
            format(step)),
    "differences are those of `compare_rankers()` over all test queries, with 95 % intervals and",
    "p of the t test.", versions, "", lines
  ))
}

bench_simulated <- function() {
  values <- vapply(1:5, simulated_values, numeric(5))
  paired <- vapply(2:5, function(i) {
    test <- stats::t.test(values[1L, ] - values[i, ])
    sprintf("%+.4f (%+.4f to %+.4f), p = %.3f", test$estimate, test$conf.int[1L],
            test$conf.int[2L], test$p.value)
  }, "")
  write_report("bench/lambdamart-simulated.md", c(
    "# Accuracy of LambdaMART on simulated data", "",
    "Written by `Rscript bench/lambdamart.R simulated`: NDCG@10 of as many other queries, with t",
    "tests over the seeds. lightgbm's lambdarank has truncation 30, as `lambdamart(ndcg())` has.",
    versions, "",
    quality_lines("30,000 documents x 136 features, 64 leaves, 500 trees, step 0.1, five seeds",
                  values, paired)
  ))
}

parts <- commandArgs(trailingOnly = TRUE)
if (length(parts) == 0L) parts <- c("folds", "simulated", "speed")
if ("folds" %in% parts) bench_folds()
if ("simulated" %in% parts) bench_simulated()
if ("speed" %in% parts) bench_speed()
