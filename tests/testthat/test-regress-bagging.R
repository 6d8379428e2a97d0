data <- simulate_ranking(60, features = 6, seed = 1)$data
parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
bagged <- function(spec, on = data, ..., seed = 4) fit(spec, on, seed = seed, verbose = FALSE, ...)
samples <- function(spec, on = data, seed = 4, weights = NULL, count = spec$times) {
  task <- rankmix:::new_task(on, seed, 1L, weights = weights)
  vapply(seq_len(count), rankmix:::bag_of(spec, task)$counts, numeric(nrow(on$x)))
}

test_that("members are trained on their samples, and their mean ranks", {
  bases <- list(m5p(60), m5p(60, max_bin = Inf, target = "gain"), linear_ranker(penalty = 0.1),
                gbrt(trees = 3, num_leaves = 4, bagging_fraction = 0.7),
                gbrt(trees = 1, learning_rate = 1))
  for (base in bases) {
    spec <- bagging(base, times = 4, fraction = 0.5)
    model <- bagged(spec)
    counts <- samples(spec)
    alone <- vapply(1:4, function(i) {
      task <- rankmix:::new_task(data, rankmix:::derived_seed(4, "bagging", i), 1L,
                                 weights = counts[, i])
      member <- rankmix:::train_by_entry(base, task)
      all <- rankmix:::rounds_used(member)
      f <- rankmix:::discriminants(member, data$x, all, 1L)
      rankmix:::sum_scores(member, cbind(f[, 1L, 1L]), all)
    }, numeric(nrow(data$x)))
    expect_equal(predict(model, data), rowMeans(alone), tolerance = 1e-12, label = format(base))
    expect_equal(unname(predict(model, data, members = c(1, 3))),
                 cbind(alone[, 1L], rowMeans(alone[, 1:3])), tolerance = 1e-12)
    expect_identical(bagged(spec, threads = 3), bagged(spec, threads = 1))
  }
})

test_that("documents are drawn as often as they should, by Poisson's distribution or once", {
  many <- simulate_ranking(300, features = 5, seed = 2)$data
  n <- nrow(many$x)
  for (fraction in c(0.1, 1)) {
    counts <- samples(bagging(m5p(), fraction = fraction), many, count = 20L)
    # The limit is 3.9 standard deviations, which is exceeded with probability 1e-4.
    expect_lt(abs(mean(counts) - fraction), 3.9 * sqrt(fraction / length(counts)))
    expect_lt(max(abs(colMeans(counts) - fraction)), 4.5 * sqrt(fraction / n))
    for (k in 0:3) {
      chance <- stats::dpois(k, fraction)
      expect_lt(abs(mean(counts == k) - chance),
                3.9 * sqrt(chance * (1 - chance) / length(counts)) + 1e-12)
    }
    expect_lt(max(abs(stats::cor(counts)[upper.tri(diag(20))])), 4.5 / sqrt(n))
  }
  once <- samples(bagging(m5p(), fraction = 0.3, replace = FALSE), many, count = 20L)
  expect_setequal(once, 0:1)
  expect_lt(abs(mean(once) - 0.3), 3.9 * sqrt(0.21 / length(once)))
  # Samples from the same random numbers are nested: a larger fraction contains a smaller one.
  more <- samples(bagging(m5p(), fraction = 0.6, replace = FALSE), many, count = 20L)
  expect_true(all(more >= once))
  expect_false(identical(samples(bagging(m5p(), times = 2), many, seed = 5),
                         samples(bagging(m5p(), times = 2), many)))
})

test_that("whole queries are drawn together, as often", {
  many <- simulate_ranking(400, features = 5, seed = 3)$data
  counts <- samples(bagging(m5p(), fraction = 0.5, by = "query"), many, count = 10L)
  spread <- apply(counts, 2L, function(count) tapply(count, many$query, function(v) diff(range(v))))
  expect_identical(max(spread), 0)
  of_queries <- counts[!duplicated(many$query), ]
  expect_lt(abs(mean(of_queries) - 0.5), 3.9 * sqrt(0.5 / length(of_queries)))
})

