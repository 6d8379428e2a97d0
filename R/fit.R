# fit() for every ranker: checks the arguments, opens the checkpoint, trains by the registry entry of the
# specification (spec.R), and chooses settings on the validation data.

#' Train a ranker: all arguments
#'
#' The same arguments train every ranker of [rankers]. An option that a ranker does not support is an
#' error, such as `patience` for a ranker without rounds.
#'
#' @param object A specification, such as [adaboost_mh()] or [gbrt()]. Or, to train more rounds on the same
#' data, a model of [adaboost_mh()], [gbrt()], [yetirank()], [adarank()] or [rankboost()].
#' @param data The training data, made by [ranking_data()] or [read_letor()].
#' @param validation The validation data of the same kind, or `NULL` (the default) for none. For boosted rankers
#'   and networks, the number of rounds with the best `metric` on these data is chosen among 10, 20, 50, 100,
#'   200, 500, ... and the last round. Ties go to fewer rounds. If the first of these numbers is best, smaller
#'   numbers are tried too. For other rankers see [fit]. Without validation data all rounds are used.
#' @param metric The metric for the choice; default `metric_ndcg(10)`, or the metric of [loss_lambda()]. A [mixture()]
#'   may set another default. For tied scores, the metric is the mean over all their orders, unless the metric or its
#'   convention sets `ties`. So the order of rows does not affect the choice.
#' @param seed The random seed, a whole number. With `NULL` R's generator draws one, so [set.seed()]
#'   applies.
#' @param threads Number of threads. Results do not depend on it.
#' @param verbose Whether to show progress and the remaining time; default `TRUE`. A console shows a bar,
#'   other outputs a line every 30 seconds. A resumed fit shows the round from which it resumes.
#' @param checkpoint The file for checkpoints (for a [mixture()] a folder), or `NULL` (the default) for
#'   none. After an interruption, the same call resumes from the file and gives the same model, bit for
#'   bit. The file is not deleted when the fit ends. Functions of yours are compared as in
#'   [benchmark_rankers()].
#' @param checkpoint_every Number of rounds between two checkpoints; default 100.
#' @param patience Number of rounds without a better `metric` after which training stops. `patience` needs
#'   validation data. The best evaluated round is chosen. The default `NULL` trains all rounds.
#' @param eval_every Number of rounds between two evaluations of `metric`, with `patience`. Default 10. An error
#'   without `patience`.
#' @param rounds The total number of rounds, if `object` is a model that is trained further.
#' @param cluster The communicator of several processes that train one model together, such as
#'   [mpi_communicator()], or `NULL` (the default) for this process alone. `data` and `validation` then have this
#'   process's part of the queries. See Several processes.
#' @param ... Must be empty.
#'
#' @section Several processes: Each process, or rank, calls `fit()` with the same arguments and its own
#'   queries. All ranks get the model that one process would get from all data, bit for bit, for any number of
#'   ranks and any assignment of the queries. `cluster` is supported by [adaboost_mh()], [gbrt()],
#'   [lambdamart()], [yetirank()], [rankboost()] with finite `max_bin`, [cocr()] of [gbrt()], and
#'   [tune_and_mix()] of these. `categories = "subsets"` does not support `cluster`.
#'
#'   `data` is binned data of [binned_data()] with the same `cluster`. Other data are binned first. All
#'   documents of a query must be on one rank. With `validation`, each rank has validation queries, too. The metric is
#'   the mean over the queries of all ranks.
#'
#'   Rank 0 draws the seed, shows progress and writes `checkpoint`. All ranks read the checkpoint. So the file
#'   must be in a shared folder, or be copied to each machine. A fit may resume on another number of ranks.
#'
#'   `rankmix_error_cluster`: a rank has stopped, does not answer, differs from other ranks in arguments, version or
#'   bins, or has a query that another rank also has. All ranks stop, and the message names the rank.
#'
#' @details A model trained further is identical to a model trained in one call. The earlier rounds are
#'   replayed, so the training data must be the same. If `patience` stopped the training of a model, further
#'   training with the same `patience` adds no rounds.
#'
#'   Possible causes of the warning `rankmix_warning_constant` are features that do not differ within queries, or fewer
#'   documents than two leaves need (`min_data_in_leaf`).
#'
#' @return A ranker for [predict()] and [evaluate()]: plain R data for `saveRDS()`. A boosted model has
#'   `status`: `"limit"`, `"stalled"`, `"converged"`, or `"stopped"` by `patience`. With validation data
#'   it has `best_rounds` and `curve`, a data frame of `rounds` and `value`. [adaboost_mh()] also has `alpha`, the
#'   weight of the base learner of each round, and its `edge`.
#'
#' @section Conditions:
#' * `rankmix_error_option`: the ranker does not support an option.
#' * `rankmix_error_one_grade`: all training documents have the same grade.
#' * `rankmix_error_unjudged`: the data have no grades.
#' * `rankmix_error_validation`: fewer than two validation queries of positive weight have documents of
#'   different grades.
#' * `rankmix_warning_constant`: all documents of each training query have the same score, see Details.
#' * `rankmix_warning_pairs`: a round visits more than 300 million pairs, or stores more than 0.5 GB of
#'   pairs, because a query has more than 5,000 documents. The message names a faster setting.
#' * `rankmix_warning_overlap`: validation queries are also in the training data.
#' * `rankmix_error_checkpoint`: the file is no checkpoint, or belongs to other data, another
#'   specification, seed or version. `rankmix_warning_checkpoint`: the checkpoint could not be written. The fit
#'   continues.
#' * `rankmix_error_newdata`: a model is trained further on other data.
#'
#' An interrupt returns to the prompt. Only checkpoints are kept.
#'
#' @seealso [tidy.rankmix_adaboost_mh_model()] for the importance of features,
#'   [autoplot.rankmix_adaboost_mh_model()]
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' model <- fit(adaboost_mh(base_tree(4), rounds = 50), train, validation = valid,
#'              threads = 1)
#' model
#' fit(model, train, rounds = 60, threads = 1)
#' fit(gbrt(trees = 100, max_depth = 3), train, valid, metric_err(), threads = 1)
#' @export
fit.rankmix_spec <- function(object, data, validation = NULL, metric = NULL, ...,
                             seed = NULL, threads = NULL, patience = NULL, eval_every = 10,
                             checkpoint = NULL, checkpoint_every = 100, verbose = TRUE, cluster = NULL) {
  check_no_others(...)
  check_given(missing(data), "data", what_to_give$train)
  entry <- entry_of(object)
  check_option(object, "cluster", cluster, "distributed")
  check_option(object, "patience", patience, "rounds")
  check_option(object, "checkpoint", checkpoint, "resumable")
  check_patience(patience, validation)
  check_eval_every(eval_every, patience, given = !missing(eval_every))
  drawn <- if (has_trait(object, "random") || !is.null(seed)) check_seed(seed)
  call <- rlang::current_env()
  with_cluster_failure(cluster, {
    spread <- spread_training(object, data, validation, metric, cluster, drawn, threads, patience, eval_every,
                              checkpoint, isTRUE(verbose), call)
    fit_checked(object, spread$data, spread$validation, metric, seed, spread$seed, threads, patience, eval_every,
                checkpoint, checkpoint_every, if (isTRUE(verbose)) spread$verbose else verbose, call)
  })
}

