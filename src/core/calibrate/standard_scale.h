// Standardises discriminants to mean 0 and standard deviation 1. Constant discriminants
// become 0.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/base/square_unit.h"
#include "core/base/views.h"

namespace rankmix::calibrate {

struct StandardScale {
  std::vector<double> center;
  std::vector<double> factor;

  double of(MatrixView<const double> f, std::size_t row, std::size_t column) const {
    return (f(row, column) - center[column]) * factor[column];
  }
};

struct MeanAndDeviation {
  double mean;
  double deviation;
};

// The deviation is not a number if there is one value only.
inline MeanAndDeviation mean_and_deviation(View<const double> values) {
  double largest = 0.0;
  for (const double value : values) {
    largest = std::max(largest, std::abs(value));
  }
  const double unit = square_unit(largest);
  const auto count = static_cast<double>(values.size());
  double sum = 0.0;
  for (const double value : values) {
    sum += value / unit;
  }
  const double mean = sum / count;
  double squares = 0.0;
  for (const double value : values) {
    const double off = value / unit - mean;
    squares += off * off;
  }
  return {mean * unit, std::sqrt(squares / (count - 1.0)) * unit};
}

inline StandardScale standard_scale(MatrixView<const double> f) {
  StandardScale scale;
  for (std::size_t l = 0; l < f.cols(); ++l) {
    const MeanAndDeviation found = mean_and_deviation({f.col(l), f.rows()});
    scale.center.push_back(found.mean);
    scale.factor.push_back(inverse_deviation(found.deviation));
  }
  return scale;
}

}  // namespace rankmix::calibrate
