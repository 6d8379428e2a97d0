// Numbers of eight documents side by side, on which the loops of a network operate.
//
// A tile has the documents of eight consecutive positions. For each feature or unit, the
// numbers of these eight documents are contiguous; features follow each other within a
// tile, and tiles follow each other. Each operation treats each document separately, in a
// fixed order. So the result has the same bits with or without wide registers, at any
// position in a tile.
#pragma once
#include <cstddef>
#include <cstring>

#include "core/base/simd.h"

namespace rankmix::network {

constexpr std::size_t kLanes = 8;
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));

// Passed by reference, since wide registers cannot be passed by value without AVX.
RANKMIX_INLINE void load(const float* from, Lanes& to) {
  std::memcpy(&to, from, sizeof(Lanes));
}
RANKMIX_INLINE void store(const Lanes& from, float* to) {
  std::memcpy(to, &from, sizeof(Lanes));
}

inline std::size_t tiles_of(std::size_t documents) {
  return (documents + kLanes - 1) / kLanes;
}

}  // namespace rankmix::network
