# Every choice that a metric makes (rounds, steps of a path, features, weights, settings)
# averages over the orders of tied documents. Otherwise the choice depends on the order of the
# rows: on rows sorted by grade, a constant scorer has a perfect ranking.

# The metric with which settings are chosen. A rule for ties that the user or the convention sets is kept. Custom
# metrics and the measures of metric_trec() have no averaged ties.
choosing_metric <- function(metric) {
  computed <- !inherits(metric, c("rankmix_custom", "rankmix_trec_measure"))
  if (computed && is.null(metric$set$ties) && identical(metric_rules(metric)$ties, "order")) {
    metric$set$ties <- "average"
  }
  metric
}
