# Ranking by calibrated AdaBoost (Busa-Fekete, Kegl, Elteto and Szarvas 2011): bandits, groupings
# of grades, features, products and trees, calibration, mixing. bench/calibrated-adaboost-runs.R
# trains; each claim is a difference of ERR, query by query.

calibrated_on <- c("simulated", "MQ2008", "OHSUMED", "MSLR-sample")

calibrated_run <- function(task, settings) {
  own <- sourced("bench/calibrated-adaboost-runs.R", rounds = settings$rounds)
  if (!is.null(settings$queries)) {
    own$read_part <- function(collection, number) {
      read_simulated(number, settings$queries, settings$queries, settings$queries)
    }
    own$calibrators <- own$calibrators[settings$calibrators]
  }
  # Few queries calibrate: some grades are missing there.
  found <- suppressWarnings(own$one_part(task$collection, task$number))
  found$members <- NULL
  found
}

calibrated_experiments <- list(experiment(
  "calibrated AdaBoost", calibrated_run, calibrated_on,
  by_scale(tiny = list(rounds = 5, queries = 60,
                       calibrators = c("none", "linear", "logistic", "polynomial")),
           small = list(rounds = 50), full = list(rounds = 200))
))

calibrated_claims <- local({
  paper <- "Ranking by calibrated AdaBoost (2011)"
  # Ids in the order of the paper's text.
  ids <- c(standardized = "B1", whitened_standardized = "B2", three = "B3", binary = "B4",
           spread_less = "B5", binary_monotone = "B6", trees = "B7", products_combined = "B8",
           all_trees = "B9", all_products = "B10", calibrated = "B11", all_uncalibrated = "B12",
           all_best = "B13", bandit = "B14", borda = "B15", mc4 = "B16", pair_chain = "B17")
  say <- function(what, says, figure, kind = "more", limit = 0, sign = 1, on = calibrated_on) {
    claims_on(on, id = ids[[what]], paper = paper, says = says, kind = kind,
              limit = limit, figure = figure, experiment = "calibrated AdaBoost",
              measure = "ERR", of = function(found) {
                differences(lapply(found, function(one) sign * one$differences[[what]]))
              })
  }
  five <- c("simulated", "MSLR-sample")
  c(
    say("bandit", "A bandit ranks as well as full search (within .005)",
        "Used for all runs; no comparison.", "same", 0.005),
    say("standardized", "Standardised features help single models",
        "Figure 1: most points above the diagonal."),
    say("whitened_standardized", "Whitening is as good as standardising (within .005)",
        "'Equally effective', not shown.", "same", 0.005),
    say("three", "Three classes beat five", "Figure 2: 'definitely better'.", on = five),
    say("binary", "Two classes lose to all", "Figure 3: 'did not work'.", sign = -1),
    say("binary_monotone", "With two classes no monotone calibration changes the order",
        "Figure 3; 'expected'.", "same", 1e-9),
    say("spread_less", "Calibrations of five classes differ more than calibrations of three",
        "Figures 2 and 3, by eye.", on = five),
    say("trees", "Trees beat products one by one", "Figures 1 to 3: 'slightly better'."),
    say("products_combined", "Products beat trees when combined", "Table 3: 'a slight edge'."),
    say("all_trees", "Trees and products together beat trees", "Table 3: 'the best results'."),
    say("all_products", "Trees and products together beat products",
        "Table 3: 'the best results'."),
    say("calibrated", "Calibration does not help single models (by less than .005)",
        "Figures 1 to 3: 'did not improve much'.", "less", 0.005),
    say("all_uncalibrated", "Calibrated members make a better mixture",
        "Table 3: 'significantly worse' without."),
    say("all_best", "The mixture beats its best member", "'Crucial'; figures 1 to 3."),
    say("borda", "Borda's method loses to the mixture", "'Significantly worse', not shown.",
        sign = -1),
    say("mc4", "A Markov chain of ranks (MC4) loses to the mixture",
        "'Significantly worse', not shown.", sign = -1),
    say("pair_chain", "A chain learned by a network loses to the mixture",
        "'Significantly worse', not shown.", sign = -1),
    claims_on(calibrated_on, id = "B18", paper = paper, experiment = "calibrated AdaBoost",
              says = "c and threshold chosen on validation lose less than .005 of the best",
              kind = "less", limit = 0.005, measure = "ERR, best less chosen, a number a part",
              figure = "Figure 4: optima 'almost coincide'.", of = function(found) {
                differences(lapply(found, function(one) {
                  max(one$surface$test) - one$surface$test[which.max(one$surface$valid)]
                }))
              })
  )
})
