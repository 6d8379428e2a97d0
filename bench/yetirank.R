# Tests the claims of Gulin, Kuralenok and Pavlov (2011) on YetiRank. Writes bench/yetirank.md, and
# leaves its numbers in .build/yetirank.rds.
#
#   Rscript bench/yetirank.R [folder] [part ...]
#
# The steps of table 3 on simulated queries whose grades were drawn by the paper's confusion matrix, on MQ2008
# and on OHSUMED. Figures 1 and 2; claims Y1 to Y9; the loss of NDCG by shortcuts; seconds per tree.
# Validation queries choose the learning rate, the depth and the number of trees by NDCG@10. The largest test
# values over all settings are reported too. Needs RANKMIX_DATA; about an hour on one thread.
#
# Every piece of work is a file of the folder, by default .build/yetirank, and is not run again while the file
# exists. Delete files of pieces that should run again. With parts, such as `speed` or `curves-1`, only pieces
# run whose names begin with one of the parts. The report is written from the pieces that exist, and lists the
# missing pieces. `speed` takes up to 10 minutes, and the machine for itself.

library(rankmix)
source("bench/common.R")
source("bench/yetirank-runs.R")
source("bench/yetirank-variance.R")
source("bench/yetirank-speed.R")
source("bench/yetirank-report.R")

folder <- commandArgs(TRUE)[1L]
kept <- keep_pieces(if (is.na(folder)) ".build/yetirank" else folder, commandArgs(TRUE)[-1L])
found <- list()
# Named pieces of one part; NULL unless all are there.
pieces_of <- function(part, names, run) {
  all_pieces(lapply(stats::setNames(names, names), function(name) {
    kept(paste(c(part, name), collapse = "-"), run(name))
  }))
}

# Y1: the six set-ups, each compared with the one before.
part <- simulated_part(1, yeti_confusion$russian)
found$simulated <- pieces_of("steps-simulated", setups, function(setup) {
  spec <- update(spec_of(setup, yeti_confusion$russian), trees = step_trees[["simulated"]])
  list(measured(spec, part, depths = 4))
})
for (collection in c("MQ2008", "OHSUMED")) {
  folds <- read_parts(collection)
  found[[collection]] <- all_pieces(lapply(stats::setNames(nm = setups), function(setup) {
    part <- sprintf("steps-%s-%s", collection, setup)
    unname(pieces_of(part, as.character(seq_along(folds)), function(k) {
      fold <- folds[[as.integer(k)]]
      confusion <- if (setup == "yetirank") {
        suppressWarnings(infer_confusion(fold$train, method = "expected"))
      }
      measured(update(spec_of(setup, confusion), trees = step_trees[[collection]]), fold,
               depths = 4)
    }))
  }))
}

# Y2: where the solver "aligned" helps, and its time.
found$solvers <- pieces_of("solver", c("pointwise", "values", "aligned"), function(solver) {
  measured(spec_of("aligned", solver = solver), part)
})
# Y5, Y6, Y7: positions, rankings, fractions of documents.
found$positions <- pieces_of(
  "position", c("none", "reciprocal", "decay", "ndcg", "err"),
  function(position) measured(spec_of("aligned", position = position), part)
)
found$rankings <- pieces_of("rankings", c("1", "10", "100", "1000"), function(n) {
  measured(update(spec_of("lambdarank"), rankings = as.numeric(n)), part)
})
found$variance <- pieces_of("variance", c("1", "10", "100", "1000"), function(n) {
  rankings_noise(part, as.numeric(n))
})
found$fractions <- pieces_of("fraction", c("0.3", "0.5", "1"), function(fraction) {
  measured(spec_of("aligned", bagging_fraction = as.numeric(fraction)), part)
})

# The loss of NDCG by shortcuts.
shortcuts <- list(none = list(), `screen = 32` = list(screen = 32),
                  `screen = 16` = list(screen = 16), `screen = 4` = list(screen = 4),
                  `pair_fraction = .95` = list(pair_fraction = 0.95),
                  `screen = 16, pair_fraction = .95` = list(screen = 16, pair_fraction = 0.95))
many_features <- simulated_part(2, NULL, features = 120)
found$shortcuts <- pieces_of("shortcut", names(shortcuts), function(name) {
  spec <- do.call(spec_of, c("aligned", list(NULL), shortcuts[[name]]))
  measured(update(spec, trees = few_trees), many_features)
})

# Y3: the values of pairs, against true grades, by how sure the assessors are.
assessors <- list(none = NULL, ukrainian = yeti_confusion$ukrainian, russian = yeti_confusion$russian)
found$confusion <- all_pieces(lapply(stats::setNames(nm = names(assessors)), function(name) {
  own <- simulated_part(3, assessors[[name]])
  true <- if (is.null(assessors[[name]])) diag(5) else assessors[[name]]
  specs <- list(difference = spec_of("aligned"), equal = spec_of("aligned", labels = "equal"),
                confusion = spec_of("yetirank", true))
  pieces_of(paste0("judges-", name), names(specs), function(labels) {
    measured(update(specs[[labels]], trees = few_trees), own)
  })
}))

# Y4: the error of an inferred matrix by the number of buckets and their size.
found$inferred <- kept("inferred", inferred_errors())

# Y8, figure 2: curves of many small steps.
folds <- read_parts("MQ2008")
curves <- lapply(seq_along(folds), function(k) {
  all_pieces(lapply(stats::setNames(nm = c("lambdarank", "aligned")), function(setup) {
    kept(sprintf("curves-%d-%s", k, setup), small_steps(folds[[k]], setup))
  }))
})
# Only folds that have both curves.
curves <- curves[!vapply(curves, is.null, NA)]
found$curves <- lapply(stats::setNames(nm = c("lambdarank", "aligned")), function(setup) {
  lapply(curves, `[[`, setup)
})

# Y9, figure 1: best and worst orders of equal scores, tree by tree.
folds <- read_parts("OHSUMED")
found$band <- pieces_of("band", as.character(seq_along(folds)), function(k) {
  tie_band(folds[[as.integer(k)]])
})

for (shape in names(speed_shapes)) {
  for (threads in 1:2) {
    found$speed[[shape]][[threads]] <- speed_pieces(kept, shape, threads)
  }
}

saveRDS(found, ".build/yetirank.rds")
writeLines(yeti_report(found), "bench/yetirank.md")
