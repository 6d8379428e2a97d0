# The rankers that Tune and mix (2013, section 7.3) compares with, as rows of its tables 2 and 3.
# Sourced by bench/accuracy.R. Each ranker chooses its settings on the validation part: costs, rounds, epochs,
# restarts, one of three sizes of networks, and one kind of RankBoost's weak rankers.

network_sizes <- list(10, 100, c(100, 50, 10))
networks <- function(make) lapply(network_sizes, function(hidden) make(hidden = hidden))
# AdaRank as published, and two variants that do not stall.
adaranks <- function(metric) {
  list(adarank(metric), adarank(metric, repeats = 1), adarank(metric, repeats = 1, pause = 10))
}

section_73 <- list(
  RankSVM = list(ranksvm()),
  RankBoost = list(rankboost(300), rankboost(300, weak = "stump")),
  RankNet = networks(ranknet),
  ListNet = networks(listnet),
  AdaRank.MAP = adaranks(metric_average_precision()),
  AdaRank.NDCG = adaranks(metric_ndcg(10)),
  # By the rule of LETOR's tool a query of less than ten documents counts 0, whatever its ranking.
  `AdaRank.NDCG, LETOR` = adaranks(metric_ndcg(10, short_lists = "zero")),
  AdaRank.ERR = adaranks(metric_err()),
  `coordinate ascent` = list(coordinate_ascent(metric_ndcg(10)))
)

# The scores of each ranker on the test part, and its chosen specification.
section_73_run <- function(parts, metric) {
  lapply(section_73, function(tried) {
    # A warning reports that AdaRank stalled. Its model is used as it is.
    models <- suppressWarnings(lapply(tried, fit, parts$train, parts$valid, metric, seed = 1,
                                      threads = 1, verbose = FALSE))
    held <- vapply(models, function(model) {
      summary(evaluate(predict(model, parts$valid), parts$valid, metric, threads = 1))$mean
    }, 0)
    best <- which.max(held)
    list(scores = predict(models[[best]], parts$test), spec = format(tried[[best]]))
  })
}
