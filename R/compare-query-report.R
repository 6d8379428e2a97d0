#' On which queries do two rankers differ?
#'
#' Shows the queries that gain and lose most, the queries that decide the comparison, and whether the
#' difference depends on the kind of query. Use it after [compare_rankers()], to find what to improve.
#'
#' @param x The comparison, made by [compare_rankers()]. Or an evaluation, a benchmark, or a matrix of queries
#'   x rankers. Only evaluations and benchmarks have the columns `documents` and `relevant`.
#' @param a,b The names of the two rankers; by default the first two.
#' @param tolerance The largest difference that counts as equal, default 0.01. Larger values leave only the
#'   queries that users would notice.
#' @param by The columns that divide the queries into groups: a data frame with a column `query` and one row
#'   for each query. Or some of `"documents"`, `"relevant"` and `"fold"`. The default `NULL` has no groups.
#' @param agreement The result of [ranking_agreement()] for `a` and `b`; its columns are added. Default
#'   `NULL`.
#' @param metric The name of the metric; by default the first metric.
#' @param groups Number of groups of a numeric column with many values, default 3. The groups have about
#'   equal sizes. More groups need more queries.
#' @param level The significance level of intervals and verdicts, default 0.05.
#' @param resamples Number of permutations of the interaction test, default 10000.
#' @param seed The seed of the permutations; by default drawn from R's generator.
#'
#' @return A value of class `rankmix_query_report`. `tidy(what = )` returns one of three data frames.
#'
#' `"queries"` (the default), the most influential query first:
#' * `query`, and `fold` and `weight` if there are any;
#' * `value_a`, `value_b`, and their `difference`; `verdict`: `"better"`, `"equal"` or `"worse"`;
#' * `mean`: over all rankers in `x`; `hardness`: 1 for the query with the lowest mean;
#' * `influence`: the mean difference minus the mean difference without the query;
#' * `p_without`: the p-value of the t test without the query;
#' * `documents`, `relevant`: if known. Columns of `agreement`: if given.
#'
#' `"groups"`: `column`, `group`, number of `queries`, `difference`, its interval `lower` and `upper`, and the
#' p-values of the column. `"tests"`: for each column `p_interaction`, and `p_adjusted` by Holm over columns.
#'
#' [autoplot.rankmix_query_report()] draws queries and groups.
#' @examples
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' values <- evaluate(list(first = test$x[, 1], second = test$x[, 2]), test, "ndcg@10")
#' report <- query_report(values, "first", "second", by = "relevant", resamples = 1000, seed = 1)
#' report
#' head(tidy(report)[c("query", "difference", "influence", "p_without")], 3)
#'
#' @details
#' **Influence.** With weights \eqn{w_q}{w_q}, mean difference m and the sum of weights W, the influence of
#' query q is \eqn{w_q (d_q - m) / (W - w_q)}{w_q (d_q - m) / (W - w_q)}. It is \eqn{(d_q - m) / (n - 1)}{(d_q
#' - m) / (n - 1)} without weights. A result that depends on one query is weak evidence. But do not remove a
#'   query because it has much influence.
#'
#' **Groups.** `p_interaction` is the p-value against "all groups have the same mean difference". The groups
#' are permuted among the queries, within folds. The statistic is from Welch's test, so groups may have
#' different variances. But the test rejects too often if a small group has a much larger variance than the others. With
#' 30 queries it rejected 14 % at level 5 % in simulations. A single group has no p-value. If one group has a
#' significant difference and another group has none, this does not show an interaction. Look at `p_adjusted` instead.
#' Choose the columns before you see the values. Values of the metric cannot be columns, because queries that are bad
#' for one ranker favour the other ranker.
#'
#' **Ties and undefined cases.** Differences are rounded to 12 digits, as in the tests. With two queries or
#' fewer `p_without` is 1. A column with one group has no p-value. Missing values of a column are the group
#' `"missing"`. Groups of one query have no interval.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: unknown rankers, metric or columns; equal `a` and `b`; a negative tolerance.
#' * `rankmix_error_queries`: `by` or `agreement` lacks a query, or has it twice.
#' @section Cost: O(n `resamples`) for n queries and each column: 1 s for 500 queries. With folds of one or
#'   two queries, or with weights over folds, O(n^2) for `p_without`.
#' @references Chung and Romano (2013), \doi{10.1214/13-AOS1090}.
#' @seealso [risk()] for the losses against a baseline.
#' @export
query_report <- function(x, a = NULL, b = NULL, tolerance = 0.01, by = NULL, agreement = NULL, metric = NULL,
                         groups = 3, level = 0.05, resamples = 10000, seed = NULL) {
  check_given(missing(x), "x", "Give a comparison made by `compare_rankers()`.")
  check_number(tolerance, "tolerance", 0, Inf)
  check_significance(level)
  check_count(groups, "groups", min = 2, max = 20)
  check_count(resamples, "resamples", min = 100, max = 1e7)
  seed <- check_seed(seed)
  call <- rlang::current_env()
  values <- values_by_metric(x, metric, "x", call)
  if (length(metric) > 1L) {
    stop_input("argument", sprintf("`metric` must be one metric, not %d.", length(metric)),
               remedy = "Make a report for each metric.")
  }
  values <- values[1L]
  paired <- values[[1L]]
  pair <- reported_pair(a, b, colnames(paired$values), call)
  difference <- snapped_difference(paired$values[, pair[1L]], paired$values[, pair[2L]])
  moments <- stratified_moments(difference, paired$weight, paired$fold)
  queries <- report_queries(paired, pair, difference, moments, tolerance)
  queries <- cbind(queries, judged_columns(x, paired, names(values), pair[1L]),
                   agreement_columns(agreement, paired, call))
  columns <- lapply(group_columns(by, queries, paired, call), query_groups_of, count = groups)
  tested <- if (length(columns) > 0L) subgroup_tests(difference, paired, columns, level, resamples, seed)
  interval <- difference_interval(difference, paired$weight, moments,
                                  list(interval = "t", level = level, alternative = "two.sided"))
  structure(list(queries = queries[order(-abs(queries$influence)), , drop = FALSE], groups = tested$groups,
                 tests = tested$tests, a = pair[1L], b = pair[2L], metric = names(values),
                 tolerance = tolerance, level = level, difference = moments$mean, lower = interval[["lower"]],
                 upper = interval[["upper"]], p = t_test_p(moments, length(difference))),
            class = "rankmix_query_report")
}

