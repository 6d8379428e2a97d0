// Problem:   how far to go along a line on which a function descends.
// Given:     a function of the step that returns value and derivative, its result at 0,
//            and a first step to try. Values that are not finite mark steps that are too
//            long.
// Result:    a step, or none.
// Algorithm: strong_wolfe() finds a step whose value is below value(0) + decrease * step
// *
//            derivative(0), but for rounding, and whose derivative is at most curvature *
//            |derivative(0)| in magnitude: steps grow until such steps are bracketed, and
//            the bracket is narrowed by cubic interpolation. backtrack() shortens the
//            step until the value is low enough, to the minimum of a parabola through the
//            derivatives: for Newton's directions, whose first step is nearly always
//            taken.
// Reference: Nocedal & Wright 2006, Numerical Optimization, algorithms 3.5 and 3.6; More
// &
//            Thuente 1994, doi:10.1145/192115.192132, for the safeguards.
#pragma once
#include <cstddef>
#include <functional>

namespace rankmix::optimize {

struct LinePoint {
  double step = 0.0;
  double value = 0.0;
  double derivative = 0.0;
};
using Line = std::function<LinePoint(double step)>;

struct LineSearchOptions {
  double decrease = 1e-4;  // in (0, 1/2)
  double curvature = 0.9;  // in (decrease, 1); 0.1 for conjugate gradients
  std::size_t most = 40;   // evaluations
  double longest = 1e20;   // step
  void validate() const;
};

enum class LineEnd {
  kWolfe,     // all that was asked for
  kDecrease,  // the value is low enough, the derivative may still be too large
  kNone       // no step is low enough, or the line does not descend
};

struct LineStep {
  LinePoint at;
  LineEnd end = LineEnd::kNone;
  std::size_t evaluations = 0;
};

// What two values of about this size may differ by from rounding alone.
double rounding_of(double value);

LineStep strong_wolfe(const Line& line, const LinePoint& start, double trial,
                      const LineSearchOptions& options);
// Uses `decrease` and `most` only, and makes no allowance for rounding.
LineStep backtrack(const Line& line, const LinePoint& start, double trial,
                   const LineSearchOptions& options);

}  // namespace rankmix::optimize
