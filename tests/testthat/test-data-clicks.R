judged <- simulate_ranking(30, documents = 12, grades = c(0.5, 0.3, 0.2), seed = 1)$data

test_that("the rate of clicks is examination times attraction", {
  attraction <- c(0.1, 0.4, 0.9)
  examination <- c(1, 0.6, 0.3)
  clicks <- simulate_clicks(judged, sessions = 300, depth = 3, examination = examination,
                            attraction = attraction, seed = 2)
  expect_identical(sort(unique(clicks$position)), 1:3)
  expect_length(clicks$query_ids, 30L * 300L)
  # Features identify the rows that were shown.
  key <- function(x) apply(x, 1, paste, collapse = " ")
  grade <- judged$relevance[match(key(clicks$x), key(judged$x))]
  for (g in 0:2) {
    for (k in 1:3) {
      at <- grade == g & clicks$position == k
      p <- binom.test(sum(clicks$relevance[at]), sum(at), attraction[g + 1] * examination[k])$p.value
      expect_gt(p, 0.001)
    }
  }
})

test_that("a click can end a cascade, and without an end the cascade examines by position", {
  shown <- function(...) {
    simulate_clicks(judged, sessions = 200, depth = 4, examination = c(1, 0.8, 0.6, 0.3),
                    user = "cascade", seed = 3, ...)
  }
  ended <- shown()
  expect_lte(max(tapply(ended$relevance, ended$query, sum)), 1L)
  going <- shown(stop = 0, attraction = c(1, 1, 1))
  rate <- tapply(going$relevance, going$position, sum)
  for (k in 1:4) {
    expect_gt(binom.test(rate[[k]], 6000, c(1, 0.8, 0.6, 0.3)[k])$p.value, 0.001)
  }
  # With attraction 1, every examined document is clicked. So a click implies clicks on all documents above.
  expect_true(all(tapply(going$relevance, going$query, function(v) !is.unsorted(-v))))
})

test_that("the ranker decides which documents are shown, and noise decides how often others are shown", {
  scores <- as.double(judged$x[, 1])
  same <- simulate_clicks(judged, sessions = 2, ranker = scores, depth = 5, seed = 1)
  for (q in unique(same$query)) {
    expect_false(is.unsorted(-same$x[same$query == q, 1]))
  }
  noisy <- simulate_clicks(judged, sessions = 2, ranker = scores, noise = 1, depth = 5, seed = 1)
  expect_false(identical(noisy$x, same$x))
  truth <- simulate_ranking(30, documents = 12, grades = c(0.5, 0.3, 0.2), seed = 1)$truth
  expect_identical(simulate_clicks(judged, 1, ranker = truth, seed = 1),
                   simulate_clicks(judged, 1, ranker = predict(truth, judged), seed = 1))
  weighted <- judged
  weighted$weight <- as.double(seq_along(judged$query_ids))
  kept <- simulate_clicks(weighted, sessions = 2, seed = 1)
  expect_identical(kept$weight, rep(weighted$weight, each = 2))
})

test_that("arguments outside their range are refused", {
  refuse <- function(code) expect_snapshot_error(code, class = "rankmix_error_argument")
  refuse(simulate_clicks())
  refuse(simulate_clicks(3))
  refuse(simulate_clicks(judged, sessions = 0))
  refuse(simulate_clicks(judged, ranker = 1:3))
  refuse(simulate_clicks(judged, user = "model"))
  refuse(simulate_clicks(judged, examination = c(1, 0.5)))
  refuse(simulate_clicks(judged, depth = 2, examination = c(0.5, 1)))
  refuse(simulate_clicks(judged, attraction = 0.5))
  refuse(simulate_clicks(judged, stop = 2))
  bare <- ranking_data(judged$x, query = judged$query)
  expect_snapshot_error(simulate_clicks(bare), class = "rankmix_error_unjudged")
})

test_that("positions stay with their rows", {
  x <- cbind(a = c(0.5, 0.1, 0.9, 0.3))
  data <- ranking_data(x, c(1, 0, 0, 1), c("p", "q", "p", "q"), position = c(2, 1, 1, 7))
  expect_identical(data$position, c(2L, 1L, 1L, 7L))
  expect_identical(data["q"]$position, c(1L, 7L))
  expect_identical(data[, "a"]$position, data$position)
  expect_identical(c(data["q"], data["p"])$position, c(1L, 7L, 2L, 1L))
  expect_identical(standardize_queries(data)$position, data$position)
  frame <- as.data.frame(data)
  expect_identical(frame$position, data$position)
  again <- ranking_data(frame, relevance = relevance, query = query, position = position)
  expect_identical(again$position, data$position)
  expect_identical(again$features, "a")
  expect_null(ranking_data(x, c(1, 0, 0, 1), 1:4)$position)
  bad <- function(position, class = "position") {
    expect_snapshot_error(ranking_data(x, c(1, 0, 0, 1), 1:4, position = position),
                          class = paste0("rankmix_error_", class))
  }
  bad(c(1, 2, NA, 4))
  bad(c(1, 2, 0, 4))
  bad(c(1, 2.5, 3, 4))
  bad("top", "length")
  bad(letters[1:4])
  none <- ranking_data(x, c(1, 0, 0, 1), 11:14)
  expect_snapshot_error(c(ranking_data(x, c(1, 0, 0, 1), 1:4, position = 1:4), none),
                        class = "rankmix_error_position")
  expect_snapshot(data)
})
