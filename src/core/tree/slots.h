// Slots: the sums of K channels over some rows, side by side in memory.
//
// A slot has `lanes` numbers, K rounded up so that a slot fills vector registers, or one
// wide number of 64 bits. Lanes beyond K contain the numbers that follow the row's
// channels in memory, and must not be used.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "core/base/errors.h"
#include "core/base/simd.h"

namespace rankmix::tree {

constexpr std::size_t kMaxLanes = 32;

// Number of lanes of a slot for K channels. 12 lanes would take a quarter less memory
// than 16, but more time, because 12 numbers fill one and a half registers.
inline std::size_t lanes_for(std::size_t channels) {
  constexpr std::size_t kLanes[] = {2, 4, 8, 16, 24, kMaxLanes};
  for (std::size_t lanes : kLanes) {
    if (lanes >= channels) {
      return lanes;
    }
  }
  throw InvalidArgument("at most 32 channels");
}

// A wide slot, one 64-bit number, is denoted by a single lane. A wide slot takes the
// memory of two 32-bit numbers.
template <int Lanes>
constexpr int kNumbers = Lanes == 1 ? 2 : Lanes;

inline std::uint64_t read_wide(const std::uint32_t* slot) {
  std::uint64_t wide;
  std::memcpy(&wide, slot, sizeof(wide));
  return wide;
}
inline void write_wide(std::uint64_t wide, std::uint32_t* slot) {
  std::memcpy(slot, &wide, sizeof(wide));
}

template <int Lanes>
RANKMIX_INLINE void add_slot(const std::uint32_t* from, std::uint32_t* to) {
  if constexpr (Lanes == 1) {
    write_wide(read_wide(to) + read_wide(from), to);
  } else {
    for (int l = 0; l < Lanes; ++l) {
      to[l] += from[l];
    }
  }
}
template <int Lanes>
RANKMIX_INLINE void subtract_slot(const std::uint32_t* from, std::uint32_t* to) {
  if constexpr (Lanes == 1) {
    write_wide(read_wide(to) - read_wide(from), to);
  } else {
    for (int l = 0; l < Lanes; ++l) {
      to[l] -= from[l];
    }
  }
}

// The sums over a node, in the form of a slot.
using Totals = std::vector<std::uint32_t>;

// A list of numbers of lanes, as a type.
template <int... Lanes>
struct LaneList {};
using AnyLanes = LaneList<1, 2, 4, 8, 16, 24, 32>;

// Calls use(n), where decltype(n)::value is `lanes`, one of the listed numbers. Other
// numbers are an error, and no code is compiled for them.
template <class Use, int First, int... Others>
auto with_lanes(LaneList<First, Others...>, std::size_t lanes, const Use& use) {
  if constexpr (sizeof...(Others) > 0) {
    if (lanes != static_cast<std::size_t>(First)) {
      return with_lanes(LaneList<Others...>(), lanes, use);
    }
  } else if (lanes != static_cast<std::size_t>(First)) {
    throw InvalidArgument("such channels have no slots of so many lanes");
  }
  return use(std::integral_constant<int, First>());
}
template <class Use>
auto with_lanes(std::size_t lanes, const Use& use) {
  return with_lanes(AnyLanes(), lanes, use);
}

}  // namespace rankmix::tree
