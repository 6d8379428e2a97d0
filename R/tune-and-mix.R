# tune_and_mix(), which is fit() of a mixture() in one call, and its default members.

#' Train, calibrate and mix rankers
#'
#' Trains rankers, calibrates each with every calibrator, and mixes them into one strong ranking. [fit()] of a
#' [mixture()] does the same.
#'
#' @param train The training data, made by [ranking_data()] or [read_letor()].
#' @param validation The validation data of the same kind, on which calibrators, weights and settings
#'   are chosen. With the default `NULL`, a part of the queries of `train` is used for validation (see [mix_holdout()]).
#' @param members The list of members, as in [mixture()]. The names of the list label the rankers. The default,
#'   `default_members()`, is a list of 17: AdaBoost.MH, boosted trees of several sizes and objectives,
#'   linear rankers, RankBoost, COCR and a network. Most other lists ranked within a standard error of it
#'   on four collections (`bench/members.md`). Fewer members take less time. To add a member,
#'   write `c(default_members(), list(m5p()))`.
#' @param calibrators The list of calibrators, as in [mixture()]. The default `NULL` is [fast_calibrators()] below 500
#'   validation queries, and [all_calibrators()] otherwise.
#' @param metric The metric to tune for; default NDCG of the first 10 documents.
#' @inheritParams mixture
#' @inheritParams fit.rankmix_spec
#' @param checkpoint The folder for checkpoints, or `NULL` (the default) for none. See [mixture()].
#' @param seed The random seed, a whole number. With `NULL` R's generator draws one. Each member's seed
#'   is derived from it.
#' @param verbose Whether to show progress and the remaining time; default `TRUE`.
#' @param cluster The communicator of several processes that train the members together, as in [fit()], or
#'   `NULL` (the default). `train` and `validation` then have this process's part of the queries. All members must
#'   support `cluster`. Calibration and weights are computed by each process from the validation queries of all
#'   processes. A call with `cluster` needs validation data. All processes must be able to read the `checkpoint` folder.
#'   Such a call does not support `refit`, `method = "split"` or a limit of seconds.
#' @param ... Must be empty.
#'
#' @details [mixture()] describes the method, budgets and parallel workers.
#'
#' @return A ranker of class `rankmix_mixture`, plain R data for `saveRDS()`. The parts of the ranker include:
#'
#'   * `members`: a data frame with the `ranker`, `classifier`, `features`, `calibrator`, `weight` and
#'     validation `value` of each member.
#'   * `tuning`: a data frame of the settings tried: `rounds`, `c` and `threshold` (or `steps`, or
#'     `shrinkage`), and the mixture's `value`. Unless `choose = "best"`, also `behind`, the difference to the
#'     best value, and its standard error `se`. If settings are averaged, also the `fraction` of each setting.
#'   * `rounds`, `c`, `threshold`, `method`, `setting`: the chosen settings of the mixture.
#'   * `value`: the validation metric of the mixture with its final weights.
#'   * `contributions`: for each validation query, the metric of the mixture, of the mixture without
#'     each ranker, and of each ranker alone. See [summary.rankmix_mixture()].
#'   * `calibrators`: the name of the preset if `calibrators` was not given, else `NULL`.
#'   * `skipped`: texts about skipped work, named by kind. `specification`: training was over budget, failed, or was
#'     lost with a worker. `calibrator` and `T`: not tried for lack of time. `refit`: not trained again, for lack of
#'     time or because the training failed. `unfit`: the calibrator does not support the number of grades.
#'
#' @section Conditions: The conditions of [fit()], and:
#'
#'   * `rankmix_error_grade`: the validation data have a grade above all training grades.
#'   * `rankmix_warning_grade`: the validation data lack a grade.
#'   * `rankmix_error_run`: the checkpoint folder belongs to other data, another split, seed or version, or is in
#'     use.
#'   * `rankmix_warning_run`: models could not be written, or the folder could not be locked.
#'   * `rankmix_warning_member`: some trainings failed. If all trainings fail, the first error is raised.
#'   * `rankmix_warning_worker`: trainings were lost twice with their workers. `rankmix_error_worker`: all trainings
#'     were lost.
#'   * `rankmix_error_newdata`, by `predict()`: a mixture with feature sets needs [ranking_data()].
#'
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013). Tune and mix:
#'   learning to rank using ensembles of calibrated multi-class classifiers.
#'   \doi{10.1007/s10994-013-5360-9}
#'
#'   Busa-Fekete, Kegl, Elteto and Szarvas (2011). Ranking by calibrated AdaBoost. JMLR
#'   Workshop and Conference Proceedings 14, 37-48.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' mixture <- tune_and_mix(train, valid,
#'   members = list(adaboost_mh(base_tree(4), rounds = 20),
#'                  adaboost_mh(base_stump(), rounds = 20)),
#'   calibrators = list(calibrator_naive(), calibrator_cpc(), calibrator_rbc("polynomial")),
#'   metric = metric_ndcg(10), threads = 1)
#' mixture
#' @export
tune_and_mix <- function(train, validation = NULL,
                         members = default_members(), calibrators = NULL,
                         metric = metric_ndcg(10), ..., weights = mix_weights(), holdout = mix_holdout(),
                         grid = mix_grid(), budget = mix_budget(), checkpoint = NULL,
                         seed = NULL, threads = NULL, verbose = TRUE, cluster = NULL) {
  check_members_listed(list(validation, members, calibrators, metric, ...))
  check_no_others(...)
  check_all_given()
  check_ranking_data(train, "train", binned = TRUE)
  spec <- new_spec("mixture", members = as_members(listed(members)), calibrators = calibrators,
                   metric = metric, weights = weights, holdout = holdout, grid = grid, budget = budget)
  fit(spec, train, validation, seed = seed, threads = threads, checkpoint = checkpoint, verbose = verbose,
      cluster = cluster)
}

