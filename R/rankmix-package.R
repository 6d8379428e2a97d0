#' rankmix: learning to rank by calibrated, mixed classifiers
#'
#' rankmix trains rankers on judged query-document pairs and turns classifiers into relevance
#' probabilities. rankmix mixes many models into one ranking, and tests which ranker is better.
#'
#' | task | functions |
#' |---|---|
#' | import data | [ranking_data()], [read_ranking()], [read_letor()] |
#' | other data | [read_run()], [simulate_ranking()] |
#' | split queries | [split_queries()], [query_folds()], [read_folds()] |
#' | train | [fit()] with one of the [rankers] |
#' | mix | [tune_and_mix()], [mix()], [calibrate()] |
#' | rank | [predict], [augment()] |
#' | evaluate | [evaluate()] with [metrics] and [conventions] |
#' | compare | [compare_rankers()], [benchmark_rankers()] |
#' | plan queries | [queries_needed()], [detectable()] |
#' | few or machine judgements | [evaluate_ppi()], [judgement_bounds()] |
#' | clicks | [click_model()], [evaluate_clicks()], [interleave()] |
#' | write a paper | [paper_table()], [methods_sentence()] |
#' | explain | [explain()], [permutation_importance()] |
#' | deploy | [write_model()], [read_model()], [distill()], [hooks] |
#' | plot | [autoplot], [tidy()], [report()] |
#'
#' Start with `vignette("get-started", "rankmix")`, then `"rankers"`, `"metrics"` and `"comparing"`.
#' `"ship"` explains how to decide between an old and a new ranker. `"few-judgements"` is about few
#' human grades, grades of language models, and clicks. `"any-size"` is about data that do not fit into
#' memory, relevance that is not graded, and categories. The vignettes `"tune-and-mix"`,
#' `"calibrated-adaboost"`, `"smoothrank"`, `"cocr"` and `"yetirank"` test the claims of one paper each. [glossary]
#' explains the terms.
#'
#' @section Options: `rankmix.threads`: the default number of threads. Without this option, the number
#' is [RcppParallel::defaultNumThreads()]. The number is limited by the environment variable `OMP_THREAD_LIMIT`,
#' and to two in `R CMD check`. Results do not depend on it.
#'
#' @examples
#' # For your own data: ranking_data()
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#'
#' trees <- fit(lambdamart(trees = 50, num_leaves = 8), train, validation = valid, threads = 1)
#' ridge <- fit(linear_ranker(), train, threads = 1)
#'
#' summary(evaluate(trees, test, "ndcg@10"))
#' compare_rankers(trees = trees, ridge = ridge, data = test, metric = "ndcg@10", seed = 1)
#' head(augment(trees, test))
#' @importFrom Rcpp evalCpp
#' @importFrom RcppParallel defaultNumThreads
#' @importFrom rlang .data
#' @importFrom stats predict
#' @useDynLib rankmix, .registration = TRUE
"_PACKAGE"

.onLoad <- function(libname, pkgname) {
  # Raising an error needs memory even if memory has run out, so some stack is reserved.
  reserve_stack()
  keep_memory_reserve()
  summarise_results(parent.env(environment()))
  refuse_other_classes(parent.env(environment()))
  register_with_parsnip()
}

.onUnload <- function(libpath) {
  library.dynam.unload("rankmix", libpath)
}
