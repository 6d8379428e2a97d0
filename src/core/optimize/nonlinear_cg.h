// Problem:   the minimum of a smooth function of many unknowns.
// Algorithm: conjugate gradients by the formula of Polak & Ribiere, with a factor of at
//            least 0. They restart along the gradient after every `restart_every` steps,
//            and if a direction does not descend.
// Reference: Polak & Ribiere 1969; Gilbert & Nocedal 1992, doi:10.1137/0802003; Nocedal &
//            Wright 2006, section 5.2.
#pragma once
#include <cstddef>

#include "core/optimize/descent.h"

namespace rankmix::optimize {

struct NonlinearCgOptions {
  NonlinearCgOptions() { descent.line.curvature = 0.1; }
  std::size_t restart_every = 0;  // steps; 0: the number of unknowns
  // First step along a gradient, as a fraction of the gradient; 0 for a step of length at
  // most 1.
  double first_step = 0.0;
  DescentOptions descent;
  void validate() const;
};

Descent minimise_nonlinear_cg(Function& function, const NonlinearCgOptions& options,
                              Host& host, const Stop& stop = {});

}  // namespace rankmix::optimize
