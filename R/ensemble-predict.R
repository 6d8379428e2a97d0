# Predictions of a trained mixture.

#' Predict with a mixture
#'
#' Computes the weighted sum of the members' scores for new documents.
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
  type <- check_score_type(type[1L], c("score", "rank", "member"))
  threads <- check_threads(threads)
  if (is_source(newdata)) {
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
  asked <- members_asked(mixture, newdata, wanted, threads, call)
  in_blocks(asked$blocks, 1L, function(block) {
    if (asked$by_query) {
      mix_scores(members_of_block(asked, block, threads), cbind(weight), threads)
    } else {
      cbind(members_mixed(asked$fitted, inputs_of_block(asked, block, threads), asked$input_of,
                          asked$scale, weight, threads))
    }
  })[, 1L]
}

# The calibrated scores of the members `wanted`: documents x members.
member_scores <- function(mixture, newdata, wanted, threads, call = rlang::caller_env()) {
  asked <- members_asked(mixture, newdata, wanted, threads, call)
  in_blocks(asked$blocks, length(wanted), function(block) members_of_block(asked, block, threads))
}

members_of_block <- function(asked, block, threads) {
  scores <- members_scores(asked$fitted, inputs_of_block(asked, block, threads), asked$input_of,
                           asked$scale, threads)
  if (asked$by_query) standardized_members(scores, block, threads) else scores
}

# The calibrators of the wanted members, their models, the features of each group of models, and the
# blocks of documents that are predicted together. `whole` has the inputs from models that must see all
# documents at once.
members_asked <- function(mixture, newdata, wanted, threads, call) {
  by_query <- identical(mixture$standardize, "query")
  if (by_query && !inherits(newdata, "ranking_data")) {
    stop_input("newdata", "The mixture standardises the scores of its members query by query.",
               remedy = "Give ranking data, made by `ranking_data()`.", call = call)
  }
  model_of <- mixture$members$model[wanted]
  used <- unique(model_of)
  models <- mixture$models[used]
  asked <- list(fitted = mixture$fitted[wanted], input_of = match(model_of, used),
                scale = mixture$scale[wanted], models = models, rounds = mixture$rounds,
                group = feature_groups(models), features = vector("list", length(models)),
                by_query = by_query, whole = vector("list", length(models)))
  for (first in unique(asked$group)) {
    asked$features[[first]] <- features_of_model(models[[first]], newdata, threads, call)
  }
  asked$blocks <- document_blocks(asked, newdata)
  if (length(asked$blocks) > 1L) {
    for (i in which(!vapply(models, scores_by_document, NA))) {
      asked$whole[i] <- inputs_of_features(models[i], asked$features[[asked$group[i]]], asked$rounds,
                                           threads)
    }
  }
  asked
}

# Whether the model scores each document by its own features. Code of users may also use the features
# of other documents.
scores_by_document <- function(model) {
  if (!is.list(model)) {
    return(!is.function(model))
  }
  parts <- c(.subset2(model, "members"), .subset2(model, "parts"))
  !inherits(model, "rankmix_custom_model") && all(vapply(parts, scores_by_document, NA))
}

# The calibrator inputs of a block from each model, documents x grades or x 1.
inputs_of_block <- function(asked, block, threads) {
  inputs <- asked$whole
  known <- !vapply(inputs, is.null, NA)
  inputs[known] <- lapply(inputs[known], function(input) input[block$rows, , drop = FALSE])
  for (first in unique(asked$group)) {
    own <- which(asked$group == first & !known)
    x <- asked$features[[first]]
    if (!is.null(block$rows)) x <- x[block$rows, , drop = FALSE]
    if (length(own) > 0L) {
      inputs[own] <- inputs_of_features(asked$models[own], x, asked$rounds, threads)
    }
  }
  inputs
}

# Blocks of documents, so that the predictions of many models are not all kept at once. A block has the
# `rows` of its documents, or no `rows` if there is one block. Blocks of whole queries also have the
# `order` and `offsets` of their rows.
document_blocks <- function(asked, newdata) {
  documents <- dim(asked$features[[1L]])[1L]
  grades <- vapply(asked$models, function(model) {
    if (inherits(model, "rankmix_classifier")) as.double(.subset2(model, "classes")) else 1
  }, 0)
  # Blocks copy their features, which takes longer than few predictions.
  predictions <- sum(grades) + length(asked$fitted)
  if (8 * predictions * documents <= 4 * max_block_bytes || documents <= 1024) {
    return(list(if (asked$by_query) unclass(newdata)[c("order", "offsets")] else list()))
  }
  features <- max(0L, unlist(lapply(asked$features, ncol)))
  size <- max(1024, max_block_bytes %/% (8 * (predictions + features)))
  if (!asked$by_query) {
    return(lapply(seq(0, documents - 1, by = size), function(before) {
      list(rows = before + seq_len(min(size, documents - before)))
    }))
  }
  starts <- newdata$offsets[-length(newdata$offsets)]
  unname(lapply(split(seq_along(starts), starts %/% size), function(queries) {
    offsets <- newdata$offsets[c(queries, queries[length(queries)] + 1L)]
    count <- offsets[length(offsets)] - offsets[1L]
    list(rows = newdata$order[offsets[1L] + seq_len(count)] + 1L, order = seq_len(count) - 1L,
         offsets = offsets - offsets[1L])
  }))
}

# Limit in bytes of the features and predictions of a block.
max_block_bytes <- 2^24

# Calls predict_block() for each block. The result has one row for each document.
in_blocks <- function(blocks, columns, predict_block) {
  if (length(blocks) == 1L) {
    return(predict_block(blocks[[1L]]))
  }
  out <- matrix(0, sum(lengths(lapply(blocks, `[[`, "rows"))), columns)
  for (block in blocks) out[block$rows, ] <- predict_block(block)
  out
}

standardized_members <- function(scores, newdata, threads) {
  names <- dimnames(scores)
  structure(standardize_features(scores, newdata$order, newdata$offsets, threads),
            dimnames = names)
}

member_labels <- function(mixture) {
  paste(mixture$members$classifier, mixture$members$calibrator, sep = " + ")
}
