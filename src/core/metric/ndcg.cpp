#include "core/metric/ndcg.h"

#include <cmath>

namespace rankmix::metric {
namespace {

double discount(std::size_t rank) {
  return 1.0 / std::log2(1.0 + static_cast<double>(rank));
}

double ideal_dcg(const GradeCounts& counts, std::size_t k) {
  double sum = 0.0;
  std::size_t rank = 1;
  for (std::size_t grade = counts.size(); grade-- > 1;) {
    for (std::size_t i = 0; i < counts[grade] && rank <= k; ++i, ++rank) {
      sum += exponential_gain(static_cast<int>(grade)) * discount(rank);
    }
  }
  return sum;
}

}  // namespace

double Ndcg::value(View<const int> ranked, const GradeCounts& counts) const {
  const double ideal = ideal_dcg(counts, k_);
  if (ideal == 0.0) {
    return empty_;
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    if (ranked[i] > 0) {
      sum += exponential_gain(ranked[i]) * discount(i + 1);
    }
  }
  return sum / ideal;
}

}  // namespace rankmix::metric
