# Training and measurements of bench/yetirank.R.

# The largest numbers of trees: for the steps of table 3 on simulated queries and on the collections, and for
# comparisons of settings.
step_trees <- c(simulated = 800, MQ2008 = 150, OHSUMED = 150)
trees <- 400
few_trees <- 200  # for the slow comparisons: shortcuts and assessors
steps <- c(0.1, 0.3)
grid_of <- function(spec) unique(round(spec$trees * (1:20) / 20))
metrics <- list(ndcg = metric_ndcg(Inf, empty = 1), ndcg10 = metric_ndcg(10, empty = 1), err = metric_err())

# The steps of the paper's table 3.
setups <- c("mse", "equal", "difference", "lambdarank", "aligned", "yetirank")
spec_of <- function(setup, confusion, ...) {
  yetirank(trees = trees, learning_rate = steps[1L], rankings = 20, setup = setup,
           confusion = if (setup == "yetirank") confusion, ...)
}

# Grades of assessors for the true grades `truth`, if p(true | judged) is `confusion`. Judged grades have the
# same frequencies as true grades.
judged_grades <- function(truth, confusion, seed) {
  grades <- seq_len(nrow(confusion)) - 1L
  fraction <- tabulate(truth + 1L, length(grades)) / length(truth)
  joint <- fraction * confusion / rowSums(confusion)
  set.seed(seed)
  said <- integer(length(truth))
  for (u in grades) {
    rows <- which(truth == u)
    said[rows] <- sample(grades, length(rows), TRUE, joint[, u + 1L])
  }
  said
}
with_grades <- function(data, grades) {
  ranking_data(data$x, grades, data$query_ids[data$query])
}

# Training and validation queries with the grades of assessors, and test queries with the grades of assessors
# and with true grades.
simulated_part <- function(seed, confusion, features = 20) {
  all <- simulate_ranking(300 + 100 + 3000, documents = c(5, 35), features = features,
                          grades = c(.35, .25, .2, .12, .08), seed = seed)$data
  given <- if (is.null(confusion)) all else {
    with_grades(all, judged_grades(all$relevance, confusion, seed))
  }
  tests <- 400 + seq_len(3000)
  list(train = given[seq_len(300)], valid = given[301:400], test = given[tests],
       true = all[tests])
}
read_parts <- function(collection) {
  lapply(1:5, function(fold) {
    lapply(c(train = "train.txt", valid = "vali.txt", test = "test.txt"), function(name) {
      read_letor(file.path(data_folder(collection, paste0("Fold", fold)), name))
    })
  })
}

# Trains once. Returns the means of NDCG@10 on validation queries and the values of each metric on the test
# queries, for all numbers of trees of the grid.
tried <- function(spec, part, seed) {
  grid <- grid_of(spec)
  seconds <- system.time({
    model <- fit(spec, part$train, seed = seed, threads = 1, verbose = FALSE)
  })[["user.self"]]
  values <- function(data, metric) {
    scores <- predict(model, data, rounds = grid)
    apply(scores, 2L, function(x) evaluate(x, data, metric)$value)
  }
  held <- colMeans(values(part$valid, metrics$ndcg10), na.rm = TRUE)
  tests <- part[names(part) %in% c("test", "true")]
  list(spec = spec, seconds = seconds / spec$trees, grid = grid, held = held,
       values = lapply(tests, function(data) lapply(metrics, values, data = data)))
}

# Metrics of each test query for the learning rate, the depth and the number of trees that are best on
# validation queries. If there are several depths, they are tried with the learning rate that is best at depth
# 6. Also the largest means over all tried settings, which test queries choose, and the curve of the first
# learning rate.
measured <- function(spec, part, seed = 1, depths = integer()) {
  runs <- lapply(steps, function(step) tried(update(spec, learning_rate = step), part, seed))
  best <- runs[[which.max(vapply(runs, function(run) max(run$held), 0))]]
  others <- lapply(depths, function(depth) tried(update(best$spec, max_depth = depth), part, seed))
  runs <- c(runs, others)
  best <- runs[[which.max(vapply(runs, function(run) max(run$held), 0))]]
  at <- which.max(best$held)
  of <- function(data) {
    lapply(stats::setNames(nm = names(metrics)), function(metric) {
      means <- lapply(runs, function(run) colMeans(run$values[[data]][[metric]], na.rm = TRUE))
      list(chosen = best$values[[data]][[metric]][, at], largest = max(unlist(means)),
           curve = colMeans(best$values[[data]][[metric]], na.rm = TRUE), first = means[[1L]])
    })
  }
  list(seconds = best$seconds, rounds = best$grid[at], step = best$spec$learning_rate,
       depth = best$spec$max_depth, grid = best$grid,
       of = lapply(stats::setNames(nm = names(best$values)), of))
}

