# Several models asked together, as a mixture asks its members whenever it scores a query: what
# R does for each would take longer than the core does.

# What calibrators see of each of some models with the same features after these rounds, documents
# x grades or x 1. Linear models are one product and forests one call, but for those that mark
# missing values, which have features of their own; where values are missing, each may fill them
# in its own way.
inputs_of_features <- function(models, x, rounds, threads) {
  inputs <- vector("list", length(models))
  if (is.matrix(x) && is.double(x) && !anyNA(x)) {
    parts <- lapply(models, part_to_share)
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

# None where features are marked as missing.
part_to_share <- function(model) {
  if (length(.subset2(model, "filling")$marked) == 0L) core_part(model)
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
