// Restrictions of a node by the splits above it: bounds of the values of its leaves, and
// the features that may be split.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace rankmix::tree {

// The unit of bounds is the quotient of channel sums from which a value is computed, see
// boost/monotone.h.
struct Bounds {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  // The nearest number to `value` within the bounds. `unit` is the unit of the bounds,
  // expressed in the unit of `value`.
  double nearest(double value, double unit = 1.0) const {
    return std::min(std::max(value, lower * unit), upper * unit);
  }
};

struct Branch {
  Bounds bounds;
  // The groups of features that may be split, see boost/interactions.h. Empty: all.
  std::vector<std::uint32_t> groups;
};

// The branches of the two sides of a split.
struct SideBranches {
  Branch left;
  Branch right;
};

}  // namespace rankmix::tree
