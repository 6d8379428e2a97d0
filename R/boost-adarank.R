#' AdaRank
#'
#' Specifies a weighted sum of single features, boosted by a ranking metric, to be trained by [fit()]. Each
#' round adds the feature that is best for the queries that were ranked badly before.
#'
#' @param metric The metric to boost, with values from 0 to 1. Default [metric_average_precision()]. Other usual metrics
#'   are `metric_ndcg(10)` and [metric_err()].
#' @param rounds Number of rounds, at most; default 500. Each round adds a feature. With validation data
#'   [fit()] chooses how many are used.
#' @param negatives Whether the negative of a feature may be chosen too. The default `FALSE` is the
#'   published algorithm. Use `TRUE` if lower values of some features are better.
#' @param repeats Number of times in a row that a feature may be chosen before it is excluded. The default
#'   `Inf` is the published algorithm, which can stall on one feature.
#' @param pause Number of rounds for which the feature is then excluded; default 1. Larger values use more
#'   different features. `Inf` excludes the feature from all later rounds. `pause` has no effect if `repeats` is `Inf`.
#' @param tolerance The smallest improvement, from 0 to 1, or `NULL` (the default) to train all rounds. Training ends,
#'   with status `"converged"`, if the mean metric over training queries rises by at most this value in 100 rounds.
#' @param missing The treatment of missing values, see [missing_values]: `"mean"` (the default), `"zero"`,
#'   `"indicator"` or `"error"`.
#' @param ... Must be empty.
#'
#' @details Let \eqn{E(q; f) \in [0, 1]}{E(q; f) in [0, 1]} be the metric of query q ranked by f,
#'   \eqn{v_q}{v_q} the query weights, or 1, and \eqn{P_1(q)}{P_1(q)} proportional to \eqn{v_q}{v_q}.
#'   Round t adds the feature \eqn{h_t}{h_t} with the largest \eqn{r_t = \sum_q P_t(q) E(q; h_t)}{r_t = sum_q P_t(q)
#'   E(q; h_t)}, the first if several tie: \deqn{\alpha_t = \frac12 \log \frac{\sum_q P_t(q) (1 + E(q; h_t))}{\sum_q
#'   P_t(q) (1 - E(q;
#'     h_t))}, \quad f_t = \sum_{s \le t} \alpha_s h_s, \quad P_{t+1}(q) = \frac{v_q
#'     e^{-E(q; f_t)}}{\sum_p v_p e^{-E(p; f_t)}}.}{
#'     alpha_t = 1/2 log(sum_q P_t(q) (1 + E(q; h_t)) / sum_q P_t(q) (1 - E(q; h_t))),
#'     f_t = sum_{s <= t} alpha_s h_s,
#'     P_{t+1}(q) = v_q exp(-E(q; f_t)) / sum_p v_p exp(-E(p; f_t)).}
#'   \eqn{r_t} is limited to \eqn{1 - 10^{-12}}{1 - 1e-12}, so that weights are finite.
#'
#'   Features are not scaled, so their units matter. The LETOR benchmarks scale them to 0..1 within each
#'   query, as [standardize_queries()] does. For tied documents E is the mean over their orders, unless
#'   `ties` or a convention of the metric sets another rule. Queries that the metric leaves out of the
#'   mean (`empty = "drop"`, `short_lists = "drop"`) have no effect. With `short_lists = "undefined"`, E of a query
#'   without a value is 0.
#'
#'   The published algorithm *stalls* if it chooses a feature again that ranks all documents as f does. All later
#'   rounds then choose this feature, and the ranking no longer changes. Training ends with status `"stalled"` and a
#'   warning. With `repeats` a feature that was chosen this many times in a row is excluded from the next `pause`
#'   rounds, and training continues. With `repeats = 1`, each round uses another feature than the round before. With
#'   `pause = 9` too, it uses a feature that none of the last nine rounds used. With `negatives = TRUE`, a feature and
#'   its negative count as two features here. So a round may use the negative of the feature of the round before.
#'   Validation data may choose the number of rounds, see [fit()]. A model of fewer rounds is the sum of the first
#'   rounds.
#'
#'   Cost: at first all queries are ranked by each feature. A round adds a feature to the scores, updates the rankings,
#'   and sums a product for each query and feature. Memory: 8 bytes for each query and feature, 40 bytes per document.
#'
#'
#' @return A specification of class `rankmix_adarank`, for [fit()]. `coef()` returns the weights of
#'   features after `best_rounds` rounds, [tidy()] the weights that are not 0. `chosen` of the model is a data frame
#'   with a row for each round: `feature` (its index), `sign`, `alpha`, `value` (\eqn{r_t}) and `mean`, the mean metric
#'   over training queries after the round.
#' @section Conditions: `rankmix_error_metric`: a [metric_custom()], a metric for which no
#'   training query counts, or a metric with values outside 0..1, such as [metric_dcg()]. `rankmix_error_weak`: the
#'   metric is 0 for every feature and query. `rankmix_error_document`: the metric breaks ties by document, and
#'   documents lack ids. `rankmix_warning_stalled`: training stalled.
#' @references Xu and Li (2007). AdaRank: a boosting algorithm for information retrieval.
#'   \doi{10.1145/1277741.1277809}
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(adarank(metric_ndcg(10), rounds = 50, repeats = 1), train, threads = 1)
#' model
#' tidy(model)
#' @export
adarank <- function(metric = metric_average_precision(), rounds = 500, negatives = FALSE,
                    repeats = Inf, pause = 1, tolerance = NULL, missing = "mean", ...) {
  check_no_others(...)
  new_spec("adarank", metric = metric, rounds = rounds, negatives = negatives, repeats = repeats,
           pause = pause, tolerance = tolerance, missing = missing)
}

