# Settings with which each ranker trains in a fraction of a second, for tests of all rankers of the registry.
# A new
# ranker needs a line here unless its defaults are quick.
small_settings <- list(
  adaboost_mh = list(base = base_tree(4), rounds = 8),
  adarank = list(rounds = 8, repeats = 1),
  bagging = list(m5p(min_data_in_split = 40), times = 5, fraction = 0.6),
  cascade = list(linear_ranker(penalty = 0.1), gbrt(8, num_leaves = 4, min_data_in_leaf = 1), keep = 6),
  cocr = list(linear_ranker(penalty = 0.1)),
  coordinate_ascent = list(restarts = 2, iterations = 3),
  gbrt = list(trees = 8, num_leaves = 4, min_data_in_leaf = 1),
  linear_ranker = list(penalty = 0.1),
  m5p = list(min_data_in_split = 40),
  mcsvm = list(cost = 0.1, tolerance = 1e-8),
  mixture = list(adaboost_mh(base_tree(4), 8), gbrt(8, num_leaves = 4, min_data_in_leaf = 1),
                 calibrators = list(calibrator_naive(), calibrator_rbc()), weights = mix_weights(c(0, 20))),
  network_ranker = list(hidden = c(6, 4), epochs = 12, batch_size = 8, learning_rate = 0.01),
  rankboost = list(rounds = 8),
  ranksvm = list(cost = 0.1, tolerance = 1e-12),
  smoothrank = list(metric = metric_ndcg(5), start = linear_ranker(penalty = 0.1), penalty = 0.1,
                    schedule = c(8, 1), tolerance = 1e-12),
  yetirank = list(trees = 8, max_depth = 3, rankings = 20, bagging_fraction = 0.9)
)
# The rankers of the package that score each document by its own features.
rankers_of_documents <- function() {
  Filter(function(name) !"queries" %in% rankmix:::entry_traits(rankmix:::built_in_entry(name)),
         rankmix:::built_in_rankers())
}

# Settings of a ranker of the package.
small_arguments <- function(name) if (is.null(small_settings[[name]])) list() else small_settings[[name]]
