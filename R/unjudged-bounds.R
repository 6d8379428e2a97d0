# Bounds of metrics over all grades that unjudged documents could have, for evaluate(bounds = TRUE). The
# fillings are in R/unjudged-fillings.R.

# How evaluate() treats unjudged documents.
unjudged_settings <- function(judged_only, bounds, max_grade, data, metrics, call = rlang::caller_env()) {
  check_flag(judged_only, "judged_only", call)
  check_flag(bounds, "bounds", call)
  if (!is.null(max_grade) && !bounds) {
    stop_input("argument", "`max_grade` can only be used with `bounds = TRUE`.", call = call)
  }
  if (judged_only && bounds) {
    stop_input("argument", "`judged_only` and `bounds` exclude each other.",
               "Without unjudged documents there is nothing to bound.", "Give one of them.", call = call)
  }
  if ((judged_only || bounds) && !inherits(data, "rankmix_qrels")) {
    stop_input("argument", sprintf("`%s` needs a run and judgements.",
                                   if (bounds) "bounds" else "judged_only"),
               "All documents of ranking data are judged.",
               "Give a run, and judgements made by `read_qrels()` or `as_qrels()`.", call = call)
  }
  list(judged_only = judged_only, bounds = bounds,
       max_grade = if (bounds) highest_grade(max_grade, data$relevance, metrics, call))
}

# The highest grade that an unjudged document can have.
highest_grade <- function(max_grade, relevance, metrics, call) {
  if (is.null(max_grade)) {
    relevant <- vapply(metrics, function(metric) {
      if (inherits(metric, "rankmix_custom")) 1 else max(1, metric_rules(metric)$relevant)
    }, 0)
    return(as.integer(max(relevance, relevant)))
  }
  check_count(max_grade, "max_grade", max = largest_grade, call = call)
  if (max_grade < max(relevance)) {
    stop_input("grade", sprintf("`max_grade` is %d, but the judgements have the grade %d.",
                                as.integer(max_grade), max(relevance)),
               remedy = "Give the highest grade of the scale.", call = call)
  }
  as.integer(max_grade)
}

# Only some metrics have bounds, with one order of the documents and a value of 0 for empty queries.
check_has_bounds <- function(metrics, call) {
  for (name in names(metrics)) {
    metric <- metrics[[name]]
    if (inherits(metric, "rankmix_custom") || !metric$name %in% names(filling_forms)) {
      stop_input("argument", sprintf("There are no bounds of `%s`.", name),
                 sprintf("There are bounds of %s.", enumerate(names(filling_forms), 20L)), call = call)
    }
    rules <- metric_rules(metric)
    if (!rules$ties %in% c("order", "document")) {
      stop_input("argument", sprintf("Bounds of `%s` need one order of the documents.", name),
                 sprintf("Its `ties` are \"%s\".", rules$ties),
                 "Set `ties = \"order\"` or `ties = \"document\"`.", call = call)
    }
    if (!identical(rules$empty, 0) && !identical(rules$empty, 0L)) {
      stop_input("argument", sprintf("Bounds of `%s` need `empty = 0`.", name),
                 sprintf("Its `empty` is %s.", show_parameter(rules$empty)),
                 "Whether a query is empty depends on its unjudged documents.", call = call)
    }
  }
}

# Adds `lowest`, `highest` and, for RBP, `rbp_residual` to the evaluation of one run.
add_bounds <- function(table, metrics, judged, max_grade, threads, call) {
  lowest <- highest <- residual <- matrix(NA_real_, length(judged$query_ids), length(metrics))
  for (m in seq_along(metrics)) {
    metric <- metrics[m]
    positions <- document_positions(metric, judged$scores, judged, call)
    ranks <- document_ranks(metric[[1L]], judged$scores, judged, positions)
    rules <- filling_rules(metric[[1L]], judged, max_grade, call)
    filled <- function(sides) {
      judged$relevance <- highest_filling(rules, judged, sides, max_grade)
      metric_matrix(metric, judged$scores, judged, threads, call, positions = positions)[, 1L]
    }
    highest[, m] <- filled(list(a = ranks))
    lowest[, m] <- filled(list(b = ranks))
    if (rules$name == "rbp") residual[, m] <- rbp_residuals(rules, judged, ranks)
  }
  table$lowest <- as.vector(lowest)
  table$highest <- as.vector(highest)
  if (!all(is.na(residual))) table$rbp_residual <- as.vector(residual)
  table
}

filling_rules <- function(metric, judged, max_grade, call) {
  metric_spec(metric, c(judged$relevance, max_grade), max(diff(judged$offsets)), call)
}

# The largest RBP that unjudged documents and the documents after the end of the list could add (Moffat
# and Zobel 2008).
rbp_residuals <- function(rules, judged, ranks) {
  p <- rules$persistence
  queries <- length(judged$query_ids)
  length <- tabulate(judged$query[is.finite(ranks)], queries)
  open <- judged$relevance < 0L & ranks <= rules$k & is.finite(ranks)
  own <- factor(judged$query[open], seq_len(queries))
  p^pmin(length, rules$k) + (1 - p) * as.vector(tapply(p^(ranks[open] - 1), own, sum, default = 0))
}

# The means of the bounds, for summary().
bound_columns <- c("lowest", "highest", "rbp_residual")

mean_bounds <- function(rows) {
  columns <- intersect(bound_columns, names(rows))
  if (length(columns) == 0L) {
    return(NULL)
  }
  list2DF(lapply(stats::setNames(nm = columns), function(name) {
    value_moments(rows[[name]], rows$weight)$mean
  }))
}

# ", bounds 0.2000 to 0.4000" after a printed mean.
bounds_words <- function(table, i) {
  if (is.null(table$lowest)) {
    return("")
  }
  sprintf(", bounds %.4f to %.4f", table$lowest[i], table$highest[i])
}
