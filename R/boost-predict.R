#' Predict with a classifier of relevance grades
#'
#' Computes scores, ranks, grades or their probabilities for new documents.
#'
#' @param object The classifier, trained by [fit()].
#' @param newdata The documents: [ranking_data()], a numeric matrix, a data frame, or a
#'   [data_source()], which is read in chunks. Columns are matched by
#'   name if
#'   both sides have names, else by position.
#' @param type The result: `"score"` (the default), `"rank"`, `"prob"`, `"raw"` or `"label"`, see Value.
#' @param rounds Number of rounds to use. The default is the number that [fit()] chose. Several numbers give
#'   predictions after each of them, in one pass over the model.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#'
#' @return In the row order of `newdata`:
#'   * `"score"`: the expected gain \eqn{\sum_l (2^l - 1) p_l}{sum_l (2^l - 1) p_l} under the probabilities of
#'     [calibrator_naive()]; higher is more relevant.
#'   * `"rank"`: the rank within the query, 1 for the best, ties in row order. `newdata` must be
#'     [ranking_data()], or
#'     a data frame with the query columns of the training data.
#'   * `"label"`: the grade with the largest discriminant; ties go to the lowest grade.
#'   * `"prob"`: the probabilities of [calibrator_naive()], documents x grades.
#'   * `"raw"`: the discriminants, documents x grades.
#'
#'   If `rounds` has several numbers, the result has a last dimension for them.
#'
#' @section Conditions: `rankmix_error_newdata`: `newdata` lack features of the model.
#'   `rankmix_warning_newdata`: named
#'   columns that are not features of the model are ignored.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' model <- fit(adaboost_mh(base_tree(4), rounds = 20), train, seed = 1, threads = 1)
#' # Probabilities of the grades, after ten of the twenty rounds.
#' head(predict(model, test, type = "prob", rounds = 10, threads = 1))
#' @export
predict.rankmix_classifier <- function(object, newdata,
                                       type = c("score", "rank", "prob", "raw", "label"),
                                       rounds = object$best_rounds,
                                       threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  type <- check_first_choice(type, "type", c("score", "rank", "prob", "raw", "label"))
  threads <- check_threads(threads)
  if (is_source(newdata)) {
    return(predict_source(object, newdata, type, threads, function(data) {
      predict(object, data, type = if (type == "rank") "score" else type, rounds = rounds, threads = threads)
    }))
  }
  asking_model(object, {
    x <- match_features(newdata, object, threads)
    call <- rlang::current_env()
    predict_stages(object, x, rounds, threads, function(f, rounds) {
      range <- discriminant_range(object, rounds)
      switch(
        type,
        raw = name_grades(f),
        label = max.col(f, ties.method = "first") - 1L,
        prob = name_grades(naive_probabilities(f, range)),
        score = naive_scores(f, range),
        rank = rank_within_queries(naive_scores(f, range), newdata, call, object)
      )
    })
  })
}

# Applies `predict_stage(f, rounds)` to the discriminants after each number of rounds. Several
# `rounds` add a last dimension. They may be in any order; the discriminants are computed once, in
# increasing order. `values` returns the discriminants, or another array.
predict_stages <- function(model, x, rounds, threads, predict_stage,
                           call = rlang::caller_env(), values = discriminants) {
  check_stages(rounds, model, call)
  stages <- sort(unique(rounds))
  f <- values(model, x, stages, threads)
  found <- lapply(rounds, function(r) {
    predict_stage(discriminant_slice(f, match(r, stages)), r)
  })
  if (length(rounds) == 1L) found[[1L]] else bind_stages(found, rounds)
}

check_stages <- function(rounds, model, call) {
  if (length(rounds) < 2L) {
    rounds <- list(rounds)
  }
  for (r in rounds) {
    check_count(r, "rounds", min = 0, max = rounds_used(model), call = call)
  }
}

bind_stages <- function(found, rounds) {
  size <- dim(found[[1L]])
  names <- if (is.null(size)) list(NULL) else list(NULL, colnames(found[[1L]]))
  array(unlist(found, use.names = FALSE),
        c(if (is.null(size)) length(found[[1L]]) else size, length(rounds)),
        c(names, list(plain_number(rounds))))
}

grade_names <- function(classes) {
  paste0("grade", seq_len(classes) - 1L)
}

name_grades <- function(x) {
  colnames(x) <- grade_names(ncol(x))
  x
}

# Rows query after query, by decreasing score; order() is stable, so ties keep row order.
rows_by_score <- function(scores, data) {
  order(data$query, -scores)
}

# Whether each element but the first differs from the element before. diff() would be NaN for equal infinite scores.
changes <- function(x) x[-1L] != x[-length(x)]

# Ranks 1, 2, ... by decreasing score. `data` may be a data frame that has the query columns of the
# training data of `model`.
rank_within_queries <- function(scores, data, call = rlang::caller_env(), model = NULL) {
  if (!inherits(data, "ranking_data")) {
    data <- queries_of_frame(data, model, call)
  }
  by_query <- rows_by_score(scores, data)
  ranks <- integer(length(scores))
  ranks[by_query] <- sequence(diff(data$offsets))
  ranks
}

# The `query` and `offsets` of a data frame, in the form of ranking data.
queries_of_frame <- function(frame, model, call) {
  columns <- query_columns(model)
  lacking <- setdiff(columns, names(frame))
  if (!is.data.frame(frame) || is.null(columns) || length(lacking) > 0L) {
    stop_input("argument", "Ranks need the queries of the documents.",
               if (is.data.frame(frame) && length(lacking) > 0L) {
                 sprintf("The model was trained with the query in %s, which the data do not have.",
                         enumerate(columns))
               },
               "Give `newdata` made by `ranking_data()`.", call = call)
  }
  ids <- single_query(unclass(frame)[columns], nrow(frame), call)
  query <- match(ids, unique(ids))
  list(query = query, offsets = c(0L, cumsum(tabulate(query))))
}

# Whether rank_within_queries() finds the queries of these data.
has_queries <- function(data, model) {
  columns <- query_columns(model)
  inherits(data, "ranking_data") || (is.data.frame(data) && !is.null(columns) && all(columns %in% names(data)))
}

# The names of the query columns of the training data, or NULL if there are none. A model that
# combines other models uses the columns of its members.
query_columns <- function(model) {
  if (!is.list(model)) {
    return(NULL)
  }
  model <- unclass(model)
  columns <- model[["columns"]]
  if (is.character(columns) && any(names(columns) == "query")) {
    return(unname(columns[names(columns) == "query"]))
  }
  for (part in model) {
    found <- if (is.list(part) && !is.data.frame(part)) query_columns(part)
    if (!is.null(found)) {
      return(found)
    }
  }
}
