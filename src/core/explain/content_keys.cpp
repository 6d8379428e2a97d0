#include "core/explain/content_keys.h"

#include <algorithm>
#include <cmath>

#include "core/data/stored_values.h"

namespace rankmix::explain {

double key_term(double value, double largest, std::size_t feature) {
  constexpr double missing = -1.7320508075688772;
  constexpr double golden_ratio = 0.6180339887498949;
  const double times = static_cast<double>(feature + 1) * golden_ratio;
  const double factor = 0.5 + (times - std::floor(times));
  return (std::isnan(value) ? missing : value / largest) * factor;
}

namespace {

template <class Matrix>
std::vector<double> keys_of(const Matrix& x, View<const double> weights) {
  std::vector<double> keys(x.rows(), 0.0);
  for (std::size_t j = 0; j < x.cols(); ++j) {
    double largest = 0.0;
    data::for_each_value(x, j, [&](std::size_t i, double value) {
      if (weights[i] > 0.0 && !std::isnan(value)) {
        largest = std::max(largest, std::abs(value));
      }
    });
    if (!(largest > 0.0)) {
      continue;
    }
    data::for_each_value(x, j, [&](std::size_t i, double value) {
      keys[i] += key_term(value, largest, j);
    });
  }
  return keys;
}

}  // namespace

std::vector<double> content_keys(MatrixView<const double> x, View<const double> weights) {
  return keys_of(x, weights);
}
std::vector<double> content_keys(const SparseView& x, View<const double> weights) {
  return keys_of(x, weights);
}

}  // namespace rankmix::explain
