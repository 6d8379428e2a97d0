// Real numbers in units of 2^-30, as integers. Sums of integers are exact and do not
// depend on the order of the rows. Histograms count their channels in these units.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/base/simd.h"

namespace rankmix {

constexpr double kUnits = 1 << 30;

// The nearest integer, as the bits of a signed number. Halves round away from 0. Odd
// floats from 2^23 to 2^24 become the next even number, because floats of that size have
// no halves.
template <class Real>
RANKMIX_INLINE std::uint32_t rounded(Real x) {
  return static_cast<std::uint32_t>(
      static_cast<std::int32_t>(x + std::copysign(static_cast<Real>(0.5), x)));
}

template <class Real>
RANKMIX_INLINE std::uint32_t to_units(Real x) {
  return rounded(x * static_cast<Real>(kUnits));
}
// For numbers that are already in units.
RANKMIX_INLINE std::uint32_t to_units(std::uint32_t units) { return units; }

// Negates the signed number with these bits if all bits of `turned` are set. `turned`
// must have all bits or no bit set.
RANKMIX_INLINE std::uint32_t turn(std::uint32_t bits, std::uint32_t turned) {
  return (bits ^ turned) - turned;
}

// |x| of a signed number, without a branch. The smallest integer is returned unchanged.
RANKMIX_INLINE std::uint32_t magnitude(std::uint32_t bits) {
  return turn(bits, static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31));
}

// Number of finer units in one unit, a power of 2. Rounding errors are counted in finer
// units. The finer unit is so large that the sum over `rows` rows has at most 32 bits.
inline double fine_units(std::size_t rows) {
  return std::exp2(30.0 - std::ceil(std::log2(static_cast<double>(rows))));
}

// A number in units, rounded, and the rounding error in finer units.
struct FineUnits {
  std::uint32_t whole;
  std::uint32_t rest;

  RANKMIX_INLINE FineUnits(double number, double finer)
      : whole(rounded(number)),
        rest(rounded((number - static_cast<std::int32_t>(whole)) * finer)) {}
};

// Copies the first `count` of `Lanes` lanes, where count >= Lanes / 2. Copying all lanes
// is faster if the target has space for them, because compilers call memcpy for the
// second loop.
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
