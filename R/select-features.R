# Backward selection of features, with the loss of the metric for each number of features.
#
# Problem: a model with fewer features costs less, and may rank as well. How many are enough?
# Input: a specification, training and validation queries, a margin of the metric.
# Algorithm: train on two thirds of the training queries, remove the features that matter least on the other third,
# and repeat. The removed features are not chosen on the validation queries. So each number of features can be tested on
# the validation queries: is the loss against all features less than the margin? Numbers of features are tested from
# large to small, until one is not shown to be enough (fixed-sequence test). So the level needs no adjustment.
# Reference: Guyon, Weston, Barnhill and Vapnik (2002), Gene selection for cancer classification using support vector
# machines; Maurer, Hothorn and Lehmacher (1995) for the fixed sequence. Cost: 2 log(features) / -log(1 - drop)
# trainings.

#' Select features by the loss from removing them
#'
#' Removes the least important features step by step, and tests after each step how much the ranking lost. Use it to
#' find a smaller model that ranks practically as well as the model of all features.
#'
#' @param spec The specification, such as [lambdamart()].
#' @param data The training data, made by [ranking_data()] or [read_letor()].
#' @param validation The validation data of the same kind, which measure the loss and choose the rounds. With `NULL`,
#'   the default, a random quarter of the queries of `data` is split off.
#' @param metric The metric, or its text; default `"ndcg@10"`. For tied scores, the value is the mean over their orders,
#'   unless the metric sets `ties`.
#' @param margin The largest loss of the metric that does not matter in practice, above 0; default 0.005. A larger
#'   margin keeps fewer features.
#' @param drop The fraction of the features that each step removes, rounded down, but at least one feature; default
#'   0.2. Smaller steps take more trainings.
#' @param level The significance level of the test; default 0.05.
#' @param times Number of shuffles of each feature for its importance; default 3. More shuffles take longer, and make
#' the importance less noisy.
#' @param patience Number of rounds without a better metric after which a training stops; default 50. `NULL` trains
#'   all rounds.
#' @param seed The random seed, a whole number. By default R's generator draws one.
#' @param threads Number of threads. Results do not depend on it, except for `milliseconds`.
#' @param verbose Whether to show progress; default `TRUE`.
#' @param ... Must be empty.
#'
#' @return A value of class `rankmix_selection`, a list with
#'   * `steps`: a row for each number of features, the largest first. `features` is the number of features, and `value`
#'     the mean metric on the validation queries. `lost` is the mean loss against all features. `se` is its standard
#'     error, and `lower` to `upper` the 1 - 2 `level` interval. `p_noninferior` is the p-value of the hypothesis that
#'     the loss is the margin or more. `enough` is whether the sequence of tests showed that this number of features is
#'     enough. `milliseconds` is the time to score 1,000 documents.
#'   * `features`: the features of the smallest number that is enough, in the order of the data. A factor is one
#'     feature.
#'   * `order`: all features, the first removed first.
#'   * `model`: the ranker trained on `features`.
#'
#'   `tidy()` gives `steps`, `glance()` a row. `autoplot()` draws the loss against the number of features.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' found <- select_features(gbrt(trees = 50), train, valid, margin = 0.02, drop = 0.5, seed = 1,
#'                          threads = 1, verbose = FALSE)
#' found
#' found$features
#'
#' @details The importance of a feature is its [permutation_importance()] on a random third of the training queries, for
#'   a model of the other two thirds. On the training queries of the model, useless features would look important. A
#'   factor has one importance. Features with the same information have a low importance each, so both may be removed
#'   early. The measured loss then shows this.
#'
#'   With the paired losses \eqn{d_q}{d_q} of n validation queries, the test is the one-sided t-test of \eqn{E d <
#'   margin}{E(d) < margin}. Numbers of features are tested one after the other, from large to small. The first number
#'   that is not shown to be enough ends the sequence. So the probability that any number is wrongly reported as enough
#'   is at most `level`. All smaller numbers count as not enough, even with a small p-value.
#'
#'   For every number of features, the rounds are chosen on the same validation queries. So this choice favours no
#'   number. Like all values on validation queries, these values are optimistic. Report the metric of `model` on test
#'   queries.
#'
#'   **Undefined cases.** The number of all features always counts as enough. If all losses of n queries are equal,
#'   their spread is unknown. The p-value is then \eqn{2^{-n}}{2^-n} if the loss is below the margin, else 1, as in
#'   [equivalence()]. With one validation query, only the number of all features counts as enough.
#'
#' @section Conditions: The conditions of [fit()], and `rankmix_error_argument`: a value that is not allowed.
#' @references Guyon, Weston, Barnhill and Vapnik (2002). Gene selection for cancer classification using
#'   support vector machines. \doi{10.1023/A:1012487302797}
#'
#'   Maurer, Hothorn and Lehmacher (1995). Multiple comparisons in drug clinical trials and preclinical assays:
#'   a-priori ordered hypotheses. In Vollmar (editor), Biometrie in der chemisch-pharmazeutischen Industrie 6.
#' @seealso [permutation_importance()], [equivalence()]
#' @export
select_features <- function(spec, data, validation = NULL, metric = "ndcg@10", margin = 0.005, drop = 0.2,
                            level = 0.05, times = 3, patience = 50, seed = NULL, threads = NULL, verbose = TRUE,
                            ...) {
  check_no_others(...)
  check_all_given()
  check_spec(spec, "spec")
  check_ranking_data(data)
  check_number(margin, "margin", 0, Inf, open_min = TRUE)
  check_number(drop, "drop", 0, 0.9, open_min = TRUE)
  check_significance(level)
  check_count(times, "times")
  if (!is.null(patience)) check_count(patience, "patience")
  seed <- check_seed(seed)
  threads <- check_threads(threads)
  check_flag(verbose, "verbose")
  metric <- choosing_metric(read_metric(metric))
  if (is.null(validation)) {
    parts <- split_parts(split_queries(data, 0.75, seed = derived_seed(seed, "split")), data)
    data <- parts$train
    validation <- parts$test
  }
  check_ranking_data(validation, "validation")
  removed <- remove_features(spec, data, validation, metric, drop, times, patience, seed, threads, verbose)
  new_selection(removed, validation$weight, metric, margin, level)
}

