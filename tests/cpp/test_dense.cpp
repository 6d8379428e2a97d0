// Compares factors and products of dense matrices with loops. Products of integers are
// exact in any order. For solutions of systems, the residual is checked against the
// bounds of rounding analysis: Higham 2002, Accuracy and Stability of Numerical
// Algorithms.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "core/base/dense.h"
#include "core/base/errors.h"
#include "core/base/lu.h"
#include "core/base/serial_host.h"
#include "draw.h"

using rankmix::InvalidArgument;
using rankmix::MatrixView;
namespace dense = rankmix::dense;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Sizes below and above the size from which factors use blocks of columns.
const std::vector<std::size_t> sizes = {1, 2, 3, 7, 16, 33, 130};

using Numbers = std::vector<double>;

double at(const Numbers& matrix, std::size_t size, std::size_t i, std::size_t j) {
  return matrix[j * size + i];
}

// Random integers from -8 to 8.
Numbers whole(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  Numbers numbers(count);
  for (double& number : numbers) {
    number = static_cast<double>(random() % 17) - 8.0;
  }
  return numbers;
}

Numbers normal(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  draw::Normal<double> draw;
  Numbers numbers(count);
  std::generate(numbers.begin(), numbers.end(), [&] { return draw(random); });
  return numbers;
}

Numbers naive_product(const Numbers& left, const Numbers& right, std::size_t rows,
                      std::size_t inner, std::size_t cols) {
  Numbers product(rows * cols, 0.0);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < cols; ++c) {
      for (std::size_t j = 0; j < inner; ++j) {
        product[c * rows + i] += left[j * rows + i] * right[c * inner + j];
      }
    }
  }
  return product;
}

Numbers transposed(const Numbers& matrix, std::size_t rows, std::size_t cols) {
  Numbers turned(matrix.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) {
      turned[i * cols + j] = matrix[j * rows + i];
    }
  }
  return turned;
}

// A symmetric matrix with positive eigenvalues.
Numbers positive(std::size_t size, unsigned seed) {
  const Numbers rows = normal((size + 3) * size, seed);
  return naive_product(transposed(rows, size + 3, size), rows, size, size + 3, size);
}

Numbers with_upper(Numbers matrix, std::size_t size, double value) {
  for (std::size_t j = 0; j < size; ++j) {
    std::fill_n(matrix.begin() + static_cast<std::ptrdiff_t>(j * size), j, value);
  }
  return matrix;
}

// Element i of right - matrix * solution, in long double.
double left_over(const Numbers& matrix, const Numbers& right, const Numbers& solution,
                 std::size_t i) {
  long double rest = right[i];
  for (std::size_t j = 0; j < right.size(); ++j) {
    rest -= static_cast<long double>(at(matrix, right.size(), i, j)) * solution[j];
  }
  return static_cast<double>(std::abs(rest));
}

// The inverse by Gauss-Jordan elimination with row swaps, in long double. Rounding errors
// are relative to `largest`, the largest number that occurs.
struct Inverse {
  std::vector<long double> values;
  double largest = 0.0;
};
Inverse naive_inverse(const Numbers& matrix, std::size_t size) {
  std::vector<long double> left(matrix.begin(), matrix.end());
  Inverse inverse;
  inverse.values.assign(size * size, 0.0L);
  auto add_row = [&](std::vector<long double>& to, std::size_t i, std::size_t c,
                     long double times) {
    for (std::size_t j = 0; j < size; ++j) {
      to[j * size + i] += times * to[j * size + c];
    }
  };
  for (std::size_t i = 0; i < size; ++i) {
    inverse.values[i * size + i] = 1.0L;
  }
  for (std::size_t c = 0; c < size; ++c) {
    std::size_t pivot = c;
    for (std::size_t i = c; i < size; ++i) {
      pivot = std::abs(left[c * size + i]) > std::abs(left[c * size + pivot]) ? i : pivot;
    }
    for (std::size_t j = 0; j < size; ++j) {
      std::swap(left[j * size + c], left[j * size + pivot]);
      std::swap(inverse.values[j * size + c], inverse.values[j * size + pivot]);
      inverse.largest =
          std::max(inverse.largest, std::abs(static_cast<double>(left[j * size + c])));
    }
    const long double corner = left[c * size + c];
    for (std::size_t i = 0; i < size; ++i) {
      const long double times = i == c ? 0.0L : -left[c * size + i] / corner;
      add_row(left, i, c, times);
      add_row(inverse.values, i, c, times);
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      inverse.values[j * size + i] /= left[i * size + i];
    }
  }
  return inverse;
}

