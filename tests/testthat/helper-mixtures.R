# Small mixtures of the example data.

# A mixture with several trainings: three specifications with two sets of features.
run_mixture <- function(checkpoint = NULL, ..., seed = 1) {
  tune_and_mix(example_part("train"), example_part("vali"),
               list(adaboost_mh(base_tree(4), rounds = 30, feature_fraction = 0.5),
                    adaboost_mh(base_stump(), rounds = 30), mcsvm_free()),
               list(calibrator_naive(), calibrator_rbc()), grid = mix_grid(features = c("original", "standardized")),
               seed = seed, checkpoint = checkpoint, ...)
}
mcsvm_free <- function() adaboost_mh(base_product(2), rounds = 20)

# `...` are arguments of paper_weighting(). The other arguments belong to tune_and_mix() and its options.
small_mixture <- function(..., calibrators = few_calibrators, metric = metric_ndcg(10), crossfit = 1,
                          budget = mix_budget(), threads = 2) {
  tune_and_mix(
    example_part("train"), example_part("vali"),
    members = list(adaboost_mh(base_tree(4), rounds = 40),
                       adaboost_mh(base_stump(), rounds = 20)),
    calibrators = calibrators, metric = metric, weights = paper_weighting(...),
    holdout = holdout_of_parts(crossfit), budget = budget, seed = 1, threads = threads
  )
}
few_calibrators <- list(calibrator_naive(), calibrator_cpc(), calibrator_rbc())
small_mixture_of <- function(classifiers, ...) {
  tune_and_mix(example_part("train"), example_part("vali"), classifiers, few_calibrators,
               weights = mix_weights(...), holdout = mix_holdout(method = "same"), seed = 1)
}

rankers_of_example <- function() {
  list(first = function(data) data$x[, 1], third = function(data) -data$x[, 3],
       all = function(data) rowSums(data$x))
}
complete_example <- function(name) {
  data <- example_part(name)
  data$x[is.na(data$x)] <- 0
  data
}

# `parts = 1` means `method = "same"`. Other numbers are the number of folds of cross-fitting.
holdout_of_parts <- function(parts) {
  if (parts == 1) mix_holdout(method = "same") else mix_holdout(parts = parts)
}

# Two trained classifiers, and mixtures of them under a time limit.
two_models <- function() {
  train <- example_part("train")
  list(fit(adaboost_mh(base_tree(4), rounds = 20), train, seed = 1, verbose = FALSE),
       fit(adaboost_mh(base_stump(), rounds = 10), train, seed = 1, verbose = FALSE))
}
budget_mixture <- function(models, calibrators, ..., crossfit = 1, rounds = base::c(3, 20),
                           c = base::c(0, 20), seconds = Inf) {
  tune_and_mix(example_part("train"), example_part("vali"), models, calibrators,
               weights = mix_weights(c = c, rounds = rounds), budget = mix_budget(seconds = seconds),
               holdout = holdout_of_parts(crossfit), seed = 1, verbose = FALSE, ...)
}