# `a` and `b`, by default the first two rankers.
reported_pair <- function(a, b, rankers, call) {
  if (length(rankers) < 2L) {
    stop_input("argument", "`x` must have two or more rankers.", call = call)
  }
  if (!is.null(a)) check_choice(a, "a", rankers, call)
  if (!is.null(b)) check_choice(b, "b", rankers, call)
  if (is.null(a)) a <- setdiff(rankers, b)[1L]
  if (is.null(b)) b <- setdiff(rankers, a)[1L]
  if (a == b) {
    stop_input("argument", "`a` and `b` must be different rankers.",
               sprintf("Both are `%s`.", a), call = call)
  }
  c(a, b)
}

report_queries <- function(paired, pair, difference, moments, tolerance) {
  mean <- rowMeans(paired$values)
  change <- without_each(difference, paired$weight, paired$fold)
  # A difference equal to the tolerance counts as equal, despite rounding.
  verdict <- ifelse(abs(difference) <= tolerance * (1 + 1e-9), "equal",
                    ifelse(difference > 0, "better", "worse"))
  list2DF(c(columns_of_queries(paired), list(
    value_a = unname(paired$values[, pair[1L]]), value_b = unname(paired$values[, pair[2L]]),
    difference = difference, verdict = verdict, mean = unname(mean),
    hardness = as.integer(rank(snapped_values(mean), ties.method = "min")),
    influence = moments$mean - change$mean, p_without = change$p
  )))
}

