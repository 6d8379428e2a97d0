# Pages where help begins: what there is of a kind.

#' Rank documents with a model
#'
#' `predict(model, newdata)` gives a score for each document in the order of the rows, higher
#' for more relevant; `type = "rank"` the rank within the query. `newdata` are ranking data (without
#' grades, too), a matrix or a data frame that has the features of the model.
#'
#' | model | `type` beside `"score"` and `"rank"` | details |
#' |---|---|---|
#' | of [adaboost_mh()], [mcsvm()] | `"prob"`, `"raw"`, `"label"` | [predict.rankmix_classifier()] |
#' | of [gbrt()], [yetirank()], [adarank()], [rankboost()] | | [predict.rankmix_gbrt_model()] |
#' | of [cocr()] | `"label"`, `"level"`, `"cumulative"`, `"prob"`, `"raw"` | [predict.rankmix_cocr_model()] |
#' | of [network()] | | [predict.rankmix_network_model()] |
#' | of [bagging()] | | [predict.rankmix_bagging_model()] |
#' | of [linear()], [ranksvm()], [coordinate_ascent()], [m5p()], [best_feature()] | | |
#' | of [smoothrank()] | | [predict.rankmix_smoothrank_model()] |
#' | of [new_ranker()] | of classifiers as of [mcsvm()] | [new_ranker()] |
#' | of [calibrate()] | `"prob"` | [calibrate()] |
#' | of [mixture()], [tune_and_mix()] | `"member"` | [predict.rankmix_mixture()] |
#' | of [mix()] | `"member"` | [mix()] |
#' | of a method of fusion | (takes runs) | [learned_fusion] |
#' | of [pair_chain()] | | [pair_chain()] |
#' | truth of [simulate_ranking()] | `"prob"` | [simulate_ranking()] |
#' | of [kernel_features()] | (gives data) | [kernel_features()] |
#'
#' `rounds` of a boosted model, or a network, gives predictions after so many rounds, or epochs,
#' several at once.
#'
#' @param object A model.
#' @param newdata Ranking data, a matrix or a data frame.
#' @param type What is predicted.
#' @param threads Number of threads; results do not depend on it.
#' @param ... Must be empty.
#' @return Numbers in the order of the rows of `newdata`.
#' @seealso [augment()], which puts scores and ranks beside the data; [evaluate()].
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
  type <- check_choice(type[1L], "type", c("score", "rank"))
  threads <- check_threads(threads)
  asking_model(object, {
    x <- match_features(newdata, object, threads)
    f <- discriminant_slice(discriminants(object, x, 1L, threads), 1L)
    scores <- sum_scores(object, f, 1L)
    if (type == "score") scores else rank_within_queries(scores, newdata, model = object)
  })
}

#' Plots of the package
#'
#' `autoplot()` gives a ggplot, to which layers and themes can be added; [plot()] draws it.
#' `type`, the second argument, says what is shown. It is [ggplot2::autoplot()], here for those
#' who have not attached ggplot2.
#'
#' | of | `type` | details |
#' |---|---|---|
#' | [ranking_data()] | lengths and grades | [autoplot.ranking_data()] |
#' | [adaboost_mh()], [gbrt()], [yetirank()] | `"rounds"`, `"importance"` | [autoplot.rankmix_adaboost_mh_model()] |
#' | [adarank()] | `"rounds"`, `"weights"` | [autoplot.rankmix_adarank_model()] |
#' | [rankboost()] | `"rounds"`, `"importance"` | [autoplot.rankmix_rankboost_model()] |
#' | [network()] | the objective and the held-out metric by epoch | [autoplot.rankmix_network_model()] |
#' | [mcsvm()] | weights; of a path the metric by cost | [autoplot.rankmix_mcsvm_model()] |
#' | [coordinate_ascent()] | the metric by sweep of each restart | [autoplot.rankmix_ascent_model()] |
#' | [cocr()] | what features are to questions; of a path the metric by penalty and cost | [autoplot.rankmix_cocr_model()] |
#' | [smoothrank()] | `"stages"`, `"weights"`; of a path the metric by penalty | [autoplot.rankmix_smoothrank_model()] |
#' | [linear()], [ranksvm()] | weights; of a path the metric, or the weights, by penalty or cost | [autoplot.rankmix_linear_model()] |
#' | [m5p()] | `"tree"`, `"importance"` | [autoplot.rankmix_m5p_model()] |
#' | [bagging()] | `"importance"`, `"members"` | [autoplot.rankmix_bagging_model()] |
#' | [infer_confusion()] | the matrix | [autoplot.rankmix_confusion()] |
#' | [best_feature()] | the metric of each feature | [autoplot.rankmix_best_feature_model()] |
#' | [explain()] | `"beeswarm"`, `"importance"`, `"dependence"` | [autoplot.rankmix_shap()] |
#' | [explain_pair()] | the way from one score to the other | [autoplot.rankmix_pair()] |
#' | [permutation_importance()] | what the metric loses | [autoplot.rankmix_permutation()] |
#' | [partial_dependence()] | mean scores by a feature | [autoplot.rankmix_dependence()] |
#' | [calibrate()] | reliability, sigmoid | [autoplot.rankmix_calibrated()] |
#' | [mixture()], [tune_and_mix()], [mix()] | `"members"`, `"tuning"` and pairs of members | [autoplot.rankmix_mixture()] |
#' | [evaluate()] | `"queries"`, `"means"` | [autoplot.rankmix_evaluation()] |
#' | [compare_rankers()] | `"differences"`, `"p_values"`, `"wins"`, `"scatter"`, `"ranks"` | [autoplot.rankmix_comparison()] |
#' | [compare_over_datasets()] | ranks and their critical difference | [autoplot.rankmix_friedman()] |
#' | [benchmark_rankers()] | `"folds"`, `"time"` | [autoplot.rankmix_benchmark()] |
#' | [learning_curve()] | the metric by the share of training queries | [autoplot.rankmix_learning_curve()] |
#' | [cutoff_curves()] | the metric by its cut-off | [autoplot.rankmix_cutoffs()] |
#' | [convention_report()] | the metric by the rules of tools | [autoplot.rankmix_convention_report()] |
#'
#' @param object What is to be drawn.
#' @param ... As the method takes it.
#' @return A ggplot.
#' @seealso [report()], a benchmark with its plots as a page.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' result <- evaluate(list(first = test$x[, 1], second = test$x[, 2]), test, ndcg(10))
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
#' Metrics are values. They are given to [evaluate()], [fit()], [tune_and_mix()] and others, as
#' values or by their text (see [as_metric()]), one or a list; several cut-offs give a list.
#'
#' | metric | text | what it looks at |
#' |---|---|---|
#' | [ndcg()] | `"ndcg@10"` | gains of grades, discounted by rank, over those of the best ranking |
#' | [mean_ndcg()] | `"mean_ndcg@10"` | NDCG at all cut-offs to k |
#' | [dcg()] | `"dcg@10"` | the same, not divided by the best |
#' | [err()] | `"err@10"` | the rank at which a user is expected to stop |
#' | [average_precision()] | `"map"` | precision at the ranks of relevant documents |
#' | [precision()] | `"p@10"` | relevant documents among the top |
#' | [recall()] | `"recall@100"` | the share of relevant documents that is among the top |
#' | [f_measure()] | `"f1@10"` | the harmonic mean of both |
#' | [success()] | `"success@1"` | whether one of the top is relevant |
#' | [r_precision()] | `"rprec"` | precision at the number of relevant documents |
#' | [reciprocal_rank()] | `"mrr"` | the rank of the first relevant document |
#' | [bpref()] | `"bpref"` | judged irrelevant documents above relevant ones |
#' | [rbp()] | `"rbp"` | relevant documents, discounted by the patience of a user |
#' | [judged()] | `"judged@10"` | judged documents among the top |
#' | [custom_metric()] | | a function of yours |
#'
#' The rules of evaluation tools are [conventions]; [convention_report()] shows what they make
#' of a ranking. Queries without a relevant document have the value `empty`.
#' `vignette("metrics", "rankmix")` shows what a rule can do to a mean.
#'
#' @examples
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' summary(evaluate(test$x[, 1], test, c(ndcg(c(1, 5, 10)), err(), precision(5))))
#' @name metrics
NULL

