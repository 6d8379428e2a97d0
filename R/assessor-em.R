# EM for the model of dawid_skene(). A vote is one judgement: the indices of its document (`unit`) and of its
# assessor, and its grade from 0.

# Judgements in long form: the `unit`, `assessor` and `grade` of each judgement, a data frame of the `units`,
# and the names of the `assessors`.
assessor_votes <- function(x, call = rlang::caller_env()) {
  if (!is.matrix(x) && !is.data.frame(x)) {
    stop_input("argument", sprintf("`x` must be a matrix or a data frame, not %s.", show_value(x)),
               remedy = "Give units x assessors, or columns query, document, assessor and relevance.", call = call)
  }
  votes <- if (is.matrix(x)) matrix_votes(x) else frame_votes(x, call)
  if (length(votes$grade) == 0L) {
    stop_input("argument", "There is no judgement.", remedy = "Give grades that are not NA.", call = call)
  }
  votes$grade <- check_grades(votes$grade, call)
  votes
}

matrix_votes <- function(x) {
  known <- which(!is.na(x), arr.ind = TRUE)
  units <- if (is.null(rownames(x))) seq_len(nrow(x)) else rownames(x)
  assessors <- if (is.null(colnames(x))) paste0("assessor", seq_len(ncol(x))) else colnames(x)
  list(unit = unname(known[, 1L]), assessor = unname(known[, 2L]), grade = x[!is.na(x)],
       units = data.frame(unit = units), assessors = assessors)
}

# There may be many assessors, each of few documents, so there is no matrix of units x assessors.
frame_votes <- function(x, call) {
  long <- assessor_rows(x, call)
  known <- !is.na(long$relevance)
  list(unit = long$at[known, 1L], assessor = long$at[known, 2L],
       grade = if (is.null(long$levels)) long$relevance[known] else factor(long$relevance[known], long$levels),
       units = list2DF(c(if (!is.null(long$query)) list(query = long$query), list(document = long$document))),
       assessors = long$assessors)
}

em_assessors <- function(votes, confusion, prior, iterations, tolerance) {
  k <- votes$grades
  # `entry` numbers the pairs of an assessor and a given grade.
  entry <- (votes$assessor - 1L) * k + votes$grade + 1L
  alpha <- if (confusion == "full") pseudo_counts(k, prior) else matrix(0, k, k)
  probability <- vote_fractions(votes)
  shape <- matrix(c(0, 0.5), 2L, length(votes$assessors))
  before <- -Inf
  for (i in seq_len(iterations)) {
    prevalence <- colMeans(probability)
    counts <- vote_counts(probability, votes, entry)
    if (confusion == "full") {
      pi <- full_confusion(counts, alpha)
    } else {
      shape <- ordinal_shapes(counts, shape)
      pi <- ordinal_confusion(shape, k)
    }
    found <- grade_posterior(votes, entry, pi, prevalence)
    probability <- found$probability
    loglik <- found$loglik + if (any(alpha > 0)) sum(c(alpha) * log(matrix(pi, k * k))) else 0
    converged <- loglik - before <= tolerance * length(entry)
    if (converged) break
    before <- loglik
  }
  list(probability = probability, pi = pi, prevalence = prevalence, loglik = found$loglik, objective = loglik,
       iterations = i, converged = converged)
}

pseudo_counts <- function(k, prior) {
  near <- exp(-abs(outer(seq_len(k), seq_len(k), "-")))
  prior * near / rowSums(near)
}

# Every grade has a small probability, so that no grade is excluded from the start.
vote_fractions <- function(votes) {
  counts <- matrix(0.01, nrow(votes$units), votes$grades)
  given <- rowsum(diag(votes$grades)[votes$grade + 1L, , drop = FALSE], votes$unit)
  counts[as.integer(rownames(given)), ] <- counts[as.integer(rownames(given)), ] + given
  counts / rowSums(counts)
}

# The expected number of judgements: true grade x given grade x assessor.
vote_counts <- function(probability, votes, entry) {
  k <- votes$grades
  sums <- matrix(0, k * length(votes$assessors), k)
  found <- rowsum(probability[votes$unit, , drop = FALSE], entry)
  sums[as.integer(rownames(found)), ] <- found
  aperm(array(sums, c(k, length(votes$assessors), k)), c(3L, 1L, 2L))
}

# Rows without judgements and without a prior have equal probabilities.
full_confusion <- function(counts, alpha) {
  counts <- counts + c(alpha)
  totals <- colSums(aperm(counts, c(2L, 1L, 3L)))
  pi <- counts / c(totals[, rep(seq_len(dim(counts)[3L]), each = dim(counts)[2L])])
  pi[is.nan(pi)] <- 1 / dim(counts)[1L]
  pi
}

# An assessor sees the true grade plus shift, with a normal error.
ordinal_confusion <- function(shape, k) {
  ends <- c(-Inf, seq_len(k - 1L) - 0.5, Inf)
  array(vapply(seq_len(ncol(shape)), function(a) {
    below <- stats::pnorm(outer(seq_len(k) - 1L, ends, function(true, end) (end - true - shape[1L, a]) / shape[2L, a]))
    # No grade is impossible, so that no logarithm is infinite.
    pmax(below[, -1L, drop = FALSE] - below[, -(k + 1L), drop = FALSE], 1e-12)
  }, matrix(0, k, k)), c(k, k, ncol(shape)))
}

ordinal_shapes <- function(counts, shape) {
  k <- dim(counts)[1L]
  vapply(seq_len(ncol(shape)), function(a) {
    loss <- function(x) -sum(counts[, , a] * log(ordinal_confusion(cbind(c(x[1L], exp(x[2L]))), k)[, , 1L]))
    start <- c(shape[1L, a], log(shape[2L, a]))
    found <- stats::optim(start, loss, method = "L-BFGS-B", lower = c(-k, log(0.05)), upper = c(k, log(10 * k)))
    # If the optimiser did not find a higher likelihood, the start is kept.
    best <- if (found$value <= loss(start)) found$par else start
    c(best[1L], exp(best[2L]))
  }, numeric(2))
}

# The probabilities of the true grades given all votes, and the log-likelihood.
grade_posterior <- function(votes, entry, pi, prevalence) {
  # Rows are pairs of assessor and given grade, columns are true grades.
  by_entry <- log(matrix(aperm(pi, c(2L, 3L, 1L)), ncol = votes$grades))
  log_joint <- matrix(log(prevalence), nrow(votes$units), votes$grades, byrow = TRUE)
  sums <- rowsum(by_entry[entry, , drop = FALSE], votes$unit)
  judged <- as.integer(rownames(sums))
  log_joint[judged, ] <- log_joint[judged, ] + sums
  highest <- do.call(pmax, as.data.frame(log_joint))
  weight <- exp(log_joint - highest)
  list(probability = weight / rowSums(weight), loglik = sum(highest + log(rowSums(weight))))
}
