# Turns the rankers of a comparison, in any form, into one evaluation.

# One evaluation of all rankers. `table` has a column `ranker`. `identical(a, b)` returns for each
# query whether both rankers rank it alike; NULL if the rankings are not available.
evaluated_rankers <- function(rankers, data, metric, threads, topics = "error",
                              call = rlang::caller_env()) {
  if (length(rankers) == 1L && is.null(names(rankers))) {
    if (is.object(rankers[[1L]]) || !is.list(rankers[[1L]])) {
      return(evaluated_together(rankers[[1L]], data, metric, topics, call))
    }
    rankers <- rankers[[1L]]  # the rankers are given as a list, as for evaluate()
  }
  names(rankers) <- ranker_names(rankers, call,
                                 "Write `compare_rankers(trees = ..., ridge = ..., data = test, ...)`.")
  if (length(rankers) < 2L) {
    stop_input("argument", "A comparison needs two or more rankers.",
               remedy = "Give two or more.", call = call)
  }
  done <- vapply(rankers, inherits, logical(1), what = "rankmix_evaluation")
  if (!all(done) && is.null(data)) {
    stop_input("argument",
               sprintf("`data` is not given. It is needed to evaluate `%s`.",
                       names(rankers)[!done][1L]), call = call)
  }
  if (any(done)) {
    return(evaluated_apart(rankers, done, data, metric, threads, topics, call))
  }
  if (is.null(metric)) {
    stop_input("argument", "`metric` is not given.", remedy = "For example `metric_ndcg(10)`.",
               call = call)
  }
  if (inherits(data, "rankmix_qrels")) {
    table <- evaluate(rankers, data, metric, topics = topics, threads = threads)
    return(list(table = table, identical = NULL, shown = attr(table, "shown")))
  }
  if (is_source(data)) {
    scored <- scored_source(rankers, data, threads, call)
    data <- scored$data
    scores <- scored$scores
  } else {
    check_ranking_data(data, made_by = "`ranking_data()`, or `read_qrels()` for runs",
                       call = call, binned = TRUE)
    scores <- score_columns(rankers, data, threads, call)
  }
  table <- evaluate(scores, data, metric, threads = threads)
  list(table = table, identical = same_rankings(scores, data), shown = attr(table, "shown"))
}

evaluated_together <- function(object, data, metric, topics, call) {
  if (inherits(object, "rankmix_benchmark")) {
    return(benchmark_evaluation(object, metric, call))
  }
  if (is_value_table(object)) object <- values_evaluation(object, data, metric, topics, call)
  if (!inherits(object, "rankmix_evaluation") || is.null(object$ranker)) {
    stop_input("argument",
               sprintf("Rankers need names, unlike %s.", show_value(object)),
               remedy = paste("For example `compare_rankers(ours = model, bm25 = scores, data =",
                              "test, metric = metric_ndcg(10))`."), call = call)
  }
  list(table = chosen_metrics(object, metric, call), identical = NULL,
       shown = attr(object, "shown"))
}

# A matrix or data frame of values of queries that were computed elsewhere.
is_value_table <- function(object) {
  is.matrix(object) && is_plain_number(object) || is.data.frame(object) && !inherits(object, "rankmix_evaluation")
}

values_evaluation <- function(object, data, metric, topics, call) {
  if (!is.null(data)) {
    stop_input("argument", "With `data`, rankers need names.",
               "A table without a name has the values of a metric, not scores of documents.",
               "Scores: `compare_rankers(evaluate(scores, data, metric))`.", call = call)
  }
  # Names of metrics may come from another tool, so they are not parsed.
  name <- if (inherits(metric, "rankmix_metric")) format(metric) else metric
  evaluation_of_values(object, name, NULL, topics, NULL, call)
}

evaluated_apart <- function(rankers, done, data, metric, threads, topics, call) {
  # An evaluation of one ranker may store a name of the ranker. The name of the argument replaces it.
  several <- vapply(rankers[done], function(table) length(unique(table$ranker)) > 1L, NA)
  if (any(several)) {
    stop_input("argument",
               sprintf("`%s` is an evaluation of several rankers.",
                       names(rankers)[done][several][1L]),
               remedy = "Give it alone and without a name.", call = call)
  }
  if (!all(done) && is.null(metric)) {
    stop_input("argument", "`metric` is not given.", remedy = "For example `metric_ndcg(10)`.",
               call = call)
  }
  if (is_source(data) && !all(done)) {
    # The source is read once for all rankers.
    scored <- scored_source(rankers[!done], data, threads, call)
    rankers[!done] <- scored$scores
    data <- scored$data
  }
  rankers[!done] <- warning_once_of_ties(lapply(rankers[!done], evaluate, data = data,
                                                metrics = metric, topics = topics,
                                                threads = threads))
  check_same_grades(rankers, call)
  check_same_metrics(rankers, call)
  tables <- Map(function(table, name) {
    table <- as.data.frame(chosen_metrics(table, metric, call))
    # Ids are numbers in one evaluation and strings in another.
    table$query <- id_text(table$query)
    cbind(ranker = name, table[intersect(c("fold", "query", "documents", "relevant", "metric",
                                           "value", "weight"), names(table))])
  }, rankers, names(rankers))
  check_alike(tables, call)
  list(table = do.call(rbind, c(unname(tables), make.row.names = FALSE)),
       identical = NULL, shown = attr(rankers[[1L]], "shown"))
}

