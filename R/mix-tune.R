#' Train, calibrate and mix classifiers
#'
#' Trains every classifier on `train`, calibrates each with every calibrator on
#' `validation`, and mixes the resulting members with weights that grow
#' exponentially with the members' held-out metric.
#'
#' @param train Training data, made by [ranking_data()] or [read_letor()].
#' @param validation Held-out data of the same kind, on which everything is
#'   tuned.
#' @param classifiers A list of specifications, such as `adaboost_mh(tree(8))`.
#' @param calibrators A list of calibrators, such as `cpc("log_sigmoid")`.
#' @param metric The metric to tune for, such as `ndcg(10)`.
#' @param c Values of c to try, each from 0 (equal weights) to 200 (close to the
#'   best member alone).
#' @param rounds Values of T to try: numbers of rounds; `NULL` for 10, 20, 50,
#'   100, 200, 500, ... up to the largest number of rounds of the classifiers.
#'   A classifier with fewer rounds uses all it has.
#' @param seed A whole number; `NULL` draws one with R's generator, so that
#'   [set.seed()] rules. Each classifier gets a seed of its own, derived from it.
#' @param threads Number of threads; results do not depend on it.
#' @param verbose Show a progress bar.
#'
#' @details
#' Member m is a classifier with a calibrator, \eqn{v_m(x)} its score and
#' \eqn{\omega_m} the mean of `metric` over the validation queries. The mixture
#' is
#' \deqn{v(x) = \sum_m \pi_m v_m(x), \quad
#'   \pi_m = \frac{e^{c \omega_m}}{\sum_{m'} e^{c \omega_{m'}}}.}{
#'   v(x) = sum_m pi_m v_m(x),
#'   pi_m = exp(c omega_m) / sum_m' exp(c omega_m').}
#' c and T, which is common to all classifiers, are those with the best mean of
#' `metric` for the mixture on `validation`; ties go to the smaller T, then to
#' the smaller c. Members enter with their scores as they are. Features are
#' binned once for all classifiers with the same number of bins. Discriminants
#' of the validation data are kept for every T: 8 n K bytes for n documents, K
#' grades and each classifier and T.
#'
#' @return A ranker of class `rankmix_mixture`: plain R data that `saveRDS()`
#'   can keep. `members` is a data frame with the `classifier`, `calibrator`,
#'   `weight` and held-out `value` of each member, `tuning` one with `rounds`,
#'   `c` and the `value` of the mixture; `rounds`, `c` and `value` hold the
#'   choice.
#'
#' @section Conditions: as [fit()]; `rankmix_error_grade`: the validation data
#'   have a grade above all of the training data.
#'
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013). Tune and mix:
#'   learning to rank using ensembles of calibrated multi-class classifiers.
#'   \doi{10.1007/s10994-013-5360-9}
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' mixture <- tune_and_mix(train, valid,
#'   classifiers = list(adaboost_mh(tree(4), rounds = 20),
#'                      adaboost_mh(stump(), rounds = 20)),
#'   metric = ndcg(10), threads = 1)
#' mixture
#' @export
tune_and_mix <- function(train, validation,
                         classifiers = list(adaboost_mh(tree(8)),
                                            adaboost_mh(stump())),
                         calibrators = all_calibrators(), metric = ndcg(10),
                         c = base::c(0, 1, 2, 5, 10, 20, 50, 100, 150, 200),
                         rounds = NULL, seed = NULL, threads = NULL,
                         verbose = interactive()) {
  check_class(train, "train", "ranking_data", "`ranking_data()`")
  check_class(validation, "validation", "ranking_data", "`ranking_data()`")
  classifiers <- check_list_of(classifiers, "classifiers",
                               "rankmix_classifier_spec", "`adaboost_mh()`")
  calibrators <- check_list_of(calibrators, "calibrators",
                               "rankmix_calibrator",
                               "`naive()`, `cpc()` or `rbc()`")
  metric <- as_metric(metric)
  check_flag(verbose, "verbose")
  c <- check_c(c)
  rounds <- check_rounds_grid(rounds, classifiers)
  seed <- check_seed(seed)
  threads <- check_threads(threads)
  x <- check_validation(validation, train, metric, threads)
  check_several_grades(train)
  check_known_grades(validation, max(train$relevance) + 1L)
  models <- train_all(classifiers, train, seed, threads, verbose)
  members <- member_table(models, calibrators)
  f <- lapply(models, discriminants, x = x, rounds = rounds, threads = threads)
  stages <- lapply(seq_along(rounds), function(s) {
    calibrate_stage(s, rounds[s], models, calibrators, f, validation, metric, c,
                    threads)
  })
  choose_mixture(stages, members, models, metric, c, rounds, seed)
}

