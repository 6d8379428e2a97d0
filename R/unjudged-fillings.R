# Finds the grades of unjudged documents for which a metric, or the difference of two rankers, is highest.
#
# Given: the ranks of all documents of a query in the rankings a and b, the grades of the judged documents, and
#            the highest grade that an assessor could give.
# Result:    a grade for each unjudged document, such that M(a) - M(b) is highest. A ranking may be
#            absent: its metric is 0 then. So the highest M(a), and the lowest M(b), are special cases. The
#            values are computed by the core from these grades, so that each bound is reached.
# Algorithm: by the form of the metric.
#   * A sum over documents (precision, RBP, DCG): each document alone, by the sign of its weight.
#   * A count of relevant documents over a divisor with R (recall, F, R-precision): for every number m of
#     relevant unjudged documents the m with the highest weights.
#   * The first relevant document (success, reciprocal rank): at most one document is relevant, because
#     more of them only help b.
#   * NDCG: the ideal depends only on the numbers m_1 >= m_2 >= ... of unjudged documents with at least
#     the first, second, ... gain. For given numbers the documents with the highest weights are best.
#     Dinkelbach's algorithm (1967) maximises the fraction, and a chain of running maxima the numbers.
#   * Average precision of one ranking: for every m the first m (for the lowest value: the last m).
#   * ERR of one ranking: all documents, or none, because ERR increases with each grade.
#   * Average precision and ERR of two rankings have no such form: R/unjudged-outer.R has outer bounds.
# Cost:      O(U^2) a query with U unjudged documents, or less.

filling_forms <- list(
  precision = "sum", rbp = "sum", dcg = "sum", recall = "count", f_measure = "count",
  r_precision = "count", success = "first", reciprocal_rank = "first", ndcg = "ideal",
  average_precision = "prefix", err = "monotone"
)

# Whether some grades give the highest difference of two rankings, so that it is not only an outer bound.
is_exact_difference <- function(metric) {
  !filling_forms[[metric$name]] %in% c("prefix", "monotone")
}

# `judged$relevance` with grades in place of -1, for which M(a) - M(b) is highest. `ranks` has the ranks of
# both rankings, or NULL; `rules` come from metric_spec().
highest_filling <- function(rules, judged, ranks, max_grade) {
  grades <- judged$relevance
  choose <- fillings[[filling_forms[[rules$name]]]]
  for (rows in unname(rows_with_unjudged(judged))) {
    own <- query_ranks(rows, judged, ranks)
    own$top <- max_grade
    grades[rows[own$unjudged]] <- choose(own, rules)
  }
  grades
}

# The rows of each query that has unjudged documents.
rows_with_unjudged <- function(judged) {
  queries <- unique(judged$query[judged$relevance < 0L])
  rows <- which(judged$query %in% queries)
  split(rows, judged$query[rows])
}

# The ranks of one query. `a` and `b` belong to the unjudged documents, `judged_a` and `judged_b` to the judged
# documents. Documents that are not retrieved have the rank Inf. `n_a` and `n_b` are the lengths.
query_ranks <- function(rows, judged, ranks) {
  grades <- judged$relevance[rows]
  unjudged <- grades < 0L
  of <- function(side) if (is.null(ranks[[side]])) rep(Inf, length(rows)) else ranks[[side]][rows]
  a <- of("a")
  b <- of("b")
  list(unjudged = unjudged, a = a[unjudged], b = b[unjudged], judged_a = a[!unjudged],
       judged_b = b[!unjudged], grades = grades[!unjudged], n_a = sum(is.finite(a)),
       n_b = sum(is.finite(b)))
}

# The rank of each row; Inf if the document is not retrieved.
document_ranks <- function(metric, scores, judged, positions) {
  rule <- ranking_rule(metric)
  rows <- ranked_rows(scores, judged$relevance, positions, judged$order, judged$offsets, rule$ties,
                      rule$single_precision)
  at <- which(rows > 0L)
  ranks <- rep(Inf, length(scores))
  ranks[rows[at]] <- at - judged$offsets[judged$query[rows[at]]]
  ranks
}

