// Scans the histogram of a node for its best split, for a given split score. Score is a
// class with
//   Lanes, the numbers of lanes that its slots may have, 1 for wide channels;
//   kScoreKind, the meaning of its numbers;
//   template <int Lanes> double node_score(const uint32_t* total) const, and
//   template <int Lanes> double split_score(const uint32_t* left, const uint32_t* total)
//   const,
// the score of a node and the score of its split. The gain is their difference. For wide
// channels
//   void split_scores_wide(const uint64_t* left, size_t count, const uint32_t* total,
//                     double* scores) const, and
//   bool may_exceed(const uint64_t* left, size_t count, const uint32_t* total,
//                   double bar) const
// replace split_score<1>(). A score may also have
//   template <int Lanes> bool too_few(const uint32_t* sums) const,
// whether a side with these sums, or with some of their rows, makes a split invalid.
// split_scores_wide() and may_exceed() are for `count` splits of a node, a multiple of
// kScoredAtOnce. may_exceed() is fast, and returns false only if no score exceeds `bar`.
//
// Only the source file of a score includes this header, so that it is compiled once for
// each score.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/base/views.h"
#include "core/data/bins.h"
#include "core/tree/histogram.h"
#include "core/tree/split.h"
#include "core/tree/split_finder.h"

namespace rankmix::tree {

// Improves `best` by the splits of one feature. right(b) is the score of the split after
// bin b with missing values on the right. It is called for every b in increasing order.
// left(b) is the score with missing values on the left, and is called after right(b).
template <class Right, class Left>
RANKMIX_INLINE void scan_splits(const data::FeatureBins& bins, int feature,
                                bool any_missing, double node_score, const Right& right,
                                const Left& left, Split& best) {
  // The split after the last value bin separates present from missing values.
  const int last = bins.value_bins() - (any_missing ? 0 : 1);
  for (int b = 0; b < last; ++b) {
    const double gain = right(b) - node_score;
    if (gain > best.gain) {
      best = {gain, feature, b, any_missing ? Missing::kRight : Missing::kUnseen};
    }
    if (!any_missing || b == bins.value_bins() - 1) {
      continue;
    }
    const double other = left(b) - node_score;
    if (other > best.gain) {
      best = {other, feature, b, Missing::kLeft};
    }
  }
}

constexpr std::size_t kScoredAtOnce = 8;

// The sums of wide channels on the left of the split after each value bin, of which there
// are at most 255. They include `missing`. The array is padded to a multiple of
// kScoredAtOnce.
class LeftSums {
 public:
  LeftSums(const std::uint32_t* slots, std::size_t bins, std::uint64_t missing)
      : count_((bins + kScoredAtOnce - 1) / kScoredAtOnce * kScoredAtOnce) {
    std::uint64_t sum = missing;
    for (std::size_t b = 0; b < bins; ++b) {
      sum += read_wide(slots + 2 * b);
      sums_[b] = sum;
    }
    std::fill(sums_.data() + bins, sums_.data() + count_, sum);
  }
  const std::uint64_t* data() const { return sums_.data(); }
  std::size_t count() const { return count_; }

 private:
  std::array<std::uint64_t, 256> sums_;
  std::size_t count_;
};

// The scores of a node's splits after each value bin.
using SplitScores = std::array<double, 256>;

// A bar for may_exceed(). The bar is lower than `least` by much more than rounding
// errors.
inline double lowered(double least) {
  constexpr double rounding = 1e-9;
  return least * (1.0 - rounding);
}

// Whether a split may have a score above `least`. This saves most scans, because the best
// split so far is rarely improved.
template <class Score>
bool may_improve(const LeftSums& left, const std::uint32_t* total, const Score& score,
                 double least) {
  return score.may_exceed(left.data(), left.count(), total, lowered(least));
}

template <class Score, class = void>
struct HasTooFew : std::false_type {};
template <class Score>
struct HasTooFew<Score, std::void_t<decltype(&Score::template too_few<1>)>>
    : std::true_type {};

template <class Score, class = void>
struct HasWide : std::false_type {};
template <class Score>
struct HasWide<Score, std::void_t<decltype(&Score::may_exceed)>> : std::true_type {};

// The left sums of all splits of features with few bins and without missing values. One
// call of may_exceed() for several features saves most of the time of a feature with less
// than kScoredAtOnce bins.
class SharedLeftSums {
 public:
  static constexpr std::size_t kCapacity = 8 * kScoredAtOnce;

