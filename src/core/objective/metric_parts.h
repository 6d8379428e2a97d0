// A metric as a function of the documents of a query: gains, discounts of ranks, and the
// rule that combines them. Objectives that approximate metrics use it.
#pragma once
#include <vector>

#include "core/metric/metric.h"
#include "core/objective/objective.h"

namespace rankmix::objective {

struct MetricParts {
  metric::GradeCounts counts;
  metric::GainRule rule = metric::GainRule::kSum;
  metric::RankSum rank_sum;
  std::vector<double> gains;  // one for each document

  // Returns false if all documents have the same gain. Throws InvalidArgument with the
  // text `refused` if the metric has no such form.
  bool find(const metric::Metric& metric, const Query& query, const char* refused);
};

}  // namespace rankmix::objective
