// The best binary split of a node, found from its histogram.
//
// A split sends the bins up to `bin` to the left. Missing values go to the side that
// `missing` specifies. Ties: lower feature, then lower bin, then missing values to the
// right. A split of a factor by its levels sends the bins of a set to the left.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/data/bins.h"
#include "core/tree/histogram.h"

namespace rankmix::tree {

enum class Missing : std::uint8_t {
  kRight,
  kLeft,
  kUnseen  // missing values of the node, if any, have sum 0
};

// A set of bins of one feature.
class BinSet {
 public:
  void add(int bin) { word(bin) |= std::uint64_t{1} << (bin % 64); }
  bool has(int bin) const {
    return (words_[static_cast<std::size_t>(bin / 64)] >> (bin % 64) & 1U) != 0;
  }
  bool empty() const { return words_ == std::array<std::uint64_t, 4>{}; }

 private:
  std::uint64_t& word(int bin) { return words_[static_cast<std::size_t>(bin / 64)]; }
  std::array<std::uint64_t, 4> words_{};
};

// If the values of a feature are level numbers, level l has bin l - 1.
inline int level_of_bin(int bin) { return bin + 1; }

struct Split {
  double gain = 0.0;
  int feature = -1;
  int bin = 0;
  Missing missing = Missing::kUnseen;
  BinSet levels = {};  // the bins on the left, if the feature is split by levels
  double cost = 0.0;   // of its feature, already subtracted from the gain

  bool exists() const { return feature >= 0; }
  double whole_gain() const { return gain + cost; }
};

// The split with its gain reduced by the cost of its feature. No split if the gain is not
// above the cost.
inline Split after_cost(Split split, double cost) {
  split.cost = cost;
  split.gain -= cost;
  return split.exists() && split.gain > 0.0 ? split : Split();
}

// The better of two splits of the same node. In a tie `a` wins, so its feature must be
// lower.
inline const Split& better(const Split& a, const Split& b) {
  return b.gain > a.gain ? b : a;
}
// Like better(), for splits whose features are in any order.
inline const Split& better_of_two(const Split& a, const Split& b) {
  return b.exists() && (!a.exists() || b.feature < a.feature) ? better(b, a)
                                                              : better(a, b);
}
// The best of the splits of all tiles, whose features may be in any order.
inline Split best_of(const std::vector<Split>& found) {
  Split best;
  for (const Split& split : found) {
    best = better_of_two(best, split);
  }
  return best;
}

// Marks the bins of the split's feature that go left.
inline void mark_left(const Split& split, const data::FeatureBins& feature,
                      std::uint8_t goes_left[256]) {
  if (!split.levels.empty()) {
    for (int bin = 0; bin < 256; ++bin) {
      goes_left[bin] = split.levels.has(bin) ? 1 : 0;
    }
    return;
  }
  std::fill(goes_left, goes_left + 256, std::uint8_t{0});
  std::fill(goes_left, goes_left + split.bin + 1, std::uint8_t{1});
  goes_left[feature.missing_bin()] = split.missing == Missing::kLeft ? 1 : 0;
}

// The levels that a split sends to the left. Empty if it has a threshold.
inline std::vector<int> levels_of(const Split& split, const data::FeatureBins& feature) {
  std::vector<int> levels;
  if (split.levels.empty()) {
    return levels;
  }
  for (int bin = 0; bin < feature.value_bins(); ++bin) {
    if (split.levels.has(bin)) {
      levels.push_back(level_of_bin(bin));
    }
  }
  return levels;
}

// After the last value bin there is no threshold: every present value goes left. A split
// by levels has no threshold either.
inline double threshold_of(const Split& split, const data::FeatureBins& feature) {
  return !split.levels.empty() || split.bin + 1 == feature.value_bins()
             ? std::numeric_limits<double>::infinity()
             : feature.thresholds[static_cast<std::size_t>(split.bin)];
}

// The sums of the rows that a split sends to the left.
inline Totals left_totals(const HistogramLayout& layout, const Histogram& histogram,
                          const data::FeatureBins& bins, const Split& split) {
  const std::uint32_t* slots =
      histogram.data() + layout.begin(static_cast<std::size_t>(split.feature));
  Totals sum(layout.numbers(), 0U);
  auto add = [&](int bin) {
    with_lanes(layout.lanes(), [&](auto lanes) {
      add_slot<decltype(lanes)::value>(
          slots + static_cast<std::size_t>(bin) * layout.numbers(), sum.data());
    });
  };
  if (split.levels.empty()) {
    for (int b = 0; b <= split.bin; ++b) {
      add(b);
    }
  }
  for (int level : levels_of(split, bins)) {
    add(level - level_of_bin(0));
  }
  if (split.missing == Missing::kLeft) {
    add(bins.missing_bin());
  }
  return sum;
}

}  // namespace rankmix::tree
