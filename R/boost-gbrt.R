#' Gradient boosted regression trees
#'
#' Specifies a ranker of regression trees: the relevance grade is regressed on the features
#' with squared error, or scores are learned that make another objective small. To be trained
#' by [fit()].
#'
#' @param trees Largest number of trees.
#' @param leaves Leaves of a tree, grown best-first; by default 31, or as many as `depth`
#'   allows.
#' @param depth Largest depth of a tree, or `NULL`. With `depth` alone a tree has all its
#'   leaves at that depth, but for those that no split improves.
#' @param step Share of each tree's values that is added, in (0, 1].
#' @param bins Number of bins per feature, 2 to 255.
#' @param min_documents Fewest documents of a leaf, whatever their weights; documents of
#'   weight 0 do not count.
#' @param feature_share,document_share Shares of the features and of the documents that the
#'   search for splits of a tree sees, in (0, 1], drawn anew for each tree.
#' @param query_share Share of the queries, with all their documents, that the search sees, in
#'   (0, 1], drawn anew for each tree by their ids: their order does not matter. Only one of
#'   `document_share` and `query_share` can be below 1.
#' @param monotone Features with which predictions must not fall, `1`, or not rise, `-1`: by
#'   their names, such as `c(bm25 = 1, length = -1)`, or a number for each feature, 0 for those
#'   that are free.
#' @param precision Precision of the residuals: `"single"` keeps about 2^36 units for the sum
#'   of their magnitudes, 18 bits for the average one of 240,000 documents; `"double"` keeps
#'   doubles, and searches splits with 26 bits.
#' @param objective What is learned: [squared()], [pairwise()], [softmax()], [list_mle()],
#'   [smooth()], [lambda()], [xendcg()], [query_rmse()], [ordinal()] or [custom_objective()].
#' @param l2 What is added to the curvature of a leaf, 0 or more: larger makes smaller steps,
#'   above all of leaves with few documents.
#' @param ... Must be empty.
#'
#' @details The model is \eqn{F(x) = \bar y + s \sum_t h_t(x)}{F(x) = mean(y) + step sum_t
#'   h_t(x)}. Tree t is grown on the residuals \eqn{r_i = y_i - F(x_i)}; a leaf is split where
#'   that lowers the weighted squared error most, \eqn{G_L^2 / W_L + G_R^2 / W_R - G^2 / W}{
#'   GL^2 / WL + GR^2 / WR - G^2 / W}, with the sums G of the weighted residuals and W of
#'   weights of its sides. The value of a leaf is the mean residual of all its documents, in
#'   single precision rounded so that a step is a whole number of units. Sums of rounded
#'   residuals are exact: models are the same, bit for bit, for any number of threads.
#'   With weights of queries, residuals are doubles in either precision, and the search rounds
#'   them to units of 2^-30 of the sum of their magnitudes. Training
#'   stops early, with status `"stalled"`, where nothing can be split. Memory: up to two bytes
#'   for each feature and document; while the bins are made, 16 bytes a document and thread,
#'   then 24 bytes a document, with weights or in double precision up to 40.
#'
#'   Of another objective, or with `l2`, tree t is grown on the slopes \eqn{g_i}{g_i} and
#'   curvatures \eqn{h_i}{h_i} of the objective by the scores \eqn{F(x_i)}{F(x_i)}: with their
#'   sums G and H a leaf is split where \eqn{G_L^2 / (H_L + \lambda) + G_R^2 / (H_R + \lambda) -
#'   G^2 / (H + \lambda)}{GL^2 / (HL + l2) + GR^2 / (HR + l2) - G^2 / (H + l2)} is largest,
#'   \eqn{\lambda}{lambda} being `l2`, and its value is the Newton step \eqn{-G / (H +
#'   \lambda)}{-G / (H + l2)}; without curvature it is 0. Scores start at the best constant, 0
#'   where any is as good. The search rounds slopes to units of 2^-30 of the sum of their
#'   magnitudes, in double precision much finer, and curvatures to 2^-30 of their sum.
#'
#'   With `monotone` the values of a node's leaves stay within bounds, none at the root, and
#'   its sides are valued, and splits chosen, by their best values within the bounds. A split
#'   on a feature of sign 1 counts only where the right side has no smaller value than the
#'   left one; half-way between both is then the upper bound of all leaves on the left, and the
#'   lower one of those on the right; with -1 the other way round. The leaves' values are put
#'   within their bounds. So predictions are monotone, exactly: where two documents differ in
#'   one such feature alone, the one with the larger value is predicted no less (no more, of
#'   sign -1). Whether a feature is missing is no matter of order: nothing is said of a
#'   document with a missing value against one with a present one, but both are monotone in
#'   all other features. What an objective makes of the scores may have any form.
#'
#' @return A value of class `rankmix_gbrt`, a specification. [fit()] makes a ranker of it, for
#'   [predict()] and [evaluate()].
#' @references Friedman (2001). Greedy function approximation: a gradient boosting machine.
#'   \doi{10.1214/aos/1013203451}
#'
#'   Chen and Guestrin (2016). XGBoost: a scalable tree boosting system.
#'   \doi{10.1145/2939672.2939785}
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(trees = 50, leaves = 8), train, threads = 1)
#' head(predict(model, train))
#' @export
gbrt <- function(trees = 500, leaves = NULL, depth = NULL, step = 0.1, bins = 255,
                 min_documents = 20, feature_share = 1, document_share = 1,
                 precision = "single", objective = squared(), l2 = 0, query_share = 1,
                 monotone = NULL, ...) {
  check_no_others(...)
  new_spec("gbrt")
}

