# YetiRank against what Gulin, Kuralenok and Pavlov (2011) say of it. Writes bench/yetirank.md, and
# leaves its numbers in .build/yetirank.rds.
#
#   Rscript bench/yetirank.R [folder] [part ...]
#
# Table 3's steps on simulated queries whose grades went through the paper's matrix, on MQ2008 and
# on OHSUMED; figures 1 and 2; claims Y1 to Y9; what shortcuts lose; seconds a tree. Validation
# queries choose the number of trees by NDCG@10; the largest test values are told beside, which test
# queries chose. Needs RANKMIX_DATA; some 15 minutes on one thread. A `folder` keeps what is done;
# a part, such as `speed`, does no more than that, and the report says what is lacking.

library(rankmix)
source("bench/common.R")
source("bench/yetirank-runs.R")
source("bench/yetirank-report.R")

folder <- commandArgs(TRUE)[1L]
only <- commandArgs(TRUE)[-1L]
if (is.na(folder)) folder <- tempfile("yetirank")
dir.create(folder, showWarnings = FALSE, recursive = TRUE)
dir.create(".build", showWarnings = FALSE)

# What is done already is not done again; NULL of what is not asked for.
kept <- function(name, code) {
  file <- file.path(folder, paste0(name, ".rds"))
  if (file.exists(file)) return(readRDS(file))
  if (length(only) > 0L && !any(startsWith(name, only))) return(NULL)
  message(format(Sys.time(), "%H:%M:%S "), name)
  result <- code
  saveRDS(result, file)
  result
}
found <- list()

# Y1: the six set-ups, step by step.
part <- simulated_part(1, yeti_confusion$russian)
found$simulated <- kept("steps-simulated", lapply(stats::setNames(nm = setups), function(setup) {
  list(measured(spec_of(setup, yeti_confusion$russian), part))
}))
found$many <- lapply(stats::setNames(nm = setups), function(setup) {
  kept(paste0("many-", setup), list(measured(
    update(spec_of(setup, yeti_confusion$russian), trees = many_trees), part)))
})
if (any(vapply(found$many, is.null, NA))) found["many"] <- list(NULL)
for (collection in c("MQ2008", "OHSUMED")) {
  found[[collection]] <- kept(paste0("steps-", collection), {
    parts <- read_parts(collection)
    lapply(stats::setNames(nm = setups), function(setup) {
      lapply(parts, function(part) {
        confusion <- if (setup == "yetirank") {
          suppressWarnings(infer_confusion(part$train, method = "expected"))
        }
        measured(spec_of(setup, confusion), part)
      })
    })
  })
}

# Y2: where alignment helps, and its time.
found$solvers <- kept("factors-solver", lapply(
  c(pointwise = "pointwise", values = "values", aligned = "aligned"),
  function(solver) measured(spec_of("aligned", solver = solver), part)
))
# Y5, Y6, Y7: positions, rankings, shares of documents; the shortcuts.
found$positions <- kept("factors-position", lapply(
  list(none = "none", reciprocal = "reciprocal", decay = "decay", ndcg = "ndcg", err = "err"),
  function(position) measured(spec_of("aligned", position = position), part)
))
found$rankings <- kept("factors-rankings", lapply(
  c("1" = 1, "10" = 10, "100" = 100, "1000" = 1000),
  function(n) measured(update(spec_of("lambdarank"), rankings = n), part)
))
found$shares <- kept("factors-share", lapply(
  c("0.3" = 0.3, "0.5" = 0.5, "1" = 1),
  function(share) measured(spec_of("aligned", document_share = share), part)
))
found$shortcuts <- kept("shortcuts", {
  wide <- simulated_part(2, NULL, features = 120)
  lapply(list(none = list(), `screen = 32` = list(screen = 32), `screen = 16` = list(screen = 16),
              `screen = 4` = list(screen = 4), `pair_share = .95` = list(pair_share = .95),
              `screen = 16, pair_share = .95` = list(screen = 16, pair_share = .95)),
         function(set) measured(do.call(spec_of, c("aligned", list(NULL), set)), wide))
})

# Y3: what pairs are worth, against true grades, by how sure the judges are.
found$confusion <- kept("confusion", lapply(
  list(none = NULL, ukrainian = yeti_confusion$ukrainian, russian = yeti_confusion$russian),
  function(matrix) {
    own <- simulated_part(3, matrix)
    true <- if (is.null(matrix)) diag(5) else matrix
    c(list(difference = measured(spec_of("aligned"), own),
           equal = measured(spec_of("aligned", labels = "equal"), own)),
      list(confusion = measured(spec_of("yetirank", true), own)))
  }
))

