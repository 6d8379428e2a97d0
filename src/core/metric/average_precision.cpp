#include "core/metric/average_precision.h"

#include <algorithm>

namespace rankmix::metric {

double AveragePrecision::compute(const RankedList& list, std::size_t depth,
                                 std::size_t k) const {
  const double sum =
      list.tie_ends.empty() ? sum_in_order(list, depth) : sum_over_groups(list, depth);
  const std::size_t relevant = count_relevant(list.counts);
  return sum / static_cast<double>(by_cutoff_ ? std::min(relevant, k) : relevant);
}

double AveragePrecision::sum_in_order(const RankedList& list, std::size_t depth) const {
  double sum = 0.0;
  double found = 0.0;
  for (std::size_t i = 0; i < depth; ++i) {
    if (is_relevant(list.grades[i])) {
      found += 1.0;
      sum += found / static_cast<double>(i + 1);
    }
  }
  return sum;
}

double AveragePrecision::sum_over_groups(const RankedList& list,
                                         std::size_t depth) const {
  const bool together = rule().ties == Ties::kTogether;
  double sum = 0.0;
  double before = 0.0;  // relevant documents in the groups before
  visit_groups(list, depth, [&](std::size_t begin, std::size_t end) {
    const double n = static_cast<double>(end - begin);
    double r = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      r += is_relevant(list.grades[i]) ? 1.0 : 0.0;
    }
    if (together) {
      sum += r * (before + r) / static_cast<double>(end);
    } else {
      // No other document shares a place with a group of one.
      const double others = n > 1.0 ? (r - 1.0) / (n - 1.0) : 0.0;
      for (std::size_t i = begin; i < end && i < depth; ++i) {
        const double found = before + 1.0 + static_cast<double>(i - begin) * others;
        sum += r / n * found / static_cast<double>(i + 1);
      }
    }
    before += r;
  });
  return sum;
}

}  // namespace rankmix::metric
