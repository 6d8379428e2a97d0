#' AdaBoost.MH
#'
#' Specifies a multi-class boosted classifier of grades, a typical member of [tune_and_mix()].
#'
#' @param base The base learner: [base_stump()], [base_tree()], [base_hamming_tree()] or
#'   [base_product()].
#' @param rounds Number of rounds T, at most; default 1000. With validation data [fit()] chooses how
#'   many are used.
#' @param weights The initial weights: `"relevance"` (the default), 2^g for grade g, or `"uniform"`.
#' @param max_bin Number of bins per feature, 2 to 255 (the default). A feature with more distinct values
#'   is cut at weighted quantiles of the training documents.
#' @param feature_fraction The fraction of features that a round may use, sampled anew for each round. In
#'   (0, 1]; default 1. Smaller values make rounds diverse, not faster.
#' @param grouping The grouping of grades for training, see [group_grades()]. The default `"identity"`
#'   keeps all grades apart. Fewer groups train faster. All grades of a group have the same discriminant.
#' @param precision The precision of the weights. `"single"` (the default) keeps 7 digits, and the split
#'   search rounds the weights to multiples of 2^-30 of their sum. `"double"` keeps 15 digits and takes
#'   two to three times as long. With `"double"`, the search rounds to multiples of 2^-60 n, with the
#'   number of documents n rounded up to a power of 2. With more than 16 grades, the unit is 2^-30 in
#'   either precision. The unit is the same for more than 8 grades with confidence-rated votes, except for
#'   [base_hamming_tree()].
#' @param search The search for the best split of a node: `"full"` (the default) examines all features,
#'   [search_bandit()] examines one.
#' @param bagging_fraction The fraction of documents that the search of a round uses, sampled anew for
#'   each round. In (0, 1]; default 1. Sampling does not depend on row order. Edges, the weights
#'   \eqn{\alpha}{alpha} of votes and the document weights use all documents.
#' @param ... Must be empty.
#'
#' @return A specification of class `rankmix_adaboost_mh`, for [fit()].
#' @examples
#' adaboost_mh(base_tree(8), rounds = 200)
#'
#' @details
#' The classifier has one discriminant for each of the K grades l,
#' \deqn{f_l(x) = \sum_{t=1}^T \alpha_t h_{t,l}(x), \quad
#'   \alpha_t = \tfrac12 \log\frac{1 + \gamma_t}{1 - \gamma_t}, \quad
#'   \gamma_t = \sum_{i,l} w_{il} h_{t,l}(x_i) y_{il}}{
#'   f_l(x) = sum_t alpha_t h_tl(x),
#'   alpha_t = 1/2 log((1 + gamma_t) / (1 - gamma_t)),
#'   gamma_t = sum_il w_il h_tl(x_i) y_il}
#' with \eqn{y_{il} = +1} if document i has grade l and -1 otherwise. The weights start as
#' \eqn{w_{il} \propto c_i}
#' for the document's own grade and \eqn{c_i / (K - 1)} for the other grades, with \eqn{c_i = 2^{g_i}}
#' (`"relevance"`) or 1 (`"uniform"`). Each round multiplies the weights by \eqn{\exp(-\alpha_t
#' h_{t,l}(x_i) y_{il})} and scales them so that their sum is 1. \eqn{\gamma_t}{gamma_t} is the edge of round t. An edge
#' above 1 - 1e-12 counts as 1 - 1e-12.
#'
#' Training stops early, with status `"stalled"`, if the edge of the best learner is below 2^-30, the
#' resolution of the search. With confidence-rated votes the limit is 2^-20.
#'
#' **Cost** of a round with `base_tree(m)`: about O(n p log m) additions of K numbers for n documents
#' and p features. A `base_hamming_tree()` adds one pass over a single channel for each split. A
#' `base_product()` takes a pass for each stump that it fits.
#'
#' **Memory**: n p bytes for the bins and, while they are made, 16 bytes per document and thread. Training takes 2 MB
#' and 4 K + 9 bytes per document (8 K + 9 in double precision). Histograms take 4 L bytes per bin, with L rounded up
#' to 24 or a power of 2. L is K; 2 K in double precision or with confidence-rated votes; 4 K with both for up to 8
#' grades. Up to half as many histograms as leaves are kept. The histograms take at most 12 MB or a sixteenth of the
#' bins. At least four histograms are kept (three for a product). A product adds up to 4 bytes per document, and one
#' bit for each document and term.
#'
#' @references Schapire and Singer (1999). \doi{10.1023/A:1007614523901}
#'
#'   Busa-Fekete, Kegl, Elteto and Szarvas (2013). Tune and mix: learning to
#'   rank using ensembles of calibrated multi-class classifiers.
#'   \doi{10.1007/s10994-013-5360-9}
#' @export
adaboost_mh <- function(base = base_tree(8), rounds = 1000, weights = "relevance",
                        max_bin = 255, feature_fraction = 1, grouping = "identity",
                        precision = "single", search = "full", bagging_fraction = 1, ...) {
  check_no_others(...)
  new_spec("adaboost_mh", base = base, rounds = rounds, weights = weights, max_bin = max_bin,
           feature_fraction = feature_fraction, grouping = grouping, precision = precision, search = search,
           bagging_fraction = bagging_fraction)
}

