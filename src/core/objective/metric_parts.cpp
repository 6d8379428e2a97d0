#include "core/objective/metric_parts.h"

#include <cstddef>

#include "core/base/errors.h"

namespace rankmix::objective {

bool MetricParts::find(const metric::Metric& metric, const Query& query,
                       const char* refused) {
  metric::count_grades(query.grades, counts);
  if (!metric.rank_value(counts, query.size(), rule, rank_sum)) {
    throw InvalidArgument(refused);
  }
  gains.resize(query.size());
  bool differ = false;
  for (std::size_t k = 0; k < query.size(); ++k) {
    gains[k] = rank_sum.gains[query.grades[k]];
    differ = differ || gains[k] != gains[0];
  }
  return differ;
}

}  // namespace rankmix::objective
