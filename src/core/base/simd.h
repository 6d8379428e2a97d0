// Code for processors with wider registers, beside the portable code.
//
// A hot loop is written once, as a RANKMIX_INLINE function, and called by a plain
// function and by one marked RANKMIX_AVX2, which the compiler translates for AVX2;
// has_avx2() says at run time which to call. Both give the same bits: integers, or
// operations on doubles in the same order, none of them fused. Where code only finds out
// what need not be looked at, the two may differ: what passes is looked at exactly, so
// that results do not. Compilers and processors without AVX2 have the plain function
// alone. Where there are both, the plain one is for processors of before 2013, and is
// compiled to be small (RANKMIX_PLAIN).
//
// A function marked RANKMIX_AVX2 calls no other one last, of the standard library
// neither: GCC may leave wide registers in use then, which makes all other code of the
// process slower. tools/check_registers.R reminds.
#pragma once

// GCC for Windows does not align the stack for wide registers.
#if defined(__GNUC__) && defined(__x86_64__) && !defined(_WIN32)
#define RANKMIX_HAS_AVX2 1
#define RANKMIX_AVX2 __attribute__((target("avx2")))
#define RANKMIX_PLAIN __attribute__((cold))
#define RANKMIX_INLINE inline __attribute__((always_inline))
#define RANKMIX_INLINE_LAMBDA __attribute__((always_inline))
#else
#define RANKMIX_HAS_AVX2 0
#define RANKMIX_AVX2
#define RANKMIX_PLAIN
#define RANKMIX_INLINE inline
#define RANKMIX_INLINE_LAMBDA
#endif

namespace rankmix {

// The sum of what the lanes of wide registers have come to, in their order.
template <int Count>
RANKMIX_INLINE double sum_lanes(const double* parts) {
  double sum = 0.0;
  for (int k = 0; k < Count; ++k) {
    sum += parts[k];
  }
  return sum;
}

// Whether the processor has AVX2 and it was not disabled.
bool has_avx2();
// For tests, which compare the two.
void allow_avx2(bool allowed);

}  // namespace rankmix
