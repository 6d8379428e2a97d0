# Predictions of a trained cascade, and its methods.

#' Predict with a cascade
#'
#' Scores new documents stage by stage.
#'
#' @param object The model, trained by [fit()] from [cascade()].
#' @param newdata The documents: [ranking_data()], or a data frame with the query columns of the training data. A
#'   [data_source()] is refused, because its chunks can have parts of queries.
#' @param type The result: `"score"` (the default), `"rank"`, or `"stage"`.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#' @return A vector with a number for each document. `"score"`: the score, see [cascade()]. `"rank"`: the rank within
#'   the query, 1 for the best, ties in row order. `"stage"`: the number of the last stage that the document reaches.
#' @section Conditions: `rankmix_error_newdata`: documents without queries. Also the conditions of
#'   [predict.rankmix_classifier()].
#' @examples
#' data <- simulate_ranking(60, documents = 20, seed = 1)$data
#' spec <- cascade(linear_ranker(penalty = 1), gbrt(trees = 20), keep = 5)
#' model <- fit(spec, data, seed = 1, threads = 1)
#' head(predict(model, data, type = "stage", threads = 1), 20)
#' @export
predict.rankmix_cascade_model <- function(object, newdata, type = c("score", "rank", "stage"), threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  type <- check_score_type(type[1L], c("score", "rank", "stage"))
  threads <- check_threads(threads)
  if (is_source(newdata)) check_scores_chunks(object, rlang::current_env())
  asking_model(object, {
    query <- queries_of_newdata(newdata, object)
    found <- pass_stages(object, newdata, query, threads)
    switch(type, stage = found$stage, score = cascade_scores(found, query),
           rank = rank_within_queries(cascade_scores(found, query), newdata, model = object))
  })
}

queries_of_newdata <- function(newdata, model, call = rlang::caller_env()) {
  if (inherits(newdata, "ranking_data")) {
    return(newdata$query)
  }
  if (!has_queries(newdata, model)) {
    columns <- query_columns(model)
    stop_input("newdata", "A cascade selects the best documents of each query, so it needs their queries.",
               if (is.data.frame(newdata) && !is.null(columns)) {
                 sprintf("The model was trained with the query in %s.", enumerate(columns))
               },
               c("Give `newdata` made by `ranking_data()`.",
                 "For one query: `ranking_data(x, query = rep(1, nrow(x)))`."), call = call)
  }
  queries_of_frame(newdata, model, call)$query
}

# The last stage that each document reaches, and its score there.
pass_stages <- function(model, newdata, query, threads) {
  rows <- seq_along(query)
  stage <- integer(length(query))
  scores <- numeric(length(query))
  for (i in seq_along(model$stages)) {
    part <- if (length(rows) == length(query)) newdata else some_rows(newdata, rows)
    scores[rows] <- predict(model$stages[[i]], part, threads = threads)
    stage[rows] <- i
    if (i < length(model$stages)) rows <- rows[best_documents(scores[rows], query[rows], model$keep[i])]
  }
  list(stage = stage, scores = scores)
}

some_rows <- function(newdata, rows) {
  if (inherits(newdata, "ranking_data")) take_documents(newdata, rows) else newdata[rows, , drop = FALSE]
}

# One score for all stages: documents that stop in a stage follow the documents that pass the stage, in the order of
# the scores of the stage.
cascade_scores <- function(found, query) {
  scores <- found$scores
  last <- max(found$stage, 0L)
  stopped <- tabulate(query[found$stage < last], max(query, 0L)) > 0L
  rows <- which(found$stage == last & stopped[query])
  scores[rows] <- finite_lowest(scores[rows], query[rows])
  lowest <- rep(Inf, max(query, 0L))
  for (s in rev(seq_len(last))) {
    rows <- which(found$stage == s)
    above <- lowest[query[rows]]
    if (s < last) scores[rows] <- above - dense_ranks(scores[rows], query[rows]) * score_step(above)
    least <- tapply(scores[rows], query[rows], min)
    lowest[as.integer(names(least))] <- least
  }
  scores
}

# No score is below -Inf, which best_feature() gives to missing values. So it becomes a number below the other scores
# of the query.
finite_lowest <- function(scores, query) {
  none <- scores == -Inf
  lowest <- tapply(ifelse(none, Inf, scores), query, min)[as.character(query[none])]
  replace(scores, none, ifelse(is.finite(lowest), lowest - score_step(lowest), 0))
}

# 1, or more for numbers so large that adding 1 would be lost by rounding.
score_step <- function(x) pmax(1, abs(x) * 2^-50)

# 1 for the highest score of a query, 2 for the next lower one, and so on.
dense_ranks <- function(scores, query) {
  order <- order(query, -scores, method = "radix")
  first <- !duplicated(query[order])
  lower <- c(TRUE, changes(scores[order])) | first
  ranks <- cumsum(lower)
  ranks <- ranks - (ranks[first] - 1L)[cumsum(first)]
  ranks[order] <- ranks
  ranks
}

# Other rankers predict their members from features alone, without queries. A cascade needs queries.
#' @export
discriminants.rankmix_cascade_model <- function(model, x, rounds, threads) {
  stop_input("argument", "A cascade cannot be a part of another ranker.",
             remedy = "Mix it by `mix()`.", call = NULL)
}

#' @export
#' @rawNamespace S3method(dplyr::explain,rankmix_cascade_model)
explain.rankmix_cascade_model <- function(x, ...) {
  stop_input("argument", "The scores of a cascade depend on the other documents of the query.",
             remedy = "Explain the model of a stage: `explain(model$stages[[2]], data)`.")
}

#' @export
tidy.rankmix_cascade_model <- function(x, ...) x$table

#' @export
glance.rankmix_cascade_model <- function(x, ...) {
  last <- x$table[nrow(x$table), ]
  data.frame(stages = nrow(x$table), documents = x$table$documents[1L], documents_last = last$documents,
             relevant_last = last$relevant)
}

#' @export
print.rankmix_cascade_model <- function(x, ...) {
  say(sprintf("<cascade> %s", counted(nrow(x$table), "stage")))
  relevant <- x$table$relevant
  shown <- data.frame(stage = x$table$stage, documents = sprintf("%.1f", x$table$documents),
                      relevant = ifelse(is.na(relevant), "", sprintf("%.1f %%", 100 * relevant)),
                      keeps = ifelse(is.na(x$table$keep), "", plain_number(x$table$keep)))
  for (i in x$table$stage) say(sprintf("Stage %d: %s", i, x$table$ranker[i]))
  with_points(print(shown, row.names = FALSE, right = FALSE))
  say("documents: the mean number of a query. relevant: the fraction of relevant documents that reach the stage.")
  invisible(x)
}
