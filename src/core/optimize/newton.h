// Problem:   the minimum of a function with two derivatives, by products of the second
// with
//            a vector.
// Algorithm: truncated Newton: conjugate gradients solve the system of each step as
// exactly
//            as the last one justified, and end where the function is not convex.
// Reference: Eisenstat & Walker 1996, doi:10.1137/0917003 (choice 2); Nocedal & Wright
//            2006, algorithm 7.1.
#pragma once
#include <cstddef>

#include "core/optimize/conjugate_gradients.h"
#include "core/optimize/descent.h"

namespace rankmix::optimize {

struct NewtonOptions {
  double loosest = 0.5;            // tolerance of a system, in (0, 1); the first one's
  std::size_t max_products = 250;  // with the Hessian, in a step
  DescentOptions descent;
  void validate() const;
};

// `hessian` is about the point where the function stands when it is called, as is
// `precondition`, which may be empty.
Descent minimise_newton(Function& function, const Operator& hessian,
                        const NewtonOptions& options, Host& host, const Stop& stop = {},
                        const Operator& precondition = {});

// The same where the caller solves the system: `solve` gives a direction for a gradient.
// There is no other one, where it does not descend.
Descent minimise_newton(Function& function, const Operator& solve,
                        const DescentOptions& options, Host& host, const Stop& stop = {});

}  // namespace rankmix::optimize
