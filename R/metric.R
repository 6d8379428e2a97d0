# Metrics are values: a list with the `name` of the core's metric and its
# parameters, of class rankmix_<name> and rankmix_metric. A new metric is a file
# metric-<name>.R with its constructor and a resolve_metric() method if it needs
# to know the data.

new_metric <- function(name, ...) {
  structure(list(name = name, ...),
            class = c(paste0("rankmix_", name), "rankmix_metric"))
}

# Fills in what a metric takes from the data it is computed on.
resolve_metric <- function(metric, data) {
  UseMethod("resolve_metric")
}

#' @export
resolve_metric.default <- function(metric, data) {
  metric
}

# "ndcg@10(empty = 1)": the cut-off unless it is the whole list, then every
# parameter that is not at its default.
#' @export
format.rankmix_metric <- function(x, ...) {
  defaults <- metric_defaults(x)
  parameters <- setdiff(names(x), c("name", "k"))
  changed <- Filter(function(p) !identical(x[[p]], defaults[[p]]), parameters)
  paste0(
    x$name,
    if (is.finite(x$k)) paste0("@", plain_number(x$k)),
    if (length(changed) > 0L) {
      values <- vapply(changed, function(p) show_value(x[[p]]), character(1))
      paste0("(", paste0(changed, " = ", values, collapse = ", "), ")")
    }
  )
}

metric_defaults <- function(metric) {
  switch(metric$name, ndcg = ndcg(), err = err())
}

#' @export
print.rankmix_metric <- function(x, ...) {
  cat("<metric> ", format(x), "\n", sep = "")
  invisible(x)
}

# Queries x columns of `scores`; NaN where the metric leaves a query out.
metric_matrix <- function(metric, scores, data, threads) {
  metric <- resolve_metric(metric, data)
  if (identical(metric$empty, "drop")) {
    metric$empty <- NaN
  }
  metric_values(metric, scores, data$relevance, data$order, data$offsets,
                threads)
}

# The mean over queries, one number a column of `scores`.
metric_means <- function(metric, scores, data, threads) {
  colMeans(metric_matrix(metric, scores, data, threads), na.rm = TRUE)
}
