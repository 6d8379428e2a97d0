#include "core/metric/reciprocal_rank.h"

namespace rankmix::metric {

double ReciprocalRank::compute(const RankedList& list, std::size_t depth,
                               std::size_t) const {
  double value = 0.0;
  if (!list.tie_ends.empty()) {
    value = expected(list, depth);
  } else {
    for (std::size_t i = 0; i < depth && value == 0.0; ++i) {
      if (is_relevant(list.grades[i])) {
        value = 1.0 / static_cast<double>(i + 1);
      }
    }
  }
  return single_value_ ? static_cast<double>(static_cast<float>(value)) : value;
}

double ReciprocalRank::expected(const RankedList& list, std::size_t depth) const {
  double sum = 0.0;
  double none = 1.0;  // the probability that no relevant document came before
  visit_groups(list, depth, [&](std::size_t begin, std::size_t end) {
    std::size_t relevant = 0;
    for (std::size_t i = begin; i < end; ++i) {
      relevant += is_relevant(list.grades[i]) ? 1 : 0;
    }
    // Once the documents left are all relevant the next one is the first: none is 0.
    for (std::size_t i = begin; i < end && i < depth && none > 0.0; ++i) {
      const std::size_t left = end - i;
      const double share =
          relevant >= left ? 1.0
                           : static_cast<double>(relevant) / static_cast<double>(left);
      sum += none * share / static_cast<double>(i + 1);
      none *= 1.0 - share;
    }
  });
  return sum;
}

}  // namespace rankmix::metric
