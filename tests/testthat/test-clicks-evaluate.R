# Three sessions with positions 1 to 4. The new ranker's ranks are in example_ranks.
example_rows <- data.frame(session = rep(1:3, each = 4), query = rep(c("p", "q", "r"), each = 4),
                           document = rep(letters[1:4], 3), position = rep(1:4, 3),
                           click = c(1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0))
example_log <- click_log(example_rows)
example_ranks <- data.frame(example_rows[c("query", "document")], new = c(2, 1, 4, 3, 4, 3, 2, 1, 1, 2, 3, 4))
rho <- 1 / 1:4
from_ranks <- function(...) {
  evaluate_clicks(example_ranks, example_log, "dcg", examination = rho, ranks = TRUE, ...)$rankers
}

test_that("the exact numbers of IPS, clipped IPS and SNIPS", {
  found <- from_ranks(estimator = c("ips", "snips"))
  expect_equal(found$estimate, c(2.043643251, 0.5573572503), tolerance = 1e-9)
  expect_equal(from_ranks(propensity = "position")$estimate, 2.043643251, tolerance = 1e-9)
  expect_equal(from_ranks(clip = 2)$estimate, 1.543643251, tolerance = 1e-9)
  # Each session has its own query, so the standard error is the one of the mean over sessions.
  values <- c(2.630929754, 1, 2.5)
  expect_equal(found$se[1], sd(values) / sqrt(3), tolerance = 1e-9)
  expect_equal(found$upper[1], mean(values) + qt(0.975, 2) * sd(values) / sqrt(3), tolerance = 1e-9)
  w <- c(1, 4, 2, 1, 3)
  expect_equal(found$effective_size[1], sum(w)^2 / sum(w^2))
  expect_equal(found$largest_weight[1], 4)
  expect_equal(from_ranks(clip = 2)$clipped, 2 / 5)
  expect_identical(found$never_shown, c(0, 0))
})

test_that("DR equals IPS without predictions, and the direct method for exact predictions", {
  none <- from_ranks(estimator = c("ips", "dr"), relevance = rep(0, 12))
  expect_equal(none$estimate[1], none$estimate[2], tolerance = 1e-14)
  expect_equal(none$se[1], none$se[2], tolerance = 1e-14)
  # Clicks equal alpha mu + beta exactly, because alpha is 1, beta is 0 and mu is the click.
  direct <- evaluate_clicks(example_ranks, example_log, "dcg", "dr", examination = rep(1, 4), ranks = TRUE,
                            relevance = example_rows$click)$rankers
  lambda <- 1 / log2(1 + example_ranks$new)
  expect_equal(direct$estimate, sum(lambda * example_rows$click) / 3, tolerance = 1e-14)
  # With trust bias, IPS subtracts beta.
  trust <- from_ranks(beta = c(0.2, 0.1, 0.05, 0))
  expected <- sum(lambda * (example_rows$click - rep(c(0.2, 0.1, 0.05, 0), 3)) / rep(rho, 3)) / 3
  expect_equal(trust$estimate, expected, tolerance = 1e-14)
})

test_that("policy propensities average examination over all sessions of the query", {
  rows <- data.frame(session = c(1, 1, 2, 2), query = "q", document = c("a", "b", "b", "c"),
                     position = c(1, 2, 1, 2), click = c(1, 1, 0, 1))
  scores <- data.frame(query = "q", document = c("a", "b", "c"), s = 3:1)
  found <- evaluate_clicks(scores, click_log(rows), "dcg", examination = c(1, 0.5))$rankers
  # The mean examination rho is 1 / 2 for a, 1.5 / 2 for b and 0.5 / 2 for c.
  lambda <- 1 / log2(2:4)
  expect_equal(found$estimate, (lambda[1] / 0.5 + lambda[2] / 0.75 + lambda[3] / 0.25) / 2)
  expect_identical(found$se, NA_real_)
})

test_that("rank weights agree with the metrics, and ties share them", {
  expect_equal(click_weights_of(metric_dcg(2), 3), c(1, 1 / log2(3), 0))
  expect_equal(click_weights_of(metric_dcg(discount = "letor"), 4), c(1, 1, 1 / log2(3), 0.5))
  expect_equal(click_weights_of(metric_dcg(discount = c(1, 0.4)), 3), c(1, 0.4, 0))
  expect_equal(click_weights_of(metric_dcg(discount = "log"), 2), 1 / log(2:3))
  expect_equal(click_weights_of(metric_dcg(discount = "reciprocal"), 3), 1 / 1:3)
  expect_equal(click_weights_of(metric_rbp(2), 3), c(0.2, 0.16, 0))
  expect_equal(click_weights_of(metric_precision(2), 3), c(0.5, 0.5, 0))
  expect_equal(tied_rank_weights(c(1, 2, 1, 5), c(1L, 1L, 1L, 2L), c(1, 0.5, 0.25)), c(0.375, 1, 0.375, 1))
  # A list of one relevant document at each rank has these weights as its value.
  for (text in c("dcg@3", "rbp@4", "precision@2", "dcg@3(discount = \"letor\")")) {
    metric <- as_metric(text)
    values <- vapply(1:5, function(rank) {
      data <- ranking_data(matrix(1, 5), as.integer(1:5 == rank), rep(1, 5))
      evaluate(5:1, data, metric)$value
    }, 0)
    expect_equal(click_weights_of(metric, 5), values)
  }
})

