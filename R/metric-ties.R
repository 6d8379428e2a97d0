# Ties between documents of different grades. The metric of such a ranking depends on the order of
# the rows. evaluate() warns if that can change the mean.

# evaluate() warns if the order of tied documents can change a mean by more than this. In papers,
# differences between good rankers are often of this size.
warned_tie_range <- 0.005

# `parts` are lists of `scores`, `judged` and `rankers`, the names or NULL. One warning for all.
warn_ties <- function(metrics, parts, threads) {
  by_order <- which(vapply(metrics, breaks_ties_by_order, NA))
  if (length(by_order) == 0L) {
    return(invisible())
  }
  tables <- lapply(parts, function(part) tie_ranges(metrics[by_order], part, threads))
  table <- do.call(rbind, tables)
  table <- table[which(table$highest - table$lowest > warned_tie_range), , drop = FALSE]
  if (length(table$metric) == 0L) {
    return(invisible())
  }
  lines <- sprintf("%s%s: from %.4f to %.4f.", ifelse(table$ranker == "", "", paste0(
    "`", table$ranker, "`, ")), table$metric, table$lowest, table$highest)
  shown <- utils::head(lines[order(table$lowest - table$highest)], 5L)
  hidden <- length(lines) - length(shown)
  warn_input(
    "ties",
    "The metric depends on the row order: documents of different grades have equal scores.",
    c("The mean depends on the order of the tied documents:", shown,
      if (hidden > 0L) sprintf("%d more.", hidden)),
    paste("Set `ties = \"average\"` in the metric for the mean over all orders, or",
          "`ties = \"order\"` if the row order is intended.")
  )
}

# No warning is needed if the user or a convention sets the rule for ties.
breaks_ties_by_order <- function(metric) {
  set <- if (inherits(metric, "rankmix_metric")) metric$set$ties
  is.null(set) && identical(ranking_rule(metric)$ties, "order")
}

# The lowest and highest mean over the orders of tied documents, one row per ranker and metric.
tie_ranges <- function(metrics, part, threads) {
  judged <- part$judged
  # Scores in single precision have all ties of the doubles, and perhaps more.
  singles <- vapply(metrics, function(metric) ranking_rule(metric)$single_precision, "")
  single <- if ("scores" %in% singles) "scores" else "none"
  grades <- core_grades(judged)
  tied <- which(vapply(seq_len(ranker_count(part$scores)), function(j) {
    first_tie(scores_of_ranker(part$scores, j), grades, judged$order, judged$offsets,
              single) > 0L
  }, NA))
  if (length(tied) == 0L) {
    return(NULL)
  }
  scores <- lapply(tied, scores_of_ranker, scores = part$scores)
  weights <- scaled_weights(judged$weight)
  weights <- if (is.null(weights)) rep(1, length(judged$query_ids)) else as.double(weights)
  means <- function(rule) {
    values <- metric_matrix(lapply(metrics, with_ties, rule), scores, judged, threads,
                            positions = integer())
    query_means(values, weights)
  }
  data.frame(
    ranker = rep(if (is.null(part$rankers)) "" else part$rankers[tied], length(metrics)),
    metric = rep(names(metrics), each = length(tied)), lowest = means("worst"),
    highest = means("best")
  )
}

with_ties <- function(metric, rule) {
  if (inherits(metric, c("rankmix_custom", "rankmix_trec_measure"))) {
    metric$ties <- rule
  } else {
    metric$set$ties <- rule
  }
  metric
}

# Limits the warnings of several evaluations in one call to one.
warning_once_of_ties <- function(expr) {
  warned <- FALSE
  withCallingHandlers(expr, rankmix_warning_ties = function(w) {
    if (warned) rlang::cnd_muffle(w)
    warned <<- TRUE
  })
}

without_tie_warning <- function(expr) {
  withCallingHandlers(expr, rankmix_warning_ties = function(w) rlang::cnd_muffle(w))
}
