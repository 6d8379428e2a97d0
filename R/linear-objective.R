# Linear models with iteratively minimised objectives: ranksvm(), and linear_ranker() except with
# squared error.

# The default of the largest relative gap. For smooth objectives the last Newton step gains many digits. For
# the hinge each digit takes more steps. With many features a step takes up to a thousand passes over the
# data.
default_tolerance <- function(objective, features) {
  if (features > wide_features) 1e-4 else if (identical(objective$loss, "hinge")) 1e-5 else 1e-6
}

# Up to this number of features, linear models can decompose matrices of features x features.
wide_features <- 2048L

train_penalised <- function(spec, task) {
  penalties <- penalties_of(spec)
  train_objective(spec, task, spec$objective, "penalty", penalties,
                  function(weight) 1 / (2 * penalties * weight))
}

# A model for each of the `values` of the setting. `costs(weight)` returns the costs of the core for the
# total weight of the terms of the objective.
train_objective <- function(spec, task, objective, setting, values, costs,
                            tolerance = default_tolerance(objective, ncol(task$data$x))) {
  data <- task$data
  settled <- settled_objective(objective, data)
  targets <- task$targets
  if (is.null(targets)) targets <- objective_targets(objective, data$relevance, "gain", task$call)
  # `weights` of documents come from the queries, or from the task. If only a part of the training data is used,
  # the other queries get weight 0.
  own <- own_weights(task)
  weights <- if (own$of_data) data$weight[data$query] else task$weights
  if (is.null(weights)) weights <- rep(1, nrow(data$x))
  runs <- if (chooses_by_parts(values, task)) 1L + choosing_parts else 1L
  run <- 0L
  solve <- function(weights) {
    documents <- objective_documents(
      data, targets, weights = if (own$of_data) own$weights else weights,
      query_weights = if (own$of_data) weights[match(seq_along(data$query_ids), data$query)]
    )
    weight <- objective_weight(settled, documents, task$threads)
    at <- if (weight > 0) costs(weight) else 0 * values
    report_progress <- if (!is.null(task$progress)) {
      function(done, total) task$progress((run * total + done) / runs, total)
    }
    solved <- linear_objective_path(data$x, settled, documents,
                                    as.double(if (own$of_data && length(own$weights) > 0L) {
                                      weights * own$weights
                                    } else weights), at,
                                    tolerance, task$threads, report_progress)
    run <<- run + 1L
    c(solved, list(weight = weight, costs = at))
  }
  solved <- solve(as.double(weights))
  steps <- lapply(seq_along(values), function(i) {
    new_objective_model(spec, setting, values[i], objective, solved, i, task)
  })
  warn_limit(steps, setting)
  path <- new_path(steps, spec, vapply(values, number_text, "", digits = 4))
  if (runs > 1L) choose_by_parts(path, task, as.double(weights), solve) else path
}

new_objective_model <- function(spec, setting, value, objective, solved, i, task) {
  spec[[setting]] <- value
  # linear_ranker() uses the mean loss and its penalty, ranksvm() the objective itself.
  unit <- if (setting == "penalty" && solved$costs[i] > 0) 2 * value else 1
  structure(
    c(list(spec = spec), schema_of(task$data),
      list(weights = solved$weights[, i], scale = solved$scale,
           objective = unit * solved$value[i],
           gap = if (solved$value[i] > 0) solved$gap[i] / solved$value[i] else 0,
           status = solved$status[i], steps = solved$steps[i], products = solved$products[i],
           pairs = if (objective$name == "pairwise") count_pairs(task$data),
           documents = nrow(task$data$x), grades = task$classes, best_rounds = 1L)),
    class = c(if (setting == "cost") "rankmix_ranksvm_model", "rankmix_objective_model",
              "rankmix_linear_model", "rankmix_ranker")
  )
}

# Number of pairs of documents of different grades within a query.
count_pairs <- function(data) {
  if (!is_graded(data)) {
    sizes <- function(key) sum(as.numeric(tabulate(match(key, unique(key))))^2)
    return((sizes(data$query) - sizes(core_grades(data))) / 2)
  }
  grades <- max(data$relevance) + 1
  queries <- length(data$query_ids)
  counts <- matrix(tabulate((data$query - 1) * grades + data$relevance + 1, queries * grades),
                   grades)
  all <- as.numeric(colSums(counts))
  sum(all^2 - colSums(counts^2)) / 2
}

#' @export
glance.rankmix_objective_model <- function(x, ...) {
  setting <- entry_of(x$spec)$path
  row <- data.frame(x$spec[[setting]], status = x$status, objective = x$objective, gap = x$gap,
                    steps = x$steps, products = x$products, features = length(x$features),
                    documents = x$documents)
  names(row)[1L] <- setting
  if (!is.null(x$pairs)) row$pairs <- x$pairs
  if (!is.null(x$metric)) {
    row$metric <- format(x$metric)
    row$value <- x$value
  }
  row
}

#' @export
print.rankmix_objective_model <- function(x, ...) {
  say("<ranker> ", format(x$spec))
  say(sprintf("%d features, %s documents%s; objective %s, relative gap %.1e (%s, %d steps)",
              length(x$features), format_count(x$documents),
              if (is.null(x$pairs)) "" else sprintf(", %s pairs", format_count(x$pairs)),
              number_text(x$objective, digits = 6), x$gap, x$status, x$steps))
  say_filling(x)
  invisible(x)
}