entry_of_adarank <- function() {
  registry_entry(
    "adarank",
    parameters = list(
      metric = parameter(function(x, name, call) read_metric(x, call), show = "bare"),
      rounds = parameter(a_count(max = 1e6), show = "never"),
      negatives = parameter(a_flag, tune = c(FALSE, TRUE)),
      repeats = parameter(a_count(infinite = TRUE), tune = c(1, Inf)),
      pause = parameter(a_count(infinite = TRUE), tune = c(1, 10)),
      tolerance = parameter(null_or(a_number(0, 1))),
      missing = filling_parameter()
    ),
    traits = c("rounds", "resumable", "validation", "weights", "real_relevance", "sparse"),
    rounds = "rounds",
    complete = function(spec, call) {
      spec$metric <- read_metric(spec$metric, call)
      check_own_metric(spec$metric, call)
      spec
    },
    grow = grow_adarank,
    # Two copies of a query are added one by one, so sums over queries are rounded differently.
    tolerance = c(twice = 1e-10, zero = 1e-10)
  )
}

check_own_metric <- function(metric, call) {
  if (inherits(metric, "rankmix_custom")) {
    stop_input("metric", sprintf("`adarank()` supports only metrics of rankmix, not `%s`.",
                                 format(metric)),
               remedy = "For example `metric_average_precision()` or `metric_ndcg(10)`.", call = call)
  }
}

# Grows up to the rounds of the specification, on top of the rounds of the model `from`. Fails if that
# model was trained on other data.
grow_adarank <- function(spec, task, from) {
  if (!is.null(from)) {
    check_features_of_model(from, task$data, task$checkpoint, task$call)
  }
  booster <- start_adarank(spec, task)
  weak <- adarank_weak(booster)
  check_weak(weak, spec$metric, task$call)
  if (!is.null(from) && (!identical(from$digest, weak$digest) ||
                           !adarank_replay(booster, from$chosen, task$threads))) {
    stop_other_data("These have other features, grades or weights.", task$checkpoint, task$call)
  }
  features <- length(task$data$features)
  model <- function() {
    fitted <- adarank_model(booster)
    structure(
      c(list(spec = spec), schema_of(task$data),
        list(chosen = list2DF(fitted[c("feature", "sign", "alpha", "value", "mean")]),
             status = fitted$status, seed = task$seed, digest = weak$digest)),
      class = c("rankmix_adarank_model", "rankmix_ranker")
    )
  }
  grower <- list(
    run = function(wanted) {
      adarank_run(booster, as.integer(wanted), as.integer(spec$rounds), task$threads,
                  task$progress)
    },
    # `held` is not used: missing values of the task's validation features are already filled.
    scores = function(held, rounds) {
      chosen <- list2DF(adarank_model(booster)[c("feature", "sign", "alpha")])
      linear_predict(task$x, round_coefficients(chosen, features, rounds), 0, task$threads)[, 1L]
    },
    model = model
  )
  done <- if (is.null(from)) 0L else rounds_used(from)
  grown <- grow_rounds(grower, spec$rounds, done, task$checkpoint, task$watch)
  # If every ranking has the same metric, fit() reports that, and no setting helps.
  if (length(differing_queries(task$data)) > 0L) warn_stalled(grown, task$data$features)
  grown
}

start_adarank <- function(spec, task) {
  evaluator <- new_evaluator(spec$metric, task$data, task$threads, task$call)
  if (ranks_by_document(evaluator$metrics)) {
    evaluator$held$positions <- positions_by_id(evaluator, task$call)
  }
  adarank_start(task$data$x, evaluator$held, evaluator$weights, spec$negatives,
                finite_or_0(spec$repeats), finite_or_0(spec$pause),
                if (is.null(spec$tolerance)) -1 else spec$tolerance, task$threads)
}

finite_or_0 <- function(count) if (is.finite(count)) as.integer(count) else 0L

