# The values of rankers under human and machine grades, for evaluate_ppi().

# For each metric: `query`, `weight` (one number per query), `machine` (queries x rankers) and `human` (the same,
# NA in queries without human grades). From two evaluations of the same rankers.
values_of_evaluations <- function(human, machine, call) {
  both <- list(human = human, machine = machine)
  for (name in names(both)) {
    check_class(both[[name]], name, "rankmix_evaluation", "`evaluate()` or `as_evaluation()`", call)
  }
  both <- lapply(both, ppi_table)
  metrics <- intersect(both$human$metric, both$machine$metric)
  if (length(metrics) == 0L) {
    stop_input("argument", "`human` and `machine` have no metric in common.",
               sprintf("They have %s and %s.", enumerate(unique(both$human$metric)),
                       enumerate(unique(both$machine$metric))),
               "Evaluate the rankers by the same metrics.", call = call)
  }
  lapply(stats::setNames(metrics, metrics), function(metric) {
    wide <- lapply(both, function(table) ppi_columns(table[table$metric == metric, ], call))
    joined_values(wide$human, wide$machine, metric, call)
  })
}

ppi_table <- function(evaluation) {
  table <- as.data.frame(evaluation)
  if (is.null(table$ranker)) table$ranker <- "ranker"
  table$query <- id_text(table$query)
  table
}

ppi_columns <- function(rows, call) {
  if (!is.null(rows$fold)) {
    stop_input("queries", "Evaluations with folds cannot be used.",
               remedy = "Evaluate one model of each ranker on one set of queries.", call = call)
  }
  wide <- side_by_side(rows, unique(rows$ranker), call)
  wide$values <- counted_values(wide$values, wide$query, call)
  wide
}

# NA counts as 0. Queries whose value is NaN are refused, because the mean would then be a ratio of two
# estimates.
counted_values <- function(values, query, call) {
  out <- which(rowSums(is.nan(values)) > 0L)
  if (length(out) > 0L) {
    stop_input("values", "The metric leaves queries out of the mean.",
               sprintf("For example query %s.", enumerate(query[out])),
               "Use a metric that gives every query a value, such as one with `empty = 0`.", call = call)
  }
  values[is.na(values)] <- 0
  values
}

joined_values <- function(human, machine, metric, call) {
  check_ppi_rankers(colnames(human$values), colnames(machine$values), call)
  at <- match(human$query, machine$query)
  if (anyNA(at)) {
    stop_input("queries", "Some queries have human grades, but no machine grades.",
               sprintf("%d queries, such as %s.", sum(is.na(at)), enumerate(human$query[is.na(at)])),
               "Let the machine grade them as well.", call = call)
  }
  weight <- if (is.null(machine$weight)) rep(1, length(machine$query)) else machine$weight
  all <- matrix(NA_real_, length(machine$query), ncol(machine$values), dimnames = dimnames(machine$values))
  all[at, ] <- human$values[, colnames(machine$values)]
  counting_queries(list(query = machine$query, weight = weight, human = all, machine = machine$values), call)
}

check_ppi_rankers <- function(human, machine, call) {
  alone <- c(setdiff(human, machine), setdiff(machine, human))
  if (length(alone) > 0L) {
    stop_input("argument", sprintf("The ranker `%s` is in only one of `human` and `machine`.", alone[1L]),
               remedy = "Evaluate the same rankers with both kinds of grades.", call = call)
  }
}

# Queries of weight 0 are absent.
counting_queries <- function(values, call) {
  kept <- values$weight > 0
  values$query <- values$query[kept]
  values$weight <- values$weight[kept]
  for (name in c("human", "machine")) values[[name]] <- values[[name]][kept, , drop = FALSE]
  check_human_queries(sum(!is.na(values$human[, 1L])), call)
  values
}

check_human_queries <- function(count, call) {
  if (count < 3L) {
    stop_input("queries", "Fewer than three queries have human grades.",
               remedy = "Grade more queries: 20 or more give useful intervals.", call = call)
  }
}

# From rankers and data, with a human and a machine judgement of each document.
values_of_rankers <- function(x, data, metrics, human, machine, settings, call) {
  check_ranking_data(data, judged = FALSE, call = call)
  check_graded(data, "The estimate", call)
  check_given(is.null(metrics), "metrics", "For example `metric_ndcg(10)`.", call = call)
  metrics <- check_metrics(metrics, NULL, call)
  human <- check_human(human, data, call)
  at_least <- machine_probabilities(data, human, machine, settings, call)
  scores <- score_columns(x, data, settings$threads, call)
  if (!is.list(scores)) scores <- list(ranker = scores)
  largest <- if (is.null(at_least)) max(machine, human, na.rm = TRUE) else ncol(at_least)
  # Relevance of type double is not graded, but grades of a machine may have this type.
  metrics <- settle_metrics(metrics, as.integer(c(max(largest, human, na.rm = TRUE), 0)))
  judged <- judged_documents(data)
  by_machine <- if (is.null(at_least)) {
    grade_values(metrics, scores, judged, machine, settings$threads)
  } else {
    drawn_values(metrics, scores, data, at_least, settings$draws, settings$seed, settings$threads)
  }
  with_human <- queries_judged(data, human)
  by_human <- matrix(NA_real_, nrow(by_machine), ncol(by_machine))
  by_human[with_human, ] <- human_values(metrics, scores, judged, with_human, human, settings$threads)
  split_by_metric(by_human, by_machine, names(metrics), names(scores), data, human, call)
}

