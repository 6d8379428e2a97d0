# Slow reference implementations of the metrics for one query, directly from the definitions. `ranked` holds
# the
# grades of the ranked documents, best first (-1: not judged), `judged` the grades of
# all judged ones.

naive_gains <- function(grades, gain = "exponential") {
  grades <- pmax(grades, 0)
  if (is.numeric(gain)) {
    return(gain[grades + 1])
  }
  if (gain == "linear") grades else 2^grades - 1
}

naive_discounts <- function(n, discount = "log2") {
  rank <- seq_len(n)
  if (is.numeric(discount)) {
    return(c(discount, rep(0, n))[rank])
  }
  if (is.function(discount)) {
    return(discount(rank))
  }
  switch(discount, log2 = 1 / log2(rank + 1), log = 1 / log(rank + 1),
         letor = ifelse(rank <= 2, 1, 1 / log2(pmax(rank, 2))),
         reciprocal = 1 / rank, none = rep(1, n))
}

naive_sum <- function(grades, k, gain, discount) {
  grades <- utils::head(grades, k)
  sum(naive_gains(grades, gain) * naive_discounts(length(grades), discount))
}

naive_metrics <- list(
  dcg = function(ranked, judged, k = Inf, gain = "exponential", discount = "log2") {
    naive_sum(ranked, k, gain, discount)
  },
  ndcg = function(ranked, judged, k = Inf, gain = "exponential", discount = "log2") {
    best <- judged[order(-naive_gains(judged, gain))]
    naive_sum(ranked, k, gain, discount) / naive_sum(best, k, gain, discount)
  },
  mean_ndcg = function(ranked, judged, k = Inf, gain = "exponential",
                       discount = "log2") {
    cuts <- seq_len(min(k, length(ranked)))
    mean(vapply(cuts, function(j) {
      naive_metrics$ndcg(ranked, judged, j, gain, discount)
    }, numeric(1)))
  },
  err = function(ranked, judged, k = Inf, max_grade = 4) {
    r <- naive_gains(utils::head(ranked, k)) / 2^max_grade
    sum(vapply(seq_along(r), function(i) {
      r[i] / i * prod(1 - r[seq_len(i - 1)])
    }, numeric(1)))
  },
  average_precision = function(ranked, judged, k = Inf, relevant = 1,
                               denominator = "relevant") {
    hit <- ranked >= relevant
    at <- utils::head(which(hit), sum(utils::head(hit, k)))
    all <- sum(judged >= relevant)
    sum(vapply(at, function(i) mean(hit[seq_len(i)]), numeric(1))) /
      if (denominator == "cutoff") min(k, all) else all
  },
  precision = function(ranked, judged, k = Inf, relevant = 1, shrink = FALSE) {
    ranks <- if (shrink || is.infinite(k)) min(k, length(ranked)) else k
    sum(utils::head(ranked, k) >= relevant) / ranks
  },
  recall = function(ranked, judged, k = Inf, relevant = 1) {
    sum(utils::head(ranked, k) >= relevant) / sum(judged >= relevant)
  },
  f_measure = function(ranked, judged, k = Inf, relevant = 1, beta = 1) {
    p <- naive_metrics$precision(ranked, judged, k, relevant)
    r <- naive_metrics$recall(ranked, judged, k, relevant)
    if (p + r == 0) 0 else (1 + beta^2) * p * r / (beta^2 * p + r)
  },
  success = function(ranked, judged, k = Inf, relevant = 1) {
    as.numeric(any(utils::head(ranked, k) >= relevant))
  },
  judged = function(ranked, judged, k = Inf) {
    sum(utils::head(ranked, k) >= 0) / min(k, if (is.infinite(k)) length(ranked) else k)
  },
  reciprocal_rank = function(ranked, judged, k = Inf, relevant = 1) {
    first <- which(utils::head(ranked, k) >= relevant)
    if (length(first) > 0) 1 / first[1] else 0
  },
  r_precision = function(ranked, judged, relevant = 1) {
    all <- sum(judged >= relevant)
    sum(utils::head(ranked, all) >= relevant) / all
  },
  bpref = function(ranked, judged, relevant = 1) {
    all <- sum(judged >= relevant)
    others <- sum(judged < relevant)
    ranked <- ranked[ranked >= 0]
    terms <- vapply(which(ranked >= relevant), function(i) {
      above <- sum(ranked[seq_len(i)] < relevant)
      if (above == 0) 1 else 1 - min(above, all) / min(others, all)
    }, numeric(1))
    sum(terms) / all
  },
  rbp = function(ranked, judged, k = Inf, relevant = 1, persistence = 0.8) {
    hit <- utils::head(ranked, k) >= relevant
    (1 - persistence) * sum(hit * persistence^(seq_along(hit) - 1))
  }
)

# Whether a query is empty, such as a query without relevant documents.
naive_empty <- function(name, judged, gain = "exponential", relevant = 1) {
  if (name %in% c("dcg", "ndcg", "mean_ndcg")) {
    return(all(naive_gains(judged, gain) == 0))
  }
  if (name == "judged") {
    return(FALSE)
  }
  all(judged < if (name == "err") 1 else relevant)
}

# The value of a query by a rule for ties. The rule `average` tries all orders of tied documents.
naive_value <- function(name, scores, grades, ties = "order", empty = 0, ...,
                        document = NULL) {
  set <- list(...)
  if (do.call(naive_empty, c(list(name, grades),
                             set[names(set) %in% c("gain", "relevant")]))) {
    return(empty)
  }
  value <- function(ranked) naive_metrics[[name]](ranked, grades, ...)
  rank_by <- function(...) grades[order(-scores, ...)]
  switch(
    ties,
    order = value(rank_by(seq_along(scores))),
    best = value(rank_by(-grades)),
    worst = value(rank_by(grades)),
    document = value(grades[order(scores, document, decreasing = TRUE,
                                  method = "radix")]),
    average = naive_average(lapply(naive_orders(scores), function(o) grades[o]), value)
  )
}

# The mean value over rankings; rankings with the same grades are computed once.
naive_average <- function(rankings, value) {
  times <- table(vapply(rankings, paste, "", collapse = " "))
  distinct <- lapply(strsplit(names(times), " "), as.numeric)
  sum(vapply(distinct, value, numeric(1)) * times) / length(rankings)
}

naive_permutations <- function(items) {
  if (length(items) <= 1) {
    return(list(items))
  }
  unlist(lapply(seq_along(items), function(i) {
    lapply(naive_permutations(items[-i]), function(rest) c(items[i], rest))
  }), recursive = FALSE)
}

# All rankings that scores with ties allow.
naive_orders <- function(scores) {
  groups <- split(seq_along(scores), -scores)
  # Rows are permutations of a group, and then orders of all groups.
  choices <- lapply(groups, function(group) do.call(rbind, naive_permutations(group)))
  grid <- expand.grid(lapply(choices, function(choice) seq_len(nrow(choice))))
  orders <- do.call(cbind, Map(function(choice, rows) choice[rows, , drop = FALSE], choices, grid))
  lapply(seq_len(nrow(orders)), function(row) orders[row, ])
}

# Two rankers whose order depends on the rule for ties: all scores of one ranker tie, and the other ranker is
# bad.
report_case <- function() {
  list(
    data = ranking_data(matrix(0, 6), c(1, 0, 0, 0, 0, 1), rep(1:2, each = 3),
                        document = c("a", "b", "c", "a", "b", "c")),
    scores = data.frame(tied = c(1, 1, 1, 3, 2, 1), other = c(2, 3, 1, 2, 1, 3))
  )
}
