// A unit for numbers that are squared, such as deviations from a mean.
#pragma once
#include <cmath>

namespace rankmix {

// Divided by this unit, numbers of magnitude up to `largest` have squares and sums of
// squares that neither overflow nor vanish. The unit is 1 except for extremely large or
// small numbers. Otherwise it is a power of two, so that the division is exact.
inline double square_unit(double largest) {
  constexpr double too_small = 0x1p-450;
  constexpr double too_large = 0x1p+450;
  if (!(largest > 0.0) || !std::isfinite(largest) ||
      (largest >= too_small && largest <= too_large)) {
    return 1.0;
  }
  return std::ldexp(1.0, std::ilogb(largest));
}

// 1 / deviation. It is 0 for deviations that are 0, not finite, or too small to divide by.
inline double inverse_deviation(double deviation) {
  const double factor = deviation > 0.0 ? 1.0 / deviation : 0.0;
  return std::isfinite(factor) ? factor : 0.0;
}

}  // namespace rankmix
