# Aggregation by a Markov chain. A network of document pairs supplies the transition probabilities.

held <- random_data(queries = 25, features = 4, seed = 21)
new <- random_data(queries = 9, features = 4, seed = 22)
new$query_ids <- new$query_ids + 100
trained <- random_data(queries = 40, features = 4, seed = 23)
rankers <- list(boosted = fit(adaboost_mh(base_tree(4), 10), trained, seed = 1, threads = 1, verbose = FALSE),
                single = fit(best_feature(), trained),
                second = function(data) data$x[, 2] + data$x[, 1] / 3)
outputs <- function(data) {
  cbind(predict(rankers$boosted, data, type = "raw"), predict(rankers$single, data),
        rankers$second(data))
}

# All steps in loops, except the training. `network` has the trained parameters.
slow_chain <- function(raw, data, weight, fresh, fresh_data, damping, network) {
  copies <- rep(seq_len(nrow(raw)), weight[data$query])
  center <- colMeans(raw[copies, ])
  spread <- apply(raw[copies, ], 2, sd)
  standard <- function(x) {
    for (j in seq_len(ncol(x))) x[, j] <- (x[, j] - center[j]) * (1 / spread[j])
    x
  }
  u <- standard(raw)
  v <- standard(fresh)
  worse <- better <- w <- NULL
  ids <- seq_along(data$query_ids)
  of <- function(f) vapply(ids, function(q) f(which(data$query == q)), 0)
  by <- order(of(length), of(function(rows) sum(data$relevance[rows])),
              of(function(rows) max(u[rows, 1])), of(function(rows) min(u[rows, 1])))
  for (q in by[weight[by] > 0]) {
    rows <- which(data$query == q)
    keys <- c(lapply(seq_len(ncol(u)), function(j) u[rows, j]), list(data$relevance[rows]))
    rows <- rows[do.call(order, keys)]
    for (i in seq_along(rows)) for (j in seq_along(rows)) if (i < j) {
      a <- rows[i]
      b <- rows[j]
      if (data$relevance[a] == data$relevance[b]) next
      if (data$relevance[a] > data$relevance[b]) {
        a <- rows[j]
        b <- rows[i]
      }
      worse <- c(worse, a)
      better <- c(better, b)
      w <- c(w, weight[q] / max(weight))
    }
  }
  x <- rbind(cbind(u[worse, ], u[better, ]), cbind(u[better, ], u[worse, ]))
  net <- nnet::nnet(x, rep(1:0, each = length(worse)), weights = rep(w, 2), size = 5,
                    Wts = network$weights, entropy = TRUE, decay = 1e-3 / max(weight), maxit = 0, trace = FALSE)
  scores <- numeric(nrow(v))
  for (q in seq_along(fresh_data$query_ids)) {
    rows <- which(fresh_data$query == q)
    n <- length(rows)
    # Transitions from the document of the row to the document of the column.
    there <- matrix(predict(net, cbind(v[rep(rows, n), , drop = FALSE], v[rep(rows, each = n), , drop = FALSE])), n)
    moves <- (there + 1 - t(there)) / 2 / n
    diag(moves) <- 0
    diag(moves) <- 1 - rowSums(moves)
    scores[rows] <- naive_stationary(moves, damping)
  }
  list(scores = scores, pairs = length(worse), value = net$value)
}

test_that("scores agree with the reference implementation", {
  skip_if_not_installed("nnet")
  for (weighted in c(FALSE, TRUE)) {
    weight <- if (weighted) rep(c(1, 0, 3), length.out = 25) else rep(1, 25)
    data <- if (!weighted) held else {
      ranking_data(held$x, held$relevance, held$query, weight = weight[held$query])
    }
    for (damping in c(0.05, 0.6)) {
      chain <- pair_chain(rankers, data, damping = damping, threads = 1)
      slow <- slow_chain(outputs(data), data, weight, outputs(new), new, damping,
                         chain$network)
      expect_identical(chain$pairs, slow$pairs)
      expect_equal(as.double(chain$all_pairs), as.double(slow$pairs))
      expect_equal(predict(chain, new), slow$scores, tolerance = 1e-6)
      # nnet replaces exp(-15) by 0.
      expect_equal(chain$network$value, slow$value, tolerance = 1e-7)
      expect_equal(as.vector(tapply(predict(chain, new), new$query, mean)), rep(1, 9))
    }
  }
})

