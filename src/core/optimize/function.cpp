#include "core/optimize/function.h"

#include <utility>

namespace rankmix::optimize {

PlainFunction::PlainFunction(Vector start, Evaluate evaluate)
    : evaluate_(std::move(evaluate)), point_(std::move(start)) {}

double PlainFunction::evaluate(Vector& gradient) {
  gradient.assign(point_.size(), 0.0);
  if (fresh_) {
    gradient = gradient_seen_;
    return value_seen_;
  }
  return evaluate_(point_, gradient);
}

void PlainFunction::set_direction(const Vector& direction) {
  direction_ = direction;
  seen_.clear();
}

LinePoint PlainFunction::along(double step) {
  fresh_ = false;
  seen_ = point_;
  add(step, direction_, seen_);
  gradient_seen_.assign(point_.size(), 0.0);
  value_seen_ = evaluate_(seen_, gradient_seen_);
  return {step, value_seen_, dot(gradient_seen_, direction_)};
}

void PlainFunction::move(double step) {
  add(step, direction_, point_);
  fresh_ = point_ == seen_;
}

}  // namespace rankmix::optimize
