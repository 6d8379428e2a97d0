// Linear regression on functions of the discriminants: polynomials, or kernels around
// centers.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::calibrate {

// Functions of a document's discriminants.
class Basis {
 public:
  virtual ~Basis() = default;
  virtual std::size_t size() const = 0;
  // Their values for rows [begin, begin + count) of f, as a matrix, column by column. May
  // write up to 7 numbers behind it.
  virtual void values(MatrixView<const double> f, std::size_t begin, std::size_t count,
                      double* out) const = 0;
};

// All polynomials of total degree at most `degree`: products of Chebyshev polynomials of
// the discriminants, which span the same space as the monomials but are nearly
// orthogonal. Discriminant k is clipped to [lower_k, upper_k] and mapped to [-1, 1].
class PolynomialBasis : public Basis {
 public:
  PolynomialBasis(View<const double> lower, View<const double> upper, std::size_t degree);
  std::size_t size() const override { return terms_.size(); }
  void values(MatrixView<const double> f, std::size_t begin, std::size_t count,
              double* out) const override;

 private:
  // The term `rest` times T_degree of a discriminant that is not in `rest`.
  struct Term {
    std::size_t rest;
    std::size_t discriminant;
    std::size_t degree;  // 0 only for the first term, the constant 1
  };
  std::vector<double> lower_;
  std::vector<double> upper_;
  std::size_t degree_;
  std::vector<Term> terms_;
};

// exp(-1/2 sum_k (scale_k (f_k - center_jk))^2), for the rows j of `centers`.
class KernelBasis : public Basis {
 public:
  // `centers` must outlive it.
  KernelBasis(MatrixView<const double> centers, View<const double> scale);
  std::size_t size() const override { return centers_.rows(); }
  void values(MatrixView<const double> f, std::size_t begin, std::size_t count,
              double* out) const override;

 private:
  MatrixView<const double> centers_;
  std::vector<double> scale_;
};

// Of least squares: gram = sum_i w_i b_i b_i', its lower half, right = sum_i w_i b_i y_i.
struct NormalEquations {
  std::vector<double> gram;  // column by column
  std::vector<double> right;
};

// `weights` may be empty: all are 1. With a divisor, a lower triangular matrix L, the
// functions are L^-1 b.
NormalEquations normal_equations(const Basis& basis, MatrixView<const double> f,
                                 View<const double> targets, View<const double> weights,
                                 Host& host,
                                 const std::vector<double>* divisor = nullptr);

// Coefficients; with a ridge of 1e-8, of functions scaled to one size, where the
// reciprocal condition number is below 1e-10. Functions that are 0 everywhere get 0.
std::vector<double> solve_equations(NormalEquations equations);

// sum_j coefficients_j b_j(f) for rows [begin, end), which `out` begins with.
void regression_values(const Basis& basis, MatrixView<const double> f,
                       View<const double> coefficients, std::size_t begin,
                       std::size_t end, double* out);

}  // namespace rankmix::calibrate