  bool has_space(std::size_t splits) const { return count_ + splits <= kCapacity; }
  void add(std::size_t feature, const std::uint32_t* slots, std::size_t splits) {
    std::uint64_t sum = 0;
    for (std::size_t b = 0; b < splits; ++b) {
      sum += read_wide(slots + 2 * b);
      sums_[count_++] = sum;
    }
    features_[feature_count_++] = feature;
  }
  template <class Score>
  bool may_exceed(const Score& score, const std::uint32_t* total, double bar) {
    const std::size_t all = (count_ + kScoredAtOnce - 1) / kScoredAtOnce * kScoredAtOnce;
    std::fill(sums_.data() + count_, sums_.data() + all, sums_[count_ - 1]);
    return score.may_exceed(sums_.data(), all, total, bar);
  }
  View<const std::size_t> features() const { return {features_.data(), feature_count_}; }
  void clear() { count_ = feature_count_ = 0; }

 private:
  std::array<std::uint64_t, kCapacity> sums_;
  std::array<std::size_t, kCapacity> features_;
  std::size_t count_ = 0;
  std::size_t feature_count_ = 0;
};

template <class Score>
void scan_wide(const std::uint32_t* slots, const data::FeatureBins& bins, int feature,
               const std::uint32_t* total, const Score& score, Split& best) {
  const auto value_bins = static_cast<std::size_t>(bins.value_bins());
  const std::uint64_t missing =
      bins.has_missing
          ? read_wide(slots + static_cast<std::size_t>(bins.missing_bin()) * 2)
          : 0;
  const double node_score = score.template node_score<1>(total);
  const LeftSums without(slots, value_bins, 0);
  const LeftSums with(slots, missing != 0 ? value_bins : 0, missing);
  if (!may_improve(without, total, score, best.gain + node_score) &&
      !may_improve(with, total, score, best.gain + node_score)) {
    return;
  }
  SplitScores right;
  SplitScores left;
  score.split_scores_wide(without.data(), without.count(), total, right.data());
  score.split_scores_wide(with.data(), with.count(), total, left.data());
  auto read = [](const SplitScores& split_scores) {
    return [&split_scores](int b) { return split_scores[static_cast<std::size_t>(b)]; };
  };
  scan_splits(bins, feature, missing != 0, node_score, read(right), read(left), best);
}

template <int Lanes, class Score>
void scan_lanes(const std::uint32_t* slots, const data::FeatureBins& bins,
                std::size_t channels, int feature, const std::uint32_t* total,
                const Score& score, Split& best) {
  constexpr std::size_t n = kNumbers<Lanes>;
  std::uint32_t sum[n] = {};
  const std::uint32_t* missing =
      bins.has_missing ? slots + static_cast<std::size_t>(bins.missing_bin()) * n
                       : nullptr;
  bool any_missing = false;
  for (std::size_t l = 0; missing != nullptr && l < channels; ++l) {
    any_missing = any_missing || missing[l] != 0;
  }
  auto right = [&](int b) RANKMIX_INLINE_LAMBDA {
    add_slot<Lanes>(slots + static_cast<std::size_t>(b) * n, sum);
    return score.template split_score<Lanes>(sum, total);
  };
  auto left = [&](int) RANKMIX_INLINE_LAMBDA {
    std::uint32_t with_missing[n];
    std::copy(sum, sum + n, with_missing);
    add_slot<Lanes>(missing, with_missing);
    return score.template split_score<Lanes>(with_missing, total);
  };
  scan_splits(bins, feature, any_missing, score.template node_score<Lanes>(total), right,
              left, best);
}

template <int Lanes, class Score>
void scan_feature(const std::uint32_t* slots, const data::FeatureBins& bins,
                  std::size_t channels, int feature, const std::uint32_t* total,
                  const Score& score, Split& best) {
  if constexpr (Lanes > 1) {
    scan_lanes<Lanes>(slots, bins, channels, feature, total, score, best);
  } else {
    scan_wide(slots, bins, feature, total, score, best);
  }
}

// Base is SplitFinder or a class derived from it.
template <class Score, class Base = SplitFinder>
class ScoreFinder : public Base {
 public:
  explicit ScoreFinder(const Score& score) : score_(score) {}
  ScoreKind score_kind() const override { return Score::kScoreKind; }

  double node_score(const Totals& total, std::size_t lanes) const override {
    return with_lanes(typename Score::Lanes(), lanes, [&](auto n) {
      return score_.template node_score<decltype(n)::value>(total.data());
    });
  }

  Split best_of_feature(const HistogramLayout& layout, std::size_t feature,
                        const Histogram& histogram, const Totals& total) const override {
    Split best;
    scan(layout, feature, histogram, total, best);
    return best;
  }