fillings <- list(
  sum = function(own, rules) {
    weight <- rank_weights(rules, own$a, own$n_a) - rank_weights(rules, own$b, own$n_b)
    # The grades with the highest and the lowest gain.
    ends <- if (is.null(rules$gain)) c(own$top, 0L) else {
      c(which.max(rules$gain), which.min(rules$gain)) - 1L
    }
    ifelse(weight > 0, ends[1L], ends[2L])
  },
  count = function(own, rules) chosen_grades(own, best_count(own, rules)),
  first = function(own, rules) {
    k_a <- cutoff_of(rules, own$n_a)
    k_b <- cutoff_of(rules, own$n_b)
    utility <- function(rank, k) {
      ifelse(rank <= k & is.finite(rank), if (rules$name == "success") 1 else 1 / rank, 0)
    }
    hit <- own$grades >= rules$relevant
    first_a <- min(Inf, own$judged_a[hit])
    first_b <- min(Inf, own$judged_b[hit])
    alone <- utility(pmin(first_a, own$a), k_a) - utility(pmin(first_b, own$b), k_b)
    best <- which.max(alone)
    better <- alone[best] > utility(first_a, k_a) - utility(first_b, k_b)
    chosen_grades(own, if (better) best)
  },
  ideal = function(own, rules) best_gains(own, rules),
  prefix = function(own, rules) chosen_grades(own, best_prefix(own, rules)),
  # This form is used only if one of the rankings is absent.
  monotone = function(own, rules) rep(if (own$n_a > 0L) own$top else 0L, length(own$a))
)

# The highest grade for the chosen documents, 0 for the others.
chosen_grades <- function(own, chosen) {
  grades <- rep(0L, length(own$a))
  grades[chosen] <- own$top
  grades
}

# A relevant document in the top `cut` adds `unit`, for R relevant documents of the query.
count_unit <- function(rules, n, relevant) {
  k <- cutoff_of(rules, n)
  switch(rules$name,
         recall = list(cut = k, unit = 1 / relevant),
         f_measure = list(cut = k, unit = (1 + rules$beta^2) /
                            ((if (is.finite(k)) k else n) + rules$beta^2 * relevant)),
         r_precision = list(cut = relevant, unit = 1 / relevant))
}

# Finds the documents that are relevant in the best filling, the choice of judgements that maximises the
# difference. The documents have four classes: in the top of a, in the top of b, in both, in none. Matrices
# have a column for each number m of relevant documents.
best_count <- function(own, rules) {
  hit <- own$grades >= rules$relevant
  m <- seq.int(0L, length(own$a))
  relevant <- sum(hit) + m
  a <- count_unit(rules, own$n_a, relevant)
  b <- count_unit(rules, own$n_b, relevant)
  weights <- function(rank_a, rank_b) {
    of <- function(rank, count) {
      outer(rank, rep_len(count$cut, length(m)), `<=`) * finite(rank) * rep(count$unit, each = length(rank))
    }
    of(rank_a, a) - of(rank_b, b)
  }
  weight <- weights(own$a, own$b)
  # The cuts do not depend on m, unless they are R. Then documents need to be sorted once only.
  if (rules$name != "r_precision" && own_divisors_agree(own, rules)) {
    sorted <- weight[order(-weight[, which(relevant > 0L)[1L]]), , drop = FALSE]
  } else {
    sorted <- weight
    sorted[] <- weight[order(col(weight), -weight)]
  }
  value <- colSums(weights(own$judged_a[hit], own$judged_b[hit])) +
    colSums(sorted * (row(sorted) <= m[col(sorted)]))
  value[relevant == 0L] <- 0
  best <- which.max(value)
  if (m[best] > 0L) order(-weight[, best])[seq_len(m[best])]
}

finite <- function(rank) as.double(is.finite(rank))

# Whether the order of the weights is the same for every R.
own_divisors_agree <- function(own, rules) {
  rules$name == "recall" || is.finite(rules$k) && !identical(rules$short_lists, "shrink")
}

# Average precision of the given ranking, for every number of relevant unjudged documents. For the highest
# value, relevant documents are at the top. For the lowest value, they are at the end.
best_prefix <- function(own, rules) {
  highest <- own$n_a > 0L
  judged <- if (highest) own$judged_a else own$judged_b
  unjudged <- if (highest) own$a else own$b
  k <- cutoff_of(rules, if (highest) own$n_a else own$n_b)
  relevant <- judged[own$grades >= rules$relevant]
  ordered <- order(if (highest) unjudged else -unjudged)
  values <- precision_averages(relevant, unjudged[ordered], k, rules$denominator)
  ordered[seq_len(which.max(if (highest) values else -values) - 1L)]
}

