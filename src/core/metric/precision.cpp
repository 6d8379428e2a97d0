#include "core/metric/precision.h"

namespace rankmix::metric {

double BinaryMetric::relevant_in_top(const RankedList& list, std::size_t depth) const {
  double sum = 0.0;
  visit_places(
      list, depth, [this](int grade) { return is_relevant(grade) ? 1.0 : 0.0; },
      [&](std::size_t, double share) { sum += share; });
  return sum;
}

double Precision::compute(const RankedList& list, std::size_t depth,
                          std::size_t k) const {
  const std::size_t places = k == kWholeList ? depth : k;
  return places > 0 ? relevant_in_top(list, depth) / static_cast<double>(places) : 0.0;
}

double Recall::compute(const RankedList& list, std::size_t depth, std::size_t) const {
  return relevant_in_top(list, depth) / static_cast<double>(count_relevant(list.counts));
}

double RankBiasedPrecision::compute(const RankedList& list, std::size_t depth,
                                    std::size_t) const {
  double sum = 0.0;
  double looks = 1.0;  // the probability that the user looks at a place
  visit_places(
      list, depth, [this](int grade) { return is_relevant(grade) ? 1.0 : 0.0; },
      [&](std::size_t, double share) {
        sum += share * looks;
        looks *= persistence_;
      });
  return (1.0 - persistence_) * sum;
}

}  // namespace rankmix::metric