template <class Number>
double one_norm(const std::vector<Number>& matrix, std::size_t size) {
  double most = 0.0;
  for (std::size_t j = 0; j < size; ++j) {
    double sum = 0.0;
    for (std::size_t i = 0; i < size; ++i) {
      sum += std::abs(static_cast<double>(matrix[j * size + i]));
    }
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace

TEST_CASE("products of integers equal loops") {
  for (std::size_t size : sizes) {
    const auto seed = static_cast<unsigned>(size);
    const std::size_t inner = size + 4;
    const Numbers left = whole(size * inner, seed);
    const Numbers first = whole(inner, seed + 1);
    const MatrixView<const double> matrix(left.data(), size, inner);
    CHECK(dense::multiply(matrix, first) == naive_product(left, first, size, inner, 1));
    const Numbers down = whole(size, seed + 2);
    CHECK(dense::multiply_transposed(matrix, down) ==
          naive_product(transposed(left, size, inner), down, inner, size, 1));
    const Numbers other = whole(inner, seed + 3);
    CHECK(dense::dot(first, other) ==
          std::inner_product(first.begin(), first.end(), other.begin(), 0.0));
    CHECK(dense::sum(left) == std::accumulate(left.begin(), left.end(), 0.0));
  }
}

TEST_CASE("products of empty matrices are 0") {
  const Numbers none;
  CHECK(dense::multiply({none.data(), 4, 0}, none) == Numbers(4, 0.0));
  CHECK(dense::multiply_transposed({none.data(), 0, 4}, none) == Numbers(4, 0.0));
  CHECK((dense::sum(none) == 0.0 && dense::dot(none, none) == 0.0));
}

TEST_CASE("a Gram matrix is added to the lower half only") {
  for (std::size_t size : sizes) {
    const std::size_t rows = 2 * size + 1;
    const Numbers x = whole(rows * size, static_cast<unsigned>(size));
    const Numbers before = whole(size * size, 5);
    Numbers gram = before;
    dense::add_gram({x.data(), rows, size}, gram.data());
    const Numbers products =
        naive_product(transposed(x, rows, size), x, size, rows, size);
    bool lower = true;
    bool upper = true;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        const double was = at(before, size, i, j);
        const double is = at(gram, size, i, j);
        lower = lower && (i < j || is == was + at(products, size, i, j));
        upper = upper && (i >= j || is == was);
      }
    }
    CHECK((lower && upper));
  }
}

// Theorem 10.4: the residual is at most (3 n + 1) roundings of |R'| |R| |x|, whose
// elements are at most sqrt(a_ii a_jj) |x_j|. kEpsilon is two roundings.
TEST_CASE("systems of positive definite matrices are solved from the lower half") {
  for (std::size_t size : sizes) {
    const auto seed = static_cast<unsigned>(size);
    const Numbers matrix = positive(size, seed);
    const Numbers right = normal(size, seed + 1);
    Numbers lower = with_upper(matrix, size, kNan);
    Numbers solution = right;
    CHECK(dense::solve_positive(lower, solution));
    const auto roundings = static_cast<double>(3 * size + 1);
    bool good = true;
    for (std::size_t i = 0; i < size; ++i) {
      double most = 0.0;
      for (std::size_t j = 0; j < size; ++j) {
        most += std::sqrt(at(matrix, size, i, i) * at(matrix, size, j, j)) *
                std::abs(solution[j]);
      }
      good = good && left_over(matrix, right, solution, i) <= roundings * kEpsilon * most;
    }
    CHECK(good);
  }
}

