# The generics that the package has methods for, and the pages on which help on them begins.

#' Train a ranker
#'
#' `fit(spec, data)` trains what a specification describes. All methods take training data made
#' by [ranking_data()] or [read_letor()]; those that are tuned take held-out data as
#' `validation` and a `metric`, and choose by it.
#'
#' | specification | what it trains | validation data choose |
#' |---|---|---|
#' | [adaboost_mh()] | a boosted classifier of the grades | the number of rounds |
#' | [gbrt()] | gradient boosted regression trees | the number of trees |
#' | [yetirank()] | oblivious trees on pairs of perturbed rankings | the number of trees |
#' | [adarank()], [rankboost()] | features, or thresholds of them, boosted by a metric or on pairs | the number of rounds |
#' | [mcsvm()] | a multi-class support vector machine | the cost, of several |
#' | [linear()] | a weighted sum of the features | the penalty, of several |
#' | [cocr()] | regressions of whether the grade is at least k | what they do of its base, and the cost, of several |
#' | [ranksvm()] | a linear ranking support vector machine | the cost, of several |
#' | [network()], [ranknet()], [listnet()] | a network | the number of epochs |
#' | [coordinate_ascent()] | weights by the metric itself | the restart |
#' | [m5p()] | a regression tree with linear models | the smallest node that is split, of several |
#' | [bagging()] | the mean of regressions on samples | what its base has to choose |
#' | [smoothrank()] | weights by a smooth metric | the penalty, of several |
#' | [best_feature()] | the ranker by a single feature | nothing |
#' | [mixture()] | rankers, calibrated and mixed | calibrators, weights, the number of rounds |
#' | a model of [adaboost_mh()], [gbrt()], [yetirank()], [adarank()] or [rankboost()] | more rounds | the number of rounds |
#' | [prob_fuse()] and others | a fusion of runs, see [learned_fusion] | nothing |
#'
#' [fit.rankmix_spec()] has the arguments, which all of them share.
#'
#' @param object What is to be trained.
#' @param ... Data and options, as the method takes them.
#' @return A ranker, for [predict()], [evaluate()] and [autoplot].
#' @seealso [rankers] for all ways to a ranker.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' fit(gbrt(trees = 100), train, validation = valid, metric = ndcg(10), threads = 1)
#' @name fit
#' @usage fit(object, ...)
#' @importFrom generics fit
#' @export fit
NULL

#' Models as data frames
#'
#' `tidy()` gives the parts of a model, a row each; `glance()` one row of the whole; `augment()`
#' the documents with their scores.
#'
#' | of | `tidy()` | `glance()` | `coef()` |
#' |---|---|---|---|
#' | [adaboost_mh()], [gbrt()], [rankboost()] | importance of features | rounds, status, held-out metric | |
#' | [adarank()] | weights | rounds, status, metrics | weights |
#' | [mcsvm()] | weights | objective, gap, steps | weights as a matrix |
#' | [linear()] | weights | penalty, degrees of freedom | weights |
#' | [network()] | size of the weights of features | epochs, status, objective, held-out metric | |
#' | [best_feature()] | the metric of each feature | the best | |
#' | [mixture()], [tune_and_mix()], [mix()] | members | c, held-out metric, size | weights of members |
#' | [pair_chain()] | rankers | pairs, error | |
#' | [calibrate()] | reliability | calibrator | |
#' | [learned_fusion] | worth of places | | |
#' | [explain()] | importance of features | | |
#' | [compare_rankers()] | pairs | | |
#' | [benchmark_rankers()] | folds | | |
#' | [compare_over_datasets()] | ranks | | |
#'
#' `augment()` takes any ranker, see [augment.rankmix_ranker()]; `summary()` of a model prints
#' what `glance()` and `tidy()` have, and [update()] changes a specification.
#'
#' @param x A model, or what a comparison gave.
#' @param ... As the method takes it.
#' @return A data frame.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(trees = 20), train, threads = 1)
#' head(tidy(model))
#' glance(model)
#' @name tidy
#' @aliases glance augment
#' @usage
#' tidy(x, ...)
#' glance(x, ...)
#' augment(x, ...)
#' @importFrom generics tidy
#' @importFrom generics glance
#' @importFrom generics augment
#' @export tidy
#' @export glance
#' @export augment
NULL

