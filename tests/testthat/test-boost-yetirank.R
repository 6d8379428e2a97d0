yeti_data <- simulate_ranking(30, documents = c(1, 14), features = 6, seed = 12)$data

# The pairs of a round as the core computes them: rows, weights and target differences of the scores. The noise of a
# document depends on its position in the order by content.
drawn_pairs <- function(spec, data = yeti_data, x = numeric(nrow(data$x)), seed = 3, round = 0) {
  data$order <- rankmix:::rows_of_content(data, 1L)
  documents <- rankmix:::objective_documents(data, data$relevance, numeric(), data$weight)
  pairs <- rankmix:::yeti_pairs(rankmix:::yeti_objective(spec, data), documents, x, seed, round)
  pairs <- as.data.frame(t(pairs))
  names(pairs) <- c("i", "j", "w", "d")
  pairs[pairs$w > 0, ]
}
# The pairs as a matrix of weights w[i, j].
pair_matrix <- function(pairs, n) {
  w <- matrix(0, n, n)
  w[cbind(pairs$i, pairs$j)] <- pairs$w
  w
}
random_scores <- function(data, seed = 1) withr::with_seed(seed, rnorm(nrow(data$x), sd = 2))

test_that("weights of pairs agree with rankings by the addressed noise", {
  x <- random_scores(yeti_data)
  positions <- content_positions(yeti_data)
  cases <- list(
    list(spec = yetirank(rankings = 7), position = function(a, b, order) 1 / a),
    list(spec = yetirank(rankings = 5, position = "decay", decay = 0.7, neighbours = 3),
         position = function(a, b, order) 0.7^(a - 1), neighbours = 3),
    list(spec = yetirank(rankings = 4, labels = "equal"), position = function(a, b, order) 1 / a)
  )
  for (case in cases) {
    w <- pair_matrix(drawn_pairs(case$spec, x = x, round = 2), nrow(yeti_data$x))
    for (q in seq_along(yeti_data$query_ids)) {
      rows <- which(yeti_data$query == q)
      if (length(rows) < 2) next
      name <- as.character(yeti_data$query_ids[q])
      neighbours <- if (is.null(case$neighbours)) 1 else case$neighbours
      seen <- naive_seen(x[rows], case$spec$rankings, case$position, neighbours,
                         function(r) naive_noise(length(rows), 3, 2, name, r)[positions[rows]])
      grades <- yeti_data$relevance[rows]
      difference <- outer(grades, grades, "-")
      gain <- if (case$spec$labels == "equal") 1 * (difference > 0) else pmax(difference, 0)
      expect_equal(w[rows, rows], seen * gain, tolerance = 1e-7)
    }
    expect_true(all(yeti_data$query[row(w)[w > 0]] == yeti_data$query[col(w)[w > 0]]))
  }
})

test_that("a query of thousands of documents, which has no table of pairs, has the same weights", {
  n <- 3100L
  data <- withr::with_seed(5, ranking_data(matrix(rnorm(n)), sample(0:2, n, TRUE), rep("long", n)))
  x <- random_scores(data, 6)
  pairs <- drawn_pairs(yetirank(rankings = 3), data, x, round = 1)
  positions <- order(rankmix:::rows_of_content(data, 1L))
  expected <- do.call(rbind, lapply(0:2, function(r) {
    order <- order(-(x + naive_noise(n, 3, 1, "long", r)[positions]))
    upper <- order[-n]
    lower <- order[-1L]
    difference <- data$relevance[upper] - data$relevance[lower]
    i <- ifelse(difference > 0, upper, lower)
    j <- ifelse(difference > 0, lower, upper)
    data.frame(i, j, w = abs(difference) / seq_len(n - 1L))[difference != 0, ]
  }))
  expected <- stats::aggregate(w ~ i + j, expected, sum)
  # The core adds in units of 2^-20, and the first of two equal sums wins. So few pairs differ from the reference. For
  # each ranking, the other weights differ by at most half a unit of 2^-32 times the difference of the grades.
  found <- merge(pairs, expected, by = c("i", "j"), all = TRUE)
  same <- abs(found$w.x - found$w.y) < 3 * 2 * 2^-33 * 1.01
  expect_gt(mean(same %in% TRUE), 0.99)
})

