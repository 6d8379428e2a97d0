# Predictions of a trained mixture.

#' Predict with a mixture
#'
#' @param object The mixture, made by [tune_and_mix()].
#' @param newdata The documents: [ranking_data()], a numeric matrix or a data frame. Columns
#'   are matched by name if both sides have names, else by position.
#' @param type The result: `"score"` (the default), `"rank"` or `"member"`, see Value.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#'
#' @return In the row order of `newdata`:
#'   * `"score"`: a numeric vector, higher is more relevant.
#'   * `"rank"`: the rank within the query, 1 for the best, ties in row order. `newdata` must then be
#'     [ranking_data()].
#'   * `"member"`: the scores of the members, documents x members.
#'
#'   `"score"` and `"rank"` use only classifiers with members of positive weight.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' mixture <- tune_and_mix(train, NULL, list(ridge = linear_ranker(penalty = 1), trees = gbrt(20)),
#'                         seed = 1, threads = 1, verbose = FALSE)
#' head(predict(mixture, test, threads = 1))
#' head(predict(mixture, test, type = "member", threads = 1))
#' @export
predict.rankmix_mixture <- function(object, newdata,
                                    type = c("score", "rank", "member"),
                                    threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  type <- check_choice(type[1L], "type", c("score", "rank", "member"))
  threads <- check_threads(threads)
  if (is_source(newdata)) {
    if (identical(object$standardize, "query")) {
      stop_input("newdata", "The mixture standardises the scores of its members query by query.",
                 remedy = "A source has parts of queries. Give `ranking_data()`.")
    }
    return(predict_source(object, newdata, type, threads, function(data) {
      predict(object, data, type = if (type == "rank") "score" else type, threads = threads)
    }))
  }
  asking_model(object, {
    if (type == "member") {
      members <- member_scores(object, newdata, seq_len(nrow(object$members)), threads)
      colnames(members) <- member_labels(object)
      return(members)
    }
    scores <- scores_of_mixture(object, newdata, threads)
    if (type == "score") scores else rank_within_queries(scores, newdata, model = object)
  })
}

# Members of weight 0 are not predicted.
scores_of_mixture <- function(mixture, newdata, threads, call = rlang::caller_env()) {
  wanted <- which(mixture$members$weight > 0)
  weight <- mixture$members$weight[wanted]
  if (identical(mixture$standardize, "query")) {
    members <- member_scores(mixture, newdata, wanted, threads, call)
    return(mix_scores(members, cbind(weight), threads)[, 1L])
  }
  asked <- members_asked(mixture, newdata, wanted, threads, call)
  members_mixed(asked$fitted, asked$inputs, asked$input_of, asked$scale, weight, threads)
}

# The calibrated scores of the members `wanted`: documents x members.
member_scores <- function(mixture, newdata, wanted, threads, call = rlang::caller_env()) {
  asked <- members_asked(mixture, newdata, wanted, threads, call)
  scores <- members_scores(asked$fitted, asked$inputs, asked$input_of, asked$scale, threads)
  if (!identical(mixture$standardize, "query")) {
    return(scores)
  }
  if (!inherits(newdata, "ranking_data")) {
    stop_input("newdata", "The mixture standardises the scores of its members query by query.",
               remedy = "Give ranking data, made by `ranking_data()`.", call = call)
  }
  standardized_members(scores, newdata, threads)
}

# The calibrators of the wanted members, the inputs from each of their models, the input that each
# calibrator uses, and the scale of its scores.
members_asked <- function(mixture, newdata, wanted, threads, call) {
  model_of <- mixture$members$model[wanted]
  used <- unique(model_of)
  list(fitted = mixture$fitted[wanted],
       inputs = member_inputs(mixture$models[used], newdata, mixture$rounds, threads, call),
       input_of = match(model_of, used),
       scale = mixture$scale[wanted])
}

# The calibrator inputs from each model, documents x grades or x 1.
member_inputs <- function(models, newdata, rounds, threads, call) {
  group <- feature_groups(models)
  inputs <- vector("list", length(models))
  for (first in unique(group)) {
    own <- which(group == first)
    x <- features_of_model(models[[first]], newdata, threads, call)
    inputs[own] <- inputs_of_features(models[own], x, rounds, threads)
  }
  inputs
}

standardized_members <- function(scores, newdata, threads) {
  names <- dimnames(scores)
  structure(standardize_features(scores, newdata$order, newdata$offsets, threads),
            dimnames = names)
}

member_labels <- function(mixture) {
  paste(mixture$members$classifier, mixture$members$calibrator, sep = " + ")
}
