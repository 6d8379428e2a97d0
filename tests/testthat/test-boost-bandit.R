# The selection probabilities of EXP3.P in plain R, for given drawn features and their rewards.
naive_chances <- function(weights, exploration) {
  (1 - exploration) * weights / sum(weights) + exploration / length(weights)
}
naive_exp3p <- function(features, pulled, reward, exploration, eta, horizon) {
  weights <- rep(1, features)
  arms <- length(weights)
  for (i in seq_along(pulled)) {
    p <- naive_chances(weights, exploration)
    estimate <- ifelse(seq_len(arms) == pulled[i] + 1L, reward[i] / p, 0)
    weights <- weights *
      exp(exploration / (3 * arms) * (estimate + eta / (p * sqrt(arms * horizon))))
    weights <- weights / max(weights)
  }
  naive_chances(weights, exploration)
}

test_that("a bandit's stump is the best on the chosen feature, and its edge is the reward", {
  data <- random_data(queries = 30, features = 6, seed = 2)
  model <- fit(adaboost_mh(base_stump(), rounds = 40, search = search_bandit(), precision = "double",
                           weights = "uniform"), data, seed = 5)
  pulls <- model$pulls
  expect_identical(pulls$begin, 0:40)
  expect_gt(length(unique(pulls$feature)), 3L)
  thresholds <- lapply(1:6, function(j) naive_thresholds(data$x[, j]))
  w <- naive_weights(data$relevance, 3, "uniform")
  y <- matrix(-1, length(data$relevance), 3)
  y[cbind(seq_along(data$relevance), data$relevance + 1)] <- 1
  for (t in 1:40) {
    f <- pulls$feature[t] + 1L
    edges <- vapply(thresholds[[f]], function(s) {
      side <- ifelse(data$x[, f] <= s, 1, -1)
      sum(abs(colSums(w * y * side)))
    }, numeric(1))
    best <- max(edges, sum(abs(colSums(w * y))))
    expect_equal(model$edge[t], best, tolerance = 1e-6)
    expect_equal(pulls$reward[t], min(1, -log(sqrt(1 - best^2))), tolerance = 1e-5)
    tree <- which(seq_len(40) == t)
    at <- model$forest$node_begin[tree] + 1L
    side <- if (diff(model$forest$node_begin)[tree] == 0L) 1 else
      ifelse(data$x[, model$forest$feature[at] + 1L] <= model$forest$threshold[at], 1, -1)
    v <- model$forest$values[model$forest$leaf_begin[tree] * 3 + 1:3]
    h <- outer(rep(side, length.out = nrow(w)), v)
    w <- w * exp(-model$alpha[t] * h * y)
    w <- w / sum(w)
  }
})

test_that("draws of a bandit follow the probabilities of EXP3.P", {
  skip_if_quick()
  # Over many seeds, each feature is drawn as often as its probability implies. One feature determines the grades, so
  # that its reward is 1.
  data <- random_data(queries = 20, features = 4, classes = 2, seed = 3)
  data$x[, 2] <- data$relevance
  search <- search_bandit(exploration = 0.5, eta = 0.2, horizon = 100)
  seen <- chance <- matrix(0, 300, 4)
  for (seed in 1:300) {
    pulls <- fit(adaboost_mh(base_stump(), rounds = 12, search = search), data, seed = seed,
                 threads = 1)$pulls
    before <- seq_len(11)
    chance[seed, ] <- naive_exp3p(4, pulls$feature[before], pulls$reward[before], 0.5, 0.2,
                                  100)
    seen[seed, pulls$feature[12] + 1L] <- 1
  }
  # The number of draws of a feature is a sum of independent draws. It must be within four standard deviations of its
  # mean.
  off <- colSums(seen - chance) / sqrt(colSums(chance * (1 - chance)))
  expect_lt(max(abs(off)), 4)
  expect_gt(mean(chance[, 2]), 0.26)  # otherwise uniform draws would pass
})

