# The interface of a classifier, which makes it fit for calibrate() and
# tune_and_mix(). A specification is of class rankmix_classifier_spec and holds `rounds`,
# the most it may use, if it has rounds. A new one brings methods for
#   train_classifiers(spec, data, bins_for, classes, seed, threads, progress)
#                                             a list of classifiers; bins_for(spec) gives
#                                             the bins of the features, made once
#   training_steps(spec)                      how often it reports progress
#   rounds_used(model)                        how many rounds it has
#   discriminants(model, x, rounds, threads)  documents x grades x rounds
#   discriminant_range(model, rounds)         R with |f| <= R, for each of rounds

# What has rounds that are added up, a classifier or gbrt(), also has
#   round_weights(model)                      what the values of its rounds are multiplied by
#   sum_scores(model, f, rounds)              scores from the sums of so many rounds

train_classifiers <- function(spec, data, bins_for, classes, seed, threads, progress) {
  UseMethod("train_classifiers")
}

training_steps <- function(spec) {
  UseMethod("training_steps")
}

rounds_used <- function(model) {
  UseMethod("rounds_used")
}

discriminants <- function(model, x, rounds, threads) {
  UseMethod("discriminants")
}

discriminant_range <- function(model, rounds) {
  UseMethod("discriminant_range")
}

round_weights <- function(model) {
  UseMethod("round_weights")
}

sum_scores <- function(model, f, rounds) {
  UseMethod("sum_scores")
}

#' @export
sum_scores.rankmix_classifier <- function(model, f, rounds) {
  naive_scores(f, discriminant_range(model, rounds))
}

