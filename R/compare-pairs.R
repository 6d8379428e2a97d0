# Pairs of rankers, tested.

# All pairs of the rankers of a metric.
compare_pairs <- function(paired, identical, settings) {
  rankers <- colnames(paired$values)
  pairs <- utils::combn(rankers, 2L, simplify = FALSE)
  tested <- lapply(pairs, function(pair) {
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
  difference <- paired$values[, a] - paired$values[, b]
  tests <- function(rows) {
    as.data.frame(paired_tests(difference[rows], paired$weight[rows], settings$resamples,
                               settings$seed, settings$threads))
  }
  fold <- if (is.null(paired$fold)) rep("all", length(difference)) else paired$fold
  folds <- lapply(split(seq_along(fold), factor(fold, unique(fold))), tests)
  folds <- cbind(a = a, b = b, fold = names(folds),
                 do.call(rbind, c(folds, make.row.names = FALSE)))
  all <- if (nrow(folds) == 1L) folds[-(1:3)] else tests(seq_along(difference))
  if (settings$combine != "pool") {
    for (name in c("p_t", "p_wilcoxon", "p_randomization")) {
      all[[name]] <- combine_folds(folds[[name]], folds, settings$combine)
    }
  }
  same <- if (is.null(identical)) NA_real_ else {
    mean(identical(a, b)[query_keys(paired$fold, paired$query)])
  }
  interval <- bootstrap_interval(difference, paired$weight, 1 - settings$level,
                                 settings$resamples, settings$seed, settings$threads)
  pair <- data.frame(
    a = a, b = b, queries = all$queries, difference = all$difference, se = all$se,
    lower = interval[["lower"]], upper = interval[["upper"]],
    effect = effect_size(difference, paired$weight),
    p_t = all$p_t, p_wilcoxon = all$p_wilcoxon, p_randomization = all$p_randomization,
    wins = mean(difference > 0), losses = mean(difference < 0), ties = mean(difference == 0),
    identical = same, normality = normality_p(difference), folds = nrow(folds),
    folds_ahead = sum(folds$difference > 0), note = pair_note(difference, folds)
  )
  list(pair = pair, folds = folds)
}

combine_folds <- function(p, folds, how) {
  if (length(p) == 1L || anyNA(p)) {
    return(if (length(p) == 1L) p else NA_real_)
  }
  if (how == "fisher") {
    return(fisher_combine(p))
  }
  stouffer_combine(p, folds$difference, sqrt(folds$queries))
}

pair_note <- function(difference, folds) {
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
    }
  )
  paste(notes, collapse = ", ")
}
