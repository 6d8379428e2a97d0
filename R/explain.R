#' Explain scores by features
#'
#' `explain()` says what each feature adds to the score of each document: Shapley values, which sum
#' to the score less a base.
#'
#' @param x A ranker: what [fit()], [tune_and_mix()] or [mix()] gave.
#' @param data The documents, as [predict()] takes them.
#' @param background Documents that stand for what is not known of a feature, as `data`; `NULL`
#'   means the training documents, of which [fit()] keeps in the model what is needed; `"query"` the
#'   documents of the same query, of [ranking_data()]: why is a document above or below the others?
#' @param type `"score"`, what [predict()] gives; or `"linear"`, of [adaboost_mh()] and [mcsvm()]
#'   the sum \eqn{\sum_l (2^l - 1) f_l}{sum_l (2^l - 1) f_l} of the discriminants, which is
#'   exact and takes no sampling, and may rank differently from the score.
#' @param times How many permutations are drawn, each with its reverse, where values are sampled.
#' @param seed Seed of what is drawn; by default R's generator gives one.
#' @param threads Number of threads; results do not depend on it.
#' @param ... Must be empty.
#'
#' @details With the set N of p features and the score \eqn{v(S)}{v(S)} that is expected where the
#'   features in S are known, feature j of a document is given
#'   \deqn{\phi_j = \sum_{S \subseteq N \setminus j} \frac{|S|! (p - |S| - 1)!}{p!} (v(S \cup j) -
#'     v(S)), \qquad \mathrm{score} = v(\emptyset) + \sum_j \phi_j.}{
#'     phi_j = sum over S without j of |S|! (p - |S| - 1)! / p! (v(S and j) - v(S)),
#'     score = v(nothing) + sum_j phi_j.}
#'   `base` is \eqn{v(\emptyset)}{v(nothing)}. What \eqn{v(S)}{v(S)} is depends on `method`:
#'
#'   | `method` | of | v(S) |
#'   |---|---|---|
#'   | `"cover"` | [gbrt()], [rankboost()] without `background` | the mean over both sides of each split by a feature that is not in S, by the numbers of training documents that went there |
#'   | `"background"` | [gbrt()], [rankboost()] with `background` | the mean score with the features not in S from each document of the background |
#'   | `"linear"` | [linear_ranker()], [ranksvm()], [smoothrank()], [coordinate_ascent()], [adarank()] | the same: \eqn{\phi_j = \beta_j (x_j - \bar x_j)}{phi_j = beta_j (x_j - mean(x_j))} |
#'   | `"sampling"` | all others | the same, of documents drawn from the background |
#'
#'   With `type = "linear"` the trees of [adaboost_mh()] are explained as those of [gbrt()], a
#'   [base_product()] by a background, and [mcsvm()] by its weights.
#'
#'   What a model keeps of its training documents depends on how it is explained: the numbers that
#'   went each way for a forest, the means of the features for `"linear"`, and up to 100 documents
#'   for `"sampling"`, fewer of more than 10,000 features. The documents are taken at equal steps of
#'   weight in an order that goes by their features, so that neither the order of the training rows
#'   nor the number of threads matters. So a single document is explained as it is among others.
#'   Models that [mix()] put together, and those of earlier versions, keep none and need `background`.
#'
#'   The first three are exact. Sampling goes through the features in the order of a permutation,
#'   then in the reverse one, and takes them over from the document one by one; the values of all
#'   `times` pairs are averaged, and their standard error is `error`. All documents share
#'   permutations and documents of the background, so that these values sum to the score, too.
#'   A missing value goes where the model sends it, and one that the model fills adds what its
#'   filling adds. A feature that the model does not use is given 0.
#'
#'   Cost: `"cover"` 8 d steps for each node of a tree and document, d the features on its longest
#'   way over 8; `"background"` a step for each leaf, feature on its way and document, and one for
#'   each leaf and document of the background; `"sampling"` 2 p `times` predictions a document.
#'
#' @return A list of class `rankmix_shap`: `values`, documents x features, in units of the score;
#'   `base`, one number, or with `background = "query"` one a document; `scores`; `data`, the
#'   features, documents x features; `query`, the id of each document's query, if `data` are
#'   [ranking_data()]; `method`; `error`, like `values`, of `"sampling"` with `times` of 2 or more.
#'   [tidy()] and [summary()] of it give the importance of features, see [tidy.rankmix_shap()]; [autoplot.rankmix_shap()] draws it.
#' @section Conditions: `rankmix_error_argument`: no documents, or none in `background`; a model of
#'   an earlier version or a mixture that knows no documents, without `background`; trees with more than
#'   64 features on the way to a leaf, with `background`; `type = "linear"` of other rankers, or of
#'   products with more than 4096 leaves; `background = "query"` of data without queries.
#'   `rankmix_error_newdata`: `data` or
#'   `background` lack features of the model. `rankmix_error_path`: nothing chose among the models
#'   of a path.
#' @references Lundberg and others (2020). From local explanations to global understanding with
#'   explainable AI for trees. \doi{10.1038/s42256-019-0138-9}
#'
#'   Castro, Gomez and Tejada (2009). Polynomial calculation of the Shapley value based on sampling.
#'   \doi{10.1016/j.cor.2008.04.004}
#' @seealso [explain_pair()], [permutation_importance()], [partial_dependence()]
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(trees = 50), train, threads = 1)
#' shap <- explain(model, train)
#' shap
#' head(tidy(shap))
#' @name explain
#' @aliases explain.rankmix_ranker
#' @export
#' @rawNamespace S3method(dplyr::explain,rankmix_ranker)
explain.rankmix_ranker <- function(x, data, background = NULL, type = "score", times = 20,
                                   seed = NULL, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(data), "data", what_to_give$newdata)
  check_chosen(x)
  check_choice(type, "type", c("score", "linear"))
  check_count(times, "times")
  threads <- check_threads(threads)
  features <- explained_features(x, data, "data", threads)
  if (!is.null(background) && !identical(background, "query")) {
    background <- explained_features(x, background, "background", threads)
  }
  values <- naming_memory(if (identical(background, "query")) {
    contributions_by_query(x, features, data, type, times, seed, threads)
  } else {
    contributions(x, features, background, type, times, seed, threads)
  })
  dimnames(values$values) <- dimnames(features)
  structure(c(values, list(scores = values$base + rowSums(values$values), data = features,
                           query = if (inherits(data, "ranking_data")) data$query_ids[data$query],
                           model = model_words(x))),
            class = "rankmix_shap")
}

