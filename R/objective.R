# Objectives are values. The registry entry of a learner lists the objectives that it supports.

#' Squared error
#'
#' An objective of [linear_ranker()], [gbrt()] and [network_ranker()]: the squared difference between a
#' document's score and its target. The loss of a document does not depend on other documents.
#'
#' @param target The target of the score: `"grade"`, the grade as a number, or `"gain"`,
#'   2^grade - 1. The default `NULL` is the gain for [linear_ranker()] and the grade for other rankers. A relevance
#'   that is not graded is the target itself.
#' @param class_weight The weights of classes. `"none"` is the default. `"balanced"`, only for
#'   [linear_ranker()], gives relevant documents (grade above 0) and others the same total weight. Use it
#'   if few documents are relevant.
#'
#' @details Document i has the target \eqn{y_i}{y_i}, the score \eqn{f_i}{f_i} and the weight
#'   \eqn{w_i}{w_i}, the product of its own and its query's weight, or 1. The objective is
#'   \deqn{\sum_i w_i (y_i - f_i)^2.}{sum_i w_i (y_i - f_i)^2.}
#'   With `class_weight = "balanced"` each weight is divided by the total weight of the document's
#'   class, relevant or not. If one class is empty, weights stay unchanged.
#' @return A value of class `rankmix_objective`.
#' @references Cossock and Zhang (2006). Subset ranking using regression.
#'   \doi{10.1007/11776420_44}
#' @examples
#' linear_ranker(loss_squared("grade"))
#' linear_ranker(loss_squared(class_weight = "balanced"))
#' @export
loss_squared <- function(target = NULL, class_weight = "none") {
  if (!is.null(target)) check_choice(target, "target", c("grade", "gain"))
  check_choice(class_weight, "class_weight", c("none", "balanced"))
  new_objective("squared", target = target, class_weight = unless(class_weight, "none"))
}

# A setting is stored only if it differs from the usual value.
unless <- function(value, usual) if (value != usual) value

#' Pairwise losses
#'
#' An objective of [gbrt()], [linear_ranker()] and [network_ranker()]. A pair of documents of a query has a loss if the
#' document with the higher grade does not have a sufficiently higher score.
#'
#' @param loss The loss of a pair: `"logistic"` (the default), `"hinge"` or `"squared_hinge"`.
#' @param pairs The weight of a pair. `"plain"`, the default: 1. `"query"`: 1 divided by the number of
#'   pairs of its query, so that long lists do not dominate.
#'
#' @details The objective is
#'   \deqn{\sum_q w_q \sum_{i, j \in q: g_i > g_j} \ell(f_i - f_j),}{
#'     sum over queries q of w_q times the sum over pairs with grades g_i > g_j of
#'     l(f_i - f_j),}
#'   with scores \eqn{f}{f} and query weights \eqn{w_q}{w_q}, or 1. The loss is
#'   \eqn{\ell(d) = \log(1 + e^{-d})}{l(d) = log(1 + exp(-d))} for `"logistic"`, \eqn{\max(0, 1 -
#'   d)}{max(0, 1 - d)} for `"hinge"` and \eqn{\max(0, 1 - d)^2}{max(0, 1 - d)^2} for
#'   `"squared_hinge"`. Documents of the same grade form no pair. A query with a single grade has no
#'   effect. The objective does not change if a constant is added to all scores of a query. So scores are
#'   comparable only within a query. The hessian of a document is the second derivative by its score. The hinge has no
#'   second derivative, so its hessian is the number of the document's pairs.
#'
#'   Cost of an evaluation: n log n steps for the n documents of a query. The logistic loss takes one
#'   step per pair for queries of at most 5,000 documents. In longer queries, sums over pairs are
#'   interpolated, with a relative error below 1e-12.
#' @return A value of class `rankmix_objective`.
#' @references Burges et al. (2005). Learning to rank using gradient descent.
#'   \doi{10.1145/1102351.1102363}
#'
#'   Joachims (2002). Optimizing search engines using clickthrough data.
#'   \doi{10.1145/775047.775067}
#'
#'   Chapelle and Keerthi (2010). Efficient algorithms for ranking with SVMs.
#'   \doi{10.1007/s10791-009-9109-9}
#' @examples
#' gbrt(trees = 100, objective = loss_pairwise("squared_hinge"))
#' linear_ranker(loss_pairwise("logistic", pairs = "query"))
#' @seealso [ranksvm()]
#' @export
loss_pairwise <- function(loss = "logistic", pairs = "plain") {
  check_choice(loss, "loss", pair_losses)
  check_choice(pairs, "pairs", pair_weights)
  new_objective("pairwise", loss = loss, pairs = unless(pairs, "plain"))
}

