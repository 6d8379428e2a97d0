# rank_frame(): from a data frame to a tested model in one call. It calls only exported functions.

#' Train and test a ranker on a data frame
#'
#' Splits a data frame by query or by time, trains a ranker, and tests it on the other queries. Use it for a first
#' answer: can these features rank, and how well? `rank_frame()` calls [ranking_data()], [fit()],
#' [benchmark_rankers()] and [compare_rankers()]; call these yourself for more control.
#'
#' @param formula The formula: `grade ~ .`, or `grade ~ bm25 + clicks`. The left side is the relevance.
#' @param frame The data frame, with a row for each document.
#' @param query The column of the query, with or without quotes, or several as `c(site, day)`. Documents are ranked
#'   within queries: the results of a search, the horses of a race, the stocks of a day.
#' @param time The column of the time (optional): numbers, dates or times. The test queries are then the latest queries.
#' Set the time if the model will rank queries that are later than its training queries. A random split would then be
#' too optimistic. The time is not used as a feature.
#' @param ranker The ranker, a specification such as [lambdamart()]. The default `NULL` is a [mixture()] of
#'   [default_members()] for grades. For a relevance that is not graded it is [gbrt()] with [loss_pairwise()], which
#'   supports any numbers.
#' @param metric The metric, or its text; default `"ndcg@10"`. For tied scores, the value is the mean over their orders,
#'   unless the metric sets `ties`. So a data frame that is sorted by grade does not give a better value.
#' @param test The fraction of the queries for the test; default 0.25. A larger fraction gives shorter intervals and
#'   leaves fewer queries for training. Above 0, at most 0.9.
#' @param report The path of an HTML page about the test, see [report()], or `NULL` (the default) for none.
#' @param ... Must be empty.
#' @inheritParams benchmark_rankers
#' @param seed The random seed of the split and of training, a whole number. By default R's generator draws one.
#'
#' @return A value of class `rankmix_frame`, a list with
#'   * `model`: the ranker, trained on the training queries. `predict(result, newdata)` uses it, and `newdata` may be
#'     a data frame with the same columns.
#'   * `test`: a data frame with a row for `model` and one for `best feature`: `mean`, `se`, `lower`, `upper` and
#'     `queries` of the metric on the test queries.
#'   * `difference`: a data frame of one row, the model minus the best feature, as from [compare_rankers()].
#'   * `benchmark`, `comparison`: the results of these functions.
#'   * `train`, `validation`, `held_out`: the parts of the data as [ranking_data()]. `validation` is `NULL` for
#'     rankers without such choices.
#'
#'   `tidy()` gives `test`, `glance()` a row. [augment()] adds scores and ranks to a data frame.
#' @examples
#' data <- simulate_ranking(60, documents = 8, seed = 1)$data
#' frame <- data.frame(data$x, grade = data$relevance, session = data$query, day = data$query %/% 5)
#' result <- rank_frame(grade ~ ., frame, query = session, time = day, ranker = lambdamart(trees = 50),
#'                      seed = 1, threads = 1, verbose = FALSE)
#' result
#' head(predict(result, frame))
#'
#' @details
#' **Split.** Without `time`, the test queries are a random sample. With `time`, the time of a query is the latest
#' time of its documents. The queries of one time stay together. The test queries have the latest times. They are at
#' most the fraction `test` of all queries, but at least the queries of one time. Then a fifth of the other queries is
#' split off in the same way for validation. Rounds, penalties, or calibrators and weights of a mixture are chosen on
#' the validation queries. Rankers without such choices are trained on these queries, too.
#'
#' **Baseline.** The baseline is [best_feature()] of the training queries: the single feature that ranks best, upwards
#' or downwards. If the ranker is not better than one feature, it is of no use.
#'
#' **Intervals.** The interval of a mean is a t interval over the test queries. The interval of the difference is the
#' studentised sign-flip interval of [compare_rankers()]. It contains 0 exactly if the test finds no difference. With
#' five test queries or fewer the test cannot find a difference, and there is no interval. The intervals are for other
#' queries, and for this one trained model. Queries of different days may differ more than the intervals show.
#'
#' @section Conditions: The conditions of [ranking_data()] and [fit()], and `rankmix_error_argument`: fewer than ten
#'   queries, fewer than three different times, a missing time, or fewer than two validation queries
#'   with rows of different
#'   relevance.
#' @seealso `vignette("get-started", "rankmix")` for similar steps one by one, [tune_ranker()] for better settings.
#' @export
rank_frame <- function(formula, frame, query, time = NULL, ranker = NULL, metric = "ndcg@10", test = 0.25,
                       report = NULL, seed = NULL, threads = NULL, verbose = TRUE, ...) {
  check_no_others(...)
  check_given(missing(formula), "formula", "For example `grade ~ .`.")
  check_given(missing(frame), "frame", "Give the data frame that holds the columns.")
  check_frame_arguments(formula, frame)
  check_given(missing(query), "query", "Give the column of the query, such as `query = session`.")
  check_number(test, "test", 0, 0.9, open_min = TRUE)
  metric <- choosing_metric(read_metric(metric))
  seed <- check_seed(seed)
  threads <- check_threads(threads)
  check_flag(verbose, "verbose")
  if (!is.null(report)) check_path(report, rlang::current_env(), "report")
  if (!is.null(ranker)) check_spec(ranker, "ranker")
  whole <- frame_with_time(formula, frame, rlang::enquo(query), rlang::enquo(time), threads)
  data <- whole$data
  parts <- split_of_frame(data, whole$time, test, seed)
  if (is.null(ranker)) ranker <- default_ranker(data)
  result <- trained_on_frame(ranker, parts, data, metric, seed, threads, verbose)
  result$time <- whole$time
  if (!is.null(report)) {
    report(result$benchmark, report, title = "Test of a ranker", comparison = result$comparison, threads = threads)
  }
  result
}

