// Eight documents side by side, one number of each: what the loops of a network work on.
//
// A tile is the documents of eight neighbouring positions. Numbers about a tile lie with
// the eight of a feature, or of a unit, together: feature after feature, tile after tile.
// Operations are those of each document alone, in one order, so that they give the same
// bits with wide registers and without, at any position in a tile.
#pragma once
#include <cstddef>
#include <cstring>

#include "core/base/simd.h"

namespace rankmix::network {

constexpr std::size_t kLanes = 8;
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));

// By reference: wide registers are not passed by value without AVX.
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