entry_of_adaboost_mh <- function() {
  registry_entry(
    "adaboost_mh",
    parameters = list(
      base = parameter(a_base, show = "bare", tune = list(base_stump(), base_tree(4), base_tree(8), base_tree(20))),
      rounds = parameter(a_count(max = 1e6), show = "never"),
      weights = parameter(a_choice("relevance", "uniform")),
      max_bin = parameter(a_count(min = 2, max = 255)), feature_fraction = parameter(a_fraction),
      grouping = parameter(a_grouping),
      precision = parameter(a_choice("single", "double")),
      search = parameter(a_search), bagging_fraction = parameter(a_fraction)
    ),
    traits = c("classifier", "rounds", "resumable", "validation", "missing", "weights",
               "document_weights", "sparse", "bins", "distributed", "random"),
    rounds = "rounds",
    complete = function(spec, call) {
      check_search(spec$search, spec$feature_fraction, call)
      spec
    },
    grow = grow_adaboost
  )
}

a_base <- function(x, name, call) {
  check_class(x, name, "rankmix_base", "`base_stump()`, `base_tree()`, `base_hamming_tree()` or `base_product()`",
              call, data_elsewhere(x))
}

a_search <- function(x, name, call) {
  if (!inherits(x, "rankmix_bandit") && !identical(x, "full")) {
    stop_input("argument",
               sprintf("`%s` must be \"full\" or `search_bandit()`, not %s.", name, show_value(x)),
               call = call)
  }
}

check_search <- function(search, feature_fraction, call = rlang::caller_env()) {
  if (inherits(search, "rankmix_bandit") && feature_fraction < 1) {
    stop_input("argument", "A bandit search examines one feature at a time, chosen from all features.",
               remedy = "Leave out `feature_fraction`, or use `search = \"full\"`.", call = call)
  }
}

# Trains to the number of rounds of the specification, starting from the model `from`. Fails if `from` was
# trained on other data.
grow_adaboost <- function(spec, task, from) {
  grow_rounds(adaboost_grower(spec, task, from), spec$rounds, length(from$alpha), task$checkpoint, task$watch)
}

adaboost_grower <- function(spec, task, from = NULL) {
  data <- task$data
  if (is.null(from)) check_voted_grades("adaboost_mh", task)
  if (!is.null(from)) {
    check_same_shape(from, data, task$checkpoint, task$call)
    task$classes <- from$classes
  }
  groups <- groups_of_training(spec$grouping, task$classes, task$call)
  check_votes(spec$base, max(groups) + 1L, task$call)
  grades <- grouped_relevance(data, groups)
  weights <- boosting_weights(task)
  bins <- task$bins(spec)
  digest <- training_digest(bins, grades, weights, task$threads, task$cluster)
  if (!is.null(from) && !identical(from$digest, digest)) {
    stop_other_data("These have other features, grades or weights.", task$checkpoint, task$call)
  }
  settings <- c(unclass(spec), list(counts = document_counts(data), cluster = task$cluster,
                                    own_bins = task$own_bins),
                if (spec$bagging_fraction < 1) drawing_settings(task))
  booster <- adaboost_mh_start(bins, grades, weights, max(groups) + 1L, unclass(spec$base),
                               settings, task$seed, task$threads)
  if (!is.null(from) && !adaboost_mh_replay(booster, from, task$threads)) {
    stop_other_data("On these data its rounds have other thresholds or edges.",
                    task$checkpoint, task$call)
  }
  model <- function() {
    fitted <- adaboost_mh_model(booster)
    structure(
      c(list(spec = spec, classes = task$classes, groups = groups), schema_of(data),
        fitted[c("forest", "alpha", "edge", "pulls", "status")],
        list(seed = task$seed, digest = digest)),
      class = c("rankmix_adaboost_mh_model", "rankmix_classifier", "rankmix_ranker")
    )
  }
  list(
    run = function(wanted) {
      adaboost_mh_run(booster, as.integer(wanted), as.integer(spec$rounds), task$threads,
                      task$progress)
    },
    scores = function(held, rounds) {
      seen <- adaboost_mh_look(booster, held, rounds, task$threads)
      f <- spread_groups(list(groups = groups), seen$f)
      naive_scores(f, cumsum(seen$alpha)[rounds])
    },
    model = model
  )
}

