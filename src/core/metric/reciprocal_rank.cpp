#include "core/metric/reciprocal_rank.h"

#include <algorithm>
#include <limits>

namespace rankmix::metric {
namespace {

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

// The first relevant document moves up, or moves down behind the second relevant
// document.
class ReciprocalRankSwap : public SwapChange {
 public:
  explicit ReciprocalRankSwap(const ReciprocalRank& rank)
      : SwapChange(rank), rank_(rank) {}

 protected:
  bool prepare(const RankedList& list, std::size_t depth, std::size_t) override {
    grades_ = list.grades;
    depth_ = depth;
    first_ = kNowhere;
    second_ = kNowhere;
    for (std::size_t i = depth; i-- > 0;) {
      if (rank_.is_relevant(grades_[i])) {
        second_ = first_;
        first_ = i;
      }
    }
    return true;
  }
  double change_above(std::size_t i, std::size_t j) override {
    const bool upper = rank_.is_relevant(grades_[i]);
    const bool lower = rank_.is_relevant(grades_[j]);
    std::size_t first = first_;
    if (lower && !upper) {
      first = std::min(first_, i);
    } else if (upper && !lower && i == first_) {
      first = std::min(second_, j < depth_ ? j : kNowhere);
    }
    return first == first_ ? 0.0 : rank_.value_at(first) - rank_.value_at(first_);
  }

 private:
  const ReciprocalRank& rank_;
  View<const int> grades_;
  std::size_t depth_ = 0;
  std::size_t first_ = kNowhere;  // first relevant rank within the cut-off
  std::size_t second_ = kNowhere;
};

}  // namespace

std::unique_ptr<SwapChange> ReciprocalRank::swap_change() const {
  return std::make_unique<ReciprocalRankSwap>(*this);
}

double ReciprocalRank::value_at(std::size_t rank) const {
  const double value = rank == kNowhere ? 0.0 : 1.0 / static_cast<double>(rank + 1);
  return single_value_ ? static_cast<double>(static_cast<float>(value)) : value;
}

double ReciprocalRank::compute(const RankedList& list, std::size_t depth,
                               std::size_t) const {
  if (!list.tie_ends.empty()) {
    const double value = expected(list, depth);
    return single_value_ ? static_cast<double>(static_cast<float>(value)) : value;
  }
  for (std::size_t i = 0; i < depth; ++i) {
    if (is_relevant(list.grades[i])) {
      return value_at(i);
    }
  }
  return 0.0;
}

double ReciprocalRank::expected(const RankedList& list, std::size_t depth) const {
  double sum = 0.0;
  double none = 1.0;  // probability of no relevant document so far
  visit_groups(list, depth, [&](std::size_t begin, std::size_t end) {
    std::size_t relevant = 0;
    for (std::size_t i = begin; i < end; ++i) {
      relevant += is_relevant(list.grades[i]) ? 1 : 0;
    }
    // If all remaining documents are relevant, the next one is the first, and `none`
    // becomes 0.
    for (std::size_t i = begin; i < end && i < depth && none > 0.0; ++i) {
      const std::size_t left = end - i;
      const double fraction =
          relevant >= left ? 1.0
                           : static_cast<double>(relevant) / static_cast<double>(left);
      sum += none * fraction / static_cast<double>(i + 1);
      none *= 1.0 - fraction;
    }
  });
  return sum;
}

bool ReciprocalRank::value_over_ranks(const GradeCounts& counts, std::size_t depth,
                                      std::size_t, GainRule& rule, RankSum& sum) const {
  rule = GainRule::kFirst;
  sum_of_relevant(counts, depth, 1.0, sum);
  for (std::size_t r = 0; r < depth; ++r) {
    sum.discounts[r] = 1.0 / static_cast<double>(r + 1);
  }
  return true;
}

}  // namespace rankmix::metric
