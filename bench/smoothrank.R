# Tests the claims of Chapelle and Wu (2010) on SmoothRank. Writes bench/smoothrank.md, and leaves
# its numbers in .build/smoothrank.rds for data-raw/smoothrank.R.
#
#   Rscript bench/smoothrank.R [folder]
#
# Figures 1 and 2, table 3, and the claims of the paper, each with its result. One penalty and one width are
# chosen on validation queries by NDCG@50, except for models that are called averaged. Test queries choose
# nothing, and each table uses them once. Needs RANKMIX_DATA; some ten minutes on one
# thread. A `folder` keeps experiments that are done.

library(rankmix)
source("bench/common.R")
source("bench/smoothrank-runs.R")
source("bench/smoothrank-tables.R")
source("bench/smoothrank-report.R")
options(rankmix.threads = 1L)

folder <- commandArgs(TRUE)[1L]
if (is.na(folder)) folder <- tempfile("smoothrank")
dir.create(folder, showWarnings = FALSE, recursive = TRUE)
dir.create(".build", showWarnings = FALSE)

# Keeps finished results in a file, so that another run does not compute them again.
kept <- function(name, code) {
  file <- file.path(folder, paste0(name, ".rds"))
  if (file.exists(file)) {
    return(readRDS(file))
  }
  message(format(Sys.time(), "%H:%M:%S "), name)
  seconds <- system.time(result <- code)[["user.self"]]
  result <- list(found = result, seconds = seconds)
  saveRDS(result, file)
  result
}

collection_of <- function(own) names(parts)[vapply(parts, identical, NA, own)]
parts <- list(OHSUMED = read_parts("OHSUMED"), simulated = read_parts("simulated"))

main <- lapply(names(parts), function(name) kept(paste0("main-", name), main_paths(parts[[name]])))
names(main) <- names(parts)
mains <- lapply(main, `[[`, "found")

# Evaluates test queries, and turns scores into differences.
on_both <- function(name, run, pairs, metric = ndcg10, scores = identity) {
  rows <- lapply(names(parts), function(collection) {
    tests <- kept(paste(name, collection, sep = "-"), run(mains[[collection]], parts[[collection]]))
    cbind(collection = collection,
          differences(scores(tests$found), parts[[collection]], pairs, metric))
  })
  do.call(rbind, rows)
}
against <- function(first, others) lapply(others, function(other) c(first, other))
start_names <- c("ridge", "least squares", "zero", "RankSVM")
centre_names <- c("least squares", "zero", "RankSVM", "ridge around 0")
rival_names <- c("ridge", "balanced ridge", "RankSVM", "linear ListNet", "coordinate ascent",
                 "best feature", "network, smooth", "network, squared", "trees, smooth",
                 "trees, squared", "kernel SmoothRank", "kernel ridge")
cut_names <- paste0("k=", trained_cuts)

means_by <- function(name, metrics, scores = identity, collections = names(parts)) {
  do.call(rbind, lapply(collections, function(collection) {
    tests <- scores(kept(paste(name, collection, sep = "-"), NULL)$found)
    do.call(rbind, lapply(metrics, function(metric) {
      values <- vapply(seq_along(tests), function(i) {
        means_of(tests[[i]], parts[[collection]][[i]]$test, metric)
      }, numeric(length(tests[[1L]])))
      data.frame(collection = collection, ranker = names(tests[[1L]]), metric = format(metric),
                 mean = rowMeans(values))
    }))
  }))
}

