// Nodes and weights of Gauss-Legendre quadrature on [0, 1].
#pragma once
#include <cmath>
#include <cstddef>
#include <vector>

namespace rankmix::explain {

struct Quadrature {
  std::vector<double> at;
  std::vector<double> weight;
};

// Exact for polynomials of degree below 2 count.
inline Quadrature quadrature_of(std::size_t count) {
  const auto n = static_cast<double>(count);
  Quadrature rule;
  for (std::size_t i = 0; i < count; ++i) {
    double z =
        std::cos(3.14159265358979323846 * (static_cast<double>(i) + 0.75) / (n + 0.5));
    double derivative = 1.0;
    // Each Newton step doubles the number of correct digits, so ten steps are more than
    // enough.
    for (int step = 0; step < 10; ++step) {
      double before = 1.0;
      double value = z;
      for (std::size_t k = 2; k <= count; ++k) {
        const auto d = static_cast<double>(k);
        const double next = ((2.0 * d - 1.0) * z * value - (d - 1.0) * before) / d;
        before = value;
        value = next;
      }
      derivative = n * (z * value - before) / (z * z - 1.0);
      z -= value / derivative;
    }
    rule.at.push_back(0.5 * (1.0 - z));
    rule.weight.push_back(1.0 / ((1.0 - z * z) * derivative * derivative));
  }
  return rule;
}

}  // namespace rankmix::explain