# fit() after its checks. `seed` is NULL if the user gave none, and `drawn` is the seed that is used.
fit_checked <- function(object, data, validation, metric, seed, drawn, threads, patience, eval_every, checkpoint,
                        checkpoint_every, verbose, call) {
  open <- entry_of(object)$open
  checkpoint <- if (is.null(open)) {
    open_checkpoint(checkpoint, checkpoint_every, object, seed, call)
  } else {
    open(checkpoint, object, data, validation, seed, drawn, isTRUE(verbose), call)
  }
  report_rounds_resumed(checkpoint, object, isTRUE(verbose))
  if (!is.null(checkpoint$close)) on.exit(checkpoint$close())
  checkpoint <- written_by_first(checkpoint, data$cluster)
  train_model(object, data, validation, metric,
              seed = if (is.null(checkpoint$seed)) drawn else checkpoint$seed,
              threads = threads, patience = patience, eval_every = eval_every,
              checkpoint = checkpoint, verbose = verbose, call = call)
}

report_rounds_resumed <- function(checkpoint, spec, verbose) {
  if (!is.null(checkpoint$model)) {
    report_resumed(sprintf("round %d of %s", rounds_used(checkpoint$model), plain_number(rounds_of(spec))),
                   checkpoint$file, verbose)
  }
}

