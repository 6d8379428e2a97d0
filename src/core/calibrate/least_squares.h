// Linear and logistic regression of gains on discriminants.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"

namespace rankmix::calibrate {

// An orthonormal basis of the columns 1, f_1, ..., each multiplied by the square roots of
// the weights. The algorithm is Gram-Schmidt, applied twice to each column. A column is
// left out if less than 1e-7 of its norm is orthogonal to the columns before it.
class Columns {
 public:
  Columns(MatrixView<const double> f, View<const double> weights);
  std::size_t rows() const { return rows_; }
  std::size_t rank() const { return kept_.size(); }
  const double* column(std::size_t j) const { return q_.data() + j * rows_; }
  // Converts coefficients of the orthonormal columns to coefficients of 1, f_1, ....
  // Columns that were left out get 0.
  std::vector<double> coefficients(const std::vector<double>& orthonormal) const;

 private:
  std::size_t rows_;
  std::size_t inputs_;
  std::vector<double> q_;
  std::vector<std::size_t> kept_;
  std::vector<double> r_;      // upper triangle, (inputs + 1) x (inputs + 1)
  std::vector<double> units_;  // of the columns 1, f_1, ..., see square_unit.h
};

// The intercept and the coefficients of weighted least squares. If `weights` is empty,
// all are 1.
std::vector<double> linear_coefficients(MatrixView<const double> f,
                                        View<const double> targets,
                                        View<const double> weights);

struct LogisticFit {
  double largest =
      0.0;  // the largest target, by which the logistic function is multiplied
  std::vector<double> beta;
  bool converged = true;
};

// Logistic regression of targets >= 0, divided by the largest target. Maximises the
// quasi-likelihood by iteratively reweighted least squares.
LogisticFit fit_logistic(MatrixView<const double> f, View<const double> targets,
                         View<const double> weights);

}  // namespace rankmix::calibrate
