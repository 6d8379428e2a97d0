// Linear regression on basis functions of the discriminants: polynomials, or Gaussian
// kernels around centers.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::calibrate {

// A set of functions of a document's discriminants.
class Basis {
 public:
  virtual ~Basis() = default;
  virtual std::size_t size() const = 0;
  // Values of all functions for rows [begin, begin + count) of f: count x size(),
  // column-major. May write up to 7 numbers after the matrix.
  virtual void values(MatrixView<const double> f, std::size_t begin, std::size_t count,
                      double* out) const = 0;
};

// All polynomials of total degree at most `degree`. The functions are products of
// Chebyshev polynomials of single discriminants. They span the same space as the
// monomials but are nearly orthogonal. Discriminant k is clipped to [lower_k, upper_k]
// and mapped to [-1, 1].
class PolynomialBasis : public Basis {
 public:
  PolynomialBasis(View<const double> lower, View<const double> upper, std::size_t degree);
  std::size_t size() const override { return terms_.size(); }
  void values(MatrixView<const double> f, std::size_t begin, std::size_t count,
              double* out) const override;

 private:
  // The term with index `rest` times T_degree of a discriminant that is not in `rest`.
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

// The kernels exp(-1/2 sum_k (scale_k (f_k - center_jk))^2), one for each row j of
// `centers`.
class KernelBasis : public Basis {
 public:
  // `centers` is not copied and must outlive the basis.
  KernelBasis(MatrixView<const double> centers, View<const double> scale);
  std::size_t size() const override { return centers_.rows(); }
  void values(MatrixView<const double> f, std::size_t begin, std::size_t count,
              double* out) const override;

 private:
  MatrixView<const double> centers_;
  std::vector<double> scale_;
};

// The normal equations of least squares: the lower triangle of gram = sum_i w_i b_i b_i',
// and right = sum_i w_i b_i y_i.
struct NormalEquations {
  std::vector<double> gram;  // column-major
  std::vector<double> right;
};

// If `weights` is empty, all weights are 1. If `divisor` is a lower triangular matrix L,
// the basis functions are L^-1 b instead of b.
NormalEquations normal_equations(const Basis& basis, MatrixView<const double> f,
                                 View<const double> targets, View<const double> weights,
                                 Host& host,
                                 const std::vector<double>* divisor = nullptr);

// Solves for the coefficients. Functions are scaled to norm 1 first. If the reciprocal
// condition number is then below 1e-10, a ridge of 1e-8 is added. Functions that are 0
// everywhere get the coefficient 0.
std::vector<double> solve_equations(NormalEquations equations);

// sum_j coefficients_j b_j(f) for rows [begin, end). out[0] is the value of row `begin`.
void regression_values(const Basis& basis, MatrixView<const double> f,
                       View<const double> coefficients, std::size_t begin,
                       std::size_t end, double* out);

}  // namespace rankmix::calibrate