# Who gives the data first means fit(spec, data).
#' @export
fit.ranking_data <- function(object, ...) {
  stop_input("argument", "`fit()` takes what is to be trained first, then the data.",
             remedy = "Write `fit(spec, data)`, such as `fit(gbrt(), data)`.")
}

#' @export
fit.data.frame <- function(object, ...) {
  stop_input("argument", "`fit()` takes what is to be trained first, then the data.",
             remedy = paste("Write `fit(spec, data)`, such as `fit(gbrt(), data)`, with data made",
                            "by `ranking_data()`."))
}

#' @export
fit.function <- function(object, ...) {
  written <- rlang::as_label(substitute(object))
  stop_input("argument", "`fit()` takes a specification, not the function that makes it.",
             remedy = sprintf("Write `fit(%s(), data)`.",
                              if (grepl("^[a-z_]+$", written)) written else "gbrt"))
}

# Of nothing, or of a name that a list lacks.
#' @export
fit.NULL <- function(object, ...) {
  stop_input("argument", "`fit()` was not given what is to be trained.",
             remedy = "Write `fit(spec, data)`, such as `fit(gbrt(), data)`.")
}

# What else is given in place of a specification. There is no method for all other classes: those
# of other packages have methods of their own, or will have them.
refuse_to_fit <- function(object, ...) {
  stop_input("argument", sprintf("`fit()` takes a specification, not %s.", show_value(object)),
             remedy = "Write `fit(spec, data)`, such as `fit(gbrt(), data)`.",
             call = rlang::caller_env())
}

#' @export
fit.character <- function(object, ...) refuse_to_fit(object)

#' @export
fit.numeric <- function(object, ...) refuse_to_fit(object)

#' @export
fit.logical <- function(object, ...) refuse_to_fit(object)

#' @export
fit.list <- function(object, ...) refuse_to_fit(object)

# explain() of what is no model.
refuse_to_explain <- function(x, ...) {
  stop_input("argument", sprintf("`explain()` takes a fitted ranker, not %s.", show_value(x)),
             remedy = "Write `explain(model, data)`, with a model that `fit()` gave.",
             call = rlang::caller_env())
}

#' @export
explain.NULL <- function(x, ...) refuse_to_explain(x)

#' @export
explain.character <- function(x, ...) refuse_to_explain(x)

#' @export
explain.numeric <- function(x, ...) refuse_to_explain(x)

#' @export
explain.logical <- function(x, ...) refuse_to_explain(x)

#' @export
explain.data.frame <- function(x, ...) refuse_to_explain(x)

#' @export
explain.function <- function(x, ...) refuse_to_explain(x)

#' @export
explain.ranking_data <- function(x, ...) refuse_to_explain(x)

# What has no method of a generic, of the classes of this package. The classes of other packages are
# theirs to answer.
classes_to_refuse <- c("ranking_data", "rankmix_spec", "rankmix_ranker", "rankmix_evaluation",
                       "rankmix_comparison", "rankmix_benchmark", "rankmix_pair", "rankmix_folds",
                       "rankmix_split", "rankmix_run", "rankmix_qrels", "rankmix_metric",
                       "rankmix_calibrator", "rankmix_confusion", "rankmix_shap")
remedies_of_generics <- c(
  fit = "Write `fit(spec, data)`, such as `fit(gbrt(), data)`.",
  predict = "Write `predict(model, data)`, with a model that `fit()` gave.",
  explain = "Write `explain(model, data)`, with a model that `fit()` gave.",
  augment = "Write `augment(model, data)`, with a model that `fit()` gave.",
  tidy = "`?tidy` lists what has a method.",
  glance = "`?tidy` lists what has a method.",
  coef = "`?tidy` lists what has coefficients.",
  plot = "`?autoplot` lists what has a plot."
)

# Registers an error of the package for each such class and generic, where there is no method.
refuse_other_classes <- function(namespace) {
  for (generic in names(remedies_of_generics)) {
    refuse <- local({
      name <- generic
      function(object, ...) {
        stop_input("argument", sprintf("`%s()` has no method for %s.", name, show_value(object)),
                   remedy = remedies_of_generics[[name]], call = rlang::caller_env())
      }
    })
    for (class in classes_to_refuse) {
      if (is.null(utils::getS3method(generic, class, optional = TRUE, envir = namespace))) {
        registerS3method(generic, class, refuse, envir = namespace)
      }
    }
  }
}