# Refuses an option that the ranker does not support, by its traits.
check_option <- function(spec, name, value, trait, call = rlang::caller_env()) {
  if (!is.null(value) && !has_trait(spec, trait)) {
    # For a mixture, the member that several processes cannot train.
    ranker <- if (trait == "distributed") lacking_ranker(spec, trait) else spec
    maker <- paste0(entry_of(ranker)$name, "()")
    # Some traits depend on settings, such as `categories` of gbrt().
    by_settings <- maker %in% rankers_with(trait)
    stop_input("option", sprintf("`%s`%s has no `%s`.", maker, if (by_settings) " with these settings" else "", name),
               if (by_settings) sprintf("The specification is %s.", format(ranker)) else {
                 sprintf("Rankers with `%s`: %s.", name, enumerate(rankers_with(trait), 10L))
               },
               sprintf("Leave `%s` out%s.", name, if (by_settings) ", or change the settings, see `?fit.rankmix_spec`"
                       else ""), call = call)
  }
}

rankers_with <- function(trait) {
  names <- built_in_rankers()
  has <- vapply(names, function(name) trait %in% entry_traits(built_in_entry(name)), NA)
  paste0(names[has], "()")
}

# The task, which the `train` of a registry entry receives with the specification. Its elements:
# `data`; `validation` (or NULL) and its features `x` in the order of the training data; `targets`, a
# number for each document that replaces the ranker's own target, or NULL; `start_scores`, the scores before the
# first round of boosted trees, which the model does not contain, or NULL; `weights` of the documents, or
# NULL if they are equal; `metric`, `seed`, `threads`; `classes`, the number of grades; `bins(spec)`, the
# binned features, used by this training alone if `own_bins` is TRUE; `progress(done, total)`, or `verbose`
# for training that reports its progress itself; `watch`, early stopping, or NULL; `checkpoint`, or NULL;
# `all_steps`, TRUE if all models of a path are returned; `call`, which errors show.
new_task <- function(data, seed, threads, progress = NULL, validation = NULL, x = NULL,
                     metric = NULL, bins = function(spec) bins_of(spec, data, threads),
                     watch = NULL, checkpoint = NULL, call = NULL, targets = NULL,
                     weights = row_weights(data), verbose = FALSE, all_steps = FALSE) {
  list(data = data, validation = validation, x = x, targets = targets, weights = weights,
       metric = metric, seed = seed, threads = threads,
       classes = if (is_graded(data)) as.integer(highest(data, data$relevance)) + 1L, cluster = data$cluster,
       bins = bins, own_bins = missing(bins) && !is_binned(data), progress = progress,
       verbose = verbose, watch = watch,
       checkpoint = checkpoint, all_steps = all_steps, call = call)
}

# The task of one part of a composite ranker: the same documents with other targets and weights, which a
# part with the trait `regression` uses. `weights` replace the weights of the task; NULL means equal
# weights. No choice is made for the part, so it returns all models of a path. Parts may share bins.
part_task <- function(task, targets, weights, seed = task$seed) {
  own <- list(targets = if (!is.null(targets)) as.double(targets), weights = weights,
              seed = seed, all_steps = TRUE, own_bins = FALSE)
  task[names(own)] <- own
  task[c("validation", "x", "watch", "checkpoint", "progress")] <- list(NULL)
  task
}

# Trains by the registry entry. Missing values are filled first if the ranker does not accept them.
train_by_entry <- function(spec, task, train = entry_of(spec)$train) {
  check_data_traits(spec, task$data$x, task$weights, task$call)
  refuse_wide_factors(task$data$encoding, task$call)
  check_judgement_traits(spec, task)
  if (!is.null(task$x)) check_data_traits(spec, task$x, call = task$call)
  check_training_cost(spec, task)
  filling <- learn_filling(spec, task)
  if (is.null(filling)) {
    return(train(spec, task))
  }
  with_filling(train(spec, filled_task(task, filling)), filling, schema_of(task$data))
}

# Rankers that vote on grades store one number for each grade.
max_voted_grade <- 30L

check_voted_grades <- function(ranker, task) {
  if (task$classes - 1L > max_voted_grade) {
    stop_input("grade", sprintf("`%s()` supports grades up to %d.", ranker, max_voted_grade),
               sprintf("The training data have the grade %d.", as.integer(task$classes) - 1L),
               paste("Merge grades by `group_grades()`, or train a ranker that takes all, such as",
                     "`gbrt()`."), call = task$call)
  }
}

