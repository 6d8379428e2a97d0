// What all minimisers have in common: a direction, a step along it, and when to end.
//
// Given:     a function that stands somewhere, and a rule for directions.
// Result:    the function stands where it is lowest as far as the minimiser has come; how
//            that ended. `converged` is a gradient below tolerance * scale, or that the
//            caller's own criterion said so. A function without a lower bound ends by the
//            limit, or stalls where its values overflow. Wherever it ends, the value is
//            never above that of the start but by rounding errors.
// Exceptions: the host's, of checkpoint(), once an iteration, and the function's. The
//            function is left at a point that it moved to before.
#pragma once
#include <cstddef>
#include <functional>

#include "core/base/host.h"
#include "core/optimize/function.h"
#include "core/optimize/status.h"

namespace rankmix::optimize {

enum class Search { kStrongWolfe, kBacktrack };

struct DescentOptions {
  double tolerance = 1e-6;
  // What the norm of the gradient is compared with; 0 for that at the start. Warm starts,
  // which begin near the minimum, should set the norm at a common point such as 0.
  double scale = 0.0;
  std::size_t max_steps = 1000;
  Search search = Search::kStrongWolfe;
  LineSearchOptions line;
  void validate() const;
};

struct Descent {
  Status status = Status::kLimit;
  std::size_t steps = 0;
  std::size_t evaluations = 0;  // of the function, by itself and along lines
  std::size_t products = 0;     // with the Hessian, where there is one
  double value = 0.0;
  double gradient_norm = 0.0;
};

// Asked before each step: whether to end.
using Stop = std::function<bool(const Descent& so_far)>;

class DirectionRule {
 public:
  virtual ~DirectionRule() = default;
  virtual Vector direction(const Vector& gradient) = 0;
  // The first step to try along a direction with this directional derivative.
  virtual double trial_step(const Vector& gradient, double derivative) = 0;
  // The step that was taken, from one gradient to the next.
  virtual void learn(double step, const Vector& direction, const Vector& before,
                     const Vector& after) = 0;
  // A direction was of no use. Forgets what made it; false if there is no other one.
  virtual bool restart() = 0;
};

Descent descend(Function& function, DirectionRule& rule, const DescentOptions& options,
                Host& host, const Stop& stop = {});

// The first step along the gradient: of length 1 at most, in the unknowns as they are.
double first_step(const Vector& gradient);

}  // namespace rankmix::optimize
