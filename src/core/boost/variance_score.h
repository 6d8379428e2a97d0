// The split score of least squares: the decrease of the weighted sum of squared residuals
// by a split. Let a node have the sums G of weighted residuals and W of weights. If its
// rows get their mean, the decrease is G^2 / W.
//
// The channels of a row are: its weighted residual, in units of 2^-30 of the sum of
// magnitudes; its weight, in units of 2^-30 of the sum of weights; with a finer unit, the
// rounding error of the residual; if weights differ, its count. Alternatively they are
// one wide number: the residual above kCountBits bits for the count.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "core/base/simd.h"
#include "core/tree/level_finder.h"

namespace rankmix::boost {

constexpr int kCountBits = 24;

inline std::uint64_t wide_of(std::int64_t residual, std::uint64_t count) {
  return (static_cast<std::uint64_t>(residual) << kCountBits) + count;
}
inline std::int64_t residual_of(std::uint64_t wide) {
  return static_cast<std::int64_t>(wide) >> kCountBits;
}
inline std::uint64_t count_of(std::uint64_t wide) {
  return wide & ((std::uint64_t{1} << kCountBits) - 1);
}

// The score from the sums on both sides, with one division instead of two.
RANKMIX_INLINE double split_score_of_sums(double left, double left_weight, double right,
                                          double right_weight) {
  return (left * left * right_weight + right * right * left_weight) /
         (left_weight * right_weight);
}

class VarianceScore {
 public:
  static constexpr tree::ScoreKind kScoreKind = tree::ScoreKind::kLoss;
  using Lanes = tree::LaneList<1, 2, 4>;

  // `fine_unit` is the unit of the third channel relative to the first, or 0 if there is
  // none. Each side must have a weight of at least `min_weight`.
  VarianceScore(double fine_unit, double min_weight)
      : fine_unit_(fine_unit), min_weight_(min_weight) {}

  template <int Lanes>
  double node_score(const std::uint32_t* total) const {
    const double g = residual<Lanes>(total);
    return g * g / weight<Lanes>(total);
  }

  template <int Lanes>
  double split_score(const std::uint32_t* left, const std::uint32_t* total) const {
    static_assert(Lanes > 1, "wide sums have split_scores_wide()");
    const double left_weight = weight<Lanes>(left);
    const double right_weight = weight<Lanes>(total) - left_weight;
    if (left_weight < min_weight_ || right_weight < min_weight_) {
      return -std::numeric_limits<double>::infinity();
    }
    const double g = residual<Lanes>(left);
    return split_score_of_sums(g, left_weight, residual<Lanes>(total) - g, right_weight);
  }
  template <int Lanes>
  bool too_few(const std::uint32_t* sums) const {
    return weight<Lanes>(sums) < min_weight_;
  }
  void split_scores_wide(const std::uint64_t* left, std::size_t count,
                         const std::uint32_t* total, double* scores) const;
  bool may_exceed(const std::uint64_t* left, std::size_t count,
                  const std::uint32_t* total, double bar) const;

 private:
  template <int Lanes>
  static double weight(const std::uint32_t* sums) {
    if constexpr (Lanes == 1) {
      return static_cast<double>(count_of(tree::read_wide(sums)));
    } else {
      return static_cast<std::int32_t>(sums[1]);
    }
  }
  template <int Lanes>
  double residual(const std::uint32_t* sums) const {
    if constexpr (Lanes == 1) {
      return static_cast<double>(residual_of(tree::read_wide(sums)));
    }
    double sum = static_cast<std::int32_t>(sums[0]);
    if constexpr (Lanes > 2) {
      sum += fine_unit_ * static_cast<std::int32_t>(sums[2]);
    }
    return sum;
  }

  double fine_unit_;
  double min_weight_;
};

// Like VarianceScore, for data in which a channel has the counts of rows. Each side must
// have a count of at least `min_count`, and a positive weight after rounding.
class CountedVarianceScore {
 public:
  static constexpr tree::ScoreKind kScoreKind = tree::ScoreKind::kLoss;
  using Lanes = tree::LaneList<4>;

  CountedVarianceScore(double fine_unit, std::size_t count_channel, double min_count)
      : score_(fine_unit, 1.0), count_channel_(count_channel), min_count_(min_count) {}

  template <int Lanes>
  double node_score(const std::uint32_t* total) const {
    return score_.node_score<Lanes>(total);
  }
  template <int Lanes>
  double split_score(const std::uint32_t* left, const std::uint32_t* total) const {
    const std::uint32_t left_count = left[count_channel_];
    const std::uint32_t right_count = total[count_channel_] - left_count;
    if (left_count < min_count_ || right_count < min_count_) {
      return -std::numeric_limits<double>::infinity();
    }
    return score_.split_score<Lanes>(left, total);
  }
  template <int Lanes>
  bool too_few(const std::uint32_t* sums) const {
    return sums[count_channel_] < min_count_;
  }

 private:
  VarianceScore score_;
  std::size_t count_channel_;
  double min_count_;
};

std::unique_ptr<tree::LevelFinder> variance_finder(const VarianceScore& score);
std::unique_ptr<tree::LevelFinder> variance_finder(const CountedVarianceScore& score);

}  // namespace rankmix::boost
