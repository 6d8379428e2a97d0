#' Predict with a classifier of relevance grades
#'
#' @param object A classifier trained by [fit()].
#' @param newdata [ranking_data()], a numeric matrix or a data frame. Columns
#'   are matched by name when both sides have names, else by position.
#' @param type What to return, see Value.
#' @param rounds How many rounds to use; by default those chosen by [fit()]. Several
#'   numbers give predictions after each of them, in one pass over the model.
#' @param threads Number of threads; results do not depend on it.
#' @param ... Must be empty.
#'
#' @return For `"score"` a numeric vector in the row order of `newdata`, higher
#'   is more relevant: the expected gain \eqn{\sum_l (2^l - 1) p_l} under the
#'   probabilities of [calibrator_naive()] calibration. For `"rank"` the rank within the
#'   query, 1 for the best, ties in row order; `newdata` must then be
#'   [ranking_data()]. For `"label"` the grade with the largest discriminant, the lowest of
#'   several. For `"prob"` these probabilities and for `"raw"` the
#'   discriminants, documents x grades. If `rounds` has several numbers, they are the last
#'   dimension, and name it: documents x rounds, or documents x grades x rounds.
#'
#' @section Conditions: `rankmix_error_newdata`: features of the model are
#'   missing. `rankmix_warning_newdata`: named columns that the model does not
#'   know, which are ignored.
#' @export
predict.rankmix_classifier <- function(object, newdata,
                                       type = c("score", "rank", "prob", "raw", "label"),
                                       rounds = object$best_rounds,
                                       threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  type <- check_choice(type[1L], "type", c("score", "rank", "prob", "raw", "label"))
  threads <- check_threads(threads)
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

# What `predict_stage(f, rounds)` makes of the discriminants after so many rounds; after
# each, in the last dimension, if `rounds` are several. They may come in any order; the
# pass over the ensemble takes them increasing. `values` gives what is made of, an array.
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

# Ranks 1, 2, ... by decreasing score. `data` may be a data frame with the columns that were
# the query when `model` was trained.
rank_within_queries <- function(scores, data, call = rlang::caller_env(), model = NULL) {
  if (!inherits(data, "ranking_data")) {
    data <- queries_of_frame(data, model, call)
  }
  by_query <- rows_by_score(scores, data)
  ranks <- integer(length(scores))
  ranks[by_query] <- sequence(diff(data$offsets))
  ranks
}

# The queries of new data as ranking data have them.
queries_of_frame <- function(frame, model, call) {
  columns <- query_columns(model)
  lacking <- setdiff(columns, names(frame))
  if (!is.data.frame(frame) || is.null(columns) || length(lacking) > 0L) {
    stop_input("argument", "Ranks need the queries of the documents.",
               if (is.data.frame(frame) && length(lacking) > 0L) {
                 sprintf("The model was trained with the query in %s, which is not there.",
                         enumerate(columns))
               },
               "Give `newdata` made by `ranking_data()`.", call = call)
  }
  ids <- single_query(unclass(frame)[columns], nrow(frame), call)
  query <- match(ids, unique(ids))
  list(query = query, offsets = c(0L, cumsum(tabulate(query))))
}

# The names of the columns that were the query in training; NULL where none was named. What
# is made of several models has those of its members.
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
