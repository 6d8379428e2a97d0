test_that("good and bad assessors are distinguished, and better than a majority", {
  case <- drawn_votes(3000, 1)
  for (confusion in c("full", "ordinal")) {
    model <- dawid_skene(case$votes, confusion)
    expect_equal(model$assessors$accuracy, c(0.93, 0.83, 0.6), tolerance = 0.06)
    expect_gt(model$assessors$shift[3L], 0.25)
    expect_lt(abs(model$assessors$shift[1L]), 0.05)
    expect_equal(unname(model$prevalence), c(0.5, 0.3, 0.2), tolerance = 0.06)
    majority <- apply(case$votes, 1L, function(row) which.max(tabulate(row[!is.na(row)] + 1, 3)) - 1)
    expect_gt(mean(model$documents$grade == case$true), mean(majority == case$true))
    # The probabilities are calibrated: the mean of the largest probabilities is close to the accuracy.
    p <- model$probability[cbind(1:3000, case$true + 1L)]
    sure <- apply(model$probability, 1L, max)
    expect_lt(abs(mean(sure) - mean(model$documents$grade == case$true)), 0.02)
  }
})

test_that("accuracy and shift agree with the matrices", {
  model <- dawid_skene(drawn_votes(80, 2)$votes)
  own <- model$confusion[, , "llm"]
  expect_equal(model$assessors$accuracy[3L], sum(model$prevalence * diag(own)))
  expect_equal(model$assessors$shift[3L], sum(model$prevalence * (own %*% 0:2 - 0:2)))
  expect_equal(apply(model$confusion, c(1, 3), sum), matrix(1, 3, 3), ignore_attr = TRUE)
  expect_equal(rowSums(model$probability), rep(1, 80))
})

test_that("assessors print and are tidy", {
  model <- dawid_skene(drawn_votes(80, 2)$votes)
  expect_snapshot(print(model))
  expect_identical(tidy(model), model$assessors)
  documents <- tidy(model, what = "documents")
  expect_identical(names(documents), c("unit", "judgements", "grade", "p_0", "p_1", "p_2"))
  expect_error(tidy(model, what = "queries"), class = "rankmix_error_argument")
})

test_that("no option is ignored", {
  votes <- drawn_votes(60, 1)$votes
  plain <- dawid_skene(votes)
  for (other in list(dawid_skene(votes, prior = 0), dawid_skene(votes, confusion = "ordinal"),
                     dawid_skene(votes, tolerance = 0.01))) {
    expect_false(identical(other$confusion, plain$confusion))
  }
})

test_that("arguments are checked", {
  votes <- drawn_votes(30, 1)$votes
  expect_error(dawid_skene(), "`x`", class = "rankmix_error_argument")
  expect_error(dawid_skene(votes, "diagonal"), "`confusion`", class = "rankmix_error_argument")
  expect_error(dawid_skene(votes, prior = -1), "`prior`", class = "rankmix_error_argument")
  expect_error(dawid_skene(votes, grades = 2), "has the grade 2", class = "rankmix_error_grade")
  expect_identical(length(dawid_skene(votes, grades = 5)$prevalence), 5L)
  expect_warning(dawid_skene(votes, iterations = 2), "did not converge", class = "rankmix_warning_convergence")
})
