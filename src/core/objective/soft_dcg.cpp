#include "core/objective/soft_dcg.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rankmix::objective {

double SoftDcg::evaluate(View<const double> scores, View<const double> gains,
                         View<double> gradients) {
  const std::size_t n = scores.size();
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(), [&](std::size_t i, std::size_t j) {
    return scores[i] != scores[j] ? scores[i] > scores[j] : i < j;
  });
  scores_.resize(n);
  gains_.resize(n);
  for (std::size_t r = 0; r < n; ++r) {
    scores_[r] = scores[order_[r]];
    gains_[r] = gains[order_[r]];
  }
  for (std::size_t r = discounts_.size(); r < n; ++r) {
    discounts_.push_back(1.0 / std::log2(static_cast<double>(r) + 2.0));
  }
  soft_.set_query(scores_, gains_);
  gradients_.resize(gradients.size());
  const double value =
      soft_.evaluate({discounts_.data(), n}, {gradients_.data(), gradients_.size()}, {});
  for (std::size_t r = 0; r < gradients.size(); ++r) {
    gradients[order_[r]] = gradients_[r];
  }
  return value;
}

}  // namespace rankmix::objective
