# Benchmarks and reproduce/ share files of functions. Each set of files has a separate
# environment, because papers have functions of the same name. `...` are settings that replace
# those of the files.

sourced <- function(files, ...) {
  own <- new.env(parent = globalenv())
  for (file in c("bench/common.R", files)) sys.source(file, own)
  list2env(list(...), own)
}

# `train`, `valid` and `test` of a fold, or of a sample that has no folds.
read_judged <- function(collection, number) {
  root <- Sys.getenv("RANKMIX_DATA", "../shared/data")
  folder <- file.path(root, collection)
  if (collection != "MSLR-sample") folder <- file.path(folder, paste0("Fold", number))
  if (!dir.exists(folder)) stop("there is no folder '", folder, "'")
  lapply(c(train = "train.txt", valid = "vali.txt", test = "test.txt"), function(name) {
    read_letor(file.path(folder, name))
  })
}

# Queries of one truth, assigned in their order.
read_simulated <- function(number, train, valid, test) {
  data <- simulate_ranking(train + valid + test, seed = number)$data
  list(train = data[seq_len(train)], valid = data[train + seq_len(valid)],
       test = data[train + valid + seq_len(test)])
}

read_any <- function(task, sizes) {
  if (task$collection != "simulated") return(read_judged(task$collection, task$number))
  read_simulated(task$number, sizes[1L], sizes[2L], sizes[3L])
}

highest_grade <- function(collection) if (collection %in% c("MQ2008", "OHSUMED")) 2 else 4

# The two metrics of most tables: a list of matrices, queries x rankers. A query that does not
# count is NaN.
metric_values <- function(scores, data, top, k = 10) {
  metrics <- list(ndcg = metric_ndcg(k, empty = 1), err = metric_err(max_grade = top))
  lapply(metrics, function(metric) {
    found <- as.data.frame(evaluate(scores, data, metric, threads = 1))
    values <- do.call(cbind, split(found$value, factor(found$ranker, names(scores))))
    values[is.na(values) & !is.nan(values)] <- 0
    values
  })
}
