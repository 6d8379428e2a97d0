# Several objectives: one model for each label, and the front of their mixtures.
#
# Problem: relevance and revenue prefer different rankings. How much relevance is lost if revenue gains, and which
# mixture is safe? Input: a specification, training and validation queries with several labels, a metric for each label.
# Algorithm: train one model for each label. Rank by weighted sums of their scores, for a grid of weights. Evaluate each
# mixture by each objective, on queries that were not used for training. Choose by a test of non-inferiority
# (front-choice.R). Reference: Ehrgott (2005), Multicriteria optimization, chapter 3, for weighted sums. Cost: one
# training for each objective (and fold); the mixtures cost only their evaluation.

#' Rank by several objectives
#'
#' Trains one model for each label, such as relevance and revenue, and ranks by weighted sums of their scores. The
#' result shows which trade-offs are possible. With `floor`, a mixture is chosen if a test shows that it loses less than
#' the floor. Use it if the best ranking by one label is not the best by another.
#'
#' @param ranker The specification that is trained for each objective, such as [lambdamart()]. Or a list with a
#'   specification or a trained model for each objective, named by labels.
#' @param data The training data, made by [ranking_data()] with `labels`.
#' @param validation The validation data, with the same labels. The number of rounds is chosen on these data, and all
#'   mixtures are measured and tested on them. With the default `NULL`, a random fifth of the queries of `data` becomes
#'   `validation`, and another fifth `test`. With `test`, a random quarter becomes `validation`.
#' @param objectives The metric of each objective, as text or made by [metric_ndcg()] and others:
#'   `list(relevance = "ndcg@10", revenue = "dcg@10")`. Names are labels, and `"relevance"` is the relevance of the
#'   data. The default `NULL` is `"ndcg@10"` for the relevance and for each label. For tied scores, the value is the
#'   mean over all their orders, unless the metric sets `ties`.
#' @param floor The largest loss that does not matter in practice (the non-inferiority margin), by objective, such as
#'   `c(relevance = 0.005)`. A larger floor permits a larger gain of the other objectives. With the default `NULL`, no
#'   mixture is chosen unless `weights` are given. Above 0, in units of the metric.
#' @param weights The weights of the mixture to choose, instead of a floor, such as `c(relevance = 0.8, revenue = 0.2)`.
#'   One number of 0 or more for each objective. The weights are divided by their sum. The default `NULL` leaves the
#'   choice to `floor`.
#' @param maximize The objective without a floor whose mean is maximised among the mixtures that pass. The default
#'   `NULL` is the last objective without a floor.
#' @param test The test data (optional), with the same labels. They are not used for any choice, so their intervals are
#'   valid for the chosen mixture. With the default `NULL`, see `validation`. If `validation` or `folds` are given, the
#'   default is no test data.
#' @param folds The number of folds, or folds made by [query_folds()], instead of `validation`. The mixtures are then
#'   measured on all queries, out-of-fold: each query by models that were trained on other queries. The default `NULL`
#'   uses no folds.
#' @param steps Number of steps from weight 0 to 1. The default `NULL` is 10 for two objectives (11 mixtures), 5 for
#'   three, and 4 for more. More steps give a finer front, but reduce the power of the test for three or more
#'   objectives. At most 2,000 mixtures.
#' @param level The significance level of the test of the floor; default 0.05. Intervals have the confidence level 1 - 2
#'   `level`, by default 90 %.
#' @param patience Number of rounds without a better metric after which a training stops; default 50. `NULL` trains all
#'   rounds.
#' @param seed The random seed, a whole number. By default R's generator draws one.
#' @param threads Number of threads. Results do not depend on it.
#' @param verbose Whether to show progress; default `TRUE`.
#' @param ... Must be empty.
#'
#' @return A value of class `rankmix_front`, a list with
#'   * `points`: a row for each mixture. Columns such as `weight_revenue` have the weights. Columns such as
#'     `value_revenue` have the mean of each objective on the validation queries. `front` is `TRUE` if the mixture is
#'     not dominated: no other mixture is at least as good in all means and better in one.
#'   * `differences`: a row for each mixture and objective. `difference` is the mean of the mixture minus the mean of
#'     the model of this objective alone. Its standard error is `se`, and its paired interval `lower` to `upper`.
#'   * `test`: the `differences` on the test queries, or `NULL`.
#'   * `choice`: a list about the chosen mixture, or `NULL` without `floor` and `weights`. `point` is its row in
#'     `points`, `NA` if no mixture passes. `reference` is the objective whose model is the reference for `gains`:
#'     the first objective with a floor, or else the first objective. `gains` has the differences to this model in all
#'     objectives, on the validation and test queries. With a floor, `tests` has `p_noninferior`, `p_adjusted` and
#'     `passed` of each mixture.
#'   * `model`: the chosen mixture, a ranker as from [mix()], or `NULL`. `predict(front, newdata)` uses it.
#'     `write_model(front$model, file)` writes it as JSON, or in another format that can store the models.
#'   * `models`: the model of each objective. `scale`: the factor of the scores of each model, see Details.
#'
#'   `tidy()` gives the differences on the validation and test queries, with the weights. `glance()` gives one row.
#'   [choose_point()] chooses again without training. [autoplot.rankmix_front()] draws the front.
#' @examples
#' simulated <- simulate_ranking(120, documents = 10, seed = 1)$data
#' data <- ranking_data(simulated$x, simulated$relevance, simulated$query,
#'                      labels = list(revenue = simulated$x[, 2]^2))
#' front <- pareto_front(gbrt(trees = 30), data, floor = c(relevance = 0.05), seed = 1,
#'                       threads = 1, verbose = FALSE)
#' front
#' head(predict(front, data))
#'
#' @details
#' **Mixtures.** \eqn{s_k(x)}{s_k(x)} is the score of the model of objective k and \eqn{\sigma_k}{sd_k} the standard
#' deviation of its scores on the validation data. A mixture with the weights w ranks by
#' \deqn{\sum_k w_k s_k(x) / \sigma_k, \quad \sum_k w_k = 1.}{sum_k w_k s_k(x) / sd_k, sum_k w_k = 1.}
#' The factor `scale` is \eqn{1 / \sigma_k}{1 / sd_k}, or 1 if all scores are equal. All weights that are multiples of 1
#' / `steps` are tried. The factors are constants, so the mixture remains a weighted sum that other programs can
#' compute. The weights of different models are not comparable. So choose a mixture by its means, not by its weights.
#'
#' Weighted sums of scores reach only some trade-offs. Training on a weighted sum of the labels may reach others, but
#' needs one training for each weight. To try it, give the sum as the relevance of [ranking_data()].
#'
#' **Front and intervals.** The front is computed from means, so a mixture may be on the front by chance. The intervals
#' are t intervals of paired differences over queries. Each mixture is compared with the model of the objective alone.
#' This model may not have the best mean, but it was fixed before the values were seen. So no choice biases the
#' comparison. Each interval is valid for one mixture that you name in advance.
#'
#' **Floor.** A floor limits the loss of an objective, compared with the model of this objective alone. A mixture passes
#' if a one-sided t-test shows that its loss is smaller than the floor, as in [equivalence()]. Of all mixtures that
#' pass, the one with the highest mean of `maximize` is chosen. If means are equal, the mixture that is first in
#' `points` is chosen. The model alone always passes, so with a single floor one mixture is always chosen.
#'
#' With two objectives the mixtures are tested in a fixed sequence, by decreasing weight of the floored objective. The
#' first mixture that does not pass ends the sequence, and all later mixtures fail. The order is fixed before the data
#' are seen. Suppose that some mixtures truly lose the floor or more. The first of them is tested once, at `level`. The
#' others are tested only if the first one passes. So the probability that any such mixture passes is at most `level`,
#' without adjustment. This also holds for the chosen mixture, whatever the rule of choice among mixtures that pass.
#' With three or more objectives there is no natural order, so p-values are adjusted by the method of Holm. A mixture
#' must pass every floor.
#'
#' A small floor needs many validation queries. With about 150 queries and a floor of 0.005, the choice was mostly the
#' model of the floored objective alone. With a floor of 0.02, mixtures were chosen (`bench/objectives.md`).
#' [queries_needed()] computes the number of queries.
#'
#' **Honest numbers.** The guarantee of the floor is about these trained models on new queries. The gain of the chosen
#' mixture on the validation queries is optimistic, because the mixture was chosen for the highest gain. The number of
#' rounds of each model was chosen on the same queries, which favours each model alone. So the test of the floor is
#' conservative. Report the differences on the test queries.
#'
#' With `folds`, each fold is scored by models that were trained on the other folds. The final models are trained on all
#' queries except the validation part of the first fold, on which the number of rounds is chosen. So the test is about
#' the procedure rather than about the final models. For intervals over folds, see [compare_rankers()].
#'
#' **Undefined cases.** Queries without a value of a metric do not count for this objective. If all differences of a
#' mixture are 0, there is no t-test. The mixture then passes if \eqn{2^{-n}}{2^-n} is at most `level` for n queries. A
#' label that is graded only in some of the training, validation and test data is treated as not graded.
#'
#' @section Conditions: The conditions of [fit()] and [evaluate()]. `rankmix_error_label`: an objective without a label
#'   of this name. `rankmix_error_argument`: a value that is not allowed.
#'   `rankmix_warning_floor`: no mixture passes all floors.
#'   `rankmix_warning_overlap`: test or validation queries are also in the training data.
#' @references Maurer, Hothorn and Lehmacher (1995). Multiple comparisons in drug clinical trials and preclinical
#'   assays: a-priori ordered hypotheses. In Vollmar (editor), Biometrie in der chemisch-pharmazeutischen Industrie 6.
#'
#'   Ehrgott (2005). Multicriteria optimization. \doi{10.1007/3-540-27659-9}
#' @seealso [use_label()], [equivalence()]
#' @export
pareto_front <- function(ranker, data, validation = NULL, objectives = NULL, floor = NULL, weights = NULL,
                         maximize = NULL, test = NULL, folds = NULL, steps = NULL, level = 0.05, patience = 50,
                         seed = NULL, threads = NULL, verbose = TRUE, ...) {
  check_no_others(...)
  check_all_given()
  check_ranking_data(data)
  check_significance(level)
  if (!is.null(patience)) check_count(patience, "patience")
  seed <- check_seed(seed)
  check_flag(verbose, "verbose")
  objectives <- check_objectives(objectives, data)
  plan <- list(objectives = objectives, rankers = check_objective_rankers(ranker, names(objectives), folds),
               patience = patience, threads = check_threads(threads), level = level)
  wanted <- check_choice_of_point(floor, weights, maximize, names(objectives))
  grid <- simplex_weights(names(objectives), check_steps_of_front(steps, length(objectives)))
  if (!is.null(wanted$weights)) grid <- add_weights(grid, wanted$weights)
  parts <- front_data(data, validation, test, folds, names(objectives), seed)
  found <- measured_front(plan, parts, grid, seed, verbose)
  if (is.null(wanted)) found else chosen_front(found, wanted, level)
}

