#' Evaluate rankers or any scores, query by query
#'
#' Computes the metrics of each query, for one ranker or several. `summary()` gives means with
#' confidence intervals.
#'
#' @param x The ranker or scores to evaluate, one of:
#'   * a ranker: any object whose [predict()] method gives one score per row of `data`;
#'   * a function of `data` that gives one score per row;
#'   * scores in the row order of `data`, higher for more relevant documents;
#'   * a data frame or matrix with one column of scores for each ranker;
#'   * a named list of any of these;
#'   * if `data` are judgements: a run made by [read_run()] or [as_run()], or a named list of runs.
#'
#'   For `print()`, an evaluation.
#' @param data The judged data, made by [ranking_data()], [read_letor()] or [binned_data()]. Or a
#'   [data_source()], which is read in chunks, for models. Or judgements, made by [read_qrels()] or
#'   [as_qrels()].
#' @param metrics The metric, such as `metric_ndcg(10)` or its text `"ndcg@10"` (see [as_metric()]),
#'   or a list of metrics. Names of the list become the names in the result.
#' @param convention The tool whose rules apply to metrics without their own convention, see
#'   [conventions]. Arguments set in a metric take precedence.
#' @param topics The rule if the queries of a run and of the judgements differ. `"error"` (the default)
#'   stops. `"qrels"` counts every judged query, with an empty list if the run lacks it, as `trec_eval -c`.
#'   `"common"` counts only queries that are judged and in every run.
#' @param judged_only Whether documents of a run without a judgement are removed before ranking (condensed
#'   lists, Sakai 2007), as `trec_eval -J`. Default `FALSE`: they are not relevant. Use `TRUE` for runs that
#'   did not contribute to the pool. `TRUE` favours runs with many unjudged documents.
#' @param bounds Whether to add the lowest and the highest value over all grades that the documents of a run
#'   without a judgement could have; default `FALSE`. See Details.
#' @param max_grade The highest grade that unjudged documents could have. By default the highest grade of the
#'   judgements, or the lowest relevant grade of a metric if that is higher. [metric_err()] uses this grade as its
#'   `max_grade`, unless you set that
#'   too. So `bounds = TRUE` can lower its values.
#' @param threads Number of threads. Results do not depend on it.
#'
#' @details Documents of a run without a judgement have no gain and are not relevant. Judged documents
#'   that were not retrieved count in the ideal ranking and in the number of relevant documents.
#'
#'   **Bounds.** `bounds = TRUE` needs a run. The bounds of a query are exact: some grades of the unjudged
#'   documents, from 0 to `max_grade`, give these values. Unjudged documents are the documents of the run
#'   without a judgement, and the documents with a negative grade. All other documents are not relevant. So
#'   the bounds do not cover documents that no run retrieved. The grades that give the lowest value differ
#'   between queries. [judgement_bounds()] bounds the difference of two runs, in which an unjudged document has one
#'   grade. There are bounds of precision, recall, F, R-precision, success, reciprocal rank, average precision, RBP,
#'   DCG, NDCG and ERR, with `empty = 0` and `ties` `"order"` or `"document"`. Bounds are not confidence intervals, and
#'   do not show what other queries would give.
#'
#'   The residual of RBP (Moffat and Zobel 2008) also covers the documents after the end of the list:
#'   \deqn{p^n + (1 - p) \sum_{i \le n,\ i\ \mathrm{unjudged}} p^{i - 1}}{p^n + (1 - p) sum_(i <= n, i
#'   unjudged) p^(i - 1)} for a list of n documents, or the cut-off if it is smaller.
#'
#'   By default documents with equal scores keep the row order. If rows are sorted by grade, a ranker with
#'   equal scores for all documents then has NDCG 1. `evaluate()` warns once per call if the order of tied
#'   documents can change a mean by more than 0.005, and shows the lowest and highest mean. There is no
#'   warning for metrics that set `ties`, or whose convention sets another rule.
#'
#' @return A data frame of class `rankmix_evaluation` with one row per query and metric, and per
#'   ranker if `x` may hold several. Its columns:
#'   * `ranker`: the ranker, if `x` may hold several;
#'   * `query`: the id; `documents`: the number of ranked documents;
#'   * `relevant`: the number of judged documents with a grade above 0;
#'   * `metric`: the name; `value`: the value. It is `NaN` if the query does not count in the mean,
#'     and `NA` if it counts as 0 (`short_lists = "undefined"`);
#'   * `weight`: the query weight, if given;
#'   * `lowest`, `highest`: the bounds, with `bounds = TRUE`. `rbp_residual`: the residual of RBP, if a metric
#'     is RBP.
#'
#'   For a part of the data frame, `print()` shows rows, not means.
#'
#'   `summary()` gives one row for each metric, ranker and combination of the values of `by`:
#'   * `mean`: the mean over the queries that count; `NaN` if no query counts, `NA` if no such query
#'     has a value;
#'   * `se`: its standard error, the standard deviation divided by \eqn{\sqrt n}{sqrt(n)}; `NA` for one
#'     query;
#'   * `lower`, `upper`: the confidence interval by Student's t with n - 1 degrees of freedom;
#'   * `queries`: n, the number of queries that count;
#'   * `lowest`, `highest`, `rbp_residual`: the means of these columns, if the evaluation has them.
#'
#'   With query weights the mean is \eqn{\bar v = \sum_q w_q v_q / \sum_q w_q}{sum_q w_q v_q / sum_q
#'   w_q}, and the standard error is \eqn{\sqrt{\frac{n}{n - 1} \sum_q w_q^2 (v_q - \bar v)^2} /
#'   \sum_q w_q}{sqrt(n / (n - 1) sum_q w_q^2 (v_q - mean)^2) / sum_q w_q}. The degrees of freedom are
#'   `n_effective` - 1, where the column `n_effective` is \eqn{(\sum_q w_q)^2 / \sum_q w_q^2}{(sum
#'   w)^2 / sum w^2} (Kish). If few queries have most of the weight, the interval is too short: in simulations
#'   with 6 to 20 effective queries, 95 % intervals of means covered 88 to 92 %.
#'
#' @section Conditions: `rankmix_error_scores`: scores of the wrong length, not numbers, or `NA`; a
#'   model that gives no scores. `rankmix_error_topics`: queries in only one of run and judgements.
#'   `rankmix_error_document`: a metric breaks ties by document, and ids are repeated or missing; or a
#'   run or judgements contain a document twice. `rankmix_error_argument`: an unknown metric or argument,
#'   or two metrics of the same name; bounds of a metric that has none; `judged_only` or `bounds` without
#'   judgements. `rankmix_error_metric`: a custom metric fails.
#'   `rankmix_error_convention` and `rankmix_error_grade`: see [metric_ndcg()]. `rankmix_warning_ties`:
#'   see Details.
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
#' summary(result, by = "relevant")        # one mean for each number of relevant documents
#' evaluate(data.frame(bm25 = data$x[, "bm25"], zero = 0), data,
#'          c("ndcg@10", "map"), convention = "lightgbm")
#' @param ... Must be empty.
#' @name evaluate
#' @aliases evaluate.default
#' @export
evaluate.default <- function(x, data, metrics, convention = NULL,
                             topics = "error", judged_only = FALSE, bounds = FALSE,
                             max_grade = NULL, threads = NULL, ...) {
  check_no_others(...)
  check_all_given()
  threads <- check_threads(threads)
  if (is_source(data)) {
    check_metrics(metrics, convention)
    scored <- scored_source(x, data, threads, rlang::current_env())
    return(evaluate(scored$scores, scored$data, metrics, convention, topics = topics, judged_only = judged_only,
                    bounds = bounds, max_grade = max_grade, threads = threads))
  }
  metrics <- check_metrics(metrics, convention)
  check_choice(topics, "topics", c("error", "qrels", "common"))
  unjudged <- unjudged_settings(judged_only, bounds, max_grade, data, metrics)
  if (inherits(data, "rankmix_qrels")) {
    return(evaluate_runs(x, data, metrics, topics, threads, unjudged))
  }
  if (inherits(x, "rankmix_qrels")) {
    stop_input("argument", "`evaluate()` takes the run first, then the judgements.",
               remedy = "Write `evaluate(run, qrels, \"ndcg@10\")`.")
  }
  if (inherits(x, "ranking_data") && !inherits(data, "ranking_data")) {
    stop_input("argument", "`evaluate()` takes the ranker first, then the data.",
               remedy = "Write `evaluate(model, data, \"ndcg@10\")`.")
  }
  if (inherits(data, "rankmix_subtopic_qrels")) {
    stop_input("argument", "Judgements of subtopics are for `evaluate_diversity()`.",
               remedy = "Write `evaluate_diversity(run, qrels)`.")
  }
  check_ranking_data(data, made_by = "`ranking_data()`, or `read_qrels()` for a run", binned = TRUE)
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

# The package evaluate has an evaluate() for code, which is not a generic. If that package is attached
# last, its evaluate() receives our models and calls its generic parse_all() on them.
#' @rawNamespace S3method(evaluate::parse_all,rankmix_ranker)
#' @rawNamespace S3method(evaluate::parse_all,rankmix_run)
parse_all.rankmix_ranker <- function(x, ...) {
  stop_input("argument", "This is `evaluate()` of the package evaluate, which evaluates code.",
             remedy = "Write `rankmix::evaluate(...)`, or attach rankmix after evaluate.",
             call = rlang::call2("evaluate"))
}
parse_all.rankmix_run <- parse_all.rankmix_ranker

# A generic of the package generics, so that methods are found in whatever order packages are
# attached.
#' @importFrom generics evaluate
#' @export evaluate
#' @noRd
NULL

# `metrics` come from settle_metrics(). `rankers` has the name of each ranker, or is NULL.
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
    shown = attr(metrics, "shown"), functions = attr(metrics, "functions"), rows = length(rows$value),
    grades = judgement_digests(judged)
  )
}