TEST_CASE("a matrix that is not positive definite leaves the right side unchanged") {
  for (std::size_t size : {std::size_t{2}, std::size_t{40}}) {
    const Numbers right = normal(size, 3);
    for (double corner : {-1.0, 0.0, kNan}) {
      Numbers matrix = positive(size, 4);
      // The last row and column are 0, except for the corner.
      for (std::size_t j = 0; j < size; ++j) {
        matrix[j * size + size - 1] = matrix[(size - 1) * size + j] = 0.0;
      }
      matrix.back() = corner;
      CHECK(dense::reciprocal_condition(matrix, size) == 0.0);
      Numbers solution = right;
      CHECK(!dense::solve_positive(matrix, solution));
      CHECK(solution == right);
    }
  }
}

// Theorem 9.4: the residual is at most 3 n roundings of |L| |U| |x|, and no element of L
// is above 1.
TEST_CASE("square systems are solved with row swaps") {
  rankmix::SerialHost host;
  for (std::size_t size : sizes) {
    const auto seed = static_cast<unsigned>(size);
    Numbers matrix = normal(size * size, seed);
    for (std::size_t i = 0; i + 1 < size; ++i) {
      matrix[i * size + i] = 0.0;
    }
    const Numbers right = normal(size, seed + 1);
    const Numbers solution = dense::solve_square(matrix, right, host);
    const double sum =
        std::accumulate(solution.begin(), solution.end(), 0.0,
                        [](double so_far, double x) { return so_far + std::abs(x); });
    const auto n = static_cast<double>(size);
    const double most = n * naive_inverse(matrix, size).largest * sum;
    bool good = true;
    for (std::size_t i = 0; i < size; ++i) {
      good = good && left_over(matrix, right, solution, i) <= 3.0 * n * kEpsilon * most;
    }
    CHECK(good);
  }
  // A permutation matrix needs only row swaps.
  const Numbers next = {0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
  CHECK(dense::solve_square(next, {1.0, 2.0, 3.0}, host) == (Numbers{3.0, 1.0, 2.0}));
}

namespace {

class CountingHost : public rankmix::SerialHost {
 public:
  void checkpoint() override { ++checkpoints; }
  std::size_t checkpoints = 0;
};

}  // namespace

TEST_CASE("the solution of a large system can be interrupted") {
  constexpr std::size_t size = 200;
  CountingHost host;
  dense::solve_square(normal(size * size, 1), normal(size, 2), host);
  CHECK(host.checkpoints >= size / 10);
}

// The algorithm applies n reflections, and about n rotations to each column. Each of them
// changes n numbers by at most a few rounding errors of the norm of the matrix, so the
// error is of order n^2.
TEST_CASE("a spectrum reproduces the matrix and has orthogonal vectors") {
  rankmix::SerialHost host;
  for (std::size_t size : sizes) {
    Numbers matrix = positive(size, static_cast<unsigned>(size));
    for (std::size_t i = 0; i < size; ++i) {
      matrix[i * size + i] -= 1.5 * static_cast<double>(size);  // both signs occur
    }
    const dense::Spectrum spectrum =
        dense::spectrum_of(with_upper(matrix, size, kNan), size, host);
    CHECK(spectrum.found);
    CHECK(std::is_sorted(spectrum.values.begin(), spectrum.values.end()));
    const Numbers& vectors = spectrum.vectors;
    Numbers scaled = vectors;
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t i = 0; i < size; ++i) {
        scaled[j * size + i] *= spectrum.values[j];
      }
    }
    const Numbers turned = transposed(vectors, size, size);
    Numbers off = naive_product(scaled, turned, size, size, size);
    Numbers angles = naive_product(turned, vectors, size, size, size);
    for (std::size_t i = 0; i < size * size; ++i) {
      off[i] -= matrix[i];
      angles[i] -= i % (size + 1) == 0 ? 1.0 : 0.0;
    }
    const double rounding = static_cast<double>(size * size) * kEpsilon;
    CHECK(one_norm(off, size) <= rounding * one_norm(matrix, size));
    CHECK(one_norm(angles, size) <= rounding);
  }
}

// Throws at one of the checkpoints.
class StoppedHost : public rankmix::SerialHost {
 public:
  explicit StoppedHost(std::size_t left) : left_(left) {}
  void checkpoint() override {
    if (left_ == 0) {
      throw rankmix::Interrupted();
    }
    --left_;
  }
  std::size_t left() const { return left_; }