test_that("ranks may be larger than the number of given documents", {
  rows <- data.frame(session = rep(1:2, each = 2), query = rep(1:2, each = 2), document = c("a", "b"),
                     position = c(1, 2), click = 1)
  ranks <- c(1, 9, NA, 4)
  data <- ranking_data(cbind(f = 1:4), rep(0L, 4), rep(1:2, each = 2), document = c("a", "b", "a", "b"))
  value <- function(x, metric, ...) {
    suppressWarnings(evaluate_clicks(x, click_log(rows), metric, examination = c(1, 1), ranks = TRUE, ...))$rankers$estimate
  }
  cases <- list(list("dcg", 1 / log2(1 + ranks)), list("rbp", 0.2 * 0.8^(ranks - 1)),
                list("dcg@5", c(1, 0, NA, 1 / log2(5))), list(metric_dcg(discount = c(1, 0.5)), c(1, 0, NA, 0)))
  for (case in cases) {
    mean <- sum(case[[2L]], na.rm = TRUE) / 2
    expect_equal(value(data.frame(rows[c("query", "document")], new = ranks), case[[1L]]), mean)
    expect_equal(value(list(new = ranks), case[[1L]], data = data), mean)
  }
})

test_that("variances are HC2 by query, with the effective number of queries", {
  sizes <- c(1, 2, 3, 6)
  rows <- example_rows[rep(1:4, sum(sizes)), ]
  rows$session <- rep(seq_len(sum(sizes)), each = 4)
  rows$query <- rep(rep(1:4, sizes), each = 4)
  set.seed(1)
  rows$click <- rbinom(nrow(rows), 1, 0.5)
  ranks <- data.frame(unique(rows[c("query", "document")]), new = 1:4)
  found <- evaluate_clicks(ranks, click_log(rows), "dcg", examination = rho, ranks = TRUE)$rankers
  value <- colSums(matrix(rows$click * (1 / log2(1 + rows$position)) / rho[rows$position], 4))
  query <- rep(1:4, sizes)
  sums <- tapply(value - mean(value), query, sum) / 12
  share <- sizes / 12
  expect_equal(found$estimate, mean(value))
  expect_equal(found$se, sqrt(sum(sums^2 / (1 - share))))
  expect_equal(found$upper - found$estimate, qt(0.975, 1 / sum(share^2) - 1) * found$se)
  # A difference that is the same for all queries.
  rows$click <- rep(c(1, 0, 0, 0), 12)
  ranks$other <- c(2, 1, 3, 4)
  same <- evaluate_clicks(ranks, click_log(rows), "dcg", examination = rho, ranks = TRUE)
  expect_identical(c(same$pairs$lower, same$pairs$p), c(NA, 0.125))
  expect_output(print(same), "new - other: +0.3691 [no interval], p = 0.1250", fixed = TRUE)
})

test_that("rankers are evaluated with data, and two equal rankers differ by 0", {
  simulation <- simulate_ranking(20, seed = 1)
  data <- simulation$data
  log <- simulate_clicks(data, sessions = 40, depth = 8, seed = 2, output = "log")
  new <- list(truth = predict(simulation$truth, data), again = predict(simulation$truth, data),
              feature = data$x[, 1])
  found <- evaluate_clicks(new, log, "dcg@5", c("ips", "snips", "dr"), data = data,
                           examination = 1 / 1:8)
  expect_identical(found$rankers$ranker, rep(names(new), 3))
  expect_equal(found$pairs$difference[1], 0)
  expect_identical(found$pairs$p[1], NA_real_)
  ips <- found$rankers$estimate[1:3]
  expect_equal(found$pairs$difference[2], ips[1] - ips[3])
  # Scores in a data frame with queries and documents give the same estimates.
  frame <- data.frame(query = data$query_ids[data$query], document = seq_len(nrow(data)), new)
  expect_identical(evaluate_clicks(frame[sample(nrow(frame)), ], log, "dcg@5", c("ips", "snips"),
                                   examination = 1 / 1:8)$rankers$estimate[1:3],
                   found$rankers$estimate[1:3])
  expect_snapshot(found)
  expect_identical(tidy(found), found$rankers)
  expect_identical(glance(found)$clicks, found$clicks)
  # A click model supplies examination and relevance.
  model <- click_model(log)
  by_model <- evaluate_clicks(new["truth"], log, "dcg@5", "dr", data = data, examination = model)
  expect_equal(by_model$rankers$estimate,
               evaluate_clicks(new["truth"], log, "dcg@5", "dr", data = data)$rankers$estimate)
  expect_equal(evaluate_clicks(new["truth"], log, data = data, examination = examination(model))$rankers$estimate,
               evaluate_clicks(new["truth"], log, data = data, examination = model)$rankers$estimate)
  expect_null(by_model$pairs)
})

