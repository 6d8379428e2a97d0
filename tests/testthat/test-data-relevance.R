# Click-through revenue with many zeros and few equal values. Rows are in random order.
revenue_data <- function(queries = 12, size = 9, shift = 0, seed = 1, ...) {
  set.seed(seed)
  query <- sample(rep(seq_len(queries), each = size))
  x <- matrix(round(stats::rnorm(4 * queries * size), 2), ncol = 4)
  value <- round(exp(x[, 1] + 0.5 * x[, 2] + stats::rnorm(nrow(x)) / 2), 2)
  value[stats::runif(nrow(x)) < 0.3] <- 0
  ranking_data(x, value + shift, query, ...)
}

test_that("whole numbers up to 127 stay grades, other numbers are kept", {
  expect_identical(ranking_data(diag(3), c(0, 127, 1), 1:3)$relevance, c(0L, 127L, 1L))
  for (value in list(c(0, 128, 1), c(0, 0.5, 1), c(-1, 0, 1))) {
    data <- ranking_data(diag(3), value, 1:3)
    expect_identical(data$relevance, value)
    expect_false(is_graded(data))
  }
  expect_error(ranking_data(diag(2), c(1.5, NA), 1:2), class = "rankmix_error_grade")
  expect_error(ranking_data(diag(2), c(1.5, Inf), 1:2), class = "rankmix_error_grade")
  expect_output(print(revenue_data()), "Relevance: 0.*median")
})

test_that("a subset keeps the type of the relevance, and parts can be combined", {
  data <- ranking_data(diag(4), c(1, 0, 2.5, 3), c(1, 1, 2, 2))
  expect_false(is_graded(data[1]))
  expect_identical(c(data[1], data[2])$relevance, data$relevance)
  expect_identical(as.data.frame(data)$relevance, data$relevance)
  expect_identical(head(data, 3)$relevance, data$relevance[1:3])
})

test_that("a feature that equals the relevance is left out", {
  data <- revenue_data()
  expect_warning(other <- ranking_data(cbind(data$x, data$relevance), data$relevance, data$query),
                 class = "rankmix_warning_leak")
  expect_identical(dim(other$x), dim(data$x))
})

test_that("levels number the distinct values of each query", {
  found <- relevance_levels(c(2.5, 0.1, 2.5, -1, 2.5), c(1, 2, 1, 1, 2))
  expect_identical(found$levels - first_level, c(1L, 2L, 1L, 0L, 3L))
  expect_identical(found$values, c(-1, 2.5, 0.1, 2.5))
})

test_that("metrics of numbers agree with slow references", {
  data <- revenue_data(queries = 30)
  score <- round(data$x[, 1], 1)
  query <- data$query_ids[data$query]
  metrics <- list(list(metric_ndcg(5), "ndcg", list(k = 5, gain = "linear")),
                  list(metric_ndcg(gain = sqrt), "ndcg", list(gain = "linear"), sqrt),
                  list(metric_ndcg(4, gain = function(x) 1 / (1 + x)), "ndcg", list(k = 4, gain = "linear"),
                       function(x) 1 / (1 + x)),
                  list(metric_dcg(3, discount = "log"), "dcg",
                       list(k = 3, gain = "linear", discount = "log")),
                  list(metric_mean_ndcg(4), "mean_ndcg", list(k = 4, gain = "linear")),
                  list(metric_precision(3, relevant = 1.25), "precision", list(k = 3, relevant = 1.25)),
                  list(metric_average_precision(relevant = 0.5), "average_precision", list(relevant = 0.5)),
                  list(metric_recall(2, relevant = 2.1), "recall", list(k = 2, relevant = 2.1)))
  for (case in metrics) {
    found <- without_tie_warning(evaluate(score, data, case[[1]]))
    gain <- if (length(case) > 3L) case[[4]] else identity
    wanted <- vapply(data$query_ids, function(id) {
      rows <- which(query == id)
      ranked <- gain(data$relevance[rows][order(-score[rows], seq_along(rows))])
      do.call(naive_metrics[[case[[2]]]], c(list(ranked, ranked), case[[3]]))
    }, 0)
    wanted[!is.finite(wanted)] <- 0
    expect_equal(found$value, unname(wanted), tolerance = 1e-13, info = format(case[[1]]))
  }
})

test_that("averaged ties of numbers are means over all orders", {
  data <- ranking_data(cbind(1:4), c(0.3, 2.5, 0, 7), rep(1, 4))
  value <- function(score) evaluate(score, data, metric_ndcg(2, ties = "average"))$value
  orders <- rbind(c(4, 3, 2, 1), c(4, 2, 3, 1), c(3, 4, 2, 1), c(2, 4, 3, 1), c(3, 2, 4, 1), c(2, 3, 4, 1))
  expect_equal(value(c(2, 2, 2, 1)), mean(apply(orders, 1, value)))
})

