#' Explain scores by features
#'
#' `explain()` computes what each feature contributes to each document's score, by Shapley values. The
#' contributions sum to the score minus a base.
#'
#' @param x The ranker, made by [fit()], [tune_and_mix()] or [mix()].
#' @param data The documents, as for [predict()].
#' @param background The background documents, like `data`. Their values replace features that are treated as unknown.
#'   `NULL`, the default, means the training documents. `"query"` means the documents of the same query, and needs
#'   [ranking_data()]. `"query"` explains why a document is above or below the other documents.
#' @param type The score to explain. `"score"`, the default, is the score of [predict()]. `"linear"` is
#'   for [adaboost_mh()] and [mcsvm()]: the sum \eqn{\sum_l (2^l - 1) f_l}{sum_l (2^l - 1) f_l} of the
#'   discriminants. The explanation of this sum is exact, but the sum may rank documents differently than the score.
#' @param times Number of sampled permutations, each used with its reverse; default 20. More permutations
#' reduce the standard error. Exact methods do not use it.
#' @param seed The random seed of the sampling. By default R's generator draws one.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#'
#' @return A list of class `rankmix_shap`:
#'   * `values`: the contributions, documents x features, in units of the score;
#'   * `base`: one number, or with `background = "query"` one per document;
#'   * `scores`, and `data`, the features;
#'   * `query`: the query ids, if `data` are [ranking_data()];
#'   * `method`;
#'   * `error`: the standard errors, for `"sampling"` with `times` above 1;
#'   * `factors`: for each factor that [gbrt()] splits by subsets, the columns of `values` for its levels.
#'
#'   [tidy.rankmix_shap()] gives the importance of features, [autoplot.rankmix_shap()] a plot.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(trees = 50), train, threads = 1)
#' shap <- explain(model, train)
#' shap
#' head(tidy(shap))
#'
#' @details \eqn{v(S)}{v(S)} is the expected score if only the features in S, of the set N of all p
#'   features, are known. The contribution of feature j is
#'   \deqn{\phi_j = \sum_{S \subseteq N \setminus j} \frac{|S|! (p - |S| - 1)!}{p!} (v(S \cup j) -
#'     v(S)), \qquad \mathrm{score} = v(\emptyset) + \sum_j \phi_j.}{
#'     phi_j = sum over S without j of |S|! (p - |S| - 1)! / p! (v(S and j) - v(S)),
#'     score = v(nothing) + sum_j phi_j.}
#'   `base` is \eqn{v(\emptyset)}{v(nothing)}. The `method` defines \eqn{v(S)}{v(S)}:
#'
#'   * `"cover"`, for [gbrt()] and [rankboost()] without `background`: at each split by a feature not in
#'     S, the mean over both sides, weighted by the numbers of training documents.
#'   * `"background"`, for [gbrt()] and [rankboost()] with `background`: the mean score with the features
#'     not in S taken from each document of the background.
#'   * `"linear"`, for [linear_ranker()], [ranksvm()], [smoothrank()], [coordinate_ascent()] and
#'     [adarank()]: like `"background"`, so \eqn{\phi_j = \beta_j (x_j - \bar x_j)}{phi_j = beta_j (x_j - mean(x_j))}.
#'   * `"sampling"`, for all other rankers: like `"background"`, with documents sampled from the background.
#'
#'   With `type = "linear"`, trees of [adaboost_mh()] are explained like [gbrt()]. A [base_product()] is explained by
#'   a background, and [mcsvm()] by its weights.
#'
#'   **Background kept by the model.** For `"linear"` the model keeps the means of the features. For
#'   `"sampling"` the model keeps up to 100 documents, fewer with more than 10,000 features, chosen
#'   independently of row order. Results of [mix()] keep no background, so `background` is required.
#'
#'   **Sampling.** All methods but `"sampling"` are exact. Sampling replaces the features of a background document by
#'   the explained document's features one by one, in the order of a permutation and its reverse. The values are means
#'   over `times` such pairs, and `error` is their standard error. All documents share permutations and background
#'   documents, so the values also sum to the score.
#'
#'   **Missing and unused features.** Missing values are treated as in the model's predictions. A feature that the
#'   model does not use has the contribution 0. For factors that [gbrt()] splits by subsets, see section Categories of
#'   [gbrt()].
#'
#'   **Cost.** `"cover"`: one step for each document, node of a tree and feature on the longest path of the tree
#'   (rounded up to a multiple of 8). `"background"`: one step for each document, leaf and feature on the path to the
#'   leaf. One more step for each leaf and background document. `"sampling"`: 2 p `times` predictions per document.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: no documents in `data` or `background`. No `background` for a model that
#'   keeps none. Trees with more than 64 features on the path to a leaf, with `background`.
#'   `type = "linear"` for other rankers, or for products with more than 4096 leaves.
#'   `background = "query"` for data without queries.
#' * `rankmix_error_newdata`: `data` or `background` lack features of the model.
#' * `rankmix_error_path`: no model of a path was chosen.
#' * `rankmix_error_scores`: scores are not finite, as those of [best_feature()] if the feature is missing.
#' @references Lundberg and others (2020). From local explanations to global understanding with
#'   explainable AI for trees. \doi{10.1038/s42256-019-0138-9}
#'
#'   Castro, Gomez and Tejada (2009). Polynomial calculation of the Shapley value based on sampling.
#'   \doi{10.1016/j.cor.2008.04.004}
#' @seealso [explain_pair()], [permutation_importance()], [partial_dependence()]
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
  values <- if (identical(background, "query")) {
    contributions_by_query(x, features, data, type, times, seed, threads)
  } else {
    contributions(x, features, background, type, times, seed, threads)
  }
  # R may copy a matrix to name it.
  if (!identical(dimnames(values$values), dimnames(features))) {
    dimnames(values$values) <- dimnames(features)
  }
  structure(c(values, list(scores = values$base + rowSums(values$values), data = features,
                           query = if (inherits(data, "ranking_data")) data$query_ids[data$query],
                           model = model_words(x), factors = explained_factors(x))),
            class = "rankmix_shap")
}

