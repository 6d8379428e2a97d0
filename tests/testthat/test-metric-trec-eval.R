test_that("measures are those that trec_eval prints", {
  tools <- test_path("fixtures", "tools")
  printed <- utils::read.csv(file.path(tools, "trec_measures.csv.gz"), colClasses = "character")
  printed$value <- as.numeric(printed$value)
  compared <- 0
  for (part in split(printed, printed[c("case", "part", "level")], drop = TRUE)) {
    data <- suppressMessages(read_letor(file.path(tools, "cases", part$case[1], "labels.txt")))
    scores <- read_scores(file.path(tools, "cases", part$case[1], "scores.txt"))
    at <- seq_len(nrow(data))
    whole <- part$part[1] == "whole"
    qrels <- as_qrels(data)[whole | at %% 5 != 0, ]
    run <- as_run(data.frame(query = data$query_ids[data$query], document = data$document,
                             score = scores))[whole | at %% 3 != 0, ]
    relevant <- as.integer(part$level[1])
    measures <- lapply(setdiff(unique(part$metric), "set_F_2"), function(name) {
      as_metric(sprintf("%s(relevant = %d)", name, relevant))
    })
    names(measures) <- setdiff(unique(part$metric), "set_F_2")
    measures$set_F_2 <- metric_f_measure(beta = sqrt(2), relevant = relevant)
    found <- evaluate(run, qrels, measures, convention = "trec_eval", topics = "common")
    means <- summary(found)
    for (i in seq_len(nrow(part))) {
      name <- part$metric[i]
      own <- found[found$metric == name, ]
      value <- if (part$query[i] != "all") {
        own$value[id_text(own$query) == part$query[i]]
      } else if (name == "num_rel_ret") {
        sum(own$value)
      } else {
        mean <- means$mean[means$metric == name]
        if (name == "gm_map") exp(mean) else mean
      }
      # trec_eval prints four decimals.
      if (!isTRUE(abs(value - part$value[i]) < 5.1e-5)) {
        fail(sprintf("%s of %s: %s", name, part$case[i], part$query[i]))
      }
      compared <- compared + 1
    }
  }
  expect_identical(compared, as.double(nrow(printed)))
  expect_gt(compared, 3500)
})

test_that("all measures of trec_eval agree on lists with ties, gaps and unjudged documents", {
  folder <- test_path("fixtures", "trec-eval")
  printed <- utils::read.csv(file.path(folder, "printed.csv.gz"), colClasses = "character")
  compared <- 0
  for (part in split(printed, printed[c("case", "options")], drop = TRUE)) {
    file <- function(kind) file.path(folder, sprintf("%s-%s.txt", part$case[1], kind))
    complete <- part$options[1] == "-c"
    table <- with_own_values(part, read_run(file("run")), read_qrels(file("qrels")),
                             relevant = if (part$options[1] == "-l 2") 2 else 1,
                             topics = if (complete) "qrels" else "common", collection = 1000)
    # With -c, trec_eval evaluates a query that is not in the run as a list of one unjudged document. Then trec_eval
    # sets these values to 0, but only if their names have no parameters.
    changed <- complete & grepl("^(utility|rbp_resid)_", table$metric) & table$query %in% c("q11", "all")
    expect_identical(beyond_rounding(table)[!changed], numeric(sum(!changed)))
    expect_identical(setdiff(part$metric, table$metric), if (part$case[1] != "binary") "rbp" else character())
    compared <- compared + sum(!changed)
  }
  expect_gt(compared, 7000)
})

test_that("texts of measures are read, and read back", {
  expect_identical(as_metric("iprec_at_recall_0.10"), metric_trec("iprec_at_recall", 0.1))
  expect_identical(as_metric("IPrec@0.1"), metric_trec("iprec_at_recall", 0.1))
  expect_identical(as_metric("NumRelRet"), metric_trec("num_rel_ret"))
  expect_identical(as_metric("SetAP"), as_metric("set_map"))
  expect_identical(as_metric("infAP(rel=2)"), metric_trec("infAP", relevant = 2))
  expect_identical(as_metric("relative_P_5"), metric_trec("relative_P", k = 5))
  expect_identical(as_metric("unj.10"), metric_trec("unj", k = 10))
  expect_identical(as_metric("Rprec_mult_0.20"), metric_trec("Rprec_mult", multiple = 0.2))
  expect_identical(as_metric("utility_2,-1,0,0"), metric_trec("utility", weights = c(2, -1, 0, 0)))
  expect_identical(as_metric("NumRet"), metric_trec("num_ret"))
  expect_identical(as_metric("NumRet(rel=2)"), metric_trec("num_rel_ret", relevant = 2))
  expect_identical(as_metric("set_F.4(relevant = 2)"), metric_f_measure(beta = 2, relevant = 2))
  for (metric in list(metric_trec("iprec_at_recall", 0.125), metric_trec("gm_map"), metric_trec("G"),
                      metric_trec("Rprec_mult", multiple = 1 / 3), metric_trec("unj", k = 100000),
                      metric_trec("utility", weights = c(1, 0, 0, 0.1), collection = 10),
                      metric_trec("rbp_resid", persistence = 0.8, ties = "worst"),
                      metric_trec("11pt_avg", relevant = 3, ties = "best"))) {
    expect_identical(as_metric(format(metric)), metric)
  }
  expect_identical(format(metric_trec("iprec_at_recall", 0.1)), "iprec_at_recall_0.10")
})

test_that("the value is 0 if no document is retrieved, or none is relevant", {
  run <- as_run(data.frame(query = c("a", "c"), document = "x", score = 1))
  qrels <- as_qrels(data.frame(query = c("a", "b", "c"), document = c("x", "x", "x"),
                               relevance = c(0, 1, 1)))
  names <- c("iprec_at_recall_0.00", "11pt_avg", "infAP", "num_rel_ret", "set_map", "gm_map")
  found <- evaluate(run, qrels, names, topics = "qrels")
  for (name in names[1:5]) {
    expect_identical(found$value[found$metric == name], c(0, 0, 1))
  }
  expect_equal(found$value[found$metric == "gm_map"], c(log(1e-5), log(1e-5), 0))
})

test_that("impossible measures are refused", {
  refuse <- function(code, class = "rankmix_error_argument") {
    expect_snapshot_error(code, class = class)
  }
  refuse(metric_trec("map"))
  refuse(metric_trec("iprec_at_recall"))
  refuse(metric_trec("iprec_at_recall", 1.5))
  refuse(metric_trec("set_map", 0.5))
  refuse(as_metric("infAP(empty = 1)"))
  refuse(metric_trec("relative_P"))
  refuse(metric_trec("unj", k = 0))
  refuse(metric_trec("map"))
  refuse(metric_trec("binG", k = 3))
  refuse(metric_trec("Rprec_mult", multiple = 0))
  refuse(metric_trec("utility", weights = 1:3))
  refuse(metric_trec("utility", weights = c(1, 0, 0, 1)))
  refuse(metric_trec("rbp_resid", persistence = 1))
  refuse(as_metric("G(relevant = 2)"))
  data <- random_data(queries = 5)
  refuse(evaluate(data$x[, 1], data, "set_map", convention = "lightgbm"),
         "rankmix_error_convention")
  refuse(lambdamart(metric_trec("gm_map")), "rankmix_error_metric")
})
