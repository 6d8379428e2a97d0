#' rankmix: learning to rank by calibrated, mixed classifiers
#'
#' rankmix trains rankers from judged query-document pairs. The main job runs
#' from [read_letor()] or [ranking_data()] over [tune_and_mix()] to
#' [evaluate()].
#'
#' Begin with the vignettes: `vignette("get-started", "rankmix")` goes from a data frame to a
#' defended comparison, `"metrics"` says why one ranking has many values of a metric,
#' `"comparing"` what a difference of two rankers is worth.
#'
#' @section Options:
#' `rankmix.threads` is the default number of threads; without it,
#' [RcppParallel::defaultNumThreads()] decides. Results never depend on it.
#'
#' @keywords internal
#' @importFrom Rcpp evalCpp
#' @importFrom RcppParallel defaultNumThreads
#' @importFrom rlang .data
#' @importFrom stats predict
#' @useDynLib rankmix, .registration = TRUE
"_PACKAGE"

.onUnload <- function(libpath) {
  library.dynam.unload("rankmix", libpath)
}
