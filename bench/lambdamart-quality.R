# The quality parts of bench/lambdamart.R: training, and choices on validation data.

value <- function(scores, data) mean(evaluate(scores, data, metric_ndcg(10))$value, na.rm = TRUE)

# Objectives of gbrt(), the first of which is what others are compared with.
specs <- list(
  `lambda(ndcg())` = lambdamart(metric_ndcg()),
  `lambda(ndcg(10))` = lambdamart(metric_ndcg(10)),
  `lambda(ndcg(), normalize = "query")` = lambdamart(metric_ndcg(), normalize = "query"),
  `lambda(ndcg(), normalize = "gap")` = lambdamart(metric_ndcg(), normalize = "gap"),
  `lambda(ndcg(), normalize = "both")` = lambdamart(metric_ndcg(), normalize = "both"),
  `squared()` = gbrt(), `squared("gain")` = gbrt(objective = loss_squared("gain")),
  `query_rmse()` = gbrt(objective = loss_query_rmse()),
  `ordinal()` = gbrt(objective = loss_ordinal(), lambda_l2 = 1),
  `softmax()` = gbrt(objective = loss_softmax(), lambda_l2 = 1),
  `xendcg()` = gbrt(objective = loss_xendcg(), lambda_l2 = 1),
  `pairwise()` = gbrt(objective = loss_pairwise(), lambda_l2 = 1),
  `list_mle()` = gbrt(objective = loss_list_mle(), lambda_l2 = 1),
  `smooth(ndcg(10))` = gbrt(objective = loss_smooth(metric_ndcg(10)))
)
peers <- list(`lightgbm, lambdarank_norm = TRUE` = TRUE,
              `lightgbm, lambdarank_norm = FALSE` = FALSE)
rankers <- c(names(specs)[1L], names(peers)[1L], names(specs)[2:5], names(peers)[2L],
             names(specs)[-(1:5)])
file_name <- function(ranker) gsub("^-|-$", "", gsub("[^a-z0-9A-Z]+", "-", ranker))

# Returns a function of data and numbers of trees. Its result has a column of scores for each number of trees.
trained <- function(ranker, data, leaves, least, trees, step, seed = 1L) {
  if (ranker %in% names(specs)) {
    spec <- update(specs[[ranker]], num_leaves = leaves, min_data_in_leaf = least, trees = trees,
                   learning_rate = step)
    model <- fit(spec, data, seed = seed, threads = 1, verbose = FALSE)
    return(function(part, stages) as.matrix(predict(model, part, rounds = stages)))
  }
  model <- lightgbm_model(list(num_leaves = leaves, min_data_in_leaf = least,
                               learning_rate = step, num_threads = 1L, seed = seed,
                               lambdarank_norm = peers[[ranker]]),
                          lightgbm_dataset(data), trees)
  function(part, stages) {
    vapply(stages, function(stage) predict(model, part$x, num_iteration = stage),
           numeric(nrow(part$x)))
  }
}
values_at <- function(model, part, stages) {
  apply(model(part, stages), 2L, value, data = part)
}

# Judged folds -----------------------------------------------------------------------------

grid <- expand.grid(leaves = c(4L, 10L, 31L), least = c(10L, 100L))
stages <- c(5, 10, 20, 35, 60, 100, 150, 200)
step <- 0.1

# Validation values: a row for each setting of the grid, a column for each number of trees. And the test
# scores of the setting and the number of trees with the best validation value.
chosen <- function(ranker, fold) {
  best <- -Inf
  held <- matrix(NA_real_, nrow(grid), length(stages))
  tests <- held
  for (i in seq_len(nrow(grid))) {
    model <- trained(ranker, fold$train, grid$leaves[i], grid$least[i], max(stages), step)
    held[i, ] <- values_at(model, fold$valid, stages)
    tests[i, ] <- values_at(model, fold$test, stages)
    if (max(held[i, ]) > best) {
      best <- max(held[i, ])
      at <- c(i, which.max(held[i, ]))
      scores <- model(fold$test, stages[at[2L]])[, 1L]
    }
  }
  list(scores = scores, at = at, held = held, tests = tests)
}

# Ranker by ranker, so that the first rankers are complete if a run is stopped.
folds_of <- function(kept, collections) {
  folds <- lapply(collections, function(collection) read_folds(data_folder(collection)))
  found <- lapply(stats::setNames(nm = rankers), function(ranker) {
    lapply(collections, function(collection) {
      lapply(seq_along(folds[[collection]]), function(k) {
        kept(sprintf("folds-%s-%s-%d", collection, file_name(ranker), k),
             chosen(ranker, folds[[collection]][[k]]))
      })
    })
  })
  lapply(collections, function(collection) {
    list(found = lapply(found, `[[`, collection), tests = lapply(folds[[collection]], `[[`, "test"))
  })
}

