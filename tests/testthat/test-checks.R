data <- random_data(queries = 6, seed = 1)

test_that("every function names the missing argument, in its own name", {
  # Generics of the package generics are left out, because that package reports their missing arguments.
  names <- setdiff(getNamespaceExports("rankmix"), c("fit", "tidy", "glance", "augment", "explain"))
  names <- Filter(function(name) is.function(get(name, asNamespace("rankmix"))), names)
  asked <- 0L
  for (name in names) {
    arguments <- formals(get(name, asNamespace("rankmix")))
    needed <- names(arguments)[vapply(arguments, rlang::is_missing, NA)]
    if (length(setdiff(needed, "...")) == 0L) next
    asked <- asked + 1L
    error <- tryCatch(eval(call(name)), error = identity)
    expect_s3_class(error, "rankmix_error_argument")
    expect_match(conditionMessage(error), "^`[a-z_]+` is not given", info = name)
    expect_identical(as.character(error$call[[1L]]), name)
  }
  expect_gt(asked, 35L)
})

test_that("methods of fit(), predict() and calibrate() also name the missing argument", {
  local_known_warnings("constant")
  specs <- list(adaboost_mh(base_stump(), 3), gbrt(3), mcsvm(), best_feature())
  models <- lapply(specs, fit, data)
  models[[5L]] <- mix(list(a = models[[2L]], b = models[[4L]]), data, threads = 1)
  models[[6L]] <- calibrate(models[[1L]], data, calibrator_naive())
  for (spec in specs) {
    expect_error(fit(spec), "`data` is not given", class = "rankmix_error_argument")
  }
  for (model in models) {
    expect_error(predict(model), "`newdata` is not given", class = "rankmix_error_argument")
  }
  expect_error(fit(models[[1L]], data), "`rounds` is not given", class = "rankmix_error_argument")
  expect_error(calibrate(models[[1L]], data), "`method` is not given",
               class = "rankmix_error_argument")
})

test_that("errors of list elements name the user's call", {
  calls <- expression(
    evaluate(list(a = 1), data, "ndcg"),
    evaluate(data$x[, 1], data, list("ndcg", "ndgc")),
    benchmark_rankers(list(a = 1), data),
    benchmark_rankers(list(a = gbrt()), data, tune = list(a = list(steps = 1))),
    tune_and_mix(data, data, list(adaboost_mh(), 3)),
    tune_and_mix(data, data, calibrators = list(calibrator_cpc(), 3)),
    mix(list(a = data$x[, 1], b = 1), data),
    aggregate_ranks(list(a = data$x[, 1], b = 1), data),
    compare_rankers(a = 1, b = 2, data = data),
    convention_report(list(a = 1), data)
  )
  for (one in as.list(calls)) {
    error <- tryCatch(eval(one), error = identity)
    expect_s3_class(error, "rankmix_error")
    expect_identical(as.character(error$call[[1L]]), as.character(one[[1L]]))
  }
})

test_that("the error for a misspelt choice names the right choice", {
  expect_error(check_choice("elastic", "format", c("solr", "elasticsearch")), "Did you mean \"elasticsearch\"?",
               fixed = TRUE)
  expect_error(check_choice(3, "format", c("solr", "elasticsearch")), "not 3", fixed = TRUE)
})

test_that("the default of an argument may list all choices, and a part of them is an error", {
  choices <- c("score", "probability", "rank")
  expect_identical(check_first_choice(choices, "by", choices), "score")
  expect_identical(check_first_choice("rank", "by", choices), "rank")
  for (wrong in list(choices[2:3], choices[3:1], sum, data.frame(), NULL)) {
    expect_error(check_first_choice(wrong, "by", choices), "`by` must be one of", class = "rankmix_error_argument")
  }
  # Before, the first element was used, or R failed.
  data <- simulate_ranking(20, seed = 1)$data
  for (wrong in list(c("rank", "score"), sum)) {
    expect_error(cut_list(data$x[, 1L], data, by = wrong), "`by` must be one of", class = "rankmix_error_argument")
  }
})

test_that("threads keep the limits of clusters and of R CMD check", {
  all <- RcppParallel::defaultNumThreads()
  withr::local_options(rankmix.threads = NULL)
  withr::local_envvar(OMP_THREAD_LIMIT = NA, `_R_CHECK_LIMIT_CORES_` = NA)
  expect_identical(rankmix:::check_threads(NULL), as.integer(all))
  withr::local_envvar(OMP_THREAD_LIMIT = "1")
  expect_identical(rankmix:::check_threads(NULL), 1L)
  expect_identical(rankmix:::check_threads(3), 3L)
  withr::local_envvar(OMP_THREAD_LIMIT = "many", `_R_CHECK_LIMIT_CORES_` = "TRUE")
  expect_identical(rankmix:::check_threads(NULL), min(all, 2L))
})

test_that("a confidence level and a significance level are not mixed up", {
  check <- function(code, message) expect_error(code, message, class = "rankmix_error_argument")
  check(rankmix:::check_confidence(0.05), "confidence level of the intervals, such as 0.95")
  check(rankmix:::check_significance(0.95), "significance level, such as 0.05")
  expect_identical(rankmix:::check_confidence(0.9), 0.9)
  expect_identical(rankmix:::check_significance(0.1), 0.1)
})

# bit64 stores whole numbers in the bits of doubles. The bits of the numbers 1 to 9 are those of 1 to 9 times 2^-1074.
long_integers <- function(x) structure(x * 2^-1074, class = "integer64")