check_steps_of_front <- function(steps, count, call = rlang::caller_env()) {
  if (is.null(steps)) {
    return(if (count == 2L) 10L else if (count == 3L) 5L else 4L)
  }
  check_count(steps, "steps", max = 1000, call = call)
  points <- choose(steps + count - 1, count - 1)
  if (points > max_front_points) {
    stop_input("argument", sprintf("`steps = %s` gives %s mixtures.", plain_number(steps), format_count(points)),
               remedy = sprintf("Take fewer steps: up to %s mixtures.", format_count(max_front_points)), call = call)
  }
  steps
}

max_front_points <- 2000L

# The metrics of the objectives as a list with the names of labels.
check_objectives <- function(objectives, data, call = rlang::caller_env()) {
  if (is.null(objectives)) {
    names <- label_names(data)
    objectives <- stats::setNames(rep(list("ndcg@10"), length(names)), names)
  }
  names <- names(objectives)
  if (inherits(objectives, "rankmix_metric") || is.null(names) || !all(nzchar(names)) || anyDuplicated(names)) {
    stop_input("argument", sprintf("`objectives` must be metrics with the names of labels, not %s.",
                                   show_value(objectives)),
               remedy = "For example `list(relevance = \"ndcg@10\", revenue = \"ndcg@10\")`.", call = call)
  }
  if (length(objectives) < 2L) {
    stop_input("argument", "There is a single objective.",
               if (is.null(data$labels)) "The data have no further labels.",
               "Give two or more: `ranking_data(labels = )` keeps further labels.", call = call)
  }
  for (name in names) check_known_label(name, data, call)
  metrics <- lapply(as.list(objectives), function(metric) choosing_metric(read_metric(metric, call)))
  for (name in names) check_metric_of_label(metrics[[name]], name, data, call)
  metrics
}

