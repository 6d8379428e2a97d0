#include "core/metric/reciprocal_rank.h"

namespace rankmix::metric {

double ReciprocalRank::compute(const RankedList& list, std::size_t depth) const {
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
  std::size_t begin = 0;
  for (std::size_t end : list.tie_ends) {
    std::size_t relevant = 0;
    for (std::size_t i = begin; i < end; ++i) {
      relevant += is_relevant(list.grades[i]) ? 1 : 0;
    }
    if (relevant > 0) {
      double sum = 0.0;
      double none = 1.0;  // the probability that no relevant one came before
      for (std::size_t i = begin; i < end && i < depth; ++i) {
        const double share = static_cast<double>(relevant) / static_cast<double>(end - i);
        if (share >= 1.0) {
          return sum + none / static_cast<double>(i + 1);
        }
        sum += none * share / static_cast<double>(i + 1);
        none *= 1.0 - share;
      }
      return sum;
    }
    begin = end;
  }
  return 0.0;
}

}  // namespace rankmix::metric
