# Objectives of LIBLINEAR on listed pairs, for the tests of ranksvm(): writes
# tests/testthat/fixtures/ranksvm-objectives.csv.
#
#   Rscript data-raw/ranksvm-objectives.R
#
# Types 2 (squared hinge, primal) and 3 (hinge, dual), without bias, of the differences of
# standardised features of all pairs of different grades, every other one with its sign
# changed, so that there are two classes. The objectives are worked out here from LIBLINEAR's
# weights.

library(rankmix)
source("tests/testthat/helper-naive-linear.R")
data <- simulate_ranking(20, features = 5, seed = 5)$data
data$x[is.na(data$x)] <- 0
z <- naive_standard(data$x)$z
pairs <- naive_pairs(data, "plain")
sign <- rep_len(c(1, -1), nrow(pairs))
differences <- sign * (z[pairs$upper, ] - z[pairs$lower, ])

rows <- expand.grid(cost = 10^(-6:1), loss = c("squared_hinge", "hinge"), stringsAsFactors = FALSE)
rows$objective <- vapply(seq_len(nrow(rows)), function(i) {
  squared <- rows$loss[i] == "squared_hinge"
  set.seed(1)
  model <- LiblineaR::LiblineaR(differences, sign, type = if (squared) 2 else 3,
                                cost = rows$cost[i], epsilon = if (squared) 1e-8 else 1e-6, bias = 0)
  # The weights are those of the class that came first.
  v <- model$W[1L, seq_len(ncol(z))] * model$ClassNames[1L]
  naive_rank_objective(v, z, pairs, rows$cost[i], rows$loss[i])
}, 0)
print(rows)
rows$objective <- format(rows$objective, digits = 12, trim = TRUE)
write.csv(rows, "tests/testthat/fixtures/ranksvm-objectives.csv", row.names = FALSE, quote = FALSE)