# The values of the queries with human grades. Ties are reported as by evaluate().
human_values <- function(metrics, scores, judged, with_human, human, threads) {
  rows <- with_human[judged$query]
  judged$relevance <- human
  part <- judged_part(judged, with_human)
  scores <- lapply(scores, `[`, rows)
  warn_ties(metrics, list(list(scores = scores, judged = part, rankers = names(scores))), threads)
  metric_matrix(metrics, scores, part, threads)
}

split_by_metric <- function(by_human, by_machine, metrics, rankers, data, human, call) {
  judged <- queries_judged(data, human)
  query <- id_text(data$query_ids)
  lapply(stats::setNames(seq_along(metrics), metrics), function(m) {
    own <- (m - 1L) * length(rankers) + seq_along(rankers)
    columns <- function(values) matrix(values[, own], nrow(values), dimnames = list(NULL, rankers))
    humans <- columns(by_human)
    humans[judged, ] <- counted_values(humans[judged, , drop = FALSE], query[judged], call)
    counting_queries(list(query = query,
                          weight = if (is.null(data$weight)) rep(1, length(query)) else data$weight,
                          human = humans, machine = counted_values(columns(by_machine), query, call)), call)
  })
}

# Human grades, in row order, NA for documents that were not judged. Either all documents of a query are
# judged, or none.
check_human <- function(human, data, call) {
  if (is.atomic(human) && length(human) > 0L && all(is.na(human))) {
    stop_input("argument", "`human` has no grade.", "All values are NA.",
               "Humans must grade three queries or more.", call = call)
  }
  if (!is_plain_number(human) || length(human) != nrow(data)) {
    stop_input("argument",
               sprintf("`human` must have one grade a row of `data`: %d grades, not %s.", nrow(data),
                       show_value(human)),
               remedy = c(grades_as_numbers(human), "Use NA for documents that no human judged."),
               call = call)
  }
  check_grades(replace(human, is.na(human), 0), call)
  partly <- which(queries_judged(data, human) &
                    tabulate(data$query[is.na(human)], length(data$query_ids)) > 0L)
  if (length(partly) > 0L) {
    stop_input("grade", "Some queries have human grades of some documents only.",
               sprintf("%s, such as %s.", counted(length(partly), "query", "queries"),
                       enumerate(data$query_ids[partly])),
               "Grade all documents of a query, or set all its human grades to NA.", call = call)
  }
  check_human_queries(sum(queries_judged(data, human) & positive_weight(data)), call)
  as.integer(human)
}

# P(grade >= k), documents x grades. NULL if machine grades are used as they are.
machine_probabilities <- function(data, human, machine, settings, call) {
  if (is.matrix(machine)) {
    return(reached_probabilities(check_machine_probabilities(machine, nrow(data), call)))
  }
  if (!is_plain_number(machine) || length(machine) != nrow(data)) {
    stop_input("argument",
               sprintf("`machine` must have one number per row of `data`: %d numbers, not %s.",
                       nrow(data), show_value(machine)),
               remedy = "Or a matrix of the probabilities of the grades 0, 1, ..., a row per document.",
               call = call)
  }
  bad <- which(!is.finite(machine))
  if (length(bad) > 0L) {
    stop_input("argument", "`machine` must have a finite number for each document.",
               sprintf("Row %d has %s, one of %s.", bad[1L], show_value(machine[bad[1L]]),
                       counted(length(bad), "such row")),
               "Let the machine grade all documents. `human` may have NA.", call = call)
  }
  if (is.null(settings$calibrator)) {
    check_grades(machine, call)
    return(NULL)
  }
  calibrated_grades(data, human, as.double(machine), settings$calibrator, settings$folds, settings$seed,
                    settings$threads)
}

check_machine_probabilities <- function(machine, rows, call) {
  good <- is_plain_number(machine) && nrow(machine) == rows && ncol(machine) %in% 2:(largest_grade + 1L)
  if (!good) {
    stop_input("argument",
               sprintf("Probabilities of grades must be a matrix of %d documents x 2 or more grades, not %s.",
                       rows, show_value(machine)), call = call)
  }
  bad <- which(!(rowSums(machine < 0) %in% 0) | !(abs(rowSums(machine) - 1) < 1e-6))
  if (length(bad) > 0L) {
    stop_input("argument", sprintf("The probabilities of row %d are not a distribution.", bad[1L]),
               "They must be at least 0 and sum to 1.", call = call)
  }
  unname(machine)
}
