# What bench/yetirank.R trains and measures.

trees <- 150
# Losses of pairs make small steps, and take many.
many_trees <- 800
grid_of <- function(spec) {
  if (spec$trees == trees) seq(10, trees, by = 10) else round(spec$trees * (1:16) / 16)
}
metrics <- list(ndcg = ndcg(Inf, empty = 1), ndcg10 = ndcg(10, empty = 1), err = err())

# The steps of the paper's table 3.
setups <- c("mse", "equal", "difference", "lambdarank", "aligned", "yetirank")
spec_of <- function(setup, confusion, ...) {
  yetirank(trees = trees, step = 0.1, rankings = 20, setup = setup,
           confusion = if (setup == "yetirank") confusion, ...)
}

# What judges say where `truth` is true, if p(true | judged) is `confusion` and grades are judged
# as often as they are true in `truth`.
judged_grades <- function(truth, confusion, seed) {
  grades <- seq_len(nrow(confusion)) - 1L
  share <- tabulate(truth + 1L, length(grades)) / length(truth)
  joint <- share * confusion / rowSums(confusion)
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

# Training and validation queries as judges graded them, test queries as they did and truly.
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

# Metrics of each test query at the trees that validation queries choose, and the largest means
# over the grid, which are chosen on the test queries.
measured <- function(spec, part, seed = 1) {
  grid <- grid_of(spec)
  seconds <- system.time({
    model <- fit(spec, part$train, seed = seed, threads = 1, verbose = FALSE)
  })[["user.self"]]
  held <- predict(model, part$valid, rounds = grid)
  values <- apply(held, 2L, function(x) mean(evaluate(x, part$valid, metrics$ndcg10)$value,
                                             na.rm = TRUE))
  best <- which.max(values)
  tests <- part[names(part) %in% c("test", "true")]
  scores <- predict(model, part$test, rounds = grid)
  of <- function(data) {
    lapply(metrics, function(metric) {
      each <- apply(scores, 2L, function(x) evaluate(x, data, metric)$value)
      list(chosen = each[, best], curve = colMeans(each, na.rm = TRUE),
           largest = max(colMeans(each, na.rm = TRUE)))
    })
  }
  list(seconds = seconds / spec$trees, rounds = grid[best], of = lapply(tests, of))
}

# Each run beside the one before: the mean difference over queries, and t's p.
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

# What two runs differ by.
difference <- function(a, b, data = "true", metric = "ndcg") {
  values <- a$of[[data]][[metric]]$chosen - b$of[[data]][[metric]]$chosen
  test <- stats::t.test(values)
  data.frame(effect = mean(values, na.rm = TRUE), low = test$conf.int[1L],
             high = test$conf.int[2L], p = test$p.value)
}
