# What each family of members adds to a mixture: its metric on held-out queries without them.
# Members of one ranker are a family.

# The name of the ranker that a model is of.
family_of <- function(model) {
  if (is_specification(model$spec)) row_of(model$spec)$name else NULL
}

# Queries x mixtures that the stage may come to, and of those that are weighed in the same way
# without a family.
judge_families <- function(weigh, scores, own, group, family, stage, judge, seed) {
  families <- unique(family)
  without <- lapply(families, function(left_out) {
    kept <- which(family != left_out)
    others <- weigh_members(weigh, scores[kept], own[, kept, drop = FALSE],
                            prior_weights(group[kept]), judge, judge$weights, seed)
    judge_values(judge, scores[kept], put_together(others, stage$mixing))
  })
  list(mixture = judge_values(judge, scores, put_together(stage$weights, stage$mixing)),
       without = stats::setNames(without, families))
}

# What the mixture keeps of that for the setting it has: queries x (mixture, families). NULL
# where all members are of one family.
kept_families <- function(families, setting, judge) {
  if (is.null(families)) {
    return(NULL)
  }
  column <- if (ncol(families$mixture) == 1L) 1L else setting
  values <- vapply(c(list(mixture = families$mixture), families$without), function(values) {
    values[, column]
  }, numeric(nrow(families$mixture)))
  list(values = matrix(values, ncol = length(families$without) + 1L,
                       dimnames = list(NULL, c("mixture", names(families$without)))),
       weight = judge$data$weight)
}

# A data frame with a row for each family; NULL where there is but one.
family_table <- function(mixture, family, level, resamples, seed, threads = 1L) {
  kept <- mixture$families
  if (is.null(kept)) {
    return(NULL)
  }
  families <- colnames(kept$values)[-1L]
  rows <- lapply(families, function(name) {
    mine <- family == name
    difference <- kept$values[, "mixture"] - kept$values[, name]
    # Where the others leave nothing to mix there is no difference.
    counted <- difference[!is.nan(difference)]
    weight <- kept$weight[!is.nan(difference)]
    moments <- summarise_values(kept$values[, name], kept$weight, level)
    interval <- if (anyNA(counted)) c(NA_real_, NA_real_) else {
      bootstrap_interval(counted, weight, level, resamples, seed, threads)
    }
    data.frame(family = name, members = sum(mine), weight = sum(mixture$members$weight[mine]),
               without = if (anyNA(counted)) NA_real_ else moments$mean,
               adds = if (anyNA(counted)) NA_real_ else {
                 summarise_values(counted, weight, level)$mean
               },
               lower = interval[[1L]], upper = interval[[2L]])
  })
  table <- do.call(rbind, rows)
  table[order(-table$weight), , drop = FALSE]
}

check_family_options <- function(level, resamples, call = rlang::caller_env()) {
  check_number(level, "level", 0, 1, open_min = TRUE, call = call)
  if (level == 1) {
    stop_input("argument", "`level` must be below 1.", call = call)
  }
  check_count(resamples, "resamples", min = 100, max = 1e7, call = call)
}
