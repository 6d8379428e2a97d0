// Real numbers as whole ones, so that sums of them are exact and do not depend on the
// order: channels of histograms are counted in units of 2^-30.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/base/simd.h"

namespace rankmix {

constexpr double kUnits = 1 << 30;

// The nearest whole number, halves away from 0, as the bits of a signed number. Where
// floats have no halves, of odd numbers from 2^23 to 2^24, it is the next even one.
template <class Real>
RANKMIX_INLINE std::uint32_t rounded(Real x) {
  return static_cast<std::uint32_t>(
      static_cast<std::int32_t>(x + std::copysign(static_cast<Real>(0.5), x)));
}

template <class Real>
RANKMIX_INLINE std::uint32_t to_units(Real x) {
  return rounded(x * static_cast<Real>(kUnits));
}
// What is in units already.
RANKMIX_INLINE std::uint32_t to_units(std::uint32_t units) { return units; }

// The bits of a signed number, or where all bits of `turned` are set, not none, those of
// its opposite.
RANKMIX_INLINE std::uint32_t turn(std::uint32_t bits, std::uint32_t turned) {
  return (bits ^ turned) - turned;
}

// |x| of the bits of a signed number, without a branch; that of the least one is itself.
RANKMIX_INLINE std::uint32_t magnitude(std::uint32_t bits) {
  return turn(bits, static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31));
}

// What rounding takes from each of so many rows is counted in units so much finer that
// sums of it stay within 32 bits.
inline double fine_units(std::size_t rows) {
  return std::exp2(30.0 - std::ceil(std::log2(static_cast<double>(rows))));
}

// A number of units, and what rounding took from it, in finer units.
struct FineUnits {
  std::uint32_t whole;
  std::uint32_t rest;

  RANKMIX_INLINE FineUnits(double number, double finer)
      : whole(rounded(number)),
        rest(rounded((number - static_cast<std::int32_t>(whole)) * finer)) {}
};

// Copies the first `count` of so many lanes, more than half of them. To copy all lanes,
// where that does no harm, is faster: here compilers call memcpy.
template <int Lanes, class T>
RANKMIX_INLINE void copy_lanes(const T* from, std::size_t count, T* to) {
  constexpr std::size_t half = Lanes / 2;
  for (std::size_t l = 0; l < half; ++l) {
    to[l] = from[l];
  }
  for (std::size_t l = half; l < count; ++l) {
    to[l] = from[l];
  }
}

}  // namespace rankmix