# Comparisons use these digests to check that two evaluations were made from the same judgements. For each
# query: a digest of its grades and, if documents have ids, of the pairs of id and grade.
judgement_digests <- function(judged) {
  ids <- if (!is.null(judged$document) && !anyNA(judged$document)) enc2utf8(judged$document)
  c(list(query = judged$query_ids),
    grade_digests(relevance_marks(judged), ids, judged$order,
                  as.integer(judged$offsets)))
}

# Number of documents of each query with a grade above 0.
relevant_documents <- function(judged) {
  tabulate(judged$query[judged$relevance > 0L], length(judged$query_ids))
}

# Number of ranked documents of each query, ranker by ranker.
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

# The checked scores: a vector for one ranker, a named list of vectors for several. `check` may also check ranks.
score_columns <- function(object, data, threads, call = rlang::caller_env(), check = check_scores) {
  several <- is.data.frame(object) || (is.matrix(object) && ncol(object) > 1L) ||
    (is.list(object) && !is.object(object))
  if (!several) {
    return(check(scores_of(object, data, threads, call), data, call = call))
  }
  rankers <- if (is.matrix(object)) {
    lapply(seq_len(ncol(object)), function(j) object[, j])
  } else {
    as.list(object)
  }
  names(rankers) <- ranker_names(object, call)
  Map(function(ranker, name) {
    check(scores_of(ranker, data, threads, call), data, name, call)
  }, rankers, names(rankers))
}

