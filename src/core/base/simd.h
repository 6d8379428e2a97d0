// Macros for functions that are also compiled for AVX2.
//
// A hot loop is written once, as a RANKMIX_INLINE function. Two functions call it: a
// plain one, and one marked RANKMIX_AVX2, which the compiler translates for AVX2.
// has_avx2() selects one of them at run time. Both give the same bits: they use integers,
// or the same order of operations on doubles, and no operation is fused. Code that only
// filters candidates may differ between the two: all candidates that pass are then
// evaluated exactly. Compilers and processors without AVX2 use the plain function alone.
//
// A RANKMIX_AVX2 function must not end in a call of another function, not even of the
// standard library. GCC may then leave the wide registers in use, which slows down all
// other code of the process. tools/check_registers.R checks for such calls.
#pragma once

// GCC for Windows does not align the stack for wide registers, so AVX2 is not used there.
#if defined(__GNUC__) && defined(__x86_64__) && !defined(_WIN32)
#define RANKMIX_HAS_AVX2 1
#define RANKMIX_AVX2 __attribute__((target("avx2")))
#define RANKMIX_INLINE inline __attribute__((always_inline))
#define RANKMIX_INLINE_LAMBDA __attribute__((always_inline))
#else
#define RANKMIX_HAS_AVX2 0
#define RANKMIX_AVX2
#define RANKMIX_INLINE inline
#define RANKMIX_INLINE_LAMBDA
#endif

namespace rankmix {

// The sum of the `Count` lanes of an accumulator, in the order of the lanes.
template <int Count>
RANKMIX_INLINE double sum_lanes(const double* parts) {
  double sum = 0.0;
  for (int k = 0; k < Count; ++k) {
    sum += parts[k];
  }
  return sum;
}

// True if the processor has AVX2 and allow_avx2(false) was not called.
bool has_avx2();
// Enables or disables AVX2. Tests use it to compare both functions.
void allow_avx2(bool allowed);

}  // namespace rankmix
