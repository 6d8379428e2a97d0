# Training of a cascade, stage after stage.

train_cascade <- function(spec, task) {
  parts <- list(data = task$data, validation = task$validation)
  models <- list()
  rows <- list()
  for (i in seq_along(spec$stages)) {
    rows[[i]] <- reached_row(parts, task)
    model <- naming_stage(i, task$call, train_stage(spec$stages[[i]], parts$data, parts$validation, task, i))
    models[[i]] <- model
    if (i <= length(spec$keep)) {
      kept <- naming_stage(i, task$call, kept_parts(spec, parts, model, task, i))
      warn_keeps_all(kept$data, parts$data, i, spec$keep[i])
      parts <- kept
    }
    if (!is.null(task$progress)) task$progress(i, length(spec$stages))
  }
  new_cascade(spec, models, do.call(rbind, rows), task)
}

train_stage <- function(stage, data, validation, task, i) {
  if (is_trained(stage)) {
    return(stage)
  }
  fit(stage, data, if (has_trait(stage, "validation")) validation, task$metric,
      seed = if (has_trait(stage, "random")) derived_seed(task$seed, "cascade", i), threads = task$threads,
      verbose = FALSE)
}

# The documents of the training and validation data that stage i keeps.
kept_parts <- function(spec, parts, model, task, i) {
  scores <- list(data = unseen_scores(spec, parts, model, task, i))
  if (!is.null(parts$validation)) scores$validation <- predict(model, parts$validation, threads = task$threads)
  Map(function(data, scores) take_documents(data, which(best_documents(scores, data$query, spec$keep[i]))),
      parts[names(scores)], scores)
}

warn_keeps_all <- function(kept, data, i, keep) {
  if (nrow(kept) == nrow(data)) {
    longest <- max(diff(data$offsets))
    warn_input("keep", sprintf("Stage %d of the cascade drops no document.", i),
               if (longest <= keep) sprintf("It keeps %s, and the longest list has %s.", plain_number(keep),
                                            counted(longest, "document")) else "All documents are tied.",
               if (longest <= keep) "Keep fewer documents, or leave the stage out." else "Give another first stage.")
  }
}

# The score of each training document by the stage, trained without the fold of its query. Queries of
# weight 0 have no effect on training, so the whole model scores them.
unseen_scores <- function(spec, parts, model, task, i) {
  data <- parts$data
  stage <- spec$stages[[i]]
  fold <- folds_of_queries(data, spec$folds, derived_seed(task$seed, "folds"))
  if (is_trained(stage) || max(fold) < 2L) {
    return(predict(model, data, threads = task$threads))
  }
  # Ranking data have a weight above 0, so a fold without one is predicted without weights.
  unweighted <- data
  unweighted["weight"] <- list(NULL)
  scores <- numeric(nrow(data))
  for (k in sort(unique(fold))) {
    own <- if (k == 0L) model else withCallingHandlers(
      train_stage(stage, take_queries(data, which(fold != k & fold > 0L)), parts$validation, task, i),
      rankmix_warning = function(w) rlang::cnd_muffle(w)
    )
    scores[fold[data$query] == k] <- predict(own, take_queries(unweighted, which(fold == k)),
                                               threads = task$threads)
  }
  scores
}

# The fold of each query, by the order of the ids; 0 for queries of weight 0.
folds_of_queries <- function(data, folds, seed) {
  used <- which(positive_weight(data))
  by_name <- used[order(id_text(data$query_ids[used]), method = "radix")]
  fold <- integer(length(data$query_ids))
  drawn <- with_seed(seed, sample.int(length(used)))
  fold[by_name[drawn]] <- rep_len(seq_len(min(folds, length(used))), length(used))
  fold
}

# Whether each document is one of the `keep` best of its query. Documents that are tied with the last
# of these are included.
best_documents <- function(scores, query, keep) {
  order <- order(query, -scores, method = "radix")
  sizes <- tabulate(query)
  position <- integer(length(scores))
  position[order] <- sequence(sizes[sizes > 0L])
  last <- rep(-Inf, length(sizes))
  is_last <- which(position == keep)
  last[query[is_last]] <- scores[is_last]
  scores >= last[query]
}

# How many documents of a query reach the stage, and the fraction of the relevant documents that do.
reached_row <- function(parts, task) {
  held <- !is.null(parts$validation)
  here <- weighted_queries(if (held) parts$validation else parts$data)
  all <- weighted_queries(if (held) task$validation else task$data)
  data.frame(documents = nrow(here) / length(here$query_ids),
             relevant = sum(here$relevance > 0) / sum(all$relevance > 0))
}

# An error of a stage names the stage.
naming_stage <- function(i, call, code) {
  withCallingHandlers(code, rankmix_error = function(e) {
    stop_input(sub("^rankmix_error_", "", class(e)[1L]), sprintf("Stage %d of the cascade cannot be trained.", i),
               parent = e, call = call)
  })
}

new_cascade <- function(spec, models, reached, task) {
  names(models) <- names(spec$stages)
  labels <- vapply(spec$stages, function(stage) if (is_specification(stage)) format(stage) else ranker_text(stage), "")
  named <- nzchar(rlang::names2(spec$stages))
  labels[named] <- names(spec$stages)[named]
  table <- data.frame(stage = seq_along(models), ranker = unname(labels), keep = c(as.double(spec$keep), NA), reached)
  structure(c(schema_of(task$data), list(stages = models, keep = as.double(spec$keep), table = table,
                                         seed = task$seed)),
            class = c("rankmix_cascade_model", "rankmix_ranker"))
}
