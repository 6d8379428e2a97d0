# Probabilities that a wins, that b wins, and that neither wins, over all coin tosses of team draft.
draft_outcomes <- function(a, b, clicked) {
  coins <- as.matrix(expand.grid(rep(list(c(TRUE, FALSE)), length(a))))
  outcome <- apply(coins, 1, function(coin) {
    drafted <- team_draft(a, b, length(a), coin)
    team <- drafted$team[drafted$document %in% clicked]
    sign(sum(team == "a") - sum(team == "b"))
  })
  c(mean(outcome == 1), mean(outcome == -1), mean(outcome == 0))
}

test_that("the exact numbers of team draft", {
  a <- c("a", "b", "c", "d")
  expect_identical(draft_outcomes(a, c("b", "c", "d", "a"), "a"), c(1, 0, 0))
  expect_identical(draft_outcomes(a, c("b", "c", "d", "a"), c("a", "b")), c(0, 0, 1))
  expect_identical(draft_outcomes(a, c("b", "a", "c", "d"), "c"), c(0.5, 0.5, 0))
  expect_identical(team_draft(a, c("b", "a", "c", "d"), 3, c(TRUE, FALSE, TRUE, TRUE)),
                   list(document = c("a", "b", "c"), team = c("a", "b", "b")))
})

test_that("marginalised credit is the sum over all assignments", {
  a <- 1:5
  b <- c(3L, 1L, 5L, 2L, 4L)
  shown <- c(1L, 3L, 5L, 2L)
  prob <- assignment_probabilities(shown, a, b)
  clicked <- c(1, 0, 1, 1) == 1
  left <- function(ranking, k) setdiff(ranking, shown[seq_len(k - 1)])
  chance <- function(ranking, k) {
    rank <- function(d) match(d, ranking)
    1 / rank(shown[k])^3 / sum(1 / rank(left(ranking, k))^3)
  }
  teams <- as.matrix(expand.grid(rep(list(c("a", "b")), 4)))
  weight <- apply(teams, 1, function(team) {
    prod(vapply(1:4, function(k) chance(if (team[k] == "a") a else b, k), 0))
  })
  wins <- apply(teams, 1, function(team) sign(sum(team[clicked] == "a") - sum(team[clicked] == "b")))
  found <- win_probabilities(prob[clicked])
  expect_equal(found, c(sum(weight[wins == 1]), sum(weight[wins == -1])) / sum(weight))
})

test_that("marginalised credit agrees with the package interleaving of Python", {
  # The expected values are those of Probabilistic.compute_scores() of mpkato/interleaving at commit 7907f7d. They are
  # divided by the sum of both scores and ties.
  credit <- function(a, b, shown, clicked) win_probabilities(assignment_probabilities(shown, a, b)[clicked])
  expect_equal(credit(1:4, c(2, 3, 4, 1), 1:4, 1), c(0.984615384615, 0.015384615385), tolerance = 1e-11)
  expect_equal(credit(1:4, c(2, 3, 4, 1), 1:4, 1:2), c(0.442900468707, 0.008464295561), tolerance = 1e-10)
  expect_equal(credit(1:4, c(2, 1, 3, 4), c(2, 1, 3, 4), 3), c(0.5, 0.5))
  expect_equal(credit(1:5, c(3, 1, 5, 2, 4), c(1, 3, 5, 2, 4), c(1, 3, 4)), c(0.545555516538, 0.454444483462),
               tolerance = 1e-11)
})

test_that("both methods agree in direction with NDCG, and with each other", {
  simulation <- simulate_ranking(60, documents = 12, seed = 1)
  data <- simulation$data
  good <- predict(simulation$truth, data)
  bad <- data$x[, 1]
  expect_gt(mean(evaluate(good, data, "ndcg@10")$value), mean(evaluate(bad, data, "ndcg@10")$value))
  attraction <- c(0.05, 0.2, 0.4, 0.7, 0.9)
  for (how in c("team_draft", "probabilistic")) {
    shown <- interleave(good, bad, data, how, sessions = 20, seed = 2)
    expect_identical(shown, interleave(good, bad, data, how, sessions = 20, seed = 2))
    expect_true(all(tapply(shown$document, shown$session, anyDuplicated) == 0))
    shown$click <- withr::with_seed(3, rbinom(nrow(shown), 1, attraction[data$relevance[shown$document] + 1] /
                                                shown$position))
    found <- interleaving_result(shown)
    expect_gt(found$lower, 0)
    expect_lt(found$p, 0.05)
    # If both rankers swap roles, only the sign changes.
    other <- transform(shown, team = ifelse(team == "a", "b", "a"))
    if (how == "probabilistic") other$prob_a <- 1 - other$prob_a
    other <- interleaving_result(other)
    expect_equal(other$estimate, -found$estimate)
    expect_equal(other$se, found$se)
    # A log of interleaved lists works like any other log.
    expect_identical(log_sessions(click_log(shown)), 1200L)
  }
  same <- interleave(good, good, data, "probabilistic", sessions = 2, seed = 4)
  expect_equal(same$prob_a, rep(0.5, nrow(same)))
})