test_that("a query's weights sum to rankings times a harmonic number", {
  n <- 9L
  data <- ranking_data(matrix(1:n, ncol = 1), seq_len(n) - 1L, rep(1, n))
  pairs <- drawn_pairs(yetirank(rankings = 100, labels = "equal"), data,
                       x = seq(0, 4, length.out = n))
  expect_equal(sum(pairs$w), 100 * sum(1 / seq_len(n - 1)), tolerance = 1e-8)
})

test_that("noise is logistic: two documents a score of 1 apart swap ranks .339 of the time", {
  data <- ranking_data(matrix(1:300, ncol = 1), rep(c(2L, 1L, 0L), 100), rep(1:100, each = 3))
  # The third document is far below. The other two are neighbours in all rankings, at positions 1 and 2. The lower of
  # them is a neighbour of the third document at position 2, which has half the weight.
  x <- rep(c(1, 0, -1e4), 100)
  pairs <- drawn_pairs(yetirank(rankings = 100, labels = "equal"), data, x)
  kind <- paste(data$relevance[pairs$i], data$relevance[pairs$j])
  seen <- tapply(pairs$w, kind, sum) / 100^2
  expect_equal(seen[["2 1"]], 1, tolerance = 1e-9)
  above <- stats::integrate(function(t) stats::plogis(t + 1) * stats::dlogis(t), -Inf, Inf)$value
  expect_equal(above, 0.661, tolerance = 1e-3)
  expect_lt(abs(2 * seen[["1 0"]] - above), 4 * sqrt(above * (1 - above) / 1e4))
})

test_that("without noise, scores decide the rankings; without positions, all pairs have equal weights", {
  x <- random_scores(yeti_data)
  rows <- which(yeti_data$query == which.max(diff(yeti_data$offsets)))
  grades <- yeti_data$relevance[rows]
  none <- pair_matrix(drawn_pairs(yetirank(noise = "none", rankings = 3), x = x),
                      nrow(yeti_data$x))[rows, rows]
  seen <- naive_seen(x[rows], 1, function(a, b, order) 1 / a, 1, function(r) 0)
  expect_equal(none, 3 * seen * pmax(outer(grades, grades, "-"), 0), tolerance = 1e-8)
  all <- pair_matrix(drawn_pairs(yetirank(setup = "difference", scale = "gain"), x = x),
                     nrow(yeti_data$x))[rows, rows]
  expect_equal(all, pmax(outer(2^grades, 2^grades, "-"), 0))
})

test_that("weights of pairs by a metric are its change when neighbours are swapped", {
  x <- random_scores(yeti_data)
  for (metric in list(metric_ndcg(5), metric_err(), metric_average_precision(), metric_reciprocal_rank())) {
    spec <- yetirank(position = metric, noise = "none", rankings = 1)
    expect_identical(spec$labels, "equal")
    w <- pair_matrix(drawn_pairs(spec, x = x), nrow(yeti_data$x))
    for (q in seq_along(yeti_data$query_ids)[1:10]) {
      rows <- which(yeti_data$query == q)
      if (length(rows) < 2) next
      one <- yeti_data[yeti_data$query_ids[q]]
      worst <- max(yeti_data$relevance)
      value <- function(scores) {
        evaluate(scores, one, rankmix:::settle_metric(metric, yeti_data$relevance))$value
      }
      order <- rows[order(-x[rows])]
      for (a in seq_len(length(rows) - 1)) {
        pair <- order[c(a, a + 1)]
        changed <- x
        changed[pair] <- x[rev(pair)]
        delta <- abs(value(x[rows]) - value(changed[rows]))
        better <- pair[order(-yeti_data$relevance[pair])]
        expected <- if (diff(yeti_data$relevance[pair]) == 0) 0 else delta
        # The core rounds to units of 2^-32.
        expect_lt(abs(w[better[1], better[2]] - expected), 2^-32 * 0.51)
      }
    }
  }
})

