// A smooth function as minimisers see it. It has a current point, returns its value and
// its gradient there, is evaluated along a line, and moves to a point of that line. Who
// evaluates along a line more cheaply than anew, by products that are kept, does so in
// along(); minimisers never ask for a point elsewhere.
#pragma once
#include <functional>

#include "core/optimize/line_search.h"
#include "core/optimize/vectors.h"

namespace rankmix::optimize {

class Function {
 public:
  virtual ~Function() = default;

  virtual const Vector& point() const = 0;
  // The value at the point; writes the gradient there.
  virtual double evaluate(Vector& gradient) = 0;
  // The line through the point that along() and move() are about.
  virtual void set_direction(const Vector& direction) = 0;
  // At point + step * direction.
  virtual LinePoint along(double step) = 0;
  // Goes there. What along() was asked last is the cheapest.
  virtual void move(double step) = 0;
};

// Known by its value and gradient alone.
class PlainFunction : public Function {
 public:
  using Evaluate = std::function<double(const Vector& point, Vector& gradient)>;
  PlainFunction(Vector start, Evaluate evaluate);

  const Vector& point() const override { return point_; }
  double evaluate(Vector& gradient) override;
  void set_direction(const Vector& direction) override;
  LinePoint along(double step) override;
  void move(double step) override;

 private:
  Evaluate evaluate_;
  Vector point_;
  Vector direction_;
  // Where along() was last, and what it found.
  Vector seen_;
  Vector gradient_seen_;
  double value_seen_ = 0.0;
  bool fresh_ = false;  // the point is the one seen
};

}  // namespace rankmix::optimize
