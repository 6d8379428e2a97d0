#' Cascade of rankers
#'
#' Specifies a ranker of several stages. The first stage scores all documents of a query. Each later stage reranks the
#' best documents of the stage before it. Use a cascade if a good ranker, or its features, cost too much for all
#' documents. Train it with [fit()].
#'
#' @param ... Two or more stages, the cheapest first. A stage is a specification, such as [linear_ranker()] or [gbrt()],
#'   or a trained model, which is not trained again. The names (optional) label the stages in results.
#' @param keep The number of documents of a query that each stage keeps for the next stage, such as `c(500, 100)`. One
#'   number for each stage but the last. The numbers must decrease.
#' @param folds Number of folds of queries. From each fold, a stage that is trained on the other folds selects training
#'   documents for the next stage. So these documents resemble the selected documents of new queries. Default 5. With
#'   `folds = 1`, a stage selects documents of the queries that it was trained on.
#'
#' @return A specification of class `rankmix_cascade`. The list `stages` of the trained ranker has the models of the
#'   stages. [tidy()] of the trained ranker returns a row for each stage: `stage`, `ranker`, `keep`, `documents` and
#'   `relevant`. `documents` is the mean number of documents of a query that the stage scores. `relevant` is the
#'   fraction of all relevant documents that reach the stage. Both are measured on the validation data, or on the
#'   training data if there are no validation data.
#' @examples
#' data <- simulate_ranking(100, documents = 30, seed = 1)$data
#' parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
#' spec <- cascade(cheap = linear_ranker(penalty = 1), good = gbrt(trees = 50), keep = 15)
#' model <- fit(spec, parts$train, parts$test, seed = 1, threads = 1)
#' model
#' summary(evaluate(model, parts$test, metric_ndcg(10, ties = "average")))
#' table(predict(model, parts$test, type = "stage"))
#'
#' @details
#' **Training.** Stage 1 is trained on all training documents. Each further stage is trained on the documents that all
#'   stages before it keep. With validation data, each stage chooses its rounds or settings on the validation documents
#'   that reach it, by the `metric` of [fit()]. The metric then ignores the documents that were dropped. A specification
#'   that is not the last stage is trained `folds` + 1 times. A trained model is not trained again, and selects from all
#'   training documents. Such a model should have been trained on other queries, because it selects better from its own
#'   training queries than from new queries. With fewer queries than `folds`, each query is a fold.
#'
#' **Prediction.** The documents of a query are ordered by the last stage that they reach, then by the score of this
#' stage. A document that reaches the last stage has the score of the last stage. A document that stops in an earlier
#' stage gets a score below all documents that pass this stage. The best document that stops in a stage gets the lowest
#' score of these documents minus 1, the second-best gets the lowest score minus 2, and so on. Documents that are tied
#' in their last stage stay tied. Scores of documents that stop early are comparable within their query only.
#' [best_feature()] gives missing values the score `-Inf`. In the last stage this score becomes the lowest finite score
#' of the query minus 1, if documents stop earlier.
#'
#' **Ties.** Documents that are tied with the last kept document are kept, too. So the selection does not depend on row
#' order. A stage that gives all documents of a query the same score keeps all of them. A query with `keep` documents or
#' fewer keeps all of them, without a warning.
#'
#' **Queries.** The scores depend on the other documents of the query. So `predict()` needs [ranking_data()], or a data
#' frame with the query columns of the training data. A cascade cannot be a member of a [mixture()], but [mix()] and
#' [calibrate()] support cascades. [explain()] does not support a cascade. Explain the model of a stage instead:
#' `explain(model$stages[[2]], data)`.
#'
#' **Cost.** Let \eqn{n_s} be the mean number of documents that reach stage s, and \eqn{c_s} the cost of a document in
#' this stage. Then a query costs \eqn{\sum_s n_s c_s}{sum_s n_s c_s} on average. The column `documents` of `tidy()` is
#' \eqn{n_s}. To limit the features of a stage, see `feature_cost` of [gbrt()] and [select_features()]. On OHSUMED, with
#' 152 documents per query, a linear stage that keeps 20 lost no NDCG@10 (`bench/costs.md`).
#'
#' @section Conditions: `rankmix_error_argument`: fewer than two stages, a stage that is no ranker, or numbers `keep`
#'   that do not decrease. `rankmix_error_newdata`, from `predict()`: documents without queries. Also the conditions of
#'   the stages. An error in training names the stage. `rankmix_warning_keep`: a stage drops no training document.
#' @references Wang, Lin and Metzler (2011). A cascade ranking model for efficient ranked retrieval. SIGIR.
#'   \doi{10.1145/2009916.2009934}
#' @export
cascade <- function(..., keep, folds = 5) {
  stages <- list(...)
  check_given(missing(keep), "keep", "Name it, and give one number for each stage but the last: `keep = c(500, 100)`.")
  check_named_members(stages, c("keep", "folds"))
  new_spec("cascade", stages = stages, keep = keep, folds = folds)
}