test_that("all base learners support a bandit, resume, and are the same on any number of threads", {
  skip_if_quick()
  data <- example_part("train")
  for (base in list(base_stump(), base_tree(5), base_hamming_tree(4), base_product(3), base_tree(4, "confidence"))) {
    spec <- adaboost_mh(base, rounds = 40, search = search_bandit())
    one <- fit(spec, data, seed = 1, threads = 1)
    expect_identical(fit(spec, data, seed = 1, threads = 3), one)
    expect_false(identical(fit(spec, data, seed = 2)$pulls, one$pulls))
    shorter <- spec
    shorter$rounds <- 17
    expect_identical(fit(fit(shorter, data, seed = 1), data, rounds = 40), one)
    expect_identical(first_rounds(one, 17L)$pulls, fit(shorter, data, seed = 1)$pulls)
    expect_true(all(one$pulls$reward >= 0 & one$pulls$reward <= 1))
  }
})

test_that("a bandit's fit that has stalled, or resumes from a file, gives the same model", {
  skip_if_quick()
  data <- ranking_data(cbind(a = c(1, 1, 2, 2)), c(0, 1, 0, 1), c(1, 1, 1, 1))
  spec <- adaboost_mh(base_stump(), rounds = 10, search = search_bandit())
  stalled <- fit(spec, data, seed = 1)
  expect_identical(stalled$status, "stalled")
  expect_identical(length(stalled$pulls$feature), length(stalled$alpha))
  again <- fit(stalled, data, rounds = 10)
  expect_identical(again[names(stalled)], unclass(stalled)[names(stalled)])

  data <- example_part("train")
  spec <- adaboost_mh(base_tree(4), rounds = 30, search = search_bandit(), bagging_fraction = 0.7)
  whole <- fit(spec, data, seed = 2)
  path <- withr::local_tempfile()
  short <- spec
  short$rounds <- 12
  fit(short, data, seed = 2, checkpoint = path, checkpoint_every = 5)
  expect_identical(fit(spec, data, seed = 2, checkpoint = path), whole)
})

test_that("every option of a bandit changes the model", {
  # One feature determines the grades. Otherwise the selection probabilities would hardly differ.
  data <- random_data(queries = 20, features = 4, classes = 2, seed = 3)
  data$x[, 2] <- data$relevance
  pulled <- function(...) {
    vapply(1:15, function(seed) {
      fit(adaboost_mh(base_stump(), rounds = 60, search = search_bandit(...)), data, seed = seed)$pulls$feature
    }, integer(60))
  }
  default <- pulled()
  expect_false(identical(pulled(exploration = 0.9), default))
  expect_false(identical(pulled(eta = 100), default))
  expect_false(identical(pulled(horizon = 1), default))
})

test_that("a bandit's fit that patience stopped resumes like an uninterrupted fit", {
  skip_if_quick()
  data <- example_part("train")
  valid <- example_part("vali")
  spec <- adaboost_mh(base_stump(), rounds = 400, search = search_bandit())
  stopped <- fit(spec, data, validation = valid, seed = 3, patience = 20)
  expect_identical(stopped$status, "stopped")
  expect_identical(length(stopped$pulls$begin), length(stopped$alpha) + 1L)
  further <- fit(stopped, data, rounds = 400)
  whole <- fit(spec, data, seed = 3)
  same <- c("forest", "alpha", "edge", "pulls", "status")
  expect_identical(further[same], whole[same])
})

test_that("rewards agree with the stumps that were pulled, for all votes and fractions", {
  local_known_warnings("constant")
  data <- example_part("train")
  reward <- function(...) {
    pulls <- fit(adaboost_mh(..., rounds = 1, search = search_bandit()), data, seed = 4)$pulls
    c(pulls$feature[1], pulls$reward[1])
  }
  # Hamming trees and products begin with a stump of the largest edge, like base_stump() itself.
  expect_identical(reward(base_hamming_tree(3, "confidence")), reward(base_stump()))
  expect_identical(reward(base_product(2, "confidence")), reward(base_stump()))
  # Rewards on a fraction of the documents differ by noise only.
  mean_reward <- function(fraction) {
    mean(fit(adaboost_mh(base_stump(), rounds = 300, search = search_bandit(), bagging_fraction = fraction),
             data, seed = 4)$pulls$reward)
  }
  expect_gt(mean_reward(0.3), 0.8 * mean_reward(1))
})

