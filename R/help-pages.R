# Overview help pages: plots, metrics, rankers and predictions.

#' Rank documents with a model
#'
#' `predict(model, newdata)` returns a score for each document, in row order. A higher score means more
#' relevant. With `type = "rank"` it returns the rank within the query. `newdata` is ranking data (also
#' without grades), a matrix or a data frame with the model's features.
#'
#' For boosted models and networks, `rounds` is the number of rounds or epochs after which to predict. `rounds`
#' may be several numbers.
#'
#' | model | more values of `type`; details |
#' |---|---|
#' | [adaboost_mh()], [mcsvm()] | [predict.rankmix_classifier()] |
#' | [gbrt()], [yetirank()] | [predict.rankmix_gbrt_model()] |
#' | [adarank()], [rankboost()] | [predict.rankmix_gbrt_model()] |
#' | [cocr()] | [predict.rankmix_cocr_model()] |
#' | [network_ranker()] | [predict.rankmix_network_model()] |
#' | [bagging()] | [predict.rankmix_bagging_model()] |
#' | [cascade()] | [predict.rankmix_cascade_model()] |
#' | [smoothrank()] | [predict.rankmix_smoothrank_model()] |
#' | [linear_ranker()], [ranksvm()] | none |
#' | [coordinate_ascent()] | none |
#' | [m5p()], [best_feature()] | none |
#' | [new_ranker()] | for classifiers as [mcsvm()] |
#' | [calibrate()] | `"prob"` |
#' | [mixture()], [tune_and_mix()] | [predict.rankmix_mixture()] |
#' | [mix()] | `"member"` |
#' | [learned_fusion] | `newdata` is runs |
#' | [pair_chain()] | none |
#' | [simulate_ranking()] | `"prob"`, for the `truth` of the simulation |
#' | [kernel_features()] | returns data |
#'
#' [adaboost_mh()] and [mcsvm()] add the types `"prob"`, `"raw"` and `"label"`. [cocr()] adds `"label"`,
#' `"level"`, `"cumulative"`, `"prob"` and `"raw"`. Mixtures add `"member"`.
#'
#' **Probabilities.** `type = "prob"` gives probabilities of grades for classifiers. For other rankers,
#' call [calibrate()] with [calibrator_probability()] first. Then `type = "prob"` gives the probability
#' that a document is relevant.
#'
#' @param object The model.
#' @param newdata The ranking data, matrix, data frame or [data_source()] to score.
#' @param type The result: `"score"` (the default) or `"rank"`, which needs the queries of `newdata`.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#' @return Numbers in the order of the rows of `newdata`.
#' @seealso [augment()], which adds scores and ranks to the data; [evaluate()].
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(trees = 50), train, threads = 1)
#' head(predict(model, test))
#' head(predict(model, test, type = "rank"))
#' @rdname predict
#' @aliases predict
#' @export
predict.rankmix_ranker <- function(object, newdata, type = c("score", "rank"), threads = NULL,
                                   ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  check_chosen(object)
  type <- check_score_type(type[1L], c("score", "rank"))
  threads <- check_threads(threads)
  if (is_source(newdata)) {
    return(predict_source(object, newdata, type, threads, function(data) {
      predict(object, data, type = if (type == "rank") "score" else type, threads = threads)
    }))
  }
  asking_model(object, {
    x <- match_features(newdata, object, threads)
    f <- discriminant_slice(discriminants(object, x, 1L, threads), 1L)
    scores <- sum_scores(object, f, 1L)
    if (type == "score") scores else rank_within_queries(scores, newdata, model = object)
  })
}

