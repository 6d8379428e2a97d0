# Values that other tools printed; see fixtures/tools/README.md. Values of a real case are read from RANKMIX_DATA,
# because they cannot be part of the package.
tool_folders <- function() {
  golden <- file.path(dirname(Sys.getenv("RANKMIX_DATA")), "golden", "public")
  c(test_path("fixtures", "tools"),
    if (nzchar(Sys.getenv("RANKMIX_DATA")) && dir.exists(golden)) golden)
}

read_expected <- function(folder, names) {
  files <- file.path(folder, outer(names, c(".csv", ".csv.gz"), paste0))
  do.call(rbind, lapply(files[file.exists(files)], utils::read.csv,
                        colClasses = "character", na.strings = character()))
}

# Numbers from text, correctly rounded. R does not guarantee correct rounding.
exact_numbers <- function(text) {
  file <- tempfile()
  on.exit(unlink(file))
  writeLines(text, file)
  read_scores(file)
}

# The metric of rankmix for the name of a metric in a tool.
metric_of <- function(tool, name, k) {
  ours <- c(
    P = "precision", NDCG = "ndcg", AP = "average_precision",
    MeanNDCG = "mean_ndcg", DCG = "dcg", ERR = "err", ERR_gmax2 = "err",
    RR = "reciprocal_rank", Rprec = "r_precision", bpref = "bpref",
    map = "average_precision", ndcg = "ndcg", ndcg_cut = "ndcg", dcg = "dcg",
    recall = "recall", recip_rank = "reciprocal_rank", err = "err",
    pre = "precision", success = "success", set_P = "precision", set_recall = "recall",
    set_F = "f_measure"
  )[[name]]
  convention <- c("trec_eval-10.0" = "trec_eval", "trec_eval-10.0-l2" = "trec_eval",
                  "trec_eval-9.0.8" = "trec_eval9",
                  "xgboost-binary" = "xgboost", "sklearn-binary" = "sklearn")
  set <- list(convention = if (tool %in% names(convention)) {
    convention[[tool]]
  } else {
    tool
  })
  if (!k %in% c("", "0")) set$k <- as.numeric(k)
  if (name == "ERR_gmax2") set$max_grade <- 2
  if (tool == "trec_eval-10.0-l2") set$relevant <- 2
  # These tools support grades 0 and 1 only, so they received 1 for every higher grade.
  if (grepl("-binary$", tool)) set$relevant <- 1
  do.call(paste0("metric_", ours), set)
}

# The value of rankmix for each row of `expected`. All rows are from one case.
our_values <- function(expected, folder) {
  case <- file.path(folder, "cases", expected$case[1])
  data <- read_letor(file.path(case, "labels.txt"))
  scores <- read_scores(file.path(case, "scores.txt"))
  ours <- rep(NA_real_, nrow(expected))
  keys <- split(seq_len(nrow(expected)), expected[c("tool", "metric", "k")],
                drop = TRUE)
  names(keys) <- paste0("metric", seq_along(keys))
  metrics <- lapply(keys, function(rows) {
    first <- expected[rows[1], ]
    metric_of(first$tool, first$metric, first$k)
  })
  result <- evaluate(scores, data, metrics)
  means <- summary(result)
  for (name in names(keys)) {
    rows <- keys[[name]]
    own <- result[result$metric == name, ]
    ours[rows] <- own$value[match(expected$query[rows], own$query)]
    mean <- expected$query[rows] == "ALL"
    ours[rows[mean]] <- means$mean[means$metric == name]
  }
  ours
}

# The number of decimals or of significant digits that each tool prints.
printed_as <- c(letor3 = "%.15g", letor4 = "%.4f", mslr = "%.4f", gdeval = "%.5f",
                "trec_eval-10.0" = "%.4f", "trec_eval-10.0-l2" = "%.4f",
                "trec_eval-9.0.8" = "%.4f")