# Compares each run with the run before: the mean difference over queries, and the p value of a paired t test.
steps_of <- function(runs, data, metric) {
  values <- lapply(runs, function(folds) {
    unlist(lapply(folds, function(run) run$of[[data]][[metric]]$chosen))
  })
  largest <- vapply(runs, function(folds) {
    mean(vapply(folds, function(run) run$of[[data]][[metric]]$largest, 0))
  }, 0)
  rows <- lapply(seq_along(runs), function(k) {
    before <- if (k > 1L) values[[k]] - values[[k - 1L]]
    test <- if (k > 1L && stats::sd(before, na.rm = TRUE) > 0) stats::t.test(before)
    data.frame(setup = names(runs)[k], mean = mean(values[[k]], na.rm = TRUE),
               step = if (k > 1L) mean(before, na.rm = TRUE) else NA,
               low = if (is.null(test)) NA else test$conf.int[1L],
               high = if (is.null(test)) NA else test$conf.int[2L],
               p = if (is.null(test)) NA else test$p.value, largest = largest[[k]])
  })
  table <- do.call(rbind, rows)
  table$p_holm <- stats::p.adjust(table$p, "holm")
  table
}

# The difference between two runs.
difference <- function(a, b, data = "true", metric = "ndcg") {
  values <- a$of[[data]][[metric]]$chosen - b$of[[data]][[metric]]$chosen
  test <- stats::t.test(values)
  data.frame(effect = mean(values, na.rm = TRUE), low = test$conf.int[1L],
             high = test$conf.int[2L], p = test$p.value)
}

# Root mean squared errors of matrices inferred from simulated near-duplicates.
inferred_errors <- function() {
  p <- yeti_confusion$russian / rowSums(yeti_confusion$russian)
  judged <- c(.4, .25, .2, .1, .05)
  true <- colSums(judged * p)
  cases <- expand.grid(size = c(2, 3, 5), buckets = c(300, 1000, 4000))
  cases$em <- cases$expected <- NA
  for (k in seq_len(nrow(cases))) {
    set.seed(k)
    truth <- sample(5L, cases$buckets[k], TRUE, true)
    said <- vapply(rep(truth, each = cases$size[k]), function(u) {
      sample(5L, 1L, prob = judged * p[, u])
    }, 0L)
    bucket <- rep(seq_along(truth), each = cases$size[k])
    data <- ranking_data(matrix(bucket), said - 1L, bucket %% 20)
    for (method in c("em", "expected")) {
      q <- suppressWarnings(infer_confusion(data, method = method, iterations = 500))
      cases[k, method] <- sqrt(mean((q - p[seq_len(nrow(q)), seq_len(nrow(q))])^2))
    }
  }
  cases
}

# NDCG and ERR of a test part after up to 6,000 trees with a small learning rate.
small_steps <- function(part, setup) {
  at <- c(20, 50, seq(100, 6000, by = 100))
  model <- fit(yetirank(trees = 6000, learning_rate = 0.02, rankings = 10, setup = setup), part$train,
               seed = 1, threads = 1, verbose = FALSE)
  scores <- predict(model, part$test, rounds = at)
  mean_of <- function(metric) {
    apply(scores, 2L, function(x) mean(evaluate(x, part$test, metric)$value, na.rm = TRUE))
  }
  data.frame(trees = at, ndcg = mean_of(metrics$ndcg), err = mean_of(metrics$err),
             ndcg10 = mean_of(metrics$ndcg10))
}

# Means of a test part by the number of trees, with documents of equal scores in the best and in the worst
# order.
tie_band <- function(part) {
  at <- c(1:9, seq(10, 200, by = 5))
  model <- fit(yetirank(trees = 200, learning_rate = 0.1, setup = "mse"), part$train, seed = 1,
               threads = 1, verbose = FALSE)
  scores <- predict(model, part$test, rounds = at)
  mean_of <- function(metric) {
    apply(scores, 2L, function(x) mean(evaluate(x, part$test, metric)$value, na.rm = TRUE))
  }
  of <- function(ties) {
    data.frame(trees = at, ties = ties, err = mean_of(metric_err(ties = ties)),
               ndcg10 = mean_of(metric_ndcg(10, empty = 1, ties = ties)))
  }
  rbind(of("best"), of("worst"))
}