# The objective of the network, and its gradient, in plain R.
pair_objective <- function(u, pairs, weight) {
  x <- cbind(1, rbind(cbind(u[pairs$worse, ], u[pairs$better, ]), cbind(u[pairs$better, ], u[pairs$worse, ])))
  target <- rep(1:0, each = length(pairs$worse))
  weight <- rep(weight, 2)
  parts <- function(numbers) {
    hidden <- matrix(numbers[seq_len(5 * ncol(x))], ncol(x))
    output <- numbers[-seq_along(hidden)]
    units <- cbind(1, plogis(x %*% hidden))
    list(units = units, output = output, p = plogis(drop(units %*% output)))
  }
  list(
    value = function(numbers) {
      p <- parts(numbers)$p
      -sum(weight * log(ifelse(target == 1, p, 1 - p))) + 1e-3 * sum(numbers^2)
    },
    gradient = function(numbers) {
      now <- parts(numbers)
      error <- weight * (now$p - target)
      hidden <- vapply(1:5, function(h) {
        unit <- now$units[, h + 1]
        drop(crossprod(x, error * now$output[h + 1] * unit * (1 - unit)))
      }, numeric(ncol(x)))
      c(hidden, crossprod(now$units, error)) + 2e-3 * numbers
    }
  )
}

# Pairs of documents. A noisy and nonlinear score decides which document is better.
drawn_pairs <- function(count, seed) {
  withr::with_seed(seed, {
    u <- matrix(rnorm(120), 60)
    first <- sample(60, count, replace = TRUE)
    second <- (first + sample(59, count, replace = TRUE) - 1L) %% 60L + 1L
    score <- sin(2 * u[, 1]) + u[, 2]
    up <- score[first] + rnorm(count) < score[second]
    list(u = u, pairs = list(worse = ifelse(up, first, second), better = ifelse(up, second, first),
                             weight = sample(c(0.5, 1, 2), count, replace = TRUE)))
  })
}

test_that("the network ends in a minimum of the penalised cross-entropy, on average as low as optim()'s", {
  lowest <- by_start <- NULL
  for (seed in 1:6) {
    drawn <- drawn_pairs(400, seed)
    loss <- pair_objective(drawn$u, drawn$pairs, drawn$pairs$weight)
    start <- withr::with_seed(1, runif(31, -0.5, 0.5))
    expect_equal(loss$gradient(2 * start), naive_gradient(loss$value, 2 * start, 31L, 1e-4), tolerance = 1e-6)
    for (numbers in list(start, 8 * start)) {
      at <- fit_pair_network(drawn$u, drawn$pairs, 1L, steps = 0L, start = numbers)
      expect_equal(at$value, loss$value(numbers), tolerance = 1e-12)
      expect_identical(at$weights, numbers)
      expect_false(at$converged)
    }
    found <- fit_pair_network(drawn$u, drawn$pairs, 1L)
    by_optim <- function(from) {
      optim(from, loss$value, loss$gradient, method = "BFGS", control = list(maxit = 2000, reltol = 1e-10))$value
    }
    expect_true(found$converged)
    expect_equal(found$value, loss$value(found$weights), tolerance = 1e-12)
    expect_lt(max(abs(loss$gradient(found$weights))), 1e-3)
    expect_equal(by_optim(found$weights), found$value, tolerance = 1e-8)
    lowest <- c(lowest, found$value)
    by_start <- c(by_start, by_optim(start))
  }
  # From the same start, two minimisers may reach different local minima.
  expect_lte(mean(lowest), mean(by_start))
  expect_lt(max(lowest / by_start), 1.1)
})

test_that("a weight of a pair is a number of copies, and pairs in any order give one network", {
  drawn <- drawn_pairs(300, 4)
  pairs <- drawn$pairs
  pairs$weight <- rep(c(1, 2, 0), 100)
  found <- fit_pair_network(drawn$u, pairs, 1L)
  copies <- rep(seq_along(pairs$weight), pairs$weight)
  copied <- c(lapply(pairs[c("worse", "better")], `[`, copies), list(weight = rep(1, length(copies))))
  expect_equal(fit_pair_network(drawn$u, copied, 1L)[c("weights", "value")],
               found[c("weights", "value")], tolerance = 1e-5)
  turned <- lapply(pairs, rev)
  expect_equal(fit_pair_network(drawn$u, turned, 1L)[c("weights", "value")],
               found[c("weights", "value")], tolerance = 1e-5)
})

