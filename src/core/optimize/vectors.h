// Vectors of unknowns and their operations. Sums run from the first element to the last.
#pragma once
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

namespace rankmix::optimize {

using Vector = std::vector<double>;
// A linear map, given by its product with a vector.
using Operator = std::function<Vector(const Vector&)>;

inline double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
inline double norm(const Vector& a) { return std::sqrt(dot(a, a)); }

// to += times * x
inline void add(double times, const Vector& x, Vector& to) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] += times * x[i];
  }
}
inline Vector negative(const Vector& x) {
  Vector result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    result[i] = -x[i];
  }
  return result;
}

}  // namespace rankmix::optimize