test_that("a document is sampled by its content, not by targets, rows or other documents", {
  spec <- bagging(m5p(), times = 3, fraction = 0.7)
  for (by in c("document", "query")) {
    spec <- update(spec, by = by)
    counts <- samples(spec)
    task <- rankmix:::new_task(data, 4, 1L, targets = rnorm(nrow(data$x)))
    expect_identical(vapply(1:3, rankmix:::bag_of(spec, task)$counts, numeric(nrow(data$x))),
                     counts)
    # Subproblems of cocr() have their own weights, which must not change the samples.
    weights <- withr::with_seed(2, stats::runif(nrow(data$x), 0.5, 2))
    expect_identical(samples(spec, weights = weights), counts)
    order <- withr::with_seed(1, sample(nrow(data$x)))
    moved <- ranking_data(data$x[order, ], data$relevance[order], data$query[order])
    expect_identical(samples(spec, moved), counts[order, ])
    some <- data$query <= 20
    fewer <- ranking_data(data$x[some, ], data$relevance[some], data$query[some])
    expect_identical(samples(spec, fewer), counts[some, ])
  }
  # Copies of a document have independent draws. Their order does not matter.
  twice <- ranking_data(data$x[rep(1:5, each = 200), ], data$relevance[rep(1:5, each = 200)],
                        rep(1:10, 100))
  counts <- samples(update(spec, by = "document"), twice)
  expect_gt(min(tapply(counts[, 1L], rep(1:5, each = 200), stats::var)), 0.3)
})

test_that("a member without drawn documents is trained on all documents", {
  few <- data[data$query_ids[1:2]]
  counts <- samples(bagging(m5p(), times = 5, fraction = 1e-6), few)
  expect_identical(unique(as.vector(counts)), 1)
})

test_that("features are drawn for each member, of boosted trees for each tree", {
  drawn <- function(base) {
    model <- bagged(bagging(base, times = 6, fraction = 1, feature_fraction = 0.5))
    lapply(model$members, function(member) {
      found <- if (is.null(member$forest)) which(member$weights != 0) else {
        unique(c(member$forest$feature, member$models$feature)) + 1L
      }
      sort(if (is.null(member$seen)) found else member$seen[found])
    })
  }
  for (base in list(m5p(30, prune = FALSE), linear_ranker(penalty = 0.1), gbrt(trees = 1))) {
    sets <- drawn(base)
    expect_true(all(lengths(sets) <= 3L), label = format(base))
    expect_gt(length(unique(sets)), 2L)
  }
  lines <- bagged(bagging(linear_ranker(penalty = 0.1), times = 6, fraction = 1, feature_fraction = 0.5))
  expect_identical(lapply(lines$members, `[[`, "seen"), lapply(0:5, function(i) {
    rankmix:::bag_columns(6L, list(fraction = 1, replace = TRUE, feature_fraction = 0.5), 4, i)
  }))
  spec <- bagging(gbrt(trees = 2, feature_fraction = 0.8), times = 2, feature_fraction = 0.5)
  expect_identical(bagged(spec)$spec, spec)
  expect_identical(bagged(spec)$members[[1L]]$spec$feature_fraction, 0.4)
})

test_that("several settings of the base are a path, chosen by validation data or out of bag", {
  sizes <- c(30, 300)
  spec <- bagging(m5p(sizes), times = 5, fraction = 0.4)
  path <- fit(spec, parts$train, parts$test, seed = 4, verbose = FALSE)
  expect_identical(names(path$path), c("30", "300"))
  for (i in 1:2) {
    one <- fit(bagging(m5p(sizes[i]), times = 5, fraction = 0.4), parts$train, seed = 4,
               verbose = FALSE)
    expect_identical(predict(path$path[[i]], data), predict(one, data))
    expect_identical(path$path[[i]]$spec, one$spec)
    expect_equal(glance(path)$value[i], summary(evaluate(one, parts$test, metric_ndcg(10, ties = "average")))$mean)
  }
  by_bag <- bagged(spec)
  counts <- samples(spec)
  outside <- vapply(by_bag$path, function(step) {
    each <- vapply(step$members, function(member) {
      rankmix:::discriminants(member, data$x, 1L, 1L)[, 1L, 1L]
    }, numeric(nrow(data$x)))
    vapply(seq_len(nrow(data$x)), function(i) {
      mean(each[i, if (any(counts[i, ] == 0)) counts[i, ] == 0 else TRUE])
    }, 0)
  }, numeric(nrow(data$x)))
  expected <- apply(outside, 2L, function(s) summary(evaluate(s, data, metric_ndcg(10, ties = "average")))$mean)
  expect_equal(glance(by_bag)$value, unname(expected))
  expect_identical(by_bag$chosen, which.max(unname(expected)))
  expect_identical(nrow(glance(bagged(bagging(linear_ranker(), times = 3, fraction = 0.5)))),
                   length(rankmix:::default_penalties))
})