default_ranker <- function(data) {
  if (is_graded(data)) do.call(mixture, default_members()) else gbrt(objective = loss_pairwise())
}

check_frame_arguments <- function(formula, frame, call = rlang::caller_env()) {
  if (!inherits(formula, "formula") || length(formula) != 3L) {
    stop_input("argument", "`formula` must have the relevance on its left side.",
               remedy = "For example `rank_frame(grade ~ ., frame, query = session)`.", call = call)
  }
  if (!is.data.frame(frame)) {
    stop_input("argument", "`frame` must be a data frame.",
               remedy = "For example `rank_frame(grade ~ ., frame, query = session)`.", call = call)
  }
}

# The ranking data, and the latest time of each query. A column of the time that does not define the query is no
# feature.
frame_with_time <- function(formula, frame, query, time, threads, call = rlang::caller_env()) {
  if (rlang::quo_is_null(time)) {
    return(list(data = frame_data(frame, formula_relevance(formula), query, rlang::quo(NULL), rlang::quo(NULL),
                                  threads, formula, call)))
  }
  when <- frame_column(time, frame, "time", call = call, equal = FALSE)
  value <- check_time(when$value, nrow(frame), call)
  used <- frame_column(query, frame, "query", several = TRUE, call = call)$columns
  dropped <- setdiff(when$columns, used)
  data <- frame_data(frame[setdiff(names(frame), dropped)], formula_relevance(formula), query, rlang::quo(NULL),
                     rlang::quo(NULL), threads, formula, call)
  # A model accepts the column in new data, and does not use it.
  data$columns <- c(data$columns, dropped)
  latest <- as.vector(tapply(value, factor(data$query, seq_along(data$query_ids)), max))
  list(data = data, time = latest)
}

check_time <- function(value, rows, call) {
  is_time <- is_plain_number(value) || inherits(value, c("Date", "POSIXct"))
  if (!is_time || length(value) != rows || anyNA(value)) {
    stop_input("argument", "`time` must have a number, date or time for each row.",
               if (is_time && length(value) == rows) sprintf("%d are missing.", sum(is.na(value))),
               "Convert the column, such as by `as.Date()`.", call = call)
  }
  as.double(value)
}

# The indexes of the queries of each part.
split_of_frame <- function(data, time, test, seed, call = rlang::caller_env()) {
  queries <- length(data$query_ids)
  if (queries < 10L) {
    stop_input("argument", sprintf("%s cannot be split into training, validation and test.",
                                   counted(queries, "query", "queries")),
               "At least 10 are needed.", "Is `query` the right column?", call = call)
  }
  if (!is.null(time) && length(unique(time)) < 3L) {
    stop_input("argument", sprintf("`time` has only %s, so the latest queries cannot be split off.",
                                   counted(length(unique(time)), "value")),
               "At least 3 are needed.", "Leave `time` out for a random split.", call = call)
  }
  order <- if (is.null(time)) with_seed(derived_seed(seed, "split"), sample.int(queries)) else order(time)
  rank <- if (is.null(time)) order(order) else time
  tests <- last_of(seq_len(queries), rank, test)
  rest <- setdiff(seq_len(queries), tests)
  # A single query cannot choose.
  validation <- last_of(rest, rank[rest], 0.2, at_least = 2)
  list(train = setdiff(rest, validation), validation = validation, test = tests)
}

