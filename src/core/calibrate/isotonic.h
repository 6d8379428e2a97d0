// Isotonic regression: the nondecreasing function of one score with the least weighted
// squares, by pooling neighbours that are out of order; between documents it is linear,
// beyond them constant. Documents of equal scores are one, with the mean of their
// targets. Reference: Barlow, Bartholomew, Bremner & Brunk 1972; Zadrozny & Elkan 2002,
// doi:10.1145/775047.775151. Cost: O(n log n).
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"

namespace rankmix::calibrate {

struct Isotonic {
  std::vector<double> at;     // scores, increasing
  std::vector<double> value;  // nondecreasing
  double of(double score) const;
};

// `weights` may be empty.
Isotonic fit_isotonic(View<const double> scores, View<const double> targets,
                      View<const double> weights);

}  // namespace rankmix::calibrate
