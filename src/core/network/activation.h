// Activation functions of units and their derivatives.
#pragma once
#include <cstddef>

#include "core/network/shape.h"

namespace rankmix::network {

// Applies the activation to `count` numbers, a multiple of kLanes. `derivative` may be
// null. `y` may be the same array as `z`.
void activate(Activation activation, const float* z, std::size_t count, float* y,
              float* derivative);

}  // namespace rankmix::network
