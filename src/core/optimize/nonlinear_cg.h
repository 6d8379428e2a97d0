// Problem:   the minimum of a smooth function of many unknowns.
// Algorithm: conjugate gradients by the formula of Polak & Ribiere, whose factor is not
//            allowed below 0; it starts again along the gradient every so many steps, and
//            where a direction does not descend.
// Reference: Polak & Ribiere 1969; Gilbert & Nocedal 1992, doi:10.1137/0802003; Nocedal &
//            Wright 2006, section 5.2.
#pragma once
#include <cstddef>

#include "core/optimize/descent.h"

namespace rankmix::optimize {

struct NonlinearCgOptions {
  NonlinearCgOptions() { descent.line.curvature = 0.1; }
  std::size_t restart_every = 0;  // steps; 0 for as many as there are unknowns
  // To try first along a gradient, as a fraction of it; 0 for one of length 1 at most.
  double first_step = 0.0;
  DescentOptions descent;
  void validate() const;
};

Descent minimise_nonlinear_cg(Function& function, const NonlinearCgOptions& options,
                              Host& host, const Stop& stop = {});

}  // namespace rankmix::optimize
