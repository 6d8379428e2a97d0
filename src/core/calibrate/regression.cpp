#include "core/calibrate/regression.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/base/blocks.h"
#include "core/base/dense.h"
#include "core/base/errors.h"
#include "core/base/exp.h"
#include "core/base/simd.h"

namespace rankmix::calibrate {
namespace {

// kRows: rows whose basis functions are evaluated together. kParts: parts of the rows
// that are summed separately.
constexpr std::size_t kRows = 256;
constexpr std::size_t kParts = 8;
// Padding after the values, because the kernels write eight values at a time.
constexpr std::size_t kPadding = 8;

// Documents that are computed together.
constexpr std::size_t kWide = 8;

// KernelBasis::values(). `x` are the discriminants; each column is padded to a multiple
// of kWide rows, with arbitrary numbers.
RANKMIX_INLINE void kernels_of(const double* x, std::size_t count,
                               MatrixView<const double> centers, const double* scale,
                               double* out) {
  const std::size_t padded = (count + kWide - 1) / kWide * kWide;
  for (std::size_t j = 0; j < centers.rows(); ++j) {
    for (std::size_t i = 0; i < count; i += kWide) {
      double sums[kWide] = {};
      for (std::size_t k = 0; k < centers.cols(); ++k) {
        const double* of_rows = x + k * padded + i;
        const double center = centers(j, k);
        for (std::size_t l = 0; l < kWide; ++l) {
          const double d = scale[k] * (of_rows[l] - center);
          sums[l] -= 0.5 * d * d;
        }
      }
      exp_in_place<kWide>(sums);
      // The excess values fall on the next kernel, which is written later, or on the
      // padding.
      std::copy(sums, sums + kWide, out + j * count + i);
    }
  }
}
void kernels_plain(const double* x, std::size_t count, MatrixView<const double> centers,
                   const double* scale, double* out) {
  kernels_of(x, count, centers, scale, out);
}
RANKMIX_AVX2 void kernels_avx2(const double* x, std::size_t count,
                               MatrixView<const double> centers, const double* scale,
                               double* out) {
  kernels_of(x, count, centers, scale, out);
}

// out(i) = sum_j coefficients[j] values(i, j), added in the order of j. A product of a
// linear algebra library would round differently depending on the position of the row.
RANKMIX_INLINE void add_up(const double* values, std::size_t count,
                           View<const double> coefficients, double* out) {
  std::fill(out, out + count, 0.0);
  std::size_t j = 0;
  for (; j + 4 <= coefficients.size(); j += 4) {
    const double* first = values + j * count;
    const double* by = coefficients.begin() + j;
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = (((out[i] + by[0] * first[i]) + by[1] * first[count + i]) +
                by[2] * first[2 * count + i]) +
               by[3] * first[3 * count + i];
    }
  }
  for (; j < coefficients.size(); ++j) {
    for (std::size_t i = 0; i < count; ++i) {
      out[i] += coefficients[j] * values[j * count + i];
    }
  }
}
void add_up_plain(const double* values, std::size_t count,
                  View<const double> coefficients, double* out) {
  add_up(values, count, coefficients, out);
}
RANKMIX_AVX2 void add_up_avx2(const double* values, std::size_t count,
                              View<const double> coefficients, double* out) {
  add_up(values, count, coefficients, out);
}

// Calls use(first, count, values) for blocks of rows in [begin, end).
template <class Use>
void for_values(const Basis& basis, MatrixView<const double> f, std::size_t begin,
                std::size_t end, const Use& use) {
  const std::size_t most = std::min(kRows, end - begin);
  // A plain array, because a std::vector would write zeros first. For the few rows of a
  // query, writing zeros would take a large fraction of the time.
  const std::unique_ptr<double[]> values(new double[most * basis.size() + kPadding]);
  for (std::size_t first = begin; first < end; first += kRows) {
    const std::size_t count = std::min(kRows, end - first);
    basis.values(f, first, count, values.get());
    use(first, count, values.get());
  }
}

// Multiplies values and targets by the square roots of the weights.
void apply_weights(const double* weights, std::size_t count, std::size_t size,
                   double* values, double* targets) {
  for (std::size_t i = 0; i < count; ++i) {
    const double root = std::sqrt(weights[i]);
    targets[i] *= root;
    for (std::size_t j = 0; j < size; ++j) {
      values[j * count + i] *= root;
    }
  }
}

}  // namespace

PolynomialBasis::PolynomialBasis(View<const double> lower, View<const double> upper,
                                 std::size_t degree)
    : lower_(lower.begin(), lower.end()),
      upper_(upper.begin(), upper.end()),
      degree_(degree) {
  std::vector<std::size_t> total{0};
  terms_.push_back({0, 0, 0});
  // Each step multiplies the terms of the discriminants before k by powers of
  // discriminant k.
  for (std::size_t k = 0; k < lower_.size(); ++k) {
    const std::size_t before = terms_.size();
    for (std::size_t rest = 0; rest < before; ++rest) {
      for (std::size_t d = 1; total[rest] + d <= degree; ++d) {
        terms_.push_back({rest, k, d});
        total.push_back(total[rest] + d);
      }
    }
  }
}

