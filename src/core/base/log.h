// log(x) for positive normal numbers, written so that compilers vectorise the loops. The
// bits of the result are the same on every processor.
//
// x = 2^n m with m between sqrt(1/2) and sqrt(2), so log x = n log 2 + log m. log m comes
// from the series of 2 artanh((m - 1) / (m + 1)). Error: below 3 units in the last place
// of max(1, |log x|).
#pragma once
#include <cstdint>
#include <cstring>

#include "core/base/simd.h"

namespace rankmix {

RANKMIX_INLINE double log_positive(double x) {
  constexpr double log2_high = 6.93147180369123816490e-01;
  constexpr double log2_low = 1.90821492927058770002e-10;
  constexpr std::uint64_t root_half = 0x3FE6A09E667F3BCDULL;  // sqrt(1/2)
  constexpr std::uint64_t exponent_bits = 0xFFF0000000000000ULL;
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof(bits));
  // The upper 12 bits of `power` are n, as a two's complement number.
  const std::uint64_t power = (bits - root_half) & exponent_bits;
  const std::uint64_t m_bits = bits - power;
  double m;
  std::memcpy(&m, &m_bits, sizeof(m));
  // Converts n to double: the bits of 2^52 + (n + 2048), minus 2^52 + 2048.
  const std::uint64_t n_bits =
      (((power ^ 0x8000000000000000ULL) >> 52) & 0xFFFULL) | 0x4330000000000000ULL;
  double n;
  std::memcpy(&n, &n_bits, sizeof(n));
  n -= 4503599627370496.0 + 2048.0;
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double p = 1.0 / 23.0;
  p = p * z + 1.0 / 21.0;
  p = p * z + 1.0 / 19.0;
  p = p * z + 1.0 / 17.0;
  p = p * z + 1.0 / 15.0;
  p = p * z + 1.0 / 13.0;
  p = p * z + 1.0 / 11.0;
  p = p * z + 1.0 / 9.0;
  p = p * z + 1.0 / 7.0;
  p = p * z + 1.0 / 5.0;
  p = p * z + 1.0 / 3.0;
  return n * log2_high + (2.0 * s + (2.0 * s * z * p + n * log2_low));
}

// Replaces `Count` numbers by their logarithms.
template <int Count>
RANKMIX_INLINE void log_in_place(double* x) {
  for (int k = 0; k < Count; ++k) {
    x[k] = log_positive(x[k]);
  }
}

}  // namespace rankmix
