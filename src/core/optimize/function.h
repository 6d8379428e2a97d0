// The interface of minimisers to a smooth function. The function has a current point. It
// is evaluated there and along a line through that point, and it moves along that line.
// Functions that can evaluate a line cheaply, from stored products, do so in along().
// Minimisers never evaluate other points.
#pragma once
#include <functional>

#include "core/optimize/line_search.h"
#include "core/optimize/vectors.h"

namespace rankmix::optimize {

class Function {
 public:
  virtual ~Function() = default;

  virtual const Vector& point() const = 0;
  // Returns the value at the point and writes the gradient.
  virtual double evaluate(Vector& gradient) = 0;
  // Sets the line through the point for along() and move().
  virtual void set_direction(const Vector& direction) = 0;
  // Value and derivative at point + step * direction.
  virtual LinePoint along(double step) = 0;
  // Moves to point + step * direction. Cheapest for the step of the last call of along().
  virtual void move(double step) = 0;
};

// A function that is given by value and gradient only.
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
  // The last point of along(), and its value and gradient.
  Vector seen_;
  Vector gradient_seen_;
  double value_seen_ = 0.0;
  bool fresh_ = false;  // the current point is `seen_`
};

}  // namespace rankmix::optimize
