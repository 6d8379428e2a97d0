# Mixtures as specifications: members are trained, calibrated in several ways on held-out data,
# and weighed by their metric there. mix-run.R trains them, mix-tune.R weighs them.

#' Mixture of calibrated rankers
#'
#' Specifies a mixture, to be trained by [fit()]: it trains every member, calibrates each with
#' every calibrator on held-out data, and mixes what results with weights that grow
#' exponentially with the held-out metric. [tune_and_mix()] does it in one call.
#'
#' @param ... The members: specifications, such as `adaboost_mh(tree(8))`; models that were
#'   trained already, those of another mixture, for instance; and functions that take ranking data
#'   and give a score a row, of another package's model, for instance, under names of their own:
#'   `bm25 = function(data) data$x[, "bm25"]`. A path of costs, trained or not, is a member for
#'   each of them.
#' @param calibrators A list of calibrators, such as `cpc("log_sigmoid")`. `NULL`:
#'   [fast_calibrators()] with fewer than 500 validation queries, which are not worse there, as
#'   measured (see their help); else [all_calibrators()]. Members that give one score a document,
#'   such as [gbrt()], take the regressions of [rbc()]; [naive()] and [cpc()] are left out for
#'   them. A linear and a logistic regression rank the documents of one score alike, so that only the first
#'   of those given makes a member. By default `rbc("linear")` is the only calibrator of a ranker of one
#'   score: eight of them tripled the number of members and did not rank better (`bench/one-score.md`).
#' @param metric The metric to tune for, such as `ndcg(10)` or `err()`. `NULL`: that of [fit()].
#' @param weigh How members are weighed, by [weighing()]: the method, and values of c, threshold
#'   and T to try; or the name of a method, such as `"selection"`.
#' @param hold_out How the data are held out on which all is tuned, by [holding_out()]; or the
#'   name of a method of it, such as `"split"`.
#' @param grid Groupings of grades and sets of features that multiply the members, by
#'   [member_grid()].
#' @param budget The most models, and seconds, by [mix_budget()].
#'
#' @details
#' Member m is a ranker with a calibrator, \eqn{v_m(x)} its score and
#' \eqn{\omega_m} the mean of `metric` over the validation queries. The mixture
#' is
#' \deqn{v(x) = \sum_m \pi_m v_m(x), \quad
#'   \pi_m \propto p_m e^{c \omega_m}\ (\omega_m > \omega_{min}).}{
#'   v(x) = sum_m pi_m v_m(x), pi_m proportional to p_m exp(c omega_m) where
#'   omega_m > omega_min, else 0.}
#' The specifications that were given are equal in sum before their metric is looked at: that is
#' \eqn{p_m}{p_m}. T, which is common to all classifiers, is that with
#' the best mean of
#' `metric` for the mixture on the validation data for any c and
#' \eqn{\omega_{min}}{omega_min}; ties go to the smaller T, then to
#' the smaller c, then to the lower threshold. The weights are averages over the c and
#' \eqn{\omega_{min}}{omega_min} that are tried, in which the best ones have the largest
#' shares: see [weighing()], also for the weights of the paper. Of rankers of one score that have rounds, such as
#' [gbrt()], each has a number of its own: that of the values of T for which its scores have the
#' best metric on the validation data, the fewer of equal ones. Other weights, and other rules of choice, are
#' options of [weighing()]. Rankers that give one score a document are
#' calibrated on it alone; of [best_feature()] a missing value counts as the lowest of the
#' training data. Features are
#' binned once for all members with the same number of bins. The held-out `value` of a
#' member and of the mixture are those by which it is tuned, of scores by calibrators fitted to
#' other queries unless `hold_out` is `"same"`. Memory: 8 bytes a member
#' and validation document, and the features of each set for these documents; 8 bytes more a
#' model, grade, value of T and validation document where that is 64 MB at most; with a finite
#' `seconds` 8 bytes a model, grade and validation document.
#'
#' [fit()] without validation data holds out the share of the queries that [holding_out()] says.
#' Its `checkpoint` is a folder: models are written there when they are trained. A call with the
#' same data whose folder is there goes on from it,
#' after a kill for instance, and gives the same mixture. Other calibrators and values of
#' T, c and threshold may be asked for without training anything; members keep their
#' models where their place in the grid, which decides about their seed, stays the same. One
#' process at a time can use the folder; the system takes the lock back from a process that died.
#'
#' With a finite `seconds` the whole call takes about so long, at least one member always
#' being made. Values of T are tried in the order of the metric of a mixture of naively
#' calibrated classifiers (other rankers by linear regression), which takes little time, the best
#' first. For the first T the
#' calibrators are fitted from the cheapest ([naive()], linear regression, polynomials) to the
#' dearest (network, Gaussian process, soft NDCG); what is estimated not to fit into what is left,
#' the final fits included, is no member. A further T is tried if there is time for all members of
#' the first. Nothing is broken off: a training, or a calibrator of unknown cost, that was begun
#' in time may end late. Which members there are then depends on the speed of the machine; with
#' time enough the mixture is that without a budget.
#'
#' With a plan of the package future other than `sequential`, such as
#' `future::plan("multisession")` or one of future.batchtools for a cluster, specifications
#' are trained on its workers, which share the threads. The data are written to the folder of
#' the checkpoint, or a temporary one, where every worker reads them once; it must be visible to
#' all of them. Models do not depend on the plan. Where a worker dies its specification is
#' trained once more.
#'
#' @return A specification, of class `rankmix_mixture_spec`. [fit()] makes a ranker of it, see the
#'   value of [tune_and_mix()].
#' @section Conditions: `rankmix_error_argument`: what cannot be a member, or a member that no
#'   calibrator suits. By [fit()], those of [tune_and_mix()].
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013). Tune and mix:
#'   learning to rank using ensembles of calibrated multi-class classifiers.
#'   \doi{10.1007/s10994-013-5360-9}
#' @seealso [tune_and_mix()], the same in one call; [mix()] for rankers of any kind.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' spec <- mixture(adaboost_mh(tree(4), rounds = 20), gbrt(20, leaves = 4), best_feature(),
#'                 calibrators = list(naive(), rbc(), rbc("polynomial")))
#' spec
#' fit(spec, train, valid, ndcg(10), seed = 1, threads = 1)
#' @export
mixture <- function(..., calibrators = NULL, metric = NULL, weigh = weighing(),
                    hold_out = holding_out(), grid = member_grid(), budget = mix_budget()) {
  members <- as_members(list(...))
  check_named_members(members, setdiff(names(formals(mixture)), "..."))
  new_spec("mixture")
}