test_that("documents that were never shown have the mean relevance of the others of their query", {
  expect_equal(fill_never_shown(c(0.2, NA, 0.4, NA, 0.9, NA), c("b", "b", "b", "c", "a", "a"), 0.1),
               c(0.2, 0.3, 0.4, 0.1, 0.9, 0.9))
  simulation <- simulate_ranking(200, seed = 1)
  data <- simulation$data
  new <- list(new = predict(simulation$truth, data))
  # The log comes from a good ranker without noise. So documents that were never shown are worse than the shown
  # documents.
  log <- simulate_clicks(data, 20, new$new + rep(c(-1, 0, 1, 0), length.out = nrow(data)), depth = 6, seed = 1,
                         output = "log")
  estimates <- function(...) {
    suppressWarnings(evaluate_clicks(new, log, "dcg@5", data = data, examination = 1 / 1:6, ...))$rankers
  }
  attraction <- 0.1 + 0.9 * (2^(0:4) - 1) / 15
  truth <- summary(evaluate(new, data, metric_dcg(5, gain = attraction)))$mean
  dr <- estimates(estimator = "dr")
  expect_gt(dr$never_shown, 0.05)
  expect_lt(abs(dr$estimate - truth), 0.5 * abs(estimates(estimator = "ips")$estimate - truth))
  # The overall click rate is another guess for the relevance of these documents.
  position <- log_positions(log)
  overall <- sum(log$clicked) / sum(1 / position)
  rows <- weighted_rows(log, list(alpha = 1 / 1:6), NULL, NULL, "policy", NULL)
  table <- table_of_log(ranked_table(new, data, FALSE, metric_dcg(5), 1L, NULL), log, NULL)
  guess <- predicted_relevance(NULL, table, log, rows, list(), NULL)
  guess[-table$pair_row] <- overall
  expect_gt(estimates(estimator = "dr", relevance = guess)$estimate, dr$estimate)
})

test_that("poor support is reported", {
  frame <- rbind(example_ranks, data.frame(query = "p", document = c("x", "y"), new = c(5, 6)))
  frame$new <- -frame$new
  expect_no_warning(evaluate_clicks(frame, example_log, "dcg@4", examination = rho))
  frame$new[13:14] <- 1:2
  expect_warning(found <- evaluate_clicks(frame, example_log, "dcg@4", examination = rho),
                 class = "rankmix_warning_support")
  expect_equal(found$rankers$never_shown, 2 / 12)
})

test_that("bad input is refused", {
  refuse <- function(code, class = "argument") {
    expect_snapshot_error(code, class = paste0("rankmix_error_", class))
  }
  own <- function(x = example_ranks, metric = "dcg", examination = rho, ranks = TRUE, ...) {
    evaluate_clicks(x, example_log, metric, examination = examination, ranks = ranks, ...)
  }
  refuse(evaluate_clicks())
  refuse(evaluate_clicks(example_ranks, example_rows))
  refuse(own("ndcg@10"))
  refuse(own(metric = "ndcg@10"))
  refuse(own(metric = "precision"))
  refuse(own(estimator = "sn"))
  refuse(own(propensity = "both"))
  refuse(own(examination = rho[1:3]), "position")
  refuse(own(examination = c(1, 0, 0, 0)))
  refuse(own(clip = 0))
  refuse(own(beta = 2))
  refuse(own(estimator = "dr", relevance = 2))
  refuse(own(estimator = "dr", relevance = rep(0.5, 13)))
  refuse(own(example_ranks[-3, ]), "document")
  refuse(own(transform(example_ranks, new = "a")), "scores")
  refuse(own(transform(example_ranks, new = new - 1)), "scores")
  refuse(own(transform(example_ranks, new = NA), ranks = FALSE), "scores")
  refuse(own(rbind(example_ranks, example_ranks[2, ])), "document")
  refuse(own(example_ranks[-2]))
  refuse(own(level = 0.05))
  refuse(tidy(own(), "queries"))
  data <- ranking_data(cbind(f = 1:12), rep(0L, 12), example_ranks$query, document = example_ranks$document)
  for (wrong in list(0:11, rep(1.5, 12), 1:11, rep(1e7, 12))) {
    refuse(own(list(new = wrong), data = data), "scores")
  }
  refuse(own(metric = metric_precision(3, short_lists = "shrink")))
})

test_that("tidy() also gives the pairs", {
  two <- transform(example_ranks, other = rev(new))
  found <- suppressWarnings(evaluate_clicks(two, example_log, "dcg", examination = rho, ranks = TRUE))
  expect_identical(tidy(found, what = "pairs"), found$pairs)
  expect_identical(tidy(found), found$rankers)
})
