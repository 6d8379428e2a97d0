# The one fit(). It checks, opens what training needs, lets the row of the specification train
# (spec.R), and lets validation data choose.

#' Train what a specification describes
#'
#' The same arguments train every ranker of [rankers]. What a ranker cannot do, such as
#' `patience` of one that has no rounds, is an error that names it.
#'
#' @param object A specification, such as [adaboost_mh()] or [gbrt()]; or a model of
#'   [adaboost_mh()], [gbrt()], [yetirank()], [adarank()] or [rankboost()], to train more rounds
#'   on the same data.
#' @param data Training data, made by [ranking_data()] or [read_letor()].
#' @param validation Held-out data of the same kind, or `NULL`. With it, the
#'   number of rounds that [predict()] uses is the one with the best `metric`
#'   among 10, 20, 50, 100, 200, 500, ... and the last; ties go to fewer rounds. Where the first of
#'   these numbers is the best, fewer rounds are tried too.
#'   Without it, all rounds are used. Of the costs of [mcsvm()] it chooses one. A ranker that
#'   has nothing to choose makes no use of it.
#' @param metric The metric that chooses, such as `ndcg(10)`, which is the default; that of
#'   [lambda()] is its own. A [mixture()] may have one of its own. Ties of scores count by the mean
#'   over their orders, unless `metric` or its convention sets `ties`, so that the order of the rows
#'   chooses nothing. The value that the model keeps is this one.
#' @param seed A whole number; `NULL` draws one with R's generator, so that
#'   [set.seed()] rules. Only what draws uses it: shares below 1 and a
#'   [bandit()].
#' @param threads Number of threads; results do not depend on it.
#' @param verbose Show progress and the time left: a bar at a console, elsewhere a line every 30
#'   seconds. A fit that resumes says from which round.
#' @param checkpoint A file, or `NULL`. The model is written there every
#'   `checkpoint_every` rounds. A call with the same arguments whose file is there goes on
#'   from it, after a kill for instance, and gives the same model, bit for bit. The file
#'   stays when the fit is done. Of a [mixture()] it is a folder.
#' @param checkpoint_every Rounds between two checkpoints.
#' @param patience With validation data, the training stops when `metric` has not risen for
#'   so many rounds; it is looked at every `every` rounds, and the best of these is chosen.
#' @param every Rounds between two looks at `metric` with `patience`.
#' @param rounds For a model, how many rounds it is to have in all.
#' @param ... Must be empty.
#'
#' @details A model that goes on is the same as one that was trained in one go: its rounds
#'   are gone through again on the data, which must be those that it was trained on. So a
#'   model whose metric has not risen for `patience` rounds gets no more of them.
#'
#'   Data that cannot teach are an error where the ranker needs what they lack, such as two grades or
#'   pairs of documents of different grades. They are the warning `rankmix_warning_constant` where
#'   the model that came out ranks nothing: it gives all documents of each training query the same
#'   score. This may be because no feature differs within a query, or because there are fewer
#'   documents than two leaves need (`min_documents`).
#'
#' @return A ranker, for [predict()] and [evaluate()]: plain R data that
#'   `saveRDS()` can keep. Its parts include `alpha` and `edge` (one a round),
#'   `status` (`"limit"`, `"stalled"`, `"converged"` or `"stopped"`, by `patience`), and with validation data `curve` (a
#'   data frame of `rounds` and `value`) and `best_rounds`.
#'
#' @section Conditions: `rankmix_error_option`: the ranker cannot do what is asked for.
#'   `rankmix_error_one_grade`: all training documents have
#'   the same grade. `rankmix_error_unjudged`: data without grades.
#'   `rankmix_error_validation`: validation data that cannot choose, because fewer than two
#'   of its queries (of weight above 0) have documents of different grades.
#'   `rankmix_warning_constant`: the model ranks nothing, see Details.
#'   `rankmix_warning_overlap`: validation queries that are also
#'   in the training data. `rankmix_error_checkpoint`: the file is no checkpoint, or one
#'   of other data, another specification, seed or version. `rankmix_warning_checkpoint`:
#'   a checkpoint could not be written; the fit goes on. `rankmix_error_newdata`: a model
#'   is to go on with other data. An interrupt returns to the prompt; nothing is kept but
#'   checkpoints.
#'
#' @seealso [tidy.rankmix_adaboost_mh_model()] for the importance of features,
#'   [autoplot.rankmix_adaboost_mh_model()]
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' model <- fit(adaboost_mh(tree(4), rounds = 50), train, validation = valid,
#'              threads = 1)
#' model
#' fit(model, train, rounds = 60, threads = 1)
#' fit(gbrt(trees = 100, depth = 3), train, valid, err(), threads = 1)
#' @export
fit.rankmix_spec <- function(object, data, validation = NULL, metric = NULL, ...,
                             seed = NULL, threads = NULL, patience = NULL, every = 10,
                             checkpoint = NULL, checkpoint_every = 100, verbose = TRUE) {
  check_no_others(...)
  check_given(missing(data), "data", what_to_give$train)
  row <- row_of(object)
  check_option(object, "patience", patience, "rounds")
  check_option(object, "checkpoint", checkpoint, "resumable")
  check_patience(patience, validation)
  check_count(every, "every")
  drawn <- if (has_trait(object, "random") || !is.null(seed)) check_seed(seed)
  checkpoint <- if (is.null(row$open)) {
    open_checkpoint(checkpoint, checkpoint_every, object, seed)
  } else {
    row$open(checkpoint, object, data, validation, seed, drawn, isTRUE(verbose), rlang::current_env())
  }
  report_rounds_resumed(checkpoint, object, isTRUE(verbose))
  if (!is.null(checkpoint$close)) on.exit(checkpoint$close())
  naming_memory(train_model(object, data, validation, metric,
                            seed = if (is.null(checkpoint$seed)) drawn else checkpoint$seed,
                            threads = threads, patience = patience, every = every,
                            checkpoint = checkpoint, verbose = verbose))
}