# The names by which features are removed. All features of a factor have one name.
feature_units <- function(data) source_columns(data$features, data$encoding)

# The name of the unit of each feature.
unit_of_feature <- function(data) {
  vapply(data$features, source_columns, "", data$encoding, USE.NAMES = FALSE)
}

# Trains on fewer and fewer features. Returns for each size the features, the values of the validation queries, the
# model and its milliseconds.
remove_features <- function(spec, data, validation, metric, drop, times, patience, seed, threads, verbose) {
  stops <- has_trait(spec, "rounds") && has_trait(spec, "validation")
  left <- feature_units(data)
  halves <- split_parts(split_queries(data, 2 / 3, seed = derived_seed(seed, "importance")), data)
  patience <- if (stops) patience
  bar <- progress_bar("Selecting", length(left) - 1, verbose && length(left) > 1L)
  on.exit(bar$close())
  total <- length(left)
  sizes <- list()
  order <- character()
  repeat {
    valid <- validation[, left]
    model <- fit(spec, data[, left], valid, metric, seed = seed, threads = threads, verbose = FALSE,
                 patience = patience)
    scores <- predict(model, valid, threads = threads)
    sizes <- c(sizes, list(list(features = left, model = model,
                                values = evaluate(scores, valid, metric, threads = threads)$value,
                                milliseconds = scoring_milliseconds(model, valid, threads))))
    if (length(left) == 1L) break
    other <- halves$test[, left]
    partial <- fit(spec, halves$train[, left], other, metric, seed = seed, threads = threads, verbose = FALSE,
                   patience = patience)
    gone <- weakest_features(partial, other, metric, max(1L, floor(drop * length(left))), times,
                            derived_seed(seed, "shuffles", length(left)), threads)
    order <- c(order, gone)
    left <- setdiff(left, gone)
    if (!is.null(bar$report)) bar$report(total - length(left), total - 1)
  }
  list(sizes = sizes, order = c(order, left))
}

