#include "core/optimize/linear_loss.h"

#include <utility>

namespace rankmix::optimize {

LinearLossFunction::LinearLossFunction(LinearLoss parts, Vector start)
    : parts_(std::move(parts)),
      point_(std::move(start)),
      products_(parts_.multiply(point_)) {}

Vector LinearLossFunction::from_center() const {
  Vector result = point_;
  if (!parts_.center.empty()) {
    add(-1.0, parts_.center, result);
  }
  return result;
}

double LinearLossFunction::evaluate(Vector& gradient) {
  if (!fresh_) {
    gradients_seen_.assign(products_.size(), 0.0);
    loss_seen_ = parts_.loss(products_, gradients_seen_);
    fresh_ = true;
  }
  gradient = parts_.multiply_transposed(gradients_seen_);
  const Vector shift = from_center();
  add(parts_.penalty, shift, gradient);
  return loss_seen_ + 0.5 * parts_.penalty * dot(shift, shift);
}

void LinearLossFunction::set_direction(const Vector& direction) {
  direction_ = direction;
  along_ = parts_.multiply(direction);
  products_seen_.clear();
  const Vector shift = from_center();
  square_ = dot(shift, shift);
  straight_ = dot(shift, direction);
  curved_ = dot(direction, direction);
}

LinePoint LinearLossFunction::along(double step) {
  fresh_ = false;
  step_seen_ = step;
  products_seen_ = products_;
  add(step, along_, products_seen_);
  gradients_seen_.assign(products_.size(), 0.0);
  loss_seen_ = parts_.loss(products_seen_, gradients_seen_);
  const double shift = square_ + step * (2.0 * straight_ + step * curved_);
  return {step, loss_seen_ + 0.5 * parts_.penalty * shift,
          dot(gradients_seen_, along_) + parts_.penalty * (straight_ + step * curved_)};
}

void LinearLossFunction::move(double step) {
  add(step, direction_, point_);
  if (step == step_seen_ && !fresh_ && products_seen_.size() == products_.size()) {
    std::swap(products_, products_seen_);
    fresh_ = true;
  } else {
    add(step, along_, products_);
    fresh_ = false;
  }
  products_seen_.clear();
}

Vector LinearLossFunction::hessian_times(const Vector& v, const Operator& curve) const {
  Vector product = parts_.multiply_transposed(curve(parts_.multiply(v)));
  add(parts_.penalty, v, product);
  return product;
}

}  // namespace rankmix::optimize