report_rounds_resumed <- function(checkpoint, spec, verbose) {
  if (!is.null(checkpoint$model)) {
    report_resumed(sprintf("round %d of %s", rounds_used(checkpoint$model), plain_number(rounds_of(spec))),
                   checkpoint$file, verbose)
  }
}

# An option that the traits of a ranker do not have.
check_option <- function(spec, name, value, trait, call = rlang::caller_env()) {
  if (!is.null(value) && !has_trait(spec, trait)) {
    stop_input("option", sprintf("`%s()` has no `%s`.", row_of(spec)$name, name),
               sprintf("What takes it: %s.", enumerate(rankers_with(trait), 10L)),
               sprintf("Leave `%s` out.", name), call = call)
  }
}

rankers_with <- function(trait) {
  names <- built_in_rankers()
  has <- vapply(names, function(name) trait %in% row_traits(built_in_row(name)), NA)
  paste0(names[has], "()")
}

# What a row's `train` gets beside the specification: `data`, `validation` (NULL without) and
# its features `x` in the order of the training data; `targets`, a number a document in place of
# what the ranker makes of the grades, or NULL;
# `weights` of the documents, or NULL where they are the same; `metric`, `seed`, `threads`;
# `classes`, the number of grades; `bins(spec)`, the features as bins, which nobody else gets where
# `own_bins` is TRUE;
# `progress(done, total)`, or `verbose` for what tells it otherwise; `watch`, early stopping, and
# `checkpoint`, or NULL; `all_steps` where nothing is to be chosen of a path; `call`, to blame.
new_task <- function(data, seed, threads, progress = NULL, validation = NULL, x = NULL,
                     metric = NULL, bins = function(spec) bins_of(spec, data, threads),
                     watch = NULL, checkpoint = NULL, call = NULL, targets = NULL,
                     weights = row_weights(data), verbose = FALSE, all_steps = FALSE) {
  list(data = data, validation = validation, x = x, targets = targets, weights = weights,
       metric = metric, seed = seed, threads = threads, classes = max(data$relevance) + 1L,
       bins = bins, own_bins = missing(bins), progress = progress, verbose = verbose, watch = watch,
       checkpoint = checkpoint, all_steps = all_steps, call = call)
}

# The task of a part of a ranker that is made of others: the same documents with targets and
# weights of their own, which the trait `regression` says that the part heeds. `weights` take
# the place of those of the task; NULL, and 1s, are all the same. It chooses nothing, and gives
# all steps of a path; bins may be those of other parts.
part_task <- function(task, targets, weights, seed = task$seed) {
  own <- list(targets = if (!is.null(targets)) as.double(targets), weights = weights,
              seed = seed, all_steps = TRUE, own_bins = FALSE)
  task[names(own)] <- own
  task[c("validation", "x", "watch", "checkpoint", "progress")] <- list(NULL)
  task
}

