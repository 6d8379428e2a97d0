# Functions that the scripts under bench/ share.

data_folder <- function(...) {
  root <- Sys.getenv("RANKMIX_DATA", "../shared/data")
  path <- file.path(root, ...)
  if (!dir.exists(path)) {
    stop("There is no folder '", path, "'. Set RANKMIX_DATA to the data.",
         call. = FALSE)
  }
  path
}

need_package <- function(package) {
  if (!requireNamespace(package, quietly = TRUE)) {
    stop("This script needs the package ", package,
         ": run `make setup-bench`.", call. = FALSE)
  }
}

# Fails if a target was missed. Scripts call it after they have written the figures.
hold_targets <- function(held) {
  if (!all(held)) {
    stop("Missed: ", toString(names(held)[!held]), ".", call. = FALSE)
  }
}

# Runs each named piece of work once. The result is saved as a file of `folder`, and the next run reads the
# file. If `only` has names, pieces whose names do not begin with one of them are only read, or are NULL if they
# have no file. A piece whose file is deleted is run again.
keep_pieces <- function(folder, only = character()) {
  dir.create(folder, showWarnings = FALSE, recursive = TRUE)
  function(name, code) {
    file <- file.path(folder, paste0(name, ".rds"))
    if (file.exists(file)) return(readRDS(file))
    if (length(only) > 0L && !any(startsWith(name, only))) return(NULL)
    message(format(Sys.time(), "%H:%M:%S "), name)
    result <- code
    # A run that is stopped while it writes leaves no incomplete file of a piece.
    saveRDS(result, paste0(file, ".part"))
    file.rename(paste0(file, ".part"), file)
    result
  }
}

# NULL unless all pieces are there.
all_pieces <- function(pieces) if (!any(vapply(pieces, is.null, NA))) pieces

# The time of one run, after a garbage collection. The clock is "elapsed", or "user.self" of the processor.
seconds_of <- function(run, clock = "elapsed") {
  gc(FALSE)
  system.time(run)[[clock]]
}

# Some rows of the result of simulate_web(), as ranking data.
ranking_of <- function(data, rows) {
  ranking_data(data$x[rows, ], data$grade[rows], data$query[rows])
}

# Regression trees of lightgbm on these rows, with lightgbm's defaults.
lightgbm_regression <- function(data, rows, trees, leaves, threads = 2L) {
  lightgbm::lgb.train(
    list(objective = "regression", num_leaves = leaves, max_bin = 255L, num_threads = threads,
         verbose = -1L),
    lightgbm::lgb.Dataset(data$x[rows, ], label = data$grade[rows]), nrounds = trees,
    verbose = -1L
  )
}

# lightgbm needs the documents of a query in contiguous rows.
lightgbm_dataset <- function(data, reference = NULL) {
  rows <- data$order + 1L
  sizes <- diff(data$offsets)
  lightgbm::lgb.Dataset(data$x[rows, ], label = data$relevance[rows],
                        group = sizes, reference = reference)
}

# As in bench/accuracy.R: of 2,000 simulated queries, 1,000 are for training, 400 for validation and 600 for
# test.
simulated_parts <- function(seed) {
  data <- rankmix::simulate_ranking(2000, seed = seed)$data
  outer <- rankmix::split_parts(rankmix::split_queries(data, 0.7, seed = 1), data)
  inner <- rankmix::split_parts(rankmix::split_queries(outer$train, 1000 / 1400, seed = 2), outer$train)
  list(train = inner$train, valid = inner$test, test = outer$test)
}

# The versions of the compared packages.
versions_line <- function() {
  sprintf("rankmix %s, lightgbm %s, %s.", packageVersion("rankmix"), packageVersion("lightgbm"),
          R.version.string)
}

# Milliseconds a round: the time of a long fit minus the time of a short one, so that reading, binning and
# set-up do not count. Short rounds need a large number of rounds, because the time of the set-up is noisy. If
# the short fit took longer than the long fit, other work delayed it.
per_round <- function(run, long, short = 2L) {
  repeat {
    seconds <- vapply(c(short, long), function(rounds) {
      gc(FALSE)
      system.time(run(rounds))[["elapsed"]]
    }, numeric(1))
    if (diff(seconds) > 0) {
      return(1000 * diff(seconds) / (long - short))
    }
  }
}

# Entries of a table from times of alternating runs: the time of a peer, and the ratio of its time to ours, run
# by run. `ours` and `theirs` have a column for each program.
ratio_cells <- function(ours, theirs, digits = 1L) {
  if (anyNA(theirs)) {
    return("not measured | ")
  }
  ratio <- theirs / ours
  sprintf("%.*f | %.2f (%.2f to %.2f)", digits, stats::median(theirs), stats::median(ratio),
          min(ratio), max(ratio))
}

lambdarank_scores <- function(fold, seed = 1L, threads = 2L) {
  train <- lightgbm_dataset(fold$train)
  valid <- lightgbm_dataset(fold$valid, reference = train)
  model <- lightgbm::lgb.train(
    params = list(objective = "lambdarank", metric = "ndcg", eval_at = 10L,
                  num_leaves = 15L, learning_rate = 0.05,
                  min_data_in_leaf = 50L, num_threads = threads, seed = seed,
                  deterministic = TRUE, force_row_wise = TRUE),
    data = train, nrounds = 1000L, valids = list(valid = valid),
    early_stopping_rounds = 50L, verbose = -1L
  )
  list(rounds = model$best_iter, scores = predict(model, fold$test$x))
}

# Simulations --------------------------------------------------------------------------------

# Binds the rows that once(i) makes for each draw i, by CORES processes. `repetitions` is set by the script, and
# each draw has its own seed. So rates do not depend on the number of processes.
simulate <- function(once, times = repetitions) {
  drawn <- parallel::mclapply(seq_len(times), function(i) {
    set.seed(i)
    once(i)
  }, mc.cores = as.integer(Sys.getenv("CORES", "1")))
  failed <- vapply(drawn, inherits, NA, "try-error")
  if (any(failed)) stop(drawn[[which(failed)[1L]]])
  message(format(Sys.time(), "%H:%M:%S"), " a row of ", times, " draws")
  do.call(rbind, drawn)
}
rate_of <- function(hits) sprintf("%.3f", mean(hits))

# Tables of markdown.
table_row <- function(...) paste0("| ", paste(c(...), collapse = " | "), " |")
markdown_table <- function(header, rows) {
  c(table_row(header), table_row(rep("---", length(header))), rows, "")
}
