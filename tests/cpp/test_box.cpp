// Compares minima within bounds with the best points of grids.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/errors.h"
#include "core/calibrate/kernel_factors.h"
#include "core/optimize/box.h"

using rankmix::optimize::BoxMinimum;
using rankmix::optimize::minimise_in_box;
using rankmix::optimize::Status;
using rankmix::optimize::Vector;

namespace {

// A bent valley, whose lowest point is (1, 1).
double valley(const Vector& x, Vector& gradient) {
  const double bend = x[1] - x[0] * x[0];
  gradient[0] = -400.0 * x[0] * bend - 2.0 * (1.0 - x[0]);
  gradient[1] = 200.0 * bend;
  return 100.0 * bend * bend + (1.0 - x[0]) * (1.0 - x[0]);
}

double lowest_of_grid(const Vector& lower, const Vector& upper) {
  constexpr int steps = 400;
  double lowest = INFINITY;
  Vector gradient(2);
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; j <= steps; ++j) {
      const Vector x{lower[0] + (upper[0] - lower[0]) * i / steps,
                     lower[1] + (upper[1] - lower[1]) * j / steps};
      lowest = std::min(lowest, valley(x, gradient));
    }
  }
  return lowest;
}

}  // namespace

TEST_CASE("the minimum of a bent valley is found, also at a bound") {
  const BoxMinimum inside =
      minimise_in_box(valley, {-1.2, 1.0}, {-10.0, -10.0}, {10.0, 10.0});
  CHECK(inside.status == Status::kConverged);
  CHECK(
      (std::abs(inside.point[0] - 1.0) < 1e-4 && std::abs(inside.point[1] - 1.0) < 1e-4));
  const std::vector<std::pair<Vector, Vector>> boxes = {{{-2.0, -2.0}, {0.5, 2.0}},
                                                        {{-2.0, -2.0}, {2.0, 0.3}},
                                                        {{1.5, -1.0}, {3.0, 4.0}},
                                                        {{-2.0, 1.5}, {-0.5, 3.0}}};
  for (const auto& box : boxes) {
    for (const Vector& start : {Vector{-5.0, 5.0}, Vector{0.1, 0.2}, Vector{2.5, 3.5}}) {
      const BoxMinimum found = minimise_in_box(valley, start, box.first, box.second);
      for (std::size_t i = 0; i < 2; ++i) {
        CHECK((found.point[i] >= box.first[i] && found.point[i] <= box.second[i]));
      }
      CHECK(found.value <= lowest_of_grid(box.first, box.second) + 1e-6);
    }
  }
}

TEST_CASE("numbers that are not finite end a search") {
  const BoxMinimum found = minimise_in_box(
      [](const Vector&, Vector& gradient) {
        gradient[0] = NAN;
        return NAN;
      },
      {0.5}, {0.0}, {1.0});
  CHECK(found.status == Status::kStalled);
  CHECK_THROWS_AS(minimise_in_box(valley, {0.0, 0.0}, {0.0}, {1.0}),
                  rankmix::InvalidArgument);
}

TEST_CASE("kernel factors report the largest remaining diagonal element") {
  constexpr std::size_t count = 60;
  std::vector<double> x(2 * count);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 3.0 * std::sin(1.7 * static_cast<double>(i * i));
  }
  for (const double tolerance : {1e-1, 1e-4, 1e-8}) {
    const auto factors = rankmix::calibrate::factor_kernel(x, count, 2, count, tolerance);
    CHECK(factors.left <= tolerance);
    double worst = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < count; ++j) {
        const double a = x[i] - x[j];
        const double b = x[count + i] - x[count + j];
        double rest = std::exp(-0.5 * (a * a + b * b));
        for (std::size_t m = 0; m < factors.rank(); ++m) {
          rest -= factors.g[m * factors.stride + i] * factors.g[m * factors.stride + j];
        }
        worst = std::max(worst, std::abs(rest));
      }
    }
    // The largest number of a positive matrix is on its diagonal.
    CHECK(worst <= factors.left + 1e-10);
    const std::vector<double> lower = factors.at_chosen();
    CHECK(lower.size() == factors.rank() * factors.rank());
  }
  const auto few = rankmix::calibrate::factor_kernel(x, count, 2, 5, 1e-8);
  CHECK((few.rank() == 5 && few.left > 1e-8));
}
