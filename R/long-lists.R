# Warnings before a training that takes hours or much memory, because of the pairs of long lists or matrices of
# features x features.

# Queries up to this length never cause the warning.
short_list <- 5000
# The same, if the metric is computed anew at each pair. A sweep then takes up to a second for each feature.
short_computed_list <- 500
# Pairs for each round, or for each sweep of a search. They take a second, or minutes in an exact search.
max_pairs <- 3e8
# Bytes of the pairs that a round stores.
max_pair_bytes <- 5e8

# Bytes of all matrices of features x features, or of documents x documents, at most.
max_products <- 4e9

# Warns about the cost of the task.
check_training_cost <- function(spec, task, limit = max_pairs) {
  sizes <- as.double(diff(task$data$offsets))
  if (max(sizes) <= short_computed_list) {
    return(invisible())
  }
  visited <- pairs_visited(spec, ncol(task$data$x))
  long <- sizes[sizes > if (is.null(visited$ranks)) short_list else short_computed_list]
  if (!is.null(visited) && length(long) > 0L) warn_pairs(spec, long, visited, limit)
}

warn_pairs <- function(spec, sizes, visited, limit) {
  pairs <- sum(visited$of(sizes))
  bytes <- if (is.null(visited$bytes)) 0 else visited$bytes * pairs
  steps <- if (is.null(visited$ranks)) pairs else sum(visited$of(sizes) * visited$ranks(sizes))
  if (steps > limit || bytes > max_pair_bytes) {
    warn_input(
      "pairs",
      sprintf("A round of `%s` visits up to %s pairs of documents%s.", format(spec),
              number_text(pairs, digits = 2, scientific = TRUE),
              if (bytes > max_pair_bytes) sprintf(", which take some %.1f GB", bytes / 1e9) else ""),
      c(sprintf("The longest query has %s documents.", format_count(max(sizes))),
        if (!is.null(visited$ranks)) {
          sprintf("At each pair, the metric is computed anew from up to %s ranks.",
                  format_count(max(visited$ranks(sizes))))
        }),
      visited$remedy
    )
  }
}

# Warns about a function that compares all pairs of documents of each query. `sizes`: documents of the queries.
# `steps`: the time of a pair, in pairs of a training round.
warn_all_pairs <- function(name, sizes, remedy, steps = 1) {
  pairs <- sum(sizes[sizes > short_list]^2) / 2
  if (steps * pairs > max_pairs) {
    warn_input("pairs",
               sprintf("%s compares %s pairs of documents.", name, number_text(pairs, digits = 2, scientific = TRUE)),
               sprintf("The longest query has %s documents.", format_count(max(sizes))), remedy)
  }
}

# Refuses a matrix of documents x documents that takes too much memory.
check_products_of_documents <- function(name, sizes, remedy, call = rlang::caller_env()) {
  bytes <- 8 * max(sizes)^2
  if (bytes > max_products) {
    stop_input("memory", sprintf("%s takes too much memory for a query of %s documents.", name,
                                 format_count(max(sizes))),
               sprintf("It needs a matrix of documents x documents: %.0f GB.", bytes / 1e9), remedy, call = call)
  }
}

# The pairs that a round visits, as a function of the number of documents of queries, and the remedy.
# `bytes`: memory of a pair, if pairs are stored. `ranks`: the ranks from which the metric is computed at each pair, if
# it is not updated in constant time. NULL if a round takes n log n steps for a query of n documents.
pairs_visited <- function(spec, features) {
  name <- entry_of(spec)$name
  objective <- spec[["objective"]]
  if (name == "coordinate_ascent" && spec$search == "exact") {
    return(pairs_of_ascent(searched_metric(spec), features))
  }
  if (name == "smoothrank") {
    return(pairs_of_smoothrank(spec))
  }
  if (name == "yetirank" && identical(spec$target, "pairs")) {
    return(pairs_of_yetirank(spec))
  }
  if (!inherits(objective, "rankmix_objective")) {
    return(NULL)
  }
  switch(objective$name, lambda = pairs_of_lambda(objective),
         smooth = pairs_of_smooth(objective$metric, objective$form))
}

# The exact search updates sums over ranks, and computes other metrics anew where two documents swap. It handles one
# feature after the other. 25 to 43 bytes per pair were measured.
pairs_of_ascent <- function(metric, features) {
  visited <- list(of = function(n) features * n^2 / 2, remedy = "Set `search = \"ranklib\"`.")
  averages <- identical(metric$set$ties, "average")
  if (!averages && !metric$name %in% c("average_precision", "bpref", "err", "mean_ndcg", "reciprocal_rank")) {
    return(visited)
  }
  c(visited, list(ranks = function(n) if (averages) n else pmin(n, metric$k), bytes = 40 / features))
}

pairs_of_yetirank <- function(spec) {
  if (identical(spec$position, "none")) {
    return(list(of = function(n) n^2 / 2, remedy = "Set `position = \"reciprocal\"`."))
  }
  # 65 to 90 bytes were measured. Few pairs occur in several rankings of a long list.
  list(of = function(n) n * spec$rankings * spec$neighbours, bytes = 80,
       remedy = "Take fewer `rankings` or `neighbours`.")
}

pairs_of_lambda <- function(objective) {
  settled <- settled_lambda(objective)
  if (settled$partners > 0) {
    return(NULL)
  }
  top <- min(settled$top, objective$metric$k)
  list(of = function(n) n * pmin(n, top),
       remedy = "Give `loss_lambda()` a small `truncation`, or `pairs = 10` for random pairs.")
}

# The soft gain at a rank uses the documents of similar scores, at most all documents.
pairs_of_smooth <- function(metric, form) {
  if (identical(form, "logistic")) {
    return(NULL)
  }
  top <- min(Inf, metric$k)
  list(of = function(n) n * pmin(n, top), remedy = "Take a metric with a cut-off, such as `metric_ndcg(50)`.")
}

# Evaluations of the metric in a stage of SmoothRank: some 40 steps with two or three evaluations each.
evaluations_of_stage <- 100

# A stage counts as a round, as a sweep of coordinate_ascent() does: each penalty of the path evaluates the metric many
# times in a stage.
pairs_of_smoothrank <- function(spec) {
  visited <- pairs_of_smooth(spec$metric, spec$form)
  if (is.null(visited)) {
    return(NULL)
  }
  pairs <- visited$of
  of <- function(n) evaluations_of_stage * length(spec$penalty) * pairs(n)
  list(of = of, remedy = "Take a metric with a small cut-off, such as `metric_ndcg(10)`, or fewer values of `penalty`.")
}

# Refuses the products of all features in each of some groups of documents, if they take too much memory.
# Eigenvectors would take hours, too.
check_products_of_features <- function(features, groups, call) {
  bytes <- 8 * groups * as.double(features)^2
  if (bytes > max_products) {
    stop_input(
      "memory", sprintf("Linear models of `cocr()` take too much memory for %s features.",
                        format_count(features)),
      sprintf("They need %d matrices of features x features: %.0f GB.", groups, bytes / 1e9),
      paste("Train `linear_ranker()` or `ranksvm()`, which need no such matrix, or `cocr()` with",
            "`base = m5p()`, or use fewer features."), call = call
    )
  }
}
