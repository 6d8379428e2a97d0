// Finds the shift and scale of each feature for a linear model, and the ranges of
// features.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/linear/features.h"

namespace rankmix::linear {

enum class ScalingRule {
  kNone,
  kStandard,  // mean 0 and standard deviation 1 (divisor n)
  kMaximum    // largest magnitude 1; zeros stay 0
};

struct Ranges {
  std::vector<double> least;  // minimum of each feature
  std::vector<double> most;
  std::size_t zero_rows = 0;  // rows in which all features are 0
};

// kStandard gives constant features the factor 0. If rows have weights, means and
// deviations are weighted, and rows of weight 0 are ignored.
Scaling find_scaling(MatrixView<const double> x, ScalingRule rule, Host& host,
                     View<const double> weights = {});
Scaling find_scaling(const SparseView& x, ScalingRule rule, Host& host,
                     View<const double> weights = {});

Ranges find_ranges(MatrixView<const double> x, Host& host);
Ranges find_ranges(const SparseView& x, Host& host);

}  // namespace rankmix::linear