entry_of_cascade <- function() {
  registry_entry(
    "cascade",
    parameters = list(
      stages = parameter(check_cascade_stages, show = "bare"),
      keep = parameter(check_keep, show = "always"),
      folds = parameter(a_count())
    ),
    dots = "stages", parts = function(spec) spec$stages,
    traits = function(spec) {
      c("validation", "random", "queries",
        if (is.null(spec)) traits_of_stages else stage_traits(spec$stages))
    },
    complete = complete_cascade, steps = function(spec) length(spec$stages),
    train = train_cascade,
    tolerance = c(zero = 1e-12),
    exempt = c(twice = "A query and its copy can be in different folds.")
  )
}

# The traits that a cascade has if all stages have them.
traits_of_stages <- c("missing", "weights", "document_weights", "real_relevance", "sparse", "one_grade")

stage_traits <- function(stages) {
  specs <- Filter(is_specification, stages)
  Reduce(intersect, lapply(specs, traits_of), traits_of_stages)
}

check_cascade_stages <- function(x, name, call) {
  if (length(x) < 2L) {
    stop_input("argument", "A cascade needs two or more stages.",
               remedy = c("For example `cascade(linear_ranker(), gbrt(), keep = 100)`.",
                          if (length(x) == 1L && is.list(x[[1L]]) && !is.object(x[[1L]])) {
                            "Give the stages as arguments, not as a list."
                          }), call = call)
  }
  names <- Filter(nzchar, rlang::names2(x))
  if (anyDuplicated(names)) {
    stop_input("argument", sprintf("Two stages have the name `%s`.", names[anyDuplicated(names)]),
               remedy = "Give stages different names.", call = call)
  }
  for (i in seq_along(x)) {
    if (!is_specification(x[[i]]) && !is_trained(x[[i]])) {
      stop_input("argument", sprintf("Stage %d must be a specification or a trained model, not %s.", i,
                                     show_value(x[[i]])),
                 remedy = if (is.function(x[[i]])) "Call the function, with parentheses: `gbrt()`." else {
                   "For example `gbrt()`."
                 }, call = call)
    }
  }
}

check_keep <- function(x, name, call) {
  if (!is_plain_number(x) || length(x) == 0L || anyNA(x)) {
    stop_input("argument", sprintf("`keep` must be numbers of documents, not %s.", show_value(x)), call = call)
  }
  if (any(x > 0 & x < 1)) {
    stop_input("argument", "`keep` must be numbers of documents, not fractions.",
               remedy = "For example `keep = 100`, for lists of 1,000 documents.", call = call)
  }
  for (count in x) check_count(count, "keep", call = call)
}

complete_cascade <- function(spec, call) {
  keep <- spec$keep
  if (length(keep) != length(spec$stages) - 1L) {
    stop_input("argument", sprintf("`keep` has %s for %d stages.", counted(length(keep), "number"),
                                   length(spec$stages)),
               remedy = "Give one for each stage but the last.", call = call)
  }
  if (any(diff(keep) >= 0)) {
    stop_input("argument",
               sprintf("`keep` must decrease from stage to stage, not be %s.", toString(plain_number(keep))),
               remedy = "A stage cannot keep more documents than it gets.", call = call)
  }
  if (!any(nzchar(rlang::names2(spec$stages)))) spec$stages <- unname(spec$stages)
  spec
}
