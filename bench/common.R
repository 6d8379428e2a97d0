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

# The feature whose values, higher meaning more relevant, rank the training data
# best; documents without a value come last.
best_feature_scores <- function(fold, metric) {
  column <- function(data, f) ifelse(is.na(data$x[, f]), -Inf, data$x[, f])
  values <- vapply(seq_along(fold$train$features), function(f) {
    summary(evaluate(column(fold$train, f), fold$train, metric))$mean
  }, numeric(1))
  list(feature = fold$train$features[which.max(values)],
       scores = column(fold$test, which.max(values)))
}

# Contiguous groups are what lightgbm wants.
lightgbm_dataset <- function(data, reference = NULL) {
  rows <- data$order + 1L
  sizes <- diff(data$offsets)
  lightgbm::lgb.Dataset(data$x[rows, ], label = data$relevance[rows],
                        group = sizes, reference = reference)
}

lambdarank_scores <- function(fold, seed = 1L) {
  train <- lightgbm_dataset(fold$train)
  valid <- lightgbm_dataset(fold$valid, reference = train)
  model <- lightgbm::lgb.train(
    params = list(objective = "lambdarank", metric = "ndcg", eval_at = 10L,
                  num_leaves = 15L, learning_rate = 0.05,
                  min_data_in_leaf = 50L, num_threads = 2L, seed = seed,
                  deterministic = TRUE, force_row_wise = TRUE),
    data = train, nrounds = 1000L, valids = list(valid = valid),
    early_stopping_rounds = 50L, verbose = -1L
  )
  list(rounds = model$best_iter, scores = predict(model, fold$test$x))
}