# The columns of the levels of each factor that trees split by subsets, by the name of the factor.
explained_factors <- function(model) {
  factors <- lapply(model$categories, `[[`, "columns")
  stats::setNames(factors, vapply(model$categories, `[[`, "", "column"))
}

#' @importFrom generics explain
#' @export explain
#' @noRd
NULL

# dplyr has its own generic `explain()`, which is called if dplyr was attached last.
#' @export
#' @rawNamespace S3method(dplyr::explain,rankmix_spec)
explain.rankmix_spec <- function(x, ...) {
  stop_input("argument", "`explain()` takes a model, not the specification of one.",
             remedy = "Train it first: `fit(spec, data)`.")
}

# The features of a model as a matrix of doubles with names.
explained_features <- function(model, data, name, threads, call = rlang::caller_env()) {
  refuse_binned(data, name, call)
  refuse_source(data, "explain()", call)
  model <- first_classifier(model)
  if (is.null(model$features)) {
    part <- Find(function(name) !is.null(model[[name]]), c("rankers", "classifier", "ranker"))
    stop_input("argument", sprintf("`explain()` needs a model of features, and %s has none of its own.",
                                   ranker_words(model)),
               remedy = if (!is.null(part)) {
                 sprintf("Explain a part of it: `explain(model$%s, data)`.", sub("rankers", "rankers[[1]]", part))
               }, call = call)
  }
  x <- as.matrix(match_features(data, model, threads, call))
  if (nrow(x) == 0L) {
    stop_input("argument", sprintf("`%s` has no documents.", name),
               remedy = "Give one or more.", call = call)
  }
  storage.mode(x) <- "double"
  dimnames(x) <- list(NULL, model$features)
  x
}

# The features of a mixture are the features of its members.
first_classifier <- function(model) {
  if (is.null(model$features) && !is.null(model$models)) model$models[[1L]] else model
}