test_that("a confusion matrix gives weights to pairs of both directions and of equal grades", {
  p <- yeti_confusion$russian
  spec <- yetirank(setup = "yetirank", confusion = p)
  gain <- rankmix:::pair_gain(spec, 5)
  for (a in 0:4) for (b in 0:4) {
    expect_equal(gain[a + 1, b + 1], naive_confusion_gain(p / rowSums(p), a, b))
  }
  expect_true(all(gain > 0))
  same <- yetirank(setup = "yetirank", confusion = diag(5))
  expect_equal(rankmix:::pair_gain(same, 5), rankmix:::pair_gain(yetirank(setup = "equal"), 5))
  expect_gt(max(abs(gain - rankmix:::pair_gain(
    yetirank(setup = "yetirank", confusion = diag(5)), 5))), 0.1)
})

test_that("gradients are half of the paper's lambdas, with signs that raise the better document", {
  x <- random_scores(yeti_data)
  spec <- yetirank(setup = "yetirank", confusion = yeti_confusion$ukrainian, rankings = 20)
  pairs <- drawn_pairs(spec, x = x)
  s <- 1 / (1 + exp(x[pairs$i] - x[pairs$j]))
  expect_equal(pairs$d, x[pairs$i] - x[pairs$j] + s)
  documents <- rankmix:::objective_documents(yeti_data, yeti_data$relevance, numeric(), NULL)
  # objective_gradients() uses the first round of another random stream. Without noise, this makes no difference.
  quiet <- yetirank(setup = "yetirank", confusion = yeti_confusion$ukrainian, noise = "none")
  pairs <- drawn_pairs(quiet, x = x)
  s <- 1 / (1 + exp(x[pairs$i] - x[pairs$j]))
  lambda <- rowsum(c(pairs$w * s, -pairs$w * s), c(pairs$i, pairs$j))
  found <- rankmix:::objective_gradients(rankmix:::yeti_objective(quiet, yeti_data), documents, x, 1L)
  expect_equal(found$gradient[as.integer(rownames(lambda))], -lambda[, 1], ignore_attr = TRUE)
  loss <- function(x) -sum(pairs$w * log(stats::plogis(x[pairs$i] - x[pairs$j])))
  expect_lt(loss(x - 1e-3 * found$gradient / max(abs(found$gradient))), loss(x))
})

test_that("trees of every setup lower the loss whose weights they had", {
  setups <- setdiff(names(rankmix:::yeti_setups), "mse")
  for (setup in setups) {
    spec <- yetirank(trees = 12, max_depth = 3, learning_rate = 1e-4, setup = setup, bagging_fraction = 1,
                     confusion = if (setup == "yetirank") yeti_confusion$russian)
    model <- fit(spec, yeti_data, seed = 3, verbose = FALSE)
    x <- predict(model, yeti_data, rounds = 1:12)
    before <- cbind(0, x)
    for (t in 1:12) {
      pairs <- drawn_pairs(spec, x = before[, t], round = t - 1)
      loss <- function(x) -sum(pairs$w * log(stats::plogis(x[pairs$i] - x[pairs$j])))
      expect_lt(loss(x[, t]), loss(before[, t]))
    }
  }
})

test_that("the pointwise solver gives leaves sum V / sum W", {
  spec <- yetirank(trees = 3, max_depth = 2, learning_rate = 1, setup = "lambdarank", rankings = 10)
  model <- fit(spec, yeti_data, seed = 3, verbose = FALSE)
  x <- cbind(0, predict(model, yeti_data, rounds = 1:3))
  for (t in 1:3) {
    pairs <- drawn_pairs(spec, x = x[, t], round = t - 1)
    s <- 1 / (1 + exp(x[pairs$i, t] - x[pairs$j, t]))
    gained <- round(x[, t + 1] - x[, t], 9)
    leaf <- match(gained, unique(gained))
    v <- numeric(max(leaf))
    w <- numeric(max(leaf))
    for (k in seq_len(nrow(pairs))) {
      i <- leaf[pairs$i[k]]
      j <- leaf[pairs$j[k]]
      v[i] <- v[i] + pairs$w[k] * s[k] / 2
      v[j] <- v[j] - pairs$w[k] * s[k] / 2
      w[i] <- w[i] + pairs$w[k]
      w[j] <- w[j] + pairs$w[k]
    }
    expect_equal(ifelse(w > 0, v / w, 0), unique(gained), tolerance = 1e-6)
  }
})

