test_that("EM agrees with the slow reference", {
  for (seed in draws(5)) {
    votes <- assessor_votes(drawn_votes(40, seed)$votes)
    votes$grades <- 3L
    for (prior in c(0, 1)) {
      alpha <- pseudo_counts(3L, prior)
      expected <- naive_dawid_skene(drawn_votes(40, seed)$votes, 3L, 7, alpha)
      found <- em_assessors(votes, "full", prior, 7, 0)
      expect_equal(found$loglik, expected$loglik[7], tolerance = 1e-12)
      expect_equal(found$probability, expected$posterior, ignore_attr = TRUE)
      expect_equal(found$pi, expected$pi, ignore_attr = TRUE)
      expect_equal(found$prevalence, expected$p, ignore_attr = TRUE)
    }
  }
})

test_that("no iteration makes the objective smaller", {
  votes <- assessor_votes(drawn_votes(60, 3)$votes)
  votes$grades <- 3L
  for (confusion in c("full", "ordinal")) {
    objective <- vapply(1:12, function(i) em_assessors(votes, confusion, 1, i, 0)$objective, 0)
    expect_true(all(diff(objective) > -1e-6), info = confusion)
  }
})

test_that("a case that can be enumerated has the exact posterior", {
  # Two documents and two assessors have given parameters. Bayes' rule gives P(grade 1 | votes).
  pi <- array(c(0.9, 0.2, 0.1, 0.8, 0.7, 0.4, 0.3, 0.6), c(2, 2, 2))
  votes <- list(unit = c(1L, 1L, 2L), assessor = c(1L, 2L, 1L), grade = c(1L, 0L, 1L), grades = 2L,
                units = data.frame(unit = 1:2), assessors = c("a", "b"))
  found <- grade_posterior(votes, (votes$assessor - 1L) * 2L + votes$grade + 1L, pi, c(0.6, 0.4))
  first <- c(0.6 * 0.1 * 0.7, 0.4 * 0.8 * 0.4)
  second <- c(0.6 * 0.1, 0.4 * 0.8)
  expect_equal(found$probability, rbind(first / sum(first), second / sum(second)), ignore_attr = TRUE)
  expect_equal(found$loglik, log(sum(first)) + log(sum(second)))
})

test_that("confusions of an ordinal assessor agree with a rounded normal number", {
  pi <- ordinal_confusion(cbind(c(0.3, 0.8)), 4)[, , 1L]
  expect_equal(rowSums(pi), rep(1, 4), tolerance = 1e-9)
  expect_equal(pi[2L, 3L], pnorm(2.5, 1.3, 0.8) - pnorm(1.5, 1.3, 0.8))
  expect_equal(pi[2L, 1L], pnorm(0.5, 1.3, 0.8))
  # Many counts determine the shapes, so the estimates must be close to the true shapes.
  found <- ordinal_shapes(array(1000 * pi, c(4, 4, 1)), cbind(c(0, 0.5)))
  expect_equal(found[, 1L], c(0.3, 0.8), tolerance = 1e-3)
})

test_that("votes come from matrices and data frames", {
  votes <- drawn_votes(10, 1, 0)$votes
  votes[3, ] <- NA
  long <- data.frame(query = "q", document = rep(1:10, 3), assessor = rep(colnames(votes), each = 10),
                     relevance = as.vector(votes))
  from_matrix <- assessor_votes(votes)
  from_frame <- assessor_votes(long)
  expect_identical(from_frame$assessors, from_matrix$assessors)
  expect_identical(from_frame$grade, from_matrix$grade)
  expect_identical(from_frame$units$document, 1:10)
  # A document without votes has the prevalence as its probabilities.
  model <- dawid_skene(votes)
  expect_equal(model$probability[3, ], model$prevalence)
  expect_identical(assessor_votes(unname(votes))$assessors, paste0("assessor", 1:3))
})

test_that("votes that cannot be used are refused", {
  expect_error(dawid_skene(matrix(NA_real_, 2, 2)), "no judgement", class = "rankmix_error_argument")
  expect_error(dawid_skene(matrix(0.5, 2, 2)), "whole numbers", class = "rankmix_error_grade")
  expect_error(dawid_skene(data.frame(query = 1, relevance = 1)), "lacks the column `document`",
               class = "rankmix_error_argument")
  expect_error(dawid_skene(3), "a matrix or a data frame", class = "rankmix_error_argument")
  twice <- data.frame(document = c(1, 1), assessor = "a", relevance = 1)
  expect_error(dawid_skene(twice), "twice", class = "rankmix_error_argument")
  expect_error(dawid_skene(data.frame(document = 1, assessor = "a", relevance = factor("good"))), "a factor",
               class = "rankmix_error_grade")
})