ranker_names <- function(object, call = rlang::caller_env(),
                         remedy = "For example `list(mixture = model, bm25 = scores)`.") {
  names <- if (is.matrix(object)) colnames(object) else names(object)
  if (length(object) == 0L || is.null(names) || !all(nzchar(names)) ||
        anyNA(names) || anyDuplicated(names)) {
    stop_input("argument",
               "Several rankers need names, each a different one.",
               remedy = remedy,
               call = call)
  }
  check_names_are_text(names, call)
  names
}

# R cannot measure or print other bytes.
check_names_are_text <- function(names, call) {
  wrong <- names[!validEnc(names)]
  if (length(wrong) > 0L) {
    stop_input("argument", "A name has bytes that are not text.", sprintf("It is `%s`.", wrong[1L]),
               "Convert the names, such as by `iconv(names, \"latin1\", \"UTF-8\")`.", call = call)
  }
}

# Scores, or the predictions of a ranker: one of this package, or any other object with a
# predict() method.
scores_of <- function(object, data, threads, call) {
  if (inherits(object, "rankmix_ranker")) {
    return(predict(object, data, threads = threads))
  }
  if (is.atomic(object)) {
    return(object)
  }
  if (inherits(object, "rankmix_spec")) {
    stop_input("scores", sprintf("`%s` is not trained.", format(object)),
               remedy = "Train it first: `fit(spec, data)`.", call = call)
  }
  tryCatch(if (is.function(object)) object(data) else predict(object, data),
           error = function(e) {
    keep_memory_error(e)
    stop_input("scores",
               if (is.function(object)) "The function that computes the scores fails."
               else sprintf("`predict()` of %s fails.", show_value(object)),
               remedy = paste("Give scores, a function of `data`, or a model whose",
                              "`predict()` takes `data`; one score per row."),
               call = call, parent = e)
  })
}

