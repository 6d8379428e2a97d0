# The claims of Ranking by calibrated AdaBoost (2011), judged by the differences of data-raw/calibrated-adaboost.R,
# and the file of the vignette. A claim that something is better holds if the interval is above 0, and does not
# hold if it is below. A claim of no difference holds if the interval is within 0.005 of 0.

claims <- data.frame(
  what = c("all_best", "all_uncalibrated", "calibrated", "three", "-binary", "binary_monotone", "spread_less", "trees",
           "products_combined", "all_trees", "all_products", "standardized", "whitened_standardized", "bandit", "-borda",
           "-mc4", "-pair_chain"),
  kind = c("better", "better", "no gain", "better", "better", "same", "better", "better", "better", "better", "better",
           "better", "same", "same", "better", "better", "better"),
  claim = c("the mixture is better than its best member", "calibrated members improve the mixture",
            "calibration does not help single members", "three classes are better than five",
            "two classes are worse than all", "monotone calibration cannot reorder two classes",
            "calibrators differ more with five classes than with three", "trees are better than products one by one",
            "products are better when combined", "trees and products are better than trees",
            "trees and products are better than products", "standardised features help",
            "whitening is as good as standardising", "a bandit ranks as well as full search",
            "Borda's method is worse than the mixture", "the Markov chain MC4 is worse than the mixture",
            "the learned chain is worse than the mixture")
)

verdict <- function(low, high, effect, kind) {
  if (kind == "same") {
    if (low >= -0.005 && high <= 0.005) return("holds")
    return(if (low * high > 0 && abs(effect) > 0.005) "does not hold" else "undecided")
  }
  if (kind == "no gain") return(if (high <= 0.005) "holds" else if (low > 0.005) "does not hold" else "undecided")
  if (low > 0) "holds" else if (high < 0) "does not hold" else "undecided"
}

judged <- function(effects) {
  do.call(rbind, lapply(seq_len(nrow(claims)), function(i) {
    own <- effects[effects$what == sub("-", "", claims$what[i]), ]
    if (startsWith(claims$what[i], "-")) own[c("effect", "low", "high")] <- -own[c("effect", "high", "low")]
    found <- mapply(verdict, own$low, own$high, own$effect, claims$kind[i])
    data.frame(claim = claims$claim[i], collection = own$collection, found, own[c("effect", "low", "high", "p")], row.names = NULL)
  }))
}

# What the choice of c and threshold on the validation queries costs, means over the parts of a collection.
choice_costs <- function(surface, choices) {
  do.call(rbind, lapply(unique(choices$collection), function(name) {
    own <- surface[surface$collection == name, ]
    chosen <- choices[choices$collection == name, ]
    data.frame(collection = name, correlation = stats::cor(own$valid, own$test, method = "spearman"),
               lost = mean(chosen$best - chosen$test), range = mean(chosen$best - chosen$worst),
               over_equal = mean(chosen$test - chosen$equal))
  }))
}

write_summary <- function(written, to = "vignettes/calibrated-adaboost.rds") {
  shown <- c("best member", "uncalibrated", "product", "tree", "all")
  saveRDS(list(made = written$made, mixtures = written$table3[written$table3$mixture %in% shown, ],
               claims = judged(written$effects), choices = choice_costs(written$surface, written$choices)),
          to, version = 3L, compress = "xz")
  cat(sprintf("%s: %d bytes\n", to, file.size(to)))
}
