// Linear and logistic regression of gains on discriminants.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"

namespace rankmix::calibrate {

// Columns 1, f_1, ..., times the roots of the weights: orthonormal ones that span the
// same space, one after the other (Gram and Schmidt, twice). A column that those before
// it make up to 1e-7 of its size is left out.
class Columns {
 public:
  Columns(MatrixView<const double> f, View<const double> weights);
  std::size_t rows() const { return rows_; }
  std::size_t rank() const { return kept_.size(); }
  const double* column(std::size_t j) const { return q_.data() + j * rows_; }
  // Coefficients of 1, f_1, ... from those of the orthonormal columns; of those left out
  // 0.
  std::vector<double> coefficients(const std::vector<double>& orthonormal) const;

 private:
  std::size_t rows_;
  std::size_t inputs_;
  std::vector<double> q_;
  std::vector<std::size_t> kept_;
  std::vector<double> r_;  // upper triangle, (inputs + 1) x (inputs + 1)
};

// Intercept and coefficients of least squares; `weights` may be empty.
std::vector<double> linear_coefficients(MatrixView<const double> f,
                                        View<const double> targets,
                                        View<const double> weights);

struct LogisticFit {
  double largest =
      0.0;  // the largest target, which the logistic function is multiplied by
  std::vector<double> beta;
  bool converged = true;
};

// Quasi-likelihood of targets of 0 or more, by iteratively weighted least squares.
LogisticFit fit_logistic(MatrixView<const double> f, View<const double> targets,
                         View<const double> weights);

}  // namespace rankmix::calibrate
