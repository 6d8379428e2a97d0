# Second stage of a mixture: the models. A task of run_tasks() is a specification with its seed and the
# feature set on which it is trained. A task returns one model, or several models for a path.

# Trains the specifications among the members. Models that were given as trained come first, then new models
# in the order of the tasks. `origin` and `label` identify the given member of each model.
train_members <- function(plan, train) {
  given <- !vapply(plan$members, is_specification, NA)
  ready <- plan$members[given]
  tasks <- if (all(given)) list() else grid_tasks(plan$members[!given], plan$grid, plan$seed)
  models <- train_tasks(tasks, train, plan$run, plan$time$training, plan$threads, plan$verbose)
  failed <- attr(models, "failed")
  lost <- lengths(models) == 0L
  if (length(ready) + sum(!lost) == 0L && length(failed) > 0L) {
    stop(failed[[1L]])
  }
  if (length(ready) + sum(!lost) == 0L) {
    stop_input("worker", "No member was trained: all workers died.",
               remedy = "Use fewer workers, or none: `future::plan(\"sequential\")` or `mirai::daemons(0)`.",
               call = plan$call)
  }
  of <- vapply(tasks, `[[`, 0L, "of")
  origin <- c(plan$origin[given], rep(plan$origin[!given][of], lengths(models)))
  list(models = c(ready, unlist(models, recursive = FALSE)), given = length(ready),
       origin = origin, label = plan$labels[origin],
       tasks = tasks[!lost], counts = lengths(models)[!lost],
       skipped = vapply(tasks[lost], function(task) task_label(task$spec, task$features),
                        character(1)))
}

# Trains the specifications again on all data, with the same seeds. Models given as trained are kept. Models
# are also kept if no time is left for a second training. `not_refitted` names these models.
retrain_members <- function(plan, trained, data) {
  parts <- Filter(Negate(is.null), data[c("train", "calibration", "validation")])
  whole <- do.call(c, c(unname(parts), shared = "new"))
  tasks <- lapply(trained$tasks, function(task) {
    task$key <- rlang::hash(list(task$key, "refit"))
    task$part <- "all"
    task
  })
  models <- if (length(tasks) > 0L) {
    train_tasks(tasks, whole, plan$run, plan$time$retraining, plan$threads, plan$verbose, again = TRUE)
  }
  ends <- trained$given + cumsum(trained$counts)
  for (i in seq_along(tasks)) {
    if (length(models[[i]]) == trained$counts[i]) {
      trained$models[ends[i] - trained$counts[i] + seq_len(trained$counts[i])] <- models[[i]]
    } else {
      trained$not_refitted <- c(trained$not_refitted,
                                task_label(tasks[[i]]$spec, tasks[[i]]$features))
    }
  }
  trained
}

grid_tasks <- function(specs, grid, seed) {
  groupings <- if (is.null(grid$groupings)) list(NULL) else grid$groupings
  at <- expand.grid(spec = seq_along(specs), grouping = seq_along(groupings),
                    features = grid$features, stringsAsFactors = FALSE)
  # Seeds are drawn for the whole grid, so each depends on the position in the grid.
  seeds <- classifier_seeds(seed, nrow(at))
  grouped <- vapply(specs, function(spec) "grouping" %in% names(entry_of(spec)$parameters), NA)
  lapply(which(grouped[at$spec] | at$grouping == 1L), function(i) {
    spec <- specs[[at$spec[i]]]
    grouping <- groupings[[at$grouping[i]]]
    if (!is.null(grouping) && grouped[at$spec[i]]) {
      spec$grouping <- grouping
    }
    task <- list(spec = spec, features = at$features[i], seed = seeds[i])
    c(task, list(key = rlang::hash(identity_of(task)), part = "train", of = at$spec[i]))
  })
}

task_label <- function(spec, features) {
  if (features == "original") format(spec) else paste(format(spec), "on", features)
}

# The models of all tasks, a list for each. NULL for tasks that were not trained: beyond
# the budget, on workers that died, or by an error. The attribute `failed` lists the errors. With `again`,
# the mixture already has models of these specifications.
train_tasks <- function(tasks, train, run, budget, threads, verbose, again = FALSE) {
  models <- run_tasks(tasks, training_work(train), run, budget, threads, verbose)
  labels <- vapply(tasks, function(task) task_label(task$spec, task$features), "")
  warn_lost(labels, attr(models, "lost"), again)
  failed <- vapply(models, inherits, NA, "rankmix_failed_training")
  errors <- lapply(models[failed], `[[`, "error")
  if (!is.null(run$folder)) {
    # The files of failed tasks are removed, so that another call trains these tasks again.
    unlink(vapply(tasks[failed], function(task) task_file(run$folder, task), ""))
  }
  models[failed] <- list(NULL)
  if (any(failed) && (again || any(lengths(models) > 0L))) {
    warn_input("member", sprintf("%d of %d trainings failed.", sum(failed), length(tasks)),
               sprintf("%s: %s", labels[failed], vapply(errors, conditionMessage, "")),
               if (again) kept_models else "The mixture consists of the other members.")
  }
  structure(models, failed = errors)
}