  Split best_of_tile(const HistogramLayout& layout, const data::Tile& tile,
                     const Histogram& histogram, const Totals& total,
                     const std::vector<std::uint8_t>& active) const override {
    return search_tile(layout, tile, histogram, total,
                       [&](std::size_t f) { return active[f] == 0; });
  }

  void mark_exhausted(const HistogramLayout& layout, const data::Tile& tile,
                      const Histogram& histogram, const Totals& total,
                      std::vector<std::uint8_t>& active) const override {
    if constexpr (HasTooFew<Score>::value) {
      if (tile.is_sparse()) {
        with_lanes(typename Score::Lanes(), layout.lanes(), [&](auto lanes) {
          for (const std::size_t f : tile.features) {
            skips<decltype(lanes)::value>(layout, f, histogram, total, active);
          }
        });
      }
    }
  }

  Split best_unless_exhausted(const HistogramLayout& layout, const data::Tile& tile,
                              const Histogram& histogram, const Totals& total,
                              std::vector<std::uint8_t>& active,
                              const Branch& branch) const override {
    if constexpr (HasTooFew<Score>::value) {
      if (tile.is_sparse()) {
        return with_lanes(typename Score::Lanes(), layout.lanes(), [&](auto lanes) {
          return search_tile(layout, tile, histogram, total, [&](std::size_t f) {
            return skips<decltype(lanes)::value>(layout, f, histogram, total, active);
          });
        });
      }
    }
    return this->best_within(layout, tile, histogram, total, active, branch);
  }

 protected:
  const Score& score() const { return score_; }

 private:
  // A feature with more splits alone fills several calls of may_exceed().
  static constexpr std::size_t kFewSplits = 4 * kScoredAtOnce;

  // Scans the features in `shared`, unless no split of them can improve `best`.
  void scan_shared(const HistogramLayout& layout, const Histogram& histogram,
                   const Totals& total, double node, SharedLeftSums& shared,
                   Split& best) const {
    if constexpr (HasWide<Score>::value) {
      if (shared.features().empty() ||
          !shared.may_exceed(score_, total.data(), lowered(best.gain + node))) {
        return;
      }
      for (const std::size_t f : shared.features()) {
        scan(layout, f, histogram, total, best);
      }
    }
  }

  // Whether a feature of a sparse tile is not active any more.
  template <int Lanes>
  bool skips(const HistogramLayout& layout, std::size_t f, const Histogram& histogram,
             const Totals& total, std::vector<std::uint8_t>& active) const {
    constexpr std::size_t n = kNumbers<Lanes>;
    if (active[f] == 0) {
      return true;
    }
    const auto zero = static_cast<std::size_t>(layout.bins().feature(f).zero_bin);
    std::uint32_t rest[n];
    std::copy_n(total.data(), n, rest);
    subtract_slot<Lanes>(histogram.data() + layout.begin(f) + zero * n, rest);
    active[f] = score_.template too_few<Lanes>(rest) ? 0 : 1;
    return active[f] == 0;
  }

  // The best split of the features of a tile. Features for which skip(feature) is true
  // are ignored.
  template <class Skip>
  Split search_tile(const HistogramLayout& layout, const data::Tile& tile,
                    const Histogram& histogram, const Totals& total,
                    const Skip& skip) const {
    Split best;
    SharedLeftSums shared;
    const bool wide = HasWide<Score>::value && layout.lanes() == 1;
    const double node = wide ? node_score(total, 1) : 0.0;
    auto finish_shared = [&] {
      scan_shared(layout, histogram, total, node, shared, best);
      shared.clear();
    };
    for (const std::size_t f : tile.features) {
      const data::FeatureBins& bins = layout.bins().feature(f);
      if (skip(f) || bins.bins() < 2) {
        continue;
      }
      const std::size_t splits = bins.thresholds.size();
      if (!wide || bins.has_missing || splits > kFewSplits) {
        finish_shared();
        scan(layout, f, histogram, total, best);
        continue;
      }
      if (!shared.has_space(splits)) {
        finish_shared();
      }
      shared.add(f, histogram.data() + layout.begin(f), splits);
    }
    finish_shared();
    return best;
  }

  void scan(const HistogramLayout& layout, std::size_t feature,
            const Histogram& histogram, const Totals& total, Split& best) const {
    with_lanes(typename Score::Lanes(), layout.lanes(), [&](auto lanes) {
      scan_feature<decltype(lanes)::value>(
          histogram.data() + layout.begin(feature), layout.bins().feature(feature),
          layout.channels(), static_cast<int>(feature), total.data(), score_, best);
    });
  }

  Score score_;
};

}  // namespace rankmix::tree
