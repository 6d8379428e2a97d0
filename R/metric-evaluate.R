#' Evaluate rankers or any scores, query by query
#'
#' @param x What ranks the documents: a ranker (anything with a [predict()]
#'   method that takes `data` and gives one score a row), or a function that does;
#'   numeric scores in the
#'   row order of `data`, higher meaning more relevant; a data frame or matrix
#'   with a column of scores for each ranker; a named list of any of these; or,
#'   with judgements as `data`, a run made by [read_run()] or [as_run()], or a
#'   named list of runs.
#' @param data Judged data, made by [ranking_data()] or [read_letor()]; or
#'   judgements, made by [read_qrels()] or [as_qrels()].
#' @param metrics A metric such as `metric_ndcg(10)`, its text such as `"ndcg@10"` (see
#'   [as_metric()]), or a list of metrics. Names of the list are their names in the
#'   result.
#' @param convention The tool whose rules all metrics follow that have no
#'   convention of their own, see [conventions]; what a metric sets itself stays.
#' @param topics For a run whose queries are not those of the judgements:
#'   `"error"`; `"qrels"`, every judged query counts, and one that the run lacks
#'   has nothing retrieved, as with `trec_eval -c`; or `"common"`, only queries
#'   count that are judged and in every run.
#' @param threads Number of threads; results do not depend on it.
#'
#' @details All metrics that rank the documents alike share one sorted list.
#'   In a run, documents that nobody judged have no gain and are not relevant,
#'   and judged ones that were not retrieved count in the ideal ranking and in the
#'   number of relevant documents.
#'
#'   A metric that does not say how ties are broken ranks documents of equal scores in row order.
#'   Where these have different grades, the order of the rows changes the value: on rows sorted by
#'   grade, equal scores for all documents have NDCG 1. So there is one warning a call where the
#'   orders of tied documents change a mean by more than 0.005, with the lowest and the highest
#'   mean. There is none where the metric sets `ties` or its convention breaks ties by document.
#'
#' @return A data frame of class `rankmix_evaluation` with one row per query and
#'   metric, and ranker where `x` may hold several: `ranker` (its name, in
#'   that case), `query` (the id), `documents` (the number that is ranked), `relevant` (the
#'   number of its judged documents with a grade above 0),
#'   `metric` (its name) and `value`: `NaN` where the metric leaves the query out
#'   of the mean, `NA` where it has no value but the query counts in the mean as
#'   0 (`short_lists = "undefined"`). With weights of queries there is a column `weight`. It is cut
#'   and sorted as a data frame; a part of it prints its rows, without means.
#'
#'   `summary()` gives for each metric (and ranker) the `mean` over the queries that
#'   count, the standard error of that mean, `se` (the standard deviation over
#'   queries divided by the root of their number; `NA` for a single query), with weights
#'   of queries the mean \eqn{\bar v = \sum_q w_q v_q / \sum_q w_q}{sum_q w_q v_q / sum_q
#'   w_q} and \eqn{\sqrt{\frac{n}{n - 1} \sum_q w_q^2 (v_q - \bar v)^2} / \sum_q
#'   w_q}{sqrt(n / (n - 1) sum_q w_q^2 (v_q - mean)^2) / sum_q w_q}, the
#'   limits `lower` and `upper` of the confidence interval by Student's t with n - 1 degrees of freedom, and the
#'   number of `queries` that count, n. With weights the degrees of freedom are `n_effective` - 1, where
#'   `n_effective` is \eqn{(\sum_q w_q)^2 / \sum_q w_q^2}{(sum w)^2 / sum w^2} (Kish), a column then; with `by`, for each value of these columns. The mean is `NaN` where no query counts and
#'   `NA` where none that counts has a value.
#'
#' @section Conditions: `rankmix_error_scores`: scores of the wrong length, that
#'   are not numbers, or `NA`; a model that gives none. `rankmix_error_topics`:
#'   queries in only one of run and judgements. `rankmix_error_document`: a metric
#'   breaks ties by document, and a query has one id twice, or has ties though
#'   documents lack ids; a run or judgements hold a document twice.
#'   `rankmix_error_argument`: metrics that are none, or that share a name; an
#'   argument that there is not.
#'   `rankmix_error_metric`: a metric of yours fails. `rankmix_error_convention` and
#'   `rankmix_error_grade`: see [metric_ndcg()]. `rankmix_warning_ties`: the order of tied documents
#'   changes a mean by more than 0.005.
#'
#' @examples
#' data <- ranking_data(cbind(bm25 = c(3, 1, 2, 5)), relevance = c(0, 1, 2, 0),
#'                      query = c(1, 1, 1, 2))
#' result <- evaluate(data$x[, "bm25"], data, list(metric_ndcg(10), metric_err()))
#' result
#' summary(result)
#' # The worst queries of those that have a relevant document.
#' worst <- result[result$relevant > 0, ]
#' head(worst[order(worst$value), ], 2)
#' summary(result, by = "relevant")        # queries with many relevant documents apart
#' evaluate(data.frame(bm25 = data$x[, "bm25"], zero = 0), data,
#'          c("ndcg@10", "map"), convention = "lightgbm")
#' @param ... Must be empty.
#' @name evaluate
#' @aliases evaluate.default
#' @export
evaluate.default <- function(x, data, metrics, convention = NULL,
                             topics = "error", threads = NULL, ...) {
  check_no_others(...)
  check_all_given()
  threads <- check_threads(threads)
  metrics <- check_metrics(metrics, convention)
  check_choice(topics, "topics", c("error", "qrels", "common"))
  if (inherits(data, "rankmix_qrels")) {
    return(evaluate_runs(x, data, metrics, topics, threads))
  }
  if (inherits(x, "ranking_data") && !inherits(data, "ranking_data")) {
    stop_input("argument", "`evaluate()` takes the ranker first, then the data.",
               remedy = "Write `evaluate(model, data, \"ndcg@10\")`.")
  }
  check_ranking_data(data, made_by = "`ranking_data()`, or `read_qrels()` for a run")
  if (inherits(x, "rankmix_run")) {
    stop_input("argument", "A run is evaluated with judgements, not with ranking data.",
               remedy = "Give `as_qrels(data)` as `data`.")
  }
  naming_memory({
    scores <- score_columns(x, data, threads)
    metrics <- settle_metrics(metrics, data$relevance)
    part <- list(scores = scores, judged = judged_documents(data),
                 rankers = if (is.list(scores)) names(scores))
    table <- evaluation(metrics, scores, part$judged, threads, part$rankers)
    warn_ties(metrics, list(part), threads)
    table
  })
}

