#' Gradient boosted regression trees
#'
#' Specifies a pointwise ranker: the relevance grade is regressed on the features with
#' squared error. To be trained by [fit()].
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
#' @param precision Precision of the residuals: `"single"` keeps about 2^36 units for the sum
#'   of their magnitudes, 18 bits for the average one of 240,000 documents; `"double"` keeps
#'   doubles, and searches splits with 26 bits.
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
#' @return A value of class `rankmix_gbrt`, a specification. [fit()] makes a ranker of it, for
#'   [predict()] and [evaluate()].
#' @references Friedman (2001). Greedy function approximation: a gradient boosting machine.
#'   \doi{10.1214/aos/1013203451}
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(trees = 50, leaves = 8), train, threads = 1)
#' head(predict(model, train))
#' @export
gbrt <- function(trees = 500, leaves = NULL, depth = NULL, step = 0.1, bins = 255,
                 min_documents = 20, feature_share = 1, document_share = 1,
                 precision = "single", ...) {
  check_no_others(...)
  check_count(trees, "trees", max = 1e6)
  if (!is.null(depth)) {
    check_count(depth, "depth", max = 16)
  }
  if (is.null(leaves)) {
    leaves <- if (is.null(depth)) 31 else 2^depth
  }
  check_count(leaves, "leaves", min = 2, max = 65536)
  check_number(step, "step", 0, 1, open_min = TRUE)
  check_count(bins, "bins", min = 2, max = 255)
  check_count(min_documents, "min_documents", max = 1e9)
  check_number(feature_share, "feature_share", 0, 1, open_min = TRUE)
  check_number(document_share, "document_share", 0, 1, open_min = TRUE)
  check_choice(precision, "precision", c("single", "double"))
  structure(list(rounds = trees, leaves = leaves, depth = depth, step = step, bins = bins,
                 min_documents = min_documents, feature_share = feature_share,
                 document_share = document_share, precision = precision),
            class = "rankmix_gbrt")
}

#' @export
format.rankmix_gbrt <- function(x, ...) {
  defaults <- formals(gbrt)
  shape <- if (!is.null(x$depth) && x$leaves == 2^x$depth) {
    sprintf("depth = %s", plain_number(x$depth))
  } else {
    c(sprintf("leaves = %s", plain_number(x$leaves)),
      if (!is.null(x$depth)) sprintf("depth = %s", plain_number(x$depth)))
  }
  others <- c("bins", "min_documents", "feature_share", "document_share", "precision")
  changed <- others[vapply(others, function(name) x[[name]] != defaults[[name]], NA)]
  sprintf("gbrt(%s)", paste(c(
    sprintf("trees = %s", plain_number(x$rounds)), shape,
    sprintf("step = %s", plain_number(x$step)),
    vapply(changed, function(name) sprintf("%s = %s", name, show_value(x[[name]])), "")
  ), collapse = ", "))
}

#' @export
print.rankmix_gbrt <- function(x, ...) {
  say("<specification> ", format(x))
  invisible(x)
}

#' Train gradient boosted regression trees
#'
#' @param object What [gbrt()] specifies.
#' @param data,validation,metric,threads,verbose As in [fit.rankmix_classifier_spec()].
#' @param seed A whole number; `NULL` draws one with R's generator. Only shares below 1 use
#'   it.
#' @param patience As in [fit.rankmix_classifier_spec()].
#' @param ... Must be empty.
#'
#' @return A ranker: plain R data that `saveRDS()` can keep. [tidy()] tells the importance of
#'   its features.
#' @section Conditions: As in [fit.rankmix_classifier_spec()].
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' fit(gbrt(trees = 100, depth = 3), train, validation = valid, threads = 1)
#' @export
fit.rankmix_gbrt <- function(object, data, validation = NULL, metric = ndcg(10),
                             seed = NULL, threads = NULL, verbose = TRUE,
                             patience = NULL, ...) {
  check_no_others(...)
  check_given(missing(data), "data")
  check_patience(patience, validation)
  seed <- check_seed(seed)
  fit_classifier(object, data, validation, metric, threads, verbose,
                 function(bins, classes, threads, progress, watch) {
                   grow_gbrt(object, data, bins, seed, threads, progress, watch)
                 }, patience)
}

#' @export
fit.rankmix_gbrt_model <- function(object, ...) {
  stop_input("argument", "A model of `gbrt()` cannot be trained further.",
             remedy = "Train `gbrt()` with as many trees as you want.")
}

grow_gbrt <- function(spec, data, bins, seed, threads, progress, watch) {
  trees <- gbrt_start(bins, as.double(data$relevance), as.double(row_weights(data)),
                      unclass(spec), seed, threads)
  model <- function() {
    structure(
      c(list(spec = spec), schema_of(data), gbrt_model(trees), list(seed = seed)),
      class = c("rankmix_gbrt_model", "rankmix_ranker")
    )
  }
  grow_rounds(function(wanted) {
    gbrt_run(trees, as.integer(wanted), as.integer(spec$rounds), threads, progress)
  }, model, spec$rounds, 0L, NULL, watch)
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

#' Predict with gradient boosted regression trees
#'
#' @param object A model of [gbrt()], trained by [fit()].
#' @param newdata As in [predict.rankmix_classifier()].
#' @param type `"score"` or `"rank"`.
#' @param rounds How many trees to use; by default those that [fit()] chose. Several
#'   numbers give predictions after each of them, in one pass over the model.
#' @param threads Number of threads; results do not depend on it.
#' @param ... Must be empty.
#'
#' @return For `"score"` the predicted grade of each document, for `"rank"` the rank within
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

#' @export
print.rankmix_gbrt_model <- function(x, ...) {
  say("<ranker> ", format(x$spec))
  say(sprintf("%d trees (%s), %d features", rounds_used(x), x$status,
              length(x$features)))
  print_best(x)
  invisible(x)
}