# Refuses rankers given one by one instead of as a list. `given` are the validation data, the
# members, and the arguments after them. An argument with a name is reported by its name instead.
check_members_listed <- function(given, call = rlang::caller_env()) {
  given <- given[!nzchar(rlang::names2(given))]
  rankers <- vapply(given, function(x) is_specification(x) || inherits(x, "rankmix_ranker"), NA)
  if (any(rankers[-2L])) {
    texts <- vapply(given[rankers], function(x) {
      sub("\\(.*", "()", if (is_specification(x)) format(x) else "model")
    }, "")
    stop_input("argument", "The rankers to mix must be one list.",
               remedy = sprintf("Write `tune_and_mix(train, %s, list(%s))`.",
                                if (inherits(given[[1L]], "ranking_data")) "validation" else "NULL",
                                paste(texts, collapse = ", ")), call = call)
  }
}

#' @rdname tune_and_mix
#' @export
default_members <- function() {
  # A small learning rate with few features, so that trees of different objectives differ.
  slow <- function(objective, features = 0.5, documents = 0.7) {
    gbrt(300, num_leaves = 8, learning_rate = 0.05, objective = objective, feature_fraction = features,
         bagging_fraction = documents)
  }
  list(adaboost_mh(base_tree(8)), adaboost_mh(base_stump()), gbrt(), gbrt(num_leaves = 8),
       gbrt(num_leaves = 8, feature_fraction = 0.5), slow(loss_squared(), 0.3, 0.5),
       gbrt(objective = loss_softmax()), slow(loss_xendcg()), slow(loss_smooth(), documents = 1),
       lambdamart(metric_ndcg(10), trees = 300, num_leaves = 8, learning_rate = 0.05, feature_fraction = 0.5),
       linear_ranker(), mcsvm(10^(-5:0)), ranksvm(), rankboost(), coordinate_ascent(restarts = 5),
       cocr(gbrt(100, num_leaves = 8)), network_ranker(loss_lambda(), epochs = 50))
}