# Trains as the row does, on what it takes, missing values being filled for those that need it.
train_by_row <- function(spec, task, train = row_of(spec)$train) {
  check_data_traits(spec, task$data$x, task$weights, task$call)
  if (!is.null(task$x)) check_data_traits(spec, task$x, call = task$call)
  filling <- learn_filling(spec, task)
  if (is.null(filling)) {
    return(train(spec, task))
  }
  with_filling(train(spec, filled_task(task, filling)), filling, schema_of(task$data))
}

# Rankers that vote on grades have a number a grade, side by side.
most_voted_grade <- 30L

check_voted_grades <- function(ranker, task) {
  if (task$classes - 1L > most_voted_grade) {
    stop_input("grade", sprintf("`%s()` supports grades up to %d.", ranker, most_voted_grade),
               sprintf("The training data have the grade %d.", as.integer(task$classes) - 1L),
               paste("Merge grades by `group_grades()`, or train a ranker that takes all, such as",
                     "`gbrt()`."), call = task$call)
  }
}

# Data that need what a ranker has not, by its traits, are refused by its name.
check_data_traits <- function(spec, x, weight = NULL, call = rlang::caller_env()) {
  # Most data ask for nothing; to make a row takes longer than to score a query.
  if (is.null(weight) && !isS4(x) && !anyNA(x)) {
    return(invisible())
  }
  traits <- traits_of(spec)
  refuse <- function(trait, problem, remedy) {
    row <- row_of(lacking_ranker(spec, trait))
    # One that is set not to take them.
    own <- trait == "missing" && fills_missing(row)
    stop_input(trait, sprintf("`%s()` %s", row$name, problem),
               remedy = if (own) sprintf("%s, or set `missing = \"mean\"`.", remedy) else {
                 sprintf("%s, or train one that takes them: %s.", remedy,
                         enumerate(rankers_with(trait)))
               }, call = call)
  }
  if (!is.null(weight) && !"weights" %in% traits) {
    refuse("weights", "takes no weights of queries.", "Leave them out")
  }
  if (isS4(x) && !"sparse" %in% traits) {
    refuse("sparse", "takes no sparse features.", "Give a plain matrix")
  }
  if (!"missing" %in% traits && anyNA(if (isS4(x)) x@x else x)) {
    count <- sum(is.na(if (isS4(x)) x@x else x))
    refuse("missing", sprintf("needs all values, but %s %s missing.", plain_number(count),
                              if (count == 1) "is" else "are"),
           "Replace NA by a number, such as 0 or the feature's mean")
  }
}

# The specification; of one that is made of others, that of the first part that lacks the trait.
lacking_ranker <- function(spec, trait) {
  row <- row_of(spec)
  parts <- if (is.null(row$parts)) list() else Filter(is_specification, row$parts(spec))
  lacking <- Filter(function(part) !has_trait(part, trait), parts)
  if (length(lacking) > 0L) lacking_ranker(lacking[[1L]], trait) else spec
}

# `train` is that of the row, but for a model that goes on.
train_model <- function(spec, data, validation, metric, seed, threads, patience, every,
                        checkpoint, verbose, train = row_of(spec)$train,
                        call = rlang::caller_env()) {
  check_ranking_data(data, call = call)
  metric <- read_metric(if (is.null(metric)) own_metric(spec) else metric, call)
  threads <- check_threads(threads, call)
  check_flag(verbose, "verbose", call)
  row <- row_of(spec)
  traits <- traits_of(spec)
  if (!is.null(row$metric(spec))) metric <- row$metric(spec)
  x <- NULL
  if (!is.null(validation)) {
    check_ranking_data(validation, "validation", call = call)
    if ("validation" %in% traits) {
      x <- check_validation(validation, data, metric, threads, call)
    }
  }
  if (!"one_grade" %in% traits) {
    check_several_grades(data, call)
  }
  steps <- row$steps(spec)
  bar <- progress_bar("Training", steps, verbose && steps > 0)
  on.exit(bar$close())
  watch <- if (!is.null(patience)) {
    early_stopping(patience, x, validation, metric, threads, every)
  }
  task <- new_task(data, seed, threads, bar$report, validation, x, metric, watch = watch,
                   checkpoint = checkpoint, call = call, verbose = verbose)
  model <- chosen_model(train_by_row(spec, task, train), traits, task)
  warn_learned_nothing(model, task)
  with_background(model, data, threads)
}

