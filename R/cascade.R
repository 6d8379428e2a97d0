#' Cascade of rankers
#'
#' Specifies a ranker of several stages. The first stage scores all documents of a query. Each later stage scores
#' the best documents of the stage before it, and orders them again. Use it if a good ranker, or its features, cost too
#' much for all documents. Train it with [fit()].
#'
#' @param ... Two or more stages, cheap ones first: specifications, such as [linear_ranker()] and [gbrt()], or trained
#'   models, which are used as they are. Names become labels.
#' @param keep The numbers of documents of a query that the stages keep, one number for each stage but the last,
#'   such as `c(500, 100)`. They must decrease.
#' @param folds Number of folds of queries. The training documents of a later stage are those that the earlier
#'   stage keeps if it is trained without their fold. So they resemble the documents of new queries. Default 5. With
#'   1 the stage selects from its own training queries.
#'
#' @return A specification of class `rankmix_cascade`. The trained ranker has the models of the stages in `stages`.
#'   [tidy()] of it returns a data frame with a row for each stage: `stage`, `ranker`, `keep`, the mean number of
#'   `documents` of a query that it scores, and `relevant`, the fraction of all relevant documents that reach the
#'   stage. Both are of the validation data, or of the training queries if there are none.
#' @examples
#' data <- simulate_ranking(100, documents = 30, seed = 1)$data
#' parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
#' spec <- cascade(cheap = linear_ranker(penalty = 1), good = gbrt(trees = 50), keep = 10)
#' model <- fit(spec, parts$train, parts$test, seed = 1, threads = 1)
#' model
#' summary(evaluate(model, parts$test, metric_ndcg(10)))
#' table(predict(model, parts$test, type = "stage"))
#'
#' @details
#' **Training.** Stage 1 is trained on all training documents. Each further stage is trained on the documents that
#' all stages before it keep. With validation data, each stage chooses its rounds or settings on the validation
#' documents that reach it, by the `metric` of [fit()]. The metric then ignores the documents that were dropped.
#' A stage that is not the last is trained `folds` + 1 times if it is a specification, and never if it is a model. With
#' fewer queries than `folds`, each query is a fold.
#'
#' **Prediction.** Let a document reach stage s. If s is the last stage, its score is the score of that stage. Otherwise
#' it is the lowest score of the query among documents of later stages, minus 1 for the best document that stops in
#' s, minus 2 for the second, and so on. Documents with equal scores of the stage have equal scores. So the order of
#' documents is first by the stage that they reach, then by its score. Scores of documents that stop early are
#' comparable within their query only.
#'
#' **Ties.** Documents that are tied with the last kept document are kept, too. So neither rows nor queries need an
#' order, and a stage that gives all documents the same score keeps all.
#'
#' **Queries.** The scores depend on the other documents of the query. So `predict()` needs [ranking_data()], or a data
#' frame with the query columns of the training data. A cascade is no member of a [mixture()]; [mix()] and
#' [calibrate()] take it. To explain its scores, explain the model of a stage: `explain(model$stages[[2]], data)`.
#'
#' **Cost.** With the mean number \eqn{n_s} of documents that reach stage s, and the cost \eqn{c_s} of a document
#' there, a query costs \eqn{\sum_s n_s c_s}{sum_s n_s c_s}. `tidy()` gives \eqn{n_s}. To limit the features of a
#' stage, see `feature_cost` of [gbrt()] and [select_features()]. On OHSUMED a linear stage that keeps 20 of 152
#' documents lost no NDCG@10 (`bench/costs.md`).
#'
#' @section Conditions: `rankmix_error_argument`: fewer than two stages, a stage that is no ranker, or numbers `keep`
#'   that do not decrease. From `predict()` `rankmix_error_newdata`: documents without queries. And the conditions of
#'   the stages, whose message names the stage.
#' @references Wang, Lin and Metzler (2011). A cascade ranking model for efficient ranked retrieval. SIGIR.
#'   \doi{10.1145/2009916.2009934}
#' @export
cascade <- function(..., keep, folds = 5) {
  stages <- list(...)
  check_given(missing(keep), "keep", "One number for each stage but the last, such as `c(500, 100)`.")
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
               remedy = "Such as `cascade(linear_ranker(), gbrt(), keep = 100)`.", call = call)
  }
  for (i in seq_along(x)) {
    if (!is_specification(x[[i]]) && !is_trained(x[[i]])) {
      stop_input("argument", sprintf("Stage %d must be a specification or a trained model, not %s.", i,
                                     show_value(x[[i]])), remedy = "Such as `gbrt()`.", call = call)
    }
  }
}

check_keep <- function(x, name, call) {
  if (!is.numeric(x) || length(x) == 0L || anyNA(x)) {
    stop_input("argument", sprintf("`keep` must be numbers of documents, not %s.", show_value(x)), call = call)
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
    stop_input("argument", sprintf("`keep` must decrease, not be %s.", toString(plain_number(keep))),
               remedy = "A stage cannot keep more documents than it gets.", call = call)
  }
  if (!any(nzchar(rlang::names2(spec$stages)))) spec$stages <- unname(spec$stages)
  spec
}
