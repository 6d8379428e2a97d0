# The plan of the number of queries with human grades if machine grades exist, for queries_needed(machine = ).

# The variances of a plan: `residual`, the part that machine values do not explain, for one human query;
# and `explained`, for one query with machine grades. Means over the pairs of rankers.
machine_spread <- function(machine, machine_queries, metric, upper_limit, test, call) {
  check_class(machine, "machine", "rankmix_ppi", "`evaluate_ppi()`", call)
  if (!test %in% c("t", "interval")) {
    stop_input("argument", sprintf("`machine` cannot be used with `test = \"%s\"`.", test),
               remedy = "Use \"t\" or \"interval\".", call = call)
  }
  metric <- chosen_names(metric, "metric", names(machine$values), call)[1L]
  values <- machine$values[[metric]]
  if (ncol(values$machine) < 2L) {
    stop_input("argument", "`machine` has a single ranker, so there is no difference to plan for.",
               remedy = "Give an `evaluate_ppi()` of two or more rankers.", call = call)
  }
  pilot <- machine_pilot(values)
  planned <- planned_variance(pilot, upper_limit)
  if (is.null(machine_queries)) machine_queries <- pilot$queries
  check_count(machine_queries, "machine_queries", min = 2, call = call)
  list(sd = sqrt(planned$variance), efficiency = pilot$efficiency, upper_limit = planned$upper_limit,
       factor = planned$factor, machine = list(pilot = pilot, explained = pilot$explained,
                                               queries = machine_queries,
                                               human_sd = sqrt(pilot$human * planned$factor)))
}

# `variance` is the residual variance, and `human` is the variance of human values alone.
machine_pilot <- function(values) {
  judged <- !is.na(values$human[, 1L])
  pairs <- utils::combn(ncol(values$machine), 2L)
  between <- function(x) x[, pairs[1L, ], drop = FALSE] - x[, pairs[2L, ], drop = FALSE]
  human <- between(values$human[judged, , drop = FALSE])
  machine <- between(values$machine)
  weight <- values$weight[judged]
  own <- column_moments(human, weight)
  all <- column_moments(machine, values$weight)
  n <- effective_count(own)[1L]
  fitted <- regression_estimates(human, machine[judged, , drop = FALSE], weight, own,
                                 column_moments(machine[judged, , drop = FALSE], weight), all)
  rest <- column_moments(human - rep(fitted$lambda, each = nrow(human)) * machine[judged, , drop = FALSE], weight)
  count <- nrow(human)
  list(variance = mean((moments_se(rest)^2 * n) * (count - 1) / (count - 2)),
       explained = mean(fitted$lambda^2 * moments_se(all)^2 * effective_count(all)),
       human = mean(moments_se(own)^2 * n), pair_df = n - 2, efficiency = n / count,
       queries = nrow(machine), human_queries = count)
}

# The standard deviation of a difference for n human queries, times the root of n over its standard error.
planned_sd <- function(plan, n) {
  if (is.null(plan$machine)) {
    return(plan$sd)
  }
  sqrt(plan$sd^2 + n * plan$machine$explained / plan$machine$queries)
}

# One degree of freedom is used for the coefficient.
planned_df <- function(plan, n) n - if (is.null(plan$machine)) 1 else 2

# If even human grades of all queries are not enough, machine grades of the same number of queries cannot be
# enough.
check_enough_machine_queries <- function(plan, call) {
  all <- plan$machine$queries
  if (!reached(plan, all * plan$efficiency)) {
    stop_input("argument", sprintf("Human grades of all %s do not suffice.", counted(all, "query", "queries")),
               remedy = "Let the machine grade more queries (`machine_queries`), or give a larger `difference`.",
               call = call)
  }
}

# The plan without the machine, for the number of human queries that it saves.
without_machine <- function(plan) {
  plan$sd <- plan$machine$human_sd
  plan$machine <- NULL
  plan
}

machine_words <- function(x) {
  sprintf("machine grades of %s; without them %s", counted(x$machine$queries, "query", "queries"),
          counted(x$machine$human_only, "human query", "human queries"))
}
