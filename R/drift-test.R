# The permutation test of drift(), and the comparison of its metric.

# A row for each feature, and the rows of the bins. `values(name)` returns the values of both data sets.
tested_drift <- function(names, values, thresholds, queries, settings) {
  of_document <- (queries$weight / queries$sizes)[queries$query]
  parts <- lapply(stats::setNames(nm = names), function(name) {
    own <- values(name)
    cuts <- feature_cuts(own, of_document, thresholds[[name]], settings$max_bin)
    fractions <- bin_fractions(own, cuts, queries)
    list(fractions = fractions, bins = bin_rows(name, cuts, fractions, queries),
         row = value_rows(own, fractions, queries))
  })
  tested <- permuted_distances(lapply(parts, `[[`, "fractions"), queries, settings)
  bins <- do.call(rbind, c(lapply(unname(parts), `[[`, "bins"), make.row.names = FALSE))
  table <- data.frame(feature = names, bins = tabulate(match(bins$feature, names), length(names)),
                      cuts = ifelse(names %in% names(thresholds), "model", "quantiles"), tested,
                      p_adjusted = stats::p.adjust(tested$p, "holm"))
  table <- cbind(table, do.call(rbind, lapply(unname(parts), `[[`, "row")))
  table <- table[order(-table$distance, table$p, match(table$feature, names)), ]
  rownames(table) <- NULL
  list(table = table, bins = bins)
}

# Distances that differ only by rounding count as equal.
distance_tolerance <- 1e-12

# Permutations that are computed together.
permutation_chunk <- 250L

# The distance of each feature, the mean of its permuted distances, and its p-value. The permutations of
# queries are the same for all features.
permuted_distances <- function(fractions, queries, settings) {
  wide <- do.call(cbind, unname(fractions)) * queries$weight
  owner <- rep(seq_along(fractions), vapply(fractions, ncol, 1L))
  observed <- set_distances(cbind(as.double(queries$new)), wide, owner, queries$weight)[, 1L]
  n <- length(queries$new)
  count <- sum(queries$new)
  sums <- with_seed(settings$seed, {
    left <- settings$permutations
    sums <- matrix(0, length(fractions), 2L)
    while (left > 0) {
      labels <- vapply(seq_len(min(permutation_chunk, left)), function(i) {
        replace(numeric(n), queries$by_id[sample.int(n, count)], 1)
      }, numeric(n))
      found <- set_distances(labels, wide, owner, queries$weight)
      sums <- sums + cbind(rowSums(found), rowSums(found >= observed - distance_tolerance))
      left <- left - permutation_chunk
    }
    sums
  })
  # Tiny distances become 0. Otherwise rounding noise would determine the p-value of equal data.
  observed[observed < distance_tolerance] <- 0
  data.frame(distance = unname(observed), expected = sums[, 1L] / settings$permutations,
             p = (1 + sums[, 2L]) / (1 + settings$permutations))
}

# The distance of each feature for each column of labels, which are 1 for new queries; features x columns.
# `wide` has the fractions of all features times the weight of their query.
set_distances <- function(labels, wide, owner, weight) {
  sums <- crossprod(wide, labels)
  own <- crossprod(weight, labels)[1L, ]
  difference <- t(t(sums) / own - t(colSums(wide) - sums) / (sum(weight) - own))
  rowsum(abs(difference), owner, reorder = TRUE) / 2
}

# The metric on both data sets, which are independent samples of queries. `scores` has the scores on the
# reference data first.
metric_drift <- function(scores, parts, metric, settings, threads) {
  first <- seq_len(nrow(parts$reference))
  of_part <- list(reference = scores[first], new = scores[-first])
  moments <- warning_once_of_ties(Map(function(own, data) {
    values <- evaluate(own, data, metric, threads = threads)
    value_moments(values$value, values$weight, summed = TRUE)
  }, of_part, parts))
  for (name in names(parts)) {
    if (is.na(moments[[name]]$mean)) {
      stop_input("values", sprintf("No query of %s counts for the metric.", c(
        reference = "`reference`", new = "`new_data`")[[name]]), remedy = "Give queries with relevant documents.",
        call = rlang::caller_env())
    }
  }
  row <- welch_row(moments$reference, moments$new, settings$level)
  row$verdict <- drift_verdict(row, settings$margin)
  cbind(metric = names(metric), row)
}

# Welch's interval and test of the difference of two independent means.
welch_row <- function(first, second, level) {
  squares <- c(first$se, second$se)^2
  se <- sqrt(sum(squares))
  difference <- second$mean - first$mean
  known <- !is.na(se) && se > 10 * .Machine$double.eps * max(abs(first$mean), abs(second$mean))
  df <- if (known) sum(squares)^2 / sum(squares^2 / pmax(c(first$n_effective, second$n_effective) - 1, 0)) else NA
  half <- if (known && isTRUE(df >= 1)) stats::qt(1 - level / 2, df) * se else NA_real_
  data.frame(queries_reference = first$queries, queries_new = second$queries, reference = first$mean,
             new = second$mean, difference = difference, lower = difference - half, upper = difference + half,
             p = if (is.na(half)) NA_real_ else 2 * stats::pt(-abs(difference / se), df))
}

drift_verdict <- function(row, margin) {
  if (is.na(row$lower)) "undecided" else if (row$upper < -margin) "train again" else if (row$lower > -margin) {
    "keep the model"
  } else "undecided"
}
