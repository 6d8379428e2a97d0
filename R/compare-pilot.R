# The variance of per-query differences in pilots: earlier comparisons, evaluations or differences.

# Several pilots as one: `variance`, its degrees of freedom `df`, the degrees of freedom `pair_df` of one pair,
# `efficiency` (the effective number of queries divided by the number), `collections`, `queries`, and the
# `differences` of each pilot, NULL for more than two rankers.
pooled_pilots <- function(pilot, metric, call = rlang::caller_env()) {
  several <- is.list(pilot) && !is.object(pilot)
  if (several && length(pilot) == 0L) {
    stop_input("argument", "`pilot` is an empty list.", call = call)
  }
  pilots <- if (several) pilot else list(pilot)
  names <- if (several) {
    ifelse(nzchar(rlang::names2(pilots)), sprintf("pilot$%s", rlang::names2(pilots)),
           sprintf("pilot[[%d]]", seq_along(pilots)))
  } else {
    "pilot"
  }
  parts <- Map(function(one, name) pilot_moments(one, name, metric, call), pilots, names)
  column <- function(field) vapply(parts, `[[`, 0, field)
  df <- column("df")
  queries <- column("queries")
  list(variance = sum(df * column("variance")) / sum(df), df = sum(df), pair_df = sum(column("pair_df")),
       efficiency = sum(queries * column("efficiency")) / sum(queries), queries = sum(queries),
       collections = length(parts), weighted = any(column("efficiency") < 1 - 1e-9),
       differences = lapply(unname(parts), `[[`, "difference"))
}

# The variance is the mean over pairs, which is twice the residual variance of rankers x queries. With k
# rankers it has k - 1 times the degrees of freedom of a pair.
pilot_moments <- function(pilot, name, metric, call) {
  paired <- pilot_values(pilot, name, metric, call)
  rankers <- colnames(paired$values)
  if (nrow(paired$values) < 2L) {
    stop_input("argument", sprintf("`%s` must have two or more queries.", name), call = call)
  }
  pairs <- utils::combn(length(rankers), 2L)
  moments <- lapply(seq_len(ncol(pairs)), function(i) {
    difference <- snapped_difference(paired$values[, pairs[1L, i]], paired$values[, pairs[2L, i]])
    stratified_moments(difference, paired$weight, paired$fold)
  })
  variance <- mean(vapply(moments, function(own) own$se^2 * own$n_effective, 0))
  size <- mean(vapply(moments, `[[`, 0, "mean")^2)
  if (!(variance > 1e-20 * size) || variance == 0) {
    stop_input("values", sprintf("The differences of `%s` are all the same.", name),
               "They have no spread to plan with.", "Give `sd`, or another pilot.", call = call)
  }
  df <- mean(vapply(moments, `[[`, 0, "df"))
  list(variance = variance, df = (length(rankers) - 1) * df, pair_df = df,
       efficiency = moments[[1L]]$n_effective / nrow(paired$values), queries = nrow(paired$values),
       difference = if (length(rankers) == 2L) {
         snapped_difference(paired$values[, 1L], paired$values[, 2L])
       })
}

# The values of a pilot as paired_values() returns them.
pilot_values <- function(pilot, name, metric, call) {
  if (inherits(pilot, "rankmix_comparison")) {
    check_planned_variance(pilot$settings$variance, name, call)
    return(pilot$values[[chosen_names(metric, "metric", names(pilot$values), call)[1L]]])
  }
  if (inherits(pilot, c("rankmix_evaluation", "rankmix_benchmark"))) {
    return(paired_values(evaluated_together(pilot, NULL, metric, "error", call), call)[[1L]])
  }
  values <- if (is.data.frame(pilot)) value_matrix(pilot) else pilot
  if (!is_plain_number(values) || !all(is.finite(values)) || is.object(values)) {
    stop_input("argument",
               sprintf("`%s` must be a comparison, an evaluation, or numbers, not %s.", name,
                       show_value(if (inherits(values, "integer64")) values else pilot)),
               remedy = if (inherits(pilot, "rankmix_ppi")) "Give it as `machine`." else {
                 c("Give the result of `compare_rankers()`, or a matrix of queries x rankers.",
                   "Or give the differences of two rankers.")
               }, call = call)
  }
  if (!is.matrix(values)) values <- cbind(a = as.double(values), b = 0)
  if (ncol(values) < 2L) {
    stop_input("argument", sprintf("`%s` must have the values of two or more rankers.", name), call = call)
  }
  colnames(values) <- NULL
  colnames(values) <- paste0("ranker", seq_len(ncol(values)))
  list(values = values)
}

# A variance with few degrees of freedom can be far too small by chance: an estimate from 20 queries may be
# off by a factor of 2. The 80 % upper limit is too small in one of five pilots only. The limit uses the
# degrees of freedom of one pair for any number of rankers, because a difficult query changes the differences
# of all pairs.
planned_variance <- function(pilot, upper_limit) {
  df <- pilot$pair_df
  if (is.null(upper_limit)) upper_limit <- df < small_pilot_df
  factor <- if (upper_limit) df / stats::qchisq(0.2, df) else 1
  list(variance = pilot$variance * factor, factor = factor, upper_limit = upper_limit)
}

# Above this number the upper limit of the standard deviation is less than 7 % larger than the estimate.
small_pilot_df <- 100