# The package evaluate has a function of this name, which is no generic, for code. Where it was attached
# last it is called with our models, and reads them by a generic of its own.
#' @rawNamespace S3method(evaluate::parse_all,rankmix_ranker)
#' @rawNamespace S3method(evaluate::parse_all,rankmix_run)
parse_all.rankmix_ranker <- function(x, ...) {
  stop_input("argument", "This is `evaluate()` of the package evaluate, which evaluates code.",
             remedy = "Write `rankmix::evaluate(...)`, or attach rankmix after evaluate.",
             call = rlang::call2("evaluate"))
}
parse_all.rankmix_run <- parse_all.rankmix_ranker

# The generic of the package generics, so that methods of all packages are found in any order of
# attaching them.
#' @importFrom generics evaluate
#' @export evaluate
#' @noRd
NULL

# `metrics` come from settle_metrics(); `rankers` is NULL, or the name of each ranker.
evaluation <- function(metrics, scores, judged, threads, rankers,
                       call = rlang::caller_env()) {
  values <- metric_matrix(metrics, scores, judged, threads, call)
  queries <- length(judged$query_ids)
  columns <- ranker_count(scores)
  rows <- list(
    query = rep(judged$query_ids, times = columns * length(metrics)),
    documents = rep(ranked_documents(scores, judged), times = length(metrics)),
    relevant = rep(relevant_documents(judged), times = columns * length(metrics)),
    metric = rep(names(metrics), each = queries * columns),
    value = as.vector(values)
  )
  if (!is.null(judged$weight)) {
    rows$weight <- rep(judged$weight, times = columns * length(metrics))
  }
  if (!is.null(rankers)) {
    rows <- c(list(ranker = rep(rep(rankers, each = queries),
                                times = length(metrics))), rows)
  }
  structure(
    list2DF(rows),
    class = c("rankmix_evaluation", "data.frame"),
    shown = attr(metrics, "shown"), rows = length(rows$value),
    grades = judgement_digests(judged)
  )
}

