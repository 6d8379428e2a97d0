#' Simulate ranking data with known truth
#'
#' Simulates judged query-document pairs whose grade probabilities, given the features, are known. Use
#' it to compute exactly the best possible scores, calibration errors and the regret of a ranker.
#'
#' @param queries Number of queries; default 100.
#' @param documents Number of documents of each query, or the smallest and the largest number, between
#'   which it is sampled for each query. Default `c(5, 40)`.
#' @param features Number of features, at least 4 plus `constant`; default 20.
#' @param grades The expected fractions of the grades 0, 1, ..., which sum to 1. The default is skewed
#'   like web search.
#' @param signal The strength of the relation between features and grade: the standard deviation of
#'   \eqn{t(x)}, see Details. Default 2. With 0 all features are useless.
#' @param query_shift The size of the shift of all features of a query, averaged over features. The unit
#' is the standard deviation within a query. \eqn{t(x)} is shifted by half of `query_shift`. Default 1.
#' @param useless The fraction of features that are independent of the grade; default 0.25.
#' @param constant Number of features with a single value; default 1.
#' @param truth The `truth` of an earlier simulation, to sample more data from the same distribution.
#'   Features, grades and all settings are then the same.
#' @param seed The seed of the sample and, without `truth`, of the distribution. With the default `NULL` R's generator
#'   draws one, so that [set.seed()] applies.
#'
#' @details
#' Let \eqn{w_j} of each document and \eqn{u} of each query be latent standard normal variables. A
#' feature is \eqn{g_j(w_j + \lambda_j u)}, with \eqn{\lambda_j} between 0.5 and 1.5 times
#' `query_shift`. \eqn{g_j} is the identity, the exponential (heavy tails), or a count, \eqn{\lfloor e^{1
#' + \cdot} \rfloor}{floor(exp(1 + .))}. The feature `query1` is \eqn{u}, equal in all documents of a
#' query. Inverting \eqn{g_j} and the shift (for counts up to rounding) gives \eqn{\tilde w_j(x)}, a
#' function of the features alone. Then
#' \deqn{t(x) = s \cdot \mathrm{standardised} \Big( \sum_j \beta_j h_j(\tilde w_j) +
#'   \tanh(\tilde w_1 \tilde w_2) \Big) + \delta u, \quad
#'   P(\mathrm{grade} \ge k \mid x) = \frac{1}{1 + e^{c_k - t(x)}},}{
#'   t(x) = s standardised(sum_j beta_j h_j(w_j) + tanh(w_1 w_2)) + delta u,
#'   P(grade >= k | x) = 1 / (1 + exp(c_k - t(x))),}
#' with \eqn{h_j} a linear, saturating, hinge or squared function, s = `signal` and
#' \eqn{\delta} = `query_shift` / 2. The \eqn{c_k} are chosen to give the fractions in `grades`.
#' Features are named by their kind: `signal1`, `query1`, `useless1`, `constant1`.
#'
#' `predict()` of the truth gives the score \eqn{\sum_g (2^g - 1) P(g \mid x)}{sum_g (2^g - 1) P(g | x)},
#' the expected gain. No ranker has a higher expected DCG.
#'
#' @return A list of class `rankmix_simulation`:
#'   * `data`: the [ranking_data()];
#'   * `probability`: the probability of each grade given the features, documents x grades, in row order;
#'   * `truth`: a ranker. `predict(truth, newdata, type = "prob")` gives these probabilities for any data
#'     with the same features, `type = "score"` the best score.
#' @section Conditions: `rankmix_error_argument`: an argument out of range.
#'   `rankmix_error_newdata`: prediction for data that the distribution cannot produce.
#' @section Cost: O(n p).
#' @examples
#' simulation <- simulate_ranking(50, seed = 1)
#' simulation
#' summary(evaluate(simulation$truth, simulation$data, metric_ndcg(10)))
#'
#' # How far from the truth are the probabilities of a classifier?
#' test <- simulate_ranking(50, truth = simulation$truth, seed = 2)
#' model <- fit(adaboost_mh(base_stump(), rounds = 50), simulation$data, threads = 1)
#' p <- predict(model, test$data, type = "prob")
#' mean(abs(p - predict(test$truth, test$data, type = "prob")))
#' @export
simulate_ranking <- function(queries = 100, documents = c(5, 40), features = 20,
                             grades = c(0.55, 0.3, 0.1, 0.04, 0.01), signal = 2,
                             query_shift = 1, useless = 0.25, constant = 1,
                             truth = NULL, seed = NULL) {
  check_count(queries, "queries", max = 1e8)
  sizes <- check_sizes(documents)
  seed <- check_seed(seed)
  if (!is.null(truth)) {
    check_class(truth, "truth", "rankmix_truth", "`simulate_ranking()`")
    given <- !c(features = missing(features), grades = missing(grades),
                signal = missing(signal), query_shift = missing(query_shift),
                useless = missing(useless), constant = missing(constant))
    if (any(given)) {
      stop_input("argument",
                 sprintf("%s cannot be set: `truth` has it.",
                         enumerate(names(given)[given])),
                 remedy = "Leave it out, or leave out `truth`.")
    }
    return(with_seed(seed, simulation(truth$plan, queries, sizes, truth = truth)))
  }
  check_count(constant, "constant", min = 0, max = 99996)
  check_count(features, "features", min = 4 + constant, max = 100000)
  check_fractions(grades)
  check_number(signal, "signal", 0, 100)
  check_number(query_shift, "query_shift", 0, 100)
  check_number(useless, "useless", 0, 1)
  with_seed(seed, {
    plan <- simulation_plan(features, useless, constant, signal, query_shift)
    simulation(plan, queries, sizes, grades)
  })
}