test_that("values agree with all digits that the classic tools print", {
  local_known_warnings("ties")
  seen <- character()
  for (folder in tool_folders()) {
    all <- read_expected(folder, c("expected", "trec_eval"))
    for (case in setdiff(unique(all$case), seen)) {
      seen <- c(seen, case)
      expected <- all[all$case == case, ]
      ours <- our_values(expected, folder)
      undefined <- expected$value == "NA"
      expect_identical(is.na(ours), undefined)
      ours <- ours[!undefined]
      expected <- expected[!undefined, ]
      rounded <- expected$tool %in% names(printed_as)
      text <- sprintf(printed_as[expected$tool[rounded]], ours[rounded])
      theirs <- expected$value[rounded]
      # -0.0000 and 0.00000 are the same number.
      differ <- text != theirs & as.numeric(text) != as.numeric(theirs)
      expect_identical(paste(expected$tool, expected$metric, expected$k,
                             expected$query)[rounded][differ], character())
      # RankLib and the Yahoo! code print every digit. The Yahoo! code sums ERR over all documents of all queries. So
      # its mean may differ in the last bits.
      full <- !rounded
      loose <- expected$tool == "yahoo" & grepl("ERR", expected$metric) &
        expected$query == "ALL"
      exact <- full & !loose
      expect_identical(ours[exact], exact_numbers(expected$value[exact]))
      expect_equal(ours[loose], exact_numbers(expected$value[loose]),
                   tolerance = 1e-15)
    }
  }
  expect_gte(length(seen), 5)
})

test_that("lightgbm, xgboost and scikit-learn compute the same", {
  local_known_warnings("ties")
  folder <- test_path("fixtures", "tools")
  all <- read_expected(folder, "packages")
  expect_setequal(all$tool, c("lightgbm", "xgboost", "xgboost-binary", "sklearn",
                              "sklearn-binary"))
  for (case in unique(all$case)) {
    expected <- all[all$case == case, ]
    expect_equal(our_values(expected, folder), exact_numbers(expected$value),
                 tolerance = 1e-14)
  }
})

test_that("the worked examples of the rules hold", {
  local_known_warnings("ties")
  value <- function(grades, scores, convention, metric, k, document) {
    data <- ranking_data(matrix(0, length(grades)), grades, rep(1, length(grades)),
                         document = document)
    evaluate(scores, data, metric(k, convention = convention))$value
  }
  tied <- c(letor3 = .9077, mslr = .9077, yahoo = .9639, ranklib = .9639,
            trec_eval = .7602, gdeval = .6885)
  near <- c(letor4 = .9077, ranklib = .9639, trec_eval = .9502,
            trec_eval9 = .8597, gdeval = .9639)
  for (tool in names(tied)) {
    expect_equal(round(value(c(2, 0, 1), c(1, 1, 1), tool, metric_ndcg, 3,
                             c("a", "b", "c")), 4), tied[[tool]])
  }
  for (tool in names(near)) {
    expect_equal(round(value(c(0, 2, 1), c(1.00000001, 1.00000002, 1), tool, metric_ndcg,
                             3, c("a", "b", "c")), 4), near[[tool]])
  }
  # catboost ranks tied documents worst first. An empty query has the value 1.
  expect_equal(value(c(2, 0, 1), c(1, 1, 1), "catboost", metric_ndcg, 2, 1:3),
               (1 / log2(3)) / (2 + 1 / log2(3)))
  expect_identical(value(c(0, 0), 1:2, "catboost", metric_ndcg, 2, 1:2), 1)
  expect_identical(value(c(0, 0), 1:2, "catboost", metric_average_precision, 2, 1:2), 0)
})

