// exp(x) for x <= 0, written so that compilers vectorise the loops. The bits of the
// result are the same on every processor.
//
// Error: below 2 units in the last place.
#pragma once
#include <cstdint>
#include <cstring>

#include "core/base/simd.h"
#include "core/base/views.h"

namespace rankmix {

// The smallest exponent: exp(-708) is about 1e-308. Below it, the exponent bits would
// underflow.
constexpr double kMinExponent = -708.0;

// exp(x) for kMinExponent <= x <= 0. With x = n log 2 + r and |r| <= log(2) / 2, exp(r)
// is a Taylor polynomial of degree 12. Callers raise smaller x to kMinExponent in a
// separate loop, because a branch here would prevent vectorisation.
RANKMIX_INLINE double exp_not_positive(double x) {
  constexpr double log2e = 1.4426950408889634074;
  // log 2 as the sum of two doubles. The first ends in zero bits, so that n * log2_high
  // is exact.
  constexpr double log2_high = 6.93147180369123816490e-01;
  constexpr double log2_low = 1.90821492927058770002e-10;
  // Adding `shift` to a number rounds it to an integer, which is then in the lowest bits.
  constexpr double shift = 6755399441055744.0;  // 1.5 * 2^52
  const double shifted = x * log2e + shift;
  const double n = shifted - shift;
  const double r = (x - n * log2_high) - n * log2_low;
  double p = 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  // Multiplies by 2^n. The lowest bits of `shifted` are n; they are added to the exponent
  // bits.
  std::uint64_t bits;
  std::memcpy(&bits, &shifted, sizeof(bits));
  std::uint64_t value;
  std::memcpy(&value, &p, sizeof(value));
  value += bits << 52;
  double result;
  std::memcpy(&result, &value, sizeof(result));
  return result;
}

// Replaces `Count` numbers by their exponentials. Numbers below kMinExponent count as
// kMinExponent.
template <int Count>
RANKMIX_INLINE void exp_in_place(double* x) {
  for (int k = 0; k < Count; ++k) {
    x[k] = x[k] > kMinExponent ? x[k] : kMinExponent;
  }
  for (int k = 0; k < Count; ++k) {
    x[k] = exp_not_positive(x[k]);
  }
}

// Replaces all numbers by their exponentials, with AVX2 if the processor has it.
void exp_of_all(View<double> exponents);

}  // namespace rankmix
