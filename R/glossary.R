#' Glossary
#'
#' Defines the terms of rankmix, and lists their names in other tools and in papers. Use it to translate
#' code or settings from LightGBM, XGBoost, CatBoost, RankLib, scikit-learn or tidymodels. "Papers" are
#' the literature on information retrieval. Names in code style are arguments, options or functions.
#'
#' \describe{
#'   \item{assessor}{A person who grades documents for a query. Elsewhere: annotator, rater; judge (TREC).}
#'   \item{base learner}{The simple classifier that one round of [adaboost_mh()] adds, such as [base_tree()].
#'     Elsewhere: weak learner or weak hypothesis (papers), `estimator` (scikit-learn).}
#'   \item{bin}{An interval of feature values that tree training treats as one value (argument `max_bin`).
#'     Elsewhere: `max_bin` (LightGBM, XGBoost), `border_count` (CatBoost), `-tc` (RankLib), `max_bins`
#'     (scikit-learn).}
#'   \item{calibrator}{A function, fitted on validation data, that turns the output of a model into grade
#'     probabilities or expected gains, such as [calibrator_cpc()]. Elsewhere: Platt scaling (papers),
#'     `CalibratedClassifierCV` (scikit-learn), calibration (tidymodels: probably).}
#'   \item{checkpoint}{A file from which an interrupted training resumes. Elsewhere: `snapshot_file`
#'     (CatBoost), `snapshot_freq` (LightGBM).}
#'   \item{classifier}{A ranker with one output for each grade, such as [mcsvm()]. Elsewhere: classifier
#'     (scikit-learn, papers).}
#'   \item{convention}{The rules by which an evaluation tool computes a metric, see [conventions()].
#'     Elsewhere: no common name; options of each tool.}
#'   \item{cut-off}{The number k of top documents that a metric uses, as in NDCG@10. Elsewhere: `eval_at`
#'     (LightGBM), `top` (CatBoost), `k` (scikit-learn), `ndcg@k` (XGBoost), `NDCG@k` (RankLib).}
#'   \item{depth}{The number of tests from the root of a tree to a leaf (argument `max_depth`). Elsewhere:
#'     `max_depth` (LightGBM, XGBoost, scikit-learn), `depth` (CatBoost), `tree_depth` (tidymodels).}
#'   \item{discount}{The factor by which a metric reduces the gain at a lower rank. Elsewhere: `denominator`
#'     (CatBoost), discount (papers).}
#'   \item{discriminant}{The raw output of a classifier for one grade. Elsewhere: margin (XGBoost),
#'     `RawFormulaVal` (CatBoost), `decision_function` (scikit-learn).}
#'   \item{document}{A row of the data: one item to rank for one query. Elsewhere: instance, row or sample
#'     (LightGBM, XGBoost, scikit-learn), object (CatBoost).}
#'   \item{dropout}{The random omission of trees, or of network units, in training. Elsewhere: DART:
#'     `drop_rate` (LightGBM), `rate_drop` (XGBoost).}
#'   \item{empty query}{A query without a relevant document, for which many metrics are undefined. Elsewhere:
#'     each tool has its own value, see [conventions()].}
#'   \item{feature}{A number that describes a query and a document together. Elsewhere: feature (LightGBM,
#'     XGBoost, CatBoost, RankLib), predictor (tidymodels).}
#'   \item{fold}{One part of the queries in cross-validation, see [query_folds()]. Elsewhere: `GroupKFold`
#'     (scikit-learn), `group_vfold_cv` (tidymodels), Fold1 to Fold5 (LETOR).}
#'   \item{fusion}{The combination of several ranked lists into one, without features, by [fuse()].
#'     Elsewhere: data fusion, rank aggregation, RRF (papers).}
#'   \item{gain}{The value of a grade in a metric, 2^grade - 1 by default in [metric_ndcg()]; also the
#'     improvement by a split of a tree. Elsewhere: `label_gain` (LightGBM), `ndcg_exp_gain` (XGBoost),
#'     `type` (CatBoost).}
#'   \item{grade}{The relevance of a document to its query: a whole number from 0 (not relevant). Other
#'     numbers are a relevance that is not graded, see [ranking_data()]. Elsewhere:
#'     `label` (LightGBM, XGBoost, CatBoost), `y_true` (scikit-learn), outcome (tidymodels), judgment
#'     (papers).}
#'   \item{gradient}{The first derivative of the objective with respect to a document's score. Elsewhere:
#'     gradient, pseudo-residual with opposite sign (papers).}
#'   \item{hessian}{The second derivative of the objective with respect to a document's score. Elsewhere:
#'     hessian (LightGBM, XGBoost), second-order derivative (CatBoost).}
#'   \item{importance}{The contribution of a feature to a model, see [tidy()] and [permutation_importance()].
#'     Elsewhere: `feature_importances_` (scikit-learn), vip (R).}
#'   \item{lambda}{The gradient of a pair of documents, scaled by the change in the metric when they are
#'     swapped, see [loss_lambda()]. Elsewhere: `lambdarank` (LightGBM), `rank:ndcg` (XGBoost), LambdaMART
#'     (RankLib).}
#'   \item{leaf}{An end node of a tree, whose value is added to the score (argument `num_leaves`). Elsewhere:
#'     `num_leaves` (LightGBM), `max_leaves` (XGBoost, CatBoost), `-leaf` (RankLib), `max_leaf_nodes`
#'     (scikit-learn).}
#'   \item{learning rate}{The factor by which each tree's contribution is shrunk (argument `learning_rate`).
#'     Elsewhere: `learning_rate` (LightGBM, CatBoost, scikit-learn), `eta` (XGBoost), `-shrinkage`
#'     (RankLib), `learn_rate` (tidymodels).}
#'   \item{member}{One calibrated ranker in a mixture. Elsewhere: base model (papers), `estimators`
#'     (scikit-learn), member (tidymodels: stacks).}
#'   \item{metric}{A measure of the quality of a ranking, such as [metric_ndcg()]. Elsewhere: `eval_metric`
#'     (XGBoost, CatBoost), `metric` (LightGBM), `-metric2T` (RankLib), measure (papers).}
#'   \item{mixture}{A weighted sum of calibrated rankers, made by [tune_and_mix()]. Elsewhere: ensemble,
#'     blend (papers), `StackingRegressor` (scikit-learn), stacks (tidymodels).}
#'   \item{monotone constraint}{The requirement that scores do not fall, or do not rise, with a feature
#'     (argument `monotone_constraints`). Elsewhere: `monotone_constraints` (LightGBM, XGBoost, CatBoost),
#'     `monotonic_cst` (scikit-learn).}
#'   \item{objective}{The loss that training minimises, such as [loss_softmax()]. Elsewhere: `objective`
#'     (LightGBM, XGBoost), `loss_function` (CatBoost), `loss` (scikit-learn).}
#'   \item{oblivious tree}{A tree with the same test at all nodes of a level. Elsewhere: symmetric tree
#'     (CatBoost).}
#'   \item{out-of-fold}{Predicted by a model that was not trained on the document's fold. Elsewhere:
#'     cross-fitted (papers), `cross_val_predict` (scikit-learn).}
#'   \item{pair}{Two documents of one query with different grades. Elsewhere: preference pair (papers),
#'     `pairs` (CatBoost).}
#'   \item{path}{The models for several costs or penalties from one training, of which one is chosen.
#'     Elsewhere: regularization path (papers).}
#'   \item{patience}{The number of rounds without a better validation metric after which training stops.
#'     Elsewhere: `early_stopping_round` (LightGBM), `early_stopping_rounds` (XGBoost, CatBoost), `-estop`
#'     (RankLib), `stop_iter` (tidymodels).}
#'   \item{position bias}{The effect of the displayed position on clicks, independent of relevance.
#'     Elsewhere: `lambdarank_unbiased` (XGBoost), `position` (LightGBM).}
#'   \item{prior weight}{The weight of a member before its metric is used, see [mix_weights()]. Elsewhere:
#'     prior (papers).}
#'   \item{qrels}{A set of grades for documents of queries in the TREC format, see [read_qrels()]. Elsewhere:
#'     qrels (TREC), relevance judgments (papers).}
#'   \item{query}{A request whose documents are ranked together. Elsewhere: `qid` (XGBoost, RankLib), `group`
#'     (LightGBM), `group_id` (CatBoost), topic (TREC).}
#'   \item{rank}{The position of a document in the ranking of its query, 1 for the best. Elsewhere: position
#'     (papers).}
#'   \item{ranker}{Anything that gives a score to each document, see [rankers]. Elsewhere: `XGBRanker`
#'     (XGBoost), `LGBMRanker` (LightGBM), estimator (scikit-learn), fitted model (tidymodels).}
#'   \item{round}{One step of boosting, which adds one tree or one classifier. Elsewhere: `num_iterations`
#'     (LightGBM), `nrounds` (XGBoost), `iterations` (CatBoost), `n_estimators` (scikit-learn), `trees`
#'     (tidymodels).}
#'   \item{run}{A table of ranked documents of queries, see [read_run()]. Elsewhere: run (TREC), result list
#'     (papers).}
#'   \item{score}{The number by which the documents of a query are sorted, with the highest score first. Elsewhere:
#'     prediction (LightGBM, XGBoost), `y_score` (scikit-learn), `.pred` (tidymodels).}
#'   \item{specification}{A ranker and its settings before training, such as [gbrt()]. Elsewhere: model
#'     specification (tidymodels), unfitted estimator (scikit-learn), `params` (LightGBM, XGBoost).}
#'   \item{ties}{Documents of a query with equal scores, whose order the convention of the metric decides.
#'     Elsewhere: ties (papers).}
#'   \item{trait}{A capability of a ranker, such as support for missing values, see [new_ranker()].
#'     Elsewhere: estimator tag (scikit-learn).}
#'   \item{truncation}{The number of top documents from which pairs are formed in [loss_lambda()]. Elsewhere:
#'     `lambdarank_truncation_level` (LightGBM), `lambdarank_num_pair_per_sample` (XGBoost).}
#'   \item{validation data}{Data on which settings are chosen. Validation data are neither training data nor test data.
#'     Elsewhere: `valid_sets` (LightGBM), `evals` (XGBoost), `eval_set` (CatBoost), `-validate` (RankLib).}
#' }
#'
#' @seealso [rankers], [metrics] and [conventions] for lists of what the package has.
#' @examples
#' # Learning rate, leaves and rounds, as in LightGBM's learning_rate, num_leaves and num_iterations.
#' gbrt(learning_rate = 0.05, num_leaves = 31, trees = 300)
#' @name glossary
NULL
