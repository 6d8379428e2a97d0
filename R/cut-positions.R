# Positions of documents on the scale of a threshold. A document is kept if its position is at least the threshold.
#
# Positions are rounded, because a test of many thresholds is valid only for thresholds that were fixed before the
# data were seen. The numbers with few digits are such a set for any scores. Rounding down to them changes no
# decision at these thresholds. There are few such numbers, so each can be tested.

# `by`: "score", "probability" or "rank". Ranks are negative, so that larger positions are better.
cut_positions <- function(model, data, by, digits, relevant, threads, call) {
  positions_of_values(cut_values(model, data, by, relevant, threads, call), model, data, by, digits, call)
}

# Probabilities or scores before they are rounded.
cut_values <- function(model, data, by, relevant, threads, call) {
  if (by == "probability") {
    return(relevance_probabilities(model, data, relevant, threads, call))
  }
  scores <- scores_of(model, data, threads, call)
  if (is_source(data)) scores else check_scores(scores, data, call = call)
}

positions_of_values <- function(scores, model, data, by, digits, call) {
  if (by == "probability") {
    return(floor_decimals(scores, digits))
  }
  if (by == "rank") {
    return(-last_ranks(scores, if (inherits(data, "ranking_data")) data else queries_of_frame(data, model, call)))
  }
  bad <- which(!is.finite(scores))
  if (length(bad) > 0L) {
    stop_input("scores", "Scores must be finite for a threshold.",
               sprintf("The score of row %d is %s.", bad[1L], format(scores[bad[1L]])),
               "Give documents without a score a low number, or cut by rank.", call = call)
  }
  floor_digits(scores, digits)
}

# The rank of each document in its query. Tied documents all have the last rank of their group, so that
# they are kept together and the order of rows does not matter.
last_ranks <- function(scores, data) {
  by <- rows_by_score(scores, data)
  new <- changes(data$query[by]) | changes(scores[by])
  last <- which(c(new, TRUE))
  ranks <- integer(length(scores))
  ranks[by] <- sequence(tabulate(data$query, length(data$offsets) - 1L))[last][cumsum(c(TRUE, new))]
  ranks
}

# The largest number with `digits` significant digits that is not above x.
floor_digits <- function(x, digits) {
  size <- abs(x)
  # Smaller numbers would have units that underflow.
  small <- size < 1e-280
  size[small] <- 1
  exponent <- floor(log10(size))
  # log10() may round to the next whole number.
  exponent <- exponent - (power_of_ten(1, exponent) > size)
  exponent <- exponent + (power_of_ten(1, exponent + 1) <= size)
  below <- floor_to(x, exponent - digits + 1)
  below[small] <- ifelse(x[small] < 0, -1e-280, 0)
  below
}

floor_decimals <- function(x, digits) floor_to(x, rep(-digits, length(x)))

# The largest multiple of 10^exponent that is not above x. Products may round across a multiple.
floor_to <- function(x, exponent) {
  count <- floor(power_of_ten(x, -exponent))
  count <- count - (power_of_ten(count, exponent) > x)
  count <- count + (power_of_ten(count + 1, exponent) <= x)
  power_of_ten(count, exponent)
}

# x 10^exponent. Positive powers of ten are exact up to 22, so that decimals are the nearest doubles, as if typed.
power_of_ten <- function(x, exponent) ifelse(exponent < 0, x / 10^-exponent, x * 10^exponent)
