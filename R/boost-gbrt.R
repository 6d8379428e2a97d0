#' Gradient boosted regression trees
#'
#' Specifies a ranker of regression trees: the relevance grade is regressed on the features
#' with squared error, or scores are learned that make another objective small. To be trained
#' by [fit()].
#'
#' @param trees Largest number of trees.
#' @param leaves Leaves of a tree, grown best-first; by default 31, or as many as `depth`
#'   allows.
#' @param depth Largest depth of a tree, up to 16, or `NULL`. With `depth` alone a tree has all its
#'   leaves at that depth, but for those that no split improves.
#' @param step Share of each tree's values that is added, in (0, 1].
#' @param bins Number of bins per feature, 2 to 255. A feature with more distinct values is
#'   cut at quantiles of the training documents, each of which counts by its weight.
#' @param min_documents The fewest documents of a leaf. If all weights of queries are whole
#'   numbers, a document counts as often as its weight says: weights are counts. Other weights
#'   have no scale, and a document counts once. Documents of weight 0 never count. Counts that
#'   sum to 2^31 or more are weights, too.
#' @param feature_share,document_share Shares of the features and of the documents that the
#'   search for splits of a tree sees, in (0, 1], drawn anew for each tree. Documents are drawn by
#'   the id of their query, their features and their grade. So the order of the training rows does
#'   not matter.
#' @param query_share Share of the queries, with all their documents, that the search sees, in
#'   (0, 1], drawn anew for each tree by their ids: their order does not matter. Only one of
#'   `document_share` and `query_share` can be below 1.
#' @param monotone Features with which predictions must not fall, `1`, or not rise, `-1`: by
#'   their names, such as `c(bm25 = 1, length = -1)`, or a number for each feature, 0 for those
#'   that are free.
#' @param precision Precision of the residuals: `"single"` keeps about 2^36 units for the sum
#'   of their magnitudes, 18 bits for the average one of 240,000 documents; `"double"` keeps
#'   doubles, and searches splits with 26 bits. Of other objectives it is that of the sums that
#'   the search for splits sees: see the details.
#' @param objective What is learned: [squared()], [pairwise()], [softmax()], [list_mle()],
#'   [smooth()], [lambda()], [xendcg()], [query_rmse()], [ordinal()] or [custom_objective()].
#' @param l2 What is added to the curvature of a leaf, 0 or more: larger makes smaller steps,
#'   above all of leaves with few documents.
#' @param growth How trees grow: `"leaves"`, leaf by leaf, the best split first, or
#'   `"oblivious"`, level by level with one test for all leaves, up to `depth` levels, 1 to 10,
#'   by default 6. See the section on oblivious trees.
#' @param dropout The chance that a tree is left out while the next one is grown, in \[0, 1),
#'   drawn anew for each of them in each round (DART).
#' @param ... Must be empty.
#'
#' @details The model is \eqn{F(x) = \bar y + s \sum_t h_t(x)}{F(x) = mean(y) + step sum_t
#'   h_t(x)}. Tree t is grown on the residuals \eqn{r_i = y_i - F(x_i)}; a leaf is split where
#'   that lowers the weighted squared error most, \eqn{G_L^2 / W_L + G_R^2 / W_R - G^2 / W}{
#'   GL^2 / WL + GR^2 / WR - G^2 / W}, with the sums G of the weighted residuals and W of
#'   weights of its sides. The value of a leaf is the mean residual of all its documents, in
#'   single precision rounded so that a step is a whole number of units. Sums of rounded
#'   residuals are exact: models are the same, bit for bit, for any number of threads.
#'   With whole weights of queries a document is kept once and counts as often as its weight
#'   says in every sum: the model is that of so many copies, bit for bit. With other weights,
#'   residuals are doubles in either precision, and the search rounds
#'   them to units of 2^-30 of the sum of their magnitudes. Training
#'   stops early, with status `"stalled"`, where nothing can be split. Memory: up to two bytes
#'   for each feature and document; while the bins are made, 16 bytes a document and thread,
#'   then 24 bytes a document, with weights or in double precision up to 40, and for a moment,
#'   where there are 4 million bins or more, 24 besides.
#'
#'   Of another objective, or with `l2`, tree t is grown on the slopes \eqn{g_i}{g_i} and
#'   curvatures \eqn{h_i}{h_i} of the objective by the scores \eqn{F(x_i)}{F(x_i)}: with their
#'   sums G and H a leaf is split where \eqn{G_L^2 / (H_L + \lambda) + G_R^2 / (H_R + \lambda) -
#'   G^2 / (H + \lambda)}{GL^2 / (HL + l2) + GR^2 / (HR + l2) - G^2 / (H + l2)} is largest,
#'   \eqn{\lambda}{lambda} being `l2`, and its value is the Newton step \eqn{-G / (H +
#'   \lambda)}{-G / (H + l2)}; without curvature it is 0. Scores start at the best constant, 0
#'   where any is as good. Values of leaves are those of the unrounded sums. The search for
#'   splits adds up rounded slopes and curvatures: in single precision as whole numbers of 64
#'   bits for both together with the number of documents, 23 bits for slopes with their signs and
#'   as many for curvatures of 240,000 documents, 25 of 16,000. They are rounded up or down at
#'   random so that means stay as they are, drawn by the round and the features of a document:
#'   neither the seed nor the order of rows nor the number of threads matters. Of more than 2
#'   million documents, or where a curvature is negative, slopes are rounded to units of 2^-30 of
#'   the sum of their magnitudes and curvatures to 2^-30 of theirs, which takes more time; in
#'   double precision always so, slopes much finer.
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
#'   With `dropout` tree t is grown on the residuals, or slopes, of the model without the k
#'   trees that are left out. It counts \eqn{s / (k + s)}{step / (k + step)} times, s being the
#'   step, and what those count for is multiplied by \eqn{k / (k + s)}{k / (k + step)}, which
#'   is the normalisation "tree" of XGBoost; with k = 0 the tree counts `step` times. So trees
#'   count for less as others come: the model after r rounds is the one that would have been
#'   trained with `trees = r`, each tree counting for what it did then, and this is what
#'   `predict(rounds = )` predicts, what validation data choose of, and what a checkpoint goes
#'   on from. Residuals are doubles in either precision. To look at a metric after several
#'   numbers of rounds costs as much as predictions of as many models; a round costs a prediction
#'   of the training documents by the trees that it leaves out, twice.
#'
#' @section Oblivious trees:
#' Each level of an oblivious tree asks the same of all documents: whether one feature is at or
#' below one threshold, and on which side a missing value is. It is the test for which the
#' gains of the leaves, as above, sum to most; ties go to the lower feature, then to the lower
#' threshold, then to missing values on the right. A tree ends before `depth` levels where no
#' test gains. It has up to 2^depth leaves; `leaves` is not of such trees.
#'
#' A leaf takes part in a level where both of its sides have `min_documents` documents.
#' Otherwise the test gains nothing there, the leaf stays whole, and the next level tries
#' again. So each leaf has at least `min_documents` of the documents that the search saw, none
#' is empty, and a new document that the tests lead to where there was none is in the leaf that
#' stayed whole.
#'
#' As many as 32 bins will do for such trees, and take less time than 255. Memory besides that
#' above: 8 bytes for each bin of all features and each leaf that the last level parts, 16
#' unless it is least squares of documents of the same weight; at most 12 MB or a sixteenth of
#' what the bins take.
#'
#' @return A value of class `rankmix_gbrt`, a specification. [fit()] makes a ranker of it, for
#'   [predict()] and [evaluate()].
#' @references Friedman (2001). Greedy function approximation: a gradient boosting machine.
#'   \doi{10.1214/aos/1013203451}
#'
#'   Gulin, Kuralenok and Pavlov (2011). Winning the transfer learning track of Yahoo!'s learning
#'   to rank challenge with YetiRank. \url{https://proceedings.mlr.press/v14/gulin11a.html}
#'
#'   Chen and Guestrin (2016). XGBoost: a scalable tree boosting system.
#'   \doi{10.1145/2939672.2939785}
#'
#'   Vinayak and Gilad-Bachrach (2015). DART: dropouts meet multiple additive regression trees.
#'   AISTATS, <https://proceedings.mlr.press/v38/korlakaivinayak15.html>.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(trees = 50, leaves = 8), train, threads = 1)
#' head(predict(model, train))
#' @export
gbrt <- function(trees = 500, leaves = NULL, depth = NULL, step = 0.1, bins = 255,
                 min_documents = 20, feature_share = 1, document_share = 1,
                 precision = "single", objective = squared(), l2 = 0, growth = "leaves",
                 query_share = 1, monotone = NULL, dropout = 0, ...) {
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
                           is.null(spec$depth) || !identical(spec$leaves, 2^spec$depth)
                         }),
      depth = parameter(null_or(a_count(max = 16)), show = function(spec) {
        !is_oblivious(spec) || spec$depth != oblivious_depth
      }),
      step = parameter(a_share, show = "always", tune = c(0.05, 0.1, 0.2)),
      bins = parameter(a_count(min = 2, max = 255)),
      min_documents = parameter(a_count(max = 1e9)),
      feature_share = parameter(a_share), document_share = parameter(a_share),
      precision = parameter(a_choice("single", "double")),
      objective = parameter(an_objective("squared", "pairwise", "softmax", "list_mle", "smooth",
                                         "lambda", "xendcg", "query_rmse", "ordinal", "custom",
                                         takes = "unbiased")),
      l2 = parameter(a_number(0, Inf)),
      growth = parameter(a_choice("leaves", "oblivious")), query_share = parameter(a_share),
      monotone = parameter(null_or(monotone_signs)),
      dropout = parameter(a_share_below_1)
    ),
    traits = function(spec) {
      c("rounds", "resumable", "validation", "missing", "weights", "sparse", "random",
        if (is.null(spec) || spec$objective$name == "squared") "regression",
        if (!is.null(spec) && spec$objective$name == "lambda") "pairs")
    },
    rounds = "trees",
    complete = function(spec, call) {
      if (spec$document_share < 1 && spec$query_share < 1) {
        stop_input("argument", "Both `document_share` and `query_share` are below 1.",
                   remedy = "Draw documents or whole queries: leave one of them out.",
                   call = call)
      }
      if (is_oblivious(spec)) return(complete_oblivious(spec, call))
      if (is.null(spec$leaves)) spec$leaves <- leaves_of_depth(spec$depth)
      spec
    },
    given = function(spec) {
      if (is_oblivious(spec)) {
        if (spec$depth == oblivious_depth) spec["depth"] <- list(NULL)
      } else if (spec$leaves == leaves_of_depth(spec$depth)) {
        spec["leaves"] <- list(NULL)
      }
      unclass(spec)
    },
    lacks = function(spec) if (is_oblivious(spec)) "leaves" else character(),
    variant = lambdamart_variant,
    train = function(spec, task) grow_gbrt(spec, task),
    small = list(trees = 8, leaves = 4, min_documents = 1),
    # Weights that are no counts are rounded. Objectives sum up other numbers.
    tolerance = c(twice = 1e-6, zero = 1e-12)
  )
}