# A name is that of a ranker; of anything else it is an argument that there is not.
check_named_members <- function(members, known, call = rlang::caller_env()) {
  rankers <- vapply(members, function(member) !is.null(spec_of_member(member)), NA)
  named <- members[nzchar(rlang::names2(members)) & !rankers]
  do.call(check_no_others, c(named, list(known = known, call = call)), quote = TRUE)
}

row_of_mixture <- function() {
  ranker_row(
    "mixture",
    parameters = list(
      members = parameter(function(x, name, call) check_members(x, call), show = "bare"),
      calibrators = parameter(function(x, name, call) check_calibrators(x, call)),
      metric = parameter(null_or(function(x, name, call) read_metric(x, call))),
      weigh = parameter(an_option("weighing", weighing_methods)),
      hold_out = parameter(an_option("holding_out", holding_methods)),
      grid = parameter(an_option("member_grid")), budget = parameter(an_option("mix_budget"))
    ),
    # That of the trained ones is rankmix_mixture.
    dots = "members", class = "rankmix_mixture_spec", parts = function(spec) spec$members,
    traits = function(spec) {
      c("resumable", "validation", "random", if (!is.null(spec)) shared_traits(spec$members))
    },
    metric = function(spec) spec$metric,
    complete = complete_mixture,
    open = open_mixture_run,
    # It tells its progress itself, training and calibrating.
    steps = function(spec) 0,
    train = train_mixture,
    small = list(adaboost_mh(tree(4), 8), gbrt(8, leaves = 4, min_documents = 1),
                 calibrators = list(naive(), rbc()), weigh = weighing(c(0, 20))),
    # As gbrt(), which is a member there.
    tolerance = c(twice = 1e-6, zero = 1e-12)
  )
}

