# Does the difference of two rankers depend on the kind of query?
#
# Input: the differences d_q, and a column with the group of each query. Output: the mean difference of each
# group, and one p-value for "all groups have the same mean". Single groups have no p-values, because with
# many groups some differ by chance.
#
# Test: the groups are permuted among the queries, within folds. The statistic is the weighted sum of squares
# of group means, sum_g (m_g - m)^2 / V_g with m = sum_g (m_g / V_g) / sum_g 1 / V_g (Welch). Because the
# variance V_g is of each group, groups with different spreads are not mistaken for groups with different
# means (Chung and Romano 2013, doi:10.1214/13-AOS1090). Each group has one more observation with the variance
# of all queries, so that small groups without spread have no infinite weight.

# `groups` of each column with intervals, and `tests` with the p-values. `columns` is a list of factors.
subgroup_tests <- function(difference, paired, columns, level, resamples, seed) {
  groups <- lapply(columns, function(group) group_means(difference, paired, group, level))
  tests <- lapply(columns, function(group) {
    data.frame(groups = nlevels(group),
               p_interaction = interaction_p(difference, paired$weight, paired$fold, group, resamples, seed))
  })
  tests <- bind_named(tests, "column")
  tests$p_adjusted <- stats::p.adjust(tests$p_interaction, "holm")
  groups <- bind_named(groups, "column")
  at <- match(groups$column, tests$column)
  groups$p_interaction <- tests$p_interaction[at]
  groups$p_adjusted <- tests$p_adjusted[at]
  list(groups = groups, tests = tests)
}

group_means <- function(difference, paired, group, level) {
  rows <- lapply(split(seq_along(difference), group), function(own) {
    moments <- stratified_moments(difference[own], paired$weight[own], paired$fold[own])
    interval <- difference_interval(difference[own], paired$weight[own], moments,
                                    list(interval = "t", level = level, alternative = "two.sided"))
    data.frame(queries = length(own), difference = moments$mean, lower = interval[["lower"]],
               upper = interval[["upper"]])
  })
  bind_named(rows, "group")
}

interaction_p <- function(difference, weight, fold, group, resamples, seed) {
  if (nlevels(group) < 2L) {
    return(NA_real_)
  }
  weight <- if (is.null(weight)) rep(1, length(difference)) else weight / mean(weight)
  d <- difference - sum(weight * difference) / sum(weight)
  if (max(abs(d)) <= snap_tolerance * max(abs(difference))) {
    return(1)
  }
  group <- as.integer(group)
  n <- length(d)
  observed <- group_statistic(cbind(d), cbind(weight), group)
  reached <- with_seed(seed, {
    sum(vapply(resample_chunks(resamples, n), function(chunk) {
      at <- permuted_rows(n, length(chunk), fold)
      sum(group_statistic(matrix(d[at], n), matrix(weight[at], n), group) >= observed * (1 - 1e-9))
    }, 0))
  })
  (1 + reached) / (resamples + 1)
}

# `times` permutations of n rows within their folds, in columns.
permuted_rows <- function(n, times, fold) {
  at <- matrix(0L, n, times)
  strata <- if (is.null(fold)) list(seq_len(n)) else split(seq_len(n), fold)
  for (rows in strata) {
    at[rows, ] <- vapply(seq_len(times), function(i) rows[sample.int(length(rows))], rows)
  }
  at
}

# One statistic for each column of d. The columns are centred.
group_statistic <- function(d, weight, group) {
  total <- rowsum(weight, group)
  mean <- rowsum(weight * d, group) / total
  scaled <- weight * (d - mean[group, , drop = FALSE])
  prior <- colSums((weight * d)^2) / nrow(d)
  precision <- total^2 / (rowsum(scaled^2, group) + rep(prior, each = nrow(total)))
  unname(colSums(precision * mean^2) - colSums(precision * mean)^2 / colSums(precision))
}

# The group of each query: the values of columns with few values, else fractions of equal size. Missing values
# are a group.
query_groups_of <- function(column, count) {
  missing <- is.na(column)
  if (is_plain_number(column) && length(unique(column[!missing])) > max(count, few_group_values)) {
    inner <- stats::quantile(column[!missing], seq_len(count - 1L) / count, names = FALSE, type = 1)
    cuts <- findInterval(column, unique(inner), left.open = TRUE)
    names <- vapply(split(column[!missing], cuts[!missing]), function(own) {
      paste(plain_each(signif(unique(range(own)), 4)), collapse = " to ")
    }, "")
    column <- factor(cuts, as.integer(names(names)), make.unique(names))
  } else {
    kept <- is_plain_number(column) || is.factor(column)
    column <- droplevels(as.factor(if (kept) column else id_text(column)))
  }
  if (!any(missing)) {
    return(column)
  }
  levels <- c(levels(column), "missing")
  factor(ifelse(missing, "missing", as.character(column)), unique(levels))
}

# Up to this number of different numbers, each number is a group.
few_group_values <- 5L