leaves_of_depth <- function(depth) if (is.null(depth)) 31 else 2^depth

# What the core is to know of the specification, and of the data it is for.
gbrt_settings <- function(spec, task) {
  settings <- unclass(spec)
  data <- task$data
  settings$own_bins <- task$own_bins
  settings$counts <- document_counts(data)
  settings$monotone <- signs_of_features(spec$monotone, data$features, task$call)
  if (spec$query_share < 1) {
    settings$query <- data$query
    settings$query_ids <- id_text(data$query_ids)
  }
  if (spec$document_share < 1) settings <- c(settings, drawing_settings(task))
  settings
}

# Grows up to the trees of the specification, on top of those of the model `from`. Fails
# where that was trained on other data.
grow_gbrt <- function(spec, task, from = task$checkpoint$model) {
  done <- if (is.null(from)) 0L else rounds_used(from)
  grow_rounds(gbrt_grower(spec, task, from = from), spec$trees, done, task$checkpoint, task$watch)
}

# `start` makes the fit in the core, of a ranker whose models are of class `class`.
gbrt_grower <- function(spec, task, from = NULL, start = start_gbrt, class = NULL) {
  if (!is.null(from)) {
    check_features_of_model(from, task$data, task$checkpoint, task$call)
  }
  weights <- boosting_weights(task)
  bins <- task$bins(spec)
  digest <- training_digest(bins, as.integer(task$data$relevance), weights, task$threads)
  trees <- start(spec, task, bins, weights)
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
      class = c(class, "rankmix_gbrt_model", "rankmix_ranker")
    )
  }
  run <- function(wanted) {
    gbrt_run(trees, as.integer(wanted), as.integer(spec$trees), task$threads, task$progress)
  }
  if (drops_trees(spec)) {
    # What trees count for changes from look to look.
    return(list(fit = trees, run = run, hold = identity, model = model, scores = function(x, rounds) {
      model <- model()
      sum_scores(model, discriminant_slice(discriminants(model, x, rounds, task$threads), 1L))
    }))
  }
  constant <- gbrt_model(trees)$start
  list(
    fit = trees,
    run = run,
    scores = function(held, rounds) {
      constant + gbrt_look(trees, held, rounds, task$threads)[, 1L]
    },
    model = model
  )
}

