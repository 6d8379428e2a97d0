// Gram matrices of features, summed over some of the rows.
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/views.h"
#include "core/linear/features.h"

namespace rankmix::linear {

// The sum over rows of times_i^2 x_i x_i': inputs x inputs, column-major. Only the lower
// triangle is filled; the rest is 0.
std::vector<double> gram_matrix(const Features& features, View<const std::uint32_t> rows,
                                View<const double> times);

}  // namespace rankmix::linear