# Differences of the first ranker from the others, over the test queries of all folds together.
compare_folds <- function(found, tests) {
  pooled <- lapply(found, function(folds) unlist(lapply(folds, `[[`, "scores")))
  rows <- tidy(do.call(compare_rankers, c(pooled, list(data = do.call(c, tests), metric = metric_ndcg(10),
                                                       seed = 1))))
  rows <- rows[match(names(found)[-1L], ifelse(rows$a == names(found)[1L], rows$b, NA)), ]
  c("", sprintf("%+.4f (%+.4f to %+.4f), p = %.3f", rows$difference, rows$lower, rows$upper,
                rows$p_t))
}

folds_lines <- function(all, collection) {
  by_fold <- vapply(all$found, function(folds) {
    mapply(function(fold, test) value(fold$scores, test), folds, all$tests)
  }, numeric(length(all$tests)))
  held <- vapply(all$found, function(folds) mean(vapply(folds, function(f) max(f$held), 0)), 0)
  rows <- sprintf("| `%s` | %s | %.4f | %.4f | %s |", names(all$found),
                  apply(by_fold, 2L, function(v) paste(sprintf("%.4f", v), collapse = " ")),
                  colMeans(by_fold), held, compare_folds(all$found, all$tests))
  c(paste("##", collection), "",
    "| objective | each fold | mean | best on validation | the first one is better by |",
    "|---|---|---|---|---|", rows, "", settings_lines(all$found))
}

# Means of validation values over the folds, by number of leaves and minimum number of documents in a leaf,
# each at its best number of trees. Computed for both metrics that the default could be.
settings_lines <- function(found) {
  found <- found[names(found) %in% c("loss_lambda(metric_ndcg())", "loss_lambda(metric_ndcg(10))")]
  cells <- lapply(found, function(folds) {
    held <- Reduce(`+`, lapply(folds, `[[`, "held")) / length(folds)
    sprintf("%.4f at %d", apply(held, 1L, max), stages[apply(held, 1L, which.max)])
  })
  c("Means of the five validation parts, at the best number of trees for all of them:", "",
    sprintf("| leaves | minimum documents | %s |", paste0("`", names(found), "`", collapse = " | ")),
    paste0("|---|---|", strrep("---|", length(found))),
    sprintf("| %d | %d | %s |", grid$leaves, grid$least, do.call(paste, c(cells, sep = " | "))), "")
}

bench_folds <- function(kept) {
  all <- folds_of(kept, c(MQ2008 = "MQ2008", OHSUMED = "OHSUMED"))
  write_report("bench/lambdamart-folds.md", c(
    "# Accuracy of LambdaMART on judged folds", "",
    "Written by `Rscript bench/lambdamart.R folds`: NDCG@10 on the test parts, for `gbrt()` with each",
    "objective, and for lightgbm's lambdarank with truncation 30, the truncation of `loss_lambda(metric_ndcg())`.",
    sprintf("Leaves (%s), minimum documents in a leaf (%s) and trees", toString(unique(grid$leaves)),
            toString(unique(grid$least))),
    sprintf("(%s; learning rate %s) are chosen on the validation part of each fold.", toString(stages),
            format(step)),
    "Differences are from `compare_rankers()` over all test queries, with 95 % intervals and p-values of the t test, not adjusted for",
    "multiple tests. Objectives of `gbrt()` other than squared errors and `loss_smooth()` have `lambda_l2` 1, as in `lambdamart()`.", versions_line(), "",
    folds_lines(all$MQ2008, "MQ2008"), folds_lines(all$OHSUMED, "OHSUMED")
  ))
}

# Simulated data ---------------------------------------------------------------------------

simulated <- list(documents = 12000, seeds = 1:5, leaves = 31L, least = 20L,
                  stages = c(25, 50, 100, 200, 300, 400))

simulated_pair <- function(seed) {
  data <- simulate_web(2 * simulated$documents, seed = seed)
  ranking <- ranking_data(data$x, data$grade, data$query)
  split_parts(split_queries(ranking, 0.5, seed = seed), ranking)
}

# The parts of each seed, simulated once.
simulated_parts <- function() {
  parts <- list()
  function(seed) {
    name <- as.character(seed)
    if (is.null(parts[[name]])) parts[[name]] <<- simulated_pair(seed)
    parts[[name]]
  }
}
simulated_values <- function(ranker, parts, seed, leaves, least) {
  model <- trained(ranker, parts$train, leaves, least, max(simulated$stages), 0.1, seed)
  values_at(model, parts$test, simulated$stages)
}

