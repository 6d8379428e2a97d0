#include "core/metric/precision.h"

namespace rankmix::metric {
namespace {

// Only swaps across the cut-off change the value.
class PrecisionSwap : public SwapChange {
 public:
  explicit PrecisionSwap(const Precision& precision)
      : SwapChange(precision), precision_(precision) {}

 protected:
  bool prepare(const RankedList& list, std::size_t depth, std::size_t k) override {
    grades_ = list.grades;
    depth_ = depth;
    ranks_ = static_cast<double>(k == kWholeList ? depth : k);
    return true;
  }
  double change_above(std::size_t i, std::size_t j) override {
    if (j < depth_) {
      return 0.0;
    }
    const int upper = precision_.is_relevant(grades_[i]) ? 1 : 0;
    const int lower = precision_.is_relevant(grades_[j]) ? 1 : 0;
    return static_cast<double>(lower - upper) / ranks_;
  }

 private:
  const Precision& precision_;
  View<const int> grades_;
  std::size_t depth_ = 0;
  double ranks_ = 1.0;
};

}  // namespace

std::unique_ptr<SwapChange> Precision::swap_change() const {
  return std::make_unique<PrecisionSwap>(*this);
}

double BinaryMetric::relevant_in_top(const RankedList& list, std::size_t depth) const {
  double sum = 0.0;
  visit_ranks(
      list, depth, [this](int grade) { return is_relevant(grade) ? 1.0 : 0.0; },
      [&](std::size_t, double relevance) { sum += relevance; });
  return sum;
}

bool BinaryMetric::sum_of_relevant(const GradeCounts& counts, std::size_t depth,
                                   double gain, RankSum& sum) const {
  for (int g = counts.first(); g < counts.end(); ++g) {
    sum.gains[g] = is_relevant(g) ? gain : 0.0;
  }
  sum.discounts.assign(depth, 1.0);
  return true;
}

double Precision::compute(const RankedList& list, std::size_t depth,
                          std::size_t k) const {
  const std::size_t ranks = k == kWholeList ? depth : k;
  return ranks > 0 ? relevant_in_top(list, depth) / static_cast<double>(ranks) : 0.0;
}

bool Precision::sum_over_ranks(const GradeCounts& counts, std::size_t depth,
                               std::size_t k, RankSum& sum) const {
  const std::size_t ranks = k == kWholeList ? depth : k;
  return sum_of_relevant(counts, depth,
                         ranks > 0 ? 1.0 / static_cast<double>(ranks) : 0.0, sum);
}

double Recall::compute(const RankedList& list, std::size_t depth, std::size_t) const {
  return relevant_in_top(list, depth) / static_cast<double>(count_relevant(list.counts));
}

bool Recall::sum_over_ranks(const GradeCounts& counts, std::size_t depth, std::size_t,
                            RankSum& sum) const {
  return sum_of_relevant(counts, depth, 1.0 / static_cast<double>(count_relevant(counts)),
                         sum);
}

double FMeasure::compute(const RankedList& list, std::size_t depth, std::size_t k) const {
  const double ranks = static_cast<double>(k == kWholeList ? depth : k);
  const double all = static_cast<double>(count_relevant(list.counts));
  const double recall_weight = beta_ * beta_;
  return (1.0 + recall_weight) * relevant_in_top(list, depth) /
         (ranks + recall_weight * all);
}

bool FMeasure::sum_over_ranks(const GradeCounts& counts, std::size_t depth, std::size_t k,
                              RankSum& sum) const {
  const double ranks = static_cast<double>(k == kWholeList ? depth : k);
  const double all = static_cast<double>(count_relevant(counts));
  const double recall_weight = beta_ * beta_;
  return sum_of_relevant(counts, depth,
                         (1.0 + recall_weight) / (ranks + recall_weight * all), sum);
}

double Success::compute(const RankedList& list, std::size_t depth, std::size_t) const {
  double none = 1.0;  // probability of no relevant document so far
  if (list.tie_ends.empty()) {
    return relevant_in_top(list, depth) > 0.0 ? 1.0 : 0.0;
  }
  visit_groups(list, depth, [&](std::size_t begin, std::size_t end) {
    std::size_t others = 0;
    for (std::size_t i = begin; i < end; ++i) {
      others += is_relevant(list.grades[i]) ? 0 : 1;
    }
    for (std::size_t i = begin; i < end && i < depth; ++i) {
      const std::size_t drawn = i - begin;
      none *= others > drawn
                  ? static_cast<double>(others - drawn) / static_cast<double>(end - i)
                  : 0.0;
    }
  });
  return 1.0 - none;
}

bool Success::value_over_ranks(const GradeCounts& counts, std::size_t depth, std::size_t,
                               GainRule& rule, RankSum& sum) const {
  rule = GainRule::kFirst;
  return sum_of_relevant(counts, depth, 1.0, sum);
}

double RankBiasedPrecision::compute(const RankedList& list, std::size_t depth,
                                    std::size_t) const {
  double sum = 0.0;
  double looks = 1.0;  // probability that the user examines a rank
  visit_ranks(
      list, depth, [this](int grade) { return is_relevant(grade) ? 1.0 : 0.0; },
      [&](std::size_t, double relevance) {
        sum += relevance * looks;
        looks *= persistence_;
      });
  return (1.0 - persistence_) * sum;
}

bool RankBiasedPrecision::sum_over_ranks(const GradeCounts& counts, std::size_t depth,
                                         std::size_t, RankSum& sum) const {
  sum_of_relevant(counts, depth, 1.0 - persistence_, sum);
  double looks = 1.0;
  for (double& discount : sum.discounts) {
    discount = looks;
    looks *= persistence_;
  }
  return true;
}

}  // namespace rankmix::metric
