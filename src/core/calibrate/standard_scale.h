// Standardises discriminants to mean 0 and standard deviation 1. Constant discriminants
// become 0.
#pragma once
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/base/views.h"

namespace rankmix::calibrate {

struct StandardScale {
  std::vector<double> center;
  std::vector<double> factor;

  double of(MatrixView<const double> f, std::size_t row, std::size_t column) const {
    return (f(row, column) - center[column]) * factor[column];
  }
};

inline StandardScale standard_scale(MatrixView<const double> f) {
  StandardScale scale;
  const auto count = static_cast<double>(f.rows());
  for (std::size_t l = 0; l < f.cols(); ++l) {
    double sum = 0.0;
    for (std::size_t i = 0; i < f.rows(); ++i) {
      sum += f(i, l);
    }
    const double center = sum / count;
    double squares = 0.0;
    for (std::size_t i = 0; i < f.rows(); ++i) {
      squares += (f(i, l) - center) * (f(i, l) - center);
    }
    const double spread = std::sqrt(squares / (count - 1.0));
    scale.center.push_back(center);
    scale.factor.push_back(std::isfinite(spread) && spread > 0.0 ? 1.0 / spread : 0.0);
  }
  return scale;
}

}  // namespace rankmix::calibrate
