skip_without_report <- function() {
  skip_if_not_installed("rmarkdown")
  skip_if_not_installed("ggplot2")
  skip_if_not(rmarkdown::pandoc_available("1.12.3"))
}

page_of <- function(benchmark, ...) {
  file <- tempfile(fileext = ".html")
  withr::defer(unlink(file))
  expect_identical(report(benchmark, file, ...), file)
  paste(readLines(file, warn = FALSE), collapse = "\n")
}

# The page of fixed_benchmark(), whose title has characters of HTML, markdown and a shell. A page takes seconds, so it is
# made once.
made_pages <- new.env()
fixed_page <- function() {
  title <- "Two & \"more\" of a_b_c *x* \\ a$HOME\"b'`echo${IFS}c`\n<i>_d_ \\1"
  if (is.null(made_pages$fixed)) made_pages$fixed <- page_of(fixed_benchmark(), title = title)
  made_pages$fixed
}

# Conditions are checked by grepl(), because messages of expect_match() would show the whole page.
test_that("a report is one page with the numbers of the comparison", {
  skip_if_quick()
  skip_without_report()
  benchmark <- fixed_benchmark()
  before <- list.files(".", all.files = TRUE)
  page <- fixed_page()
  expect_identical(list.files(".", all.files = TRUE), before)
  expect_true(grepl("<title>Two &amp; &quot;more&quot; of a_b_c *x* \\ a$HOME", page, fixed = TRUE))
  expect_false(grepl("(src|href)=\"(https?:)?//", page))
  # All figures are embedded in the page.
  expect_length(gregexpr("src=\"data:image/png;base64,", page)[[1L]], 9L)
  expect_false(grepl("<img[^>]*src=\"[^d]", page))
  compared <- compare_rankers(benchmark, seed = benchmark$seed)
  for (mean in sprintf("%.4f", compared$rankers$mean)) {
    expect_true(grepl(mean, page, fixed = TRUE))
  }
  for (difference in sprintf("%+.4f", compared$pairs$difference[compared$pairs$metric == "ndcg@10"])) {
    expect_true(grepl(difference, page, fixed = TRUE))
  }
  expect_true(grepl("catboost", page))
  for (seconds in c("1.50", "0.02")) expect_true(grepl(seconds, page, fixed = TRUE))
})

test_that("a shell and markdown do not read the title", {
  skip_if_quick()
  skip_without_report()
  page <- fixed_page()
  shown <- "Two &amp; &quot;more&quot; of a_b_c *x* \\ a$HOME&quot;b'`echo${IFS}c`\n&lt;i&gt;_d_ \\1"
  expect_true(grepl(sprintf("<title>%s</title>", shown), page, fixed = TRUE))
  expect_true(grepl(sprintf("<h1 class=\"title toc-ignore\">%s</h1>", shown), page, fixed = TRUE))
})

test_that("a report has an explorer of queries with `explorer`", {
  skip_if_quick()
  skip_without_report()
  benchmark <- fixed_benchmark()
  expect_false(grepl("explorer-index", fixed_page()))
  file <- tempfile(fileext = ".html")
  on.exit(unlink(file))
  report(benchmark, file, explorer = c("third", "feature"))
  page <- read_explorer(file)
  expect_identical(page$index$rankers, c("third", "feature"))
  expect_true(grepl("class=\"explorer embedded\"", page$text, fixed = TRUE))
  expect_true(grepl("Query by query</h2>", page$text, fixed = TRUE))
  expect_false(grepl("(src|href)=\"(https?:)?//", page$text))
})

test_that("a report with data and models has features and reasons", {
  skip_if_quick()
  skip_without_report()
  data <- example_part("vali")
  rankers <- list(trees = gbrt(trees = 10), feature = best_feature(), first = function(data) data$x[, 1])
  benchmark <- benchmark_rankers(rankers, query_folds(data, 3, seed = 1), data = data, seed = 1, verbose = FALSE,
                                 keep_models = TRUE)
  file <- tempfile(fileext = ".html")
  on.exit(unlink(file))
  report(benchmark, file, explorer = c("trees", "first"), data = data)
  page <- read_explorer(file)
  expect_gt(length(page$index$features), 0L)
  expect_identical(page$index$reasons, c("", "It is not a model of rankmix."))
  expect_length(page$index$explained, 20L)
  expect_true(grepl("by the model of its fold", page$text, fixed = TRUE))
  report(benchmark, file, explorer = c("trees", "first"))
  expect_false(grepl("by the model of its fold", read_explorer(file)$text, fixed = TRUE))
  expect_error(report(benchmark, file, explorer = FALSE, data = data), "Leave out `explorer = FALSE`",
               class = "rankmix_error_argument")
  # If only data are given, the report has an explorer.
  report(benchmark, file, data = data)
  expect_length(read_explorer(file)$index$explained, 20L)
  expect_error(report(benchmark, file, explorer = TRUE, data = data[1:5]), class = "rankmix_error_data")
})

