// f(x) = loss(A x) + penalty / 2 * |x - center|^2, for a linear map A: what a linear
// model minimises. The products A x and A d are kept, so that a line is looked at without
// new ones, and a step costs one product with A and one with its transpose.
#pragma once
#include <functional>

#include "core/optimize/function.h"

namespace rankmix::optimize {

struct LinearLoss {
  Operator multiply;             // A x
  Operator multiply_transposed;  // A' s
  // The loss at A x; writes its gradient by A x.
  std::function<double(const Vector& products, Vector& gradients)> loss;
  double penalty = 0.0;
  Vector center;  // empty for 0
};

class LinearLossFunction : public Function {
 public:
  LinearLossFunction(LinearLoss parts, Vector start);

  const Vector& point() const override { return point_; }
  // A x at the point.
  const Vector& products() const { return products_; }
  double evaluate(Vector& gradient) override;
  void set_direction(const Vector& direction) override;
  LinePoint along(double step) override;
  void move(double step) override;

  // The product with the Hessian at the point, where `curve` is that of the loss: from A
  // v it makes the second derivative of the loss at products() times A v.
  Vector hessian_times(const Vector& v, const Operator& curve) const;

 private:
  // Of x - center.
  Vector from_center() const;

  LinearLoss parts_;
  Vector point_;
  Vector products_;
  Vector direction_;
  Vector along_;  // A direction
  // Parts of the penalty along the line.
  double square_ = 0.0;
  double straight_ = 0.0;
  double curved_ = 0.0;
  // Of the last look along the line, and of the point where it is `fresh_`.
  Vector products_seen_;
  Vector gradients_seen_;
  double loss_seen_ = 0.0;
  double step_seen_ = 0.0;
  bool fresh_ = false;
};

}  // namespace rankmix::optimize