# Average precision from the ranks of the relevant documents and of the first m of `more`, for each m.
precision_averages <- function(relevant, more, k, denominator) {
  m <- seq.int(0L, length(more))
  total <- length(relevant) + m
  ranks <- c(relevant, more)
  since <- c(rep(0L, length(relevant)), seq_along(more))  # the m from which on a document counts
  found <- order(ranks)[seq_len(sum(is.finite(ranks)))]
  taken <- outer(since[found], m, `<=`)
  # The number of documents down to each rank, for each m.
  count <- cumsum(taken)
  dim(count) <- dim(taken)
  count <- count - rep(c(0L, cumsum(colSums(taken))[-length(m)]), each = length(found))
  precision <- taken * count / ranks[found]
  sums <- colSums(precision[ranks[found] <= k, , drop = FALSE])
  values <- sums / (if (denominator == "cutoff") pmin(total, k) else total)
  values[total == 0L] <- 0
  values
}

# NDCG: grades of the unjudged documents. `weight` is the difference of their discounts. With the gains
# l_0 < l_1 < ..., DCG and its ideal are sums over steps l_t - l_(t - 1) of the documents with a gain of
# at least l_t.
best_gains <- function(own, rules) {
  levels <- sort(unique(rules$gain))
  if (length(levels) == 1L) {
    return(rep(0L, length(own$a)))
  }
  grades <- match(levels, rules$gain) - 1L
  parts <- gain_parts(own, rules, levels)
  counts <- rep(0L, length(levels) - 1L)
  value <- parts$value(counts)
  repeat {
    next_counts <- best_chain(parts, value)
    next_value <- parts$value(next_counts)
    if (next_value <= value + 1e-15) break
    counts <- next_counts
    value <- next_value
  }
  out <- rep(grades[1L], length(own$a))
  # The first documents in `sorted` have the highest gain.
  for (t in seq_along(counts)) out[parts$sorted[seq_len(counts[t])]] <- grades[t + 1L]
  out
}

# `numerator` and `ideal` have a column for each step of the gain, and a row for each number of unjudged
# documents with at least this gain.
gain_parts <- function(own, rules, levels) {
  discount <- function(rank_a, rank_b) {
    rank_weights(rules, rank_a, own$n_a) - rank_weights(rules, rank_b, own$n_b)
  }
  weight <- discount(own$a, own$b)
  sorted <- order(-weight)
  judged_gain <- rules$gain[own$grades + 1L]
  all <- length(own$a) + length(own$grades)
  k <- cutoff_of(rules, max(own$n_a, own$n_b))
  depth <- min(k, all)
  ideal_sum <- c(0, cumsum(discounts_of_ranks(rules$discount, seq_len(depth))))
  ideal_sum <- c(ideal_sum, rep(ideal_sum[depth + 1L], all - depth))
  m <- seq.int(0L, length(weight))
  steps <- diff(levels)
  at_least <- vapply(levels[-1L], function(level) sum(judged_gain >= level), 0L)
  numerator <- outer(c(0, cumsum(weight[sorted])), steps)
  ideal <- vapply(seq_along(steps), function(t) {
    steps[t] * ideal_sum[at_least[t] + m + 1L]
  }, numeric(length(m)))
  base <- sum(judged_gain * discount(own$judged_a, own$judged_b)) + levels[1L] * sum(weight)
  base_ideal <- levels[1L] * ideal_sum[all + 1L]
  list(sorted = sorted, numerator = numerator, ideal = ideal, value = function(counts) {
    at <- cbind(counts + 1L, seq_along(counts))
    whole <- base_ideal + sum(ideal[at])
    if (whole > 0) (base + sum(numerator[at])) / whole else 0
  })
}

# The numbers m_1 >= m_2 >= ... that maximise numerator - value * ideal.
best_chain <- function(parts, value) {
  objective <- parts$numerator - value * parts$ideal
  steps <- ncol(objective)
  reached <- vector("list", steps)
  total <- numeric(nrow(objective))
  for (t in rev(seq_len(steps))) {
    sums <- objective[, t] + total
    total <- cummax(sums)
    # The row of each running maximum.
    reached[[t]] <- cummax(seq_along(total) * c(TRUE, diff(total) > 0))
  }
  counts <- integer(steps)
  limit <- nrow(objective)
  for (t in seq_len(steps)) {
    limit <- reached[[t]][limit]
    counts[t] <- limit - 1L
  }
  counts
}