test_that("metrics that few conventions have make a report", {
  skip_if_quick()
  skip_without_report()
  data <- c(example_part("train"), example_part("vali"))
  rankers <- list(a = function(data) data$x[, 1], b = function(data) data$x[, 2])
  metrics <- list(metric_custom("one", function(g) g[1]), metric_err(10), metric_average_precision())
  for (metric in metrics[seq_len(at_size(1, 3))]) {
    benchmark <- benchmark_rankers(rankers, query_folds(data, 3, seed = 1), metric, data = data,
                                   seed = 1, verbose = FALSE)
    expect_true(grepl("highest mean", page_of(benchmark)))
  }
})

test_that("a report shows the comparison it is given", {
  skip_if_quick()
  skip_without_report()
  benchmark <- fixed_benchmark()
  compared <- compare_rankers(benchmark, test = "randomization", adjust = "BH", level = 0.1,
                              metric = "err", resamples = 500, seed = 77)
  page <- page_of(benchmark, comparison = compared)
  expect_true(grepl("sign-flip\\s+randomisation", page))
  expect_true(grepl("Benjamini\\s+and\\s+Hochberg", page))
  expect_true(grepl("of the tests\\s+77", page))
})

test_that("names are shown as they are, and failures are reported", {
  skip_if_quick()
  skip_without_report()
  data <- c(example_part("train"), example_part("vali"))
  rankers <- list(`a_b <i>*c*` = function(data) data$x[, 1], `$x$ & [y](z)` = best_feature(),
                  broken = function(data) stop("no <licence>"),
                  warns = function(data) {
                    warning("old _data_")
                    data$x[, 2]
                  })
  benchmark <- suppressWarnings(benchmark_rankers(rankers, query_folds(data, 3, seed = 1),
                                                  data = data, seed = 1, verbose = FALSE,
                                                  keep_scores = FALSE))
  page <- page_of(benchmark)
  # The text of the page as a browser shows it.
  text <- gsub("\\s+", " ", gsub("&lt;", "<", gsub("&gt;", ">", gsub("&amp;", "&", page))))
  for (code in c(35, 36, 38, 42, 60, 62, 64, 91, 92, 93, 94, 95, 96, 124, 126)) {
    text <- gsub(sprintf("&#%d;", code), intToUtf8(code), text, fixed = TRUE)
  }
  for (name in c("a_b <i>*c*", "$x$ & [y](z)", "no <licence>", "old _data_")) {
    expect_true(grepl(name, text, fixed = TRUE))
  }
  # Without stored scores, the page has no table of conventions.
  expect_false(grepl("catboost", page))
})

test_that("two rankers make a report, and an error leaves no file", {
  skip_if_quick()
  skip_without_report()
  data <- c(example_part("train"), example_part("vali"))
  rankers <- list(a = function(data) data$x[, 1], b = function(data) data$x[, 2])
  two <- benchmark_rankers(rankers, query_folds(data, 3, seed = 1), data = data, seed = 1,
                           verbose = FALSE)
  expect_true(grepl("highest mean", page_of(two)))
  one <- benchmark_rankers(rankers[1], query_folds(data, 3, seed = 1), data = data, seed = 1,
                           verbose = FALSE)
  expect_snapshot(error = TRUE, {
    report(one, "report.html")
    report(two, "no-such-folder/report.html")
    report(two, 3)
    report(data, "report.html")
    report(two, "report.html", title = NULL)
    report(two, "report.html", comparison = two)
    report(two, "report.html", comparison = compare_rankers(fixed_benchmark(), seed = 1))
  })
  expect_false(file.exists("report.html"))
})

test_that("a model in place of a benchmark is an error with a remedy", {
  model <- fit(best_feature(), random_data(queries = 5, features = 2))
  expect_error(report(model), "by `benchmark_rankers()`", fixed = TRUE)
  expect_error(report(), "`benchmark` is not given", fixed = TRUE)
})

# The headline without markup.
headline <- function(...) {
  text <- gsub("<[^>]*>", "", rankmix:::report_headline(...))
  gsub("&#37;", "%", gsub("&#64;", "@", gsub("&#91;", "[", gsub("&#93;", "]", text))))
}

test_that("the headline has verdicts, sizes, intervals and the smallest detectable difference", {
  compared <- compare_many(16)
  pairs <- compared$pairs[compared$pairs$a == "ranker01", ]
  text <- headline(compared)
  expect_match(text, sprintf("^ranker01 has the highest mean NDCG@10, %.4f[.]", compared$rankers$mean[1]))
  decided <- pairs[pairs$verdict == "better", ]
  decided <- decided[which.min(decided$difference), ]
  expect_match(text, sprintf("It is significantly better than %s (by %.4f [%.4f, %.4f])", decided$b,
                             decided$difference, decided$sim_lower, decided$sim_upper), fixed = TRUE)
  open <- pairs[pairs$verdict == "undecided", ]
  open <- open[which.min(open$difference), ]
  expect_match(text, sprintf("No difference to %s (%.4f [%.4f, %.4f])", open$b, open$difference,
                             open$sim_lower, open$sim_upper), fixed = TRUE)
  expect_match(text, "With 40 queries, differences of about [0-9.]+ are found with 80 % power")
})

