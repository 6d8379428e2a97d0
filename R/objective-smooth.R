#' Smooth metrics
#'
#' An objective of [network_ranker()] and [gbrt()], and what [smoothrank()] makes large: a metric whose
#' ranks are made smooth, so that it has derivatives by the scores.
#'
#' @param metric What is to be large: [metric_ndcg()], [metric_mean_ndcg()], [metric_dcg()], [metric_precision()], [metric_recall()],
#'   [metric_f_measure()], [metric_r_precision()], [metric_rbp()], [metric_judged()], [metric_average_precision()],
#'   [metric_reciprocal_rank()], [metric_success()] or [metric_err()].
#' @param sigma How wide ranks are smoothed, above 0: the square of a difference of scores, see
#'   Details; with `form = "logistic"` a difference itself.
#' @param form `"places"`, as in Details; or of the [metric_average_precision()] of whole lists
#'   `"logistic"`, see there.
#' @param warmup In so many rounds of [gbrt()], or epochs of [network_ranker()], least squares are learned
#'   in place of the metric, see Details.
#' @param ... Must be empty. The package stats has another function of this name: a call with a series
#'   of numbers goes there.
#'
#' @details Let d(r) be the document at rank r by the scores \eqn{f}{f}, and
#'   \deqn{h_{ir} = e_{ir} / \sum_p e_{pr}, \quad e_{ir} = e^{-(f_i - f_{d(r)})^2 / \sigma}.}{
#'     h_ir = e_ir / sum_p e_pr, e_ir = exp(-(f_i - f_d(r))^2 / sigma).}
#'   Where the metric asks for what the document at rank r is worth, \eqn{z}{z}, its gain for
#'   instance, it is given the mean \eqn{q_r = \sum_i h_{ir} z_i}{q_r = sum_i h_ir z_i} over
#'   documents of about its score. So, with discounts c,
#'   * metrics that are sums, such as NDCG, become
#'     \eqn{A = \sum_{r \le k} c_r q_r}{A = sum over r <= k of c_r q_r};
#'   * average precision becomes
#'     \eqn{\frac1R \sum_r q_r \frac1r \sum_{l \le r} q_l}{1/R sum_r q_r 1/r sum_(l <= r) q_l};
#'   * reciprocal rank and ERR become \eqn{\sum_{r \le k} \frac1r q_r \prod_{l < r} (1 - q_l)}{
#'     sum over r <= k of 1/r q_r prod_(l < r) (1 - q_l)}, and [metric_success()] the same without
#'     \eqn{\frac1r}{1/r}.
#'
#'   As sigma goes to 0, A goes to the metric, where documents tie to that with the mean worth of
#'   the tied at each of their ranks; as sigma grows, all documents are alike. A number added to all
#'   scores changes nothing, nor does multiplying scores by a and sigma by \eqn{a^2}{a^2}. A is
#'   continuous, and has derivatives but where documents tie: there the mean over the orders of the
#'   tied is taken.
#'
#'   With `form = "logistic"`, let \eqn{P_{ij} = 1 / (1 + e^{(f_i - f_j) / \sigma})}{P_ij = 1 / (1 +
#'   exp((f_i - f_j) / sigma))}: average precision becomes
#'   \deqn{A = \frac1R \sum_i l_i \frac{l_i + \sum_{j \ne i} l_j P_{ij}}{1 + \sum_{j \ne i}
#'     P_{ij}},}{A = 1/R sum_i l_i (l_i + sum_(j != i) l_j P_ij) / (1 + sum_(j != i) P_ij),}
#'   with l 1 for relevant documents and 0 for others. (The formula as printed has a P_ii of 1/2 in
#'   place of the first l_i, and does not go to average precision.)
#'
#'   The objective is \eqn{-\sum_q w_q A_q}{- sum over queries q of w_q A_q} with the weights of
#'   queries, or 1. Queries that all rankings serve as well, such as those without a relevant
#'   document, have no part. The rules of the metric for short lists hold; those for ties have no
#'   meaning here. It is not convex: in the place of a second derivative there is the sum of the
#'   magnitudes of the terms of the slope over \eqn{\sqrt\sigma}{sqrt(sigma)}, so that a step
#'   of [gbrt()] is at most that far (`form = "logistic"`: sigma). Where all scores of a query are
#'   the same, A has no slope, and while they rank badly there are local maxima all around. So
#'   [gbrt()] and [network_ranker()] learn at first what the documents of a query are worth, by least
#'   squares, brought to a standard deviation of \eqn{8 \sqrt\sigma}{8 sqrt(sigma)} (`"logistic"`:
#'   8 sigma): for `warmup` rounds, and later on wherever the scores of a query have a standard
#'   deviation below \eqn{2 \sqrt\sigma}{2 sqrt(sigma)}. With no more rounds than `warmup`
#'   that is all they learn. As the trees of [gbrt()] start with equal scores, sigma is but their
#'   unit.
#'
#'   Cost of an evaluation: n k exponentials for the n documents of a query and the cut-off k of the
#'   metric, fewer for a small sigma; with `"logistic"` n R for R relevant documents.
#' @return A value of class `rankmix_objective`.
#' @section Conditions: `rankmix_error_metric`: a metric that has no smooth form, such as
#'   [metric_bpref()], or not this one. `rankmix_error_argument`: a `sigma` that is not above 0, or
#'   a `warmup` that is no whole number.
#' @references Chapelle and Wu (2010). Gradient descent optimization of smoothed information
#'   retrieval metrics. \doi{10.1007/s10791-009-9110-3}
#' @seealso [smoothrank()]
#' @examples
#' loss_smooth(metric_ndcg(10), 0.1)
#' network_ranker(loss_smooth(metric_ndcg(10), 0.5), hidden = 16, epochs = 300, learning_rate = 0.01)
#' @export
loss_smooth <- function(metric = metric_ndcg(), sigma = 1, form = "places", warmup = 100, ...) {
  check_no_others(...)
  metric <- smooth_metric(metric, rlang::current_env())
  check_number(sigma, "sigma", 0, Inf, open_min = TRUE)
  check_choice(form, "form", smooth_forms)
  check_form(metric, form, rlang::current_env())
  check_count(warmup, "warmup", min = 0)
  new_objective("smooth", metric = metric, sigma = as.double(sigma),
                form = unless(form, "places"),
                warmup = unless(as.integer(warmup), usual_warmup))
}