# A metric may not be defined for the values of the label, such as NDCG for a negative revenue.
check_metric_of_label <- function(metric, name, data, call) {
  judged <- use_label(data, name)
  tryCatch(metric_specs(list(settle_metric(metric, relevance_range(judged))), judged_documents(judged), call),
           rankmix_error_grade = function(e) {
             stop_input("grade", sprintf("The metric of the label `%s` does not fit its values.", name),
                        rlang::cnd_message(e, inherit = FALSE), call = call)
           })
}

# A specification or a trained model for each objective.
check_objective_rankers <- function(ranker, names, folds, call = rlang::caller_env()) {
  if (inherits(ranker, "rankmix_spec")) {
    return(stats::setNames(rep(list(ranker), length(names)), names))
  }
  if (!is.list(ranker) || is.object(ranker)) {
    check_spec(ranker, "ranker", call)
  }
  lacking <- setdiff(names, names(ranker))
  if (length(lacking) > 0L) {
    stop_input("argument", sprintf("`ranker` has no ranker for %s.", enumerate(lacking)),
               remedy = "Give a list with a specification or a model for each objective.", call = call)
  }
  for (name in names) {
    if (!inherits(ranker[[name]], c("rankmix_spec", "rankmix_ranker"))) {
      stop_input("argument", sprintf("`ranker$%s` must be a specification or a model, not %s.", name,
                                     show_value(ranker[[name]])), call = call)
    }
    if (!is.null(folds) && !inherits(ranker[[name]], "rankmix_spec")) {
      stop_input("argument", sprintf("`ranker$%s` is already trained, so no fold can train it.", name),
                 remedy = "Give a specification, or `validation` instead of `folds`.", call = call)
    }
  }
  ranker[names]
}

