// Problem:   solve (A + shift) x = right for several shifts, for a symmetric positive
//            semidefinite A that is given by its products.
// Result:    x with |right - (A + shift) x| <= tolerance * |right| for each shift. With
//            shift 0 and a singular A, `right` must be a product with A. Then x has the
//            smallest norm of all solutions.
// Algorithm: conjugate gradients. The residuals of all shifts are multiples of the
//            residual of the smallest shift. So one product with A serves all shifts.
// Cost:      a product for each step, and a few vectors for each shift.
// Reference: Jegerlehner 1996, arXiv:hep-lat/9612014; Frommer & Maass 1999,
//            doi:10.1137/S1064827596313310.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/optimize/conjugate_gradients.h"
#include "core/optimize/status.h"
#include "core/optimize/vectors.h"

namespace rankmix::optimize {

struct ShiftedSolutions {
  std::vector<Vector> x;         // one for each shift
  std::vector<Status> statuses;  // one for each shift
  std::size_t steps = 0;         // number of products with A
};

// Shifts are 0 or above, in any order.
ShiftedSolutions solve_shifted(const Operator& multiply, const Vector& right,
                               const std::vector<double>& shifts,
                               const ConjugateGradientsOptions& options, Host& host);

}  // namespace rankmix::optimize
