// A metric as a function of a query's documents: their gains, the discounts of ranks, and
// the rule that combines them. Objectives that are built from metrics start with it.
#pragma once
#include <vector>

#include "core/metric/metric.h"
#include "core/objective/objective.h"

namespace rankmix::objective {

struct MetricParts {
  metric::GradeCounts counts;
  metric::GainRule rule = metric::GainRule::kSum;
  metric::RankSum rank_sum;
  std::vector<double> gains;  // of each document

  // False where all documents have the same gain. A metric that is no such value throws
  // InvalidArgument, with the text `refused`.
  bool find(const metric::Metric& metric, const Query& query, const char* refused);
};

}  // namespace rankmix::objective
