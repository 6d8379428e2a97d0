# Data of the tests that compare results with coin, multcomp, boot and TOSTER. Used by tests and by
# data-raw/comparison-peers.R.

# The numbers that a package returned in one case, in their order.
peer_values <- function(package, case) {
  table <- read.csv(test_path("fixtures", "comparison-peers.csv"))
  values <- table$value[table$package == package & table$case == case]
  stopifnot(length(values) > 0L)
  values
}

# Differences of 40 queries from an exponential distribution.
skewed_differences <- round(stats::qexp(((1:40) - 0.5) / 40), 3)

# 999 bootstrap means without a random draw.
given_means <- stats::qgamma(stats::ppoints(999), 40, 40)

# 200 queries with nearly normal and nearly independent values of four rankers.
normal_values <- local({
  n <- 200L
  grid <- function(step) stats::qnorm(((seq_len(n) * step) %% n + 0.5) / n)
  round(cbind(A = grid(1) + 0.3, B = grid(67), C = grid(113) - 0.05, D = grid(149) + 0.1), 3)
})

# A feature that is the fraction 1 / 10, ..., of each query in one of two bins, for 7 old and 5 new queries.
bin_fraction <- c(1, 3, 2, 5, 4, 7, 6, 6, 8, 5, 9, 10) / 10
