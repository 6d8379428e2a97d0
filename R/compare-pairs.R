# Tests of pairs of rankers.

# All pairs of the rankers of a metric, or the pairs with the control. Returns `pairs`, `folds`, and `best`
# and `flips`, see joint_tests().
compare_pairs <- function(paired, identical, settings) {
  names <- family_pairs(colnames(paired$values), settings$control)
  settings$family <- length(names)
  joint <- joint_tests(paired, names, settings)
  rows <- fold_rows(paired)
  flips <- if (length(rows) == 1L) list(joint$flips) else {
    lapply(rows, function(own) joint_flips(paired_rows(paired, own), names, settings))
  }
  tested <- lapply(seq_along(names), function(i) {
    compare_pair(paired, names[[i]][1L], names[[i]][2L], identical, settings, rows,
                 lapply(flips, flips_of_pair, i), flips_of_pair(joint$flips, i))
  })
  folds <- do.call(rbind, lapply(tested, `[[`, "folds"))
  pairs <- do.call(rbind, lapply(tested, `[[`, "pair"))
  p <- pairs[[paste0("p_", settings$test)]]
  pairs$p_holm <- stats::p.adjust(p, "holm")
  pairs$p_bh <- stats::p.adjust(p, "BH")
  pairs <- simultaneous(pairs, joint, settings)
  if (!is.null(settings$margin)) pairs <- add_equivalence(pairs, paired, settings)
  pairs$verdict <- verdict_of(pairs, settings)
  list(pairs = pairs, folds = folds, best = joint$best,
       flips = as.data.frame(joint$flips[c("patterns", "exact", "critical")]))
}

# All pairs of two rankers. With a control, the pairs of each other ranker with it.
family_pairs <- function(rankers, control) {
  if (is.null(control)) {
    return(utils::combn(rankers, 2L, simplify = FALSE))
  }
  lapply(setdiff(rankers, control), c, control)
}

keys_of <- function(paired) {
  if (is.null(paired$keys)) query_keys(paired$fold, paired$query) else paired$keys
}

# The row numbers of each fold.
fold_rows <- function(paired) {
  fold <- if (is.null(paired$fold)) rep("all", nrow(paired$values)) else paired$fold
  split(seq_along(fold), factor(fold, unique(fold)))
}

paired_rows <- function(paired, rows) {
  list(values = paired$values[rows, , drop = FALSE], weight = paired$weight[rows])
}

# `rows` has the row numbers of each fold. `fold_flips` and `flips` have the sign flips of each fold and of
# all queries.
compare_pair <- function(paired, a, b, identical, settings, rows, fold_flips, flips) {
  difference <- snapped_difference(paired$values[, a], paired$values[, b])
  tests <- function(rows, flips, fold = NULL) {
    paired_tests(difference[rows], paired$weight[rows], fold, flips, settings)
  }
  folds <- Map(tests, rows, fold_flips)
  folds <- c(list(a = rep(a, length(rows)), b = rep(b, length(rows)), fold = names(rows)),
             lapply(stats::setNames(nm = names(folds[[1L]])), function(column) {
               unlist(lapply(folds, `[[`, column), use.names = FALSE)
             }))
  folds <- list2DF(folds)
  all <- tests(seq_along(difference), flips, if (length(rows) > 1L) paired$fold)
  if (settings$variance != "queries") all <- over_trainings(all, paired, a, b, settings)
  both <- FALSE
  if (settings$combine != "pool" && nrow(folds) > 1L) {
    both <- both_directions(folds, settings)
    for (test in c("t", "wilcoxon", "randomization")) {
      all[[paste0("p_", test)]] <- combine_folds(folds, test, settings$combine)
    }
  }
  same <- if (is.null(identical)) NA_real_ else mean(identical(a, b)[keys_of(paired)])
  interval <- difference_interval(difference, paired$weight,
                                  list(mean = all$difference, se = all$se, df = all$df), settings)
  pair <- list2DF(list(
    a = a, b = b, queries = all$queries, n_effective = all$n_effective,
    difference = all$difference, se = all$se, df = all$df,
    lower = interval[["lower"]], upper = interval[["upper"]],
    effect = effect_size(difference, paired$weight), pseudo_median = all$pseudo_median,
    p_t = all$p_t, p_wilcoxon = all$p_wilcoxon, p_randomization = all$p_randomization,
    p_floor = if (settings$test == "randomization") all$p_floor else NA_real_,
    wins = mean(difference > 0), losses = mean(difference < 0), ties = mean(difference == 0),
    identical = same, normality = normality_p(difference), folds = nrow(folds),
    folds_ahead = sum(folds$difference > 0), heterogeneity = heterogeneity_p(folds),
    both_directions = both, note = pair_note(difference, folds, all, both, settings)
  ))
  list(pair = pair, folds = folds[setdiff(names(folds), c("df", "approximate", "p_floor"))])
}

# The t test with the variance between trainings.
over_trainings <- function(tests, paired, a, b, settings) {
  moments <- pair_moments(paired, a, b, settings)
  tests[c("se", "df")] <- moments[c("se", "df")]
  tests$p_t <- t_test_p(moments, tests$queries, settings$alternative)
  tests
}

# The mean difference of two rankers, its standard error and degrees of freedom.
pair_moments <- function(paired, a, b, settings) {
  if (settings$variance != "queries") {
    return(training_moments(paired$trainings[, c(a, b), , drop = FALSE], paired$weight, paired$fold))
  }
  stratified_moments(snapped_difference(paired$values[, a], paired$values[, b]), paired$weight,
                     paired$fold)
}

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

# The p-value of Welch's test: whether the mean differences of folds differ by more than chance. NA if fewer than two
# folds have a standard error. Cochran's Q takes standard errors as known, and rejected 8 to 9 % for 10 to 20 queries a
# fold.
heterogeneity_p <- function(folds) {
  known <- !is.na(folds$se) & folds$se > 0
  count <- sum(known)
  if (count < 2L) {
    return(NA_real_)
  }
  weight <- 1 / folds$se[known]^2
  mean <- sum(weight * folds$difference[known]) / sum(weight)
  q <- sum(weight * (folds$difference[known] - mean)^2)
  noise <- sum((1 - weight / sum(weight))^2 / folds$df[known])
  f <- q / (count - 1) / (1 + 2 * (count - 2) / (count^2 - 1) * noise)
  stats::pf(f, count - 1, (count^2 - 1) / (3 * noise), lower.tail = FALSE)
}

# Holm's adjustment multiplies the smallest possible p-value by the number of pairs. maxT does not.
floor_note <- function(all, settings) {
  if (settings$test != "randomization" || settings$adjust == "tukey") {
    return(NULL)
  }
  floor <- all$p_floor * (if (settings$adjust %in% c("holm", "BH")) settings$family else 1)
  if (floor > settings$level && all$p_randomization <= all$p_floor * (1 + 1e-9)) {
    sprintf("p cannot be below %s", number_text(min(1, floor), digits = 2))
  }
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
    floor_note(all, settings),
    if (both) "differs in some folds, in both directions"
  )
  paste(notes, collapse = ", ")
}