# Refuses data that the ranker does not support, by its traits. The error names the ranker.
check_data_traits <- function(spec, x, weight = NULL, call = rlang::caller_env()) {
  # A shortcut for data that need no trait. Making a registry entry takes longer than scoring a
  # query.
  if (is.null(weight) && !isS4(x) && !has_bins(x) && !anyNA(x)) {
    return(invisible())
  }
  traits <- traits_of(spec)
  refuse <- function(trait, problem, remedy) {
    entry <- entry_of(lacking_ranker(spec, trait))
    # The ranker could fill missing values, but its setting is `missing = "error"`.
    own <- trait == "missing" && fills_missing(entry)
    stop_input(trait, sprintf("`%s()` %s", entry$name, problem),
               remedy = if (own) sprintf("%s, or set `missing = \"mean\"`.", remedy) else {
                 sprintf("%s, or train a ranker that supports them: %s.", remedy,
                         enumerate(rankers_with(trait)))
               }, call = call)
  }
  if (!is.null(weight) && !"weights" %in% traits) {
    refuse("weights", "does not support weights of queries.", "Leave them out")
  }
  if (isS4(x) && !"sparse" %in% traits) {
    refuse("sparse", "does not support sparse features.", "Give a plain matrix")
  }
  if (has_bins(x)) {
    if (!"bins" %in% traits) {
      refuse("bins", "needs the values of features, which binned data do not have.", "Give `ranking_data()`")
    }
    return(invisible())
  }
  if (!"missing" %in% traits && anyNA(if (isS4(x)) x@x else x)) {
    count <- sum(is.na(if (isS4(x)) x@x else x))
    refuse("missing", sprintf("needs all values, but %s %s missing.", plain_number(count),
                              if (count == 1) "is" else "are"),
           "Replace NA by a number, such as 0 or the feature's mean")
  }
}

# Refuses weights of documents, and a relevance that is not graded, by the traits. A part of a composite ranker
# has its own weights and targets.
check_judgement_traits <- function(spec, task) {
  traits <- if (!is_graded(task$data) || !is.null(task$data$document_weight)) traits_of(spec)
  name <- function(trait) entry_of(lacking_ranker(spec, trait))$name
  if (!is_graded(task$data) && is.null(task$targets) && !"real_relevance" %in% traits) {
    ordinal <- identical(spec$objective$name, "ordinal")
    who <- if (ordinal) "loss_ordinal" else name("real_relevance")
    check_graded(task$data, sprintf("`%s()`", who), task$call)
  }
  if (!is.null(task$data$document_weight) && !"document_weights" %in% traits) {
    who <- paste0(name("document_weights"), "()")
    takers <- rankers_with("document_weights")
    # A ranker may support weights while its loss does not.
    stop_input("weights", sprintf(if (who %in% takers) "This loss of `%s` does not support weights of documents." else
                                    "`%s` does not support weights of documents.", who),
               remedy = if (who %in% takers) {
                 "Leave `document_weight` or `unbiased` out, or use another loss, such as `loss_lambda()`."
               } else {
                 sprintf("Leave `document_weight` out, or train a ranker that supports them: %s.",
                         enumerate(takers, 10L))
               }, call = task$call)
  }
}

# The traits that depend on the loss. Smoothed metrics, custom losses and position effects do not support
# weights of documents. Thresholds of `loss_ordinal()` are for grades.
loss_traits <- function(spec) {
  loss <- spec$objective
  c(if (!isTRUE(loss$name %in% c("smooth", "custom")) && is.null(loss$unbiased)) "document_weights",
    if (!identical(loss$name, "ordinal")) "real_relevance")
}

# The specification that lacks the trait; for a composite ranker the first such part.
lacking_ranker <- function(spec, trait) {
  entry <- entry_of(spec)
  parts <- if (is.null(entry$parts)) list() else Filter(is_specification, entry$parts(spec))
  lacking <- Filter(function(part) !has_trait(part, trait), parts)
  if (length(lacking) > 0L) lacking_ranker(lacking[[1L]], trait) else spec
}