# Ids are always ranked, because ties between documents differ from round to round.
positions_by_id <- function(evaluator, call) {
  ids <- evaluator$judged$document
  if (is.null(ids) || anyNA(ids)) {
    stop_input("document",
               sprintf("%s breaks ties by document, but documents lack ids.",
                       format(evaluator$metric)),
               remedy = paste("Give `document = ` to `ranking_data()`, or set another rule,",
                              "such as `ties = \"average\"`."), call = call)
  }
  document_positions(evaluator$metrics, double(length(ids)), evaluator$judged, call)
}

# The largest change of a metric that rounding can cause.
metric_rounding <- 1e-9

check_weak <- function(weak, metric, call) {
  name <- format(metric)
  if (weak$counting == 0L) {
    stop_input("metric", sprintf("No training query counts for %s.", name),
               remedy = "Give queries with relevant documents.", call = call)
  }
  beyond <- c(weak$least, weak$largest)[c(weak$least < -metric_rounding,
                                          weak$largest > 1 + metric_rounding)]
  if (length(beyond) > 0L) {
    stop_input("metric", sprintf("`adarank()` needs a metric with values from 0 to 1, not %s.",
                                 name),
               sprintf("A training query has the value %s.", number_text(beyond[1L], digits = 4)),
               "Take one that is normalised, such as `metric_ndcg(10)`.", call = call)
  }
  if (weak$largest <= 0) {
    stop_input("weak", sprintf("No feature ranks any training query above 0 by %s.", name),
               sprintf("The data have %s and %s.", counted(length(weak$means), "weak ranker"),
                       counted(weak$counting, "query", "queries")),
               "Use a metric with a larger cut-off, such as `metric_ndcg()`.", call = call)
  }
}

warn_stalled <- function(model, features) {
  if (model$status != "stalled") {
    return(invisible())
  }
  rounds <- rounds_used(model)
  last <- model$chosen$feature[rounds]
  warn_input("stalled",
             sprintf("AdaRank stalled after %s.", counted(rounds, "round")),
             sprintf("`%s` would be chosen in all later rounds: the sum ranks like this feature alone.",
                     features[last]),
             if (is.finite(model$spec$repeats)) "There is no other feature to choose." else {
               "Set `repeats`, such as `repeats = 1`, to exclude it for a round."
             })
}

# The sums of the weights of each feature over the first rounds: features x numbers of rounds.
round_coefficients <- function(chosen, features, rounds) {
  coefficients <- vapply(rounds, function(r) {
    first <- seq_len(r)
    sums <- rowsum(chosen$sign[first] * chosen$alpha[first],
                   factor(chosen$feature[first], seq_len(features)))
    replace(double(features), as.integer(rownames(sums)), sums)
  }, double(features))
  matrix(coefficients, features)
}

#' @export
rounds_used.rankmix_adarank_model <- function(model) {
  nrow(model$chosen)
}

#' @export
discriminants.rankmix_adarank_model <- function(model, x, rounds, threads) {
  check_data_traits(model$spec, x, call = NULL)
  stages <- up_to_rounds(rounds, rounds_used(model))
  coefficients <- round_coefficients(model$chosen, length(input_names(model)), stages)
  scores <- linear_predict(x, coefficients, double(length(stages)), threads)
  array(scores, c(nrow(scores), 1L, length(stages)))
}

#' @export
coef.rankmix_adarank_model <- function(object, ...) {
  names <- input_names(object)
  stats::setNames(round_coefficients(object$chosen, length(names), object$best_rounds)[, 1L],
                  names)
}

#' @export
tidy.rankmix_adarank_model <- function(x, ...) {
  weights <- coef(x)
  first <- x$chosen$feature[seq_len(x$best_rounds)]
  table <- data.frame(feature = names(weights), weight = unname(weights),
                      used = tabulate(first, length(weights)))
  table <- table[table$used > 0L, ]
  table <- table[order(-abs(table$weight)), ]
  rownames(table) <- NULL
  table
}

#' @export
glance.rankmix_adarank_model <- function(x, ...) {
  row <- data.frame(rounds = rounds_used(x), best_rounds = x$best_rounds, status = x$status,
                    features = length(x$features), features_used = nrow(tidy(x)),
                    training = x$chosen$mean[x$best_rounds])
  with_held_out(row, x)
}

#' @export
print.rankmix_adarank_model <- function(x, ...) {
  say("<ranker> ", format(x$spec))
  rounds <- rounds_used(x)
  say(sprintf("%s (%s), %d of %s", counted(rounds, "round"), x$status,
              length(unique(x$chosen$feature)), counted(length(x$features), "feature")))
  say(sprintf("Training %s: %.4f after the first round, %.4f after the last",
              format(x$spec$metric), x$chosen$mean[1L], x$chosen$mean[rounds]))
  say_filling(x)
  print_best(x)
  invisible(x)
}