# `name` is the name of the ranker, or NULL for a single one.
check_scores <- function(scores, data, name = NULL, call = rlang::caller_env()) {
  rows <- nrow(data)
  whose <- if (is.null(name)) "" else sprintf(" of `%s`", name)
  if (!is_plain_number(scores) || length(scores) != rows) {
    stop_input(
      "scores",
      sprintf("The scores%s must be one number per row of `data`: %d numbers, not %s.",
              whose, rows, show_value(scores)),
      remedy = if (inherits(scores, "rankmix_ranker")) {
        "Give the predictions of the model: `predict(model, data)`."
      } else {
        "Give scores in the row order of `data`."
      },
      call = call
    )
  }
  if (anyNA(scores)) {
    stop_input(
      "scores",
      sprintf("The score of row %d%s is missing.", which(is.na(scores))[1L],
              sub(" of", " in", whose)),
      sprintf("Rows without a score: %d.", sum(is.na(scores))),
      "A document without a score has no rank. Give it a score below all others.",
      call = call
    )
  }
  as.double(scores)
}

# Whether any metric breaks ties by document.
ranks_by_document <- function(metrics) {
  "document" %in% vapply(metrics, function(metric) ranking_rule(metric)$ties, "")
}

# The order in which documents break ties: byte by byte, the highest id first. Empty unless a
# metric needs it.
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

