// Compares sums of products and Cholesky factors with plain loops. The bits must be the
// same with and without wide registers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "core/base/cholesky.h"
#include "core/base/products.h"
#include "core/base/simd.h"

namespace {

std::vector<double> drawn(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<double> numbers(count);
  for (double& number : numbers) {
    number = std::ldexp(static_cast<double>(engine()), -31) - 1.0;
  }
  return numbers;
}

// Product r is added to sum r % 4. The four sums are added in their order.
double slow_dot(const double* a, const double* b, std::size_t size) {
  double sums[4] = {};
  for (std::size_t r = 0; r < size; ++r) {
    sums[r % 4] += a[r] * b[r];
  }
  return ((sums[0] + sums[1]) + sums[2]) + sums[3];
}

std::vector<double> products(std::size_t first, std::size_t second, std::size_t size,
                             bool lower) {
  const std::vector<double> a = drawn(first * size + 1, 1);
  const std::vector<double> b = lower ? a : drawn(second * size + 1, 2);
  std::vector<double> result(first * second, 0.5);
  rankmix::add_products({a.data(), size, first, size}, {b.data(), size, second, size},
                        -1.0, lower, result.data(), first);
  for (std::size_t j = 0; j < second; ++j) {
    for (std::size_t i = 0; i < first; ++i) {
      const double expected =
          lower && i < j ? 0.5
                         : 0.5 - slow_dot(a.data() + i * size, b.data() + j * size, size);
      CHECK(result[j * first + i] == expected);
    }
  }
  return result;
}

// A positive definite matrix, of which the upper half is missing.
std::vector<double> positive(std::size_t size, unsigned seed) {
  const std::vector<double> x = drawn(size * (size + 3), seed);
  std::vector<double> matrix(size * size, std::nan(""));
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t i = j; i < size; ++i) {
      matrix[j * size + i] = i == j ? 0.1 : 0.0;
      for (std::size_t r = 0; r < size + 3; ++r) {
        matrix[j * size + i] += x[i * (size + 3) + r] * x[j * (size + 3) + r];
      }
    }
  }
  return matrix;
}

}  // namespace

TEST_CASE("products of vectors are summed in one order, with or without wide registers") {
  for (std::size_t size : {0, 1, 3, 4, 5, 8, 17, 130}) {
    for (std::size_t first : {1, 2, 3, 4, 7}) {
      for (std::size_t second : {1, 3, 4, 5, 9}) {
        const std::vector<double> wide = products(first, second, size, false);
        rankmix::allow_avx2(false);
        const std::vector<double> plain = products(first, second, size, false);
        rankmix::allow_avx2(true);
        CHECK(wide == plain);
      }
      products(first, first, size, true);
    }
  }
}

TEST_CASE("Cholesky factors reproduce the matrix and solve its systems") {
  for (std::size_t size : {1, 2, 5, 8, 9, 16, 31, 70}) {
    const std::vector<double> matrix = positive(size, static_cast<unsigned>(size));
    std::vector<double> factor = matrix;
    REQUIRE(rankmix::dense::factor_positive(factor.data(), size));
    double largest = 0.0;
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t i = j; i < size; ++i) {
        double product = 0.0;
        for (std::size_t k = 0; k <= j; ++k) {
          product += factor[k * size + i] * factor[k * size + j];
        }
        largest = std::max(largest, std::abs(product - matrix[j * size + i]));
      }
    }
    CHECK(largest <= 1e-13 * static_cast<double>(size + 3));
    const std::vector<double> known = drawn(size, 9);
    std::vector<double> x(size, 0.0);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        x[i] += matrix[std::min(i, j) * size + std::max(i, j)] * known[j];
      }
    }
    rankmix::dense::solve_by_factor(factor.data(), size, x.data());
    for (std::size_t i = 0; i < size; ++i) {
      CHECK(x[i] == doctest::Approx(known[i]).epsilon(1e-8));
    }
    rankmix::allow_avx2(false);
    std::vector<double> plain = matrix;
    REQUIRE(rankmix::dense::factor_positive(plain.data(), size));
    rankmix::allow_avx2(true);
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t i = j; i < size; ++i) {
        CHECK(plain[j * size + i] == factor[j * size + i]);
      }
    }
  }
}

TEST_CASE("a matrix that is not positive definite has no factor") {
  for (std::size_t at : {0, 4, 11}) {
    for (const double wrong : {-1.0, 0.0, std::nan(""), HUGE_VAL}) {
      std::vector<double> matrix = positive(12, 3);
      matrix[at * 12 + at] = wrong;
      CHECK_FALSE(rankmix::dense::factor_positive(matrix.data(), 12));
    }
  }
}