#' @importFrom generics explain
#' @export explain
#' @noRd
NULL

# dplyr has a generic `explain()` of its own, which is called where dplyr was attached last.
#' @export
#' @rawNamespace S3method(dplyr::explain,rankmix_spec)
explain.rankmix_spec <- function(x, ...) {
  stop_input("argument", "`explain()` takes a model, not the specification of one.",
             remedy = "Train it first: `fit(spec, data)`.")
}

# The features of a model as a matrix of doubles with names.
explained_features <- function(model, data, name, threads, call = rlang::caller_env()) {
  model <- first_classifier(model)
  x <- as.matrix(match_features(data, model, threads, call))
  if (nrow(x) == 0L) {
    stop_input("argument", sprintf("`%s` has no documents.", name),
               remedy = "Give one or more.", call = call)
  }
  storage.mode(x) <- "double"
  dimnames(x) <- list(NULL, model$features)
  x
}

# A mixture takes the features of its members.
first_classifier <- function(model) {
  if (is.null(model$features) && !is.null(model$classifiers)) model$classifiers[[1L]] else model
}

model_words <- function(model) {
  if (inherits(model$spec, "rankmix_spec")) format(model$spec) else "a mixture"
}

# Scores of features as explained_features() gives them.
feature_matrix_scores <- function(model, x, threads) {
  if (!isTRUE(first_classifier(model)$named)) colnames(x) <- NULL
  predict(model, x, threads = threads)
}

# `values`, `base`, `method` and of sampling `error`.
contributions <- function(model, x, background, type, times, seed, threads,
                          call = rlang::caller_env()) {
  if (type == "linear") {
    return(linear_score_contributions(model, x, background, threads, call))
  }
  if (is_linear_model(model)) {
    return(linear_contributions(model, x, background, threads, call))
  }
  forest <- additive_forest(model)
  if (!is.null(forest)) {
    score <- function(x) feature_matrix_scores(model, x, threads)
    return(forest_contributions(score, forest, x, background, threads, call))
  }
  sampled_contributions(function(x) feature_matrix_scores(model, x, threads), x,
                        background_documents(model, background, ncol(x), call), times,
                        check_seed(seed))
}

# Each document by those of its query; all queries share permutations.
contributions_by_query <- function(model, x, data, type, times, seed, threads,
                                   call = rlang::caller_env()) {
  if (!inherits(data, "ranking_data")) {
    stop_input("argument", "`background = \"query\"` needs the queries of the documents.",
               remedy = "Give `data` made by `ranking_data()`.", call = call)
  }
  if (!is_linear_model(model) && is.null(additive_forest(model))) seed <- check_seed(seed)
  rows <- split(seq_along(data$query), data$query)
  parts <- lapply(rows, function(own) {
    documents <- x[own, , drop = FALSE]
    contributions(model, documents, documents, type, times, seed, threads, call)
  })
  of <- function(field) do.call(rbind, lapply(parts, `[[`, field))
  back <- order(unlist(rows, use.names = FALSE))
  base <- rep(vapply(parts, `[[`, 0, "base"), lengths(rows))
  found <- list(values = of("values")[back, , drop = FALSE], base = unname(base)[back],
                method = parts[[1L]]$method)
  if (!is.null(parts[[1L]]$error)) found$error <- of("error")[back, , drop = FALSE]
  found
}

#' @export
print.rankmix_shap <- function(x, ...) {
  say(sprintf("<explanation> %s, %s, by %s", counted(nrow(x$values), "document"),
              counted(ncol(x$values), "feature"), explanation_words[[x$method]]))
  say(sprintf("Scores from %s to %s, base %s", format(min(x$scores), digits = 4),
              format(max(x$scores), digits = 4),
              if (length(x$base) == 1L) format(x$base, digits = 4) else "by query"))
  if (!is.null(x$error)) {
    say(sprintf("Largest standard error: %s", format(max(x$error), digits = 2)))
  }
  print_features(tidy(x), 6L)
  invisible(x)
}

explanation_words <- list(cover = "the training documents", background = "a background",
                          linear = "weights", sampling = "sampling")

# The first rows of a table of features.
print_features <- function(table, most) {
  shown <- utils::head(table, most)
  numbers <- vapply(shown, is.double, NA)
  shown[numbers] <- lapply(shown[numbers], signif, digits = 4)
  print(as.data.frame(shown), row.names = FALSE)
  if (nrow(table) > most) {
    say(sprintf("... and %s", counted(nrow(table) - most, "more feature")))
  }
}
