# What a model has beside the row of its specification (spec.R):
#   discriminants(model, x, rounds, threads)  documents x grades x rounds; of a ranker that is
#                                             no classifier, documents x 1 x rounds
#   rounds_used(model)                        how many rounds it has, 1 if nothing else is said
#   sum_scores(model, f, rounds)              scores from discriminants after so many rounds
# A classifier has also
#   discriminant_range(model, rounds)         R with |f| <= R, for each of rounds
# and what has rounds that are added up
#   round_weights(model)                      what the values of its rounds are multiplied by

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

# One score, and no rounds.
#' @export
rounds_used.rankmix_ranker <- function(model) 1L

#' @export
sum_scores.rankmix_ranker <- function(model, f, rounds) f[, 1L]

#' @export
sum_scores.rankmix_classifier <- function(model, f, rounds) {
  naive_scores(f, discriminant_range(model, rounds))
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