# Refuses data on which the model `from` cannot be trained further.
check_same_shape <- function(from, data, checkpoint, call) {
  best <- as.integer(highest(data, data$relevance))
  if (best >= from$classes) {
    stop_other_data(sprintf("It has the grades 0 to %d, these have %d.", from$classes - 1L, best), checkpoint, call)
  }
  check_features_of_model(from, data, checkpoint, call)
}

check_features_of_model <- function(from, data, checkpoint, call) {
  if (!identical(input_names(from), data$features)) {
    stop_other_data("These have other features.", checkpoint, call)
  }
}

stop_other_data <- function(details, checkpoint, call) {
  is_file <- !is.null(checkpoint$model)
  stop_input(
    if (is_file) "checkpoint" else "newdata",
    sprintf("The %s was trained on other data.",
            if (is_file) sprintf("model in '%s'", checkpoint$file) else "model"),
    details, "Give the data that it was trained on, with the same weights.", call = call
  )
}

# The groups of grades. Merging all grades into one group is an error.
groups_of_training <- function(grouping, classes, call) {
  groups <- groups_of_grades(grouping, classes, call)
  if (max(groups) == 0L) {
    stop_input("one_grade",
               sprintf("The grouping makes one grade of all: %s.",
                       show_value(grouping)), call = call)
  }
  groups
}

# Makes no copy if each grade is its own group.
grouped_relevance <- function(data, groups) {
  if (identical(as.integer(groups), seq_along(groups) - 1L)) {
    return(data$relevance)
  }
  groups[data$relevance + 1L]
}

# The histograms of confidence-rated votes have two channels for each grade.
check_votes <- function(base, classes, call) {
  if (base$votes == "confidence" && base$name != "hamming_tree" && classes > 16L) {
    stop_input("grade",
               sprintf("Confidence-rated votes of `%s` support at most 16 grades, not %d.",
                       format(base), classes),
               remedy = "Group the grades by `grouping`, or take a `base_hamming_tree()`.",
               call = call)
  }
}

check_several_grades <- function(data, call = rlang::caller_env()) {
  lowest <- cluster_min(data$cluster, min(data$relevance))  # range() would copy all of them
  if (lowest == highest(data, data$relevance)) {
    stop_input(
      "one_grade",
      "The training data have one grade only, so there is nothing to learn.",
      sprintf("All %d documents have %s %s.", as.integer(cluster_sum(data$cluster, nrow(data))),
              if (is_graded(data)) "grade" else "the relevance", format(lowest)),
      "Train on documents of at least two grades.",
      call = call
    )
  }
}

#' @export
round_weights.rankmix_adaboost_mh_model <- function(model) {
  model$alpha
}

#' @export
rounds_used.rankmix_adaboost_mh_model <- function(model) {
  length(model$alpha)
}

#' @export
discriminants.rankmix_adaboost_mh_model <- function(model, x, rounds, threads) {
  forest_discriminants(model, x, rounds, threads)
}

#' @export
core_part.rankmix_adaboost_mh_model <- function(model) {
  list(forest = .subset2(model, "forest"), weights = .subset2(model, "alpha"))
}

# Expands discriminants of groups to discriminants of grades, for one or several numbers of rounds.
spread_groups <- function(model, f) {
  groups <- .subset2(model, "groups")
  if (is.null(groups) || length(groups) == dim(f)[2L]) {
    return(f)
  }
  if (is.matrix(f)) f[, groups + 1L, drop = FALSE] else f[, groups + 1L, , drop = FALSE]
}

# |f_l(x)| <= sum of the weights of the rounds.
#' @export
discriminant_range.rankmix_adaboost_mh_model <- function(model, rounds) {
  c(0, cumsum(model$alpha))[up_to_rounds(rounds, length(model$alpha)) + 1L]
}

#' @export
print.rankmix_adaboost_mh_model <- function(x, ...) {
  say("<classifier> ", format(x$spec))
  say(sprintf("%d rounds (%s), %d grades, %d features", length(x$alpha),
              x$status, x$classes, length(x$features)))
  if (length(x$edge) > 0L) {
    say(sprintf("Edge: %.4f in the first round, %.4f in the last", x$edge[1L],
                x$edge[length(x$edge)]))
  }
  print_best(x)
  invisible(x)
}

print_best <- function(x) {
  if (!is.null(x$curve)) {
    best <- which(x$curve$rounds == x$best_rounds)
    say(sprintf("Best on the validation data: %s %.4f at %d rounds",
                format(x$metric), x$curve$value[best], x$best_rounds))
  }
}
