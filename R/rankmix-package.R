#' rankmix: learning to rank by calibrated, mixed classifiers
#'
#' rankmix trains rankers from judged query-document pairs, turns classifiers into relevance
#' probabilities, mixes many models into one ranking, and tells which ranker is better.
#'
#' | to | call | and see |
#' |---|---|---|
#' | bring data in | [ranking_data()], [read_ranking()], [read_letor()], [read_run()] | [simulate_ranking()] |
#' | keep queries apart | [split_queries()], [query_folds()], [read_folds()] | [standardize_queries()] |
#' | train | [fit()] | [rankers] |
#' | mix | [tune_and_mix()], [mix()] | [calibrate()] |
#' | rank | [predict] | [augment()] |
#' | measure | [evaluate()] | [metrics], [conventions] |
#' | compare | [compare_rankers()], [benchmark_rankers()] | [learning_curve()], [report()] |
#' | explain | [explain()], [explain_pair()] | [permutation_importance()], [partial_dependence()] |
#' | deploy | [write_model()], [read_model()] | [distill()], [hooks] |
#' | look | [autoplot] | [tidy()] |
#'
#' Begin with the vignettes: `vignette("get-started", "rankmix")` goes from a data frame to a
#' defended comparison, `"rankers"` trains all kinds, `"metrics"` says why one ranking has many values of a metric,
#' `"comparing"` what a difference of two rankers is worth.
#'
#' @section Options:
#' `rankmix.threads` is the default number of threads; without it,
#' [RcppParallel::defaultNumThreads()] decides. Results never depend on it.
#'
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' trees <- fit(gbrt(trees = 50), train, threads = 1)
#' single <- fit(best_feature(), train, threads = 1)
#' compare_rankers(trees = trees, single = single, data = test, metric = ndcg(10), seed = 1)
#' @importFrom Rcpp evalCpp
#' @importFrom RcppParallel defaultNumThreads
#' @importFrom rlang .data
#' @importFrom stats predict
#' @useDynLib rankmix, .registration = TRUE
"_PACKAGE"

# library() prints no list of masked functions: `smooth()` of stats does what it did, see smooth().
.onAttach <- function(libname, pkgname) {
  assign(".conflicts.OK", TRUE, envir = as.environment(paste0("package:", pkgname)))
}

.onLoad <- function(libname, pkgname) {
  # Where memory runs out, an error needs room to be told.
  reserve_stack()
  keep_memory_reserve()
  refuse_other_classes(parent.env(environment()))
}

.onUnload <- function(libpath) {
  library.dynam.unload("rankmix", libpath)
}