test_that("the order of the rows changes nothing", {
  rows <- withr::with_seed(1, sample(nrow(yeti_data$x)))
  mixed <- ranking_data(yeti_data$x[rows, ], yeti_data$relevance[rows],
                        yeti_data$query_ids[yeti_data$query[rows]])
  for (setup in c("mse", "lambdarank", "aligned")) {
    spec <- yetirank(trees = 6, max_depth = 3, setup = setup, bagging_fraction = 0.7)
    turned <- yeti_data[rev(yeti_data$query_ids)]
    one <- fit(spec, yeti_data, seed = 3, verbose = FALSE)
    other <- fit(spec, turned, seed = 3, verbose = FALSE)
    expect_identical(predict(one, yeti_data), predict(other, yeti_data))
    by_rows <- fit(spec, mixed, seed = 3, verbose = FALSE)
    expect_identical(predict(one, yeti_data), predict(by_rows, yeti_data))
    expect_false(identical(predict(fit(spec, yeti_data, seed = 4, verbose = FALSE), yeti_data),
                           predict(one, yeti_data)))
  }
})

test_that("setups are settings, and settings are read back", {
  expect_identical(yetirank(setup = "lambdarank"), {
    spec <- yetirank(solver = "pointwise")
    spec$setup <- "lambdarank"
    spec
  })
  expect_identical(yetirank(setup = "catboost")$rankings, 10)
  expect_identical(yetirank(setup = "catboost", rankings = 50)$rankings, 50)
  expect_identical(yetirank(setup = "catboost")$position, "decay")
  expect_identical(update(yetirank(), setup = "equal")$solver, "pointwise")
  expect_identical(update(yetirank(solver = "values"), trees = 5)$solver, "values")
  expect_identical(format(yetirank(solver = "values", position = "err")),
                   paste0("yetirank(trees = 1000, learning_rate = 0.05, setup = \"aligned\", ",
                          "position = \"err\", solver = \"values\")"))
})

test_that("impossible settings are refused", {
  m <- yeti_confusion$inferred
  expect_snapshot(error = TRUE, {
    yetirank(setup = "yetirank")
    yetirank(confusion = m)
    yetirank(setup = "yetirank", confusion = t(m / rowSums(m)))
    yetirank(setup = "yetirank", confusion = m[, -1])
    yetirank(setup = "yetirank", confusion = 2 * m)
    yetirank(setup = "yetirank", confusion = m - 0.01)
    yetirank(max_depth = 11)
    yetirank(position = "top")
    yetirank(position = metric_bpref())
    yetirank(setup = "mse", solver = "aligned")
  })
  expect_error(yetirank(setup = "yetirank"), class = "rankmix_error_confusion")
  expect_error(yetirank(setup = "yetirank", confusion = m[1:3, ]),
               class = "rankmix_error_confusion")
  expect_error(yetirank(position = "top"), class = "rankmix_error_argument")
  expect_error(yetirank(max_depth = 11), class = "rankmix_error_argument")
})

test_that("data without pairs, or with more grades than the matrix, are refused", {
  local_known_warnings("constant")
  alone <- ranking_data(matrix(rnorm(8), 8), rep(0:1, 4), 1:8)
  two <- ranking_data(matrix(rnorm(8), 8), rep(0:3, 2), rep(1:2, 4))
  even <- ranking_data(matrix(rnorm(8), 8), rep(0:1, each = 4), rep(1:2, each = 4))
  expect_snapshot(error = TRUE, {
    fit(yetirank(), alone, seed = 1)
    fit(yetirank(), even, seed = 1)
    fit(yetirank(setup = "yetirank", confusion = diag(2)), two, seed = 1)
  })
  expect_error(fit(yetirank(), alone, seed = 1), class = "rankmix_error_pairs")
  # With a confusion matrix, equal grades may form pairs. Squared errors need no pairs.
  p <- matrix(c(0.8, 0.2, 0.3, 0.7), 2, byrow = TRUE)
  expect_s3_class(fit(yetirank(trees = 2, setup = "yetirank", confusion = p), even, seed = 1,
                      verbose = FALSE), "rankmix_yetirank_model")
  expect_s3_class(fit(yetirank(trees = 2, setup = "mse"), alone, seed = 1, verbose = FALSE),
                  "rankmix_yetirank_model")
})