test_that("a metric of all whole numbers is the metric of the grades", {
  graded <- ranking_data(matrix(1:40), sample(rep(0:4, 8)), rep(1:4, 10))
  numbers <- graded
  numbers$relevance <- as.double(graded$relevance)
  for (metric in list(metric_ndcg(5, gain = "linear", ties = "worst"), metric_dcg(gain = "linear"),
                      metric_reciprocal_rank(relevant = 2), metric_bpref(relevant = 3),
                      metric_rbp(relevant = 2, ties = "average"), metric_judged(3))) {
    score <- rep(1:8, 5)
    value <- function(data) without_tie_warning(evaluate(score, data, metric)$value)
    expect_identical(value(numbers), value(graded), info = format(metric))
  }
})

test_that("metrics that need grades or a threshold give an error", {
  data <- revenue_data()
  score <- data$x[, 1]
  for (metric in list(metric_ndcg(gain = "exponential"), metric_ndcg(gain = c(0, 1)), metric_err(),
                      metric_precision(5), "average_precision", metric_ndcg(convention = "lightgbm"),
                      metric_trec("ndcg_rel"))) {
    expect_error(evaluate(score, data, metric), class = "rankmix_error_grade")
  }
  below <- revenue_data(shift = -1)
  expect_error(evaluate(score, below, "ndcg@10"), class = "rankmix_error_grade")
  shifted <- evaluate(score, below, metric_ndcg(10, gain = function(x) x + 1))
  expect_equal(shifted$value, evaluate(score, data, "ndcg@10")$value, tolerance = 1e-10)
  expect_error(evaluate(score, data, metric_ndcg(gain = function(x) -x)), class = "rankmix_error_argument")
  expect_error(evaluate(score, data, metric_ndcg(gain = function(x) 1)), class = "rankmix_error_argument")
  graded <- group_grades(data, breaks = relevance_breaks(data, 3))
  expect_error(evaluate(score, graded, metric_precision(5, relevant = 0)), class = "rankmix_error_argument")
  expect_identical(evaluate(score, graded, metric_precision(5, relevant = 1.5))$value,
                   evaluate(score, graded, metric_precision(5, relevant = 2))$value)
  expect_identical(evaluate(score, graded, metric_ndcg(gain = function(x) 2^x - 1))$value,
                   evaluate(score, graded, metric_ndcg())$value)
})

test_that("the evaluation shows the gain that it uses", {
  shown <- attr(evaluate(revenue_data()$x[, 1], revenue_data(), "ndcg@10"), "shown")
  expect_match(shown, "gain = \"linear\"", fixed = TRUE)
})

test_that("equal judgements are recognised", {
  data <- revenue_data()
  expect_identical(relevance_marks(data)[data$relevance == 0], rep(0L, sum(data$relevance == 0)))
  marks <- relevance_marks(data)
  expect_identical(match(marks, marks), match(data$relevance, data$relevance))
})

test_that("breaks make groups of about the same size", {
  data <- revenue_data()
  breaks <- relevance_breaks(data, 4)
  grades <- group_grades(data, breaks = breaks)$relevance
  expect_type(grades, "integer")
  # By definition, the grade is the number of quantiles below the value.
  ends <- sort(data$relevance)[ceiling(nrow(data) * 1:3 / 4)]
  expect_identical(grades, as.integer(rowSums(outer(data$relevance, unique(ends), ">"))))
  expect_identical(grades == 0, data$relevance <= ends[1])
  expect_error(group_grades(data, "binary"), class = "rankmix_error_grade")
  expect_error(group_grades(data, breaks = c(2, 1)), class = "rankmix_error_argument")
  expect_error(group_grades(data, "binary", breaks = 1), class = "rankmix_error_argument")
  expect_error(relevance_breaks(ranking_data(diag(2), c(0.5, 0.5), 1:2)), class = "rankmix_error_grade")
})