# The parts of the data: `train` and `validation`, or all `data` and `folds`; and `test`, or NULL.
front_data <- function(data, validation, test, folds, labels, seed, call = rlang::caller_env()) {
  check_part <- function(part, name) {
    check_ranking_data(part, name, call = call)
    for (label in labels) check_known_label(label, part, call, name)
    warn_overlap(data, part, sprintf("%s queries are also in the training data.", name), "Keep the parts apart.")
  }
  if (!is.null(test)) check_part(test, "test")
  if (!is.null(folds)) {
    if (!is.null(validation)) {
      stop_input("argument", "Both `validation` and `folds` are given.", remedy = "Give one of them.", call = call)
    }
    if (is_plain_number(folds)) folds <- query_folds(data, folds, seed = derived_seed(seed, "folds"))
    check_class(folds, "folds", "rankmix_folds", "`query_folds()`", call)
    return(list(data = data, folds = folds, test = test))
  }
  if (!is.null(validation)) {
    check_part(validation, "validation")
    return(list(train = data, validation = validation, test = test))
  }
  fractions <- if (is.null(test)) c(train = 0.6, validation = 0.2, test = 0.2) else c(train = 0.75, validation = 0.25)
  parts <- split_parts(split_queries(data, fractions, seed = derived_seed(seed, "split")), data)
  list(train = parts$train, validation = parts$validation, test = if (is.null(test)) parts$test else test)
}
