// Isotonic regression: the nondecreasing function of a score that minimises the weighted
// squared error, by pooling adjacent violators. Documents of equal scores count as one
// document with the mean of their targets. The function is linear between scores and
// constant outside their range. References: Barlow, Bartholomew, Bremner & Brunk 1972;
// Zadrozny & Elkan 2002, doi:10.1145/775047.775151. Cost: O(n log n).
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"

namespace rankmix::calibrate {

struct Isotonic {
  std::vector<double> at;     // scores, increasing
  std::vector<double> value;  // fitted values at `at`, nondecreasing
  double of(double score) const;
};

// If `weights` is empty, all weights are 1.
Isotonic fit_isotonic(View<const double> scores, View<const double> targets,
                      View<const double> weights);

}  // namespace rankmix::calibrate
