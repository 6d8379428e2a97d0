# Time of bench/lambdamart.R: a round of each of the three, in turn.

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
  theirs <- lapply(lightgbm_layouts, function(layout) {
    function(rounds) {
      lightgbm_model(c(layout, list(num_leaves = leaves, learning_rate = 0.1,
                                    num_threads = threads)), case$lightgbm, rounds)
    }
  })
  ours <- function(rounds) {
    fit(lambdamart(metric_ndcg(), trees = rounds, num_leaves = leaves), case$ranking, seed = 1,
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

# Milliseconds a round, a column a turn. Rounds of few leaves are short: more of them count.
measure_rounds <- function(case, size, leaves, threads, repeats = 5L) {
  long <- if (size != "S") 16L else if (leaves <= 8L) 42L else 22L
  runs <- runs_of(case, leaves, threads)
  per_round(runs$ours, long)  # warms up
  fastest <- fastest_of(runs$lightgbm, 12L, times = 2L)
  times <- vapply(seq_len(repeats), function(i) {
    c(ours = per_round(runs$ours, long), lightgbm = per_round(runs$lightgbm[[fastest]], long),
      xgboost = if (has_xgboost) per_round(runs$xgboost, long) else NA_real_)
  }, numeric(3))
  list(size = size, leaves = leaves, threads = threads, setting = fastest, times = times)
}

rounds_line <- function(found) {
  ours <- found$times["ours", ]
  sprintf("| %s | %d | %d | %.1f | %s | %s | %s |", found$size, found$leaves, found$threads,
          stats::median(ours), found$setting, ratio_cells(ours, found$times["lightgbm", ]),
          ratio_cells(ours, found$times["xgboost", ]))
}

# Milliseconds of the gradients of all documents once trees have distinguished them.
gradient_time <- function(case) {
  model <- fit(lambdamart(metric_ndcg(), trees = 20, num_leaves = 64), case$ranking, seed = 1, threads = 1,
               verbose = FALSE)
  scores <- predict(model, case$ranking)
  once <- function(times) {
    for (i in seq_len(times)) rankmix:::objective_value(loss_lambda(metric_ndcg()), scores, case$ranking)
  }
  per_round(once, 12L)
}

# What is said where its pairs are not those of the others.
xgboost_pairs <- function() {
  if (has_xgboost && utils::packageVersion("xgboost") < "2") {
    "xgboost before 2.0 has no truncation: it samples one pair for each document."
  }
}

bench_speed <- function(kept) {
  sizes <- c(S = 240000, M = 1200000)
  wanted <- strsplit(Sys.getenv("RANKMIX_SIZES", "S M"), " ")[[1L]]
  lines <- fraction <- character()
  for (size in wanted) {
    case <- NULL
    made <- function() if (is.null(case)) case <<- speed_case(sizes[[size]]) else case
    settings <- expand.grid(threads = 1:2, leaves = c(8L, 64L, 255L))
    found <- Map(function(leaves, threads) {
      kept(sprintf("speed-%s-%d-%d", size, leaves, threads),
           measure_rounds(made(), size, leaves, threads))
    }, settings$leaves, settings$threads)
    lines <- c(lines, vapply(found, rounds_line, ""))
    if (size == "S") {
      gradients <- kept("speed-S-slopes", gradient_time(made()))
      fraction <- sprintf(paste("The gradients of S take at most %.0f of the %.0f ms of a round with 64",
                             "leaves on one thread. Here they are computed query by query."),
                       gradients, stats::median(found[[3L]]$times["ours", ]))
    }
  }
  write_report("bench/lambdamart-speed.md", c(
    "# Time of LambdaMART", "",
    "Written by `Rscript bench/lambdamart.R speed`. Milliseconds a round, medians of 5 runs in",
    "turn; S is 240,000 documents x 136 features, M 1.2 million, both with 5 grades and 255 bins.",
    "Each pair has at least one of the top 30 documents. Ratios are taken run by run: median (range).",
    versions_line(), xgboost_pairs(), "", fraction, "",
    paste("| size | leaves | threads | lambdamart() | lightgbm's setting | lightgbm | ratio |",
          "xgboost | ratio |"),
    "|---|---|---|---|---|---|---|---|---|", lines
  ))
}