check_sizes <- function(documents, call = rlang::caller_env()) {
  good <- is_plain_number(documents) && length(documents) %in% 1:2 &&
    all(is.finite(documents)) && all(documents == round(documents) & documents >= 1) &&
    !is.unsorted(documents)
  if (!good) {
    stop_input("argument",
               sprintf("`documents` must be a whole number >= 1, or the smallest and the largest, not %s.",
                       show_value(documents)), call = call)
  }
  range(documents)
}

check_fractions <- function(grades, call = rlang::caller_env()) {
  good <- is_plain_number(grades) && length(grades) %in% 2:31 &&
    all(is.finite(grades)) && all(grades > 0) && abs(sum(grades) - 1) < 1e-8
  if (!good) {
    stop_input("argument",
               sprintf("`grades` must be 2 to 31 fractions above 0 that sum to 1, not %s.",
                       show_value(grades)),
               remedy = "For example c(0.6, 0.3, 0.1).", call = call)
  }
}

# The kind of each feature. At least two have signal, so that there is an interaction.
simulation_plan <- function(features, useless, constant, signal, query_shift) {
  drawn <- features - constant - 1
  noise <- min(round(useless * drawn), drawn - 2)
  informative <- drawn - noise
  kind <- function(n) rep_len(c("identity", "exponential", "count"), n)[sample.int(n)]
  list(
    names = c(numbered("signal", informative), "query1", numbered("useless", noise),
              numbered("constant", constant)),
    informative = informative, noise = noise, constant = constant,
    kind = kind(drawn), shift = query_shift * stats::runif(drawn, 0.5, 1.5),
    shape = rep_len(c("linear", "saturating", "hinge", "square"), informative),
    beta = stats::runif(informative, 0.5, 1.5) * sample(c(-1, 1), informative, TRUE),
    signal = signal, effect = query_shift / 2
  )
}

numbered <- function(name, n) {
  paste0(rep(name, n), seq_len(n))
}

simulation <- function(plan, queries, sizes, grades, truth = NULL) {
  lengths <- sizes[1L] - 1 + sample.int(sizes[2L] - sizes[1L] + 1, queries, TRUE)
  query <- rep(seq_len(queries), lengths)
  u <- stats::rnorm(queries)[query]
  x <- draw_features(plan, u)
  if (is.null(truth)) {
    truth <- fit_truth(plan, x, grades)
  }
  probability <- truth_probabilities(truth, x)
  threshold <- stats::runif(length(query))
  relevance <- integer(length(query))
  below <- 0
  for (g in seq_along(truth$cuts)) {
    below <- below + probability[, g]
    relevance <- relevance + (threshold > below)
  }
  structure(
    list(data = ranking_data(x, relevance, query), probability = probability,
         truth = truth),
    class = "rankmix_simulation"
  )
}