# The mean difference and the p-value of the t test without each query.
without_each <- function(difference, weight, fold) {
  n <- length(difference)
  if (n == 1L) {
    return(list(mean = NA_real_, p = 1))
  }
  moments <- moments_without_each(difference, weight)
  sizes <- tabulate(match(fold, unique(fold)))
  if (length(sizes) > 1L) {
    moments <- if (min(sizes) < 3L) recomputed_without_each(difference, weight, fold) else {
      stratified_without_each(difference, weight, fold, moments)
    }
  }
  p <- Map(function(mean, se, df) t_test_p(list(mean = mean, se = se, df = df), n - 1L), moments$mean, moments$se,
           moments$df)
  list(mean = moments$mean, p = unlist(p, use.names = FALSE))
}

# The sums over all queries minus one, in O(n). `total` is the weight of the other queries.
moments_without_each <- function(difference, weight) {
  n <- length(difference)
  w <- if (is.null(weight)) rep(1, n) else weight / mean(weight)
  centre <- sum(w * difference) / sum(w)
  d <- difference - centre
  total <- sum(w) - w
  mean <- (sum(w * d) - w * d) / total
  first <- sum(w^2 * d) - w^2 * d
  second <- sum(w^2) - w^2
  squares <- sum(w^2 * d^2) - w^2 * d^2 - 2 * mean * first + mean^2 * second
  # If all differences are equal, only rounding noise is left, which becomes 0.
  squares[squares < snap_tolerance * max(abs(difference))^2] <- 0
  size <- n - 1L
  se <- if (size > 1L) sqrt(squares * size / (size - 1)) / total else rep(NA_real_, n)
  list(mean = mean + centre, se = se, df = total^2 / second - 1)
}

# As stratified_moments(): only the stratum of the query changes. Every fold has three queries or more, so each fold
# stays a stratum. `all` has the moments without strata. In O(n) without weights.
stratified_without_each <- function(difference, weight, fold, all) {
  w <- if (is.null(weight)) rep(1, length(difference)) else weight
  strata <- split(seq_along(difference), match(fold, unique(fold)))
  whole <- lapply(strata, function(rows) stratified_moments(difference[rows], weight[rows], summed = TRUE))
  size <- vapply(strata, function(rows) sum(w[rows]), 0)
  square <- (size * vapply(whole, `[[`, 0, "se"))^2
  ratio <- square^2 / vapply(whole, `[[`, 0, "df")
  for (s in seq_along(strata)) {
    rows <- strata[[s]]
    own <- moments_without_each(difference[rows], weight[rows])
    if (!is.null(weight)) own$se <- corrected_without_each(difference[rows], weight[rows], own$mean)
    squares <- ((size[s] - w[rows]) * own$se)^2
    sum_squares <- sum(square[-s]) + squares
    all$se[rows] <- sqrt(sum_squares) / (sum(size) - w[rows])
    all$df[rows] <- ifelse(sum_squares == 0, all$df[rows] + 1 - length(strata),
                           sum_squares^2 / (sum(ratio[-s]) + squares^2 / own$df))
  }
  all
}

# The standard errors of weighted means of a fold without each query. The factor of each remaining query depends on the
# query that is left out, so this takes O(n^2).
corrected_without_each <- function(difference, weight, means) {
  vapply(seq_along(difference), function(q) {
    w <- weight[-q]
    sqrt(corrected_sum((w * (difference[-q] - means[q]))^2, w, summed = TRUE)) / sum(w)
  }, 0)
}

# Without a query of a small fold, other folds form strata, so the moments are computed anew: in O(n^2).
recomputed_without_each <- function(difference, weight, fold) {
  moments <- lapply(seq_along(difference), function(q) stratified_moments(difference[-q], weight[-q], fold[-q]))
  lapply(stats::setNames(nm = c("mean", "se", "df")), function(name) vapply(moments, `[[`, 0, name))
}

