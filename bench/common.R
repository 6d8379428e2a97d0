# Shared by the scripts under bench/: where the data are, and baselines.

data_folder <- function(...) {
  root <- Sys.getenv("RANKMIX_DATA", "../shared/data")
  path <- file.path(root, ...)
  if (!dir.exists(path)) {
    stop("There is no folder '", path, "'. Set RANKMIX_DATA to the data.",
         call. = FALSE)
  }
  path
}

need_package <- function(package) {
  if (!requireNamespace(package, quietly = TRUE)) {
    stop("This script needs the package ", package,
         ": run `make setup-bench`.", call. = FALSE)
  }
}

# Fails where a target was missed, once the figures are written.
hold_targets <- function(held) {
  if (!all(held)) {
    stop("Missed: ", toString(names(held)[!held]), ".", call. = FALSE)
  }
}

# Of one run, once memory is tidy. The clock is "elapsed", or "user.self" of the processor.
seconds_of <- function(run, clock = "elapsed") {
  gc(FALSE)
  system.time(run)[[clock]]
}

# Some rows of what simulate_web() gives as ranking data.
ranking_of <- function(data, rows) {
  ranking_data(data$x[rows, ], data$grade[rows], data$query[rows])
}

# lightgbm's regression trees on them, with its defaults.
lightgbm_regression <- function(data, rows, trees, leaves, threads = 2L) {
  lightgbm::lgb.train(
    list(objective = "regression", num_leaves = leaves, max_bin = 255L, num_threads = threads,
         verbose = -1L),
    lightgbm::lgb.Dataset(data$x[rows, ], label = data$grade[rows]), nrounds = trees,
    verbose = -1L
  )
}

# Contiguous groups are what lightgbm wants.
lightgbm_dataset <- function(data, reference = NULL) {
  rows <- data$order + 1L
  sizes <- diff(data$offsets)
  lightgbm::lgb.Dataset(data$x[rows, ], label = data$relevance[rows],
                        group = sizes, reference = reference)
}

lambdarank_scores <- function(fold, seed = 1L, threads = 2L) {
  train <- lightgbm_dataset(fold$train)
  valid <- lightgbm_dataset(fold$valid, reference = train)
  model <- lightgbm::lgb.train(
    params = list(objective = "lambdarank", metric = "ndcg", eval_at = 10L,
                  num_leaves = 15L, learning_rate = 0.05,
                  min_data_in_leaf = 50L, num_threads = threads, seed = seed,
                  deterministic = TRUE, force_row_wise = TRUE),
    data = train, nrounds = 1000L, valids = list(valid = valid),
    early_stopping_rounds = 50L, verbose = -1L
  )
  list(rounds = model$best_iter, scores = predict(model, fold$test$x))
}
