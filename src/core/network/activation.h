// What a unit makes of its sum, and how steep it is there.
#pragma once
#include <cstddef>

#include "core/network/shape.h"

namespace rankmix::network {

// Of `count` numbers, which are whole tiles. `derivative` may be null; `y` may be `z`.
void activate(Activation activation, const float* z, std::size_t count, float* y,
              float* derivative);

}  // namespace rankmix::network
