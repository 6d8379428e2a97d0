# Mixtures as specifications: members are trained, calibrated on validation data, and weighted by their
# validation metric. train_mixture() lists the stages; the files ensemble-*.R hold them.

#' Mixture of calibrated rankers
#'
#' Specifies a mixture. [fit()] trains every member, calibrates it with every calibrator on validation
#' data, and weights the results by their metric.
#'
#' @param ... The members: specifications, such as `adaboost_mh(base_tree(8))`; trained models; and
#'   named functions that take ranking data and return one score per row, such as `bm25 = function(data)
#'   data$x[, "bm25"]`. A path has a member for each cost or penalty.
#' @param calibrators The list of calibrators, such as `calibrator_cpc("log_sigmoid")`. The default
#'   `NULL` is [fast_calibrators()] below 500 validation queries, and [all_calibrators()] otherwise. In
#'   measurements with few validation queries, the fast calibrators were not worse. Members with one
#'   score per document, such as [gbrt()], use only [calibrator_rbc()]. The default for these members is
#'   `calibrator_rbc("linear")`, because eight calibrators together did not rank better (`bench/one-score.md`).
#'   Linear and logistic regressions of one score give the same ranking, so only the first of them is used.
#' @param metric The metric to tune for. With `NULL`, the default, `metric` of [fit()] is used.
#' @param weights The weighting, by [mix_weights()] or the name of its method, such as `"selection"`.
#' @param holdout The validation method, by [mix_holdout()] or its name, such as `"split"`.
#' @param grid The groupings and feature sets with which each specification is trained, by [mix_grid()].
#' @param budget The limits on models and seconds, by [mix_budget()].
#'
#' @return A specification of class `rankmix_mixture_spec`. [fit()] returns the value of [tune_and_mix()].
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' spec <- mixture(adaboost_mh(base_tree(4), rounds = 20), gbrt(20, num_leaves = 4), best_feature(),
#'                  calibrators = list(calibrator_naive(), calibrator_rbc()))
#' spec
#' fit(spec, train, valid, metric_ndcg(10), seed = 1, threads = 1)
#'
#' @details **Weights.** Member m is a ranker with a calibrator, \eqn{v_m(x)} its score and
#'   \eqn{\omega_m} its mean `metric` over the validation queries. The mixture is
#' \deqn{v(x) = \sum_m \pi_m v_m(x), \quad
#'   \pi_m \propto p_m e^{c \omega_m}\ (\omega_m > \omega_{min}).}{
#'   v(x) = sum_m pi_m v_m(x), pi_m proportional to p_m exp(c omega_m) where
#'   omega_m > omega_min, else 0.}
#' The prior weights \eqn{p_m}{p_m} give each specification the same total weight. The weights are
#' averaged over the values of c and \eqn{\omega_{min}}{omega_min}. Values with a better metric have more weight.
#' [mix_weights()] describes c, the threshold
#' omega_min and other methods.
#'
#' **Rounds.** All classifiers have the same number of rounds T. For each T, the best mean `metric` over
#' all c and \eqn{\omega_{min}}{omega_min} is computed, and the best T is chosen. Ties go to the smaller T,
#' then to the smaller c, then to the lower threshold. Each ranker with one score and rounds, such as
#' [gbrt()], has its own T with the best metric; ties go to fewer rounds.
#'
#' **Calibration.** For [best_feature()] a missing value counts as the lowest training value. For the
#' validation `value` of members and mixture, each query is scored by calibrators that were fitted to other
#' queries, unless `holdout` is `"same"`. These values are optimistic, because the mixture was tuned on the same
#' queries. Report the value on a test set.
#'
#' **Without validation data**, [fit()] uses a part of the training queries for validation (see [mix_holdout()]).
#'
#' **Checkpoints.** The `checkpoint` of [fit()] is a folder of trained models. The same call with the
#' same data resumes from it and gives the same mixture. If you change only calibrators, T, c or thresholds, no
#' model is trained again. If you change some members, the models of the others are used again if their positions in the
#' list are the same, because the seed depends on the position. Functions of yours are compared as in
#' [benchmark_rankers()]. One process at a time can use the folder.
#'
#' **Time.** With finite `seconds` the call takes about this long; at least one member is always made.
#' First each T is evaluated with two fast calibrators: naive for classifiers, linear for other rankers. The best
#' T is then used first. The calibrators of this T are fitted from the fastest (naive, linear, polynomials) to the
#' slowest (network, Gaussian process, soft NDCG), as long as time is left. Another T is tried if there is enough time
#' for the same number of members. A step that has begun is always finished, so the call may take longer than `seconds`.
#' The members then depend on the machine's speed. With enough time the mixture is the same as without a limit.
#'
#' **Parallel training.** With a plan such as `future::plan("multisession")` or future.batchtools,
#' specifications are trained on its workers, which share the threads. Without a plan, the daemons of
#' `mirai::daemons(2)` do this. Every worker must be able to read the checkpoint folder, or the temporary folder
#' that takes its place. Models do not depend on the workers. If a worker dies, its specification is trained once
#' more.
#'
#' **Memory.** Mixing needs 8 bytes for each member and validation document, and the features of each set for these
#' documents. It needs another 8 bytes for each model, grade, value of T and validation document, if the sum is at most
#' 64 MB. With finite `seconds` it needs 8 bytes for each model, grade and validation document.
#'
#' @section Conditions: `rankmix_error_argument`: a value that cannot be a member, or a member without a
#'   suitable calibrator. From [fit()] the conditions of [tune_and_mix()].
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013). Tune and mix:
#'   learning to rank using ensembles of calibrated multi-class classifiers.
#'   \doi{10.1007/s10994-013-5360-9}
#' @seealso [tune_and_mix()], the same in one call; [mix()].
#' @export
mixture <- function(..., calibrators = NULL, metric = NULL, weights = mix_weights(),
                    holdout = mix_holdout(), grid = mix_grid(), budget = mix_budget()) {
  members <- as_members(list(...))
  check_named_members(members, setdiff(names(formals(mixture)), "..."))
  new_spec("mixture", members = members, calibrators = calibrators, metric = metric, weights = weights,
           holdout = holdout, grid = grid, budget = budget)
}