test_that("an interval of a pair alone does not contradict an undecided verdict", {
  compared <- compare_many(4, adjust = "holm", test = "t")
  pair <- compared$pairs[compared$pairs$b == "ranker04" & compared$pairs$a == "ranker01", ]
  expect_identical(pair$verdict, "undecided")
  expect_gt(pair$lower, 0)
  text <- headline(compared)
  expect_match(text, sprintf("ranker04 (%.4f, p = %.4f)", pair$difference, pair$p_adjusted), fixed = TRUE)
  # Holm's adjustment gives no confidence set.
  expect_no_match(text, "may be the best")
})

test_that("the headline has the set of rankers that may be the best", {
  compared <- compare_many(4)
  set <- compared$rankers$ranker[compared$rankers$best]
  expect_match(headline(compared), paste0("may be the best (95 % confidence): ",
                                          paste(set, collapse = ", "), "."), fixed = TRUE)
})

test_that("with a margin the headline has its verdicts", {
  compared <- compare_many(4, margin = 0.08, control = "ranker02")
  expect_identical(compared$pairs$verdict[compared$pairs$a == "ranker01"], "equivalent")
  text <- headline(compared)
  expect_match(text, "^The control ranker02 has a mean NDCG@10 of")
  expect_match(text, "It is equivalent to .*ranker01 .*, with margin 0.08[.]")
  relative <- headline(compare_many(4, margin = 0.01, relative_margin = TRUE))
  expect_match(relative, ", with margin 1 % of the second ranker.", fixed = TRUE)
  expect_match(relative, "Neither a difference nor equivalence to ranker02")
})

test_that("each verdict has its sentence, with positive sizes", {
  rows <- data.frame(ranker = letters[1:6], difference = c(0.1, 0.01, 0, 0.02, -0.01, -0.1),
                     lower = c(0.05, 0.005, -0.01, -0.1, -0.015, -0.15),
                     upper = c(0.15, 0.015, 0.01, 0.14, -0.005, -0.05), verdict = rankmix:::margin_verdicts)
  settings <- list(margin = 0.03, relative_margin = FALSE, adjust = "maxt")
  text <- gsub("<[^>]*>", "", rankmix:::verdict_sentences(rows, settings))
  expect_identical(unname(text), c(
    "It is significantly better than f (by 0.1000 [0.0500, 0.1500]).",
    paste("It is significantly better than e (by 0.0100 [0.0050, 0.0150]), but practically equivalent,",
          "with margin 0.03."),
    "It is equivalent to c (0.0000 [-0.0100, 0.0100]), with margin 0.03.",
    paste("It is significantly worse than b (by 0.0100 [0.0050, 0.0150]), but practically equivalent,",
          "with margin 0.03."),
    "It is significantly worse than a (by 0.1000 [0.0500, 0.1500]).",
    "Neither a difference nor equivalence to d (-0.0200 [-0.1400, 0.1000]) is shown, with margin 0.03."
  ))
})

test_that("many rankers are counted, not named", {
  text <- headline(compare_many(20))
  expect_match(text, "and [0-9]+ more rankers")
  expect_lt(nchar(text), 1200)
  compared <- compare_many(20)
  expect_identical(nrow(rankmix:::report_pairs(compared)), 19L)
  expect_identical(nrow(rankmix:::report_all_pairs(compared)), 190L)
  expect_identical(nrow(rankmix:::report_pairs(compare_many(15))), 105L)
})

test_that("the number of tests is stated", {
  one <- compare_many(3)
  expect_match(rankmix:::report_tests(one), "3 tests, one for each pair; p-values are adjusted")
  expect_identical(rankmix:::report_tests(compare_many(2)), "")
  two <- one
  two$values <- c(one$values, err = one$values)
  expect_match(rankmix:::report_tests(two), "2 metrics and 3 pairs are 6 tests. Each column is tested by itself")
  expect_match(rankmix:::report_tests(compare_many(3, adjust = "none")), "not adjusted")
})

test_that("the table of pairs has the simultaneous interval and the adjusted p-value", {
  compared <- compare_many(3)
  table <- rankmix:::report_pairs(compared)
  pairs <- compared$pairs
  expect_identical(table$verdict, pairs$verdict)
  expect_identical(table$p, ifelse(pairs$p_adjusted < 1e-4, "< 0.0001", sprintf("%.4f", pairs$p_adjusted)))
  expect_gt(length(unique(table$p)), 1L)
  expect_identical(table[["difference [interval]"]],
                   sprintf("%+.4f [%+.4f, %+.4f]", pairs$difference, pairs$sim_lower, pairs$sim_upper))
  expect_false(any(c("Wilcoxon", "normality", "Holm") %in% names(table)))
  expect_true(all(c("Wilcoxon", "normality", "Holm") %in% names(rankmix:::report_all_pairs(compared))))
})
