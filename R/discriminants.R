# The methods of a model, in addition to the registry entry of its specification (spec.R):
#   discriminants(model, x, rounds, threads)  documents x grades x rounds for a classifier, else
#                                             documents x 1 x rounds. Missing values of `x` are already
#                                             filled as in training
#   rounds_used(model)                        number of rounds; the default method returns 1
#   sum_scores(model, f, rounds)              scores from discriminants after these rounds
# A classifier has also
#   discriminant_range(model, rounds)         for each number of rounds a bound R, |f| <= R
# A model that is a sum over rounds has also
#   round_weights(model)                      the factor of each round
# A model that the core can predict together with others has also
#   core_part(model)                          linear: a list of `weights`, features x columns,
#                                             and `shifts`, the constant of each column;
#                                             trees: a list of the `forest` and the `weights`
#                                             of its rounds
# A mixture calls core_part() of all members for each query. Its methods read fields by
# .subset2(), which is faster because it does not dispatch.

rounds_used <- function(model) {
  UseMethod("rounds_used")
}

# Numbers of rounds, limited to `most`. For one number pmin() takes four times as long.
up_to_rounds <- function(rounds, most) {
  rounds <- as.integer(rounds)
  rounds[rounds > most] <- as.integer(most)
  rounds
}

discriminants <- function(model, x, rounds, threads) {
  if (needs_filling(model$filling, x)) {
    return(filled_discriminants(model, x, rounds, threads))
  }
  UseMethod("discriminants")
}

# Missing values are filled in blocks of documents, all in the same memory, so that the features are not
# copied as a whole. The last blocks may overlap.
filled_discriminants <- function(model, x, rounds, threads) {
  filling <- model$filling
  documents <- dim(x)[1L]
  size <- max(1024, max_block_bytes %/% (8 * dim(x)[2L]))
  if (documents <= size || is_sparse(x) || !scores_by_document(model)) {
    return(discriminants(model, fill_features(filling, x, threads), rounds, threads))
  }
  filled <- fill_features(filling, x, threads, rows = size)
  f <- discriminants(model, filled, rounds, threads)
  out <- array(0, c(documents, dim(f)[-1L]))
  out[seq_len(size), , ] <- f
  for (before in pmin(seq(size, documents - 1, by = size), documents - size)) {
    refill_missing(filled, x, before, filling$numbers, filling$marked - 1L, threads)
    out[before + seq_len(size), , ] <- discriminants(model, filled, rounds, threads)
  }
  out
}

discriminant_range <- function(model, rounds) {
  UseMethod("discriminant_range")
}

round_weights <- function(model) {
  UseMethod("round_weights")
}

core_part <- function(model) {
  UseMethod("core_part")
}

sum_scores <- function(model, f, rounds) {
  UseMethod("sum_scores")
}

# The default: a ranker without rounds.
#' @export
rounds_used.rankmix_ranker <- function(model) 1L

#' @export
core_part.default <- function(model) NULL

#' @export
sum_scores.rankmix_ranker <- function(model, f, rounds) f[, 1L]

#' @export
sum_scores.rankmix_classifier <- function(model, f, rounds) {
  naive_scores(f, discriminant_range(model, rounds))
}

# One stage of a documents x grades x stages array, as a matrix.
discriminant_slice <- function(f, stage) {
  matrix(f[, , stage], dim(f)[1L], dim(f)[2L])
}

linear_discriminants <- function(model, x, rounds, threads) {
  check_chosen(model, NULL)
  check_data_traits(model$spec, x, call = NULL)
  part <- core_part(model)
  f <- linear_predict(x, part$weights, part$shifts, threads)
  spread_groups(model, array(f, c(dim(f), length(rounds))))
}

forest_discriminants <- function(model, x, rounds, threads) {
  part <- core_part(model)
  stages <- up_to_rounds(rounds, rounds_used(model))
  if (has_bins(x)) check_forest_bins(part$forest, x)
  spread_groups(model, forest_predict(part$forest, part$weights, x, stages, threads))
}

# Bins can be predicted if thresholds are bounds of bins.
check_forest_bins <- function(forest, x, call = NULL) {
  thresholds <- bins_thresholds(x$bins)
  of_value <- if (is.null(forest$set_begin)) TRUE else diff(forest$set_begin) == 0L
  splits <- split(forest$threshold[of_value], forest$feature[of_value] + 1L)
  for (feature in names(splits)) {
    finite <- splits[[feature]][is.finite(splits[[feature]])]
    if (!all(finite %in% thresholds[[as.integer(feature)]])) {
      stop_input("bins", sprintf("The model splits `%s` within a bin of the data.", x$names[as.integer(feature)]),
                 "It was trained on data with other bins.",
                 "Bin the data as the training data: `binned_data(like = train)`. Or give `data_source()`.",
                 call = call)
    }
  }
}