# `train` comes from the registry entry, except when a model is trained further.
train_model <- function(spec, data, validation, metric, seed, threads, patience, eval_every,
                        checkpoint, verbose, train = entry_of(spec)$train,
                        call = rlang::caller_env()) {
  check_ranking_data(data, call = call, binned = TRUE)
  # The file of one rank may have only weights of 0.
  check_some_weight(data$weight, data$document_weight, data$cluster, call)
  metric <- read_metric(if (is.null(metric)) own_metric(spec) else metric, call)
  threads <- check_threads(threads, call)
  check_flag(verbose, "verbose", call)
  entry <- entry_of(spec)
  traits <- traits_of(spec)
  if (!is.null(entry$metric(spec))) metric <- entry$metric(spec)
  x <- NULL
  if (!is.null(validation)) {
    check_ranking_data(validation, "validation", call = call, binned = TRUE)
    if ("validation" %in% traits) {
      x <- check_validation(validation, data, metric, threads, call)
    }
  }
  if (!"one_grade" %in% traits) {
    check_several_grades(data, call)
  }
  steps <- entry$steps(spec)
  bar <- progress_bar("Training", steps, verbose && steps > 0)
  on.exit(bar$close())
  watch <- if (!is.null(patience)) {
    early_stopping(patience, x, validation, metric, threads, eval_every)
  }
  task <- new_task(data, seed, threads, bar$report, validation, x, metric, watch = watch,
                   checkpoint = checkpoint, call = call, verbose = verbose)
  model <- chosen_model(train_by_entry(spec, task, train), traits, task)
  warn_learned_nothing(model, task)
  with_background(model, data, threads)
}

# Chooses the number of rounds, or the model of a path, on the validation data.
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

# Without `patience`, rounds are chosen among fixed numbers.
check_eval_every <- function(eval_every, patience, given, call = rlang::caller_env()) {
  check_count(eval_every, "eval_every", call = call)
  if (given && is.null(patience)) {
    stop_input("argument", "`eval_every` can only be used with `patience`.",
               "Without `patience`, rounds are chosen among 10, 20, 50, ... and the last round.",
               "Give `patience`, such as the number of rounds, or leave `eval_every` out.", call = call)
  }
}

#' @rdname fit.rankmix_spec
#' @export
fit.rankmix_ranker <- function(object, data, validation = NULL, metric = NULL, rounds, ...,
                               threads = NULL, patience = NULL, eval_every = 10, checkpoint = NULL,
                               checkpoint_every = 100, verbose = TRUE, cluster = NULL) {
  check_can_grow(object)
  check_no_others(...)
  check_all_given()
  check_patience(patience, validation)
  check_eval_every(eval_every, patience, given = !missing(eval_every))
  check_count(rounds, "rounds", min = rounds_used(object), max = 1e6)
  check_option(object$spec, "cluster", cluster, "distributed")
  call <- rlang::current_env()
  with_cluster_failure(cluster, {
    spread <- spread_training(object$spec, data, validation, metric, cluster, object$seed, threads, patience,
                              eval_every, checkpoint, isTRUE(verbose), call)
    train_further(object, spread$data, spread$validation, metric, rounds, threads, patience, eval_every,
                  checkpoint, checkpoint_every, if (isTRUE(verbose)) spread$verbose else verbose, call)
  })
}

# Refuses a trained ranker that cannot get more rounds.
check_can_grow <- function(ranker, call = rlang::caller_env()) {
  spec <- .subset2(ranker, "spec")
  if (is_specification(spec) && !is.null(entry_of(spec)$grow)) {
    return(invisible())
  }
  able <- Filter(function(name) !is.null(built_in_entry(name)$grow), built_in_rankers())
  stop_input("argument", sprintf("`fit()` cannot train %s further.", ranker_words(ranker)),
             sprintf("More rounds can be added to models of %s.", enumerate(paste0(able, "()"), 10L)),
             "Fit a specification, such as `fit(gbrt(), data)`.", call = call)
}

# Trains a model further, to `rounds` rounds in total.
train_further <- function(object, data, validation, metric, rounds, threads, patience, eval_every,
                          checkpoint, checkpoint_every, verbose, call = rlang::caller_env()) {
  spec <- object$spec
  spec[[entry_of(spec)$rounds]] <- rounds
  checkpoint <- open_checkpoint(checkpoint, checkpoint_every, spec, object$seed, call)
  if (!is.null(checkpoint$model) && rounds_used(checkpoint$model) > rounds_used(object)) {
    object <- checkpoint$model
  } else if (!is.null(checkpoint)) {
    checkpoint["model"] <- list(NULL)  # the fit continues from `object`, which has as many rounds
  }
  checkpoint <- written_by_first(checkpoint, data$cluster)
  report_rounds_resumed(checkpoint, spec, isTRUE(verbose))
  train_model(spec, data, validation, metric, object$seed, threads, patience, eval_every,
              checkpoint, verbose, function(spec, task) entry_of(spec)$grow(spec, task, object),
              call = call)
}
