test_that("a metric is read from its text", {
  metrics <- list(
    metric_ndcg(10), metric_ndcg(10, empty = 1), metric_ndcg(), metric_err(5, max_grade = 4),
    metric_dcg(3, gain = c(0, 0.1, 1 / 3), discount = c(1, 1e-20)),
    metric_ndcg(20, convention = "gdeval", empty = "drop"), metric_bpref(relevant = 2),
    metric_rbp(persistence = 0.8 + 1e-9), metric_ndcg(empty = 0), metric_precision(5, relevant = 2L),
    metric_err(max_grade = NULL, convention = "ranklib"), metric_ndcg(gain = 0:3),
    metric_rbp(persistence = 0.95, ties = "average"), metric_average_precision(), metric_r_precision()
  )
  for (metric in metrics) {
    expect_identical(as_metric(format(metric)), metric)
  }
  expect_identical(as_metric(" ndcg@10 ( empty = 1 ) "), metric_ndcg(10, empty = 1))
  expect_identical(as_metric("map"), metric_average_precision())
  expect_identical(as_metric("p@5"), metric_precision(5))
  expect_identical(as_metric("mrr@Inf"), metric_reciprocal_rank())
  expect_identical(as_metric(metric_ndcg(3)), metric_ndcg(3))
})

test_that("texts that are not metrics are refused, and no code in them runs", {
  refused <- function(text) {
    eval(bquote(expect_snapshot_error(as_metric(.(text)),
                                      class = "rankmix_error_argument")))
  }
  refused("ndgc@10")
  refused("ndcg@-1")
  refused("ndcg@10(empty)")
  refused("ndcg@10(empty = stop())")
  refused("ndcg@10(empty = 1")
  refused("ndcg@10(depth = 1)")
  refused("ndcg@10(k = 5)")
  refused("ndcg(k = 3)(empty = 1)")
  refused("ndcg(empty = -'a')")
  refused("ndcg(empty = `-`())")
  refused("ndcg@0")
  refused("bpref@10")
  refused(3)
  expect_error(as_metric("ndcg(convention = \"foo\")"),
               class = "rankmix_error_convention")
})

test_that("a list of metrics may hold texts", {
  data <- random_data()
  expect_identical(evaluate(data$x[, 1], data, c("ndcg@5", "err")),
                   evaluate(data$x[, 1], data, list(metric_ndcg(5), "err")))
})

test_that("names of a list of metrics become names of the results", {
  data <- random_data()
  metrics <- list(half = metric_dcg(discount = function(rank) 0.5^rank),
                  third = metric_dcg(discount = function(rank) 3^-rank), metric_ndcg(5))
  result <- evaluate(data$x[, 1], data, metrics)
  expect_identical(unique(result$metric), c("half", "third", "ndcg@5"))
  expect_output(print(result), "half = dcg(discount = <function>)", fixed = TRUE)
  expect_error(evaluate(data$x[, 1], data, unname(metrics)),
               class = "rankmix_error_argument")
})

test_that("metrics have trec_eval's names, in upper or lower case", {
  typed <- list(P_10 = metric_precision(10), ndcg_cut_10 = metric_ndcg(10), map_cut_10 = metric_average_precision(10),
                recall_100 = metric_recall(100), recip_rank = metric_reciprocal_rank(), map = metric_average_precision(),
                Rprec = metric_r_precision(), bpref = metric_bpref(), `NDCG@10` = metric_ndcg(10),
                `nDCG@5(empty = 1)` = metric_ndcg(5, empty = 1), MRR = metric_reciprocal_rank(),
                `MAP@20` = metric_average_precision(20), mean_ndcg = metric_mean_ndcg(), `P@Inf` = metric_precision(),
                success_5 = metric_success(5), `Success@1` = metric_success(1), `hit@10` = metric_success(10),
                set_P = metric_precision(), SetP = metric_precision(), set_recall = metric_recall(), SetR = metric_recall(),
                set_F = metric_f_measure(), SetF = metric_f_measure(), F1 = metric_f_measure(), `f1@10` = metric_f_measure(10),
                `Judged@10` = metric_judged(10))
  for (name in names(typed)) {
    expect_identical(as_metric(name), typed[[name]], info = name)
  }
})

test_that("errors of metrics suggest a similar name, and show the user's call", {
  data <- random_data(queries = 3, seed = 1)
  expect_snapshot(error = TRUE, {
    evaluate(data$x[, 1], data, c("ndcg@10", "ndgc@10"))
    evaluate(data$x[, 1], data, "ndcg@10(emtpy = 1)")
  })
  error <- tryCatch(evaluate(data$x[, 1], data, list("ndgc")), error = identity)
  expect_identical(as.character(error$call[[1L]]), "evaluate")
})

