// The difference that rounding alone can cause between two values of about this size.
// Values are usually sums of many terms, so a few units in the last place are allowed.
#pragma once
#include <cmath>
#include <limits>

namespace rankmix {

inline double rounding_of(double value) {
  constexpr double units = 16.0;
  return units * std::numeric_limits<double>::epsilon() * std::abs(value);
}

}  // namespace rankmix