complete_mixture <- function(spec, call) {
  if (!any(nzchar(rlang::names2(spec$members)))) spec$members <- unname(spec$members)
  if (is.character(spec$weigh)) spec$weigh <- weighing(method = spec$weigh)
  if (is.character(spec$hold_out)) spec$hold_out <- holding_out(method = spec$hold_out)
  if (!is.null(spec$metric)) spec$metric <- read_metric(spec$metric, call)
  if (!is.null(spec$calibrators)) spec$calibrators <- check_calibrators(spec$calibrators, call)
  calibrators <- if (is.null(spec$calibrators)) fast_calibrators() else spec$calibrators
  check_member_calibrators(spec$members,
                           calibrators_of_kind(calibrators, spec$weigh$members, call), call)
  spec
}

# The checkpoint of a mixture is a run directory, which is of the data that are there.
open_mixture_run <- function(folder, spec, data, validation, seed, drawn, verbose, call) {
  check_ranking_data(data, call = call)
  if (!is.null(validation)) check_ranking_data(validation, "validation", call = call)
  contents <- list(train = data,
                   validation = if (is.null(validation)) spec$hold_out$share else validation)
  # Where members are trained on a part of the training data.
  if (spec$hold_out$method == "split") contents$split <- spec$hold_out$share
  open_run(folder, "tune_and_mix()", contents, seed, drawn, "checkpoint", verbose, call)
}

train_mixture <- function(spec, task) {
  hold_out <- spec$hold_out
  # Training has half of the time, and where it is done twice a third each time.
  seconds <- spec$budget$seconds
  whole <- new_budget(Inf, seconds)
  budget <- if (hold_out$refit) new_budget(Inf, seconds * 2 / 3) else whole
  training_budget <- new_budget(spec$budget$models, seconds / if (hold_out$refit) 3 else 2)
  run <- if (is.null(task$checkpoint)) open_run(NULL, "", list(), task$seed) else task$checkpoint
  parts <- mixture_parts(spec, task, run$seed)
  steps <- lapply(spec$members, function(member) {
    if (is_specification(member)) list(member) else model_steps(member)
  })
  members <- unlist(steps, recursive = FALSE, use.names = FALSE)
  origin <- member_origins(steps)
  check_held_out_grades(members, parts, task$call)
  check_crossfit(hold_out, parts$validation, task$call)
  preset <- if (is.null(spec$calibrators)) preset_for(calibration_part(parts))
  calibrators <- if (is.null(preset)) spec$calibrators else calibrator_presets[[preset]]()
  calibrators <- calibrators_of_kind(calibrators, spec$weigh$members, task$call)
  if (!is.null(preset)) attr(calibrators, "of_one_score") <- "one"
  weigh <- weights_to_try(spec$weigh, members)
  trained <- train_grid(members, origin, spec$grid, parts$train, run, training_budget, task)
  trained$models <- with_own_rounds(trained$models, parts$validation, weigh$rounds, parts$metric,
                                    task$threads, task$call)
  own_rounds <- lapply(trained$models, `[[`, "own_rounds")
  weigh$rounds <- rounds_to_try(trained$models, weigh$rounds)
  trained$unfit <- unfit_members(trained$models, calibrators, task$call)
  trained$label <- ranker_labels(spec$members)[trained$origin]
  tuned <- tune_members(trained$models, trained$origin, trained$label, calibrators, parts$validation, parts$metric,
                        weigh, hold_out, task, budget, run$seed, parts$calibration)
  if (hold_out$refit) {
    trained <- retrain_grid(trained, parts, run, whole, task)
    trained$models <- Map(function(model, rounds) {
      model$own_rounds <- rounds
      model
    }, trained$models, own_rounds)
  }
  new_mixture(tuned, member_table(trained, calibrators), trained, parts$metric, weigh,
              preset, run$seed)
}

