#include "core/metric/average_precision.h"

#include <algorithm>

namespace rankmix::metric {
namespace {

// If a relevant document moves from rank j up to rank i, the sum gains the precision at i
// and loses the precision at j. Each relevant document in between has one more relevant
// document above.
class AveragePrecisionSwap : public SwapChange {
 public:
  explicit AveragePrecisionSwap(const AveragePrecision& precision)
      : SwapChange(precision), precision_(precision) {}

 protected:
  bool prepare(const RankedList& list, std::size_t depth, std::size_t k) override {
    grades_ = list.grades;
    depth_ = depth;
    scale_ = precision_.scale(list.counts, k);
    before_.assign(depth + 1, 0.0);
    fractions_.assign(depth + 1, 0.0);
    for (std::size_t i = 0; i < depth; ++i) {
      const double found = precision_.is_relevant(grades_[i]) ? 1.0 : 0.0;
      before_[i + 1] = before_[i] + found;
      fractions_[i + 1] = fractions_[i] + found / static_cast<double>(i + 1);
    }
    return true;
  }
  double change_above(std::size_t i, std::size_t j) override {
    const bool upper = precision_.is_relevant(grades_[i]);
    if (upper == precision_.is_relevant(grades_[j])) {
      return 0.0;
    }
    const std::size_t end = std::min(j, depth_);
    const double at_upper = (before_[i] + 1.0) / static_cast<double>(i + 1);
    const double between = fractions_[end] - fractions_[i + 1];
    const double at_lower =
        j < depth_ ? before_[j + 1] / static_cast<double>(j + 1) : 0.0;
    const double gained = (at_upper + between - at_lower) / scale_;
    return upper ? -gained : gained;
  }

 private:
  const AveragePrecision& precision_;
  View<const int> grades_;
  std::size_t depth_ = 0;
  double scale_ = 1.0;
  std::vector<double> before_;     // number of relevant documents before a rank
  std::vector<double> fractions_;  // sum of 1 / rank over these
};

}  // namespace

std::unique_ptr<SwapChange> AveragePrecision::swap_change() const {
  return std::make_unique<AveragePrecisionSwap>(*this);
}

double AveragePrecision::scale(const GradeCounts& counts, std::size_t k) const {
  const std::size_t relevant = count_relevant(counts);
  return static_cast<double>(by_cutoff_ ? std::min(relevant, k) : relevant);
}

double AveragePrecision::compute(const RankedList& list, std::size_t depth,
                                 std::size_t k) const {
  const double sum =
      list.tie_ends.empty() ? sum_in_order(list, depth) : sum_over_groups(list, depth);
  return sum / scale(list.counts, k);
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
  double before = 0.0;  // relevant documents in earlier groups
  visit_groups(list, depth, [&](std::size_t begin, std::size_t end) {
    const double n = static_cast<double>(end - begin);
    double r = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      r += is_relevant(list.grades[i]) ? 1.0 : 0.0;
    }
    if (together) {
      sum += r * (before + r) / static_cast<double>(end);
    } else {
      // A group of one has no other document.
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

bool AveragePrecision::value_over_ranks(const GradeCounts& counts, std::size_t depth,
                                        std::size_t k, GainRule& rule,
                                        RankSum& sum) const {
  rule = GainRule::kPrecision;
  sum_of_relevant(counts, depth, 1.0, sum);
  std::fill(sum.discounts.begin(), sum.discounts.end(), 1.0 / scale(counts, k));
  return true;
}

}  // namespace rankmix::metric
