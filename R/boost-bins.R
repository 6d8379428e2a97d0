# The bins of features for what a specification searches: a bandit looks at one feature at
# a time, which is to lie by itself.
bins_of <- function(spec, x, threads) {
  bin_features(x, as.integer(spec$bins), searches_single(spec), threads)
}

searches_single <- function(spec) {
  inherits(spec$search, "rankmix_bandit")
}