# Which of the members that were given each step belongs to, the steps being listed by member. Those
# that another mixture trained by one specification belong together.
member_origins <- function(steps) {
  origin <- rep(seq_along(steps), lengths(steps))
  path <- vapply(unlist(steps, recursive = FALSE, use.names = FALSE), function(step) {
    if (is_specification(step) || is.null(step$of_path)) NA_character_ else step$of_path
  }, "")
  first <- origin[match(path, path)]
  ifelse(is.na(path), origin, first)
}

# What calibrators are fitted to.
calibration_part <- function(parts) {
  if (is.null(parts$calibration)) parts$validation else parts$calibration
}

# Values of T are those of the models that it applies to.
rounds_to_try <- function(models, rounds) {
  if (any(vapply(models, function(model) is.null(model$own_rounds), NA))) {
    return(rounds)
  }
  max(vapply(models, `[[`, 0L, "own_rounds"))
}

# What trains and what is held out, the features of both in one order.
mixture_parts <- function(spec, task, seed) {
  metric <- if (is.null(task$metric)) ndcg(10) else task$metric
  train <- task$data
  if (is.null(task$validation)) {
    split <- split_parts(split_queries(train, spec$hold_out$share, seed = seed), train)
    check_held_out_metric(split$test, metric, task$threads, task$call)
    train <- split$train
    validation <- split$test
    if (!has_trait(spec, "one_grade")) check_several_grades(train, task$call)
  } else {
    validation <- with_columns(task$validation, task$x, schema_of(train), task$threads,
                               task$call)
  }
  parts <- list(train = train, validation = validation, metric = metric)
  if (spec$hold_out$method == "split") {
    split <- split_parts(split_queries(train, spec$hold_out$share,
                                       seed = derived_seed(seed, "calibration")), train)
    if (!has_trait(spec, "one_grade")) check_several_grades(split$train, task$call)
    parts$train <- split$train
    parts$calibration <- split$test
  }
  parts
}

# Classifiers know the grades of their training data only.
check_held_out_grades <- function(members, parts, call) {
  classifiers <- Filter(is_classifier, members)
  if (length(classifiers) == 0L) {
    return(invisible())
  }
  classes <- max(parts$train$relevance) + 1L
  for (part in Filter(Negate(is.null), parts[c("calibration", "validation")])) {
    check_known_grades(part, classes, call)
    for (classifier in Filter(Negate(is_specification), classifiers)) {
      check_known_grades(part, classifier$classes, call)
    }
  }
  warn_missing_grades(calibration_part(parts), classes)
}

check_crossfit <- function(hold_out, validation, call = rlang::caller_env()) {
  # Those of weight 0 teach nothing.
  weight <- validation$weight
  queries <- if (is.null(weight)) length(validation$query_ids) else sum(weight > 0)
  if (crossfit_of(hold_out) > queries) {
    stop_input("argument",
               sprintf("%d held-out queries cannot be dealt to %d parts.", queries,
                       as.integer(hold_out$parts)),
               remedy = "Lower `parts` of `holding_out()`, or hold out more queries.",
               call = call)
  }
}

# The values of c, the threshold and T to try; the best member alone has no choice of the first.
weights_to_try <- function(weigh, members) {
  if (weigh$members == "one_best") {
    weigh$method <- "exponential"
    weigh$c <- Inf
    weigh$threshold <- -Inf
  }
  if (is.null(weigh$rounds)) weigh$rounds <- usual_rounds(members)
  # Calibrated members are on one scale.
  if (is.null(weigh$standardize)) weigh$standardize <- FALSE
  weigh
}