# Stops if documents without ids would have to break a tie.
check_document_ties <- function(rules, scores, judged, call) {
  if (!is.null(judged$document) && !anyNA(judged$document)) {
    return(invisible(scores))
  }
  asked <- Filter(function(rule) rule$ties == "document", rules)
  for (single in unique(vapply(asked, `[[`, "", "single_precision"))) {
    for (j in seq_len(ranker_count(scores))) {
      column <- scores_of_ranker(scores, j)
      row <- first_tie(column, core_grades(judged), judged$order, judged$offsets,
                       single)
      if (row > 0L) {
        stop_input(
          "document",
          paste("Ties are broken by document, but",
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

#' @param level The confidence level of the interval, from 0.5 to below 1; default 0.95.
#' @param by The names of columns of the evaluation, such as `"relevant"` or columns that you added. Each
#' combination of their values is summarised separately.
#' @rdname evaluate
#' @export
summary.rankmix_evaluation <- function(object, level = 0.95, by = NULL, ...) {
  check_no_others(...)
  check_confidence(level)
  lacking <- setdiff(c("query", "metric", "value"), names(object))
  if (length(lacking) > 0L) {
    stop_input("column",
               sprintf("The evaluation has no column %s.", enumerate(lacking)))
  }
  check_by(by, object)
  keys <- unique(c(intersect(c("ranker", "metric"), names(object)), by))
  if (anyDuplicated(group_numbers(object, unique(c("query", keys))))) {
    stop_input("argument",
               "Some queries have more than one value of a metric.",
               remedy = "Summarise the evaluations of each ranker and fold alone.")
  }
  group <- group_numbers(object, keys)
  groups <- as.data.frame(object)[!duplicated(group), keys, drop = FALSE]
  members <- split(seq_along(group), factor(group, unique(group)))
  rows <- lapply(seq_along(members), function(i) {
    columns <- summary_columns(summarise_values(object$value[members[[i]]],
                                                object$weight[members[[i]]], level), object$weight)
    bounds <- mean_bounds(as.data.frame(object)[members[[i]], , drop = FALSE])
    if (!is.null(bounds)) columns <- cbind(columns, bounds)
    cbind(groups[i, , drop = FALSE], columns, row.names = NULL)
  })
  if (!is.null(by)) {
    rows <- rows[do.call(order, lapply(keys, function(key) {
      if (key %in% by) groups[[key]] else match(groups[[key]], unique(groups[[key]]))
    }))]
  }
  empty <- cbind(groups[0L, , drop = FALSE],
                 summary_columns(summarise_values(numeric(), NULL, level), object$weight)[0L, ])
  do.call(rbind, if (length(rows) > 0L) rows else list(empty))
}

# A number for each row, equal for rows with the same combination of values.
group_numbers <- function(table, keys) {
  group <- rep(1L, nrow(table))
  for (key in keys) {
    own <- match(table[[key]], unique(table[[key]]))
    # The numbers stay below 2^53, so each pair has its own number.
    pair <- as.double(group) * max(own, 0L) + own
    group <- match(pair, unique(pair))
  }
  group
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
               sprintf("It may be split by %s.", enumerate(known, 10L)),
               c(if (!is.null(odd)) did_you_mean(odd, known),
                 "Add your own column, such as `e$long <- e$documents > 20`."), call = call)
  }
}

# Mean, standard error and interval. NaN and queries of weight 0 do not count. NA counts as 0.
# `weight` is NULL if all queries have equal weights.
summarise_values <- function(values, weight, level) {
  own <- value_moments(values, weight)
  half <- if (own$queries > 1L && own$n_effective >= 2) {
    stats::qt((1 + level) / 2, own$n_effective - 1) * own$se
  } else NA_real_
  data.frame(mean = own$mean, se = own$se, lower = own$mean - half, upper = own$mean + half,
             queries = own$queries, n_effective = own$n_effective)
}

# The mean over queries, its standard error, the number of queries, and the effective number of Kish
# (without weights, the number of queries). `summed`: the mean will be added to means of other samples.
value_moments <- function(values, weight, summed = FALSE) {
  if (!is.null(weight) && length(weight) > 0L) {
    weight <- scaled_weights(weight)
  }
  mean <- query_means(cbind(values), as.double(weight))
  counts <- !is.nan(values)
  if (!is.null(weight)) {
    counts <- counts & weight > 0
  }
  weight <- if (is.null(weight)) rep(1, sum(counts)) else weight[counts]
  # The squares of small weights would be 0.
  if (any(weight > 0) && max(weight) < 1e-100) weight <- weight / max(weight)
  values <- values[counts]
  n <- length(values)
  values[is.na(values)] <- 0
  se <- if (is.na(mean) || n == 1L) {
    NA_real_
  } else {
    sqrt(corrected_sum((weight * (values - mean))^2, weight, summed)) / sum(weight)
  }
  list(mean = mean, se = se, queries = n,
       n_effective = if (n > 0L) sum(weight)^2 / sum(weight^2) else 0)
}

# The sum of squared distances from the mean, corrected for the estimated mean: by n / (n - 1) without weights. With
# weights, the sum with this factor is too small, by a fraction of about 1 / n_effective. For one sample, the few
# degrees of freedom of Kish make up for this. For a sum of several samples the degrees of freedom add up. So each
# square needs the factor 1 / (1 - w / W) (HC2 of MacKinnon and White 1985).
corrected_sum <- function(squares, weight, summed) {
  n <- length(weight)
  if (!summed || all(weight == weight[1L])) {
    return(sum(squares) * n / (n - 1))
  }
  sum_hc2(squares, weight / sum(weight))
}

# The sum of squared deviations, corrected by HC2 for the estimated mean. `share` is the fraction of each query in the
# weight of all. Queries are columns of a matrix, or elements of a vector. A query with all the weight has no deviation.
sum_hc2 <- function(squares, share) {
  corrected <- ifelse(share < 1, squares / (1 - share), 0)
  if (is.matrix(corrected)) rowSums(corrected) else sum(corrected)
}

# `n_effective` is shown only if queries have weights.
summary_columns <- function(summarised, weight = NULL) {
  if (is.null(weight)) summarised[names(summarised) != "n_effective"] else summarised
}

#' @param object An evaluation, from `evaluate()`.
#' @param n Number of rows to print; default 10.
#' @rdname evaluate
#' @export
print.rankmix_evaluation <- function(x, n = 10L, ...) {
  check_count(n, "n", min = 0, infinite = TRUE)
  # For an evaluation that was subset or bound by rows, no means are shown.
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
    kind <- if (is.null(table$lowest)) {
      paste0("mean +- standard error, ", counted(table$queries[i], "query", "queries"))
    } else {
      # All queries count, so their number is not shown, and the line has space for the bounds.
      "mean +- standard error"
    }
    say(sprintf("%s%s: %.4f +- %.4f (%s)%s", who, full, table$mean[i], table$se[i], kind,
                bounds_words(table, i)))
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
  with_points(print(rows, row.names = FALSE))
  if (nrow(x) > nrow(rows)) {
    say(sprintf("... and %s", counted(nrow(x) - nrow(rows), "more row")))
  }
}
