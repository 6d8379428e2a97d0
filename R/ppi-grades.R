# Grades of a machine: probabilities of human grades, and values of metrics under them.

# P(grade >= k) for k = 1, 2, ..., documents x highest grade, from one machine value per document. `calibrator`
# is fitted on human grades for each k. All queries are divided into folds. The calibrator of a fold is
# fitted on the queries of other folds. So queries with and without human grades have values of the same
# distribution.
calibrated_grades <- function(data, human, machine, calibrator, folds, seed, threads) {
  judged <- queries_judged(data, human)
  fold <- with_seed(seed, {
    fold <- integer(length(judged))
    for (own in list(which(judged), which(!judged))) {
      fold[own] <- shuffled(rep_len(seq_len(min(folds, sum(judged))), length(own)))
    }
    fold
  })
  at_least <- matrix(0, nrow(data), max(human, 1L, na.rm = TRUE))
  for (part in unique(fold)) {
    rows <- fold[data$query] == part
    known <- judged_part(judged_documents(data), judged & fold != part)
    grades <- human[judged[data$query] & !rows]
    for (k in seq_len(ncol(at_least))) {
      fitted <- fit_probability(known, grades >= k, machine[judged[data$query] & !rows], calibrator, threads)
      at_least[rows, k] <- calibrated_scores(fitted, cbind(machine[rows]), threads)
    }
  }
  # Calibrators of neighbouring grades may cross.
  for (k in seq_len(ncol(at_least))) {
    at_least[, k] <- pmin(pmax(at_least[, k], 0), if (k > 1L) at_least[, k - 1L] else 1)
  }
  at_least
}

shuffled <- function(x) x[sample.int(length(x))]

# A calibrator of the probability that `reached` is TRUE. The gain of the grade 1 is 1.
fit_probability <- function(known, reached, machine, calibrator, threads) {
  known$relevance <- as.integer(reached)
  fit_calibrator(calibrator, cbind(machine), held_out(known, threads), NULL, threads)
}

# P(grade >= k) from the probabilities of the grades 0, 1, ....
reached_probabilities <- function(probabilities) {
  at_least <- probabilities[, -1L, drop = FALSE]
  for (k in rev(seq_len(ncol(at_least) - 1L))) at_least[, k] <- at_least[, k] + at_least[, k + 1L]
  at_least
}

# The mean of the metrics over drawn grades, queries x (rankers of each metric in turn). Each draw has one
# uniform number per document, so grades do not depend on the order of rankers.
drawn_values <- function(metrics, scores, data, at_least, draws, seed, threads) {
  judged <- judged_documents(data)
  with_seed(seed, {
    sum <- 0
    for (i in seq_len(draws)) {
      sum <- sum + grade_values(metrics, scores, judged, drawn_grades(at_least), threads)
    }
    sum / draws
  })
}

# Grades with these probabilities of being reached.
drawn_grades <- function(at_least) rowSums(at_least > stats::runif(nrow(at_least)))

# The values of the metrics if the documents have these grades.
grade_values <- function(metrics, scores, judged, grades, threads) {
  judged$relevance <- as.integer(grades)
  metric_matrix(metrics, scores, judged, threads)
}

# Which queries have human grades.
queries_judged <- function(data, human) {
  tabulate(data$query[!is.na(human)], length(data$query_ids)) > 0L
}