row_of_gbrt <- function() {
  ranker_row(
    "gbrt",
    parameters = list(
      trees = parameter(a_count(max = 1e6), show = "always"),
      leaves = parameter(null_or(a_count(min = 2, max = 65536)), tune = c(7, 15, 31),
                         show = function(spec) {
                           is.null(spec$depth) || spec$leaves != 2^spec$depth
                         }),
      depth = parameter(null_or(a_count(max = 16))),
      step = parameter(a_share, show = "always", tune = c(0.05, 0.1, 0.2)),
      bins = parameter(a_count(min = 2, max = 255)),
      min_documents = parameter(a_count(max = 1e9)),
      feature_share = parameter(a_share), document_share = parameter(a_share),
      precision = parameter(a_choice("single", "double")),
      objective = parameter(an_objective("squared", "pairwise", "softmax", "list_mle", "smooth",
                                         "lambda", "xendcg", "query_rmse", "ordinal", "custom",
                                         takes = "unbiased")),
      l2 = parameter(a_number(0, Inf)), query_share = parameter(a_share),
      monotone = parameter(null_or(monotone_signs))
    ),
    traits = function(spec) {
      c("rounds", "resumable", "validation", "missing", "weights", "sparse", "random",
        if (is.null(spec) || spec$objective$name == "squared") "regression",
        if (!is.null(spec) && spec$objective$name == "lambda") "pairs")
    },
    rounds = "trees",
    complete = function(spec, call) {
      if (is.null(spec$leaves)) spec$leaves <- leaves_of_depth(spec$depth)
      if (spec$document_share < 1 && spec$query_share < 1) {
        stop_input("argument", "Both `document_share` and `query_share` are below 1.",
                   remedy = "Draw documents or whole queries: leave one of them out.",
                   call = call)
      }
      spec
    },
    given = function(spec) {
      if (spec$leaves == leaves_of_depth(spec$depth)) spec["leaves"] <- list(NULL)
      unclass(spec)
    },
    train = function(spec, task) grow_gbrt(spec, task),
    small = list(trees = 8, leaves = 4, min_documents = 1),
    # Residuals are rounded to other units with weights and without.
    tolerance = c(twice = 1e-6, zero = 1e-12)
  )
}

leaves_of_depth <- function(depth) if (is.null(depth)) 31 else 2^depth

monotone_signs <- function(x, name, call) {
  names <- names(x)
  if (!is.numeric(x) || length(x) == 0L || !all(x %in% c(-1, 0, 1)) ||
        !is.null(names) && (anyNA(names) || !all(nzchar(names)) || anyDuplicated(names))) {
    stop_input("argument",
               sprintf("`%s` must be 1, -1 or 0 by the names of features, or for each, not %s.",
                       name, show_value(x)),
               remedy = "Such as `c(bm25 = 1, length = -1)`.", call = call)
  }
}

# The sign of each feature; none where all are free.
signs_of_features <- function(monotone, features, call) {
  if (all(monotone == 0)) {
    return(integer())
  }
  if (is.null(names(monotone))) {
    if (length(monotone) != length(features)) {
      stop_input("argument", sprintf("`monotone` has %d signs, but there are %d features.",
                                     length(monotone), length(features)),
                 remedy = "Give one for each, or name them.", call = call)
    }
    return(as.integer(monotone))
  }
  unknown <- setdiff(names(monotone), features)
  if (length(unknown) > 0L) {
    stop_input("argument", sprintf("`monotone` names features that there are not: %s.",
                                   enumerate(unknown, 5L)),
               sprintf("There are %s.", enumerate(features, 5L)),
               "Name features of the data.", call = call)
  }
  signs <- integer(length(features))
  signs[match(names(monotone), features)] <- as.integer(monotone)
  signs
}

# What the core is to know of the specification, and of the data it is for.
gbrt_settings <- function(spec, task) {
  settings <- unclass(spec)
  data <- task$data
  settings$monotone <- signs_of_features(spec$monotone, data$features, task$call)
  if (spec$query_share < 1) {
    settings$query <- data$query
    settings$query_ids <- as.character(data$query_ids)
  }
  settings
}

# Grows up to the trees of the specification, on top of those of the model `from`. Fails
# where that was trained on other data.
grow_gbrt <- function(spec, task, from = task$checkpoint$model) {
  done <- if (is.null(from)) 0L else rounds_used(from)
  grow_rounds(gbrt_grower(spec, task, from = from), spec$trees, done, task$checkpoint, task$watch)
}

