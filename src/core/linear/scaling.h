// How features are shifted and scaled for a linear model, and what they are like.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/linear/features.h"

namespace rankmix::linear {

enum class ScalingRule {
  kNone,
  kStandard,  // mean 0 and standard deviation 1 (over n)
  kMaximum    // largest magnitude 1; what is 0 stays 0
};

struct Ranges {
  std::vector<double> least;  // of each feature
  std::vector<double> most;
  std::size_t zero_rows = 0;  // rows whose features are all 0
};

// A feature that is constant is dropped by kStandard: its factor is 0. Rows may have
// weights, of which means and deviations are; a row of weight 0 is as good as absent.
Scaling find_scaling(MatrixView<const double> x, ScalingRule rule, Host& host,
                     View<const double> weights = {});
Scaling find_scaling(const SparseView& x, ScalingRule rule, Host& host,
                     View<const double> weights = {});

Ranges find_ranges(MatrixView<const double> x, Host& host);
Ranges find_ranges(const SparseView& x, Host& host);

}  // namespace rankmix::linear
