// Exact conversion of the parts of wide numbers to doubles, with instructions that AVX2
// has for four numbers at a time. AVX2 has no conversion of 64-bit integers to doubles
// and no arithmetic shift of 64-bit integers.
#pragma once
#include <cstdint>
#include <cstring>

#include "core/base/simd.h"

namespace rankmix::boost {

// The number 2^52 + whole, for whole below 2^52: the bits of `whole` are the mantissa.
RANKMIX_INLINE double above_2_52(std::uint64_t whole) {
  const std::uint64_t bits = whole | 0x4330000000000000U;
  double number;
  std::memcpy(&number, &bits, sizeof(number));
  return number;
}
constexpr double k2To52 = 4503599627370496.0;

RANKMIX_INLINE double as_double(std::uint64_t whole) {
  return above_2_52(whole) - k2To52;
}
// The signed number above the lowest `below` bits; `below` is at least 12.
RANKMIX_INLINE double signed_double(std::uint64_t wide, int below) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const double least = as_double(sign >> below);
  return above_2_52((wide ^ sign) >> below) - (k2To52 + least);
}

}  // namespace rankmix::boost
