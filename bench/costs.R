# How much models lose if they use fewer features or score fewer documents. Writes bench/costs.md.
#
#   Rscript bench/costs.R
#
# Five folds of MQ2008 and OHSUMED, NDCG@10 of the test queries.
# 1. lambdamart(feature_cost = ) with the same cost c for all features, and lambdamart() trained again on as many of
#    the most important features of the model without costs.
# 2. cascade(linear_ranker(), lambdamart(), keep = k), and lambdamart() on all documents.
#
# Targets: a cost of 0.03 saves 40 % of the features, and its loss is not shown to be above .01, by two standard
# errors. The same for cascades that score half of the documents in their last stage. A cost of 0.01 saves 58 % on
# MQ2008, but 11 % on OHSUMED, where gains shrink less after the first split.

library(rankmix)
source("bench/common.R")

metric <- metric_ndcg(10)
trees <- lambdamart(trees = 300)
costs <- c(0.001, 0.003, 0.01, 0.03, 0.1)
counts <- list(MQ2008 = c(4, 8, 12), OHSUMED = c(20, 40, 80))

folds_of <- function(collection) {
  lapply(file.path(data_folder(collection), paste0("Fold", 1:5)), function(folder) {
    part <- function(name) read_letor(file.path(folder, paste0(name, ".txt")))
    list(train = part("train"), valid = part("vali"), test = part("test"))
  })
}

per_query <- function(model, test) {
  values <- evaluate(model, test, metric)$value
  ifelse(is.na(values) & !is.nan(values), 0, values)
}

train <- function(spec, fold, f) fit(spec, fold$train, fold$valid, metric, patience = 50, seed = f, verbose = FALSE)

with_costs <- function(fold, f) {
  all <- train(trees, fold, f)
  order <- tidy(all)$feature
  none <- list(list(way = "all features", features = length(order), values = per_query(all, fold$test)))
  c(none, unlist(lapply(costs, function(cost) {
    model <- train(update(trees, feature_cost = rep(cost, ncol(fold$train))), fold, f)
    used <- tidy(model)$feature
    best <- utils::head(order, length(used))
    fewer <- list(train = fold$train[, best], valid = fold$valid[, best], test = fold$test[, best])
    list(list(way = sprintf("cost %g", cost), features = length(used), values = per_query(model, fold$test)),
         list(way = sprintf("as many as cost %g", cost), features = length(best),
              values = per_query(train(trees, fewer, f), fewer$test)))
  }), recursive = FALSE))
}

# fit() has no patience for a cascade, so the number of trees is chosen from the grid.
with_stages <- function(fold, f, counts) {
  first <- linear_ranker(penalty = c(0.1, 1, 10, 100))
  c(list(list(way = "all documents", features = nrow(fold$test) / length(fold$test$query_ids),
              values = per_query(fit(trees, fold$train, fold$valid, metric, seed = f, verbose = FALSE), fold$test))),
    lapply(counts, function(keep) {
      model <- fit(cascade(first, trees, keep = keep), fold$train, fold$valid, metric, seed = f, verbose = FALSE)
      scored <- mean(predict(model, fold$test, type = "stage") == 2L)
      list(way = sprintf("keep %d", keep), features = scored * nrow(fold$test) / length(fold$test$query_ids),
           values = per_query(model, fold$test))
    }))
}

# A row for each variant: the mean number of features or documents, NDCG@10, and the difference to the first
# variant.
rows_of <- function(by_fold, name) {
  ways <- vapply(by_fold[[1L]], `[[`, "", "way")
  values <- lapply(seq_along(ways), function(w) unlist(lapply(by_fold, function(fold) fold[[w]]$values)))
  do.call(rbind, lapply(seq_along(ways), function(w) {
    d <- values[[w]] - values[[1L]]
    d <- d[!is.nan(d)]
    data.frame(collection = name, way = ways[w],
               size = mean(vapply(by_fold, function(fold) as.double(fold[[w]]$features), 0)),
               ndcg = mean(values[[w]], na.rm = TRUE), difference = mean(d), se = stats::sd(d) / sqrt(length(d)))
  }))
}

table_of <- function(rows, size) {
  c(sprintf("| collection | way | %s | NDCG@10 | difference | standard error |", size), "|---|---|---|---|---|---|",
    sprintf("| %s | %s | %.1f | %.4f | %+.4f | %.4f |", rows$collection, rows$way, rows$size, rows$ndcg,
            rows$difference, rows$se))
}

collections <- lapply(stats::setNames(nm = names(counts)), folds_of)
features <- do.call(rbind, lapply(names(collections), function(name) {
  rows_of(lapply(1:5, function(f) with_costs(collections[[name]][[f]], f)), name)
}))
stages <- do.call(rbind, lapply(names(collections), function(name) {
  rows_of(lapply(1:5, function(f) with_stages(collections[[name]][[f]], f, counts[[name]])), name)
}))

writeLines(c(
  "# What fewer features and fewer documents cost", "",
  sprintf("By `bench/costs.R`, rankmix %s. Means over five folds; differences are paired over all test queries.",
          utils::packageVersion("rankmix")), "",
  "## Costs of features", "",
  "`lambdamart(feature_cost = )` with the same cost for each feature. \"As many as\" is a model of",
  "the same number of features: the most important ones of the model without costs.", "",
  table_of(features, "features used"), "",
  "## Cascades", "",
  "`cascade(linear_ranker(), lambdamart(), keep = )`. `documents`: mean number of documents of a query that the trees score.", "",
  table_of(stages, "documents")
), "bench/costs.md")

cheap <- features[features$way == "cost 0.03", ]
every <- features[features$way == "all features", ]
half <- stages[stages$way %in% c("keep 12", "keep 80"), ]
hold_targets(c(
  `features at a cost of 0.03` = all(cheap$size <= every$size * 0.6),
  `NDCG@10 at a cost of 0.03` = all(cheap$difference + 2 * cheap$se > -0.01),
  `NDCG@10 of cascades` = all(half$difference + 2 * half$se > -0.01)
))
