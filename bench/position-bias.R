# Learning from clicks at known positions: does unbiased LambdaMART learn the true order where naive
# LambdaMART does not? Simulated are judged queries, a logging ranker with noise, and users who look at
# position k with probability 1 / k (or stop at the first click). Clicks are the only grades for training. The
# script prints NDCG@10 by true grades on other queries, and p values of paired t tests over these queries.
# Rscript bench/position-bias.R [queries] [sessions] [file]
library(rankmix)

args <- commandArgs(TRUE)
queries <- if (length(args) >= 1) as.integer(args[1]) else 300L
sessions <- if (length(args) >= 2) as.integer(args[2]) else 20L
file <- if (length(args) >= 3) args[3] else "bench/position-bias.md"
depth <- 10L

simulation <- simulate_ranking(queries, documents = c(10, 20), seed = 1)
test <- simulate_ranking(300, documents = c(10, 20), truth = simulation$truth, seed = 2)$data
# The logging rankers: one that uses the best feature only, and one that orders by a useless feature.
loggers <- list(one = fit(best_feature(), simulation$data, threads = 1),
                useless = as.double(simulation$data$x[, "useless1"]))
spec <- function(...) lambdamart(metric_ndcg(10), trees = 100, num_leaves = 8, truncation = depth, ...)
methods <- list(naive = spec(), pairs = spec(unbiased = "pairs"),
                pairs_l2 = spec(unbiased = "pairs", position_l2 = 1),
                additive = spec(unbiased = "additive"),
                additive_l2 = spec(unbiased = "additive", position_l2 = 0.01))
value <- function(scores) evaluate(scores, test, metric_ndcg(10))$value

lines <- c("# Position bias", "",
           sprintf("`Rscript bench/position-bias.R %d %d`: %d judged queries, %d sessions each,",
                   queries, sessions, queries, sessions),
           "10 documents shown. Users look at position k with probability 1 / k. NDCG@10 is by true grades on 300 other queries. p-values",
           "are of paired t tests against the naive model. `found` is the correlation of the logarithms of the estimated position effects",
           "with the logarithms of 1 / k. The next column is the estimate for position 5, whose true value is 0.2.", "",
           "| users | shown by | model | NDCG@10 | p | found | position 5 | s (CPU) |",
           "|---|---|---|---|---|---|---|---|")
for (user in c("position", "cascade")) {
  for (logger in names(loggers)) {
    clicks <- simulate_clicks(simulation$data, sessions, ranker = loggers[[logger]], noise = 0.3,
                              depth = depth, user = user, seed = 3)
    naive <- NULL
    full <- value(predict(fit(spec(), simulation$data, seed = 1, threads = 1), test))
    lines <- c(lines, sprintf("| %s | %s | *trained on grades* | %.4f | | | | |", user, logger,
                              mean(full)))
    for (name in names(methods)) {
      time <- system.time(model <- fit(methods[[name]], clicks, seed = 1, threads = 1))
      found <- value(predict(model, test))
      if (is.null(naive)) naive <- found
      p <- if (name == "naive") NA else t.test(found, naive, paired = TRUE)$p.value
      bias <- model$position_bias
      learned <- if (!is.null(bias$clicked)) bias$clicked[100, ] else
        if (!is.null(bias$added)) exp(bias$added[100, ] - bias$added[100, 1])
      lines <- c(lines, sprintf(
        "| %s | %s | %s | %.4f | %s | %s | %s | %.1f |", user, logger, name, mean(found),
        if (is.na(p)) "" else format(p, digits = 2),
        if (is.null(learned)) "" else sprintf("%.3f", cor(log(learned), log(1 / seq_len(depth)))),
        if (is.null(learned)) "" else sprintf("%.2f", learned[5]), sum(time[c(1, 2)])))
      message(tail(lines, 1))
    }
  }
}
writeLines(lines, file)
