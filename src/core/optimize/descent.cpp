#include "core/optimize/descent.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/errors.h"
#include "core/base/rounding.h"

namespace rankmix::optimize {
namespace {

// Detects that a minimiser stalls: its steps change value and gradient by rounding errors
// only.
class Standstill {
 public:
  // `rounding`: the error of values, if it is above the error of a plain sum.
  explicit Standstill(double rounding) : rounding_(rounding) {}

  // True after 10 steps in a row that lowered neither the value beyond rounding errors
  // nor the gradient norm by a tenth.
  bool after(double value, double gradient_norm) {
    constexpr std::size_t most = 10;
    constexpr double smaller = 0.9;
    const bool gains = value < value_ - std::max(rounding_, rounding_of(value_)) ||
                       gradient_norm < smaller * norm_ || !std::isfinite(value_);
    idle_ = gains ? 0 : idle_ + 1;
    value_ = std::min(value, value_);
    norm_ = std::min(norm_, gradient_norm);
    return idle_ >= most;
  }

 private:
  double rounding_;
  double value_ = std::numeric_limits<double>::infinity();
  double norm_ = std::numeric_limits<double>::infinity();
  std::size_t idle_ = 0;
};

// Finds a direction and a step along it that lowers the function. Restarts the rule if a
// direction fails. Returns LineEnd::kNone if the rule has no other direction.
LineStep find_step(Function& function, DirectionRule& rule, const Descent& at,
                   const Vector& gradient, const DescentOptions& options,
                   Vector& direction) {
  const Line line = [&](double step) { return function.along(step); };
  std::size_t evaluations = 0;
  for (;;) {
    direction = rule.direction(gradient);
    const LinePoint start{0.0, at.value, dot(gradient, direction)};
    const double trial = rule.trial_step(gradient, start.derivative);
    function.set_direction(direction);
    LineStep found = options.search == Search::kBacktrack
                         ? backtrack(line, start, trial, options.line)
                         : strong_wolfe(line, start, trial, options.line);
    evaluations += found.evaluations;
    if (found.end != LineEnd::kNone || !rule.restart()) {
      found.evaluations = evaluations;
      return found;
    }
  }
}

}  // namespace

void DescentOptions::validate() const {
  line.validate();
  if (!(tolerance >= 0.0 && tolerance < 1.0) || !(scale >= 0.0)) {
    throw InvalidArgument("impossible options of a minimiser");
  }
}

Descent descend(Function& function, DirectionRule& rule, const DescentOptions& options,
                Host& host, const Stop& stop) {
  options.validate();
  Descent result;
  Vector gradient;
  Vector next;
  Vector direction;
  Standstill standstill(options.line.rounding);
  result.value = function.evaluate(gradient);
  ++result.evaluations;
  double scale = options.scale;
  for (;;) {
    host.checkpoint();
    result.gradient_norm = norm(gradient);
    scale = scale > 0.0 ? scale : result.gradient_norm;
    const bool finite =
        std::isfinite(result.value) && std::isfinite(result.gradient_norm);
    if (finite &&
        ((stop && stop(result)) || result.gradient_norm <= options.tolerance * scale)) {
      result.status = Status::kConverged;
      return result;
    }
    if (!finite || standstill.after(result.value, result.gradient_norm)) {
      result.status = Status::kStalled;
      return result;
    }
    if (result.steps == options.max_steps) {
      return result;
    }
    const LineStep found =
        find_step(function, rule, result, gradient, options, direction);
    result.evaluations += found.evaluations;
    if (found.end == LineEnd::kNone) {
      result.status = Status::kStalled;
      return result;
    }
    function.move(found.at.step);
    result.value = function.evaluate(next);
    rule.learn(found.at.step, direction, gradient, next);
    std::swap(gradient, next);
    ++result.steps;
  }
}

double first_step(const Vector& gradient) { return std::min(1.0, 1.0 / norm(gradient)); }

}  // namespace rankmix::optimize
