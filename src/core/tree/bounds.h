// Bounds of the values of a node's leaves. Their unit is the quotient of channel sums of
// which a value is computed, see boost/monotone.h.
#pragma once
#include <algorithm>
#include <limits>

namespace rankmix::tree {

struct Bounds {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  // The nearest number to `value` within the bounds. `unit` is the unit of the bounds,
  // expressed in the unit of `value`.
  double nearest(double value, double unit = 1.0) const {
    return std::min(std::max(value, lower * unit), upper * unit);
  }
};

// The bounds of the two sides of a split.
struct SideBounds {
  Bounds left;
  Bounds right;
};

}  // namespace rankmix::tree
