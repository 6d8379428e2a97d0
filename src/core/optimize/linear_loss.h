// f(x) = loss(A x) + penalty / 2 * |x - center|^2 for a linear map A: the function that a
// linear model minimises. The products A x and A d are stored. So evaluations along a
// line d need no product, and a step needs one product with A and one with its transpose.
#pragma once
#include <functional>

#include "core/optimize/function.h"

namespace rankmix::optimize {

struct LinearLoss {
  Operator multiply;             // A x
  Operator multiply_transposed;  // A' s
  // Returns the loss at A x and writes its gradient by A x.
  std::function<double(const Vector& products, Vector& gradients)> loss;
  double penalty = 0.0;
  Vector center;  // empty means 0
};

class LinearLossFunction : public Function {
 public:
  LinearLossFunction(LinearLoss parts, Vector start);

  const Vector& point() const override { return point_; }
  // A x at the current point.
  const Vector& products() const { return products_; }
  double evaluate(Vector& gradient) override;
  void set_direction(const Vector& direction) override;
  LinePoint along(double step) override;
  void move(double step) override;

  // The product of the Hessian of f at the current point with v. `curve` multiplies A v
  // by the second derivative of the loss at products().
  Vector hessian_times(const Vector& v, const Operator& curve) const;

 private:
  // x - center.
  Vector from_center() const;

  LinearLoss parts_;
  Vector point_;
  Vector products_;
  Vector direction_;
  Vector along_;  // A * direction
  // Coefficients of the penalty as a function of the step.
  double square_ = 0.0;
  double straight_ = 0.0;
  double curved_ = 0.0;
  // The last evaluation along the line. If `fresh_`, it belongs to the current point.
  Vector products_seen_;
  Vector gradients_seen_;
  double loss_seen_ = 0.0;
  double step_seen_ = 0.0;
  bool fresh_ = false;
};

}  // namespace rankmix::optimize