gbrt_grower <- function(spec, task, from = NULL) {
  if (!is.null(from)) {
    check_features_of_model(from, task$data, task$checkpoint, task$call)
  }
  weights <- as.double(task$weights)
  bins <- task$bins(spec)
  digest <- training_digest(bins, as.integer(task$data$relevance), weights, task$threads)
  trees <- start_gbrt(spec, task, bins, weights)
  if (!is.null(from) && (from$digest != digest || !gbrt_replay(trees, from, task$threads))) {
    stop_other_data("These have other features, grades or weights.", task$checkpoint,
                    task$call)
  }
  model <- function() {
    found <- gbrt_model(trees)
    structure(
      c(list(spec = spec), schema_of(task$data), found,
        learned_of(spec$objective, gbrt_states(trees), length(found$forest$round_begin) - 1L),
        list(seed = task$seed, digest = digest)),
      class = c("rankmix_gbrt_model", "rankmix_ranker")
    )
  }
  start <- gbrt_model(trees)$start
  list(
    run = function(wanted) {
      gbrt_run(trees, as.integer(wanted), as.integer(spec$trees), task$threads, task$progress)
    },
    scores = function(held, rounds) {
      start + gbrt_look(trees, held, rounds, task$threads)[, 1L]
    },
    model = model
  )
}

is_least_squares <- function(spec) {
  is.null(spec$objective) || spec$objective$name == "squared" && spec$l2 == 0
}

# Least squares has a way of its own, which is faster.
start_gbrt <- function(spec, task, bins, weights) {
  objective <- spec$objective
  default <- if (objective$name %in% c("softmax", "xendcg")) "gain" else "grade"
  targets <- task$targets
  if (is.null(targets)) {
    targets <- objective_targets(objective, task$data$relevance, default)
  }
  if (!is.null(objective$unbiased)) targets <- shown_positions(task$data, task$call)
  if (is_least_squares(spec)) {
    return(gbrt_start(bins, as.double(targets), weights, gbrt_settings(spec, task),
                      task$seed, task$threads))
  }
  # Weights of queries, unless they are others than those of the data.
  of_queries <- identical(weights, as.double(row_weights(task$data)))
  documents <- objective_documents(task$data, targets,
                                   weights = if (of_queries) numeric() else weights,
                                   query_weights = if (of_queries) task$data$weight)
  settled <- settled_objective(objective, task$data, task$call)
  if (objective$name == "lambda") {
    check_lambda_pairs(objective, settled, documents, task$threads, task$call)
  }
  gbrt_start_objective(bins, settled, documents, gbrt_settings(spec, task), task$seed,
                       task$threads)
}

#' @export
rounds_used.rankmix_gbrt_model <- function(model) {
  length(model$forest$round_begin) - 1L
}

#' @export
round_weights.rankmix_gbrt_model <- function(model) {
  rep(model$spec$step, rounds_used(model))
}

#' @export
discriminants.rankmix_gbrt_model <- function(model, x, rounds, threads) {
  stages <- as.integer(pmin(rounds, rounds_used(model)))
  forest_predict(model$forest, round_weights(model), x, stages, threads)
}

#' @export
sum_scores.rankmix_gbrt_model <- function(model, f, rounds) {
  model$start + f[, 1L]
}

#' Predict with boosted rankers
#'
#' @param object A model of [gbrt()], [adarank()] or [rankboost()], trained by [fit()].
#' @param newdata As in [predict.rankmix_classifier()].
#' @param type `"score"` or `"rank"`.
#' @param rounds How many trees, or rounds, to use; by default those that [fit()] chose. Several
#'   numbers give predictions after each of them, in one pass over the model.
#' @param threads Number of threads; results do not depend on it.
#' @param ... Must be empty.
#'
#' @return For `"score"` of [gbrt()] the predicted grade of each document, or what its objective
#'   makes of the score, of the others the sum of the rounds, which has no unit; for `"rank"` the rank within
#'   the query, 1 for the best, ties in row order. If `rounds` has several numbers, a matrix
#'   with a column for each, which they name.
#' @section Conditions: As in [predict.rankmix_classifier()].
#' @export
predict.rankmix_gbrt_model <- function(object, newdata, type = c("score", "rank"),
                                       rounds = object$best_rounds, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  type <- check_choice(type[1L], "type", c("score", "rank"))
  threads <- check_threads(threads)
  x <- match_features(newdata, object, threads)
  call <- rlang::current_env()
  predict_stages(object, x, rounds, threads, function(f, rounds) {
    scores <- sum_scores(object, f, rounds)
    if (type == "rank") rank_within_queries(scores, newdata, call) else scores
  })
}

#' @rdname predict.rankmix_gbrt_model
#' @export
predict.rankmix_adarank_model <- predict.rankmix_gbrt_model

#' @rdname predict.rankmix_gbrt_model
#' @export
predict.rankmix_rankboost_model <- predict.rankmix_gbrt_model

#' @export
print.rankmix_gbrt_model <- function(x, ...) {
  say("<ranker> ", format(x$spec))
  say(sprintf("%d trees (%s), %d features", rounds_used(x), x$status,
              length(x$features)))
  print_best(x)
  invisible(x)
}