# Milliseconds to score 1,000 documents: the mean over calls that take at least 50 ms together.
scoring_milliseconds <- function(model, data, threads) {
  started <- seconds_now()
  calls <- 0L
  while (calls == 0L || seconds_now() - started < 0.05) {
    predict(model, data, threads = threads)
    calls <- calls + 1L
  }
  1e6 * (seconds_now() - started) / calls / nrow(data$x)
}

# The names of the `count` least important features, the least important first.
weakest_features <- function(model, data, metric, count, times, seed, threads) {
  found <- permutation_importance(model, data, metric, times = times, seed = seed, threads = threads, verbose = FALSE)
  # A factor whose levels are features has one importance, with the name of its column.
  at <- match(found$feature, data$features)
  unit <- ifelse(is.na(at), found$feature, unit_of_feature(data)[at])
  by_unit <- tapply(found$drop, factor(unit, feature_units(data)), sum)
  names(by_unit)[order(by_unit)][seq_len(count)]
}

new_selection <- function(removed, weight, metric, margin, level) {
  sizes <- removed$sizes
  all <- sizes[[1L]]$values
  steps <- do.call(rbind, lapply(sizes, function(size) {
    cbind(data.frame(features = length(size$features), value = value_moments(size$values, weight)$mean),
          loss_row(all, size$values, weight, margin, level), milliseconds = size$milliseconds)
  }))
  # With all features there is no loss, so no test is needed.
  steps$enough <- c(TRUE, adjusted_in_sequence(steps$p_noninferior[-1L]) <= level)
  chosen <- sizes[[max(which(steps$enough))]]
  structure(list(steps = steps[c("features", "value", "lost", "se", "lower", "upper", "p_noninferior", "enough",
                                 "milliseconds")],
                 features = chosen$features, order = removed$order, model = chosen$model, metric = metric,
                 margin = margin, level = level, queries = sum(!is.nan(all))), class = "rankmix_selection")
}

#' @export
print.rankmix_selection <- function(x, ...) {
  steps <- x$steps
  chosen <- steps[max(which(steps$enough)), ]
  say(sprintf("<rankmix_selection> %d of %s are enough, on %s", chosen$features,
              counted(steps$features[1L], "feature"), counted(x$queries, "validation query", "validation queries")))
  say(sprintf("%s: all features %.4f, these %.4f. Enough: a loss below %s, at level %s.", format(x$metric),
              steps$value[1L], chosen$value, plain_number(x$margin), plain_number(x$level)))
  shown <- data.frame(features = steps$features, value = sprintf("%.4f", steps$value),
                      lost = sprintf("%+.4f [%+.4f, %+.4f]", steps$lost, steps$lower, steps$upper),
                      p = sub("^p (= )?", "", show_p(steps$p_noninferior)),
                      enough = ifelse(steps$enough, "yes", ""), ms = sprintf("%.2f", steps$milliseconds))
  shown$lost[1L] <- ""
  shown$p[1L] <- ""
  with_points(print(shown, row.names = FALSE))
  say("ms: milliseconds to score 1,000 documents")
  say("Features: ", enumerate(x$features, 12L))
  invisible(x)
}

#' @export
predict.rankmix_selection <- function(object, ...) predict(object$model, ...)

#' @export
tidy.rankmix_selection <- function(x, ...) x$steps

#' @export
glance.rankmix_selection <- function(x, ...) {
  chosen <- x$steps[max(which(x$steps$enough)), ]
  data.frame(metric = format(x$metric), all_features = x$steps$features[1L], features = chosen$features,
             value = chosen$value, lost = chosen$lost, upper = chosen$upper, margin = x$margin, queries = x$queries)
}
