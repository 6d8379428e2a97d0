// Problem:   the minimum of a smooth function of many unknowns.
// Algorithm: L-BFGS: the inverse Hessian is estimated from the last steps and changes of
//            the gradient (two-loop recursion). The line search keeps the estimate
//            positive definite; pairs that do not are left out.
// Reference: Liu & Nocedal 1989, doi:10.1007/BF01589116; Nocedal & Wright 2006,
//            algorithms 7.4 and 7.5.
#pragma once
#include <cstddef>

#include "core/optimize/descent.h"

namespace rankmix::optimize {

struct LbfgsOptions {
  std::size_t memory = 10;
  DescentOptions descent;
  void validate() const;
};

Descent minimise_lbfgs(Function& function, const LbfgsOptions& options, Host& host,
                       const Stop& stop = {});

}  // namespace rankmix::optimize
