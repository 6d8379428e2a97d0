# The generics with methods in the package, and their overview help pages.

#' Train a ranker
#'
#' `fit(spec, data)` trains the ranker that a specification describes. Training data come from
#' [ranking_data()] or [read_letor()]. `validation` data and a `metric` choose settings.
#' [fit.rankmix_spec()] lists all arguments, which the methods share.
#'
#' | specification | validation data choose |
#' |---|---|
#' | [adaboost_mh()], [gbrt()], [yetirank()] | the number of rounds |
#' | [adarank()], [rankboost()] | the number of rounds |
#' | [network_ranker()], [ranknet()], [listnet()] | the number of epochs |
#' | [linear_ranker()], [smoothrank()] | the penalty |
#' | [mcsvm()], [ranksvm()] | the cost |
#' | [cocr()] | settings of its base ranker, and the cost |
#' | [coordinate_ascent()] | the restart |
#' | [m5p()] | the smallest node to split |
#' | [bagging()] | its base |
#' | [cascade()] | settings of its stages |
#' | [mixture()] | calibrators and weights |
#' | [best_feature()], [learned_fusion] | nothing |
#'
#' Penalties, costs and node sizes are chosen if you give several values. For [cocr()] and [bagging()] the
#' settings of the base ranker are chosen. A trained booster can be trained further.
#'
#' @param object The specification (or model) to train.
#' @param ... The data and options, see [fit.rankmix_spec()].
#' @return A ranker, for [predict()], [evaluate()] and [autoplot].
#' @seealso [rankers] for a list of all rankers.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' fit(gbrt(trees = 100), train, validation = valid, metric = metric_ndcg(10), threads = 1)
#' @name fit
#' @usage fit(object, ...)
#' @importFrom generics fit
#' @export fit
NULL

#' Models as data frames
#'
#' `tidy()` returns the parts of a model, one row each. `glance()` returns one row for the whole model.
#' `augment()` adds scores to the documents.
#'
#' | object | rows of `tidy()` |
#' |---|---|
#' | [adaboost_mh()], [gbrt()], [rankboost()], [yetirank()] | importance of features |
#' | [m5p()], [bagging()] | importance of features |
#' | [cocr()] | importance of features by grade |
#' | [adarank()], [linear_ranker()], [ranksvm()], [mcsvm()] | weights of features |
#' | [smoothrank()], [coordinate_ascent()] | weights of features |
#' | [network_ranker()] | norm of each feature's weights |
#' | [best_feature()] | metric of each feature |
#' | [mixture()], [tune_and_mix()], [mix()] | members |
#' | [pair_chain()] | rankers |
#' | [cascade()] | stages |
#' | [calibrate()] | reliability |
#' | [learned_fusion] | weights of ranks |
#' | [explain()] | importance of features |
#' | [rank_frame()] | the model and the best feature |
#' | [tune_ranker()] | candidates |
#' | [select_features()] | numbers of features |
#' | [pareto_front()] | mixtures |
#' | [distill()] | metrics |
#' | [compare_rankers()] | pairs; rankers, folds, queries by `what` |
#' | [equivalence()] | pairs |
#' | [judgement_bounds()] | pairs; queries by `what` |
#' | [leave_out_runs()] | runs |
#' | [queries_needed()] | the plan |
#' | [dawid_skene()] | assessors; `what = "documents"`: documents |
#' | [evaluate_ppi()] | rankers; `what = "pairs"`: pairs |
#' | [benchmark_rankers()] | folds |
#' | [compare_over_datasets()] | pairs |
#' | [variance_parts()] | pairs |
#' | [reliability()] | coefficients |
#' | [compare_models()] | measures; queries, features, metric by `what` |
#' | [drift()] | features; scores, bins, metric by `what` |
#' | [query_report()] | queries; groups, tests by `what` |
#' | [risk()] | rankers |
#' | [cut_list()] | thresholds |
#' | [calibration_error()] | bins; errors by `what` |
#' | [order_agreement()], [reproduction()] | measures |
#' | [ranking_agreement()] | queries |
#' | [click_model()] | parameters of positions |
#' | [evaluate_clicks()] | rankers; `what = "pairs"`: pairs |
#' | [interleaving_result()] | the preference |
#' | [assessor_agreement()] | the agreement |
#'
#' | object | rows of `augment()` |
#' |---|---|
#' | rankers, [rank_frame()] | documents with scores |
#' | [compare_rankers()] | queries and pairs with differences |
#' | [benchmark_rankers()] | queries, rankers and metrics |
#'
#' For results of [compare_rankers()] and [benchmark_rankers()] `glance()` has a row for each metric, see
#' [tidy.rankmix_comparison()]. For boosters and networks `glance()` returns the rounds, status and validation metric.
#' For mixtures it returns c, the validation metric and the size; for linear models the penalty or objective.
#'
#' `coef()` returns the weights of features for rankers whose `tidy()` returns them, and for [m5p()]. They are a matrix
#' for [mcsvm()] and [m5p()]. For mixtures it returns member weights. For rankers see [augment.rankmix_ranker()].
#' `summary()` of a ranker prints `glance()` and `tidy()`, `summary()` of most results returns `tidy()`. [update()]
#' changes a specification.
#'
#' @param x The model or comparison.
#' @param ... Arguments of the method.
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

