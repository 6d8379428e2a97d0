// One look at a feature matrix: what is wrong with it, and what is useless in it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::data {

struct FeatureScan {
  bool has_infinite = false;
  std::size_t infinite_row = 0;  // of the first infinite value, column by column
  std::size_t infinite_col = 0;
  // For each feature 1 when its present values are all equal, or none is present.
  std::vector<std::uint8_t> constant;
  // For each feature the number of missing values.
  std::vector<double> missing;
};

FeatureScan scan_features(MatrixView<const double> x, Host& host);
FeatureScan scan_features(const SparseView& x, Host& host);

// Looks for infinite values alone.
FeatureScan find_infinite(MatrixView<const double> x, Host& host);
FeatureScan find_infinite(const SparseView& x, Host& host);

}  // namespace rankmix::data