#' Rankers of the package
#'
#' What scores documents is a ranker: [evaluate()], [compare_rankers()] and
#' [benchmark_rankers()] take it, beside functions, models of other packages and plain scores.
#'
#' | ranker | made by | learns from |
#' |---|---|---|
#' | [adaboost_mh()] | [fit()] | grades as classes, boosted; base learners are [base_learners] |
#' | [mcsvm()] | [fit()] | grades as classes, linear |
#' | [cocr()] | [fit()] | whether the grade is at least k, for each k, by regressions with costs |
#' | [gbrt()] | [fit()] | grades as numbers, boosted trees |
#' | [yetirank()] | [fit()] | pairs of documents near in perturbed rankings, boosted oblivious trees |
#' | [adarank()] | [fit()] | a metric of rankings: a weighted sum of the features |
#' | [rankboost()] | [fit()] | pairs of documents: boosted thresholds of features |
#' | [network()], [ranknet()], [listnet()] | [fit()] | layers of units on an objective |
#' | [coordinate_ascent()] | [fit()] | the metric, by a weighted sum of the features |
#' | [smoothrank()] | [fit()] | a smooth metric, by a weighted sum of the features |
#' | [linear()] | [fit()] | a weighted sum of the features: grades or gains as numbers, or another objective |
#' | [ranksvm()] | [fit()] | a weighted sum of the features, by pairs of documents |
#' | [m5p()] | [fit()] | grades as numbers, one tree with linear models in its leaves |
#' | [bagging()] | [fit()] | as its base, on many samples of the documents |
#' | [best_feature()] | [fit()] | the metric of each feature: the baseline |
#' | what [new_ranker()] makes | [fit()] | a function of yours |
#' | [calibrate()] | itself | a classifier and held-out grades |
#' | [mixture()] | [fit()], [tune_and_mix()] | all of this: rankers, calibrated and mixed |
#' | [mix()] | itself | held-out metrics of any rankers |
#' | [fuse()] | itself | nothing: runs or scores; or, with [learned_fusion], judged places |
#' | [aggregate_ranks()] | itself | nothing: ranks alone |
#' | [pair_chain()] | itself | held-out grades of pairs, from what rankers give for both |
#'
#' Features that are `NA` are taken as they are by trees and [best_feature()]; for the others they
#' are filled, see [missing_values].
#'
#' @eval contract_section()
#' @seealso [fit()], [predict], [autoplot] and [tidy()] for what can be done with them;
#'   `vignette("get-started", "rankmix")`.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' rankers <- list(trees = fit(gbrt(trees = 50), train, threads = 1),
#'                 single = fit(best_feature(), train, threads = 1),
#'                 second = function(data) data$x[, 2])
#' summary(evaluate(rankers, test, ndcg(10)))
#' @name rankers
NULL
