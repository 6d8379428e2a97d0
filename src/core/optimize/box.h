// Problem:   the minimum of a smooth function of a few unknowns, each within bounds.
// Algorithm: BFGS with the inverse of the Hessian as a matrix, of the unknowns that no
//            bound holds; steps are cut to the box, and shortened until the value falls
//            enough (Armijo).
// Reference: Nocedal & Wright 2006, sections 6.1 and 16.7.
#pragma once
#include <cstddef>
#include <functional>

#include "core/optimize/status.h"
#include "core/optimize/vectors.h"

namespace rankmix::optimize {

struct BoxOptions {
  std::size_t max_steps = 150;
  double tolerance = 1e-10;  // of what is still to be gained, relative to the value
  double first_step = 0.5;   // no unknown moves further in the first step
};

struct BoxMinimum {
  Vector point;
  double value = 0.0;
  Status status = Status::kLimit;
};

// The value at a point; writes the gradient there.
using Evaluate = std::function<double(const Vector& point, Vector& gradient)>;

BoxMinimum minimise_in_box(const Evaluate& evaluate, Vector start, const Vector& lower,
                           const Vector& upper, const BoxOptions& options = {});

}  // namespace rankmix::optimize
