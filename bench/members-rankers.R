# The rankers that bench/members.R tries as members of a mixture.

library(rankmix)

forest <- function(leaves, fraction = 0.3, times = 300) {
  bagging(gbrt(trees = 1, learning_rate = 1, num_leaves = leaves, min_data_in_leaf = 5), times = times, fraction = 1,
          feature_fraction = fraction)
}
rankers <- list(
  trees = adaboost_mh(base_tree(8)), stumps = adaboost_mh(base_stump()), gbrt = gbrt(), small = gbrt(num_leaves = 8),
  softmax = gbrt(objective = loss_softmax()), ridge = linear_ranker(), svm = mcsvm(10^(-5:0)), ranksvm = ranksvm(),
  rankboost = rankboost(),
  ascent = coordinate_ascent(restarts = 5),
  smoothrank = smoothrank(),
  forest = forest(64),
  lambda8 = lambdamart(metric_ndcg(10), num_leaves = 8, learning_rate = 0.05, trees = 300, feature_fraction = 0.5),
  xendcg8 = gbrt(300, num_leaves = 8, learning_rate = 0.05, objective = loss_xendcg(), feature_fraction = 0.5, bagging_fraction = 0.7),
  slow8 = gbrt(300, num_leaves = 8, learning_rate = 0.05, feature_fraction = 0.3, bagging_fraction = 0.5),
  softmax8 = gbrt(300, num_leaves = 8, learning_rate = 0.05, objective = loss_softmax(), feature_fraction = 0.5, bagging_fraction = 0.7),
  cocr = cocr(linear_ranker()),
  listnet1 = linear_ranker(loss_softmax()),
  m5p = bagging(m5p(), times = 30, fraction = 0.5),
  smooth8 = gbrt(300, num_leaves = 8, learning_rate = 0.05, objective = loss_smooth(), feature_fraction = 0.5),
  oblivious = gbrt(300, max_depth = 4, growth = "oblivious", learning_rate = 0.05, feature_fraction = 0.5, bagging_fraction = 0.7),
  yeti = yetirank(300, max_depth = 4, feature_fraction = 0.5),
  lambdanet = network_ranker(loss_lambda(), hidden = c(64, 32), epochs = 50),
  ranknet = ranknet(hidden = c(64, 32)),
  listnet = listnet(),
  cocr_gbrt = cocr(gbrt(100, num_leaves = 8)),
  small2 = gbrt(num_leaves = 8, feature_fraction = 0.5),
  adarank = adarank(),
  lambda8b = lambdamart(metric_ndcg(10), num_leaves = 8, learning_rate = 0.05, trees = 300, feature_fraction = 0.3, bagging_fraction = 0.7),
  lambda4 = lambdamart(metric_ndcg(10), num_leaves = 4, learning_rate = 0.05, trees = 300, feature_fraction = 0.3),
  xendcg4 = gbrt(300, num_leaves = 4, learning_rate = 0.05, objective = loss_xendcg(), feature_fraction = 0.3, bagging_fraction = 0.7),
  pairs8 = gbrt(300, num_leaves = 8, learning_rate = 0.05, objective = loss_pairwise("logistic"), feature_fraction = 0.3),
  lambda_map = lambdamart(metric_average_precision(), num_leaves = 8, learning_rate = 0.05, trees = 300, feature_fraction = 0.3),
  lambda_err = lambdamart(metric_err(), num_leaves = 8, learning_rate = 0.05, trees = 300, feature_fraction = 0.3),
  ordinal8 = gbrt(300, num_leaves = 8, learning_rate = 0.05, objective = loss_ordinal(), feature_fraction = 0.3, bagging_fraction = 0.7),
  query8 = gbrt(300, num_leaves = 8, learning_rate = 0.05, objective = loss_query_rmse(), feature_fraction = 0.3, bagging_fraction = 0.7),
  dart8 = gbrt(100, num_leaves = 8, learning_rate = 0.1, dropout = 0.1, feature_fraction = 0.3),
  forest16 = forest(16), forest500 = forest(500),
  bag8 = bagging(gbrt(100, num_leaves = 8, learning_rate = 0.05), times = 10, fraction = 0.7, feature_fraction = 0.3, by = "query"),
  cocr_forest = cocr(forest(32, times = 100)),
  ascent_map = coordinate_ascent(metric_average_precision(), restarts = 5),
  ascent_err = coordinate_ascent(metric_err(), restarts = 5),
  bag_linear = bagging(linear_ranker(), times = 30, fraction = 0.5, feature_fraction = 0.3, by = "query"),
  query_linear = linear_ranker(loss_query_rmse()),
  lambdanet0 = network_ranker(loss_lambda(), hidden = 16, epochs = 50, dropout = 0.2),
  xendcg_half = gbrt(num_leaves = 8, objective = loss_xendcg(), feature_fraction = 0.5),
  lambda_half = lambdamart(metric_ndcg(10), num_leaves = 8, feature_fraction = 0.5),
  softmax_half = gbrt(num_leaves = 8, objective = loss_softmax(), feature_fraction = 0.5),
  smooth_half = gbrt(num_leaves = 8, objective = loss_smooth(), feature_fraction = 0.5),
  smoothrank3 = smoothrank(metric_ndcg(10), penalty = c(0.01, 1), schedule = 2^(4:-4))
)
seed_of <- function(ranker) 1L
