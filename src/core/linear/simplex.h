// Projection to the probability simplex.
#pragma once
#include <cstddef>

namespace rankmix::linear {

// a = argmin |a - u|^2 over a >= 0, sum a = 1. `count` is at most 32. Returns the number
// of positive elements of a. Reference: Held, Wolfe & Crowder 1974,
// doi:10.1007/BF01580223.
std::size_t project_to_simplex(const double* u, std::size_t count, double* a);

}  // namespace rankmix::linear
