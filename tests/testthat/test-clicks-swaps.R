test_that("the ratio of Mantel and Haenszel, and its interval", {
  # Document a is clicked in 4 of 10 displays at position 1, and in 2 of 10 at position 2. Document b of another query
  # is clicked in 3 of 5 and in 8 of 20.
  rows <- function(query, document, position, shown, clicked) {
    data.frame(query = query, document = document, position = position, click = rep(1:0, c(clicked, shown - clicked)))
  }
  at1 <- rbind(rows("p", "a", 1, 10, 4), rows("q", "b", 1, 5, 3), rows("p", "x", 1, 10, 0), rows("q", "y", 1, 20, 0))
  at2 <- rbind(rows("p", "x", 2, 10, 0), rows("q", "y", 2, 5, 0), rows("p", "a", 2, 10, 2), rows("q", "b", 2, 20, 8))
  at1$session <- at2$session <- seq_len(45)
  log <- click_log(rbind(at1, at2))
  found <- examination_from_swaps(log)
  top <- c(2 * 10 / 20, 8 * 5 / 25)
  bottom <- c(4 * 10 / 20, 3 * 20 / 25)
  expect_equal(found$estimate, c(1, sum(top) / sum(bottom)))
  influence <- top / sum(top) - bottom / sum(bottom)
  share <- (top / sum(top) + bottom / sum(bottom)) / 2
  se <- sqrt(sum(influence^2 / (1 - share)))
  expect_equal(found$se[2], found$estimate[2] * se)
  # Two queries of unequal size are fewer than two effective queries.
  expect_identical(found$lower[2], NA_real_)
  # The log twice, with other queries.
  twice <- rbind(at1, at2)
  other <- transform(twice, query = paste0(query, 2), session = session + 45)
  twice <- examination_from_swaps(click_log(rbind(twice, other)))
  half <- qt(0.975, 1 / sum(2 * (share / 2)^2) - 1) * sqrt(2 * sum((influence / 2)^2 / (1 - share / 2)))
  expect_equal(twice$lower[2], exp(log(found$estimate[2]) - half))
  expect_equal(found$documents, c(NA, 4L))
  expect_equal(examination_from_swaps(log, "adjacent"), found)
})

test_that("examination is recovered from random orders, by both methods", {
  judged <- simulate_ranking(200, documents = 5, seed = 1)$data
  truth <- c(1, 0.7, 0.5, 0.2)
  log <- simulate_clicks(judged, 100, depth = 4, seed = 2, examination = truth, output = "log",
                         attraction = c(0.3, 0.5, 0.7, 0.8, 0.9))
  for (how in c("pivot", "adjacent")) {
    found <- examination_from_swaps(log, how)
    expect_true(all(abs(found$estimate - truth)[-1] < 4 * found$se[-1]))
    expect_true(all(found$se[-1] < 0.05))
  }
  direct <- evaluate_clicks(as.double(judged$relevance), log, "dcg@3", data = judged, examination = found)
  expect_equal(direct$rankers$estimate,
               evaluate_clicks(as.double(judged$relevance), log, "dcg@3", data = judged,
                               examination = found$estimate)$rankers$estimate)
})

test_that("positions without links by swaps are reported", {
  rows <- data.frame(session = c(1, 1, 2, 2), query = "q", document = c("a", "b"), position = 1:2,
                     click = c(1, 0, 1, 1))
  expect_warning(found <- examination_from_swaps(click_log(rows)), class = "rankmix_warning_identification")
  expect_identical(found$estimate, c(1, NA))
  refuse <- function(code) expect_snapshot_error(code, class = "rankmix_error_argument")
  refuse(examination_from_swaps(rows))
  refuse(examination_from_swaps(click_log(rows), "both"))
})
