#include "core/metric/err.h"

#include <algorithm>
#include <cmath>

namespace rankmix::metric {

Err::Err(const MetricOptions& options, int max_grade)
    : Metric(options), scale_(std::ldexp(1.0, -max_grade)) {}

double Err::satisfied(int grade) const {
  return grade <= 0 ? 0.0 : (std::ldexp(1.0, grade) - 1.0) * scale_;
}

double Err::compute(const RankedList& list, std::size_t depth) const {
  if (!list.tie_ends.empty()) {
    return expected(list, depth);
  }
  double sum = 0.0;
  double unsatisfied = 1.0;
  for (std::size_t i = 0; i < depth; ++i) {
    const double r = satisfied(list.grades[i]);
    sum += unsatisfied * r / static_cast<double>(i + 1);
    unsatisfied *= 1.0 - r;
  }
  return sum;
}

double Err::expected(const RankedList& list, std::size_t depth) const {
  double sum = 0.0;
  double unsatisfied = 1.0;
  std::size_t begin = 0;
  std::vector<double> means;
  for (std::size_t end : list.tie_ends) {
    if (begin >= depth) {
      break;
    }
    // means[m] = A_m of the documents so far, for the m that matter.
    const std::size_t top = std::min(end, depth) - begin;
    means.assign(top + 1, 0.0);
    means[0] = 1.0;
    for (std::size_t i = begin; i < end; ++i) {
      const double seen = static_cast<double>(i - begin + 1);
      const double x = 1.0 - satisfied(list.grades[i]);
      for (std::size_t m = std::min(top, i - begin + 1); m > 0; --m) {
        const double share = static_cast<double>(m) / seen;
        means[m] = (1.0 - share) * means[m] + share * x * means[m - 1];
      }
    }
    for (std::size_t m = 0; m < top; ++m) {
      sum += unsatisfied * (means[m] - means[m + 1]) / static_cast<double>(begin + m + 1);
    }
    if (end < depth) {
      unsatisfied *= means[top];
    }
    begin = end;
  }
  return sum;
}

}  // namespace rankmix::metric
