#' Mix rankers
#'
#' Mixes rankers of any kind with weights that grow exponentially with their metric on validation data.
#' Use it for trained models, models of other packages, or plain scores. [tune_and_mix()] also trains
#' members.
#'
#' @param rankers The named list of rankers, as in [evaluate()]: models with a [predict()] method,
#'   functions of `data`, or scores in the row order of `data`.
#' @param data The validation data on which the mixture is tuned, made by [ranking_data()] or
#'   [read_letor()].
#' @param metric The metric to tune for; default `metric_ndcg(10)`.
#' @param weights The weighting, made by [mix_weights()], or the name of its method, such as
#'   `"selection"`. By default, each ranker's scores are divided by their standard deviation on `data`. Use
#'   `mix_weights(standardize = FALSE)` if all scores are on one scale, such as expected gains.
#' @param seed The random seed of cross-validation and bags, a whole number. With `NULL` R's generator
#'   draws one.
#' @param threads Number of threads. Results do not depend on it.
#'
#' @return A ranker of class `rankmix_mix`, for [predict()] and [evaluate()]. `members` is a data frame with the
#'   `ranker`, `weight` and validation `value` of each member. `tuning` has a row for each `c` and `threshold`:
#'   the `value` of this mixture, and its `fraction` in the average of weights. For members given as scores,
#'   `predict()` needs their scores on the new data: `scores`, a named list or a data frame. `print()` shows a line for
#'   each ranker, see [summary.rankmix_mixture()], and reports if the best ranker has a higher metric on `data` than the
#'   mixture.
#' @examples
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' mixture <- mix(list(first = function(data) data$x[, 1],
#'                     second = function(data) data$x[, 2],
#'                     all = function(data) rowSums(data$x, na.rm = TRUE)),
#'                valid, threads = 1)
#' mixture
#'
#' @details
#' Ranker m has the score \eqn{v_m(x)} and the mean metric \eqn{\omega_m}. The mixture is
#' \deqn{v(x) = \sum_m \pi_m v_m(x), \quad
#'   \pi_m \propto p_m e^{c \omega_m}\ (\omega_m > \omega_{min}).}{
#'   v(x) = sum_m pi_m v_m(x), pi_m proportional to p_m exp(c omega_m) where
#'   omega_m > omega_min, else 0.}
#' For [best_feature()] a missing value counts as the lowest value of the training data.
#'
#' The prior weight \eqn{p_m}{p_m} is equal for all rankers, or for all families (`prior` of
#' [mix_weights()]). Models that one function of this package trained are a family, such as all models of
#' [gbrt()]. Any other ranker forms one family. The weights are averaged over the values of c and
#' \eqn{\omega_{min}}{omega_min}, see [mix_weights()]. The reported `c` and `threshold` have the best metric. Ties go to
#' the smaller c, then to the lower threshold.
#'
#' Cost: O(n m) for each c, and one evaluation for each pair of c and threshold.
#'
#' @section Conditions:
#' * `rankmix_error_scores`: scores of the wrong length, or missing.
#' * `rankmix_error_argument`: rankers without names; no ranker above the threshold.
#' * `rankmix_error_validation`: fewer than two queries of `data` with positive weight have documents of
#'   different grades.
#' * `rankmix_error_unjudged`: `data` has no grades.
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013), equation 22.
#'   \doi{10.1007/s10994-013-5360-9}
#' @export
mix <- function(rankers, data, metric = metric_ndcg(10), weights = mix_weights(), seed = NULL,
                threads = NULL, ...) {
  check_no_others(...)
  check_all_given()
  threads <- check_threads(threads)
  check_ranking_data(data, binned = TRUE)
  metric <- read_metric(metric)
  weighting <- mix_weighting(weights)
  seed <- if (draws(weighting)) check_seed(seed) else 0
  if (is.data.frame(rankers)) {
    rankers <- as.list(rankers)
  }
  if (!is.list(rankers) || is.object(rankers)) {
    stop_input("argument",
               sprintf("`rankers` must be a named list, not %s.", show_value(rankers)),
               remedy = "For example `list(mixture = model, bm25 = scores)`.")
  }
  ranker_names(rankers, remedy = "Write `mix(list(first = ..., second = ...), data)`.")
  scores <- Map(missing_as_lowest, score_columns(rankers, data, threads), rankers)
  check_held_out_metric(data, metric, threads, name = "data")
  scaled <- lapply(scores, member_scaling(weighting$standardize, data, threads))
  scores <- lapply(scaled, `[[`, "scores")
  omega <- metric_means(metric, scores, data, threads)
  evaluator <- new_evaluator(metric, data, threads)
  family <- ranker_families(rankers)
  group <- prior_groups(weighting$prior, seq_along(scores), family)
  found <- weights_by_setting(weighting, scores, omega, group, names(scores), evaluator, seed)
  chosen <- select_setting(weighting, list(c(list(omega = omega), found)), 1L, evaluator)
  best <- chosen$choice
  given <- vapply(rankers, is.atomic, logical(1))
  structure(
    list(rankers = replace(rankers, given, list(NULL)),
         members = data.frame(ranker = names(scores), weight = chosen$weight, value = omega,
                              family = family),
         scale = vapply(scaled, `[[`, 0, "scale"), given = given,
         standardize = weighting$standardize, metric = metric, method = weighting$method,
         setting = best[names(weighting_settings(weighting))], c = number_or_na(best$c),
         threshold = number_or_na(best$threshold), value = chosen$value, tuning = chosen$tuning[-1L],
         contributions = chosen$contributions),
    class = c("rankmix_mix", "rankmix_ranker")
  )
}

