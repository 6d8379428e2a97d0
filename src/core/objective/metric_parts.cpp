#include "core/objective/metric_parts.h"

#include <algorithm>
#include <cstddef>

#include "core/base/errors.h"

namespace rankmix::objective {

bool MetricParts::find(const metric::Metric& metric, const Query& query,
                       const char* refused) {
  counts.clear();
  for (int grade : query.grades) {
    const auto g = static_cast<std::size_t>(grade);
    counts.resize(std::max(counts.size(), g + 1), 0);
    ++counts[g];
  }
  if (!metric.rank_value(counts, query.size(), rule, rank_sum)) {
    throw InvalidArgument(refused);
  }
  gains.resize(query.size());
  bool differ = false;
  for (std::size_t k = 0; k < query.size(); ++k) {
    gains[k] = rank_sum.gains[static_cast<std::size_t>(query.grades[k])];
    differ = differ || gains[k] != gains[0];
  }
  return differ;
}

}  // namespace rankmix::objective
