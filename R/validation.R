# Checks of validation data: whether settings can be chosen on them, and whether they share queries
# with the training data.

# `train` is ranking data, or a list of ranking data.
warn_overlap <- function(train, other, problem = "validation queries are also in the training data.",
                         remedy = paste("Validation values of these queries are optimistic.",
                                        "Keep the queries of the two parts apart.")) {
  parts <- if (inherits(train, "ranking_data")) list(train) else train
  seen <- unlist(lapply(parts, function(part) id_text(part$query_ids)))
  shared <- intersect(id_text(other$query_ids), seen)
  if (length(shared) > 0L) {
    warn_input("overlap", sprintf("%d %s", length(shared), problem),
               sprintf("Query %s.", enumerate(shared)), remedy)
  }
}

# Checks before training that validation data fit the training data. Returns their features in the
# order of the training data.
check_validation <- function(validation, train, metric, threads,
                             call = rlang::caller_env()) {
  x <- match_features(validation, train, threads, call)
  if (is_binned(validation)) check_same_bins(validation, train, call)
  check_held_out_metric(validation, metric, threads, call)
  warn_overlap(train, validation)
  x
}

# An error if the bins differ: trees that are trained on other bins may split within a bin of the validation
# data.
check_same_bins <- function(validation, train, call) {
  same <- is_binned(train) &&
    identical(bins_thresholds(opened_bins(validation$x, call)$bins), bins_thresholds(opened_bins(train$x, call)$bins))
  if (!same) {
    stop_input("bins", "The validation data do not have the bins of the training data.",
               remedy = "Bin both: `binned_data(file, like = train)`.", call = call)
  }
}

# Only queries whose documents have different grades affect the choice. For other queries, the
# metric is the same for any ranking. Queries of weight 0 do not count. A single such query is not enough.
check_can_choose <- function(data, name, call = rlang::caller_env()) {
  counting <- which(positive_weight(data))
  differing <- intersect(counting, differing_queries(data))
  counts <- cluster_sum(data$cluster, c(length(counting), length(differing), length(data$query_ids)))
  if (counts[1L] > 1L && counts[2L] > 1L) {
    return(invisible(data))
  }
  judged <- cluster_any(data$cluster, any(data$relevance > 0L & data$query %in% counting))
  problem <- if (is_graded(data) && !judged) {
    "no query with a relevant document"
  } else if (counts[1L] == 1L) {
    "only one query"
  } else if (counts[2L] == 0L) {
    "no query with documents of different grades"
  } else {
    "only one query with documents of different grades"
  }
  stop_input(
    "validation", sprintf("Nothing can be chosen by `%s`: it has %s.", name, problem),
    sprintf("It has %s quer%s%s.", format_count(counts[3L]), if (counts[3L] == 1L) "y" else "ies",
            if (is.null(data$weight)) {
              ""
            } else {
              sprintf(", %s with a weight above 0", format_count(counts[1L]))
            }),
    "Hold out more queries, each with relevant and with irrelevant documents.", call = call
  )
}

# The positions of the queries that have documents of different grades.
differing_queries <- function(data) {
  first <- data$order[data$offsets[seq_along(data$query_ids)] + 1L] + 1L
  differs <- data$relevance != data$relevance[first][data$query]
  which(tabulate(data$query[differs], length(data$query_ids)) > 0L)
}

check_held_out_metric <- function(data, metric, threads, call = rlang::caller_env(),
                                  name = "validation") {
  check_can_choose(data, name, call)
  none <- numeric(nrow(data))
  if (is.na(metric_means(metric, cbind(none), data, threads))) {
    stop_input(
      "metric",
      sprintf("No validation query counts for %s.", format(metric)),
      remedy = paste("Give queries with relevant documents that are long enough",
                     "for the cut-off, or a number as `empty`."),
      call = call
    )
  }
}
