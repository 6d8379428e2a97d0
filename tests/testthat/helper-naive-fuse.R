# A slow reference implementation of fusion: query by query, document by document, ranker by ranker.

# `lists` is a named list of named vectors of scores, the runs of one query; documents with equal scores share
# ranks. Returns a named vector.
naive_fuse <- function(lists, method, normalize = "min_max", missing = "skip",
                       weights = rep(1, length(lists))) {
  documents <- unique(unlist(lapply(lists, names)))
  vapply(documents, function(d) {
    values <- vapply(lists, naive_fused_value, 1, d = d, documents = documents, method = method,
                     normalize = normalize, missing = missing)
    counts <- !is.nan(values)
    values <- values[counts]
    w <- weights[counts]
    n <- sum(w)
    switch(method$name,
           comb_mnz = sum(w * values) * n^method$exponent,
           comb_anz = sum(w * values) / n,
           comb_min = min(values), comb_max = max(values), comb_med = stats::median(values),
           isr = sum(w * values) * n,
           log_isr = sum(w * values) * log(n + method$sigma),
           sum(w * values))
  }, 1)
}

# NaN: the ranker does not count.
naive_fused_value <- function(scores, d, documents, method, normalize, missing) {
  n <- length(scores)
  if (n == 0) {
    return(NaN)
  }
  all <- length(documents)
  at <- function(p) {
    switch(method$name, rrf = 1 / (method$k + p), isr = , log_isr = 1 / p^2,
           rank_biased = (1 - method$phi) * method$phi^(p - 1), borda = all - p + 1,
           switch(normalize, rank = 1 - (p - 1) / n, borda = 1 - (p - 1) / all))
  }
  by_rank <- !startsWith(method$name, "comb") || normalize %in% c("rank", "borda")
  of_list <- if (by_rank) {
    vapply(scores, function(s) {
      mean(at(sum(scores > s) + seq_len(sum(scores == s))))
    }, 1)
  } else {
    naive_normalize(scores, normalize)
  }
  if (d %in% names(scores)) {
    return(of_list[[d]])
  }
  switch(missing, skip = NaN, zero = 0, last = {
    if (by_rank && normalize != "rank") mean(at((n + 1):all)) else min(of_list)
  })
}

naive_normalize <- function(s, normalize) {
  equal <- max(s) == min(s)
  switch(normalize,
         none = s,
         min_max = if (equal) s * 0 + 1 else (s - min(s)) / (max(s) - min(s)),
         sum = if (equal) s * 0 + 1 / length(s) else (s - min(s)) / sum(s - min(s)),
         max = if (all(s == 0)) s else s / max(abs(s)),
         z = if (equal) s * 0 else (s - mean(s)) / sqrt(mean((s - mean(s))^2)))
}

# The number of wins plus half the number of draws. With margins, ties are broken by the votes.
naive_majority <- function(lists, margins, missing = "last",
                           weights = rep(1, length(lists))) {
  documents <- unique(unlist(lapply(lists, names)))
  vote <- function(scores, a, b) {
    if (missing == "skip" && !all(c(a, b) %in% names(scores))) {
      return(0)
    }
    of <- function(d) if (d %in% names(scores)) scores[[d]] else -Inf
    sign(of(a) > of(b)) - sign(of(b) > of(a))
  }
  vapply(documents, function(a) {
    margin <- vapply(setdiff(documents, a), function(b) {
      sum(weights * vapply(lists, vote, 1, a = a, b = b))
    }, 1)
    sum(margin > 1e-9) + sum(abs(margin) <= 1e-9) / 2 +
      if (margins) 0.2 * sum(margin) / (sum(weights) * length(documents)) else 0
  }, 1)
}

# Makes a run. `queries` is a named list with a named vector of document scores for each query.
run_of <- function(queries, ...) {
  as_run(data.frame(query = rep(names(queries), lengths(queries)),
                    document = unlist(lapply(queries, names), use.names = FALSE),
                    score = unlist(queries, use.names = FALSE), ...))
}

# Fused scores as a list of named vectors, by query.
fused_scores_of <- function(run) {
  lapply(split(seq_along(run$query), factor(run$query, unique(run$query))), function(rows) {
    stats::setNames(run$score[rows], run$document[rows])
  })
}

# Random runs: few distinct scores, few shared documents, queries that a run lacks.
random_runs <- function(seed, rankers = 3, queries = 5, distinct = 4) {
  set.seed(seed)
  runs <- lapply(seq_len(rankers), function(r) {
    lists <- lapply(stats::setNames(nm = paste0("q", seq_len(queries))), function(q) {
      n <- sample.int(6, 1)
      stats::setNames(sample.int(distinct, n, TRUE) - 2, sample(letters[1:9], n))
    })
    # The last ranker lacks a query.
    if (r == rankers) lists[-1] else lists
  })
  stats::setNames(runs, paste0("r", seq_len(rankers)))
}
