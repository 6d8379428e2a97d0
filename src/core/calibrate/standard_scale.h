// Standardises discriminants to mean 0 and standard deviation 1, with weights as numbers of
// copies. Constant discriminants become 0.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/base/square_unit.h"
#include "core/base/views.h"
#include "core/calibrate/holdout.h"

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

// `copies` is a function: the number of copies of a value, from its index. The deviation is
// not a number if there is one copy only.
template <class Copies>
MeanAndDeviation mean_and_deviation(View<const double> values, const Copies& copies) {
  double largest = 0.0;
  for (const double value : values) {
    largest = std::max(largest, std::abs(value));
  }
  const double unit = square_unit(largest);
  double count = 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    count += copies(i);
    sum += copies(i) * (values[i] / unit);
  }
  const double mean = sum / count;
  double squares = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double off = values[i] / unit - mean;
    squares += copies(i) * (off * off);
  }
  return {mean * unit, std::sqrt(squares / (count - 1.0)) * unit};
}

inline StandardScale standard_scale(const HeldOut& held) {
  StandardScale scale;
  for (std::size_t l = 0; l < held.f.cols(); ++l) {
    const MeanAndDeviation found =
        mean_and_deviation({held.f.col(l), held.f.rows()},
                           [&](std::size_t row) { return held.copies(row); });
    scale.center.push_back(found.mean);
    scale.factor.push_back(inverse_deviation(found.deviation));
  }
  return scale;
}

}  // namespace rankmix::calibrate
