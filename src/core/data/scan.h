// One pass over a feature matrix that finds infinite values, constant features and
// missing values.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::data {

struct FeatureScan {
  bool has_infinite = false;
  std::size_t infinite_row = 0;  // first infinite value in column-major order
  std::size_t infinite_col = 0;
  // For each feature: 1 if all known values are equal or no value is known, else 0.
  std::vector<std::uint8_t> constant;
  // For each feature the number of missing values.
  std::vector<double> missing;
};

FeatureScan scan_features(MatrixView<const double> x, Host& host);
FeatureScan scan_features(const SparseView& x, Host& host);

// Finds infinite values only; `constant` and `missing` stay empty.
FeatureScan find_infinite(MatrixView<const double> x, Host& host);
FeatureScan find_infinite(const SparseView& x, Host& host);

}  // namespace rankmix::data