# By which comparisons tell whether two evaluations were made from the same judgements: for
# each query a number of its grades; and where documents have ids one of which of them has
# which.
judgement_digests <- function(judged) {
  ids <- if (!is.null(judged$document) && !anyNA(judged$document)) enc2utf8(judged$document)
  c(list(query = judged$query_ids),
    grade_digests(as.integer(judged$relevance), ids, judged$order,
                  as.integer(judged$offsets)))
}

# How many documents of each query have a grade above 0.
relevant_documents <- function(judged) {
  tabulate(judged$query[judged$relevance > 0L], length(judged$query_ids))
}

# How many documents of each query have a rank, ranker by ranker.
ranked_documents <- function(scores, judged) {
  all <- diff(judged$offsets)
  unlist(lapply(seq_len(ranker_count(scores)), function(j) {
    column <- scores_of_ranker(scores, j)
    if (!anyNA(column)) {
      return(all)
    }
    tabulate(judged$query[!is.na(column)], length(all))
  }))
}

# The scores of a ranker as a vector, or of several as a named list of vectors,
# checked.
score_columns <- function(object, data, threads, call = rlang::caller_env()) {
  several <- is.data.frame(object) || (is.matrix(object) && ncol(object) > 1L) ||
    (is.list(object) && !is.object(object))
  if (!several) {
    return(check_scores(scores_of(object, data, threads, call), data, call = call))
  }
  rankers <- if (is.matrix(object)) {
    lapply(seq_len(ncol(object)), function(j) object[, j])
  } else {
    as.list(object)
  }
  names(rankers) <- ranker_names(object, call)
  Map(function(ranker, name) {
    check_scores(scores_of(ranker, data, threads, call), data, name, call)
  }, rankers, names(rankers))
}

ranker_names <- function(object, call = rlang::caller_env()) {
  names <- if (is.matrix(object)) colnames(object) else names(object)
  if (length(object) == 0L || is.null(names) || !all(nzchar(names)) ||
        anyNA(names) || anyDuplicated(names)) {
    stop_input("argument",
               "Several rankers need names, each a different one.",
               remedy = "Such as `list(mixture = model, bm25 = scores)`.",
               call = call)
  }
  names
}

# Scores as they are, or those of a ranker: of this package, or of any other
# with a predict() method.
scores_of <- function(object, data, threads, call) {
  if (inherits(object, "rankmix_ranker")) {
    return(predict(object, data, threads = threads))
  }
  if (is.atomic(object)) {
    return(object)
  }
  tryCatch(if (is.function(object)) object(data) else predict(object, data),
           error = function(e) {
    stop_input("scores",
               sprintf("No scores can be had of %s.", show_value(object)),
               remedy = paste("Give scores, a function of `data`, or a model whose",
                              "`predict()` takes `data`; one score a row."),
               call = call, parent = e)
  })
}

# `name` is that of the ranker where there are several.
check_scores <- function(scores, data, name = NULL, call = rlang::caller_env()) {
  rows <- nrow(data)
  whose <- if (is.null(name)) "" else sprintf(" of `%s`", name)
  if (!is_plain_number(scores) || length(scores) != rows) {
    stop_input(
      "scores",
      sprintf("The scores%s must be one number a row of `data`: %d numbers, not %s.",
              whose, rows, show_value(scores)),
      remedy = "Give scores in the row order of `data`.",
      call = call
    )
  }
  if (anyNA(scores)) {
    stop_input(
      "scores",
      sprintf("The score of row %d%s is missing.", which(is.na(scores))[1L],
              sub(" of", " in", whose)),
      sprintf("%d scores are missing in all.", sum(is.na(scores))),
      "A document without a score has no rank; give it a lowest score.",
      call = call
    )
  }
  as.double(scores)
}

# Whether documents break ties.
ranks_by_document <- function(metrics) {
  "document" %in% vapply(metrics, function(metric) ranking_rule(metric)$ties, "")
}