#' Plots of the package
#'
#' `autoplot()` returns a ggplot, to which you can add layers and themes. [plot()] draws it. The second
#' argument, `type`, chooses the plot. The function is [ggplot2::autoplot()], available without
#' attaching ggplot2.
#'
#' | help page | shows, or values of `type` |
#' |---|---|
#' | [autoplot.ranking_data()] | lengths and grades |
#' | [autoplot.rankmix_adaboost_mh_model()] | `"rounds"`, `"importance"` |
#' | [autoplot.rankmix_adarank_model()] | `"rounds"`, `"weights"` |
#' | [autoplot.rankmix_rankboost_model()] | `"rounds"`, `"importance"` |
#' | [autoplot.rankmix_network_model()] | metric by epoch |
#' | [autoplot.rankmix_mcsvm_model()] | weights; metric by cost |
#' | [autoplot.rankmix_ascent_model()] | metric by sweep |
#' | [autoplot.rankmix_cocr_model()] | features by subproblem |
#' | [autoplot.rankmix_smoothrank_model()] | `"stages"`, `"weights"` |
#' | [autoplot.rankmix_linear_model()] | weights; metric by penalty |
#' | [autoplot.rankmix_m5p_model()] | `"tree"`, `"importance"` |
#' | [autoplot.rankmix_bagging_model()] | `"importance"`, `"members"` |
#' | [autoplot.rankmix_confusion()] | the matrix |
#' | [autoplot.rankmix_best_feature_model()] | metric of each feature |
#' | [autoplot.rankmix_shap()] | `"beeswarm"` and others |
#' | [autoplot.rankmix_pair()] | steps between two scores |
#' | [autoplot.rankmix_permutation()] | loss of the metric |
#' | [autoplot.rankmix_dependence()] | mean score by value |
#' | [autoplot.rankmix_calibrated()] | reliability, sigmoid |
#' | [autoplot.rankmix_calibration_error()] | probabilities, relevance |
#' | [autoplot.rankmix_probability_model()] | probabilities, relevance |
#' | [autoplot.rankmix_mixture()] | `"rankers"`, `"members"`, `"tuning"`, pairs |
#' | [autoplot.rankmix_evaluation()] | `"queries"`, `"means"` |
#' | [autoplot.rankmix_comparison()] | `"differences"` and others |
#' | [autoplot.rankmix_drift()] | `"features"`, `"bins"`, `"scores"` |
#' | [autoplot.rankmix_equivalence()] | differences, margin |
#' | [autoplot.rankmix_model_change()] | `"queries"`, `"changed"`, `"features"` |
#' | [autoplot.rankmix_query_report()] | `"queries"`, `"groups"` |
#' | [autoplot.rankmix_risk()] | mean, risk |
#' | [autoplot.rankmix_cut()] | precision, recall or NDCG by threshold |
#' | [autoplot.rankmix_judgement_bounds()] | bounds of differences |
#' | [autoplot.rankmix_leave_out()] | changes without own judgements |
#' | [autoplot.rankmix_queries_needed()] | power by queries |
#' | [autoplot.rankmix_ppi()] | means with intervals |
#' | [autoplot.rankmix_dawid_skene()] | confusion of assessors |
#' | [autoplot.rankmix_friedman()] | ranks, critical difference |
#' | [autoplot.rankmix_effects()] | differences by data set |
#' | [autoplot.rankmix_benchmark()] | `"folds"`, `"time"` |
#' | [autoplot.rankmix_learning_curve()] | metric by training queries |
#' | [autoplot.rankmix_tuning()] | metric by setting |
#' | [autoplot.rankmix_selection()] | loss by number of features |
#' | [autoplot.rankmix_front()] | means by two objectives |
#' | [autoplot.rankmix_cutoffs()] | metric by cut-off |
#' | [autoplot.rankmix_convention_report()] | metric by convention |
#' | [autoplot.rankmix_click_model()] | examination by position |
#' | [autoplot.rankmix_click_evaluation()] | estimates with intervals |
#'
#' These objects come from [ranking_data()], [fit()], [infer_confusion()], [explain()],
#' [explain_pair()], [permutation_importance()], [partial_dependence()], [calibrate()],
#' [tune_and_mix()], [mix()], [evaluate()], [compare_rankers()], [equivalence()],
#' [compare_models()], [drift()], [query_report()], [risk()], [cut_list()], [calibration_error()],
#' [judgement_bounds()], [leave_out_runs()], [queries_needed()],
#' [evaluate_ppi()], [dawid_skene()], [compare_over_datasets()], [click_model()], [evaluate_clicks()],
#' [benchmark_rankers()], [learning_curve()], [tune_ranker()], [select_features()], [pareto_front()],
#' [cutoff_curves()] and [convention_report()]. [gbrt()] and [yetirank()] have the same plot as
#' [adaboost_mh()]. [ranksvm()] has the same plot as [linear_ranker()].
#'
#' @param object The object to plot.
#' @param ... Arguments of the method.
#' @return A ggplot.
#' @seealso [report()], which writes a benchmark with its plots as a page.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' result <- evaluate(list(first = test$x[, 1], second = test$x[, 2]), test, metric_ndcg(10))
#' autoplot(result) + ggplot2::labs(title = "Two features")
#' @export
autoplot <- function(object, ...) {
  check_given(missing(object), "object",
              "Give a model, or what `evaluate()` and other functions gave.")
  rlang::check_installed("ggplot2", "to plot it")
  autoplot <- ggplot2::autoplot  # errors show the call by this name
  autoplot(object, ...)
}