# The functions that run_tasks() calls for a mixture.
training_work <- function(train) {
  # Workers have no communicator.
  list(label = "Training", is_local = !is.null(train$cluster), data = function(part) train,
       prepare = new_training_cache,
       perform = train_task, steps = function(task) entry_of(task$spec)$steps(task$spec))
}

# A failed training does not affect the others. With several processes, a failed training ends the mixture,
# because the other processes would wait.
train_task <- function(task, training_cache, threads, progress) {
  if (!is.null(training_cache$data("original")$cluster)) {
    return(train_member(task, training_cache, threads, progress))
  }
  tryCatch(train_member(task, training_cache, threads, progress), error = function(e) {
    e$trace <- NULL  # it may hold the data
    structure(list(error = e), class = "rankmix_failed_training")
  })
}

train_member <- function(task, training_cache, threads, progress) {
  training_cache$forget_but(task$features)
  data <- training_cache$data(task$features)
  trained <- train_by_entry(task$spec, new_task(data, task$seed, threads, progress,
                                                bins = training_cache$bins_for(task$features),
                                                all_steps = TRUE))
  steps <- model_steps(trained)
  lapply(steps, function(model) {
    model$best_rounds <- rounds_used(model)
    # The label by which another mixture recognises models of one path.
    if (length(steps) > 1L) model$of_path <- task_label(task$spec, task$features)
    model$feature_set <- task$features
    if (task$features != "original") {
      # The features that new data need to compute the set.
      model$source <- schema_of(training_cache$data("original"))
    }
    model
  })
}

# A detail of the warning that a specification could not be trained again.
kept_models <- "The mixture keeps the models of the training queries."

warn_lost <- function(labels, lost, again) {
  if (any(lost)) {
    warn_input("worker", sprintf("%d of %d trainings were lost twice with their workers.",
                                 sum(lost), length(labels)),
               if (again) kept_models else sprintf("%s is not in the mixture.", labels[lost]),
               "Is there enough memory for so many workers? Start again with a `checkpoint`.")
  }
}

# The training data of all tasks: the data of each set of features, and their bins, which are made
# once.
new_training_cache <- function(train, threads) {
  sets <- list(original = train)
  bins <- list()
  list(
    data = function(set) {
      if (is.null(sets[[set]])) sets[[set]] <<- feature_set(train, set, threads)
      sets[[set]]
    },
    bins_for = function(set) {
      function(spec) {
        key <- paste(set, bins_key(spec))
        if (is.null(bins[[key]])) {
          if (is.null(sets[[set]])) sets[[set]] <<- feature_set(train, set, threads)
          bins[[key]] <<- bins_of(spec, sets[[set]], threads)
        }
        bins[[key]]
      }
    },
    # Tasks are sorted by feature set, so only one set is kept in addition to the original.
    forget_but = function(set) {
      old <- setdiff(names(sets), c("original", set))
      sets[old] <<- NULL
      bins <<- bins[startsWith(as.character(names(bins)), paste0(set, " "))]
    }
  )
}

feature_sets <- c("original", "standardized", "whitened")

# The data with a set of features: the original features, followed by the transformed features.
feature_set <- function(data, set, threads) {
  switch(set,
         original = data,
         standardized = standardize_queries(data, add = TRUE, threads = threads),
         whitened = whiten_queries(data, add = TRUE, threads = threads))
}

# The feature set of a model. Models from fit() have no set, which means "original".
set_of <- function(model) {
  set <- .subset2(model, "feature_set")
  if (is.null(set)) "original" else set
}

# The data with the features of a schema, in the order of the schema.
with_schema <- function(data, schema, threads, call = rlang::caller_env()) {
  schema <- schema[names(schema_of(data))]
  if (identical(schema_of(data), schema)) {
    return(data)
  }
  with_columns(data, match_features(data, schema, threads, call), schema, threads, call)
}

# The data with features that were already matched to a schema.
with_columns <- function(data, x, schema, threads, call = rlang::caller_env()) {
  if (identical(schema_of(data), schema)) {
    return(data)
  }
  new_ranking_data(x, data$relevance, data$query, data$query_ids, data$document,
                   data$weight, schema, threads, call, data$position, data$document_weight,
                   data$labels)
}
