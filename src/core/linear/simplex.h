// The point of the probability simplex that is nearest to a point.
#pragma once
#include <cstddef>

namespace rankmix::linear {

// a = argmin |a - u|^2 over a >= 0, sum a = 1, for u of `count` numbers, at most 32.
// Returns how many of a are positive. Reference: Held, Wolfe & Crowder 1974,
// doi:10.1007/BF01580223.
std::size_t project_to_simplex(const double* u, std::size_t count, double* a);

}  // namespace rankmix::linear
