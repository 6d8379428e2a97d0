# The explorer of queries within the report of a benchmark.

# A placeholder for the explorer in the rendered page. The data are inserted later,
# because pandoc would be slow with them.
explorer_mark <- "<!-- explorer of queries -->"

# Number of queries that are explained.
explained_in_report <- 20L

# The JSON of the explorer, or NULL without one. The attribute `explained` is the number of queries with reasons. `data`
# are the data of the benchmark, or NULL.
explored_benchmark <- function(benchmark, comparison, explorer, threads, data = NULL, call = rlang::caller_env()) {
  if (is.null(explorer)) explorer <- !is.null(data)
  if (identical(explorer, FALSE)) {
    if (!is.null(data)) {
      stop_input("argument", "Only the explorer uses `data`, and this report has no explorer.",
                 remedy = "Leave out `explorer = FALSE`, or `data`.", call = call)
    }
    return(NULL)
  }
  rankers <- rankers_to_explore(comparison, explorer, call)
  if (is.null(benchmark$scores)) {
    stop_input("argument", "The benchmark has no scores, so queries cannot be explored.",
               remedy = "Run `benchmark_rankers()` with `keep_scores = TRUE`.", call = call)
  }
  tests <- if (!is.null(data)) tested_parts(benchmark, data, call)
  pooled <- report_scores(benchmark, rankers)
  metric <- benchmark$metrics[names(comparison$values)[1L]]
  contents <- without_tie_warning(explorer_contents(pooled$scores, pooled$data, metric, 10, threads, call))
  data <- with_test_features(pooled$data, tests)
  # Row numbers of the pooled queries are meaningless for a reader.
  if (is.null(data$document)) data$document <- paste("document", numbers_in_queries(data))
  why <- explained_benchmark(benchmark, tests, data, contents, threads, call)
  features <- if (is.null(tests)) character() else features_to_show(why, pooled$scores, data)
  json <- with_points(explorer_json(contents, data, features, list(), why, "Query by query"))
  structure(json, explained = length(why$queries))
}

# The pooled test parts with the features that all of them have.
with_test_features <- function(pooled, tests) {
  if (is.null(tests)) {
    return(pooled)
  }
  features <- Reduce(intersect, lapply(tests, `[[`, "features"))
  pooled$features <- features
  pooled$x <- do.call(rbind, lapply(unname(tests), function(test) {
    is_sparse(test$x)  # its columns are taken by the package Matrix
    if (identical(test$features, features)) test$x else test$x[, match(features, test$features), drop = FALSE]
  }))
  pooled
}

# Reasons of each query by the model of the fold that has the query in its test part.
explained_benchmark <- function(benchmark, tests, data, contents, threads, call) {
  reasons <- vapply(contents$rankers, reason_without_models, "", benchmark, tests)
  if (all(reasons != "")) {
    return(list(queries = integer(), pairs = list(), reasons = reasons, sizes = list()))
  }
  sizes <- vapply(tests, nrow, 0L)
  parts <- Map(function(test, models, before) {
    list(data = test, models = models, rows = before + seq_len(nrow(test)))
  }, tests, benchmark$models[names(tests)], cumsum(sizes) - sizes)
  check_kept_scores(benchmark, tests, contents$rankers[reasons == ""], threads, call)
  explained_parts(parts, reasons, data$query, contents, explained_in_report, benchmark$seed, threads)
}

# Why a ranker of a benchmark cannot be explained; "" if it can.
reason_without_models <- function(name, benchmark, tests) {
  if (is.null(benchmark$models)) {
    return("The benchmark kept no models: `benchmark_rankers(keep_models = TRUE)` keeps them.")
  }
  if (any(vapply(benchmark$models, function(models) is.null(models[[name]]), NA))) {
    return("It is not a model of rankmix.")
  }
  if (is.null(tests)) "The report was written without the data: `report(data = )`." else ""
}

# Binned data have no digests of features. Equal scores show that the features are the same as in the benchmark.
check_kept_scores <- function(benchmark, tests, rankers, threads, call) {
  for (fold in names(tests)) {
    for (name in if (is.null(benchmark$data[[fold]]$features)) rankers) {
      scores <- as.vector(predict(benchmark$models[[fold]][[name]], tests[[fold]], threads = threads))
      known <- first_training(benchmark$scores[[fold]][[name]])
      at <- which(scores != known)[1L]
      if (!is.na(at)) {
        stop_different_data(fold, sprintf("`%s` gives row %d the score %s, and gave %s in the benchmark.", name, at,
                                      format(scores[at]), format(known[at])), call)
      }
    }
  }
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
               sprintf("They are %s.", enumerate(rated$ranker)), did_you_mean(odd[1L], rated$ranker), call = call)
  }
  explorer
}

# Puts the explorer into the rendered page.
insert_explorer <- function(page, json) {
  rewrite_page(page, function(lines) {
    at <- which(trimws(lines) == explorer_mark)[1L]
    append(lines[-at], explorer_fragment(json, embedded = TRUE), at - 1L)
  })
}