pair_losses <- c("logistic", "hinge", "squared_hinge")
pair_weights <- c("plain", "query")

#' Softmax cross-entropy (ListNet)
#'
#' An objective of [gbrt()], [linear_ranker()] and [network_ranker()]: the cross-entropy between the softmax of a
#' query's scores and the gains of its documents, scaled to sum 1.
#'
#' @details The objective is
#'   \deqn{-\sum_q w_q \sum_{i \in q} t_i \log p_i, \quad p_i = \frac{e^{f_i}}{\sum_j e^{f_j}},
#'     \quad t_i = \frac{2^{g_i} - 1}{\sum_j (2^{g_j} - 1)},}{
#'     - sum over queries q of w_q sum_i t_i log p_i, p_i = exp(f_i) / sum_j exp(f_j),
#'     t_i = (2^g_i - 1) / sum_j (2^g_j - 1),}
#'   with scores \eqn{f}{f}, grades \eqn{g}{g} and query weights \eqn{w_q}{w_q}, or 1. A query whose
#'   documents all have grade 0 has no effect. The objective does not change if a constant is added to all
#'   scores of a query. The hessian of a document is \eqn{p_i (1 - p_i)}{p_i (1 - p_i)}, the second
#'   derivative by its score. If the relevance is not graded, see [ranking_data()], it takes the place of
#'   \eqn{2^g - 1}{2^g - 1}.
#' @return A value of class `rankmix_objective`.
#' @references Cao, Qin, Liu, Tsai and Li (2007). Learning to rank: from pairwise approach to
#'   listwise approach. \doi{10.1145/1273496.1273513}
#' @examples
#' gbrt(trees = 100, objective = loss_softmax())
#' linear_ranker(loss_softmax())
#' @export
loss_softmax <- function() {
  new_objective("softmax")
}

#' Likelihood of a list (ListMLE)
#'
#' An objective of [network_ranker()] and [gbrt()]: the likelihood of the order of grades in the model of
#' Plackett and Luce. The model samples documents one after the other, without replacement. Document i is first with
#' probability \eqn{e^{f_i} / \sum_j e^{f_j}}{exp(f_i) / sum_j exp(f_j)}.
#'
#' @details With scores \eqn{f}{f}, grades \eqn{g}{g} and query weights \eqn{w_q}{w_q}, or 1, the
#'   objective is
#'   \deqn{\sum_q w_q \sum_{i \in q: g_i > \min g} \left(\log \sum_{j \in q: g_j \le g_i}
#'     e^{f_j} - f_i\right).}{
#'     sum over queries q of w_q sum over i in q with g_i > min g of
#'     (log sum over j in q with g_j <= g_i of exp(f_j) - f_i).}
#'   Documents of the same grade tie, and their order is not learned. This is Breslow's rule for ties
#'   in Cox regression: each tied document is sampled as if the others of its grade were still
#'   present. Documents of the lowest grade come last. This loss is convex in the scores and, unlike a random order of
#'   ties, deterministic. A document of weight w has the loss of w copies. Without ties, the objective is the negative
#'   log-likelihood of the list. With two grades of gains 0 and 1, it is [loss_softmax()] times the number of relevant
#'   documents.
#'
#'   A query with a single grade has no effect. The objective does not change if a constant is added to all
#'   scores of a query. The hessian of a document is the second derivative by its score.
#'
#'   Cost of an evaluation: n log n steps for the n documents of a query.
#' @return A value of class `rankmix_objective`.
#' @references Xia, Liu, Wang, Zhang and Li (2008). Listwise approach to learning to rank: theory
#'   and algorithm. \doi{10.1145/1390156.1390306}
#'
#'   Breslow (1974). Covariance analysis of censored survival data. \doi{10.2307/2529620}
#' @examples
#' gbrt(trees = 100, objective = loss_list_mle())
#' @export
loss_list_mle <- function() {
  new_objective("list_mle")
}