test_that("64-bit integers are refused, because their bits are other numbers", {
  seven <- long_integers(7)
  data <- example_part("train")
  values <- list2DF(list(a = long_integers(c(1, 0, 1, 1)), b = long_integers(c(0, 0, 1, 0))))
  grades <- list2DF(list(document = rep(1:4, 2), assessor = rep(c("a", "b"), each = 4),
                         relevance = long_integers(rep(c(0, 1, 1, 2), 2))))
  probability <- list2DF(list(p = long_integers(c(1, 1)), q = long_integers(c(0, 0))))
  calls <- list(
    gbrt = function() gbrt(trees = seven), path = function() linear_ranker(penalty = seven),
    tree = function() base_tree(seven), monotone = function() gbrt(monotone_constraints = long_integers(1)),
    ndcg = function() metric_ndcg(seven), cutoffs = function() metric_ndcg(long_integers(c(1, 2))),
    relevant = function() metric_precision(5, relevant = seven),
    discount = function() metric_dcg(2, discount = long_integers(c(1, 2))),
    seed = function() split_queries(data, 0.5, seed = seven), folds = function() query_folds(data, seven),
    fraction = function() split_queries(data, long_integers(1)), fit = function() fit(gbrt(trees = 1), data, seed = seven),
    index = function() data[seven], column = function() data[, long_integers(1)],
    rankers = function() queries_needed(0.02, sd = 0.15, rankers = seven),
    level = function() compare_rankers(values, level = long_integers(1)),
    pilot = function() queries_needed(0.1, pilot = values), risk = function() risk(values, "a"),
    reliability = function() reliability(values), variance = function() variance_parts(values),
    datasets = function() compare_over_datasets(values), comparison = function() compare_rankers(values),
    alpha = function() assessor_agreement(grades, "alpha", scale = "interval"),
    bound = function() bound_cocr(list2DF(list(a = long_integers(c(1, 0)))), probability),
    edcg = function() expected_dcg(probability),
    threads = function() predict(fit(gbrt(trees = 1), data, verbose = FALSE), data, threads = seven)
  )
  for (name in names(calls)) expect_error(calls[[!!name]](), class = "rankmix_error")
  expect_snapshot(error = TRUE, {
    gbrt(trees = seven)
    risk(values, "a")
    compare_over_datasets(values)
    queries_needed(0.1, pilot = values)
    assessor_agreement(grades, "alpha", scale = "interval")
  })
})

# A data frame as a tibble, a grouped tibble and a data.table.
frames_of <- function(x) {
  tibble <- tibble::as_tibble(x)
  list(tibble, structure(tibble, class = c("grouped_df", class(tibble))), data.table::as.data.table(x))
}

test_that("tibbles and data.tables give the result of the data frame", {
  skip_if_not_installed("tibble")
  skip_if_not_installed("data.table")
  effects <- data.frame(dataset = 1:3, a = "o", b = "t", difference = c(0.02, 0.05, -0.01), se = c(0.008, 0.02, 0.012))
  lists <- interleave(data$x[, 1], data$x[, 2], data, sessions = 20, seed = 1, depth = 3)
  clicks <- cbind(as.data.frame(lists), click = rep(0:1, length.out = nrow(lists)))
  grades <- data.frame(document = rep(1:20, 3), assessor = rep(c("a", "b", "c"), each = 20), relevance = rep(0:2, 20))
  values <- data.frame(a = seq(0.1, 0.9, 0.1), b = (1:9 %% 4) / 4)
  groups <- data.frame(query = 1:9, kind = rep(c("x", "y", "x"), 3))
  calls <- list(
    list(effects, compare_over_datasets), list(effects[4:5], compare_over_datasets),
    list(effects, function(x) compare_over_datasets(x, control = "o")), list(values, compare_over_datasets),
    list(clicks[names(clicks) != "prob_a"], interleaving_result), list(clicks, interleaving_result),
    list(grades, function(x) tidy(assessor_agreement(x, seed = 1, resamples = 100))), list(grades, dawid_skene),
    list(groups, function(x) query_report(values, by = x, seed = 1, resamples = 100)$groups),
    list(values, reliability), list(values, function(x) risk(x, "a"))
  )
  for (one in calls) {
    wanted <- one[[2L]](one[[1L]])
    for (frame in frames_of(one[[1L]])) {
      # A warning of another package fails the test.
      expect_identical(withr::with_options(list(warn = 2), one[[2L]](frame)), wanted)
    }
  }
  withr::local_options(warn = 2)
  for (frame in frames_of(data.frame(splits = 1:3))) {
    expect_error(benchmark_rankers(best_feature(), frame, "ndcg@10", data = data), class = "rankmix_error_argument")
  }
})

test_that("a column is not mistaken for an optional column whose name begins its name", {
  grades <- data.frame(document = rep(1:20, 3), assessor = rep(c("a", "b", "c"), each = 20), relevance = rep(0:2, 20))
  agreement <- function(x) tidy(assessor_agreement(x, seed = 1, resamples = 100))
  expect_identical(agreement(cbind(grades, query_text = letters[1:20])), agreement(grades))
  effects <- data.frame(difference = c(0.02, 0.05, -0.01), se = c(0.008, 0.02, 0.012))
  expect_identical(compare_over_datasets(cbind(effects, dataset_url = "x")), compare_over_datasets(effects))
})