found <- list(
  made = sprintf("rankmix %s, %s", packageVersion("rankmix"), R.version.string),
  penalties = penalties, schedule = schedule,
  queries = lapply(parts, function(own) {
    vapply(own, function(part) length(unique(part$train$query[part$train$relevance > 0])), 0L)
  }),
  chosen = lapply(mains, function(own) vapply(own, function(o) penalties[o$chosen], 0)),
  stages = lapply(mains, function(own) {
    do.call(rbind, unlist(lapply(own, function(o) o$path$stages), recursive = FALSE))
  }),
  figure1 = kept("figure1", figure1(mains$OHSUMED[[1L]], parts$OHSUMED[[1L]]))$found,
  figure2 = lapply(names(parts), function(collection) {
    cbind(collection = collection, figure2(mains[[collection]], parts[[collection]]))
  }),
  starts = list(), errors = errors(mains$OHSUMED[[1L]], parts$OHSUMED[[1L]])
)
start_scores <- function(found) found$tests
with_others <- function(mains, parts) {
  rivals(mains, parts, kept(paste0("others-", collection_of(parts)), others(parts))$found)
}
found$rivals <- on_both("rivals", with_others, c(against("SmoothRank", rival_names),
                                            list(c("network, smooth", "network, squared"),
                                                 c("averaged SmoothRank", "SmoothRank"),
                                                 c("averaged SmoothRank", "ridge"),
                                                 c("trees, smooth", "trees, squared"),
                                                 c("kernel SmoothRank", "kernel ridge"))))
found$annealing <- on_both("starts", starts, c(
  lapply(start_names, function(name) paste(name, c("annealed", "direct"))),
  list(c("ridge annealed", "best fixed width")),
  against("ridge annealed", paste(start_names[-1L], "annealed"))
), scores = start_scores)
found$starts <- do.call(rbind, lapply(names(parts), function(collection) {
  cbind(collection = collection, kept(paste0("starts-", collection), NULL)$found$rows)
}))
found$centres <- on_both("centres", centres, against("ridge", centre_names))
found$cuts <- do.call(rbind, lapply(cuts, function(k) {
  on_both("table3", table3, c(against("k=50", setdiff(cut_names, "k=50")),
                              list(c("k=Inf", "k=1"))), metric_ndcg(k, empty = 1))
}))
found$table3 <- means_by("table3", lapply(cuts, ndcg, empty = 1))
# For each query, the coefficient of a regression of its NDCG on the index of the trained cut among the trained cuts.
found$trend <- do.call(rbind, lapply(names(parts), function(collection) {
  tests <- kept(paste0("table3-", collection), NULL)$found
  place <- seq_along(trained_cuts) - mean(seq_along(trained_cuts))
  do.call(rbind, lapply(cuts, function(k) {
    trends <- unlist(Map(function(scores, part) {
      values_of(scores, part$test, metric_ndcg(k, empty = 1)) %*% place / sum(place^2)
    }, tests, parts[[collection]]))
    test <- stats::t.test(trends)
    data.frame(collection = collection, k = k, effect = mean(trends), low = test$conf.int[1L],
               high = test$conf.int[2L], p = test$p.value)
  }))
}))
found$late <- on_both("stages", stage_scores, list(c("2^-6", "2^6"), c("2^-6", "2^-2")),
                      metric_ndcg(50, empty = 1))
found$precision <- on_both("precision", precisions,
                           list(c("product", "SmoothNDCG"), c("rank", "SmoothNDCG"),
                                c("product", "rank"), c("SmoothNDCG", "ridge"),
                                c("product", "ridge"), c("rank", "ridge")),
                           metric_average_precision())
found$means <- rbind(means_by("rivals", list(ndcg10)),
                     means_by("rivals", list(metric_ndcg(10, convention = "letor3")),
                              collections = "OHSUMED"),
                     means_by("starts", list(ndcg10), start_scores),
                     means_by("centres", list(ndcg10)),
                     means_by("precision", list(metric_average_precision())))
found$overfitting <- kept("overfitting", overfitting())$found
found$choices <- do.call(rbind, lapply(names(parts), function(collection) {
  cbind(collection = collection, kept(paste0("choices-", collection), choices(
    mains[[collection]], parts[[collection]]
  ))$found)
}))
found$growth <- kept("growth", growth())$found
found$claims <- claims_of(found)
saveRDS(found, ".build/smoothrank.rds")
lines <- report_of(found)
writeLines(lines, "bench/smoothrank.md")
cat(lines, sep = "\n")