# One small specification of each ranker and loss that supports numeric relevance.
number_specs <- function() {
  trees <- function(objective) gbrt(trees = 4, min_data_in_leaf = 2, objective = objective)
  c(lapply(list(loss_squared(), loss_pairwise(), loss_softmax(), loss_xendcg(), loss_list_mle(),
                loss_query_rmse(), loss_smooth(), loss_lambda(), loss_lambda(pairs = 2),
                loss_lambda(metric_precision(2, relevant = 1.1))), trees),
    list(linear_ranker(), linear_ranker(loss_pairwise()), linear_ranker(loss_softmax()), ranksvm(),
         rankboost(rounds = 4), coordinate_ascent(restarts = 1), adarank("ndcg@5", repeats = 1),
         best_feature(), m5p(), bagging(m5p(), times = 2), network_ranker(hidden = 3, epochs = 2),
         network_ranker(loss_lambda(), hidden = 3, epochs = 2)))
}

test_that("rankers of numbers are invariant to the order of rows and the unit of threads", {
  data <- revenue_data()
  rows <- order(data$x[, 2])
  moved <- ranking_data(data$x[rows, ], data$relevance[rows], data$query_ids[data$query][rows])
  for (spec in number_specs()) {
    model <- fit(spec, data, seed = 1, threads = 1, verbose = FALSE)
    again <- fit(spec, moved, seed = 1, threads = 2, verbose = FALSE)
    expect_equal(predict(again, moved), predict(model, data)[rows], tolerance = 1e-5, info = format(spec))
    if (inherits(spec, "rankmix_gbrt")) {
      expect_identical(predict(again, moved), predict(model, data)[rows], info = format(spec))
    }
  }
})

test_that("whole numbers as numbers train the models of the grades", {
  set.seed(3)
  graded <- ranking_data(matrix(stats::rnorm(300), ncol = 3), sample(0:3, 100, TRUE), rep(1:10, 10))
  numbers <- graded
  numbers$relevance <- as.double(graded$relevance)
  linear <- metric_ndcg(5, gain = "linear")
  for (spec in list(gbrt(trees = 3), gbrt(trees = 3, objective = loss_pairwise()),
                    lambdamart(linear, trees = 3), gbrt(trees = 3, objective = loss_list_mle()),
                    rankboost(rounds = 3), adarank(linear, repeats = 1),
                    linear_ranker(loss_squared("grade"), penalty = 1), m5p(),
                    coordinate_ascent(linear, restarts = 2), best_feature(linear))) {
    scores <- function(data) predict(fit(spec, data, seed = 1, threads = 1, verbose = FALSE), data)
    expect_identical(scores(numbers), scores(graded), info = format(spec))
  }
})

test_that("a model of a relevance that is not graded resumes only on the same relevance", {
  data <- revenue_data()
  model <- fit(gbrt(trees = 3), data, threads = 1, verbose = FALSE)
  expect_identical(predict(fit(model, data, rounds = 6, threads = 1, verbose = FALSE), data),
                   predict(fit(gbrt(trees = 6), data, threads = 1, verbose = FALSE, seed = model$seed), data))
  other <- data
  other$relevance <- data$relevance * 2
  expect_error(fit(model, other, rounds = 6, threads = 1, verbose = FALSE), class = "rankmix_error")
})

test_that("validation uses linear gains, or asks for a metric", {
  data <- revenue_data(20)
  spec <- gbrt(trees = 10, num_leaves = 4)
  model <- fit(spec, data[1:14], data[15:20], threads = 1, verbose = FALSE)
  linear <- fit(spec, data[1:14], data[15:20], metric_ndcg(10, gain = "linear"), threads = 1, verbose = FALSE)
  expect_identical(model$best_rounds, linear$best_rounds)
  below <- revenue_data(20, shift = -1)
  expect_error(fit(spec, below[1:14], below[15:20], threads = 1, verbose = FALSE),
               class = "rankmix_error_grade")
  expect_no_error(fit(spec, below, threads = 1, verbose = FALSE))
})

test_that("errors of functions that need grades name group_grades()", {
  data <- revenue_data()
  for (spec in list(adaboost_mh(rounds = 2), mcsvm(), cocr(), smoothrank(), yetirank(trees = 2),
                    gbrt(objective = loss_ordinal()), mixture(gbrt(trees = 2)))) {
    error <- expect_error(fit(spec, data, verbose = FALSE), class = "rankmix_error_grade")
    expect_match(conditionMessage(error), "group_grades", fixed = TRUE)
  }
  expect_error(fit(gbrt(objective = loss_squared("gain")), data, verbose = FALSE),
               class = "rankmix_error_grade")
  expect_error(fit(gbrt(objective = loss_softmax()), revenue_data(shift = -1), verbose = FALSE),
               class = "rankmix_error_grade")
  for (f in list(function() simulate_clicks(data),
                 function() calibrate(matrix(0, nrow(data), 2), data, calibrator_naive()))) {
    expect_error(f(), class = "rankmix_error_grade")
  }
})
