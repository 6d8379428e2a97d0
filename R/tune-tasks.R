# The trainings of tune_ranker() as tasks for run_tasks(): one for each candidate, split and rung.

# The splits: one pair of training and validation data, or a pair for each fold. `train` and `valid` are ids of
# queries; with `validation` the ids of the validation data are not used.
tuning_splits <- function(data, validation, folds, seed) {
  ids <- id_text(data$query_ids)
  if (!is.null(validation)) {
    return(list(list(train = ids, valid = NULL)))
  }
  fold <- integer(length(ids))
  fold[assignment_order(data, FALSE, derived_seed(seed, "folds"))] <- rep_len(seq_len(folds), length(ids))
  lapply(seq_len(folds), function(f) list(train = ids[fold != f], valid = ids[fold == f]))
}

# The training queries of each rung are nested: the first of one random order.
rung_ids <- function(train, fraction, seed) {
  if (fraction == 1) {
    return(train)
  }
  shuffled <- train[with_seed(seed, sample.int(length(train)))]
  train[train %in% shuffled[seq_len(ceiling(fraction * length(train)))]]
}

# The identity distinguishes the parts of outer folds, which share a run directory.
tuning_part <- function(context, split, rung) sprintf("%s %d %d", context$identity, split, rung)

# The training and validation data of a part.
tuning_data <- function(context, part) {
  at <- as.integer(strsplit(part, " ")[[1L]][-1L])
  split <- context$splits[[at[1L]]]
  ids <- rung_ids(split$train, context$fractions[at[2L]], derived_seed(context$seed, "rung", at[1L]))
  list(train = if (length(ids) == length(context$data$query_ids)) context$data else context$data[ids],
       valid = if (is.null(split$valid)) context$validation else context$data[split$valid])
}

prepare_tuning <- function(data, threads) {
  list(train = data$train, valid = data$valid, cache = new_training_cache(data$train, threads))
}

# Tasks are sorted by split, so that each part of the data is prepared once.
tuning_tasks <- function(context, candidates, rung) {
  at <- expand.grid(candidate = seq_along(candidates), split = seq_along(context$splits))
  lapply(seq_len(nrow(at)), function(i) {
    candidate <- candidates[[at$candidate[i]]]
    task <- list(part = tuning_part(context, at$split[i], rung), spec = candidate$spec, metric = context$metric,
                 patience = context$patience,
                 # The seed is the same for all candidates, so that their differences have less noise.
                 seed = derived_seed(context$seed, "training", at$split[i]))
    task$key <- rlang::hash(identity_of(task))
    task$candidate <- candidate$id
    task
  })
}

# Trains a candidate and evaluates it on the validation queries. Errors are part of the result.
perform_tuning <- function(task, prepared, threads, progress) {
  tryCatch(
    suppressWarnings(tuning_result(task, prepared, threads)),
    error = function(e) {
      keep_memory_error(e)
      list(error = whole_message(e))
    }
  )
}

tuning_result <- function(task, prepared, threads) {
  started <- seconds_now()
  spec <- task$spec
  stops <- has_trait(spec, "rounds")
  model <- train_with_bins(spec, prepared, task, threads, if (stops) task$patience)
  scores <- predict(model, prepared$valid, threads = threads)
  table <- evaluate(scores, prepared$valid, task$metric, threads = threads)
  path <- if (!is.null(model$path)) model$spec[[entry_of(spec)$path]]
  list(values = table$value, rounds = if (stops) model$best_rounds else NA_integer_,
       trained = if (stops) rounds_used(model) else NA_integer_, path = path, seconds = seconds_now() - started)
}

# fit() with bins that the candidates share. The model is the same.
train_with_bins <- function(spec, prepared, task, threads, patience) {
  shares <- has_trait(spec, "bins") && !fills_missing(entry_of(spec), spec)
  train <- function(spec, own) {
    if (shares) own[c("bins", "own_bins")] <- list(prepared$cache$bins_for("original"), FALSE)
    entry_of(spec)$train(spec, own)
  }
  train_model(spec, prepared$train, prepared$valid, task$metric, task$seed, threads, patience, 10, NULL, FALSE, train)
}