# Selects the `ids` with the highest ranks of time: at most the fraction of them, but at least one rank and
# `at_least` ids. One rank is always left.
last_of <- function(ids, rank, fraction, at_least = 1) {
  values <- sort(unique(rank), decreasing = TRUE)
  counts <- cumsum(as.vector(table(factor(rank, values))))
  taken <- max(1L, sum(counts <= max(1, fraction * length(ids))), which(counts >= at_least)[1L], na.rm = TRUE)
  ids[rank >= values[min(taken, length(values) - 1L)]]
}

trained_on_frame <- function(ranker, parts, data, metric, seed, threads, verbose) {
  chooses <- has_trait(ranker, "validation")
  train <- data[sort(if (chooses) parts$train else c(parts$train, parts$validation))]
  validation <- if (chooses) data[parts$validation]
  if (chooses) check_frame_validation(validation)
  model <- fit(ranker, train, validation, metric, seed = derived_seed(seed, "training"), threads = threads,
               verbose = verbose)
  feature <- fit(best_feature(metric, direction = "both"), train, threads = threads, verbose = FALSE)
  held_out <- data[parts$test]
  benchmark <- benchmark_rankers(list(model = model, `best feature` = feature),
                                 list(train = train, test = held_out), metric, seed = seed, threads = threads,
                                 verbose = FALSE)
  comparison <- compare_rankers(benchmark, control = "best feature", seed = derived_seed(seed, "comparison"),
                                threads = threads)
  structure(list(
    model = model, feature = feature$feature, reversed = feature$sign < 0, test = summary(benchmark),
    difference = tidy(comparison),
    benchmark = benchmark, comparison = comparison, metric = metric, train = train, validation = validation,
    held_out = held_out, seed = seed, time = NULL
  ), class = "rankmix_frame")
}

check_frame_validation <- function(validation, call = rlang::caller_env(2L)) {
  choosing <- length(differing_queries(validation))
  if (choosing < 2L) {
    stop_input("argument", sprintf("The %s cannot choose the settings of the ranker.",
                                   counted(length(validation$query_ids), "validation query", "validation queries")),
               sprintf("Queries with rows of different relevance: %d. Two are needed.", choosing),
               paste("Give more queries, or another `seed`. Without `time`, the seed decides which queries are for",
                     "validation."), call = call)
  }
}

#' @export
print.rankmix_frame <- function(x, ...) {
  queries <- function(data) length(data$query_ids)
  say(sprintf("<rankmix_frame> %s train%s, %s; seed %s", counted(queries(x$train), "query", "queries"),
              if (is.null(x$validation)) "" else sprintf(", %d choose", queries(x$validation)),
              if (is.null(x$time)) sprintf("%d test", queries(x$held_out)) else {
                sprintf("the latest %d test", queries(x$held_out))
              }, plain_number(x$seed)))
  row <- function(name) x$test[x$test$ranker == name, ]
  line <- function(label, row) {
    say(sprintf("%s: %.4f, 95 %% interval %.4f to %.4f", label, row$mean, row$lower, row$upper))
  }
  say(sprintf("%s on the test queries", format(x$metric)))
  line(format_ranker(x$model), row("model"))
  line(sprintf("Best feature (%s%s)", x$feature, if (x$reversed) ", reversed" else ""), row("best feature"))
  say(frame_verdict(x$comparison))
  invisible(x)
}

format_ranker <- function(model) {
  if (inherits(model, "rankmix_mixture")) "Mixture" else format(model$spec)
}

# The control is `b` of the pair, so the difference is the model minus the best feature. The interval belongs to the
# test of the comparison. The t interval can contain 0 although this test finds a difference.
frame_verdict <- function(comparison) {
  row <- comparison$pairs
  ends <- shown_ends(row, comparison$settings)
  interval <- if (is.na(ends$lower)) "no interval" else {
    sprintf("95 %% interval %s to %s", show_end(ends$lower), show_end(ends$upper))
  }
  sprintf("Difference: %+.4f, %s. %s", row$difference, interval,
          switch(row$verdict, better = "The model ranks better.", worse = "The best feature ranks better.",
                 "The test queries do not show which ranks better."))
}

#' @export
predict.rankmix_frame <- function(object, ...) predict(object$model, ...)

#' @export
augment.rankmix_frame <- function(x, data, ...) {
  check_given(missing(data), "data", what_to_give$newdata)
  augment(x$model, data, ...)
}

#' @export
tidy.rankmix_frame <- function(x, ...) x$test

#' @export
glance.rankmix_frame <- function(x, ...) {
  row <- x$test[x$test$ranker == "model", ]
  pair <- x$difference
  ends <- shown_ends(pair, x$comparison$settings)
  data.frame(metric = format(x$metric), mean = row$mean, lower = row$lower, upper = row$upper, queries = row$queries,
             difference = pair$difference, difference_lower = ends$lower, difference_upper = ends$upper,
             p = pair$p_adjusted)
}