#' Train a classifier of relevance grades
#'
#' @param object A specification, such as [adaboost_mh()]; or a model that [fit()] gave,
#'   to train more rounds on the same data.
#' @param data Training data, made by [ranking_data()] or [read_letor()].
#' @param validation Held-out data of the same kind, or `NULL`. With it, the
#'   number of rounds that [predict()] uses is the one with the best `metric`
#'   among 10, 20, 50, 100, 200, 500, ... and the last; ties go to fewer rounds.
#'   Without it, all rounds are used.
#' @param metric The metric that chooses the rounds, such as `ndcg(10)`.
#' @param seed A whole number; `NULL` draws one with R's generator, so that
#'   [set.seed()] rules. Only shares below 1 and a
#'   [bandit()] use it.
#' @param threads Number of threads; results do not depend on it.
#' @param verbose Show progress and the time left: a bar at a console, elsewhere a line every 30
#'   seconds.
#' @param checkpoint A file, or `NULL`. The model is written there every
#'   `checkpoint_every` rounds. A call with the same arguments whose file is there goes on
#'   from it, after a kill for instance, and gives the same model, bit for bit. The file
#'   stays when the fit is done.
#' @param checkpoint_every Rounds between two checkpoints.
#' @param patience With validation data, the training stops when `metric` has not risen for
#'   so many rounds; it is looked at every 10 rounds, and the best of these is chosen.
#' @param rounds For a model, how many rounds it is to have in all.
#' @param ... Must be empty.
#'
#' @details A model that goes on is the same as one that was trained in one go: its rounds
#'   are gone through again on the data, which must be those that it was trained on. So a
#'   model whose metric has not risen for `patience` rounds gets no more of them.
#'
#' @return A ranker, for [predict()] and [evaluate()]: plain R data that
#'   `saveRDS()` can keep. Its parts include `alpha` and `edge` (one a round),
#'   `status` (`"limit"`, `"stalled"` or `"stopped"`, by `patience`), and with validation data `curve` (a
#'   data frame of `rounds` and `value`) and `best_rounds`.
#'
#' @section Conditions: `rankmix_error_one_grade`: all training documents have
#'   the same grade. `rankmix_error_unjudged`: data without grades.
#'   `rankmix_error_validation`: validation data that cannot choose, because fewer than two
#'   of its queries (of weight above 0) have documents of different grades.
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
#' @export
fit.rankmix_classifier_spec <- function(object, data, validation = NULL,
                                        metric = ndcg(10), seed = NULL,
                                        threads = NULL,
                                        verbose = TRUE, checkpoint = NULL,
                                        checkpoint_every = 100, patience = NULL, ...) {
  check_no_others(...)
  check_all_given()
  check_patience(patience, validation)
  drawn <- check_seed(seed)
  checkpoint <- open_checkpoint(checkpoint, checkpoint_every, object, seed)
  seed <- if (is.null(checkpoint$seed)) drawn else checkpoint$seed
  fit_classifier(object, data, validation, metric, threads, verbose,
                 function(bins, classes, threads, progress, watch) {
                   grow_adaboost(object, data, bins, classes, seed, threads, progress,
                                 checkpoint, watch)
                 }, patience)
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

#' @rdname fit.rankmix_classifier_spec
#' @export
fit.rankmix_adaboost_mh_model <- function(object, data, validation = NULL,
                                          metric = ndcg(10), rounds, threads = NULL,
                                          verbose = TRUE, checkpoint = NULL,
                                          checkpoint_every = 100, patience = NULL, ...) {
  check_no_others(...)
  check_all_given()
  check_patience(patience, validation)
  check_count(rounds, "rounds", min = length(object$alpha), max = 1e6)
  if (is.null(object$digest)) {
    stop_input("argument", "An earlier version trained the model, which cannot go on with it.",
               remedy = "Train it again.")
  }
  spec <- object$spec
  spec$rounds <- rounds
  checkpoint <- open_checkpoint(checkpoint, checkpoint_every, spec, object$seed)
  if (length(checkpoint$model$alpha) > length(object$alpha)) {
    object <- checkpoint$model
  } else if (!is.null(checkpoint)) {
    checkpoint["model"] <- list(NULL)  # it is not where the fit goes on from
  }
  call <- rlang::current_env()
  fit_classifier(spec, data, validation, metric, threads, verbose,
                 function(bins, classes, threads, progress, watch) {
                   grow_adaboost(spec, data, bins, object$classes, object$seed, threads,
                                 progress, checkpoint, watch, from = object, call = call)
                 }, patience)
}

# What all fits of classifiers do around their training, `train(bins, classes, threads,
# progress, watch)`.
fit_classifier <- function(spec, data, validation, metric, threads, verbose, train,
                           patience = NULL, call = rlang::caller_env()) {
  check_ranking_data(data, call = call)
  metric <- read_metric(metric, call)
  threads <- check_threads(threads, call)
  check_flag(verbose, "verbose", call)
  if (!is.null(validation)) {
    check_ranking_data(validation, "validation", call = call)
    x <- check_validation(validation, data, metric, threads, call)
  }
  check_several_grades(data, call)
  bar <- progress_bar("Training", spec$rounds, verbose)
  on.exit(bar$close())
  bins <- bins_of(spec, data$x, threads)
  watch <- if (!is.null(patience)) {
    early_stopping(patience, x, validation, metric, threads)
  }
  model <- train(bins, max(data$relevance) + 1L, threads, bar$report, watch)
  model$best_rounds <- rounds_used(model)
  if (!is.null(watch)) {
    model <- watch$choose(model)
  } else if (!is.null(validation)) {
    model <- choose_rounds(model, x, validation, metric, threads)
  }
  model
}

# The bins of features for what a specification searches: a bandit looks at one feature at
# a time, which is to lie by itself.
bins_of <- function(spec, x, threads) {
  bin_features(x, as.integer(spec$bins), searches_single(spec), threads)
}

searches_single <- function(spec) {
  inherits(spec$search, "rankmix_bandit")
}

# Adds rounds by `run(how many)`, until there are `rounds` of them or `model()` says that it
# has stalled, on top of those done; looks and saves where it is asked to.
grow_rounds <- function(run, model, rounds, done, checkpoint, watch) {
  if (!is.null(watch) && done > 0L && watch$catch_up(model())) {
    return(watch$stopped(model()))
  }
  repeat {
    wanted <- min(rounds, next_multiple(done, checkpoint$every),
                  next_multiple(done, watch$every)) - done
    run(wanted)
    done <- done + wanted
    grown <- model()
    over <- done >= rounds || grown$status == "stalled"
    if (!is.null(checkpoint) && (over || done %% checkpoint$every == 0)) {
      save_checkpoint(checkpoint, grown)
    }
    if (!is.null(watch) && (over || done %% watch$every == 0) && watch$look(grown)) {
      return(watch$stopped(grown))
    }
    if (over) {
      return(grown)
    }
  }
}

next_multiple <- function(done, step) {
  if (is.null(step)) Inf else (done %/% step + 1) * step
}

# 10, 20, 50, 100, ... below `rounds`, and `rounds` itself.
rounds_grid <- function(rounds) {
  grid <- as.vector(outer(c(1, 2, 5), 10^(1:5)))
  as.integer(c(grid[grid < rounds], rounds))
}

choose_rounds <- function(model, x, validation, metric, threads) {
  grid <- rounds_grid(rounds_used(model))
  scores <- predict_stages(model, x, grid, threads, function(f, rounds) {
    sum_scores(model, f, rounds)
  })
  values <- metric_means(metric, as.matrix(scores), validation, threads)
  model$metric <- metric
  model$curve <- data.frame(rounds = grid, value = values)
  model$best_rounds <- grid[which.max(values)]
  model
}

# Looks at the metric every 10 rounds. Discriminants are added up ten rounds by ten, from
# the first on, so that a fit that was taken up again sees the same numbers.
early_stopping <- function(patience, x, validation, metric, threads, every = 10L) {
  f <- 0
  seen <- 0L
  curve <- data.frame(rounds = integer(), value = numeric())
  look <- function(model) {
    rounds <- rounds_used(model)
    if (rounds > seen) {
      f <<- f + later_discriminants(model, x, seen, threads)
      seen <<- rounds
      scores <- sum_scores(model, f, rounds)
      value <- metric_means(metric, cbind(scores), validation, threads)
      curve <<- rbind(curve, data.frame(rounds = rounds, value = value))
    }
    nrow(curve) > 0L && seen - curve$rounds[which.max(curve$value)] >= patience
  }
  catch_up <- function(model) {
    for (rounds in seq_len(rounds_used(model) %/% every) * every) {
      if (look(first_rounds(model, rounds))) {
        return(TRUE)
      }
    }
    FALSE
  }
  list(
    every = every, look = look, catch_up = catch_up,
    # Where an earlier run went further, only what this one would have had.
    stopped = function(model) {
      model <- first_rounds(model, seen)
      model$status <- "stopped"
      model
    },
    choose = function(model) {
      if (nrow(curve) == 0L) {
        return(choose_rounds(model, x, validation, metric, threads))  # no round was added
      }
      model$metric <- metric
      model$curve <- curve
      model$best_rounds <- curve$rounds[which.max(curve$value)]
      model
    }
  )
}

# One stage of a documents x grades x stages array, as a matrix.
discriminant_slice <- function(f, stage) {
  matrix(f[, , stage], dim(f)[1L], dim(f)[2L])
}

# `train` are data, or a list of them.
warn_overlap <- function(train, other, problem = "validation queries are also in the training data.",
                         remedy = paste("What is tuned on them looks better than it is;",
                                        "keep the queries of the two parts apart.")) {
  parts <- if (inherits(train, "ranking_data")) list(train) else train
  seen <- unlist(lapply(parts, function(part) id_text(part$query_ids)))
  shared <- intersect(id_text(other$query_ids), seen)
  if (length(shared) > 0L) {
    warn_input("overlap", sprintf("%d %s", length(shared), problem),
               sprintf("Query %s.", enumerate(shared)), remedy)
  }
}

# Ids as text that is the same for equal numbers, whole or not.
id_text <- function(ids) {
  if (is.character(ids)) {
    return(ids)
  }
  format(ids, digits = 15, scientific = FALSE, trim = TRUE, drop0trailing = TRUE)
}

# Validation data must fit the training data: said before anything is trained.
# Gives their features in the order of the training data.
check_validation <- function(validation, train, metric, threads,
                             call = rlang::caller_env()) {
  x <- match_features(validation, train, threads, call)
  check_held_out_metric(validation, metric, threads, call)
  warn_overlap(train, validation)
  x
}

# A metric can choose only by queries whose documents differ in their grades: any ranking of
# the others is as good. Those of weight 0 do not count. One query is no choice either.
check_can_choose <- function(data, name, call = rlang::caller_env()) {
  counting <- if (is.null(data$weight)) seq_along(data$query_ids) else which(data$weight > 0)
  differing <- intersect(counting, differing_queries(data))
  if (length(counting) > 1L && length(differing) > 1L) {
    return(invisible(data))
  }
  judged <- data$relevance > 0L & data$query %in% counting
  problem <- if (!any(judged)) {
    "no query with a relevant document"
  } else if (length(counting) == 1L) {
    "only one query"
  } else if (length(differing) == 0L) {
    "no query with documents of different grades"
  } else {
    "only one query with documents of different grades"
  }
  stop_input(
    "validation", sprintf("Nothing can be chosen by `%s`: it has %s.", name, problem),
    sprintf("It has %s quer%s%s.", format_count(length(data$query_ids)),
            if (length(data$query_ids) == 1L) "y" else "ies",
            if (is.null(data$weight)) {
              ""
            } else {
              sprintf(", %s with a weight above 0", format_count(length(counting)))
            }),
    "Hold out more queries, with relevant documents and others in them.", call = call
  )
}

# The positions of the queries that have documents of different grades.
differing_queries <- function(data) {
  first <- match(seq_along(data$query_ids), data$query)
  unique(data$query[data$relevance != data$relevance[first][data$query]])
}

check_held_out_metric <- function(data, metric, threads, call = rlang::caller_env(),
                                  name = "validation") {
  check_can_choose(data, name, call)
  none <- numeric(nrow(data))
  if (is.na(metric_means(metric, cbind(none), data, threads))) {
    stop_input(
      "metric",
      sprintf("No validation query counts for %s.", format(metric)),
      remedy = paste("Give queries with relevant documents that are long enough",
                     "for the cut-off, or a number as `empty`."),
      call = call
    )
  }
}
