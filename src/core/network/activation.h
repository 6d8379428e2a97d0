// What a unit makes of its sum, and how steep it is there.
#pragma once
#include <cstddef>

#include "core/network/shape.h"

namespace rankmix::network {

// Of `count` numbers, which are whole tiles. `slope` may be null; `y` may be `z`.
void activate(Activation activation, const float* z, std::size_t count, float* y,
              float* slope);

}  // namespace rankmix::network
