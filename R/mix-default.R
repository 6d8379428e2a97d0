# The default members of a mixture.

#' @rdname tune_and_mix
#' @export
default_members <- function() {
  # A small learning rate with few features, so that trees of different objectives differ.
  slow <- function(objective, features = 0.5, documents = 0.7) {
    gbrt(300, num_leaves = 8, learning_rate = 0.05, objective = objective, feature_fraction = features,
         bagging_fraction = documents)
  }
  list(adaboost_mh(base_tree(8)), adaboost_mh(base_stump()), gbrt(), gbrt(num_leaves = 8),
       gbrt(num_leaves = 8, feature_fraction = 0.5), slow(loss_squared(), 0.3, 0.5),
       gbrt(objective = loss_softmax()), slow(loss_xendcg()), slow(loss_smooth(), documents = 1),
       lambdamart(metric_ndcg(10), trees = 300, num_leaves = 8, learning_rate = 0.05, feature_fraction = 0.5),
       linear_ranker(), mcsvm(10^(-5:0)), ranksvm(), rankboost(), coordinate_ascent(restarts = 5),
       cocr(gbrt(100, num_leaves = 8)), network_ranker(loss_lambda(), epochs = 50))
}