# A named ranker is a member. Any other named value is an unknown argument.
check_named_members <- function(members, known, call = rlang::caller_env()) {
  rankers <- vapply(members, function(member) !is.null(spec_of_member(member)), NA)
  named <- members[nzchar(rlang::names2(members)) & !rankers]
  do.call(check_no_others, c(named, list(known = known, call = call)), quote = TRUE)
}

entry_of_mixture <- function() {
  registry_entry(
    "mixture",
    parameters = list(
      members = parameter(function(x, name, call) check_members(x, call), show = "bare"),
      calibrators = parameter(function(x, name, call) check_calibrators(x, call)),
      metric = parameter(null_or(function(x, name, call) read_metric(x, call))),
      weights = parameter(an_option("mix_weights", weighting_methods)),
      holdout = parameter(an_option("mix_holdout", holdout_methods)),
      grid = parameter(an_option("mix_grid")), budget = parameter(an_option("mix_budget"))
    ),
    # `class` is for specifications. Trained mixtures have the class rankmix_mixture.
    dots = "members", class = "rankmix_mixture_spec", parts = function(spec) spec$members,
    traits = function(spec) {
      c("resumable", "validation", "random", if (!is.null(spec)) shared_traits(spec$members))
    },
    metric = function(spec) spec$metric,
    complete = complete_mixture,
    open = open_mixture_run,
    # Training and calibration report their progress themselves.
    steps = function(spec) 0,
    train = train_mixture,
    # The tolerances are the same as for gbrt(), which is a member in the tests.
    tolerance = c(twice = 1e-6, zero = 1e-12)
  )
}

complete_mixture <- function(spec, call) {
  if (!any(nzchar(rlang::names2(spec$members)))) spec$members <- unname(spec$members)
  if (is.character(spec$weights)) spec$weights <- mix_weights(method = spec$weights)
  if (is.character(spec$holdout)) spec$holdout <- mix_holdout(method = spec$holdout)
  if (!is.null(spec$metric)) spec$metric <- read_metric(spec$metric, call)
  if (!is.null(spec$calibrators)) spec$calibrators <- check_calibrators(spec$calibrators, call)
  calibrators <- if (is.null(spec$calibrators)) fast_calibrators() else spec$calibrators
  check_member_calibrators(spec$members,
                           calibrators_of_kind(calibrators, spec$weights$members, call), call)
  spec
}

# The checkpoint of a mixture is a run directory, tied to its data.
open_mixture_run <- function(folder, spec, data, validation, seed, drawn, verbose, call) {
  check_ranking_data(data, call = call, binned = TRUE)
  if (!is.null(validation)) check_ranking_data(validation, "validation", call = call, binned = TRUE)
  contents <- contents_of_mixture(folder, spec, data, validation)
  open_run_of_ranks(folder, data$cluster, function() {
    open_run(folder, "tune_and_mix()", contents, seed, drawn, "checkpoint", verbose, call)
  }, call)
}

# The same binned data may be on another number of ranks when the run resumes. All ranks call this function.
contents_of_mixture <- function(folder, spec, data, validation) {
  if (is.null(folder)) {
    return(list())
  }
  contents <- list(train = data, validation = if (is.null(validation)) spec$holdout$fraction else validation)
  if (is_binned(data)) contents$train <- contents_of_binned(data, 1L)
  if (is_binned(data) && !is.null(validation) && is.matrix(validation$x)) {
    contents$validation <- contents_of_validation(validation)
  }
  # The fraction matters only if members are trained on a part of the training data.
  if (spec$holdout$method == "split") contents$split <- spec$holdout$fraction
  contents
}

# Trains a mixture in stages. Each stage is a function of plain values, and has its own file: split,
# train, rounds (which calibrates, weights and selects for each T), model.
train_mixture <- function(spec, task) {
  plan <- plan_mixture(spec, task)
  data <- split_mixture_data(plan, task$data, task$validation, task$x)
  plan <- with_calibrators(plan, calibration_part(data))
  trained <- train_members(plan, data$train)
  tuned <- tune_rounds(plan, trained, data)
  if (plan$holdout$refit) trained <- retrain_members(plan, trained, data)
  new_mixture(plan, trained, tuned)
}

# The settings of all stages. `members` are specifications and models; a path of models that another
# mixture trained has one for each step. `origin` is the index of the member that the user gave, and
# `labels` names the given members.
plan_mixture <- function(spec, task) {
  run <- if (is.null(task$checkpoint)) open_run(NULL, "", list(), task$seed) else task$checkpoint
  steps <- lapply(spec$members, function(member) {
    if (is_specification(member)) list(member) else model_steps(member)
  })
  members <- unlist(steps, recursive = FALSE, use.names = FALSE)
  list(
    members = members, origin = member_origins(steps), labels = ranker_labels(spec$members),
    grid = spec$grid, calibrators = spec$calibrators, weighting = weights_to_try(spec$weights, members),
    holdout = spec$holdout, metric = if (is.null(task$metric)) metric_ndcg(10) else task$metric,
    one_grade = has_trait(spec, "one_grade"), run = run, seed = run$seed,
    time = mixture_budgets(spec$budget, spec$holdout$refit),
    threads = task$threads, verbose = task$verbose, call = task$call
  )
}