 private:
  std::size_t left_;
};

TEST_CASE("each step of a spectrum can be interrupted") {
  constexpr std::size_t kSize = 40;
  constexpr std::size_t kMany = 1'000'000;
  const Numbers matrix = positive(kSize, 1);
  StoppedHost counting(kMany);
  CHECK(dense::spectrum_of(matrix, kSize, counting).found);
  const std::size_t polls = kMany - counting.left();
  // Each eigenvalue needs a reflector, its product with the vectors, and a rotation sweep.
  CHECK(polls >= 3 * (kSize - 1));
  for (std::size_t before = 0; before < polls; ++before) {
    StoppedHost host(before);
    CHECK_THROWS_AS(dense::spectrum_of(matrix, kSize, host), rankmix::Interrupted);
  }
}

TEST_CASE("missing or infinite numbers have no spectrum") {
  rankmix::SerialHost host;
  for (double bad : {kNan, kInfinity, -kInfinity}) {
    for (std::size_t place : {0, 1, 4}) {
      Numbers matrix = {2.0, 1.0, 0.5, 1.0, 3.0, 1.0, 0.5, 1.0, 4.0};
      matrix[place] = bad;
      CHECK(!dense::spectrum_of(matrix, 3, host).found);
    }
  }
}

// LAPACK estimates the norm of the inverse from one vector. The estimate is never above
// the norm, and seldom below a third of it (Higham 2002, section 15.3).
TEST_CASE("condition numbers equal those computed from the inverse") {
  for (std::size_t size : sizes) {
    const Numbers matrix = positive(size, static_cast<unsigned>(size) + 9);
    const double exact =
        1.0 / one_norm(matrix, size) / one_norm(naive_inverse(matrix, size).values, size);
    const double found =
        dense::reciprocal_condition(with_upper(matrix, size, kNan), size);
    CHECK((found >= exact * (1.0 - 1e-6) && found <= 3.0 * exact));
  }
  CHECK(dense::reciprocal_condition({4.0, 0.0, 0.0, 0.25}, 2) == 0.0625);
}

TEST_CASE("matrices and vectors of other sizes are refused") {
  Numbers four(4, 1.0);
  Numbers three(3, 1.0);
  const MatrixView<const double> square(four.data(), 2, 2);
  rankmix::SerialHost host;
  CHECK_THROWS_AS(dense::solve_positive(four, three), InvalidArgument);
  CHECK_THROWS_AS(dense::solve_square(four, three, host), InvalidArgument);
  CHECK_THROWS_AS(dense::spectrum_of(four, 3, host), InvalidArgument);
  CHECK_THROWS_AS(dense::reciprocal_condition(four, 3), InvalidArgument);
  CHECK_THROWS_AS(dense::multiply(square, three), InvalidArgument);
  CHECK_THROWS_AS(dense::multiply_transposed(square, three), InvalidArgument);
  CHECK_THROWS_AS(dense::dot(four, three), InvalidArgument);
  CHECK_THROWS_AS(dense::divide(four, three), InvalidArgument);
  CHECK_THROWS_AS(dense::divide_rows(four, 3, 1, three.data()), InvalidArgument);
}

TEST_CASE("division by a triangular matrix reverses multiplication") {
  for (std::size_t size : sizes) {
    const auto seed = static_cast<unsigned>(size);
    Numbers lower = normal(size * size, seed);
    for (std::size_t j = 0; j < size; ++j) {
      lower[j * size + j] = 2.0 + static_cast<double>(size);
      std::fill_n(lower.begin() + static_cast<std::ptrdiff_t>(j * size), j, 0.0);
    }
    const std::size_t count = 5;
    const Numbers wanted = normal(count * size, seed + 1);
    Numbers rows =
        naive_product(wanted, transposed(lower, size, size), count, size, size);
    dense::divide_rows(lower, size, count, rows.data());
    Numbers x = naive_product(transposed(lower, size, size), wanted, size, size, 1);
    dense::divide(lower, x);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      CHECK(std::abs(rows[i] - wanted[i]) < 1e-12);
    }
    for (std::size_t i = 0; i < size; ++i) {
      CHECK(std::abs(x[i] - wanted[i]) < 1e-12);
    }
  }
}
