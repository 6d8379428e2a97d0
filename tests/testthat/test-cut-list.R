test_that("cuts keep the documents that reach their threshold, on each scale", {
  sample <- withr::with_seed(1, cut_sample(150))
  data <- cut_data(sample)
  ranker <- function(data) data$x[, "score"]
  new <- cut_data(withr::with_seed(2, cut_sample(30)))
  for (risk in c("precision >= 0.7", "recall >= 0.7")) {
    cut <- cut_list(ranker, data, risk)
    expect_true(cut$certified)
    expect_identical(predict(cut, new), unname(new$x[, "score"] >= cut$threshold))
    ranked <- cut_list(ranker, data, risk, by = "rank")
    expect_identical(predict(ranked, new), rankmix:::last_ranks(new$x[, "score"], new) <= ranked$threshold)
    model <- calibrate(ranker, new, calibrator_probability())
    likely <- cut_list(model, data, risk, by = "probability")
    expect_identical(predict(likely, new), predict(model, new, type = "prob") >= likely$threshold)
    # Scores can be given instead of the ranker.
    of_scores <- cut_list(sample$position, data, risk)
    expect_identical(of_scores$path, cut$path)
    expect_identical(predict(of_scores, new, scores = new$x[, "score"]), predict(cut, new))
  }
})

test_that("the order of rows, equal weights and coarse scores change nothing", {
  sample <- withr::with_seed(3, cut_sample(100))
  data <- cut_data(sample)
  ranker <- function(data) data$x[, "score"]
  cut <- cut_list(ranker, data, "precision >= 0.7")
  rows <- withr::with_seed(4, base::sample(nrow(data)))
  shuffled <- ranking_data(data$x[rows, ], data$relevance[rows], sample$query[rows])
  expect_identical(cut_list(ranker, shuffled, "precision >= 0.7")$path, cut$path)
  expect_identical(cut_list(ranker, shuffled, "precision >= 0.7", by = "rank")$path,
                   cut_list(ranker, data, "precision >= 0.7", by = "rank")$path)
  weighted <- ranking_data(data$x, data$relevance, sample$query, weight = rep(2, nrow(data)))
  expect_identical(cut_list(ranker, weighted, "precision >= 0.7")$path, cut$path)
  expect_lt(nrow(tidy(cut_list(function(data) data$x[, "score"] + 1e-4, data, digits = 1) |> suppressWarnings())),
            nrow(tidy(cut)))
})

test_that("queries without a relevant document are left out for recall alone", {
  sample <- withr::with_seed(5, cut_sample(120))
  sample$relevant[sample$query <= 10] <- FALSE
  data <- cut_data(sample)
  none <- sum(tabulate(sample$query[sample$relevant], 120) == 0)
  recall <- cut_list(sample$position, data, "recall >= 0.7")
  expect_identical(c(recall$queries, recall$left_out), c(120L - none, none))
  precision <- cut_list(sample$position, data, "precision >= 0.6")
  expect_identical(c(precision$queries, precision$left_out), c(120L, 0L))
  slow <- slow_losses(with_relevant(sample), recall$threshold, "recall")
  expect_equal(glance(recall)$estimate, 1 - mean(slow))
})

test_that("without a certified threshold nothing or everything is kept", {
  data <- cut_data(withr::with_seed(6, cut_sample(20)))
  ranker <- function(data) data$x[, "score"]
  expect_snapshot({
    few <- cut_list(ranker, data, "precision >= 0.9")
    few
    all <- cut_list(ranker, data, "recall >= 0.9", by = "rank")
    all
  })
  expect_false(any(predict(few, data)))
  expect_true(all(predict(all, data)))
  expect_warning(cut_list(ranker, data, "recall >= 0.96", level = NULL), "24", class = "rankmix_warning_uncertified")
})

test_that("relevant and level matter", {
  simulation <- simulate_ranking(200, seed = 1)
  of <- function(...) cut_list(simulation$truth, simulation$data, "recall >= 0.7", ...)
  expect_lt(of(level = 0.99)$threshold, of(level = 0.8)$threshold)
  expect_lt(of()$threshold, of(level = NULL)$threshold)
  expect_gt(of(relevant = 2)$threshold, of()$threshold)
})

test_that("bad input is refused", {
  data <- cut_data(withr::with_seed(7, cut_sample(20)))
  scores <- data$x[, 1]
  refuse <- function(code, class = "rankmix_error_argument") expect_snapshot_error(code, class = class)
  refuse(cut_list())
  refuse(cut_list(scores))
  refuse(cut_list(scores, scores))
  refuse(cut_list(scores, data, "err >= 0.9"))
  refuse(cut_list(scores, data, "precision >= 1"))
  refuse(cut_list(scores, data, 0.9))
  refuse(cut_list(scores, data, level = 0.05))
  refuse(cut_list(scores, data, by = "place"))
  refuse(cut_list(scores, data, digits = 0))
  refuse(cut_list(scores, data, relevant = 0))
  refuse(cut_list(scores, data, confidence = 0.9))
  refuse(cut_list(scores[-1], data), "rankmix_error_scores")
  refuse(cut_list(replace(scores, 2, Inf), data), "rankmix_error_scores")
  refuse(cut_list(scores * 9, data, by = "probability"), "rankmix_error_probability")
  refuse(cut_list(fit(gbrt(2), data, verbose = FALSE), data, by = "probability"), "rankmix_error_calibration")
  refuse(cut_list(scores, data, "recall >= 0.5", relevant = 2), "rankmix_error_grade")
  weighted <- data
  weighted$weight <- c(2, rep(1, 19))
  refuse(cut_list(scores, weighted), "rankmix_error_weights")
  refuse(cut_list(scores, ranking_data(data$x, query = data$query)), "rankmix_error_unjudged")
})
