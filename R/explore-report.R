# The explorer of queries within the report of a benchmark.

# A placeholder for the explorer in the rendered page. The data are inserted later,
# because pandoc would be slow with them.
explorer_mark <- "<!-- explorer of queries -->"

# The JSON of the explorer, or NULL without one.
explored_benchmark <- function(benchmark, comparison, explorer, threads, call = rlang::caller_env()) {
  if (is.null(explorer) || identical(explorer, FALSE)) {
    return(NULL)
  }
  rankers <- rankers_to_explore(comparison, explorer, call)
  if (is.null(benchmark$scores)) {
    stop_input("argument", "The benchmark has no scores, so queries cannot be explored.",
               remedy = "Run `benchmark_rankers()` with `keep_scores = TRUE`.", call = call)
  }
  pooled <- report_scores(benchmark, rankers)
  metric <- benchmark$metrics[names(comparison$values)[1L]]
  contents <- without_tie_warning(explorer_contents(pooled$scores, pooled$data, metric, 10, threads, call))
  data <- pooled$data
  # Rows of the pooled queries mean nothing to a reader.
  if (is.null(data$document)) data$document <- paste("document", numbers_in_queries(data))
  why <- list(queries = integer(), pairs = list(), sizes = list(),
              reasons = rep("A benchmark keeps no models.", length(rankers)))
  with_points(explorer_json(contents, data, character(), list(), why, "Query by query"))
}

# The number of each document in its query, in the order of rows.
numbers_in_queries <- function(data) {
  replace(integer(nrow(data)), data$order + 1L, sequence(diff(data$offsets)))
}

# The two rankers with the highest means, or the rankers that the user named.
rankers_to_explore <- function(comparison, explorer, call) {
  rated <- comparison$rankers[comparison$rankers$metric == names(comparison$values)[1L], ]
  if (identical(explorer, TRUE)) {
    return(best_rankers(rated, 2L))
  }
  if (!is.character(explorer) || length(explorer) < 2L || anyNA(explorer) || anyDuplicated(explorer)) {
    stop_input("argument", sprintf("`explorer` must be TRUE, NULL or names of two or more rankers, not %s.",
                                   show_value(explorer)), call = call)
  }
  odd <- setdiff(explorer, rated$ranker)
  if (length(odd) > 0L) {
    stop_input("argument", sprintf("`explorer` names rankers that are not compared: %s.", enumerate(odd)),
               c(did_you_mean(odd[1L], rated$ranker), sprintf("They are %s.", enumerate(rated$ranker))), call = call)
  }
  explorer
}

# Puts the explorer into the rendered page.
insert_explorer <- function(page, json) {
  lines <- readLines(page, encoding = "UTF-8", warn = FALSE)
  at <- which(trimws(lines) == explorer_mark)[1L]
  writeLines(enc2utf8(append(lines[-at], explorer_fragment(json, embedded = TRUE), at - 1L)), page, useBytes = TRUE)
}