drops_trees <- function(spec) isTRUE(.subset2(spec, "dropout") > 0)

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
  of_queries <- identical(task$weights, row_weights(task$data))
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
  length(.subset2(model, "forest")$round_begin) - 1L
}

#' @export
round_weights.rankmix_gbrt_model <- function(model) {
  spec <- unclass(.subset2(model, "spec"))
  if (!drops_trees(spec)) {
    return(rep(spec$step, rounds_used(model)))
  }
  gbrt_weights(spec, model$seed, rounds_used(model))
}

#' @export
discriminants.rankmix_gbrt_model <- function(model, x, rounds, threads) {
  if (drops_trees(model$spec)) {
    stages <- up_to_rounds(rounds, rounds_used(model))
    f <- vapply(stages, function(stage) {
      model <- first_rounds(model, stage)
      forest_predict(model$forest, round_weights(model), x, stage, threads)[, 1L, 1L]
    }, numeric(nrow(x)))
    return(array(f, c(nrow(x), 1L, length(stages))))
  }
  forest_discriminants(model, x, rounds, threads)
}

#' @export
core_part.rankmix_gbrt_model <- function(model) {
  if (!drops_trees(.subset2(model, "spec"))) {
    list(forest = .subset2(model, "forest"), weights = round_weights(model))
  }
}