# The place of each document among equal scores: byte by byte, the highest id
# first. Empty unless a metric asks for it.
document_positions <- function(metrics, scores, judged, call) {
  if (!ranks_by_document(metrics)) {
    return(integer())
  }
  check_document_ties(lapply(metrics, ranking_rule), scores, judged, call)
  query <- judged$query
  ids <- judged$document
  if (is.null(ids) || anyNA(ids)) {
    return(integer(length(query)))
  }
  sorted <- order(query, enc2utf8(ids), decreasing = c(FALSE, TRUE),
                  method = "radix")
  twice <- which(diff(query[sorted]) == 0L &
                   ids[sorted[-1L]] == ids[sorted[-length(sorted)]])[1L]
  if (!is.na(twice)) {
    stop_input(
      "document",
      sprintf("Query %s has the document `%s` twice.",
              id_text(judged$query_ids[query[sorted[twice]]]), ids[sorted[twice]]),
      sprintf("Rows %d and %d.", sorted[twice], sorted[twice + 1L]),
      "Ties cannot be broken by documents that are the same; keep one.",
      call = call
    )
  }
  positions <- integer(length(query))
  positions[sorted] <- seq_along(sorted)
  positions
}

ranking_rule <- function(metric) {
  if (inherits(metric, "rankmix_custom")) {
    return(list(ties = metric$ties, single_precision = metric$single_precision))
  }
  metric_rules(metric)[c("ties", "single_precision")]
}

# Without ids there may be no ties that documents are to break.
check_document_ties <- function(rules, scores, judged, call) {
  if (!is.null(judged$document) && !anyNA(judged$document)) {
    return(invisible(scores))
  }
  asked <- Filter(function(rule) rule$ties == "document", rules)
  for (single in unique(vapply(asked, `[[`, "", "single_precision"))) {
    for (j in seq_len(ranker_count(scores))) {
      column <- scores_of_ranker(scores, j)
      row <- first_tie(column, judged$relevance, judged$order, judged$offsets,
                       single)
      if (row > 0L) {
        stop_input(
          "document",
          paste("Ties are to be broken by document, but",
                if (is.null(judged$document)) {
                  "the documents have no ids."
                } else {
                  "not all documents have ids."
                }),
          sprintf("Query %s has two documents with the score %s, one in row %d.",
                  id_text(judged$query_ids[judged$query[row]]), format(column[row]), row),
          paste("Give `document = ` to `ranking_data()`, or set another rule,",
                "such as `ties = \"average\"`."),
          call = call
        )
      }
    }
  }
}

#' @param level Level of the confidence interval, above 0 and below 1.
#' @param by Names of columns of the evaluation, also of such as you added, by whose values
#'   the queries are summarised apart; for instance `"relevant"`.
#' @param ... Not used.
#' @rdname evaluate
#' @export
summary.rankmix_evaluation <- function(object, level = 0.95, by = NULL, ...) {
  check_no_others(...)
  good <- is.numeric(level) && length(level) == 1L && isTRUE(level > 0 & level < 1)
  if (!good) {
    stop_input("argument",
               sprintf("`level` must be a number above 0 and below 1, not %s.",
                       show_value(level)))
  }
  lacking <- setdiff(c("query", "metric", "value"), names(object))
  if (length(lacking) > 0L) {
    stop_input("column",
               sprintf("The evaluation has no column %s.", enumerate(lacking)))
  }
  check_by(by, object)
  keys <- unique(c(intersect(c("ranker", "metric"), names(object)), by))
  if (anyDuplicated(as.data.frame(object)[unique(c("query", keys))])) {
    stop_input("argument",
               "Some queries have more than one value of a metric.",
               remedy = "Summarise the evaluations of each ranker and fold alone.")
  }
  group <- group_numbers(object, keys)
  groups <- as.data.frame(object)[!duplicated(group), keys, drop = FALSE]
  members <- split(seq_along(group), factor(group, unique(group)))
  rows <- lapply(seq_along(members), function(i) {
    cbind(groups[i, , drop = FALSE],
          summary_columns(summarise_values(object$value[members[[i]]],
                                           object$weight[members[[i]]], level), object$weight),
          row.names = NULL)
  })
  if (!is.null(by)) {
    rows <- rows[do.call(order, lapply(keys, function(key) {
      if (key %in% by) groups[[key]] else match(groups[[key]], unique(groups[[key]]))
    }))]
  }
  empty <- cbind(groups[0L, , drop = FALSE],
                 summary_columns(summarise_values(numeric(), NULL, level), object$weight)[0L, ])
  do.call(rbind, c(list(empty), rows))
}

