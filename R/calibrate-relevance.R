# The probability of relevance of each document.

# `model`: a model whose predict() has `type = "prob"`, probabilities in row order, or a function that returns them.
relevance_probabilities <- function(model, data, relevant, threads, call) {
  if (inherits(model, "rankmix_probability_model") && lowest_relevant(model$method) != relevant) {
    stop_input("argument", sprintf("The model was calibrated with `relevant = %s`, not %s.",
                                   plain_number(lowest_relevant(model$method)), plain_number(relevant)),
               remedy = "Set `relevant` to the same value in both calls.", call = call)
  }
  p <- if (inherits(model, "rankmix_ranker")) {
    predict(model, data, type = "prob", threads = threads)
  } else {
    scores_of(model, data, threads, call)
  }
  if (is.matrix(p) && ncol(p) > 1L) {
    # Columns are the grades 0, 1, ...
    p <- weighted_columns(p, as.double(seq_len(ncol(p)) - 1 >= relevant))
  }
  check_unit_interval(check_scores(p, data, call = call), call)
}

check_unit_interval <- function(p, call) {
  # Sums of probabilities may exceed 1 by rounding.
  bad <- which(p < 0 | p > 1 + 1e-9)
  if (length(bad) > 0L) {
    stop_input("probability", "Probabilities must be from 0 to 1.",
               sprintf("Row %d has %s.", bad[1L], format(p[bad[1L]])),
               paste("Calibrate the scores: `calibrate(scores, data, calibrator_probability())`, on queries that",
                     "the ranker was not trained on."), call = call)
  }
  pmin(p, 1)
}
