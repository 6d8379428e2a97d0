// Systems of equations with any invertible matrix.
#pragma once
#include <vector>

#include "core/base/host.h"

namespace rankmix::dense {

// Solves a system with a column-major matrix by LU factors with row swaps. The factors
// overwrite the matrix. The result has numbers that are not finite if the matrix is
// singular. A large system takes minutes, so interrupts are polled.
std::vector<double> solve_square(std::vector<double> matrix,
                                 const std::vector<double>& right, Host& host);

}  // namespace rankmix::dense
