// Problem:   solve A x = right for a symmetric positive definite A, given by its
//            products.
// Result:    x with |right - A x| <= tolerance * |right|. If the matrix turns out not to
//            be positive definite, the solver stalls. It returns the previous x, or
//            `right` if that is 0; both are descent directions of 1/2 x'A x - right'x.
// Algorithm: conjugate gradients. `precondition`, if any, approximates the product with
//            the inverse of A; it must be symmetric and positive definite too.
// Reference: Hestenes & Stiefel 1952, doi:10.6028/jres.049.044; Nocedal & Wright 2006,
//            Numerical Optimization, algorithms 5.3 and 7.1.
#pragma once
#include <cstddef>

#include "core/base/host.h"
#include "core/optimize/status.h"
#include "core/optimize/vectors.h"

namespace rankmix::optimize {

struct ConjugateGradientsOptions {
  double tolerance = 1e-2;
  std::size_t max_steps = 250;
  void validate() const;
};

struct LinearSolution {
  Vector x;
  Status status = Status::kLimit;
  std::size_t steps = 0;  // number of products with A
  double residual = 0.0;  // norm of right - A x
};

LinearSolution conjugate_gradients(const Operator& multiply, const Vector& right,
                                   const ConjugateGradientsOptions& options, Host& host,
                                   const Operator& precondition = {});

}  // namespace rankmix::optimize