#' Metrics of ranked lists
#'
#' A metric is an argument of [evaluate()], [fit()], [tune_and_mix()] and other functions. You can use its text instead,
#' such as `"ndcg@10"` (see [as_metric()]), or a list of metrics. Several cut-offs give a list.
#'
#' | metric and text | measures |
#' |---|---|
#' | [metric_ndcg()] `"ndcg@10"` | discounted gains over the ideal |
#' | [metric_mean_ndcg()] `"mean_ndcg@10"` | mean NDCG at cut-offs 1 to k |
#' | [metric_dcg()] `"dcg@10"` | discounted gains |
#' | [metric_err()] `"err@10"` | expected 1 / rank at which a user stops |
#' | [metric_average_precision()] `"map"` | mean precision at relevant ranks |
#' | [metric_precision()] `"p@10"` | relevant fraction of the top k |
#' | [metric_recall()] `"recall@100"` | fraction of relevant documents found |
#' | [metric_f_measure()] `"f1@10"` | harmonic mean of P and recall |
#' | [metric_success()] `"success@1"` | a relevant document in the top k |
#' | [metric_r_precision()] `"rprec"` | precision at rank R, for R relevant |
#' | [metric_reciprocal_rank()] `"mrr"` | 1 / rank of the first relevant |
#' | [metric_bpref()] `"bpref"` | relevant above judged irrelevant |
#' | [metric_rbp()] `"rbp"` | relevant, discounted by patience |
#' | [metric_judged()] `"judged@10"` | judged fraction of the top k |
#' | [metric_custom()] | your own function |
#'
#' [conventions] are the rules of evaluation tools; [convention_report()] shows their effect. Queries
#' without a relevant document have the value `empty`. See `vignette("metrics", "rankmix")`.
#'
#' @examples
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' summary(evaluate(test$x[, 1], test, c(metric_ndcg(c(1, 5, 10)), metric_err(), metric_precision(5))))
#' @name metrics
NULL

#' Rankers of the package
#'
#' A ranker scores documents. [evaluate()], [compare_rankers()] and [benchmark_rankers()] accept
#' rankers, functions, models of other packages, and plain scores. Start with [lambdamart()], and use
#' [linear_ranker()] as a baseline.
#'
#' | trained by [fit()] | learns |
#' |---|---|
#' | [lambdamart()] | boosted trees for a metric |
#' | [gbrt()] | boosted trees for grades or an objective |
#' | [adaboost_mh()] | boosted [base_learners]: grades as classes |
#' | [mcsvm()] | grades as classes, linear |
#' | [cocr()] | whether the grade is at least k, for each k |
#' | [yetirank()] | boosted oblivious trees on perturbed pairs |
#' | [adarank()] | weights of features, boosted for a metric |
#' | [rankboost()] | boosted thresholds of features, on pairs |
#' | [network_ranker()] | a neural network ([ranknet()], [listnet()]) |
#' | [coordinate_ascent()] | weights of features, to maximise a metric |
#' | [smoothrank()] | weights of features, to maximise a smooth metric |
#' | [linear_ranker()] | weights of features, for grades or a loss |
#' | [ranksvm()] | weights of features, on pairs |
#' | [m5p()] | one tree with linear models in its leaves |
#' | [bagging()] | its base ranker on samples of documents |
#' | [cascade()] | stages of rankers, each for the best documents of the stage before |
#' | [best_feature()] | the best single feature: a baseline |
#' | [mixture()] | calibrated rankers ([tune_and_mix()]) |
#' | [new_ranker()] | your own function |
#'
#' | not trained by [fit()] | learns |
#' |---|---|
#' | [calibrate()] | probabilities, from validation data |
#' | [mix()] | weights of rankers, from validation data |
#' | [fuse()] | nothing, or judged ranks ([learned_fusion]) |
#' | [aggregate_ranks()] | nothing: it combines ranks |
#' | [pair_chain()] | preferences, from validation grades |
#'
#' Trees and [best_feature()] use missing values directly. Other rankers fill them, see [missing_values].
#' Rankers that vote on grades need grades. Most others accept any relevance, and weights of documents,
#' see [ranking_data()].
#'
#' @eval contract_section()
#' @seealso [fit()], [predict], [autoplot] and [tidy()]; `vignette("get-started", "rankmix")`.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' rankers <- list(trees = fit(gbrt(trees = 50), train, threads = 1),
#'                 single = fit(best_feature(), train, threads = 1),
#'                 second = function(data) data$x[, 2])
#' summary(evaluate(rankers, test, metric_ndcg(10)))
#' @name rankers
NULL