test_that("missing values are filled once, and forests take them as they are", {
  holes <- data$x
  holes[seq(1, length(holes), by = 9)] <- NA
  with_holes <- ranking_data(holes, data$relevance, data$query)
  for (method in c("mean", "indicator")) {
    model <- bagged(bagging(m5p(60, missing = method), times = 3, fraction = 0.5), with_holes)
    # The means must be equal bit for bit, because the content of a document seeds its draws.
    filled <- rankmix:::fill_features(model$filling, holes, 1L)
    by_hand <- bagged(bagging(m5p(60), times = 3, fraction = 0.5),
                      ranking_data(filled, data$relevance, data$query))
    expect_identical(predict(model, with_holes), predict(by_hand, filled))
    expect_output(print(model), "missing values, filled")
  }
  expect_false(anyNA(predict(bagged(bagging(gbrt(trees = 2), times = 2), with_holes), holes)))
  expect_error(bagged(bagging(m5p(missing = "error")), with_holes), "m5p",
               class = "rankmix_error_missing")
})

test_that("a bag is a base of cocr(), and its tables are means", {
  model <- bagged(cocr(bagging(m5p(60), times = 3, fraction = 0.5)))
  expect_true(all(is.finite(predict(model, data))))
  trees <- bagged(bagging(gbrt(trees = 2), times = 3, fraction = 0.5))
  gains <- lapply(trees$members, tidy)
  first <- tidy(trees)$feature[1L]
  expect_equal(tidy(trees)$gain[1L],
               sum(vapply(gains, function(t) sum(t$gain[t$feature == first]), 0)) / 3)
  expect_equal(sum(tidy(trees)$fraction), 1)
  lines <- bagged(bagging(linear_ranker(penalty = 1), times = 3, fraction = 0.5))
  expect_equal(tidy(lines)$weight, unname(rowMeans(vapply(lines$members, coef, numeric(7)))))
  expect_identical(glance(lines)$times, 3L)
})

test_that("rankers of the user are bases, whatever their traits", {
  local_known_warnings("constant")
  own <- new_ranker("own_mean", function(settings, task) {
    weights <- if (is.null(task$weights)) 1 else task$weights
    stats::weighted.mean(task$data$relevance, rep_len(weights, nrow(task$data$x)))
  }, function(model, x, ...) rep(model, nrow(x)), traits = c("weights", "regression"))
  spec <- bagging(own(), times = 3, fraction = 0.5)
  model <- bagged(spec)
  counts <- samples(spec)
  expect_equal(predict(model, data)[1L],
               mean(apply(counts, 2L, function(w) stats::weighted.mean(data$relevance, w))))
  expect_identical(nrow(tidy(model)), 0L)
  skip_if_not_installed("ggplot2")
  expect_error(ggplot2::autoplot(model), "uses no feature", class = "rankmix_error_argument")
})

test_that("bagging prints, and errors name the bad setting", {
  expect_snapshot(print(bagged(bagging(m5p(100), times = 3))))
  expect_snapshot(error = TRUE, {
    bagging()
    bagging(adaboost_mh())
    bagging(m5p(), times = 0)
    bagging(m5p(), fraction = 0)
    bagging(m5p(), by = "grade")
    bagging(m5p(), rounds = 3)
    predict(bagged(bagging(m5p(100), times = 3)), data, members = 4)
  })
})
