// The metric as a function of one weight of a linear ranker.
//
// Given:   changes, each at a value of the weight. Most changes do not affect the result.
// Result:  the interval between two changes for which the sum of all earlier changes is
//          highest.
// Algorithm: the weight is mapped to a bounded integer, its key, by
//          weight / (unit + |weight|). Crossings with adjacent keys count as one;
//          rounding errors are much smaller. Changes are summed in bins of keys. A bin is
//          sorted and visited in detail only if its positive changes could reach the
//          maximum. The cost is linear in the number of changes.
// Changes are integers, so sums do not depend on the order.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/simd.h"

namespace rankmix::linear {

constexpr double kLastKey = 2147480000.0;  // key of an infinite weight

// The key of the weight rise / slope, at which two lines with these differences cross. It
// is 0 for 0 / 0, and the same for -rise / -slope. `unit` must be positive; weights in
// [-unit, unit] have half of all keys. There are no branches, so that compilers vectorise
// the code.
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
  std::int64_t by;  // change of the metric in units of 1 / kMetricUnits
};
constexpr double kMetricUnits = static_cast<double>(std::int64_t{1} << 38);
// Levels that differ by less than this count as equal, because real differences are
// larger than rounding errors.
constexpr std::int64_t kAlikeUnits = 256;

// Changes summed in bins of keys.
class ChangeBins {
 public:
  struct Bin {
    std::int64_t sum;
    std::int64_t rises;  // the sum of positive changes
    std::int32_t first;  // first and last key of a change; first > last: no change
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
  double key = 0.0;        // middle of the interval
  std::int64_t level = 0;  // sum of the changes before it
  bool inside = false;     // whether the current weight is away from all changes
  std::int64_t start = 0;  // level at the current weight, if `inside`
};

// `parts` has all changes that were added to `bins`. If several intervals have the
// highest level, the one closest to `now` is best.
BestInterval best_interval(const ChangeBins& bins,
                           const std::vector<const std::vector<KeyChange>*>& parts,
                           std::int32_t now);

}  // namespace rankmix::linear