# Test values by number of trees, a row for each seed. The values of all trees are compared. Ranker by ranker.
simulated_curves <- function(kept, parts_of) {
  curve_of <- function(ranker, seed) {
    kept(sprintf("simulated-%s-%d", file_name(ranker), seed),
         simulated_values(ranker, parts_of(seed), seed, simulated$leaves, simulated$least))
  }
  lapply(stats::setNames(nm = rankers), function(ranker) {
    do.call(rbind, lapply(simulated$seeds, curve_of, ranker = ranker))
  })
}

# The same for the first ranker and the first seeds, by number of leaves and minimum number of documents.
simulated_settings <- function(kept, parts_of) {
  settings <- expand.grid(leaves = c(4L, 8L, 16L, 31L, 64L), least = c(20L, 100L))
  rows <- Map(function(leaves, least) {
    curves <- lapply(simulated$seeds[1:3], function(seed) {
      kept(sprintf("simulated-leaves-%d-%d-%d", leaves, least, seed),
           simulated_values(rankers[1L], parts_of(seed), seed, leaves, least))
    })
    sprintf("| %d | %d | %s |", leaves, least,
            paste(sprintf("%.4f", colMeans(do.call(rbind, curves))), collapse = " | "))
  }, settings$leaves, settings$least)
  c(sprintf("`%s` by number of leaves and minimum documents in a leaf, means of 3 of the seeds:", rankers[1L]), "",
    sprintf("| leaves | minimum documents | %s trees |", paste(simulated$stages, collapse = " | ")),
    paste0("|---|---|", strrep("---|", length(simulated$stages))), unlist(rows), "")
}

# NDCG of whole lists beside NDCG of the top 10, query by query. The comparison decides the default.
simulated_metrics <- function(kept, parts_of) {
  seeds <- 1:10
  found <- lapply(seeds, function(seed) {
    kept(sprintf("simulated-metric-%d", seed), {
      parts <- parts_of(seed)
      vapply(list(metric_ndcg(), metric_ndcg(10)), function(metric) {
        model <- fit(lambdamart(metric, trees = 200, num_leaves = simulated$leaves), parts$train,
                     seed = seed, threads = 1, verbose = FALSE)
        evaluate(predict(model, parts$test), parts$test, metric_ndcg(10))$value
      }, numeric(length(parts$test$query_ids)))
    })
  })
  means <- vapply(found, colMeans, numeric(2), na.rm = TRUE)
  test <- stats::t.test(means[1L, ] - means[2L, ])
  c(sprintf("With 200 trees and %d seeds `loss_lambda(metric_ndcg())` has %.4f, `loss_lambda(metric_ndcg(10))` %.4f: the",
            length(seeds), mean(means[1L, ]), mean(means[2L, ])),
    sprintf("difference is %+.4f (%+.4f to %+.4f), p = %.3f of a t test over the seeds.",
            test$estimate, test$conf.int[1L], test$conf.int[2L], test$p.value), "")
}

bench_simulated <- function(kept) {
  parts_of <- simulated_parts()
  curves <- simulated_curves(kept, parts_of)
  last <- length(simulated$stages)
  first <- curves[[1L]][, last]
  paired <- vapply(curves[-1L], function(curve) {
    test <- stats::t.test(first - curve[, last])
    sprintf("%+.4f (%+.4f to %+.4f), p = %.3f", test$estimate, test$conf.int[1L],
            test$conf.int[2L], test$p.value)
  }, "")
  by_trees <- vapply(curves, function(curve) {
    paste(sprintf("%.4f", colMeans(curve)), collapse = " | ")
  }, "")
  write_report("bench/lambdamart-simulated.md", c(
    "# Accuracy of LambdaMART on simulated data", "",
    "Written by `Rscript bench/lambdamart.R simulated`: NDCG@10 on other queries, as many as for training, for",
    "`gbrt()` with each objective, and for lightgbm's lambdarank with truncation 30, the truncation of",
    sprintf("`loss_lambda(metric_ndcg())`. %d documents x 136 features, %d leaves of at least %d",
            simulated$documents, simulated$leaves, simulated$least),
    sprintf("documents, learning rate 0.1, means of %d seeds; after %d trees with t tests over the seeds.",
            length(simulated$seeds), max(simulated$stages)), versions_line(), "",
    sprintf("| objective | %s trees | the first one is better by |",
            paste(simulated$stages, collapse = " | ")),
    paste0("|---|", strrep("---|", last + 1L)),
    sprintf("| `%s` | %s | %s |", names(curves), by_trees, c("", paired)), "",
    simulated_metrics(kept, parts_of), simulated_settings(kept, parts_of)
  ))
}
