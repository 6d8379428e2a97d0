// Problem:   a local minimum of a function with few unknowns, such as a sum of squares.
// Input:     value, half the gradient and half the Hessian at any point. The Hessian may
//            be an approximation (Gauss-Newton), and need not be positive definite.
// Algorithm: Levenberg-Marquardt. The damping times a scale is added to the diagonal of
//            the Hessian. The damping depends on how well the last step was predicted. A
//            step is kept only if it lowers the function.
// Reference: Nocedal & Wright 2006, section 10.3; Nielsen 1999 for the damping.
// Cost:      one factorisation, O(n^3) for n unknowns, and one value for each step. Each
//            kept step also needs a new gradient and Hessian.
#pragma once
#include <cstddef>

#include "core/optimize/vectors.h"

namespace rankmix::optimize {

struct DampedSystem {
  Vector half_hessian;  // n x n; only the lower triangle is used
  Vector downhill;      // minus half the gradient
  // The damping of each unknown is relative to this positive number: the diagonal of the
  // Hessian, or one number for all (Levenberg's choice).
  Vector scale;
};

class DampedFunction {
 public:
  virtual ~DampedFunction() = default;
  virtual double value(const Vector& point) = 0;
  virtual void find_system(const Vector& point, DampedSystem& out) = 0;
};

struct LevenbergOptions {
  double enough = 1e-5;  // smallest decrease of a step, as a fraction of the value
  std::size_t max_steps = 50;
};

struct LevenbergEnd {
  double value = 0.0;
  std::size_t steps = 0;  // steps that were tried
  bool converged = false;
};

// `point` has the start, and then the minimum.
LevenbergEnd minimise_damped(DampedFunction& function, const LevenbergOptions& options,
                             Vector& point);

}  // namespace rankmix::optimize