new_objective <- function(name, ...) {
  structure(c(list(name = name), Filter(Negate(is.null), list(...))),
            class = "rankmix_objective")
}

# A check of the registry: an objective with one of these names. Only some learners support some of the settings.
# `takes` names the settings that this learner supports.
an_objective <- function(..., takes = character()) {
  names <- c(...)
  refused <- setdiff(c("class_weight", "unbiased"), takes)
  function(x, name, call) {
    makers <- enumerate(paste0(component_name("loss", names), "()"), 12L)
    ours <- our_objective(x)
    check_class(x, name, "rankmix_objective", makers, call,
                remedy = if (is.function(x)) {
                  sprintf("Write `%s = loss_custom(f)`. `?loss_custom` describes `f`.", name)
                } else if (!is.null(ours)) {
                  sprintf("Write `%s = %s`.", name, ours)
                } else {
                  data_elsewhere(x)
                })
    if (!x$name %in% names) {
      stop_input("argument", sprintf("`%s` cannot be %s here.", name, format(x)),
                 remedy = if (x$name == "smooth") "Take `smoothrank()`, which is linear." else {
                   sprintf("Take %s.", makers)
                 }, call = call)
    }
    if (any(refused %in% names(x))) {
      stop_input("argument", sprintf("`%s` cannot have `%s` here.", name,
                                     intersect(refused, names(x))[1L]),
                 remedy = "Leave it out.", call = call)
    }
  }
}

# The target of each document; `default` is the learner's default.
objective_targets <- function(objective, relevance, default, call = rlang::caller_env()) {
  if (is.double(relevance)) {
    return(targets_of_values(objective, relevance, objective$name %in% c("softmax", "xendcg"), call))
  }
  target <- if (is.null(objective$target)) default else objective$target
  as.double(if (target == "gain") exponential_gain(relevance) else relevance)
}

# The documents as the core needs them, see DocumentsOfR in src/bind_objective.h. Query weights count
# copies of queries, document weights count copies of documents within a query. `numeric()` means equal weights. The
# levels of a metric in the `settled` objective replace the levels of the data.
objective_documents <- function(data, targets, weights, query_weights, settled = NULL) {
  levels <- settled$metric$levels
  list(order = data$order, offsets = data$offsets,
       grades = if (is.null(levels)) core_grades(data) else levels,
       targets = as.double(targets), weights = as.double(weights),
       query_weights = as.double(query_weights))
}

#' @export
format.rankmix_objective <- function(x, ...) {
  if (x$name == "custom") return(sprintf("loss_custom(<%s>)", x$label))
  settings <- x[names(x) != "name"]
  # The most common settings are printed without names.
  named <- names(settings) %in% c("class_weight", "pairs", "form", "normalize", "truncation",
                                "unbiased", "position_l2", "examination", "warmup") |
    names(settings) == "sigma" & x$name == "lambda"
  shown <- vapply(settings, setting_text, "")
  shown[named] <- sprintf("%s = %s", names(settings)[named], shown[named])
  sprintf("%s(%s)", component_name("loss", x$name), paste(shown, collapse = ", "))
}

#' @export
print.rankmix_objective <- function(x, ...) {
  say("<objective> ", format(x))
  invisible(x)
}
