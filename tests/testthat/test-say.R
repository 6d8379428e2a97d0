test_that("lines fit the width, and short lines are unchanged", {
  withr::local_options(width = 30)
  say <- function(...) utils::capture.output(rankmix:::say(...))
  expect_identical(say("  a  b ", 3), "  a  b 3")
  expect_identical(say(strrep("x", 30)), strrep("x", 30))
  expect_identical(say(c("one", "two")), c("one", "two"))
  expect_identical(say("  ", paste(rep("four", 8), collapse = " ")),
                   c("  four four four four four", "    four four four"))
})

test_that("printed results fit 60 and 80 columns", {
  train <- example_part("train")
  valid <- example_part("vali")
  test <- example_part("test")
  long <- "a ranker of a rather long name"
  model <- fit(adaboost_mh(base_tree(4), 20), train, valid, seed = 1)
  mixture <- tune_and_mix(train, valid, list(adaboost_mh(base_tree(4), 20), adaboost_mh(base_stump(), 20)),
                          list(calibrator_naive(), calibrator_cpc("entropy_weighted"), calibrator_rbc("polynomial")), seed = 1,
                          grid = mix_grid(features = c("original", "standardized")))
  rankers <- stats::setNames(list(model, function(data) data$x[, 1]), c(long, "first"))
  result <- evaluate(rankers, test, list(metric_ndcg(10, empty = 1, convention = "xgboost"), metric_err()))
  folds <- query_folds(train, 3, seed = 1)
  simulated <- simulate_ranking(40, seed = 1)
  things <- list(
    train, summary(train), simulated, model, fit(gbrt(20, num_leaves = 8, max_bin = 63), train), mixture,
    summary(mixture), mix(rankers, valid), calibrate(model, valid, calibrator_rbc("polynomial")), result,
    adaboost_mh(base_product(3, votes = "confidence"), max_bin = 31, feature_fraction = 0.5),
    mcsvm(c(0.001, 0.01, 0.1)), fit(mcsvm(c(0.01, 0.1)), simulated$data),
    compare_rankers(result, seed = 1), folds, split_queries(train, 0.8, seed = 1),
    benchmark_rankers(stats::setNames(list(gbrt(5), best_feature()), c(long, "feature")), folds,
                      list(metric_ndcg(10), metric_err(), metric_average_precision()), data = train, seed = 1,
                      verbose = FALSE),
    convention_report(stats::setNames(list(test$x[, 1], test$x[, 2]), c(long, "b")), test, metric_ndcg(10)),
    compare_over_datasets(stats::setNames(data.frame(1:4, 4:1, c(2, 1, 4, 3)), c(long, "b", "c"))),
    metric_ndcg(1:12), fit(best_feature(), train), summary(fit(best_feature(), train))
  )
  for (columns in c(60L, 80L)) {
    withr::local_options(width = columns)
    for (thing in things) {
      lines <- utils::capture.output(print(thing))
      expect_lte(max(nchar(lines, "width")), columns,
                 label = paste0(class(thing)[1L], ": ", lines[which.max(nchar(lines))]))
    }
  }
})

test_that("a number stays on a line with its percent sign", {
  expect_output(say("Grades: 0: 256 (53.8 %), 1: 5 (1 %)"), "1: 5\n  (1 %)", fixed = TRUE, width = 32)
})

test_that("texts have a decimal point, whatever the option OutDec is", {
  data <- simulate_ranking(30, documents = 6, features = 5, seed = 1)$data
  weighted <- ranking_data(data$x, data$relevance, data$query, weight = (data$query %% 3 + 1) / 4)
  values <- cbind(a = 0.1 * (1:10), b = 0.3 + 0.04 * (1:10), c = ((1:10) %% 3) / 7)
  path <- function() {
    fit(linear_ranker(penalty = c(0.01, 0.1)), data[1:20], data[21:30], "ndcg@3", threads = 1, verbose = FALSE)
  }
  folder <- withr::local_tempdir()
  texts <- function() {
    comparison <- compare_rankers(values, seed = 1)
    curve <- learning_curve(list(f = best_feature()), list(train = data[1:20], test = data[21:30]),
                            fractions = c(0.25, 1), seed = 1, threads = 1, verbose = FALSE)
    tree <- fit(m5p(), data, threads = 1, verbose = FALSE)
    model <- fit(gbrt(trees = 3, learning_rate = 0.15), data, seed = 1, threads = 1, verbose = FALSE)
    shown <- list(weighted, summary(data), comparison, methods_sentence(comparison), paper_table(comparison),
                  reliability(values), risk(values, "a"), curve, path(), tree, explain(model, data),
                  explain_pair(model, data, 1, 2), equivalence(comparison, margin = 0.05),
                  calibrate(model, data, calibrator_probability()), queries_needed(0.02, sd = 0.15),
                  loss_lambda("rbp(persistence = 0.85)"), fuse_rrf(k = 60.5), m5p(), compare_over_datasets(values))
    for (format in c("sql", "xgboost", "solr", "elasticsearch")) {
      suppressWarnings(write_model(model, file.path(folder, format), format = format,
                                   missing = if (format == "solr") "zero" else "error"))
    }
    list(capture.output(for (one in shown) print(one)), names(path()$path), metric_rbp(persistence = 0.85)$name,
         lapply(list.files(folder, full.names = TRUE), readLines, warn = FALSE),
         conditionMessage(rlang::catch_cnd(gbrt(learning_rate = 1.5))),
         conditionMessage(rlang::catch_cnd(yetirank(confusion = matrix(c(0.1, 0.2, 0.3, 0.4), 2L)))),
         format_count(1234567L), plain_number(1234.5))
  }
  expected <- texts()
  expect_identical(expected[[2L]], c("0.01", "0.1"))
  expect_identical(expected[[7L]], "1,234,567")
  withr::local_options(OutDec = ",", warn = 2)
  expect_identical(format(0.5), "0,5")
  expect_identical(texts(), expected)
})

test_that("long names lose their middle only", {
  short <- rankmix:::shorten
  expect_identical(short(c("ridge", "", strrep("x", 20)), 20L), c("ridge", "", strrep("x", 20)))
  expect_identical(short("a_long_name_of_ranker_1", 20L), "a_long_na...ranker_1")
  # Names that differ at the end still differ.
  expect_identical(anyDuplicated(short(paste0("boosted_regression_trees_", 1:9), 18L)), 0L)
  expect_true(all(nchar(short(strrep("x", 1:60), 18L)) <= 18L))
  # Names that differ in the middle get a number, so that they differ, too.
  middle <- paste0("boosted_regression_trees_", 1:12, "_of_the_first_and_last_fold")
  numbered <- short(c(middle, "ridge", middle[2L]), 18L)
  expect_identical(numbered[c(1, 2, 12, 13, 14)],
                   c("booste...t_fold #1", "booste...t_fold #2", "booste..._fold #12", "ridge", "booste...t_fold #2"))
  expect_identical(anyDuplicated(numbered[1:13]), 0L)
  expect_true(all(nchar(numbered) <= 18L))
})

test_that("pairs keep both names", {
  short <- rankmix:::shorten_pairs
  expect_identical(short("a", "b", 10L), "a - b")
  expect_identical(short("trees_with_few_leaves", "trees_with_many_leaves", 23L), "tr...es #1 - tr...es #2")
})