# A network of 100 epochs, or trees with a step of 0.1, are then near what they can learn.
usual_warmup <- 100L

smooth_forms <- c("places", "logistic")

# What a ranking's places decide one by one, but for bpref.
smooth_metrics <- function() setdiff(metric_names(), "bpref")

smooth_metric <- function(metric, call) {
  metric <- read_metric(metric, call)
  if (is_custom(list(metric)) || !metric$name %in% smooth_metrics()) {
    stop_input("metric", sprintf("%s has no smooth form.", format(metric)),
               remedy = sprintf("Take one of %s.",
                                enumerate(paste0(component_name("metric", smooth_metrics()), "()"), 20L)), call = call)
  }
  metric
}

check_form <- function(metric, form, call) {
  if (form == "logistic" && !(metric$name == "average_precision" && is.infinite(metric$k))) {
    stop_input("metric", sprintf("%s has no smooth form \"logistic\".", format(metric)),
               "Only average precision of whole lists has.",
               "Take `metric_average_precision()`, or `form = \"places\"`.", call = call)
  }
}

# What the core needs to know of an objective, for these data.
settled_objective <- function(objective, data, call = rlang::caller_env()) {
  settled <- if (objective$name == "lambda") settled_lambda(objective) else unclass(objective)
  if (objective$name == "custom") settled$slopes <- custom_gradients(objective, data, call)
  if (objective$name %in% c("smooth", "lambda")) {
    longest <- max(diff(data$offsets))
    metric <- settle_metric(objective$metric, data$relevance)
    settled$metric <- metric_spec(metric, data$relevance, longest)
    settled$longest <- as.double(longest)
    if (is.null(settled$warmup)) settled$warmup <- usual_warmup
  }
  settled
}

# The value of an objective for each query, times its weight, and its derivative by the score of
# each document: what learners make small, so that of loss_smooth() it is less than 0.
objective_value <- function(objective, scores, data, threads = 1L) {
  documents <- objective_documents(data, objective_targets(objective, data$relevance, "gain"),
                                   numeric(), data$weight)
  objective_slopes(settled_objective(objective, data), documents, as.double(scores),
                   as.integer(threads))
}