# The number of rounds, or the step of a path, that the validation data choose.
chosen_model <- function(model, traits, task) {
  if ("rounds" %in% traits) {
    model$best_rounds <- rounds_used(model)
    if (!is.null(task$watch)) {
      return(task$watch$choose(model))
    }
    if (!is.null(task$x)) {
      return(choose_rounds(model, task$x, task$validation, task$metric, task$threads))
    }
  }
  if ("path" %in% traits && !is.null(task$x)) {
    return(choose_step(model, task$x, task$validation, task$metric, task$threads))
  }
  model
}

check_patience <- function(patience, validation, call = rlang::caller_env()) {
  if (is.null(patience)) {
    return(invisible())
  }
  check_count(patience, "patience", call = call)
  if (is.null(validation)) {
    stop_input("argument", "`patience` needs validation data.",
               remedy = "Give `validation`, or leave out `patience`.", call = call)
  }
}

#' @rdname fit.rankmix_spec
#' @export
fit.rankmix_adaboost_mh_model <- function(object, data, validation = NULL,
                                          metric = NULL, rounds, ..., threads = NULL,
                                          patience = NULL, every = 10, checkpoint = NULL,
                                          checkpoint_every = 100, verbose = TRUE) {
  check_no_others(...)
  check_all_given()
  train_further(object, data, validation, metric, rounds, threads, patience, every,
                checkpoint, checkpoint_every, verbose, grow_adaboost)
}

#' @rdname fit.rankmix_spec
#' @export
fit.rankmix_gbrt_model <- function(object, data, validation = NULL, metric = NULL, rounds,
                                   ..., threads = NULL, patience = NULL, every = 10,
                                   checkpoint = NULL, checkpoint_every = 100,
                                   verbose = TRUE) {
  check_no_others(...)
  check_all_given()
  train_further(object, data, validation, metric, rounds, threads, patience, every,
                checkpoint, checkpoint_every, verbose, grow_gbrt)
}

#' @rdname fit.rankmix_spec
#' @export
fit.rankmix_adarank_model <- function(object, data, validation = NULL, metric = NULL, rounds,
                                   ..., threads = NULL, patience = NULL, every = 10,
                                   checkpoint = NULL, checkpoint_every = 100,
                                   verbose = TRUE) {
  check_no_others(...)
  check_all_given()
  train_further(object, data, validation, metric, rounds, threads, patience, every,
                checkpoint, checkpoint_every, verbose, grow_adarank)
}

#' @rdname fit.rankmix_spec
#' @export
fit.rankmix_rankboost_model <- function(object, data, validation = NULL, metric = NULL, rounds,
                                   ..., threads = NULL, patience = NULL, every = 10,
                                   checkpoint = NULL, checkpoint_every = 100,
                                   verbose = TRUE) {
  check_no_others(...)
  check_all_given()
  train_further(object, data, validation, metric, rounds, threads, patience, every,
                checkpoint, checkpoint_every, verbose, grow_rankboost)
}

# A model that is to have so many rounds; `grow(spec, task, from)` adds them.
train_further <- function(object, data, validation, metric, rounds, threads, patience, every,
                          checkpoint, checkpoint_every, verbose, grow,
                          call = rlang::caller_env()) {
  check_patience(patience, validation, call)
  check_count(every, "every", call = call)
  check_count(rounds, "rounds", min = rounds_used(object), max = 1e6, call = call)
  if (is.null(object$digest)) {
    stop_input("argument", "An earlier version trained the model, which cannot go on with it.",
               remedy = "Train it again.", call = call)
  }
  spec <- object$spec
  spec[[row_of(spec)$rounds]] <- rounds
  checkpoint <- open_checkpoint(checkpoint, checkpoint_every, spec, object$seed, call)
  if (!is.null(checkpoint$model) && rounds_used(checkpoint$model) > rounds_used(object)) {
    object <- checkpoint$model
  } else if (!is.null(checkpoint)) {
    checkpoint["model"] <- list(NULL)  # the fit continues from `object`, which has as many rounds
  }
  report_rounds_resumed(checkpoint, spec, isTRUE(verbose))
  naming_memory(train_model(spec, data, validation, metric, object$seed, threads, patience, every,
                            checkpoint, verbose,
                            function(spec, task) grow(spec, task, from = object), call = call),
                call)
}
