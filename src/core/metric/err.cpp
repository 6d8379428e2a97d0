#include "core/metric/err.h"

#include <cmath>

namespace rankmix::metric {

double Err::value(View<const int> ranked, const GradeCounts&) const {
  const double scale = std::ldexp(1.0, -max_grade_);
  double sum = 0.0;
  double unsatisfied = 1.0;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const double satisfied = exponential_gain(ranked[i]) * scale;
    sum += unsatisfied * satisfied / static_cast<double>(i + 1);
    unsatisfied *= 1.0 - satisfied;
  }
  return sum;
}

}  // namespace rankmix::metric