# For each row the number of its combination of values.
group_numbers <- function(table, keys) {
  numbers <- lapply(keys, function(key) match(table[[key]], unique(table[[key]])))
  match(do.call(paste, numbers), unique(do.call(paste, numbers)))
}

check_by <- function(by, evaluation, call = rlang::caller_env()) {
  if (is.null(by)) {
    return(invisible())
  }
  known <- setdiff(names(evaluation), c("ranker", "metric", "value", "weight"))
  if (!is.character(by) || !all(by %in% known)) {
    odd <- if (is.character(by)) setdiff(by, known)[1L]
    stop_input("argument",
               sprintf("`by` must name columns of the evaluation, not %s.",
                       show_value(if (is.null(odd)) by else odd)),
               c(if (!is.null(odd)) did_you_mean(odd, known),
                 sprintf("It may be split by %s.", enumerate(known, 10L))),
               "Add a column of your own, such as `e$long <- e$documents > 20`.", call = call)
  }
}

# Mean, standard error and interval: NaN does not count, nor does a query of weight 0;
# NA counts as 0. `weight` is NULL where all queries count the same.
summarise_values <- function(values, weight, level) {
  if (!is.null(weight) && length(weight) > 0L) {
    weight <- scaled_weights(weight)
  }
  mean <- query_means(cbind(values), as.double(weight))
  counts <- !is.nan(values)
  if (!is.null(weight)) {
    counts <- counts & weight > 0
  }
  weight <- if (is.null(weight)) rep(1, sum(counts)) else weight[counts]
  values <- values[counts]
  n <- length(values)
  values[is.na(values)] <- 0
  se <- if (is.na(mean) || n == 1L) {
    NA_real_
  } else {
    sqrt(sum((weight * (values - mean))^2) * n / (n - 1)) / sum(weight)
  }
  # The number of queries of equal weight that give a mean as sure (Kish); n without weights.
  effective <- if (n > 0L) sum(weight)^2 / sum(weight^2) else 0
  half <- if (n > 1L && effective >= 2) stats::qt((1 + level) / 2, effective - 1) * se else NA_real_
  data.frame(mean = mean, se = se, lower = mean - half, upper = mean + half,
             queries = n, n_effective = effective)
}

# `n_effective` is told where queries have weights.
summary_columns <- function(summarised, weight = NULL) {
  if (is.null(weight)) summarised[names(summarised) != "n_effective"] else summarised
}

#' @param x What `evaluate()` gave.
#' @param object What `evaluate()` gave, for `summary()`.
#' @param n How many rows are printed.
#' @rdname evaluate
#' @export
print.rankmix_evaluation <- function(x, n = 10L, ...) {
  check_count(n, "n", min = 0, infinite = TRUE)
  # What was cut or put together has no means of its own.
  whole <- is.null(attr(x, "rows")) || attr(x, "rows") == nrow(x)
  table <- if (whole) tryCatch(summary(x), rankmix_error = function(e) NULL)
  say("<rankmix_evaluation> ", if (is.null(x$query)) {
    counted(nrow(x), "row")
  } else {
    counted(length(unique(x$query)), "query", "queries")
  })
  if (!is.null(table)) {
    print_means(table, attr(x, "shown"))
  }
  print_rows(x, n)
  invisible(x)
}

print_means <- function(table, shown) {
  for (i in seq_len(min(nrow(table), 12L))) {
    name <- table$metric[i]
    full <- if (name %in% names(shown)) shown[[name]] else name
    who <- if (is.null(table$ranker)) "" else paste0(table$ranker[i], ": ")
    say(sprintf("%s%s: %.4f +- %.4f (mean +- standard error, %s)", who, full, table$mean[i],
                table$se[i], counted(table$queries[i], "query", "queries")))
  }
  if (nrow(table) > 12L) {
    say(sprintf("... and %d more, see `summary()`", nrow(table) - 12L))
  }
}

print_rows <- function(x, n) {
  if (nrow(x) == 0L || n == 0) {
    return(invisible())
  }
  rows <- utils::head(as.data.frame(x), n)
  class(rows) <- "data.frame"
  print(rows, row.names = FALSE)
  if (nrow(x) > nrow(rows)) {
    say(sprintf("... and %s", counted(nrow(x) - nrow(rows), "more row")))
  }
}
