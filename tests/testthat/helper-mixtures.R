# Mixtures of the example data, small ones.

# In parts that go through a run: three specifications with two sets of features.
run_mixture <- function(checkpoint = NULL, ..., seed = 1) {
  tune_and_mix(example_part("train"), example_part("vali"),
               list(adaboost_mh(tree(4), rounds = 30, feature_share = 0.5),
                    adaboost_mh(stump(), rounds = 30), mcsvm_free()),
               list(naive(), rbc()), grid = member_grid(features = c("original", "standardized")),
               seed = seed, checkpoint = checkpoint, ...)
}
mcsvm_free <- function() adaboost_mh(product(2), rounds = 20)

# `...` are for paper_weighing(), others where they belong.
small_mixture <- function(..., calibrators = few_calibrators, metric = ndcg(10), crossfit = 1,
                          budget = mix_budget(), threads = 2) {
  tune_and_mix(
    example_part("train"), example_part("vali"),
    classifiers = list(adaboost_mh(tree(4), rounds = 40),
                       adaboost_mh(stump(), rounds = 20)),
    calibrators = calibrators, metric = metric, weigh = paper_weighing(...),
    hold_out = holding_out(crossfit = crossfit), budget = budget, seed = 1, threads = threads
  )
}
few_calibrators <- list(naive(), cpc(), rbc())
small_mixture_of <- function(classifiers, ...) {
  tune_and_mix(example_part("train"), example_part("vali"), classifiers, few_calibrators,
               weigh = weighing(...), hold_out = holding_out(crossfit = 1), seed = 1)
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