# `documents` and `relevant` of each query, or nothing. If a query is in several folds, the first fold is used.
judged_columns <- function(x, paired, metric, ranker) {
  table <- if (inherits(x, "rankmix_benchmark")) x$results else if (inherits(x, "rankmix_evaluation")) x
  columns <- intersect(c("documents", "relevant"), names(table))
  if (length(columns) == 0L) {
    return(list2DF(list(), nrow(paired$values)))
  }
  rows <- which(table$metric == metric & table$ranker == ranker)
  key <- query_keys(if (!is.null(paired$fold)) table$fold[rows], table$query[rows])
  rows <- rows[match(query_keys(paired$fold, paired$query), key)]
  list2DF(lapply(stats::setNames(nm = columns), function(column) table[[column]][rows]))
}

agreement_columns <- function(agreement, paired, call) {
  if (is.null(agreement)) {
    return(list2DF(list(), nrow(paired$values)))
  }
  check_class(agreement, "agreement", "rankmix_ranking_agreement", "`ranking_agreement()`", call)
  columns <- intersect(c("identical", "moved", order_measures), names(agreement))
  beside_queries(structure(agreement, class = "data.frame")[c("query", columns)], "agreement", paired, call)
}

# The rows of a data frame with a column `query`, in the order of the compared queries.
beside_queries <- function(table, name, paired, call) {
  table <- plain_frame(table)
  if (is.null(table[["query"]])) {
    stop_input("argument", sprintf("`%s` must have a column `query`.", name),
               sprintf("It has %s.", enumerate(names(table))), call = call)
  }
  ids <- id_text(table$query)
  if (anyDuplicated(ids)) {
    stop_input("queries", sprintf("`%s` has a query twice.", name),
               sprintf("Query %s.", enumerate(unique(ids[duplicated(ids)]))), call = call)
  }
  at <- match(id_text(paired$query), ids)
  if (anyNA(at)) {
    stop_input("queries", sprintf("`%s` lacks queries.", name),
               sprintf("It lacks %s.", enumerate(id_text(paired$query)[is.na(at)])),
               "Give one row for each query.", call = call)
  }
  table <- table[at, setdiff(names(table), "query"), drop = FALSE]
  row.names(table) <- NULL
  table
}

# The columns of the groups as a named list.
group_columns <- function(by, queries, paired, call) {
  if (is.null(by)) {
    return(list())
  }
  if (is.data.frame(by)) {
    columns <- as.list(beside_queries(by, "by", paired, call))
    odd <- names(columns)[!vapply(columns, is.atomic, NA)]
    if (length(odd) > 0L || length(columns) == 0L) {
      stop_input("argument",
                 if (length(odd) > 0L) sprintf("Column `%s` of `by` must be a vector.", odd[1L]) else {
        "`by` has no column besides `query`."
      }, call = call)
    }
    return(columns)
  }
  known <- intersect(c("documents", "relevant", "fold"), names(queries))
  if (!is.character(by) || !all(by %in% known)) {
    stop_input("argument",
               sprintf("`by` must be a data frame with a column `query`, or names of columns, not %s.",
                                   show_value(by)),
               sprintf("The columns are %s.", if (length(known) > 0L) enumerate(known) else "none"),
               if (length(known) < 2L) "Evaluations made by `evaluate()` have `documents` and `relevant`.",
               call = call)
  }
  as.list(queries[unique(by)])
}

#' @export
tidy.rankmix_query_report <- function(x, what = "queries", ...) {
  check_no_others(...)
  check_choice(what, "what", c("queries", "groups", "tests"))
  found <- x[[what]]
  if (is.null(found)) {
    stop_input("argument", "The report has no groups.", remedy = "Write `query_report(by = )`.")
  }
  row.names(found) <- NULL
  found
}