# Evaluations that are bound by rows must have the same metrics. Folds and weights must be in all of
# them or in none.
check_alike <- function(tables, call) {
  first <- tables[[1L]]
  for (name in names(tables)[-1L]) {
    own <- tables[[name]]
    if (!setequal(own$metric, first$metric)) {
      stop_input("argument",
                 sprintf("`%s` and `%s` were not evaluated by the same metrics.",
                         names(tables)[1L], name),
                 sprintf("%s and %s.", enumerate(unique(first$metric)),
                         enumerate(unique(own$metric))),
                 "Set `metric` to a metric that both have.", call = call)
    }
    only <- c(setdiff(names(own), names(first)), setdiff(names(first), names(own)))
    if (length(only) > 0L) {
      stop_input("queries",
                 sprintf("Of `%s` and `%s` only one has a %s of the queries.",
                         names(tables)[1L], name, only[1L]),
                 remedy = "Evaluate both on the same data.", call = call)
    }
  }
}

# One name may mean different metrics, because of a name that the user chose, another convention, another
# scale, or other functions of the user. Evaluations store the full text of each metric, and a hash of its functions.
check_same_metrics <- function(evaluations, call) {
  refuse <- function(found, details) {
    stop_input("argument",
               sprintf("`%s` and `%s` have different metrics of the name `%s`.", found$one, found$other, found$metric),
               details, "Evaluate both by the same metric.", call = call)
  }
  found <- metric_conflict(evaluations, "shown")
  if (!is.null(found)) refuse(found, sprintf("They are %s and %s.", found$values[1L], found$values[2L]))
  found <- metric_conflict(evaluations, "functions")
  if (!is.null(found)) refuse(found, "Their functions differ in code, or in the values that they use.")
}

# The first metric whose value of an attribute differs between two evaluations, or NULL. Older evaluations may lack
# the attribute.
metric_conflict <- function(evaluations, attribute) {
  known <- owner <- character()
  for (i in seq_along(evaluations)) {
    own <- attr(evaluations[[i]], attribute)
    shared <- intersect(names(own), names(known))
    bad <- shared[own[shared] != known[shared]]
    if (length(bad) > 0L) {
      return(list(metric = bad[1L], one = owner[[bad[1L]]], other = names(evaluations)[i],
                  values = c(known[[bad[1L]]], own[[bad[1L]]])))
    }
    new <- setdiff(names(own), names(known))
    known[new] <- own[new]
    owner[new] <- names(evaluations)[i]
  }
  NULL
}

# An attribute that evaluations have by metric, joined for all their metrics.
joined_attribute <- function(evaluations, attribute) {
  all <- unlist(lapply(unname(evaluations), attr, attribute))
  all[!duplicated(names(all))]
}

# Evaluations that are bound by rows must also have the same metrics.
#' @export
rbind.rankmix_evaluation <- function(..., deparse.level = 1) {
  parts <- Filter(function(part) inherits(part, "rankmix_evaluation"), list(...))
  names(parts) <- ifelse(nzchar(rlang::names2(parts)), rlang::names2(parts),
                         sprintf("evaluation %d", seq_along(parts)))
  check_same_metrics(parts, rlang::call2("rbind"))
  plain <- lapply(list(...), function(part) structure(part, class = "data.frame"))
  bound <- do.call(rbind, c(plain, list(make.row.names = FALSE)))
  structure(bound, class = c("rankmix_evaluation", "data.frame"), shown = joined_attribute(parts, "shown"),
            functions = joined_attribute(parts, "functions"))
}

# The rows of the chosen metrics; all rows for NULL. `metric` may be a metric, its text, or a list.
chosen_metrics <- function(table, metric, call) {
  if (is.null(metric)) {
    return(table)
  }
  # Evaluations of other tools have metrics of any name.
  named <- is.character(metric) && all(metric %in% table$metric)
  wanted <- if (named) metric else names(check_metrics(metric, NULL, call))
  lacking <- setdiff(wanted, table$metric)
  if (length(lacking) > 0L) {
    stop_input("argument", sprintf("The evaluation has no metric %s.", enumerate(lacking)),
               sprintf("It has %s.", enumerate(unique(table$metric))), call = call)
  }
  table[table$metric %in% wanted, ]
}

# An error if the evaluations used different grades. Evaluations store a digest of the grades of each query.
check_same_grades <- function(evaluations, call) {
  digests <- lapply(evaluations, attr, "grades")
  known <- digests[lengths(digests) > 0L]
  kind <- if (all(lengths(lapply(known, `[[`, "documents")) > 0L)) "documents" else "grades"
  known <- lapply(known, function(own) stats::setNames(own[[kind]], id_text(own$query)))
  for (other in names(known)[-1L]) {
    shared <- intersect(names(known[[1L]]), names(known[[other]]))
    bad <- shared[known[[1L]][shared] != known[[other]][shared]]
    if (length(bad) > 0L) {
      stop_input("grade",
                 sprintf("`%s` and `%s` were evaluated with different grades.",
                         names(known)[1L], other),
                 sprintf("The grades of query %s differ.", enumerate(bad)),
                 "Evaluate both on the same judgements.", call = call)
    }
  }
}

# Returns a function of two rankers: for each query, whether both rank it alike.
same_rankings <- function(scores, data) {
  digests <- lapply(scores, ranking_digests_of, data = data)
  function(a, b) {
    stats::setNames(digests[[a]] == digests[[b]], query_keys(NULL, data$query_ids))
  }
}

# A unique key of a query: its id, and its fold if there are folds.
query_keys <- function(fold, query) paste(fold, id_text(query), sep = "\r")

ranking_digests_of <- function(scores, data) {
  ranking_digests(rows_by_score(scores, data) - 1L, data$offsets)
}
