# Writes vignettes/tune-and-mix.rds, the full-scale results of the vignette "tune-and-mix". Run from the root
# of the repository, after `Rscript bench/accuracy.R` for MQ2008, OHSUMED and simulated, which leaves its
# results in .build, and `make reproduce-large`:
#
#   Rscript data-raw/tune-and-mix.R [--summary]
#
# The tables go to .build/tune-and-mix; `--summary` reads them from there. The file has means, differences
# and p-values only, no judgement and no feature. RANKMIX_DATA names the data folder. Some minutes for the
# learning curves, by one thread.

library(rankmix)
source("bench/common.R")

folder <- ".build/tune-and-mix"
dir.create(folder, recursive = TRUE, showWarnings = FALSE)
source("data-raw/tune-and-mix-claims.R")
if ("--summary" %in% commandArgs(TRUE)) {
  write_summary(folder)
  quit()
}
collections <- c("MQ2008", "OHSUMED", "simulated")
collections <- collections[file.exists(sprintf(".build/accuracy-%s.rds", collections))]
measured <- stats::setNames(lapply(sprintf(".build/accuracy-%s.rds", collections), readRDS), collections)

keep <- function(name, table) {
  numbers <- vapply(table, is.double, NA)
  table[numbers] <- lapply(table[numbers], signif, 5)
  write.csv(table, file.path(folder, paste0(name, ".csv")), row.names = FALSE, quote = TRUE)
}
of_all <- function(make) {
  do.call(rbind, lapply(collections, function(name) {
    cbind(collection = name, make(measured[[name]]), row.names = NULL)
  }))
}

# Tables 2 and 3: means of folds, and the standard error over queries.
keep("tables", of_all(function(run) {
  groups <- unique(run$values[c("ranker", "metric")])
  moments <- t(mapply(function(ranker, metric) {
    part <- run$values[run$values$ranker == ranker & run$values$metric == metric, ]
    c(mean(tapply(part$value, part$fold, mean)), sd(part$value) / sqrt(nrow(part)))
  }, groups$ranker, groups$metric))
  data.frame(groups, mean = moments[, 1L], se = moments[, 2L])
}))
keep("answers", of_all(function(run) run$answers))
keep("chosen", of_all(function(run) run$chosen))
# The metric on the validation part by T and c, mean over folds.
keep("tuning", of_all(function(run) {
  stats::aggregate(value ~ rounds + c, run$tuning, mean)
}))
keep("members", of_all(function(run) {
  # Folds differ in the number of all members.
  most <- stats::ave(run$members$members, run$members$fold, FUN = max)
  run$members$members[run$members$members == most] <- max(run$members$members)
  stats::aggregate(value ~ members, run$members, mean)
}))
keep("normalised", of_all(function(run) run$pairs))

test_part <- function(collection, fold) {
  read_letor(file.path(data_folder(collection, paste0("Fold", fold)), "test.txt"))
}

# Figure 2: the same rankings by two tools.
tools <- list(Yahoo = lapply(1:10, metric_ndcg, empty = 1), `LETOR 4.0` = lapply(1:10, metric_ndcg, convention = "letor4"))
shown <- c("AB+EXP", "SVM+EXP", "all+EXP", "RankSVM", "RankBoost", "RankNet")
keep("tools", do.call(rbind, lapply(c("MQ2008", "OHSUMED"), function(collection) {
  by_fold <- do.call(rbind, lapply(1:5, function(fold) {
    test <- test_part(collection, fold)
    scores <- measured[[collection]]$scores[[fold]][shown]
    do.call(rbind, lapply(names(tools), function(tool) {
      values <- summary(evaluate(scores, test, tools[[tool]], threads = 1))
      # In the order of cut-offs, ranker by ranker.
      data.frame(tool = tool, ranker = values$ranker,
                 k = as.integer(sub("^[^0-9]*([0-9]+).*", "\\1", sub("^.*@", "", values$metric))),
                 value = values$mean)
    }))
  }))
  cbind(collection = collection, stats::aggregate(value ~ tool + ranker + k, by_fold, mean))
})))

# Figure 5: do two calibrations of boosted trees give other scores? Paired t tests over the
# documents of each test part, Fisher's p-value over folds, and the mean rank correlation.
targets <- c("log_sigmoid", "entropy_weighted", "expected_loss", "expected_label_loss", "soft_ndcg")
pairs <- utils::combn(targets, 2L)
cpc_folds <- lapply(1:5, function(fold) {
  train <- read_letor(file.path(data_folder("MQ2008", paste0("Fold", fold)), "train.txt"))
  valid <- read_letor(file.path(data_folder("MQ2008", paste0("Fold", fold)), "vali.txt"))
  trees <- fit(adaboost_mh(base_tree(8), 50), train, seed = 1, threads = 1, verbose = FALSE)
  test <- test_part("MQ2008", fold)
  scores <- vapply(targets, function(target) {
    predict(suppressWarnings(calibrate(trees, valid, calibrator_cpc(target), threads = 1)), test, threads = 1)
  }, numeric(length(test$relevance)))
  t(apply(pairs, 2L, function(pair) {
    a <- scores[, pair[1L]]
    b <- scores[, pair[2L]]
    c(p = t.test(a, b, paired = TRUE)$p.value, unpaired = t.test(a, b)$p.value,
      correlation = cor(a, b, method = "spearman"))
  }))
})
keep("cpc", data.frame(
  a = pairs[1L, ], b = pairs[2L, ],
  p = vapply(seq_len(ncol(pairs)), function(i) fisher_combine(vapply(cpc_folds, function(f) f[i, "p"], 0)), 0),
  unpaired = vapply(seq_len(ncol(pairs)), function(i) fisher_combine(vapply(cpc_folds, function(f) f[i, "unpaired"], 0)), 0),
  correlation = rowMeans(vapply(cpc_folds, function(f) f[, "correlation"], numeric(ncol(pairs))))
))

# Figure 3: learning curves, on simulated data.
drawn <- simulate_ranking(400, seed = 11)
parts <- list(train = drawn$data, valid = simulate_ranking(150, truth = drawn$truth, seed = 12)$data,
              test = simulate_ranking(600, truth = drawn$truth, seed = 13)$data)
boosted <- list(adaboost_mh(base_tree(8), 50), adaboost_mh(base_stump(), 50))
some_rounds <- c(10, 50)
paper <- function(...) mix_weights(..., choose = "best", prior = "member")
# Parts that were drawn apart have other queries of the same names, which is what it warns of.
curve <- suppressWarnings(learning_curve(
  list(`AB+EXP` = mixture(boosted[[1L]], boosted[[2L]], weights = paper(rounds = some_rounds)),
       `AB+OneBest` = mixture(boosted[[1L]], boosted[[2L]],
                              weights = mix_weights(rounds = some_rounds, members = "one_best")),
       `SVM+EXP` = mixture(mcsvm(10^(-3:-1)), weights = paper()), RankBoost = rankboost(100),
       RankSVM = ranksvm(10^(-4:1)), RankNet = ranknet(hidden = 10, epochs = 50),
       AdaRank.NDCG = adarank(metric_ndcg(10), repeats = 1, pause = 10),
       `coordinate ascent` = coordinate_ascent(metric_ndcg(10), restarts = 5)),
  parts, fractions = c(0.1, 0.3, 0.6, 1), order = c("random", "easy_first", "hard_first"),
  metric = metric_ndcg(10), seed = 1, threads = 1, verbose = FALSE
))
keep("curve", as.data.frame(summary(curve)))
write_summary(folder)
