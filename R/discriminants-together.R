# Discriminants of several models at once, as a mixture needs them for each query that it scores.
# One call of the core for all models avoids most of R's overhead.

# The calibrator inputs of several models that have the same features, after these rounds: for each
# model documents x grades, or documents x 1. All linear models are one matrix product, and all
# forests are one call of the core. Models with missing-value indicators have other features, and
# are predicted one by one. If values are missing, all models are predicted one by one, because
# each may fill them differently.
inputs_of_features <- function(models, x, rounds, threads) {
  inputs <- vector("list", length(models))
  if (is.matrix(x) && is.double(x) && !anyNA(x)) {
    parts <- lapply(models, shareable_part)
    forest <- !vapply(lapply(parts, .subset2, "forest"), is.null, NA)
    linear <- !forest & !vapply(parts, is.null, NA)
    if (any(linear)) {
      inputs[linear] <- linear_inputs(models[linear], parts[linear], x, threads)
    }
    if (any(forest)) {
      inputs[forest] <- forest_inputs(models[forest], parts[forest], x, rounds, threads)
    }
  }
  for (i in which(vapply(inputs, is.null, NA))) {
    f <- calibrator_input(models[[i]], x, member_rounds(models[[i]], rounds), threads)
    inputs[[i]] <- discriminant_slice(f, 1L)
  }
  inputs
}

# NULL if the model has missing-value indicators, or numbers the levels of factors.
shareable_part <- function(model) {
  if (length(.subset2(model, "filling")$marked) == 0L && is.null(.subset2(model, "categories"))) {
    core_part(model)
  }
}

forest_inputs <- function(models, parts, x, rounds, threads) {
  now <- vapply(models, member_rounds, 0L, rounds)
  f <- forests_predict(lapply(parts, .subset2, "forest"), lapply(parts, .subset2, "weights"), x,
                       now, threads)
  for (i in seq_along(models)) {
    f[[i]] <- if (inherits(models[[i]], "rankmix_classifier")) {
      spread_groups(models[[i]], f[[i]])
    } else {
      cbind(sum_scores(models[[i]], f[[i]], now[i]))
    }
  }
  f
}

linear_inputs <- function(models, parts, x, threads) {
  weights <- lapply(parts, .subset2, "weights")
  f <- linear_predict(x, do.call(cbind, weights), unlist(lapply(parts, .subset2, "shifts")),
                      threads)
  inputs <- vector("list", length(models))
  last <- 0L
  for (i in seq_along(models)) {
    columns <- last + seq_len(dim(weights[[i]])[2L])
    inputs[[i]] <- spread_groups(models[[i]], f[, columns, drop = FALSE])
    last <- columns[length(columns)]
  }
  inputs
}