test_that("the result counts sessions with clicks, clustered by query", {
  shown <- data.frame(session = c(1, 1, 2, 2, 3, 3, 4, 4), query = c("p", "p", "p", "p", "q", "q", "q", "q"),
                      team = c("a", "b"), click = c(1, 0, 1, 1, 0, 1, 0, 0))
  found <- interleaving_result(shown)
  expect_equal(found$estimate, 0)
  expect_equal(c(found$wins_a, found$wins_b, found$ties), c(1, 1, 1) / 3)
  # The outcomes sum to 1 for query p and to -1 for query q, which has one of the three sessions.
  expect_equal(found$se, sqrt((1 / (1 - 2 / 3) + 1 / (1 - 1 / 3)) / 9))
  expect_identical(found$clicked, 3L)
  expect_identical(tidy(found)$ties, found$ties)
  expect_snapshot(found)
  none <- interleaving_result(transform(shown, click = 0))
  expect_identical(none$estimate, NaN)
  expect_snapshot(none)
})

test_that("a few queries with the same outcome are weak evidence", {
  wins <- data.frame(session = rep(1:3, each = 2), query = rep(1:3, each = 2), team = c("a", "b"), click = c(1, 0))
  found <- interleaving_result(wins)
  expect_identical(c(found$estimate, found$se, found$lower, found$upper, found$p), c(1, 0, NA, NA, 0.25))
  expect_output(print(found), "+1.000 [no interval], p = 0.2500", fixed = TRUE)
  ties <- interleaving_result(transform(wins, click = 1))
  expect_identical(c(ties$estimate, ties$lower, ties$upper, ties$p), c(0, 0, 0, NA))
})

test_that("the interval keeps its level if few queries have most of the sessions", {
  set.seed(2)
  sizes <- ceiling(200 / 1:50)
  query <- rep(1:50, sizes)
  times <- repetitions(2000)
  covered <- vapply(seq_len(times), function(i) {
    taste <- rnorm(50, 0, 0.5)[query]
    a <- runif(length(query)) < plogis(taste)
    decided <- runif(length(query)) < 0.6
    found <- rankmix:::summarise_wins(as.double(a & decided), as.double(!a & decided), query, length(query), 0.95)
    found$lower <= 0 && found$upper >= 0
  }, NA)
  # Four standard errors of the draws, and 1 % for the few effective queries.
  expect_gt(mean(covered), 0.94 - 4 * sqrt(0.05 * 0.95 / times))
})

test_that("bad input is refused", {
  refuse <- function(code, class = "argument") {
    expect_snapshot_error(code, class = paste0("rankmix_error_", class))
  }
  data <- simulate_ranking(2, documents = 3, seed = 1)$data
  score <- data$x[, 1]
  refuse(interleave(score))
  refuse(interleave(score, score))
  refuse(interleave(score, score, 3))
  refuse(interleave(score, 1:2, data), "scores")
  refuse(interleave(score, score, data, "balanced"))
  refuse(interleave(score, score, data, depth = 0))
  shown <- interleave(score, score, data, seed = 1)
  refuse(interleaving_result(3))
  refuse(interleaving_result(shown), "column")
  refuse(interleaving_result(transform(shown, click = 2)), "click")
  refuse(interleaving_result(transform(shown, click = 1, team = "c")), "column")
  refuse(interleaving_result(transform(shown, click = 1, prob_a = 2)), "column")
  refuse(interleaving_result(transform(shown, click = 1)[0, ]), "empty")
  refuse(interleaving_result(transform(shown, click = 1, query = replace(query, 2, NA))), "query")
  refuse(interleaving_result(transform(shown, click = 1, query = replace(query, 2, 9))), "query")
  expect_snapshot(interleaving_result(transform(shown, click = 1)[1:3, ]))
})
