#include "core/optimize/conjugate_gradients.h"

#include <cmath>

#include "core/base/errors.h"

namespace rankmix::optimize {

void ConjugateGradientsOptions::validate() const {
  if (!(tolerance >= 0.0 && tolerance < 1.0)) {
    throw InvalidArgument("impossible options of conjugate gradients");
  }
}

LinearSolution conjugate_gradients(const Operator& multiply, const Vector& right,
                                   const ConjugateGradientsOptions& options, Host& host,
                                   const Operator& precondition) {
  options.validate();
  LinearSolution solution;
  solution.x.assign(right.size(), 0.0);
  Vector residual = right;
  Vector improved = precondition ? precondition(residual) : residual;
  Vector search = improved;
  double square = dot(residual, residual);
  double product_of_both = precondition ? dot(residual, improved) : square;
  const double enough = square * options.tolerance * options.tolerance;
  bool definite = true;
  while (solution.steps < options.max_steps && square > enough) {
    host.checkpoint();
    const Vector product = multiply(search);
    ++solution.steps;
    const double curvature = dot(search, product);
    definite = curvature > 0.0 && std::isfinite(curvature);
    if (!definite) {
      break;
    }
    const double length = product_of_both / curvature;
    for (std::size_t i = 0; i < residual.size(); ++i) {
      solution.x[i] += length * search[i];
      residual[i] -= length * product[i];
    }
    square = dot(residual, residual);
    double next = square;
    if (precondition) {
      improved = precondition(residual);
      next = dot(residual, improved);
    }
    const Vector& towards = precondition ? improved : residual;
    for (std::size_t i = 0; i < residual.size(); ++i) {
      search[i] = towards[i] + next / product_of_both * search[i];
    }
    product_of_both = next;
  }
  solution.residual = std::sqrt(square);
  if (!definite || !std::isfinite(square)) {
    solution.status = Status::kStalled;
    if (solution.steps <= 1 || !std::isfinite(square)) {
      solution.x = right;
    }
  } else if (square <= enough) {
    solution.status = Status::kConverged;
  }
  return solution;
}

}  // namespace rankmix::optimize