model_words <- function(model) {
  if (inherits(model$spec, "rankmix_spec")) format(model$spec) else "a mixture"
}

# The scores of features in the form that explained_features() returns.
feature_matrix_scores <- function(model, x, threads) {
  if (!isTRUE(first_classifier(model)$named)) colnames(x) <- NULL
  predict(model, x, threads = threads)
}

# Returns `values`, `base`, `method`, and for sampling `error`.
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
    if (inherits(model, "rankmix_imported_model") && !has_covers(forest$forest)) {
      background <- background_documents(model, background, ncol(x), call)
    }
    if (!is.null(model$categories)) {
      return(category_contributions(score, forest, model$categories, x, background, threads, call))
    }
    return(forest_contributions(score, forest, x, background, threads, call))
  }
  found <- sampled_contributions(function(x) feature_matrix_scores(model, x, threads), x,
                                 background_documents(model, background, ncol(x), call), times,
                                 check_seed(seed))
  check_finite_contributions(found$values, model, call)
  found
}

# best_feature() gives the score -Inf to documents whose feature is missing. Differences of such scores are undefined.
check_finite_contributions <- function(values, model, call) {
  bad <- which(rowSums(!is.finite(values)) > 0)
  if (length(bad) == 0L) {
    return(invisible())
  }
  stop_input("scores", sprintf("%s cannot be explained, because scores of %s are not finite.",
                               counted(length(bad), "document"), model_words(model)),
             "Documents in which a feature is missing can have the score -Inf.",
             "Leave such documents out of `data`, and give a `background` without them.", call = call)
}

# The background of each document is its query. All queries share permutations.
contributions_by_query <- function(model, x, data, type, times, seed, threads,
                                   call = rlang::caller_env()) {
  if (!inherits(data, "ranking_data")) {
    stop_input("argument", "`background = \"query\"` needs the queries of the documents.",
               remedy = "Give `data` made by `ranking_data()`.", call = call)
  }
  if (!is_linear_model(model) && is.null(additive_forest(model))) seed <- check_seed(seed)
  rows <- split(seq_along(data$query), data$query)
  found <- list(values = matrix(0, nrow(x), ncol(x)), base = numeric(nrow(x)))
  for (own in rows) {
    documents <- x[own, , drop = FALSE]
    part <- contributions(model, documents, documents, type, times, seed, threads, call)
    found$values[own, ] <- part$values
    found$base[own] <- part$base
    found$method <- part$method
    if (!is.null(part$error)) {
      if (is.null(found$error)) found$error <- matrix(0, nrow(x), ncol(x))
      found$error[own, ] <- part$error
    }
  }
  found
}

#' @export
print.rankmix_shap <- function(x, ...) {
  say(sprintf("<explanation> %s, %s, by %s", counted(nrow(x$values), "document"),
              counted(ncol(whole_contributions(x)), "feature"), explanation_words[[x$method]]))
  say(sprintf("Scores from %s to %s, base %s", number_text(min(x$scores), digits = 4),
              number_text(max(x$scores), digits = 4),
              if (length(x$base) == 1L) number_text(x$base, digits = 4) else "by query"))
  if (!is.null(x$error)) {
    say(sprintf("Largest standard error: %s", number_text(max(x$error), digits = 2)))
  }
  print_features(tidy(x), 6L)
  invisible(x)
}

explanation_words <- list(cover = "the training documents", background = "a background",
                          linear = "weights", sampling = "sampling")

# The first rows of a table of features.
print_features <- function(table, most, format_numbers = function(values) signif(values, 4L)) {
  shown <- utils::head(table, most)
  numbers <- vapply(shown, is.double, NA)
  shown[numbers] <- lapply(shown[numbers], format_numbers)
  with_points(print(as.data.frame(shown), row.names = FALSE))
  if (nrow(table) > most) {
    say(sprintf("... and %s", counted(nrow(table) - most, "more feature")))
  }
}
