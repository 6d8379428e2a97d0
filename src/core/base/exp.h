// exp of numbers that are not positive, in loops that compilers turn into wide
// operations, with the same bits on every processor.
//
// Error: below 2 units in the last place.
#pragma once
#include <cstdint>
#include <cstring>

#include "core/base/simd.h"
#include "core/base/views.h"

namespace rankmix {

// Where exp() is about 1e-308; it takes nothing lower.
constexpr double kMinExponent = -708.0;

// x = n log 2 + r with |r| <= log(2) / 2, exp(r) by Taylor's polynomial of degree 12.
// What is below kMinExponent must be raised to it first, in a loop of its own: here it
// would be a branch.
RANKMIX_INLINE double exp_not_positive(double x) {
  constexpr double log2e = 1.4426950408889634074;
  // log 2 in two parts, the first with 0s at its end, so that n times it is exact.
  constexpr double log2_high = 6.93147180369123816490e-01;
  constexpr double log2_low = 1.90821492927058770002e-10;
  // Added to a number it leaves the nearest whole one in the last bits.
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
  // Times 2^n: the last bits of `shifted` are n, and go to the exponent.
  std::uint64_t bits;
  std::memcpy(&bits, &shifted, sizeof(bits));
  std::uint64_t value;
  std::memcpy(&value, &p, sizeof(value));
  value += bits << 52;
  double result;
  std::memcpy(&result, &value, sizeof(result));
  return result;
}

// The same of `Count` numbers, in place.
template <int Count>
RANKMIX_INLINE void exp_in_place(double* x) {
  for (int k = 0; k < Count; ++k) {
    x[k] = x[k] > kMinExponent ? x[k] : kMinExponent;
  }
  for (int k = 0; k < Count; ++k) {
    x[k] = exp_not_positive(x[k]);
  }
}

// Of all, in wide registers where there are some.
void exp_of_all(View<double> exponents);

}  // namespace rankmix