# Y4: the error of an inferred matrix by the number of buckets and their size.
found$inferred <- kept("inferred", {
  p <- yeti_confusion$russian / rowSums(yeti_confusion$russian)
  judged <- c(.4, .25, .2, .1, .05)
  true <- colSums(judged * p)
  cases <- expand.grid(size = c(2, 3, 5), buckets = c(300, 1000, 4000))
  cases$em <- cases$expected <- NA
  for (k in seq_len(nrow(cases))) {
    set.seed(k)
    truth <- sample(5L, cases$buckets[k], TRUE, true)
    said <- vapply(rep(truth, each = cases$size[k]), function(u) {
      sample(5L, 1L, prob = judged * p[, u])
    }, 0L)
    bucket <- rep(seq_along(truth), each = cases$size[k])
    data <- ranking_data(matrix(bucket), said - 1L, bucket %% 20)
    for (method in c("em", "expected")) {
      q <- suppressWarnings(infer_confusion(data, method = method, iterations = 500))
      cases[k, method] <- sqrt(mean((q - p[seq_len(nrow(q)), seq_len(nrow(q))])^2))
    }
  }
  cases
})

# Y8, figure 2: curves of many small steps.
found$curves <- kept("curves", {
  own <- read_parts("MQ2008")[[1L]]
  at <- c(100, 300, 1000, 2000, 4000, 6000)
  vapply(c(lambdarank = "lambdarank", aligned = "aligned"), function(setup) {
    model <- fit(yetirank(trees = 6000, step = .02, rankings = 10, setup = setup), own$train,
                 seed = 1, threads = 1, verbose = FALSE)
    scores <- predict(model, own$test, rounds = at)
    apply(scores, 2L, function(x) mean(evaluate(x, own$test, metrics$ndcg)$value))
  }, numeric(length(at)))
})

# Y9, figure 1: best and worst orders of equal scores.
found$band <- kept("band", {
  vapply(read_parts("OHSUMED"), function(own) {
    model <- fit(spec_of("mse"), own$train, seed = 1, threads = 1, verbose = FALSE)
    x <- predict(model, own$test)
    vapply(c("best", "worst"), function(ties) {
      mean(evaluate(x, own$test, ndcg(10, empty = 1, ties = ties))$value)
    }, 0)
  }, c(best = 0, worst = 0))
})

# CPU seconds a tree on one thread.
tree_seconds <- function(data, more, ...) {
  spec <- yetirank(trees = 1 + more, ...)
  user <- function(spec) {
    system.time(fit(spec, data, seed = 1, threads = 1, verbose = FALSE))[["user.self"]]
  }
  (user(spec) - user(update(spec, trees = 1))) / more
}
options_of_speed <- list(
  mse = list(setup = "mse"), lambdarank = list(setup = "lambdarank"),
  `lambdarank, 10 rankings` = list(setup = "lambdarank", rankings = 10),
  difference = list(setup = "difference"), `values` = list(solver = "values"),
  `aligned, screen = 16` = list(screen = 16),
  `aligned, screen = 16, pair_share = .95, 10 rankings` =
    list(screen = 16, pair_share = .95, rankings = 10),
  `aligned, no shortcut` = list()
)
found$speed_wide <- kept("speed-wide", {
  wide <- simulate_ranking(1266, documents = c(15, 40), features = 519, seed = 3)$data
  vapply(options_of_speed, function(set) do.call(tree_seconds, c(list(wide, 5), set)), 0)
})
found$speed_long <- kept("speed-long", {
  long <- simulate_ranking(2000, documents = c(100, 140), features = 136, seed = 3)$data
  need_package("lightgbm")
  seconds <- vapply(options_of_speed, function(set) do.call(tree_seconds, c(list(long, 2), set)), 0)
  d <- lightgbm_dataset(long)
  user <- function(n) {
    system.time(lightgbm::lgb.train(list(objective = "lambdarank", num_leaves = 64,
                                         num_threads = 1, verbosity = -1), d, n))[["user.self"]]
  }
  user(1)
  c(seconds, `lightgbm's lambdarank, 64 leaves` = (user(11) - user(1)) / 10)
})

saveRDS(found, ".build/yetirank.rds")
writeLines(yeti_report(found), "bench/yetirank.md")
