// The loop that all minimisers share: a direction, a step along it, and stopping rules.
//
// Given:     a function with a current point, and a rule for directions.
// Result:    the function is at the final point; the status says why the loop ended.
//            `kConverged` means that the gradient norm is at most tolerance * scale, or
//            that the caller's criterion is met. A function without a lower bound ends at
//            the step limit, or stalls when its values overflow. The final value exceeds
//            the initial one by rounding errors at most.
// Exceptions: from checkpoint(), which is called once an iteration, or from the function.
//            The function then stays at a point that it moved to before.
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
  // Reference for the norm of the gradient; 0 means the norm at the start. A warm start
  // is already near the minimum, so it should set the norm at a fixed point such as 0.
  double scale = 0.0;
  std::size_t max_steps = 1000;
  Search search = Search::kStrongWolfe;
  LineSearchOptions line;
  void validate() const;
};

struct Descent {
  Status status = Status::kLimit;
  std::size_t steps = 0;
  std::size_t evaluations = 0;  // including evaluations along lines
  std::size_t products = 0;     // products with the Hessian, if used
  double value = 0.0;
  double gradient_norm = 0.0;
};

// Called before each step; true ends the loop as converged.
using Stop = std::function<bool(const Descent& so_far)>;

class DirectionRule {
 public:
  virtual ~DirectionRule() = default;
  virtual Vector direction(const Vector& gradient) = 0;
  // The first step to try along a direction with this directional derivative.
  virtual double trial_step(const Vector& gradient, double derivative) = 0;
  // Receives the step that was taken, and the gradients before and after it.
  virtual void learn(double step, const Vector& direction, const Vector& before,
                     const Vector& after) = 0;
  // Called when a direction fails. Discards the information from which the direction was
  // computed. Returns false if there is no other direction.
  virtual bool restart() = 0;
};

Descent descend(Function& function, DirectionRule& rule, const DescentOptions& options,
                Host& host, const Stop& stop = {});

// The first step along the gradient: its length is at most 1.
double first_step(const Vector& gradient);

}  // namespace rankmix::optimize
