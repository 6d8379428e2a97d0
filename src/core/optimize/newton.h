// Problem:   the minimum of a function with second derivatives, which are given as
//            products of the Hessian with a vector.
// Algorithm: truncated Newton. Conjugate gradients solve the system of each step, with a
//            precision that depends on the progress of the last step. They end early if
//            the function is not convex.
// Reference: Eisenstat & Walker 1996, doi:10.1137/0917003 (choice 2); Nocedal & Wright
//            2006, algorithm 7.1.
#pragma once
#include <cstddef>
#include <functional>

#include "core/optimize/conjugate_gradients.h"
#include "core/optimize/descent.h"

namespace rankmix::optimize {

struct NewtonOptions {
  double loosest = 0.5;            // first and largest tolerance of a system, in (0, 1)
  std::size_t max_products = 250;  // with the Hessian, for each step
  // Returns the gradient norm that is small enough. Systems are then solved with no more
  // precision than that norm needs.
  std::function<double()> enough;
  DescentOptions descent;
  void validate() const;
};

// `hessian` and `precondition` refer to the point of the function at the time of the
// call. `precondition` may be empty.
Descent minimise_newton(Function& function, const Operator& hessian,
                        const NewtonOptions& options, Host& host, const Stop& stop = {},
                        const Operator& precondition = {});

// Like the function above, with the caller's solver: `solve` returns the direction for a
// gradient. If that direction does not descend, the minimiser stalls.
Descent minimise_newton(Function& function, const Operator& solve,
                        const DescentOptions& options, Host& host, const Stop& stop = {});

}  // namespace rankmix::optimize