draw_features <- function(plan, u) {
  n <- length(u)
  x <- matrix(1, n, length(plan$names), dimnames = list(NULL, plan$names))
  drawn <- setdiff(seq_along(plan$names), which(plan$names == "query1"))
  for (j in seq_along(plan$kind)) {
    value <- stats::rnorm(n) + plan$shift[j] * u
    x[, drawn[j]] <- switch(plan$kind[j], identity = value, exponential = exp(value),
                            count = floor(exp(1 + value)))
  }
  x[, "query1"] <- u
  x
}

# The part of the utility t(x) that is standardised. Each column is first transformed back to its underlying
# value.
raw_utility <- function(plan, x) {
  u <- x[, plan$informative + 1L]
  undone <- function(j) {
    value <- x[, j]
    value <- switch(plan$kind[j], identity = value, exponential = log(value),
                    count = log(value + 0.5) - 1)
    value - plan$shift[j] * u
  }
  utility <- tanh(undone(1L) * undone(2L))
  for (j in seq_len(plan$informative)) {
    w <- undone(j)
    utility <- utility + plan$beta[j] *
      switch(plan$shape[j], linear = w, saturating = tanh(2 * w), hinge = pmax(w, 0),
             square = (w^2 - 1) / sqrt(2))
  }
  utility
}

# Scales the utility and finds thresholds that give the requested fractions of grades.
fit_truth <- function(plan, x, grades) {
  utility <- raw_utility(plan, x)
  truth <- list(plan = plan, center = mean(utility),
                scale = if (length(utility) > 1L) stats::sd(utility) else 1)
  t <- utility_of(truth, x)
  fraction_above <- rev(cumsum(rev(grades)))[-1L]
  truth$cuts <- vapply(fraction_above, function(fraction) {
    stats::uniroot(function(cut) mean(stats::plogis(t - cut)) - fraction,
                   range(t) + c(-40, 40), tol = 1e-10)$root
  }, numeric(1))
  structure(c(truth, feature_schema(plan$names, TRUE)),
            class = c("rankmix_truth", "rankmix_ranker"))
}

utility_of <- function(truth, x) {
  plan <- truth$plan
  plan$signal * (raw_utility(plan, x) - truth$center) / truth$scale +
    plan$effect * x[, plan$informative + 1L]
}

truth_probabilities <- function(truth, x) {
  t <- utility_of(truth, x)
  above <- vapply(truth$cuts, function(cut) stats::plogis(t - cut), numeric(length(t)))
  at_least <- cbind(1, matrix(above, length(t)), 0)
  last <- ncol(at_least)
  name_grades(at_least[, -last, drop = FALSE] - at_least[, -1L, drop = FALSE])
}

#' @export
predict.rankmix_truth <- function(object, newdata, type = c("score", "rank", "prob"),
                                  threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  type <- check_first_choice(type, "type", c("score", "rank", "prob"))
  x <- match_features(newdata, object, check_threads(threads))
  probability <- suppressWarnings(truth_probabilities(object, as.matrix(x)))
  odd <- which(is.na(probability[, 1L]))
  if (length(odd) > 0L) {
    stop_input("newdata",
               "The truth has no probabilities for some of the data.",
               sprintf("Row %d has features that are missing or that it never draws.",
                       odd[1L]),
               "Give data that `simulate_ranking()` drew from this truth.")
  }
  if (type == "prob") {
    return(probability)
  }
  scores <- expected_gain(probability)
  if (type == "score") scores else rank_within_queries(scores, newdata)
}

#' @export
print.rankmix_truth <- function(x, ...) {
  plan <- x$plan
  say(sprintf("<truth> %d grades; features: %d with signal, 1 of the query, %d useless, %d constant",
              length(x$cuts) + 1L, plan$informative, plan$noise, plan$constant))
  invisible(x)
}

#' @export
print.rankmix_simulation <- function(x, ...) {
  say("<rankmix_simulation> `$data`:")
  print(x$data)
  say("`$truth`, with the `$probability` of each grade:")
  print(x$truth)
  invisible(x)
}
