# Several objectives: the loss of relevance and the gain of the other objective under a floor of the relevance, and how
# often the floor is broken. Writes bench/objectives.md.
#
#   Rscript bench/objectives.R [repetitions]
#
# 1. MQ2008 with a second label: simulated sales of each document, whose chance depends on the relevance and on two
#    features. For each fold pareto_front() chooses on the validation part, and the test part measures the choice.
# 2. Simulation: `repetitions` (200) data sets for each floor, with 100 validation and 100 test queries. 3,000 further
#    queries measure the true differences. How often is the true loss above the floor? Do the intervals of the gain
#    cover the true gain, on the validation queries that chose and on the test queries?
#
# Targets: the floor is broken in at most 5 % of the data sets plus two standard errors. The 90 % intervals of the test
# queries cover the true differences in at least 90 % less two standard errors.

library(rankmix)
source("bench/common.R")

repetitions <- as.integer(c(commandArgs(trailingOnly = TRUE), "200")[1L])
level <- 0.05

# Sales: the price of a document, if it is sold. `taste` and `price` are numbers from about -2 to 2.
with_sales <- function(data, taste, price, seed) {
  set.seed(seed)
  sold <- runif(nrow(data)) < plogis(taste + data$relevance - 1)
  ranking_data(data$x, data$relevance, data$query_ids[data$query],
               labels = list(revenue = ifelse(sold, exp(price / 2), 0)))
}

gains_of <- function(front, sample) {
  rows <- front$choice$gains
  rows[rows$sample == sample, ]
}

# MQ2008 -------------------------------------------------------------------------------------------------

standard <- function(x) pmin(pmax((x - mean(x)) / max(sd(x), 1e-9), -2), 2)

collection_front <- function(fold, seed, floor) {
  parts <- lapply(fold, function(data) with_sales(data, standard(data$x[, 15L]), standard(data$x[, 40L]), seed))
  pareto_front(lambdamart(trees = 300), parts$train, parts$valid, floor = floor, test = parts$test, seed = seed,
               level = level, verbose = FALSE)
}

folds <- read_folds(data_folder("MQ2008"))
floors <- c(0.005, 0.02, 0.05)
fronts <- lapply(seq_along(folds), function(f) {
  message("MQ2008, fold ", f)
  collection_front(folds[[f]], f, NULL)
})

# The mean difference of mixtures to the relevance alone over the test queries of all folds, with its standard error.
# `points` are the mixtures of the folds.
pooled <- function(points, objective) {
  d <- unlist(Map(function(front, point) {
    values <- front$test_values[[objective]]
    values[, point] - values[, 1L]
  }, fronts, points))
  d <- d[!is.nan(d)]
  sprintf("%+.4f (%.4f)", mean(d), sd(d) / sqrt(length(d)))
}

weight_of <- function(front, point) front$weights[point, "relevance"]
weight_rows <- vapply(c(0.9, 0.8, 0.6, 0.4, 0.2, 0), function(w) {
  at <- lapply(fronts, function(front) which(abs(front$weights[, "relevance"] - w) < 1e-9))
  table_row(sprintf("%.1f", w), pooled(at, "relevance"), pooled(at, "revenue"))
}, "")
floor_rows <- vapply(floors, function(floor) {
  points <- lapply(fronts, function(front) choose_point(front, floor = c(relevance = floor))$choice$point)
  table_row(floor, paste(sprintf("%.1f", mapply(weight_of, fronts, points)), collapse = " "),
            pooled(points, "relevance"), pooled(points, "revenue"))
}, "")

# Simulation ---------------------------------------------------------------------------------------------

