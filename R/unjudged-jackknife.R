# The jackknife of estimates from samples of judgements, for evaluate_sampled().
#
# A stratum has N documents, of which a simple random sample of n is judged. The bias of a smooth estimator is
# b (1/n - 1/N) plus smaller terms. Without one judged document it is b (1/(n - 1) - 1/N). So the mean change
# of the estimate without one judged document, times (n - 1) (1 - n/N), estimates the bias.

# The estimator with its value minus the estimated biases of all strata. The standard error stays.
jackknifed <- function(estimator) {
  force(estimator)
  function(own, settings) {
    estimate <- estimator(own, settings)
    biases <- vapply(unique(own$stratum), function(s) {
      jackknife_bias(estimator, own, settings, estimate[["value"]], which(own$stratum == s))
    }, 0)
    estimate[["value"]] <- estimate[["value"]] - sum(biases)
    estimate
  }
}

jackknife_bias <- function(estimator, own, settings, value, members) {
  judged <- members[!is.na(own$relevance[members])]
  n <- length(judged)
  if (n == length(members)) {
    return(0)
  }
  kinds <- interchangeable(own, judged)
  without <- vapply(judged[!duplicated(kinds)], function(i) {
    own$relevance[i] <- NA
    estimator(own, settings)[["value"]]
  }, 0)
  change <- mean(without[match(kinds, unique(kinds))]) - value
  (n - 1) * (1 - n / length(members)) * change
}

# Kinds of judged documents of one stratum: without a document of a kind, the estimate is the same. These are
# documents with grade 0 between the same two documents with higher grades. Each document with a higher grade is a
# kind. So a query needs few estimates.
interchangeable <- function(own, judged) {
  above <- findInterval(own$rank[judged], sort(own$rank[which(own$relevance > 0)]))
  ifelse(own$relevance[judged] > 0, -judged, above)
}
