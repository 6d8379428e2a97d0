#' Smoothed metrics
#'
#' An objective of [network_ranker()] and [gbrt()]: a ranking metric with smoothed ranks, which has
#' derivatives. [smoothrank()] maximises it, too.
#'
#' @param metric The metric to maximise: [metric_ndcg()], [metric_mean_ndcg()], [metric_dcg()],
#'   [metric_precision()], [metric_recall()], [metric_f_measure()], [metric_r_precision()],
#'   [metric_rbp()], [metric_judged()], [metric_average_precision()], [metric_reciprocal_rank()],
#'   [metric_success()] or [metric_err()].
#' @param sigma The width of the smoothing, above 0; default 1. The unit of `sigma` is a squared difference of scores,
#' or a difference for `"logistic"`. Smaller values are closer to the metric.
#' @param form The form of the smoothing: `"places"` (the default), or `"logistic"`, only for
#'   [metric_average_precision()] of whole lists.
#' @param warmup Number of first rounds of [gbrt()], or epochs of [network_ranker()], in which gains are
#' learned by least squares instead; default 100. See Details.
#' @param ... Must be empty.
#'
#' @details Let d(r) be the document at rank r by the scores \eqn{f}{f}, and
#'   \deqn{h_{ir} = e_{ir} / \sum_p e_{pr}, \quad e_{ir} = e^{-(f_i - f_{d(r)})^2 / \sigma}.}{
#'     h_ir = e_ir / sum_p e_pr, e_ir = exp(-(f_i - f_d(r))^2 / sigma).}
#'   The metric uses a value \eqn{z}{z} of the document at rank r, such as its gain. Smoothing replaces it
#'   by \eqn{q_r = \sum_i h_{ir} z_i}{q_r = sum_i h_ir z_i}, the mean over documents of similar
#'   score. With discounts c,
#'   * metrics that are sums, such as NDCG, become
#'     \eqn{A = \sum_{r \le k} c_r q_r}{A = sum over r <= k of c_r q_r};
#'   * average precision becomes
#'     \eqn{\frac1R \sum_r q_r \frac1r \sum_{l \le r} q_l}{1/R sum_r q_r 1/r sum_(l <= r) q_l};
#'   * reciprocal rank and ERR become \eqn{\sum_{r \le k} \frac1r q_r \prod_{l < r} (1 - q_l)}{
#'     sum over r <= k of 1/r q_r prod_(l < r) (1 - q_l)}, and [metric_success()] the same without
#'     \eqn{\frac1r}{1/r}.
#'
#'   As sigma goes to 0, A converges to the metric. A tied document then has the mean value of all
#'   documents of the tie. As sigma grows, all documents get the same value. A does not change if a
#'   constant is added to all scores. A also does not change if scores are multiplied by a and sigma by
#'   \eqn{a^2}{a^2}. A is continuous. At ties the mean derivative over tied orders is used.
#'
#'   With `form = "logistic"`, let \eqn{P_{ij} = 1 / (1 + e^{(f_i - f_j) / \sigma})}{P_ij = 1 / (1 +
#'   exp((f_i - f_j) / sigma))}. Average precision becomes
#'   \deqn{A = \frac1R \sum_i l_i \frac{l_i + \sum_{j \ne i} l_j P_{ij}}{1 + \sum_{j \ne i}
#'     P_{ij}},}{A = 1/R sum_i l_i (l_i + sum_(j != i) l_j P_ij) / (1 + sum_(j != i) P_ij),}
#'   with l = 1 for relevant documents and 0 for others. (The paper has a P_ii of 1/2 instead of the
#'   first l_i, which does not converge to average precision.)
#'
#'   The objective is \eqn{-\sum_q w_q A_q}{- sum over queries q of w_q A_q} with query weights, or 1. A
#'   query for which all rankings are equally good has no effect. The metric's rules for short lists apply,
#'   but its rules for ties do not. The objective is not convex. The hessian is replaced by the sum of the
#'   magnitudes of the gradient's terms, divided by \eqn{\sqrt\sigma}{sqrt(sigma)}. So a Newton step of
#'   [gbrt()] is at most \eqn{\sqrt\sigma}{sqrt(sigma)} long. For `"logistic"` the divisor is sigma.
#'
#'   **Warm-up.** Equal scores have no gradient, and poor rankings are local maxima. So rankers first
#'   learn the gains by least squares, scaled to a standard deviation of \eqn{8 \sqrt\sigma}{8
#'   sqrt(sigma)} (`"logistic"`: 8 sigma). Rankers learn the gains for `warmup` rounds, and later for
#'   queries whose scores have a standard deviation below \eqn{2 \sqrt\sigma}{2 sqrt(sigma)}. If the number
#'   of rounds is at most `warmup`, the ranker learns only the gains. For [gbrt()], sigma only determines
#'   the scale of scores.
#'
#'   Cost of an evaluation: n k exponentials for n documents and the cut-off k, fewer for a small sigma.
#'   `"logistic"` needs n R for R relevant documents. In queries of more than 5,000 documents it
#'   interpolates sums over documents, with a relative error below 1e-12, in n steps.
#' @return A value of class `rankmix_objective`.
#' @section Conditions: `rankmix_error_metric`: a metric without a smoothed form, such as [metric_bpref()],
#'   or without the given `form`. `rankmix_error_argument`: a `sigma` that is not above 0, or a `warmup`
#'   that is not a whole number.
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

# About as many rounds as a network of 100 epochs, or trees with a learning rate of 0.1, need to converge.
usual_warmup <- 100L

smooth_forms <- c("places", "logistic")

# Metrics that depend on the document at each rank: all but bpref.
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

# An objective with the parameters that the core needs, for these data.
settled_objective <- function(objective, data, call = rlang::caller_env()) {
  settled <- if (objective$name == "lambda") settled_lambda(objective) else unclass(objective)
  if (objective$name == "custom") settled$gradients <- custom_gradients(objective, data, call)
  if (!is.null(objective$examination)) {
    settled$known_factors <- known_factors(objective$examination, shown_positions(data, call), call)
  }
  if (objective$name %in% c("smooth", "lambda")) {
    longest <- highest(data, diff(data$offsets))
    metric <- settle_metric(objective$metric, relevance_range(data))
    settled$metric <- metric_spec(metric, data$relevance, longest, call, data$query)
    settled$longest <- as.double(longest)
    if (is.null(settled$warmup)) settled$warmup <- usual_warmup
  }
  settled
}

# The value of an objective for each query, times its weight, and its derivative by the score of each
# document. Learners minimise it, so that the value of loss_smooth() is negative.
objective_value <- function(objective, scores, data, threads = 1L) {
  settled <- settled_objective(objective, data)
  documents <- objective_documents(data, objective_targets(objective, data$relevance, "gain"),
                                   numeric(), data$weight, settled)
  objective_gradients(settled, documents, as.double(scores),
                   as.integer(threads))
}