# If the first argument is data, the user meant fit(spec, data).
#' @export
fit.ranking_data <- function(object, ...) {
  stop_input("argument", "`fit()` takes the specification first, then the data.",
             remedy = "Write `fit(spec, data)`, such as `fit(gbrt(), data)`.")
}

#' @export
fit.data.frame <- function(object, ...) {
  stop_input("argument", "`fit()` takes the specification first, then the data.",
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

# An error for fit(NULL), which can come from a misspelled list element.
#' @export
fit.NULL <- function(object, ...) {
  stop_input("argument", "`fit()` needs a specification or a model to train.",
             remedy = "Write `fit(spec, data)`, such as `fit(gbrt(), data)`.")
}

# Refuses other objects in place of a specification. There is no default method, because other packages
# have methods for their own classes.
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

# The call of lm() and of classifiers: the formula comes first, and the ranker is missing.
#' @export
fit.formula <- function(object, ...) {
  stop_input("argument", "`fit()` takes a specification, not a formula.",
             remedy = "Give the formula to `rank_frame()`: `rank_frame(grade ~ ., frame, query = session)`.")
}

#' @export
fit.list <- function(object, ...) refuse_to_fit(object)

# explain() of an object that is not a model.
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

# Verbs of dplyr that users try on ranking data. rankmix has no methods for them, so the error names the
# function to use instead.
refuse_verb <- function(verb, remedy) {
  stop_input("argument", sprintf("`%s()` has no method for ranking data.", verb),
             remedy = c(remedy, "Or change the data frame before `ranking_data()`."),
             call = rlang::call2(verb))
}

#' @rawNamespace S3method(dplyr::filter,ranking_data)
filter.ranking_data <- function(.data, ...) {
  refuse_verb("filter", "Take queries by `subset(data, relevant > 0)` or `data[ids]`.")
}

#' @rawNamespace S3method(dplyr::select,ranking_data)
select.ranking_data <- function(.data, ...) {
  refuse_verb("select", "Take features by `data[, names]` or `subset(data, select = -f3)`.")
}

#' @rawNamespace S3method(dplyr::mutate,ranking_data)
mutate.ranking_data <- function(.data, ...) {
  refuse_verb("mutate", "Take a data frame by `as.data.frame(data)`.")
}

# Classes of this package that get an error from a generic without a method. Classes of other packages
# are left to those packages.
classes_to_refuse <- c("ranking_data", "rankmix_spec", "rankmix_ranker", "rankmix_evaluation",
                       "rankmix_comparison", "rankmix_benchmark", "rankmix_pair", "rankmix_folds",
                       "rankmix_split", "rankmix_run", "rankmix_qrels", "rankmix_metric",
                       "rankmix_calibrator", "rankmix_confusion", "rankmix_shap", "rankmix_frame",
                       "rankmix_tuning", "rankmix_selection", "rankmix_front", "rankmix_distilled",
                       "rankmix_cut", "rankmix_drift", "rankmix_model_change", "rankmix_query_report",
                       "rankmix_provenance", "rankmix_permutation", "rankmix_dependence", "rankmix_cutoffs",
                       "rankmix_calibration_error", "rankmix_learning_curve", "rankmix_queries_needed",
                       "rankmix_equivalence", "rankmix_risk", "rankmix_reliability", "rankmix_effects",
                       "rankmix_friedman", "rankmix_variance", "rankmix_click_log", "rankmix_click_model",
                       "rankmix_click_evaluation", "rankmix_interleaving", "rankmix_dawid_skene",
                       "rankmix_assessor_agreement", "rankmix_ppi", "rankmix_judgement_bounds",
                       "rankmix_leave_out", "rankmix_order_agreement", "rankmix_reproduction",
                       "rankmix_ranking_agreement", "rankmix_paper_table", "rankmix_target_encoding")

# Results that contain a model, with a text that takes it out.
models_in_results <- c(rankmix_frame = "result$model", rankmix_tuning = "tuned$model",
                       rankmix_selection = "selected$model", rankmix_front = "front$model",
                       rankmix_distilled = "distilled$student", rankmix_cut = "cut$model")

# The remedy of a function that takes a model, if `x` contains one.
remedy_of_result <- function(x) {
  own <- intersect(class(x), names(models_in_results))
  if (length(own) > 0L) {
    c(sprintf("It contains a model: give `%s`.", models_in_results[[own]]),
      if (own == "rankmix_front") "`choose_point()` chooses a mixture.")
  }
}

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

# Registers an error method for each of these classes and each generic without a method.
refuse_other_classes <- function(namespace) {
  for (generic in names(remedies_of_generics)) {
    refuse <- refusing_method(generic)
    for (class in classes_to_refuse) {
      if (is.null(utils::getS3method(generic, class, optional = TRUE, envir = namespace))) {
        registerS3method(generic, class, refuse, envir = namespace)
      }
    }
  }
}

# summary() of a result returns its tidy(). The default method would list the parts of the object. Must be called before
# refuse_other_classes(), which registers tidy() for all classes.
summarise_results <- function(namespace) {
  has <- function(generic, class) !is.null(utils::getS3method(generic, class, optional = TRUE, envir = namespace))
  for (class in classes_to_refuse) {
    if (has("tidy", class) && !has("summary", class)) {
      registerS3method("summary", class, function(object, ...) tidy(object, ...), envir = namespace)
    }
  }
}

# The first argument has the name of the generic's first argument, as R CMD check requires.
refusing_method <- function(name) {
  refuse <- function(object) {
    if (inherits(object, "rankmix_spec") && name %in% c("predict", "augment")) {
      stop_input("argument", sprintf("`%s()` takes a model, not the specification of one.", name),
                 remedy = "Train it first: `fit(spec, data)`.", call = rlang::call2(name))
    }
    contained <- if (name %in% c("explain", "augment", "coef")) remedy_of_result(object)
    remedy <- if (name == "tidy" && is.data.frame(object)) "It is a data frame." else remedies_of_generics[[name]]
    stop_input("argument", sprintf("`%s()` has no method for %s.", name, show_value(object)),
               remedy = if (is.null(contained)) remedy else contained, call = rlang::caller_env(2L))
  }
  if (name %in% c("fit", "predict", "coef")) {
    function(object, ...) refuse(object)
  } else if (name == "plot") {
    function(x, y, ...) refuse(x)
  } else {
    function(x, ...) refuse(x)
  }
}
