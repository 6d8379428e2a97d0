// Cholesky factors of symmetric positive definite matrices, and solutions of their systems,
// with the same bits on every processor (see products.h). A library would sum in an order
// that depends on the processor.
#pragma once
#include <cstddef>

namespace rankmix::dense {

// Overwrites `lower`, a symmetric matrix of which the lower half is read, by L with
// matrix = L L'. The upper half is not defined then. False if the matrix is not positive
// definite or has a missing number; `lower` is not defined then.
//
// Cost: size^3 / 3 operations, and a copy of the matrix.
bool factor_positive(double* lower, std::size_t size);

// x := L'^-1 L^-1 x.
void solve_by_factor(const double* lower, std::size_t size, double* x);

}  // namespace rankmix::dense