check_c <- function(c, call = rlang::caller_env()) {
  if (!is.numeric(c) || length(c) == 0L || anyNA(c) || any(c < 0 | c > 200)) {
    stop_input("argument",
               sprintf("`c` must be numbers from 0 to 200, not %s.",
                       show_value(c)),
               call = call)
  }
  sort(unique(c))
}

check_rounds_grid <- function(rounds, classifiers, call = rlang::caller_env()) {
  if (is.null(rounds)) {
    # Classifiers without rounds are the same for any T.
    return(rounds_grid(max(1, unlist(lapply(classifiers, `[[`, "rounds")))))
  }
  good <- is.numeric(rounds) && length(rounds) > 0L && !anyNA(rounds) &&
    all(rounds >= 1 & rounds <= 1e6 & rounds == round(rounds))
  if (!good) {
    stop_input("argument",
               sprintf("`rounds` must be whole numbers from 1 to 1000000, not %s.",
                       show_value(rounds)),
               call = call)
  }
  sort(unique(as.integer(rounds)))
}

# The models of all specifications; bins are made once for each number of them.
train_all <- function(classifiers, train, seed, threads, verbose) {
  sizes <- vapply(classifiers, training_steps, numeric(1))
  bar <- progress_bar("Training", sum(sizes), verbose)
  on.exit(bar$close())
  classes <- max(train$relevance) + 1L
  # Equal specifications that draw features must not give equal models.
  seeds <- classifier_seeds(seed, length(classifiers))
  bins <- list()
  bins_for <- function(count) {
    key <- as.character(count)
    if (is.null(bins[[key]])) {
      bins[[key]] <<- bin_features(train$x, as.integer(count), threads)
    }
    bins[[key]]
  }
  models <- list()
  for (i in seq_along(classifiers)) {
    trained <- train_classifiers(classifiers[[i]], train, bins_for, classes, seeds[i],
                                 threads, bar$after(sum(sizes[seq_len(i - 1L)])))
    models <- c(models, lapply(trained, function(model) {
      model$best_rounds <- rounds_used(model)
      model
    }))
  }
  models
}

# Members in the order of the columns of a stage's scores.
member_table <- function(models, calibrators) {
  grid <- expand.grid(calibrator = seq_along(calibrators),
                      classifier = seq_along(models))
  labels <- vapply(models, function(model) format(model$spec), character(1))
  data.frame(
    classifier = make.unique(labels, " #")[grid$classifier],
    calibrator = make.unique(vapply(calibrators, format, ""),
                             " #")[grid$calibrator],
    model = grid$classifier
  )
}

# Everything that depends on T: fitted calibrators, their held-out metric, and
# the metric of the mixture for each c.
calibrate_stage <- function(stage, rounds, models, calibrators, f, validation,
                            metric, c, threads) {
  fitted <- list()
  scores <- list()
  weight <- row_weights(validation)
  for (i in seq_along(models)) {
    f_i <- discriminant_slice(f[[i]], stage)
    range <- discriminant_range(models[[i]], rounds)
    for (method in calibrators) {
      member <- fit_calibrator(method, f_i, validation$relevance, weight, range, threads)
      fitted <- append(fitted, list(member))
      scores <- append(scores, list(calibrated_scores(member, f_i, threads)))
    }
  }
  scores <- do.call(cbind, scores)
  omega <- metric_means(metric, scores, validation, threads)
  weights <- vapply(c, exponential_weights, numeric(length(omega)),
                    omega = omega)
  weights <- matrix(weights, length(omega))
  mixed <- mix_scores(scores, weights, threads)
  list(fitted = fitted, omega = omega, weights = weights,
       values = metric_means(metric, mixed, validation, threads))
}

# pi_m, shifted by the largest exponent so that nothing overflows.
exponential_weights <- function(c, omega) {
  weights <- exp(c * (omega - max(omega)))
  weights / sum(weights)
}

choose_mixture <- function(stages, members, models, metric, c, rounds, seed) {
  # which.max() takes the first: the smallest T, and for it the smallest c.
  values <- vapply(stages, `[[`, numeric(length(c)), "values")
  best <- which.max(values)
  stage <- stages[[(best - 1L) %/% length(c) + 1L]]
  at <- (best - 1L) %% length(c) + 1L
  members$weight <- stage$weights[, at]
  members$value <- stage$omega
  structure(
    list(
      classifiers = models,
      fitted = stage$fitted,
      members = members,
      metric = metric,
      c = c[at],
      rounds = rounds[(best - 1L) %/% length(c) + 1L],
      value = max(values),
      tuning = data.frame(rounds = rep(rounds, each = length(c)),
                          c = rep(c, length(rounds)), value = as.vector(values)),
      seed = seed
    ),
    class = c("rankmix_mixture", "rankmix_ranker")
  )
}
