// What a split is worth to least squares: by how much it lowers the weighted sum of
// squared residuals.
//
// Channels are the residual times the weight of a row, in units of 2^-30 of the sum of
// their magnitudes; the weight, in units of 2^-30 of the sum; and, where there is a
// third, what rounding took from the residual, in finer units. A node with the sums G of
// residuals and W of weights takes G^2 / W off the sum of squares, if its rows are given
// their mean.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/tree/split.h"

namespace rankmix::boost {

class VarianceScore {
 public:
  static constexpr tree::Worth kWorth = tree::Worth::kLoss;

  // `fine_unit` is the unit of the third channel in units of the first, 0 without one;
  // sides weigh at least `least_weight`.
  VarianceScore(double fine_unit, double least_weight)
      : fine_unit_(fine_unit), least_weight_(least_weight) {}

  template <int Lanes>
  double whole(const std::uint32_t* total) const {
    const double g = residual<Lanes>(total);
    return g * g / weight(total);
  }

  template <int Lanes>
  double parted(const std::uint32_t* left, const std::uint32_t* total) const {
    const double left_weight = weight(left);
    const double right_weight = weight(total) - left_weight;
    if (left_weight < least_weight_ || right_weight < least_weight_) {
      return -std::numeric_limits<double>::infinity();
    }
    const double g = residual<Lanes>(left);
    const double rest = residual<Lanes>(total) - g;
    // One division for two.
    return (g * g * right_weight + rest * rest * left_weight) /
           (left_weight * right_weight);
  }

 private:
  static double weight(const std::uint32_t* sums) {
    return static_cast<std::int32_t>(sums[1]);
  }
  template <int Lanes>
  double residual(const std::uint32_t* sums) const {
    double sum = static_cast<std::int32_t>(sums[0]);
    if constexpr (Lanes > 2) {
      sum += fine_unit_ * static_cast<std::int32_t>(sums[2]);
    }
    return sum;
  }

  double fine_unit_;
  double least_weight_;
};

}  // namespace rankmix::boost
