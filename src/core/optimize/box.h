// Problem:   the minimum of a smooth function of a few unknowns with bounds.
// Algorithm: BFGS with an explicit inverse Hessian of the unknowns that are not at a
//            bound. Steps are clipped to the box and shortened until the decrease is
//            large enough (Armijo).
// Reference: Nocedal & Wright 2006, sections 6.1 and 16.7.
#pragma once
#include <cstddef>
#include <functional>

#include "core/optimize/status.h"
#include "core/optimize/vectors.h"

namespace rankmix::optimize {

struct BoxOptions {
  std::size_t max_steps = 150;
  double tolerance = 1e-10;  // of the predicted decrease, relative to the value
  double first_step = 0.5;   // largest change of an unknown in the first step
};

struct BoxMinimum {
  Vector point;
  double value = 0.0;
  Status status = Status::kLimit;
};

// Returns the value at a point and writes the gradient.
using Evaluate = std::function<double(const Vector& point, Vector& gradient)>;

BoxMinimum minimise_in_box(const Evaluate& evaluate, Vector start, const Vector& lower,
                           const Vector& upper, const BoxOptions& options = {});

}  // namespace rankmix::optimize
