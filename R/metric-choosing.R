# Every choice that a metric makes (rounds, steps of a path, features, weights, settings)
# averages over the orders of tied documents. Otherwise the choice depends on the order of the
# rows: where these are sorted by grade, a constant scorer has a perfect ranking.

# The metric that chooses. Ties that the user or the convention settles stay as they are. Metrics
# of the user and those of trec_eval have no averaged ties.
choosing_metric <- function(metric) {
  computed <- !inherits(metric, c("rankmix_custom", "rankmix_trec_measure"))
  if (computed && is.null(metric$set$ties) && identical(metric_rules(metric)$ties, "order")) {
    metric$set$ties <- "average"
  }
  metric
}