simulated_choice <- function(seed, floor) {
  data <- simulate_ranking(3350, documents = 10, features = 10, seed = seed)$data
  data <- with_sales(data, standard(data$x[, 2L]), standard(data$x[, 3L]), seed)
  front <- pareto_front(lambdamart(trees = 60), data[1:150], data[151:250], floor = c(relevance = floor),
                        test = data[251:350], patience = 15, seed = seed, level = level, verbose = FALSE)
  many <- data[351:3350]
  true <- vapply(c("relevance", "revenue"), function(label) {
    part <- use_label(many, label)
    value <- function(model) mean(evaluate(model, part, front$objectives[[label]])$value, na.rm = TRUE)
    value(front$model) - value(front$models$relevance)
  }, 0)
  own <- gains_of(front, "validation")
  test <- gains_of(front, "test")
  data.frame(weight = front$weights[front$choice$point, "relevance"], loss = -true[["relevance"]],
             gain = true[["revenue"]], own = own$difference[2L],
             own_covers = own$lower[2L] <= true[[2L]] && true[[2L]] <= own$upper[2L],
             test_covers = test$lower[2L] <= true[[2L]] && true[[2L]] <= test$upper[2L],
             loss_covers = test$lower[1L] <= true[[1L]] && true[[1L]] <= test$upper[1L])
}

simulated <- lapply(c(0.01, 0.02), function(floor) {
  message("Simulation, floor ", floor)
  cbind(floor = floor, do.call(rbind, lapply(seq_len(repetitions), simulated_choice, floor = floor)))
})
with_se <- function(x) sprintf("%+.4f (%.4f)", mean(x), sd(x) / sqrt(length(x)))
fraction <- function(x) sprintf("%.3f", mean(x))
broken <- function(rows) rows$loss > rows$floor
# Mixtures with weight 1 are the reference: their intervals are exact.
mixed <- function(rows) rows[rows$weight < 1, ]

writeLines(c(
  "# Several objectives", "",
  sprintf("Written by `Rscript bench/objectives.R %d`. rankmix %s, %s.", repetitions, utils::packageVersion("rankmix"),
          R.version.string), "",
  "All values are differences of NDCG@10 by the label to the model of",
  "the relevance alone. Standard errors are in brackets.", "",
  "## MQ2008 with simulated sales", "",
  "Test queries of five folds. A document is sold with a chance that depends on its relevance and on a feature, for a",
  "price that depends on another feature. The ranker is `lambdamart(trees = 300)` with early stopping.", "",
  markdown_table(c("weight of relevance", "relevance", "revenue"), weight_rows),
  "The validation part chooses by a floor. The weights are from the five folds.", "",
  markdown_table(c("floor", "chosen weights", "relevance", "revenue"), floor_rows),
  "## How often the floor is broken", "",
  sprintf("%d simulated data sets for each floor: 150 training, 100 validation and 100 test queries.", repetitions),
  sprintf("3,000 further queries measure the true differences. The level of the floor is %s. `coverage` is the", level),
  sprintf("fraction of %s %% intervals that contain the true gain, where a mixture was chosen. On the validation queries, `optimism` is the",
          100 * (1 - 2 * level)),
  "estimated gain minus the true gain.", "",
  markdown_table(c("floor", "mixture chosen", "true loss", "true gain", "floor broken", "optimism",
                   "coverage, validation", "coverage, test"),
    vapply(simulated, function(rows) {
      table_row(rows$floor[1L], fraction(rows$weight < 1), with_se(rows$loss), with_se(rows$gain),
                fraction(broken(rows)), with_se(rows$own - rows$gain), fraction(mixed(rows)$own_covers),
                fraction(mixed(rows)$test_covers))
    }, ""))
), "bench/objectives.md")

at_most <- function(x, p) mean(x) <= p + 2 * sqrt(p * (1 - p) / length(x))
held <- unlist(lapply(simulated, function(rows) {
  test <- mixed(rows)
  c(at_most(broken(rows), level), at_most(!test$test_covers, 2 * level), at_most(!test$loss_covers, 2 * level))
}))
names(held) <- paste(c("floor broken,", "coverage of the gain,", "coverage of the loss,"),
                     rep(c(0.01, 0.02), each = 3L))
hold_targets(held)