# A mixture of models with given weights. `value` has the metric of each model, and `mixed` has the metric of the
# mixture.
fixed_mix <- function(models, weight, scale, metric, value, mixed) {
  structure(
    list(rankers = models,
         members = data.frame(ranker = names(models), weight = unname(weight), value = unname(value),
                              family = ranker_families(models)),
         scale = unname(scale), given = stats::setNames(rep(FALSE, length(models)), names(models)),
         standardize = TRUE, metric = metric, method = "fixed", setting = data.frame(fixed = 1), c = NA_real_,
         threshold = NA_real_, value = mixed, tuning = data.frame(value = mixed), contributions = NULL),
    class = c("rankmix_mix", "rankmix_ranker")
  )
}

# mix() has neither rounds nor calibrators.
mix_weighting <- function(weights, call = rlang::caller_env()) {
  an_option("mix_weights", weighting_methods)(weights, "weights", call)
  weighting <- if (is.character(weights)) mix_weights(method = weights) else weights
  if (!is.null(weighting$rounds) || weighting$members %in% c("cpc", "rbc")) {
    stop_input("argument", "Rankers of `mix()` have no `rounds` and no calibrators to choose.",
               remedy = "Leave out `rounds`, and `members` except \"one_best\".", call = call)
  }
  if (is.null(weighting$standardize)) weighting$standardize <- TRUE
  weights_to_try(weighting, list())
}

# Models of one ranker of the package form a family. Any other ranker is its own family.
ranker_families <- function(rankers) {
  known <- lapply(rankers, function(ranker) {
    if (inherits(ranker, "rankmix_ranker")) family_of(ranker)
  })
  unlist(Map(function(family, name) if (is.null(family)) name else family, known, names(rankers)),
         use.names = FALSE)
}

#' @rdname mix
#' @param object The mixture, made by `mix()`.
#' @param newdata The ranking data to score, made by [ranking_data()] or [read_letor()], or a [data_source()].
#' @param type The result: `"score"` (the default), `"rank"` within the query, or `"member"`, the scores
#'   of the members (documents x members).
#' @param scores The scores on `newdata` of the members that were given as scores.
#' @param ... Must be empty.
#' @export
predict.rankmix_mix <- function(object, newdata, type = c("score", "rank", "member"),
                                scores = NULL, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  type <- check_score_type(type[1L], c("score", "rank", "member"))
  threads <- check_threads(threads)
  if (is_source(newdata) && is.null(scores)) {
    return(predict_source(object, newdata, type, threads, function(data) {
      predict(object, data, type = if (type == "rank") "score" else type, threads = threads)
    }))
  }
  check_ranking_data(newdata, "newdata", judged = FALSE, binned = TRUE)
  wanted <- if (type == "member") TRUE else object$members$weight > 0
  names <- object$members$ranker[wanted]
  lacking <- setdiff(object$members$ranker[wanted & object$given], names(scores))
  if (length(lacking) > 0L) {
    stop_input("scores",
               sprintf("The scores of %s on the new data are not given.",
                       enumerate(lacking)),
               remedy = "Give `scores`, a named list with a vector for each.")
  }
  members <- object$rankers
  members[object$given] <- as.list(scores)[object$members$ranker[object$given]]
  asking_model(object, {
    # One member at a time, so that memory does not grow with the number of members.
    column <- function(i) {
      member <- members[names[i]]
      scores <- score_columns(member, newdata, threads)[[1L]]
      scores <- missing_as_lowest(scores, member[[1L]]) * object$scale[wanted][i]
      if (identical(object$standardize, "query")) {
        scores <- standardized_members(cbind(as.double(scores)), newdata, threads)
      }
      as.double(scores)
    }
    if (type == "member") {
      columns <- matrix(0, nrow(newdata), length(names), dimnames = list(NULL, names))
      for (i in seq_along(names)) columns[, i] <- column(i)
      return(columns)
    }
    weight <- object$members$weight[wanted]
    mixed <- numeric(nrow(newdata))
    for (i in seq_along(names)) mixed <- mixed + weight[i] * column(i)
    if (type == "score") mixed else rank_within_queries(mixed, newdata, model = object)
  })
}

#' @export
print.rankmix_mix <- function(x, n = 5L, ...) {
  check_count(n, "n", min = 0, infinite = TRUE)
  say("<mixture> ", counted(nrow(x$members), "ranker"))
  say(sprintf("Chosen: %s", setting_words(x)))
  print_rankers(x, n)
  invisible(x)
}

#' @rdname summary.rankmix_mixture
#' @export
summary.rankmix_mix <- function(object, level = 0.95, ...) {
  check_no_others(...)
  check_confidence(level)
  new_mixture_summary(tidy(object)[c("ranker", "weight", "value")], object, level)
}
