# Training by rounds. It ends when there are enough rounds, when nothing is left to learn, or when
# validation data stop it. Checkpoints are written in between. A grower is a fit in the core, with
# these functions:
#   run(wanted)           adds rounds. Returns a list: `rounds`, the number so far, and `status`:
#                         "limit", or "stalled" or "converged" if training has ended
#   scores(held, rounds)  scores of the validation data (held_out_start()) after this number of
#                         rounds, which grows from call to call
#   model()               the model of all rounds
#   hold(x)               the validation data in the form that scores() needs (optional)

held_by <- function(grower, x) if (is.null(grower$hold)) held_out_start(x) else grower$hold(x)

# Adds rounds until there are `rounds` rounds. `done` rounds already exist.
grow_rounds <- function(grower, rounds, done, checkpoint, watch) {
  if (!is.null(watch) && done > 0L && watch$catch_up(grower, done)) {
    return(watch$stopped(grower$model()))
  }
  repeat {
    wanted <- min(rounds, next_multiple(done, checkpoint$every),
                  next_multiple(done, watch$every)) - done
    grown <- grower$run(wanted)
    done <- grown$rounds
    over <- done >= rounds || grown$status != "limit"
    if (!is.null(checkpoint) && (over || done %% checkpoint$every == 0)) {
      save_checkpoint(checkpoint, grower$model())
    }
    if (!is.null(watch) && (over || done %% watch$every == 0) && watch$measure(grower, done)) {
      return(watch$stopped(grower$model()))
    }
    if (over) {
      return(grower$model())
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
  value_at <- function(rounds) staged_values(model, x, rounds, validation, metric, threads)
  grid <- rounds_grid(rounds_used(model))
  with_best_rounds(model, metric, grid, value_at(grid), value_at)
}

staged_values <- function(model, x, rounds, validation, metric, threads) {
  scores <- predict_stages(model, x, rounds, threads, function(f, rounds) {
    sum_scores(model, f, rounds)
  })
  metric_means(metric, as.matrix(scores), validation, threads, exact = TRUE)
}

# If the first number of rounds is the best, fewer rounds may be better: `value_at` evaluates these,
# too.
with_best_rounds <- function(model, metric, rounds, values, value_at) {
  if (identical(which.max(values), 1L) && rounds[1L] > 1L) {
    fewer <- fewer_rounds(rounds[1L])
    rounds <- c(fewer, rounds)
    values <- c(value_at(fewer), values)
  }
  model$metric <- metric
  model$curve <- data.frame(rounds = rounds, value = values)
  model$best_rounds <- rounds[which.max(values)]
  model
}

# All numbers below a small first number; below a larger one 1, 2, 5, 10, 20, ...
fewer_rounds <- function(first) {
  below <- if (first <= 20L) seq_len(first) else c(1L, 2L, 5L, rounds_grid(first))
  as.integer(below[below < first])
}

# Evaluates the metric at regular numbers of rounds. The core keeps the sums of scores, and adds only
# new rounds to them. A resumed fit adds them in the same order from the first round on, so it sees
# the same numbers.
early_stopping <- function(patience, x, validation, metric, threads, every) {
  held <- NULL
  meter <- metric_meter(choosing_metric(metric), validation, threads, exact = TRUE)
  rounds <- integer()
  values <- numeric()
  measure <- function(grower, done) {
    if (done > max(0L, rounds)) {
      if (is.null(held)) {
        held <<- held_by(grower, x)
      }
      scores <- grower$scores(held, done)
      values <<- c(values, meter(cbind(scores)))
      rounds <<- c(rounds, done)
    }
    length(rounds) > 0L && max(rounds) - rounds[which.max(values)] >= patience
  }
  list(
    every = every, measure = measure,
    catch_up = function(grower, done) {
      for (at in seq_len(done %/% every) * every) {
        if (measure(grower, as.integer(at))) {
          return(TRUE)
        }
      }
      FALSE
    },
    # The checkpoint of an earlier run may have more rounds than this fit; they are removed.
    stopped = function(model) {
      model <- first_rounds(model, max(rounds))
      model$status <- "stopped"
      model
    },
    choose = function(model) {
      if (length(rounds) == 0L) {
        return(choose_rounds(model, x, validation, metric, threads))  # no round was added
      }
      with_best_rounds(model, metric, rounds, values, function(fewer) {
        staged_values(model, x, fewer, validation, metric, threads)
      })
    }
  )
}
