// Between what the values of a node's leaves must lie, in units of a score.
#pragma once
#include <algorithm>
#include <limits>

namespace rankmix::tree {

struct Bounds {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  // The nearest value within them, which are times `unit`.
  double nearest(double value, double unit = 1.0) const {
    return std::min(std::max(value, lower * unit), upper * unit);
  }
};

// Of the two sides of a split.
struct SideBounds {
  Bounds left;
  Bounds right;
};

}  // namespace rankmix::tree