#' @export
sum_scores.rankmix_gbrt_model <- function(model, f, rounds) {
  model$start + f[, 1L]
}

#' Predict with boosted rankers
#'
#' @param object A model of [gbrt()], [yetirank()], [adarank()] or [rankboost()], trained by
#'   [fit()].
#' @param newdata As in [predict.rankmix_classifier()].
#' @param type `"score"` or `"rank"`.
#' @param rounds How many trees, or rounds, to use; by default those that [fit()] chose. Several
#'   numbers give predictions after each of them, in one pass over the model.
#' @param threads Number of threads; results do not depend on it.
#' @param ... Must be empty.
#'
#' @return For `"score"` of [gbrt()] the predicted grade of each document, or what its objective
#'   makes of the score, of the others the sum of the rounds, which has no unit; for `"rank"`
#'   the rank within the query, 1 for the best, ties in row order. If `rounds` has several
#'   numbers, a matrix with a column for each, which they name.
#' @section Conditions: As in [predict.rankmix_classifier()].
#' @export
predict.rankmix_gbrt_model <- function(object, newdata, type = c("score", "rank"),
                                       rounds = object$best_rounds, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  type <- check_choice(type[1L], "type", c("score", "rank"))
  threads <- check_threads(threads)
  asking_model(object, {
    x <- match_features(newdata, object, threads)
    call <- rlang::current_env()
    predict_stages(object, x, rounds, threads, function(f, rounds) {
      scores <- sum_scores(object, f, rounds)
      if (type == "rank") rank_within_queries(scores, newdata, call, object) else scores
    })
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
