# Repeated trainings of a benchmark: the same folds, other seeds.
#
# Problem: the metric of a ranker varies over test queries and over trainings of its algorithm. One training
# of a ranker does not show how much of a difference is due to the seed.
# Input: the results of a benchmark with a column `training`. Output: means over trainings, in which a query
# counts once, and an array queries x rankers x trainings, from which variance_parts() takes the variances.

# The training subsets of benchmark_tasks(). The first training has the name of the fold, so its seeds and
# its files in a directory are the same for every number of repeats.
training_cuts <- function(folds, repeats) {
  cuts <- expand.grid(training = seq_len(repeats), fold = folds, stringsAsFactors = FALSE)
  cuts$name <- ifelse(cuts$training == 1L, cuts$fold,
                      sprintf("%s, training %d", cuts$fold, cuts$training))
  cuts$train <- vector("list", nrow(cuts))
  cuts
}

# The columns that identify a task in the tables of a benchmark. `training` only if there are several.
task_columns <- function(task, cuts) {
  columns <- list(fold = task$part, ranker = task$name)
  if (max(cuts$training) > 1L) {
    columns$training <- cuts$training[match(task$cut, cuts$name)]
  }
  columns
}

benchmark_repeats <- function(object) {
  if (is.null(object$runs$training)) 1L else max(object$runs$training)
}

# Fold and ranker of each run that failed in any training.
failed_runs <- function(object) {
  bad <- object$runs[object$runs$status == "failed", ]
  unique(run_keys(bad))
}

# A row for each ranker that failed in a fold: in how many of the folds, and its first error.
failed_rankers <- function(object) {
  bad <- object$runs[object$runs$status == "failed", ]
  first <- !duplicated(bad$ranker)
  folds <- tapply(bad$fold, factor_in_order(bad$ranker), function(fold) length(unique(fold)))
  data.frame(ranker = bad$ranker[first], failed = as.integer(folds), folds = rep(length(object$data), sum(first)),
             error = bad$error[first])
}

# "Failed and not compared: a (in 1 of 3 folds)". NULL if no ranker failed. Comparisons of other values than
# benchmarks have no table of failed rankers.
failed_words <- function(failed, most = 5L) {
  if (is.null(failed) || nrow(failed) == 0L) {
    return(NULL)
  }
  shown <- utils::head(failed, most)
  names <- paste0(shown$ranker, ifelse(shown$folds > 1L, sprintf(" (in %d of %d folds)", shown$failed, shown$folds),
                                       ""))
  rest <- nrow(failed) - nrow(shown)
  paste("Failed and not compared:", join_words(c(names, if (rest > 0L) counted(rest, "more ranker"))))
}

# An error if failures leave fewer than two rankers to compare.
check_enough_succeeded <- function(object, failed, call) {
  if (nrow(failed) > 0L && length(object$rankers) - nrow(failed) < 2L) {
    stop_input("argument", "Fewer than two rankers succeeded in all folds, so none can be compared.",
               utils::head(sprintf("`%s` failed in %d of %d folds: %s", failed$ranker, failed$failed, failed$folds,
                                   failed$error), 5L),
               "See `$runs`, and run the benchmark again with rankers that succeed.", call = call)
  }
}

run_keys <- function(table) paste(table$fold, table$ranker, sep = "\r")

# Results with one row for each fold, ranker, query and metric: the mean over trainings. A ranker is left out
# of a fold in which any of its trainings failed.
mean_over_trainings <- function(object) {
  table <- object$results
  if (is.null(table$training)) {
    return(table)
  }
  table <- table[!run_keys(table) %in% failed_runs(object), ]
  key <- paste(run_keys(table), table$metric, id_text(table$query), sep = "\r")
  key <- match(key, unique(key))
  first <- !duplicated(key)
  # NA counts as 0. NaN, if all trainings have it, leaves the query out.
  value <- replace(table$value, is.na(table$value) & !is.nan(table$value), 0)
  sums <- rowsum(cbind(replace(value, is.nan(value), 0), is.nan(value), 1), key, reorder = FALSE)
  check_counted_alike(table[first, ], sums)
  rows <- table[first, names(table) != "training"]
  rows$value <- ifelse(sums[, 2L] > 0, NaN, sums[, 1L] / sums[, 3L])
  rownames(rows) <- NULL
  rows
}

# A mean over the other trainings would have fewer trainings than the mean of other queries.
check_counted_alike <- function(rows, sums, call = rlang::caller_env(2L)) {
  bad <- which(sums[, 2L] > 0 & sums[, 2L] < sums[, 3L])
  if (length(bad) > 0L) {
    stop_input("values", "Some queries count in one training and not in another.",
               sprintf("Query %s of `%s` by %s.", enumerate(rows$query[bad]), rows$ranker[bad][1L],
                       rows$metric[bad][1L]),
               "Use a metric that is defined or undefined by the judgements alone.", call = call)
  }
}

# Adds `trainings` to the values of each metric: an array queries x rankers x trainings, whose mean over
# trainings is `values`. `table` has the results of all trainings, or is NULL for a single training.
add_trainings <- function(metrics, table, grades) {
  if (is.null(table)) {
    return(metrics)
  }
  each <- lapply(split_by(table, "training"), function(rows) {
    rows$training <- NULL
    average_repeats(rows, grades)$table
  })
  Map(function(paired, metric) {
    values <- lapply(each, function(rows) {
      training_values(rows[rows$metric == metric, ], paired)
    })
    paired$trainings <- array(unlist(values), c(dim(paired$values), length(each)),
                              list(NULL, colnames(paired$values), names(each)))
    paired
  }, metrics, names(metrics))
}

# The values of one training, arranged in the rows and columns of `paired`.
training_values <- function(rows, paired) {
  wanted <- query_keys(paired$fold, paired$query)
  values <- vapply(colnames(paired$values), function(ranker) {
    own <- rows[rows$ranker == ranker, ]
    own$value[match(wanted, query_keys(own$fold, own$query))]
  }, numeric(length(wanted)))
  replace(values, is.na(values), 0)
}

# Digests or scores of the trainings of one ranker and fold, as columns. A training that failed is NA.
bind_trainings <- function(values) {
  missing <- vapply(values, is.null, NA)
  if (all(missing)) {
    return(NULL)
  }
  none <- rep(values[!missing][[1L]][NA_integer_], length(values[!missing][[1L]]))
  values[missing] <- list(none)
  matrix(unlist(values, use.names = FALSE), ncol = length(values))
}

# The scores of the first training, where one ranking is needed.
first_training <- function(scores) if (is.matrix(scores)) scores[, 1L] else scores

# The rankers with the same rankings in every training: the seed has no effect on them. Repeated trainings of
# these rankers take time and give no information.
unchanging_rankers <- function(object) {
  if (benchmark_repeats(object) == 1L) {
    return(character())
  }
  same <- vapply(names(object$rankers), function(ranker) {
    digests <- lapply(object$digests, `[[`, ranker)
    all(lengths(digests) > 0L) && all(vapply(digests, function(own) {
      !anyNA(own) && all(own == own[, 1L])
    }, NA))
  }, NA)
  names(object$rankers)[same]
}

# Printed below the table of a benchmark.
say_trainings <- function(x) {
  same <- unchanging_rankers(x)
  if (length(same) > 0L) {
    say(sprintf("Same rankings in all trainings: %s.", enumerate(same)))
  }
}
