// How a metric changes with one weight of a linear ranker, over all values of the weight.
//
// Given:   changes, each at a value of the weight, of which most do not matter.
// Result:  the interval between changes where the sum of all changes before is highest.
// Algorithm: the line from -infinity to infinity is bent to a bounded one, of weight /
//          (unit + |weight|), whose coordinates are whole numbers, keys. Crossings whose
//          keys are next to each other are one: rounding errors are far smaller. Changes
//          are added up in bins of keys; only a bin whose rises from its start on can
//          come to the top is looked into. Linear in the number of changes.
// Changes are whole numbers, so that sums depend on no order.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/simd.h"

namespace rankmix::linear {

constexpr double kLastKey = 2147480000.0;  // of infinity

// The key of the weight rise / slope, where two lines with this difference of slopes
// cross. It is 0 for 0 / 0, and the same for -rise / -slope. `unit` is above 0: half of
// all keys are those of weights within it. Without branches, so that several are worked
// out at once.
RANKMIX_INLINE std::int32_t key_of(double rise, double slope, double unit) {
  constexpr double never_zero = 1e-300;
  const double size = std::abs(rise) + unit * std::abs(slope) + never_zero;
  return static_cast<std::int32_t>(rise / size * std::copysign(kLastKey, slope));
}
inline double weight_of(double key, double unit) {
  return unit * key / (kLastKey - std::abs(key));
}

struct KeyChange {
  std::int32_t key;
  std::int64_t by;  // in units of a metric of 1
};
constexpr double kMetricUnits = static_cast<double>(std::int64_t{1} << 38);
// Sums of roundings; no two rankings that differ are so near.
constexpr std::int64_t kAlikeUnits = 256;

// Changes by bins.
class ChangeBins {
 public:
  struct Bin {
    std::int64_t sum;
    std::int64_t rises;  // the sum of those above 0
    std::int32_t first;  // the keys of its first change and its last; none: first > last
    std::int32_t last;
  };

  ChangeBins();
  void clear();
  void add(std::int32_t key, std::int64_t by) {
    Bin& bin = bins_[bin_of(key)];
    bin.sum += by;
    bin.rises += by > 0 ? by : 0;
    bin.first = std::min(bin.first, key);
    bin.last = std::max(bin.last, key);
  }
  void add(const ChangeBins& other);

  static constexpr std::size_t kCount = 1024;
  static std::size_t bin_of(std::int32_t key) {
    return (static_cast<std::uint32_t>(key) ^ 0x80000000u) >> 22;
  }
  const std::vector<Bin>& bins() const { return bins_; }

 private:
  std::vector<Bin> bins_;
};

struct BestInterval {
  double key = 0.0;        // its middle
  std::int64_t level = 0;  // the sum of the changes before it
  bool inside = false;     // whether the weight as it is stands clear of all changes,
  std::int64_t start = 0;  // and the level there
};

// `parts` has all that the bins have. Among equal intervals, the one closest to `now` is
// best.
BestInterval best_interval(const ChangeBins& bins,
                           const std::vector<const std::vector<KeyChange>*>& parts,
                           std::int32_t now);

}  // namespace rankmix::linear
