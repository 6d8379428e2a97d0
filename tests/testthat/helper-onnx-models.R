# Models of every kind that ONNX supports, trained on features that are floats; and the checker of onnx, if it
# is installed.

train_floats <- function(spec, data, ...) fit(spec, data, seed = 1, verbose = FALSE, ...)

float_parts <- function() {
  data <- simulate_ranking(80, features = 6, seed = 4)$data
  data$x[seq(1, length(data$x), by = 11)] <- NA
  data$x[] <- f32(data$x)
  split_parts(split_queries(data, 0.4, seed = 1), data)
}

# The models, which are trained only once.
mixed_models <- function() {
  if (is.null(kept_models$mixed)) kept_models$mixed <- train_mixed_models()
  kept_models$mixed
}
kept_models <- new.env()

train_mixed_models <- function() {
  parts <- float_parts()
  train <- function(spec) train_floats(spec, parts$train)
  boosted <- train(adaboost_mh(base_tree(4), 8))
  svm <- train(mcsvm(0.1, missing = "mean"))
  levels <- train(cocr(linear_ranker(penalty = 0.1)))
  members <- mixture(
    adaboost_mh(base_tree(4), 8), mcsvm(0.1), cocr(linear_ranker(penalty = 0.1)), gbrt(8, num_leaves = 4),
    best_feature(), ranksvm(c(0.1, 1)), ranknet(epochs = 2), m5p(min_data_in_split = 30),
    rankboost(10), adarank(rounds = 5, repeats = 1), weights = mix_weights(0),
    calibrators = c(fast_calibrators(), list(calibrator_rbc("isotonic")))
  )
  mixture <- train_floats(members, parts$train, parts$test)
  models <- list(of_trees = calibrate(boosted, parts$test, calibrator_cpc(), rounds = 5),
                 of_svm = calibrate(svm, parts$test, calibrator_rbc("polynomial")),
                 of_levels = calibrate(levels, parts$test, calibrator_naive()), mixture = mixture)
  rankers <- c(list(boosted = boosted, svm = svm, levels = levels,
                    line = train(linear_ranker(penalty = 0.1))), models)
  models$mix <- mix(rankers, parts$test, weights = mix_weights(0))
  models
}

# One model of every kind of ranker.
all_kinds <- function() {
  data <- float_parts()$train
  specs <- list(
    booster = gbrt(8, num_leaves = 4), yeti = yetirank(trees = 5), monotone = rankboost(10),
    tanh = network_ranker(hidden = c(5, 3), epochs = 2, activation = "tanh", log1p = TRUE),
    batch = network_ranker(hidden = 4, epochs = 2, normalize = "batch", activation = "logistic",
                    missing = "indicator"),
    layer = network_ranker(hidden = 8, epochs = 2, normalize = "layer", activation = "logistic"),
    ranknet = ranknet(epochs = 2), one_feature = best_feature(),
    m5p = m5p(min_data_in_split = 30, prune = FALSE, missing = "indicator"),
    bag = bagging(m5p(min_data_in_split = 30, prune = FALSE), 3, feature_fraction = 0.5),
    bag_of_trees = bagging(gbrt(5, num_leaves = 4), 3),
    cocr = cocr(linear_ranker(penalty = 0.1, missing = "indicator")),
    hard = cocr(linear_ranker(penalty = 0.1, missing = "zero"), ranker = "hard"),
    cocr_of_trees = cocr(gbrt(5, num_leaves = 4))
  )
  c(lapply(specs, train_floats, data), calibrated_kinds())
}

calibrated_kinds <- function() {
  parts <- float_parts()
  model <- train_floats(adaboost_mh(base_tree(4), 8), parts$train)
  methods <- c(all_calibrators(normalize = FALSE), list(calibrator_rbc("isotonic"), calibrator_naive("grade")))
  models <- lapply(methods, function(method) calibrate(model, parts$test, method))
  stats::setNames(models, paste0("calibrated_", seq_along(methods)))
}

# A Python that has the package onnx.
checking_python <- function() {
  tried <- unique(c(Sys.getenv("RANKMIX_PYTHON"), "/usr/bin/python3", Sys.which("python3")))
  for (python in tried[nzchar(tried)]) {
    found <- suppressWarnings(system2(python, c("-c", shQuote("import onnx")), stdout = FALSE,
                                      stderr = FALSE))
    if (found == 0L) return(python)
  }
}

# The number of files in a folder that the checker accepts. The first invalid file raises an error.
check_all_onnx <- function(folder) {
  script <- withr::local_tempfile(fileext = ".py")
  writeLines(c("import glob, onnx", sprintf("for file in sorted(glob.glob('%s/*.onnx')):", folder),
               "    try:", "        onnx.checker.check_model(onnx.load(file), full_check=True)",
               "        print('good')", "    except Exception as problem:",
               "        print(file, problem)"), script)
  said <- system2(checking_python(), script, stdout = TRUE)
  if (!all(said == "good")) stop(paste(said[said != "good"], collapse = "\n"), call. = FALSE)
  length(said)
}