test_that("a query of weight 2 acts as two copies, and a query of weight 0 is absent", {
  scores <- function(rows, query, ...) {
    data <- ranking_data(held$x[rows, ], held$relevance[rows], query, ...)
    predict(pair_chain(rankers[c("single", "second")], data, threads = 1), new)
  }
  weight <- rep(c(1, 0, 2, 3), length.out = 25)[held$query]
  rows <- rep(seq_along(weight), weight)
  found <- scores(seq_along(weight), held$query, weight = weight)
  expect_equal(found, scores(rows, held$query[rows] + 100 * sequence(weight)), tolerance = 1e-5)
  used <- weight > 0
  expect_identical(found, scores(which(used), held$query[used], weight = weight[used]))
})

test_that("all pairs are used, on any number of threads", {
  drawn <- drawn_pairs(9000, 5)
  loss <- pair_objective(drawn$u, drawn$pairs, drawn$pairs$weight)
  found <- fit_pair_network(drawn$u, drawn$pairs, 1L, steps = 5L)
  expect_equal(found$value, loss$value(found$weights), tolerance = 1e-12)
  expect_identical(found$steps, 5L)
  expect_false(found$converged)
  expect_identical(fit_pair_network(drawn$u, drawn$pairs, 4L, steps = 5L), found)
})

test_that("print() and glance() report that training stopped at its limit", {
  chain <- pair_chain(rankers, held, pairs = 60, threads = 1)
  expect_true(glance(chain)$converged)
  chain$network$converged <- FALSE
  expect_output(print(chain), sprintf("Its training stopped after %d steps", chain$network$steps))
  expect_false(glance(chain)$converged)
})

test_that("neither threads nor the order of rows decide, and equal documents tie", {
  chain <- pair_chain(rankers, held, threads = 1)
  expect_identical(pair_chain(rankers, held, threads = 4), chain)
  expect_identical(predict(chain, new, threads = 4), predict(chain, new, threads = 1))
  mixed <- withr::with_seed(4, sample(nrow(held$x)))
  other <- ranking_data(held$x[mixed, ], held$relevance[mixed], held$query[mixed])
  again <- pair_chain(rankers, other, threads = 1)
  expect_equal(again$network, chain$network, tolerance = 1e-12)
  few <- pair_chain(rankers, held, pairs = 50, threads = 1)
  expect_equal(pair_chain(rankers, other, pairs = 50, threads = 1)$network, few$network,
               tolerance = 1e-12)
  rows <- withr::with_seed(5, sample(nrow(new$x)))
  shuffled <- ranking_data(new$x[rows, ], new$relevance[rows], new$query[rows])
  expect_identical(predict(chain, shuffled), predict(chain, new)[rows])
  twice <- ranking_data(new$x[c(1:9, 1:9), ], rep(0:1, 9), rep(1:3, 6)[c(1:9, 1:9)])
  expect_identical(predict(chain, twice)[1:9], predict(chain, twice)[10:18])
  expect_equal(predict(chain, ranking_data(new$x[1:2, ], 0:1, 1:2)), c(1, 1))
})

test_that("with many pairs a systematic sample is used", {
  u <- outputs(held)
  all <- rankmix:::sampled_pairs(u, held, 1e6)
  expect_length(all$worse, all$all)
  expect_true(all(held$query[all$worse] == held$query[all$better]))
  expect_true(all(held$relevance[all$worse] < held$relevance[all$better]))
  for (most in c(1, 7, 40, all$all - 1, all$all)) {
    some <- rankmix:::sampled_pairs(u, held, most)
    at <- seq(1, all$all, by = ceiling(all$all / most))
    expect_identical(some$worse, all$worse[at])
    expect_identical(some$better, all$better[at])
    expect_lte(length(some$worse), most)
    expect_identical(some$all, all$all)
  }
})

test_that("a missing value of the best feature is the lowest of the training data", {
  best <- rankers$single
  column <- match(best$feature, best$features)
  holed <- held
  holed$x[3:5, column] <- NA
  filled <- held
  filled$x[3:5, column] <- min(trained$x[, column])
  expect_identical(best$sign, 1)
  chain <- pair_chain(best, holed, threads = 1)
  expect_identical(chain$network, pair_chain(best, filled, threads = 1)$network)
  expect_identical(predict(chain, holed), predict(chain, filled))
})

test_that("a chain ranks by the preferences of its network, and counts wrongly ordered pairs as error", {
  chain <- pair_chain(list(grade = function(data) as.double(data$relevance)), held, threads = 1)
  expect_identical(chain$error, 0)
  scores <- predict(chain, new)
  for (q in seq_along(new$query_ids)) {
    own <- new$query == q
    expect_identical(rank(scores[own]), rank(new$relevance[own]))
  }
  worse <- pair_chain(list(noise = function(data) sin(1e3 * data$x[, 1])), held, threads = 1)
  pairs <- rankmix:::sampled_pairs(standardise(cbind(sin(1e3 * held$x[, 1])), worse$scale), held, 1e6)
  # Predicts each pair as a separate query, and counts the wrong pairs.
  wrong <- 0
  for (k in seq_along(pairs$worse)) {
    two <- ranking_data(held$x[c(pairs$worse[k], pairs$better[k]), ], 0:1, c(1, 1))
    wrong <- wrong + (diff(predict(worse, two)) < 0)
  }
  expect_equal(worse$error, wrong / length(pairs$worse))
})

