// Scans the histogram of a leaf for the gains of all tests, for a score as in scan.h.
//
// Only the source file of a score includes this header, so that it is compiled once for
// each score.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/tree/level_finder.h"
#include "core/tree/scan.h"

namespace rankmix::tree {

template <class Score>
class LevelScoreFinder : public ScoreFinder<Score, LevelFinder> {
 public:
  explicit LevelScoreFinder(const Score& score)
      : ScoreFinder<Score, LevelFinder>(score) {}

  double gain(const Totals& left, const Totals& total, std::size_t lanes) const override {
    return with_lanes(typename Score::Lanes(), lanes, [&](auto n) {
      constexpr int kLanes = decltype(n)::value;
      return split_score<kLanes>(left.data(), total.data()) -
             this->score().template node_score<kLanes>(total.data());
    });
  }

  void add_gains(const HistogramLayout& layout, const data::Tile& tile,
                 const Histogram& histogram, const Totals& total,
                 const std::vector<std::uint8_t>& active,
                 std::vector<double>& gains) const override {
    with_lanes(typename Score::Lanes(), layout.lanes(), [&](auto lanes) {
      for (const std::size_t f : tile.features) {
        const data::FeatureBins& bins = layout.bins().feature(f);
        if (active[f] != 0 && bins.bins() >= 2) {
          add_feature<decltype(lanes)::value>(histogram.data() + layout.begin(f), bins,
                                              layout.channels(), total.data(),
                                              gains.data() + 2 * layout.bins().slot(f));
        }
      }
    });
  }

 private:
  template <int Lanes>
  double split_score(const std::uint32_t* left, const std::uint32_t* total) const {
    if constexpr (Lanes > 1) {
      return this->score().template split_score<Lanes>(left, total);
    } else {
      std::uint64_t same[kScoredAtOnce];
      std::fill_n(same, kScoredAtOnce, read_wide(left));
      double scores[kScoredAtOnce];
      this->score().split_scores_wide(same, kScoredAtOnce, total, scores);
      return scores[0];
    }
  }

  // The scores of splitting the leaf after each bin. If `missing` is not null, its sums
  // are added to the left side.
  template <int Lanes>
  void find_all(const std::uint32_t* slots, std::size_t bins,
                const std::uint32_t* missing, const std::uint32_t* total,
                SplitScores& split_scores) const {
    if constexpr (Lanes > 1) {
      std::uint32_t sum[Lanes] = {};
      if (missing != nullptr) {
        std::copy_n(missing, Lanes, sum);
      }
      for (std::size_t b = 0; b < bins; ++b) {
        add_slot<Lanes>(slots + b * Lanes, sum);
        split_scores[b] = split_score<Lanes>(sum, total);
      }
    } else {
      const LeftSums left(slots, bins, missing == nullptr ? 0 : read_wide(missing));
      this->score().split_scores_wide(left.data(), left.count(), total,
                                      split_scores.data());
    }
  }

  template <int Lanes>
  void add_feature(const std::uint32_t* slots, const data::FeatureBins& bins,
                   std::size_t channels, const std::uint32_t* total,
                   double* gains) const {
    constexpr std::size_t n = kNumbers<Lanes>;
    const auto count = static_cast<std::size_t>(bins.value_bins());
    const std::uint32_t* missing = bins.has_missing ? slots + count * n : nullptr;
    const bool any_missing =
        missing != nullptr && std::any_of(missing, missing + channels,
                                          [](std::uint32_t sum) { return sum != 0; });
    const double node_score = this->score().template node_score<Lanes>(total);
    // The score is not finite if a side is empty. The gain is 0 then.
    auto gain_of = [&](double split_score) {
      return std::isfinite(split_score) ? split_score - node_score : 0.0;
    };
    SplitScores right;
    SplitScores left;
    find_all<Lanes>(slots, count, nullptr, total, right);
    if (any_missing) {
      find_all<Lanes>(slots, count, missing, total, left);
      gains[2 * count] += 1.0;
    }
    const SplitScores& other = any_missing ? left : right;
    for (std::size_t b = 0; b < count; ++b) {
      gains[2 * b] += gain_of(right[b]);
      gains[2 * b + 1] += gain_of(other[b]);
    }
  }
};

}  // namespace rankmix::tree
