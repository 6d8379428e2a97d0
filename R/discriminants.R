# What a model has beside the row of its specification (spec.R):
#   discriminants(model, x, rounds, threads)  documents x grades x rounds; of a ranker that is
#                                             no classifier, documents x 1 x rounds. Methods get
#                                             `x` with missing values filled as in training
#   rounds_used(model)                        how many rounds it has, 1 if nothing else is said
#   sum_scores(model, f, rounds)              scores from discriminants after so many rounds
# A classifier has also
#   discriminant_range(model, rounds)         R with |f| <= R, for each of rounds
# and what has rounds that are added up
#   round_weights(model)                      what the values of its rounds are multiplied by
# and what the core does for several models at once
#   core_part(model)                          of what is linear in its features a list of
#                                             `weights`, features x columns, and `shifts`, what is
#                                             added to each column; of a sum of trees a list of the
#                                             `forest` and the `weights` of its rounds
# The latter is asked of all members of a mixture for each query: its methods read fields by
# .subset2(), which looks for no methods of `$`.

rounds_used <- function(model) {
  UseMethod("rounds_used")
}

# Numbers of rounds, but no more than there are. pmin() takes four times as long for one of them.
up_to_rounds <- function(rounds, most) {
  rounds <- as.integer(rounds)
  rounds[rounds > most] <- as.integer(most)
  rounds
}

discriminants <- function(model, x, rounds, threads) {
  if (needs_filling(model$filling, x)) {
    return(discriminants(model, fill_features(model$filling, x, threads), rounds, threads))
  }
  UseMethod("discriminants")
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

# One score, and no rounds.
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
  spread_groups(model, forest_predict(part$forest, part$weights, x, stages, threads))
}
