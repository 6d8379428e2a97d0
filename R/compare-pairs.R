# Tests of pairs of rankers.

# All pairs of the rankers of a metric.
compare_pairs <- function(paired, identical, settings) {
  rankers <- colnames(paired$values)
  names <- utils::combn(rankers, 2L, simplify = FALSE)
  settings$family <- length(names)
  tested <- lapply(names, function(pair) {
    compare_pair(paired, pair[1L], pair[2L], identical, settings)
  })
  folds <- do.call(rbind, lapply(tested, `[[`, "folds"))
  pairs <- do.call(rbind, lapply(tested, `[[`, "pair"))
  p <- pairs[[paste0("p_", settings$test)]]
  pairs$p_holm <- stats::p.adjust(p, "holm")
  pairs$p_bh <- stats::p.adjust(p, "BH")
  list(pairs = pairs, folds = folds)
}

compare_pair <- function(paired, a, b, identical, settings) {
  difference <- snapped_difference(paired$values[, a], paired$values[, b])
  settings <- enough_resamples(difference, paired$weight, settings)
  tests <- function(rows, fold = NULL) {
    as.data.frame(paired_tests(difference[rows], paired$weight[rows], fold, settings))
  }
  fold <- if (is.null(paired$fold)) rep("all", length(difference)) else paired$fold
  folds <- lapply(split(seq_along(fold), factor(fold, unique(fold))), tests)
  folds <- cbind(a = a, b = b, fold = names(folds),
                 do.call(rbind, c(folds, make.row.names = FALSE)))
  all <- tests(seq_along(difference), fold)
  both <- FALSE
  if (settings$combine != "pool" && nrow(folds) > 1L) {
    both <- both_directions(folds, settings)
    for (test in c("t", "wilcoxon", "randomization")) {
      all[[paste0("p_", test)]] <- combine_folds(folds, test, settings$combine)
    }
  }
  keys <- if (is.null(paired$keys)) query_keys(paired$fold, paired$query) else paired$keys
  same <- if (is.null(identical)) NA_real_ else mean(identical(a, b)[keys])
  interval <- difference_interval(difference, paired$weight,
                                  list(mean = all$difference, se = all$se, df = all$df), settings)
  pair <- data.frame(
    a = a, b = b, queries = all$queries, n_effective = all$n_effective,
    difference = all$difference, se = all$se,
    lower = interval[["lower"]], upper = interval[["upper"]],
    effect = effect_size(difference, paired$weight), pseudo_median = all$pseudo_median,
    p_t = all$p_t, p_wilcoxon = all$p_wilcoxon, p_randomization = all$p_randomization,
    p_floor = if (settings$test == "randomization") all$p_floor else NA_real_,
    wins = mean(difference > 0), losses = mean(difference < 0), ties = mean(difference == 0),
    identical = same, normality = normality_p(difference), folds = nrow(folds),
    folds_ahead = sum(folds$difference > 0), heterogeneity = heterogeneity_p(folds),
    both_directions = both, note = pair_note(difference, folds, all, both, settings)
  )
  list(pair = pair, folds = folds[setdiff(names(folds), c("df", "approximate", "p_floor"))])
}

# The smallest p-value of R random sign patterns is 1 / (R + 1). Times the number of pairs it must be
# below the level. Pairs that reach it are tested with more patterns, if affordable.
enough_resamples <- function(difference, weight, settings) {
  if (settings$test != "randomization" || sum(difference != 0) <= max_enumerated_flips) {
    return(settings)
  }
  wanted <- ceiling(20 * settings$family / settings$level)
  affordable <- floor(max_flips / length(difference))
  more <- min(wanted, affordable)
  at_floor <- more > settings$resamples &&
    randomization_p(difference, weight, settings) * (settings$resamples + 1) < 1.5
  if (at_floor) settings$resamples <- more
  settings
}

# Number of signs drawn for one pair, at most; about a second on one thread.
max_flips <- 1e9

# The result is NA if a fold has no p-value.
combine_folds <- function(folds, test, how) {
  p <- folds[[paste0("p_", test)]]
  if (anyNA(p)) {
    return(NA_real_)
  }
  if (how == "fisher") {
    return(fisher_combine(p, folds$difference))
  }
  stouffer_combine(p, folds$difference, sqrt(folds$queries))
}

# Whether Fisher's method finds a difference without a direction: significant in both directions, or only
# if directions are ignored.
both_directions <- function(folds, settings) {
  p <- folds[[paste0("p_", settings$test)]]
  if (settings$combine != "fisher" || anyNA(p)) {
    return(FALSE)
  }
  directed <- 2 * fisher_directions(p, folds$difference) <= settings$level
  all(directed) || fisher_combine(p) <= settings$level && !any(directed)
}

# The p-value of Cochran's Q: whether the mean differences of folds differ by more than chance. NA
# if fewer than two folds have a standard error.
heterogeneity_p <- function(folds) {
  known <- !is.na(folds$se) & folds$se > 0
  if (sum(known) < 2L) {
    return(NA_real_)
  }
  weight <- 1 / folds$se[known]^2
  mean <- sum(weight * folds$difference[known]) / sum(weight)
  q <- sum(weight * (folds$difference[known] - mean)^2)
  stats::pchisq(q, sum(known) - 1, lower.tail = FALSE)
}

# Whether signed ranks and the mean favour the same ranker.
ranks_agree <- function(pseudo_median, difference) {
  is.na(pseudo_median) | sign(pseudo_median) == sign(difference)
}

pair_note <- function(difference, folds, all, both, settings) {
  if (all(difference == 0)) {
    return("all differences are 0")
  }
  if (length(difference) == 1L) {
    return("one query")
  }
  several <- nrow(folds) > 1L
  notes <- c(
    if (any(folds$queries == 1L)) "a fold with one query",
    if (several && any(folds$queries > 1L & folds$difference == 0 & folds$se == 0)) {
      "a fold with all differences 0"
    },
    if (any(folds$queries > 1L & folds$difference != 0 &
              has_no_spread(folds$difference, folds$se))) {
      if (several) "a fold with all differences the same" else "all differences are the same"
    },
    if (settings$test == "wilcoxon" && all$approximate) "Wilcoxon approximate",
    if (settings$test == "wilcoxon" && !ranks_agree(all$pseudo_median, all$difference)) {
      "mean and ranks disagree"
    },
    if (settings$test == "randomization" && settings$adjust != "none" &&
          all$p_randomization <= all$p_floor * (1 + 1e-9) &&
          all$p_floor * settings$family > settings$level) {
      sprintf("p cannot be below %s", format(all$p_floor * settings$family, digits = 2))
    },
    if (both) "differs in some folds, in both directions"
  )
  paste(notes, collapse = ", ")
}
