#include "core/calibrate/kernel_factors.h"

#include <algorithm>
#include <cmath>

#include "core/base/exp.h"
#include "core/base/simd.h"

namespace rankmix::calibrate {
namespace {

constexpr std::size_t kWide = 8;

struct Step {
  const double* x;
  std::size_t dimensions;
  std::size_t stride;
  std::size_t pivot;
  std::size_t rank;
  double* g;
  double* left;
};

// Computes the next column of G and updates the remaining diagonal `left`.
RANKMIX_INLINE void add_column(const Step& step) {
  const double root = std::sqrt(step.left[step.pivot]);
  const double* done = step.g;
  double* column = step.g + step.rank * step.stride;
  for (std::size_t first = 0; first < step.stride; first += kWide) {
    double sums[kWide] = {};
    for (std::size_t k = 0; k < step.dimensions; ++k) {
      const double* x = step.x + k * step.stride;
      const double own = x[step.pivot];
      for (std::size_t j = 0; j < kWide; ++j) {
        const double d = x[first + j] - own;
        sums[j] -= 0.5 * d * d;
      }
    }
    exp_in_place<kWide>(sums);
    for (std::size_t m = 0; m < step.rank; ++m) {
      const double* g = done + m * step.stride;
      const double own = g[step.pivot];
      for (std::size_t j = 0; j < kWide; ++j) {
        sums[j] -= own * g[first + j];
      }
    }
    for (std::size_t j = 0; j < kWide; ++j) {
      column[first + j] = sums[j] / root;
      const double left = step.left[first + j] - column[first + j] * column[first + j];
      step.left[first + j] = left > 0.0 ? left : 0.0;
    }
  }
}
void column_plain(const Step& step) { add_column(step); }
RANKMIX_AVX2 void column_avx2(const Step& step) { add_column(step); }

}  // namespace

std::vector<double> KernelFactors::at_chosen() const {
  std::vector<double> lower(rank() * rank(), 0.0);
  for (std::size_t m = 0; m < rank(); ++m) {
    for (std::size_t j = m; j < rank(); ++j) {
      lower[m * rank() + j] = g[m * stride + chosen[j]];
    }
  }
  return lower;
}

KernelFactors factor_kernel(const std::vector<double>& x, std::size_t count,
                            std::size_t dimensions, std::size_t most, double tolerance) {
  KernelFactors factors;
  factors.stride = (count + kWide - 1) / kWide * kWide;
  std::vector<double> filled(factors.stride * dimensions, 0.0);
  for (std::size_t k = 0; k < dimensions; ++k) {
    std::copy_n(x.data() + k * count, count, filled.data() + k * factors.stride);
  }
  std::vector<double> left(factors.stride, 0.0);
  std::fill_n(left.begin(), count, 1.0);
  const auto column = has_avx2() ? column_avx2 : column_plain;
  const auto end = left.begin() + static_cast<std::ptrdiff_t>(count);
  while (factors.rank() < std::min(most, count)) {
    const auto largest = std::max_element(left.begin(), end);
    if (*largest <= tolerance) {
      break;
    }
    const auto pivot = static_cast<std::size_t>(largest - left.begin());
    factors.g.resize((factors.rank() + 1) * factors.stride);
    column({filled.data(), dimensions, factors.stride, pivot, factors.rank(),
            factors.g.data(), left.data()});
    left[pivot] = 0.0;
    factors.chosen.push_back(pivot);
  }
  factors.left = count == 0 ? 0.0 : *std::max_element(left.begin(), end);
  return factors;
}

}  // namespace rankmix::calibrate