test_that("several cut-offs give a list of metrics", {
  cuts <- metric_ndcg(c(1, 3, Inf), empty = 1)
  expect_s3_class(cuts, "rankmix_metrics")
  expect_identical(unclass(cuts), list(metric_ndcg(1, empty = 1), metric_ndcg(3, empty = 1), metric_ndcg(empty = 1)))
  expect_identical(unclass(metric_precision(5:6, relevant = 2)),
                   list(metric_precision(5, relevant = 2), metric_precision(6, relevant = 2)))
  data <- random_data(queries = 5, seed = 1)
  all <- list(metric_ndcg(1), metric_ndcg(3), metric_err(), metric_precision(2), metric_precision(5))
  expect_identical(evaluate(data$x[, 1], data, list(metric_ndcg(c(1, 3)), metric_err(), metric_precision(c(2, 5)))),
                   evaluate(data$x[, 1], data, all))
  expect_identical(unclass(c(metric_ndcg(c(1, 3)), metric_err(), metric_precision(c(2, 5)))), all)
  expect_identical(unclass(c(metric_err(), metric_ndcg(c(1, 3)))), all[c(3, 1, 2)])
  expect_identical(unique(evaluate(data$x[, 1], data, c(own = metric_err(), metric_ndcg(1:2)))$metric),
                   c("own", "ndcg@1", "ndcg@2"))
  expect_output(print(cuts[1:2]), "ndcg@3(empty = 1)", fixed = TRUE)
  expect_output(print(metric_ndcg(c(1, 3))), "<2 metrics> ndcg@1, ndcg@3", fixed = TRUE)
})

test_that("invalid cut-offs, and lists where one metric is needed, are refused", {
  data <- random_data(queries = 4, seed = 1)
  expect_snapshot(error = TRUE, {
    metric_ndcg(c(1, 5, 5))
    metric_ndcg(numeric())
    metric_precision(c(5, 0))
    fit(gbrt(5), data, validation = data, metric = metric_ndcg(c(1, 3)))
    best_feature(metric_ndcg(c(1, 3)))
  })
})

test_that("cut-offs are read as trec_eval's -m has them, and with blanks", {
  for (text in c("ndcg_cut.10", "ndcg_cut_10", "NDCG_CUT_10", "Ndcg_Cut.10", "NDCG@10", "ndcg @ 10", "ndcg.10")) {
    expect_identical(as_metric(text), metric_ndcg(10))
  }
  expect_identical(as_metric("P.5"), metric_precision(5))
  expect_identical(as_metric("success.1"), metric_success(1))
  expect_error(as_metric("ndcg10"), "Did you mean \"ndcg@10\"?", fixed = TRUE)
  expect_error(as_metric("p10"), "Did you mean \"precision@10\"?", fixed = TRUE)
  expect_error(as_metric("F@10"), "Did you mean \"f_measure@10\"?", fixed = TRUE)
  # The name of the constructor is accepted, too. If a number is a parameter, the suggestion has this parameter.
  expect_identical(as_metric("metric_ndcg@3(empty = 1)"), metric_ndcg(3, empty = 1))
  expect_error(as_metric("rbp@.8"), "Did you mean \"rbp(persistence = 0.8)\"?", fixed = TRUE)
  expect_error(as_metric("RBP0.95"), "Did you mean \"rbp(persistence = 0.95)\"?", fixed = TRUE)
  expect_error(as_metric("F0.5"), "Did you mean \"f_measure(beta = 0.5)\"?", fixed = TRUE)
  expect_error(as_metric("F2"), "Did you mean \"f_measure(beta = 2)\"?", fixed = TRUE)
  # A suggestion that would be refused is not made.
  for (text in c("rbp@1.5", "bpref10", "ndcg@.5", "ndcg@.0", "ndcg0", "F@0", "F0")) {
    error <- expect_error(as_metric(text), class = "rankmix_error_argument")
    expect_no_match(conditionMessage(error), "Did you mean", label = text)
  }
})

test_that("a list of one metric is that metric; data are no metric", {
  expect_identical(rankmix:::read_metric(list(metric_ndcg(10))), metric_ndcg(10))
  data <- random_data(queries = 6, seed = 1)
  expect_error(evaluate(data$x[, 1], data, data), "Data are given in place of a metric",
               class = "rankmix_error_argument")
})

test_that("names and arguments of other tools are read", {
  expect_identical(as_metric("P(rel=2)@5"), as_metric("precision@5(relevant = 2)"))
  expect_identical(as_metric("AP(rel=2)@100"), as_metric("average_precision@100(relevant = 2)"))
  expect_identical(as_metric("RR(rel = 2)@10"), as_metric("reciprocal_rank@10(relevant = 2)"))
  expect_identical(as_metric("R@100"), metric_recall(100))
  expect_identical(as_metric("RBP(p=0.5)@10"), metric_rbp(0.5, k = 10))
  # trec_eval has (x + 1) P R / (R + x P), where x is the square of beta.
  for (name in c("set_F.2", "set_F_2")) {
    expect_equal(as_metric(name), metric_f_measure(beta = sqrt(2)))
  }
  expect_equal(as_metric("set_F.0.5"), metric_f_measure(beta = sqrt(0.5)))
  data <- ranking_data(cbind(1:4), c(1, 0, 0, 1), rep(1, 4))
  p <- 2 / 4
  r <- 1
  expect_equal(evaluate(4:1, data, "set_F.3")$value, 4 * p * r / (r + 3 * p))
})

test_that("several metrics in one string, and functions and vectors in place of metrics, give an error with a remedy", {
  data <- random_data(queries = 3, features = 2)
  scores <- data$x[, 1]
  expect_error(evaluate(scores, data, "recall@10, map"), "`c(\"recall@10\", \"map\")`", fixed = TRUE)
  expect_error(evaluate(scores, data, function(y) 1), "`metric_custom(name, f)`", fixed = TRUE)
  expect_error(evaluate(scores, data$relevance, data$query), "`metric_vec(", fixed = TRUE)
  error <- expect_error(evaluate(scores, data, "ndcg@0"), "the metric \"ndcg@0\"", fixed = TRUE)
  expect_identical(as.character(error$call[[1L]]), "evaluate")
})
