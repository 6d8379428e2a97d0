// What a metric is of a query's documents: what each is worth at which place, by which
// rule. Objectives that are made of metrics begin with it.
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

  // False where all documents are worth the same. A metric that is no such value throws
  // InvalidArgument, with the text `refused`.
  bool find(const metric::Metric& metric, const Query& query, const char* refused);
};

}  // namespace rankmix::objective
