# The models of the objectives, and the values of their mixtures on queries that were not used for training.

# Trains the models and measures their mixtures.
measured_front <- function(plan, parts, weights, seed, verbose) {
  folds <- parts$folds
  bar <- progress_bar("Training", length(plan$objectives) * (1 + length(folds$folds)), verbose)
  on.exit(bar$close())
  done <- 0
  after <- function() {
    done <<- done + 1
    if (!is.null(bar$report)) bar$report(done, NA)
  }
  of_folds <- if (!is.null(folds)) values_of_folds(plan, parts$data, folds, weights, seed, after)
  final <- if (is.null(folds)) parts[c("train", "validation")] else final_parts(parts$data, folds)
  trained <- train_objectives(plan, final$train, final$validation, seed, after)
  measure <- function(data) values_of_mixtures(trained, weights, data, final$train, plan$objectives, plan$threads)
  measured <- if (is.null(folds)) list(values = measure(parts$validation)) else of_folds
  query_weight <- if (is.null(folds)) parts$validation$weight else parts$data$weight
  test_values <- if (!is.null(parts$test)) measure(parts$test)
  structure(list(
    points = front_points(measured$values, weights, query_weight),
    differences = front_differences(measured$values, weights, query_weight, measured$fold, plan$level),
    test = if (!is.null(test_values)) {
      front_differences(test_values, weights, parts$test$weight, NULL, plan$level)
    },
    choice = NULL, model = NULL, models = trained$models, scale = trained$scale,
    objectives = plan$objectives, weights = weights, values = measured$values, query_weight = query_weight,
    fold = measured$fold, level = plan$level, queries = nrow(measured$values[[1L]]), test_values = test_values,
    test_weight = parts$test$weight, test_queries = length(parts$test$query_ids), seed = seed
  ), class = "rankmix_front")
}

# The data with a label as relevance. If the label is graded only in some parts, it counts as not graded in all
# parts, because a metric must have the same gains everywhere.
with_label <- function(parts, label) {
  parts <- lapply(parts, use_label, label)
  graded <- vapply(parts, is_graded, NA)
  if (any(graded) && !all(graded)) {
    parts[graded] <- lapply(parts[graded], function(part) with_relevance(part, as.double(part$relevance)))
  }
  parts
}

# One model for each objective, and the factor of its scores: 1 / their standard deviation on the validation data, as
# in mix(). A constant factor keeps the mixture a weighted sum of scores.
train_objectives <- function(plan, train, validation, seed, after) {
  names <- names(plan$objectives)
  models <- lapply(stats::setNames(names, names), function(name) {
    ranker <- plan$rankers[[name]]
    if (inherits(ranker, "rankmix_spec")) {
      parts <- with_label(list(train, validation), name)
      patience <- if (has_trait(ranker, "rounds") && has_trait(ranker, "validation")) plan$patience
      # The overlap of the data was reported before.
      ranker <- withCallingHandlers(
        fit(ranker, parts[[1L]], parts[[2L]], plan$objectives[[name]], seed = derived_seed(seed, name),
            threads = plan$threads, verbose = FALSE, patience = patience),
        rankmix_warning_overlap = function(w) rlang::cnd_muffle(w)
      )
    }
    after()
    ranker
  })
  scale <- vapply(models, function(model) {
    spread_scale(scores_in_mixture(model, validation, plan$threads), validation)
  }, 0)
  list(models = models, scale = scale)
}

scores_in_mixture <- function(model, data, threads) missing_as_lowest(predict(model, data, threads = threads), model)

# For each objective the values of the mixtures, queries x mixtures. The scores have the same bits as predict() of
# the mixture.
values_of_mixtures <- function(trained, weights, data, like, objectives, threads) {
  columns <- lapply(names(objectives), function(name) {
    scores_in_mixture(trained$models[[name]], data, threads) * trained$scale[[name]]
  })
  scores <- lapply(seq_len(nrow(weights)), function(j) {
    mixed <- numeric(nrow(data))
    for (k in which(weights[j, ] > 0)) mixed <- mixed + weights[j, k] * columns[[k]]
    mixed
  })
  names(scores) <- paste0("p", seq_along(scores))
  Map(function(metric, name) {
    # The gains are computed as for the training data.
    part <- with_label(list(data, like), name)[[1L]]
    matrix(evaluate(scores, part, metric, threads = threads)$value, ncol = nrow(weights))
  }, objectives, names(objectives))
}

# Out-of-fold values of all queries in the order of the data, with the fold of each.
values_of_folds <- function(plan, data, folds, weights, seed, after) {
  parts <- lapply(seq_along(folds$folds), function(f) {
    part <- split_parts(folds, data, f)
    trained <- train_objectives(plan, part$train, part$valid, derived_seed(seed, "fold", f), after)
    list(values = values_of_mixtures(trained, weights, part$test, data, plan$objectives, plan$threads),
         query = match(id_text(part$test$query_ids), id_text(data$query_ids)))
  })
  query <- unlist(lapply(parts, `[[`, "query"))
  values <- lapply(stats::setNames(names(plan$objectives), names(plan$objectives)), function(name) {
    do.call(rbind, lapply(parts, function(part) part$values[[name]]))[order(query), , drop = FALSE]
  })
  fold <- rep(seq_along(parts), vapply(parts, function(part) length(part$query), 0L))
  list(values = values, fold = fold[order(query)])
}

# The parts for the final models: the validation part of the first fold, and all other queries for training.
final_parts <- function(data, folds) {
  chosen <- id_text(data$query_ids) %in% folds$folds[[1L]]$valid
  list(train = data[!chosen], validation = data[chosen])
}

# The mixture of a point as a ranker.
front_model <- function(x, point) {
  weight <- x$weights[point, ]
  first <- names(x$objectives)[1L]
  alone <- vapply(names(x$objectives), function(name) alone_of(x$weights, name), 0L)
  means <- front_means(x$values[first], x$query_weight)[, 1L]
  fixed_mix(x$models, weight, x$scale, x$objectives[[first]], means[alone], means[point])
}