void PolynomialBasis::values(MatrixView<const double> f, std::size_t begin,
                             std::size_t count, double* out) const {
  const std::size_t inputs = lower_.size();
  // chebyshev[(k * (degree_ + 1) + d) * count + i] = T_d of discriminant k of row i
  std::vector<double> chebyshev(inputs * (degree_ + 1) * count);
  for (std::size_t k = 0; k < inputs; ++k) {
    double* t = chebyshev.data() + k * (degree_ + 1) * count;
    const double middle = 0.5 * (lower_[k] + upper_[k]);
    const double half = 0.5 * (upper_[k] - lower_[k]);
    for (std::size_t i = 0; i < count; ++i) {
      const double clipped = std::min(upper_[k], std::max(lower_[k], f(begin + i, k)));
      const double x = half > 0.0 ? (clipped - middle) / half : 0.0;
      t[i] = 1.0;
      t[count + i] = x;
      for (std::size_t d = 2; d <= degree_; ++d) {
        t[d * count + i] = 2.0 * x * t[(d - 1) * count + i] - t[(d - 2) * count + i];
      }
    }
  }
  std::fill(out, out + count, 1.0);
  for (std::size_t j = 1; j < terms_.size(); ++j) {
    const Term& term = terms_[j];
    const double* rest = out + term.rest * count;
    const double* t =
        chebyshev.data() + (term.discriminant * (degree_ + 1) + term.degree) * count;
    for (std::size_t i = 0; i < count; ++i) {
      out[j * count + i] = rest[i] * t[i];
    }
  }
}

KernelBasis::KernelBasis(MatrixView<const double> centers, View<const double> scale)
    : centers_(centers), scale_(scale.begin(), scale.end()) {
  if (scale_.size() != centers.cols()) {
    throw InvalidArgument("centers and scales differ in the number of discriminants");
  }
}

void KernelBasis::values(MatrixView<const double> f, std::size_t begin, std::size_t count,
                         double* out) const {
  const std::size_t padded = (count + kWide - 1) / kWide * kWide;
  std::vector<double> x(padded * scale_.size());
  for (std::size_t k = 0; k < scale_.size(); ++k) {
    const double* column = f.col(k) + begin;
    std::copy(column, column + count, x.data() + k * padded);
  }
  (has_avx2() ? kernels_avx2 : kernels_plain)(x.data(), count, centers_, scale_.data(),
                                              out);
}

NormalEquations normal_equations(const Basis& basis, MatrixView<const double> f,
                                 View<const double> targets, View<const double> weights,
                                 Host& host, const std::vector<double>* divisor) {
  if (targets.size() != f.rows() || (!weights.empty() && weights.size() != f.rows())) {
    throw InvalidArgument("discriminants, targets and weights differ in size");
  }
  const std::size_t size = basis.size();
  std::vector<NormalEquations> parts(kParts);
  host.parallel_for(kParts, [&](std::size_t part) {
    NormalEquations& sums = parts[part];
    sums.gram.assign(size * size, 0.0);
    sums.right.assign(size, 0.0);
    for_values(basis, f, f.rows() * part / kParts, f.rows() * (part + 1) / kParts,
               [&](std::size_t first, std::size_t count, double* values) {
                 std::vector<double> y(targets.begin() + first,
                                       targets.begin() + first + count);
                 if (!weights.empty()) {
                   apply_weights(weights.data() + first, count, size, values, y.data());
                 }
                 if (divisor != nullptr) {
                   dense::divide_rows(*divisor, size, count, values);
                 }
                 const MatrixView<const double> rows(values, count, size);
                 dense::add_gram(rows, sums.gram.data());
                 const std::vector<double> right = dense::multiply_transposed(rows, y);
                 for (std::size_t j = 0; j < size; ++j) {
                   sums.right[j] += right[j];
                 }
               });
  });
  for (std::size_t part = 1; part < kParts; ++part) {
    for (std::size_t k = 0; k < size * size; ++k) {
      parts[0].gram[k] += parts[part].gram[k];
    }
    for (std::size_t k = 0; k < size; ++k) {
      parts[0].right[k] += parts[part].right[k];
    }
  }
  return std::move(parts[0]);
}

std::vector<double> solve_equations(NormalEquations equations) {
  constexpr double ill_conditioned = 1e-10;
  constexpr double ridge = 1e-8;
  const std::size_t size = equations.right.size();
  std::vector<double> scale(size);
  for (std::size_t j = 0; j < size; ++j) {
    const double square = equations.gram[j * size + j];
    scale[j] = square > 0.0 ? 1.0 / std::sqrt(square) : 1.0;
  }
  std::vector<double>& gram = equations.gram;
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t k = j; k < size; ++k) {
      gram[j * size + k] *= scale[j] * scale[k];
    }
    gram[j * size + j] = 1.0;
    equations.right[j] *= scale[j];
  }
  if (dense::reciprocal_condition(gram, size) < ill_conditioned) {
    for (std::size_t j = 0; j < size; ++j) {
      gram[j * size + j] = 1.0 + ridge;
    }
  }
  dense::solve_positive(gram, equations.right);
  for (std::size_t j = 0; j < size; ++j) {
    equations.right[j] *= scale[j];
  }
  return std::move(equations.right);
}

void regression_values(const Basis& basis, MatrixView<const double> f,
                       View<const double> coefficients, std::size_t begin,
                       std::size_t end, double* out) {
  if (coefficients.size() != basis.size()) {
    throw InvalidArgument("there must be a coefficient for each function");
  }
  for_values(basis, f, begin, end,
             [&](std::size_t first, std::size_t count, const double* values) {
               (has_avx2() ? add_up_avx2 : add_up_plain)(values, count, coefficients,
                                                         out + (first - begin));
             });
}

}  // namespace rankmix::calibrate
