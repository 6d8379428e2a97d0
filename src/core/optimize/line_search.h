// Problem:   find a step along a line on which a function descends.
// Given:     a function of the step that returns value and derivative, its result at 0,
//            and a first step to try. Steps with values that are not finite are too long.
// Result:    a step, or none.
// Algorithm: strong_wolfe() finds a step with a value below value(0) + decrease * step *
//            derivative(0), up to rounding, and |derivative| at most curvature *
//            |derivative(0)|. Steps grow until such steps are bracketed. The bracket is
//            narrowed by cubic interpolation. backtrack() shortens the step to the
//            minimum of a parabola through the derivatives until the value is low enough.
//            It is for Newton directions, whose first step is nearly always accepted.
// Reference: Nocedal & Wright 2006, Numerical Optimization, algorithms 3.5 and 3.6; More
//            & Thuente 1994, doi:10.1145/192115.192132, for the safeguards.
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
  std::size_t most = 40;   // maximum number of evaluations
  double longest = 1e20;   // largest step
  double rounding = 0.0;   // absolute error of values, if above the error of a plain sum
  void validate() const;
};

enum class LineEnd {
  kWolfe,     // both conditions hold
  kDecrease,  // only the condition on the value holds
  kNone       // no step is low enough, or the line does not descend
};

struct LineStep {
  LinePoint at;
  LineEnd end = LineEnd::kNone;
  std::size_t evaluations = 0;
};

LineStep strong_wolfe(const Line& line, const LinePoint& start, double trial,
                      const LineSearchOptions& options);
// Uses only `decrease` and `most`, and does not account for rounding errors.
LineStep backtrack(const Line& line, const LinePoint& start, double trial,
                   const LineSearchOptions& options);

}  // namespace rankmix::optimize