test_that("members can be scores, and the chain is a ranker", {
  columns <- data.frame(a = held$x[, 1], b = held$x[, 2])
  by_scores <- pair_chain(columns, held, threads = 1)
  by_functions <- pair_chain(list(a = function(data) data$x[, 1], b = function(data) data$x[, 2]),
                             held, threads = 1)
  expect_identical(predict(by_scores, new, scores = list(b = new$x[, 2], a = new$x[, 1])),
                   predict(by_functions, new))
  expect_identical(predict(pair_chain(as.matrix(columns), held, threads = 1), new,
                           scores = data.frame(a = new$x[, 1], b = new$x[, 2])),
                   predict(by_functions, new))
  alone <- pair_chain(rankers$boosted, held, threads = 1)
  expect_identical(alone$inputs, c(ranker = 3L))
  expect_identical(evaluate(alone, new, metric_ndcg(5, ties = "average"))$value,
                   evaluate(predict(alone, new), new, metric_ndcg(5, ties = "average"))$value)
  expect_identical(predict(alone, new, type = "rank"),
                   rankmix:::rank_within_queries(predict(alone, new), new))
  expect_identical(augment(alone, new)$.score, predict(alone, new))
  file <- withr::local_tempfile()
  saveRDS(alone, file)
  expect_identical(predict(readRDS(file), new), predict(alone, new))
  chain <- pair_chain(rankers, held, pairs = 100, threads = 1)
  expect_identical(tidy(chain), data.frame(ranker = names(rankers), inputs = c(3L, 1L, 1L)))
  expect_identical(glance(chain)$pairs, chain$pairs)
  damped <- pair_chain(rankers, held, pairs = 100, damping = 0.9, threads = 1)
  expect_false(identical(predict(damped, new), predict(chain, new)))
  expect_snapshot(print(chain), transform = function(lines) sub("[0-9.]+ %", "<percent>", lines))
})

test_that("a chain distinguishes good rankers from bad rankers, which Borda does not", {
  skip_if_quick()
  simulated <- simulate_ranking(150, seed = 5)$data
  outer <- split_parts(split_queries(simulated, 0.6, seed = 1), simulated)
  inner <- split_parts(split_queries(outer$train, 0.5, seed = 1), outer$train)
  noise <- function(k) function(data) sin(1e4 * k * rowSums(data$x, na.rm = TRUE))
  mixed <- list(good = fit(gbrt(30), inner$train, seed = 1, verbose = FALSE),
                a = noise(1), b = noise(2), c = noise(3), d = noise(4))
  last <- outer$test
  chain <- pair_chain(mixed, inner$test, threads = 1)
  values <- summary(evaluate(list(chain = chain, borda = aggregate_ranks(mixed, last, threads = 1)),
                             last, metric_ndcg(10)))
  expect_gt(values$mean[values$ranker == "chain"], values$mean[values$ranker == "borda"])
})

test_that("bad members, data and settings are refused", {
  one <- held[held$query_ids[1:2]]
  one$relevance <- rep(0L, nrow(one$x))
  unjudged <- ranking_data(held$x, query = held$query)
  given <- pair_chain(data.frame(a = held$x[, 1], b = held$x[, 2]), held, threads = 1)
  expect_snapshot(error = TRUE, {
    pair_chain(rankers)
    pair_chain(rankers, held$x)
    pair_chain(rankers, unjudged)
    pair_chain(unname(rankers), held)
    pair_chain(list(), held)
    pair_chain(list(a = 1:3), held)
    pair_chain(list(a = replace(held$x[, 1], 2, NA)), held)
    pair_chain(list(a = replace(held$x[, 1], 2, -Inf)), held)
    pair_chain(rankers, one)
    pair_chain(rankers, held, damping = 0)
    pair_chain(rankers, held, pairs = 0)
    pair_chain(rankers, held, units = 3)
    predict(given, new)
    predict(given, new, scores = list(a = new$x[, 1]))
    predict(given, new$x)
  })
  expect_error(pair_chain(data.frame(), held), "need names", class = "rankmix_error_argument")
})