test_that("a fraction of the documents is searched, but votes are of all documents", {
  skip_if_quick()
  data <- random_data(queries = 60, seed = 6)
  spec <- function(...) adaboost_mh(..., rounds = 15, precision = "double")
  for (base in list(base_stump(), base_tree(5), base_hamming_tree(4), base_product(3), base_product(2, "confidence"))) {
    one <- fit(spec(base, bagging_fraction = 0.5), data, seed = 1, threads = 1)
    expect_identical(fit(spec(base, bagging_fraction = 0.5), data, seed = 1, threads = 3), one)
    expect_false(identical(one$edge, fit(spec(base), data)$edge))
    expect_false(identical(one$edge, fit(spec(base, bagging_fraction = 0.5), data, seed = 2)$edge))
    half <- fit(adaboost_mh(base, rounds = 6, precision = "double", bagging_fraction = 0.5), data, seed = 1)
    expect_identical(fit(half, data, rounds = 15), one)
  }
  # Edges, votes and document weights use all documents.
  model <- fit(spec(base_tree(4), bagging_fraction = 0.4), data, seed = 3)
  expect_equal(replay_adaboost(model, data, 4, "relevance")$edge, model$edge,
               tolerance = 1e-12)
  # The fraction is below one document. A sample without documents is replaced by all documents.
  tiny <- random_data(queries = 3, seed = 1)
  expect_gt(length(fit(spec(base_stump(), bagging_fraction = 0.001), tiny, seed = 1)$alpha), 0L)
})

test_that("bandits print, and impossible bandits are refused", {
  local_known_warnings("constant")
  expect_identical(format(search_bandit()), "search_bandit()")
  expect_identical(format(search_bandit(0.2, horizon = 500)),
                   "search_bandit(exploration = 0.2, horizon = 500)")
  expect_identical(format(adaboost_mh(base_tree(3), search = search_bandit(), bagging_fraction = 0.5)),
                   "adaboost_mh(base_tree(3), search = search_bandit(), bagging_fraction = 0.5)")
  expect_snapshot(print(search_bandit(eta = 0.1)))
  refuse <- function(code) expect_error(code, class = "rankmix_error_argument")
  refuse(search_bandit(exploration = 0))
  refuse(search_bandit(eta = -1))
  refuse(search_bandit(horizon = 0))
  refuse(adaboost_mh(search = "random"))
  refuse(adaboost_mh(search = search_bandit(), feature_fraction = 0.5))
  refuse(adaboost_mh(bagging_fraction = 0))
  flat <- ranking_data(cbind(a = rep(1, 6)), c(0, 1, 1, 0, 1, 1), rep(1:2, each = 3))
  expect_identical(fit(adaboost_mh(base_stump(), rounds = 3, search = search_bandit()), flat)$alpha,
                   fit(adaboost_mh(base_stump(), rounds = 3), flat)$alpha)
})

test_that("a bandit stores the bins of each feature apart, once", {
  data <- random_data()
  full <- adaboost_mh(base_stump(), rounds = 2)
  pulled <- adaboost_mh(base_stump(), rounds = 2, search = search_bandit())
  seen <- logical()
  note <- function(single_features) seen <<- c(seen, single_features)
  suppressMessages(trace("bin_features", bquote(.(note)(single_features)), print = FALSE,
                         where = asNamespace("rankmix")))
  withr::defer(suppressMessages(untrace("bin_features", where = asNamespace("rankmix"))))
  fit(full, data)
  fit(pulled, data)
  fit(gbrt(trees = 2), data)
  expect_identical(seen, c(FALSE, TRUE, FALSE))
  seen <- logical()
  bins_for <- rankmix:::new_training_cache(data, 1L)$bins_for("original")
  for (spec in list(full, pulled, full, pulled)) bins_for(spec)
  expect_identical(seen, c(FALSE, TRUE))
})

test_that("a bandit adds up sparse features like dense features", {
  skip_if_not_installed("Matrix")
  case <- sparse_case(n = 300, features = 12)
  sparse <- ranking_data(case$x, case$relevance, case$query)
  dense <- ranking_data(as.matrix(case$x), case$relevance, case$query)
  for (base in list(base_stump(), base_tree(4), base_product(2))) {
    for (precision in c("single", "double")) {
      spec <- adaboost_mh(base, rounds = 12, search = search_bandit(), precision = precision)
      of_sparse <- fit(spec, sparse, seed = 5)
      expect_identical(predict(of_sparse, dense), predict(fit(spec, dense, seed = 5), dense))
      expect_gt(length(unique(predict(of_sparse, dense))), 1L)
    }
  }
})
