# Paths: one training that returns several models, such as one model for each cost of an SVM. The path
# object is the model that validation data chose, or the average, and stores all models in `path`.

# `steps` are the models, in the order of the settings, and `names` are the texts of the settings.
# A single model is returned unchanged.
new_path <- function(steps, spec, names) {
  if (length(steps) == 1L) {
    return(steps[[1L]])
  }
  names(steps) <- names
  first <- steps[[1L]]
  unchosen <- unclass(first)[c("classes", "groups", names(schema_of(first)), "best_rounds")]
  structure(c(list(spec = spec, path = steps, chosen = NA_integer_),
              unchosen[!vapply(unchosen, is.null, NA)]),
            class = c("rankmix_path", class(first)))
}

# The models of a path, or a single model, as a list. Mixtures make members of all of them.
model_steps <- function(model) {
  if (is.null(model$path)) list(model) else unname(model$path)
}

# Computes the validation metric of each model of the path, and chooses the best one.
choose_step <- function(model, x, validation, metric, threads) {
  # Fills missing values once for all models.
  if (needs_filling(model$filling, x)) x <- fill_features(model$filling, x, threads)
  scores <- if (averages_path(model)) {
    linear_predict(x, path_candidates(model), rep(0, length(model$path) + 1), threads)
  } else {
    step_scores(model_steps(model), x, threads)
  }
  choose_by_scores(model, metric, scores, validation, threads)
}

# `scores` is documents x models; if the path is averaged, the start is the last column.
choose_by_scores <- function(model, metric, scores, data, threads) {
  if (averages_path(model)) {
    return(average_path(model, metric, scores, data, threads))
  }
  choose_step_by(model, metric, metric_means(metric, scores, data, threads))
}

# The scores of all steps, documents x steps.
step_scores <- function(steps, x, threads) {
  vapply(steps, function(step) {
    sum_scores(step, discriminant_slice(discriminants(step, x, 1L, threads), 1L), 1L)
  }, numeric(nrow(x)))
}

# `values` has the metric of each model. If several values are equal, the first model is chosen.
choose_step_by <- function(model, metric, values) {
  if (is.null(model$path)) {
    return(with_values(list(path = list(model)), metric, values)$path[[1L]])
  }
  best <- which.max(values)
  if (length(best) == 0L) {
    return(model)
  }
  model <- with_values(model, metric, values)
  structure(c(unclass(model$path[[best]]), list(path = model$path, chosen = best)),
            class = class(model))
}

# Stores the validation metric in each model of the path.
with_values <- function(model, metric, values) {
  model$path <- Map(function(step, value) {
    step$metric <- metric
    step$value <- value
    step
  }, model$path, values)
  model
}

# TRUE if no model of the path was chosen, and the path was not averaged.
is_open <- function(model) {
  !is.null(model$path) && is.na(model$chosen) && is.null(model$fractions)
}

# An error if a function needs a single model and no model of the path was chosen.
check_chosen <- function(model, call = rlang::caller_env()) {
  if (is_open(model)) {
    stop_input("path", sprintf("None of the %d models of `%s` was chosen.",
                               length(model$path), format(model$spec)),
               remedy = paste("Give `validation` to `fit()`, or take one, such as",
                              "`model$path[[1]]`."), call = call)
  }
}

#' @export
glance.rankmix_path <- function(x, ...) {
  table <- do.call(rbind, lapply(unname(x$path), glance))
  if (is.null(x$fractions)) {
    table$chosen <- seq_len(nrow(table)) %in% x$chosen
  } else {
    table$fraction <- unname(x$fractions)[seq_len(nrow(table))]
  }
  table
}

#' @export
print.rankmix_path <- function(x, ...) {
  what <- if (inherits(x, "rankmix_classifier")) "classifiers" else "rankers"
  say(sprintf("<%d %s> %s", length(x$path), what,
              if (is_open(x)) "none is chosen, see `$path`" else if (is.null(x$fractions)) {
                paste("chosen:", format(x$spec))
              } else {
                sprintf("averaged with the start, which has weight %.2f: %s", x$fractions[["start"]],
                        format(x$spec))
              }))
  say_filling(x)
  table <- glance(x)
  shown <- c("cost", "penalty", "min_data_in_split", if (is.null(table$penalty)) "base", "leaves",
             "status", "objective", "gap", "steps", "freedom", "metric", "value", "fraction")
  with_points(print(table[intersect(shown, names(table))], row.names = FALSE))
  invisible(x)
}

#' @export
summary.rankmix_path <- function(object, ...) glance(object)
