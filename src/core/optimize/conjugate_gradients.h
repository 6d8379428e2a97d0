// Problem:   A x = right, A symmetric and positive definite, known by its products.
// Result:    x with |right - A x| <= tolerance * |right|. Where the matrix turns out not
// to
//            be positive definite it ends, stalled, with the x before, or where that is 0
//            with the right side: a direction in which 1/2 x'A x - right'x descends.
// Algorithm: conjugate gradients; `precondition`, if any, is about the product with the
//            inverse of A, and is symmetric and positive definite, too.
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
  std::size_t steps = 0;  // products with A
  double residual = 0.0;  // its norm
};

LinearSolution conjugate_gradients(const Operator& multiply, const Vector& right,
                                   const ConjugateGradientsOptions& options, Host& host,
                                   const Operator& precondition = {});

}  // namespace rankmix::optimize