test_that("arguments go before the convention", {
  data <- ranking_data(matrix(0, 2), c(0, 0), c(1, 1))
  value <- function(...) evaluate(1:2, data, metric_ndcg(...))$value
  expect_identical(value(convention = "yahoo"), 1)
  expect_identical(value(convention = "yahoo", empty = 0), 0)
  expect_identical(value(convention = "gdeval", ties = "order"), NaN)
  high <- ranking_data(matrix(0, 2), c(4, 0), c(1, 1))
  expect_snapshot_error(evaluate(2:1, high, metric_ndcg(convention = "letor4")),
                        class = "rankmix_error_grade")
  expect_snapshot_error(evaluate(2:1, high, metric_precision(convention = "letor4")),
                        class = "rankmix_error_grade")
  expect_identical(
    evaluate(2:1, high, metric_ndcg(convention = "letor4", gain = "exponential"))$value, 1
  )
  expect_identical(
    evaluate(2:1, high, metric_precision(1, convention = "letor4", relevant = 1))$value, 1
  )
})

test_that("settings of a metric stay when evaluate() gives the convention", {
  local_known_warnings("ties")
  data <- ranking_data(matrix(0, 4), c(1, 0, 2, 0), rep(1, 4), document = 4:1)
  alike <- function(...) {
    set <- list(...)
    convention <- set$convention
    inside <- do.call(metric_ndcg, set)
    set$convention <- NULL
    expect_identical(
      evaluate(rep(1, 4), data, do.call(metric_ndcg, set), convention = convention)$value,
      evaluate(rep(1, 4), data, inside)$value
    )
  }
  # These values are the defaults without a convention. The convention must use them, too.
  alike(k = 3, ties = "order", convention = "trec_eval")
  alike(k = 3, gain = "exponential", convention = "sklearn")
  alike(k = 3, empty = 0, convention = "yahoo")
  expect_identical(
    evaluate(1:4, data, metric_precision(2, relevant = 1), convention = "mslr")$value,
    evaluate(1:4, data, metric_precision(2, relevant = 1, convention = "mslr"))$value
  )
  report <- convention_report(1:4, data, metric_average_precision(relevant = 1))
  expect_true(all(c("xgboost", "sklearn") %in% report$table$convention))
  # The convention of the metric is used, and not the convention of evaluate().
  expect_identical(
    evaluate(rep(1, 4), data, metric_ndcg(convention = "yahoo"), convention = "trec_eval"),
    evaluate(rep(1, 4), data, metric_ndcg(convention = "yahoo"))
  )
  expect_error(
    evaluate(1:4, data, list(metric_ndcg(3), metric_ndcg(3, convention = "ranklib")),
             convention = "ranklib"),
    class = "rankmix_error_argument"
  )
  # `max_grade` allows grades that the tool would refuse by default.
  high <- ranking_data(matrix(0, 2), c(5, 0), c(1, 1))
  expect_identical(evaluate(2:1, high, metric_err(max_grade = 5, convention = "gdeval"))$value,
                   31 / 32)
})

test_that("evaluate() takes one convention for all metrics", {
  data <- random_data(classes = 5)
  scores <- data$x[, 2]
  expect_identical(
    evaluate(scores, data, c("ndcg@5", "map"), convention = "lightgbm"),
    evaluate(scores, data, list(metric_ndcg(5, convention = "lightgbm"),
                                metric_average_precision(convention = "lightgbm")))
  )
})

test_that("unknown conventions, and metrics that a tool lacks, are refused", {
  refused <- function(metric) {
    eval(bquote(expect_snapshot_error(.(substitute(metric)),
                                      class = "rankmix_error_convention")))
  }
  refused(metric_ndcg(10, convention = "trec"))
  refused(metric_ndcg(10, convention = c("yahoo", "mslr")))
  refused(metric_err(convention = "trec_eval"))
  refused(metric_average_precision(10, convention = "ranklib"))
  data <- random_data()
  refused(evaluate(data$x[, 1], data, "bpref", convention = "mslr"))
  refused(evaluate(data$x[, 1], data, metric_custom("mine", mean),
                   convention = "mslr"))
})


test_that("the error for a misspelt convention names the right convention", {
  expect_error(metric_ndcg(10, convention = "trec"), "Did you mean `trec_eval`", fixed = TRUE)
})
