// Included before every file of the package (src/Makevars): no compiler may fuse a product
// and a sum into one operation that rounds once. Compilers for ARM do so by
// default, and compilers for x86-64 do with -march=native. Results would then have other
// last bits on other processors, and with or without wide registers within one program.
// For x86-64 without FMA there is nothing to forbid, and GCC's pragma takes time.
#pragma once

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__) && (!defined(__x86_64__) || defined(__FMA__) || \
                            defined(__FMA4__) || defined(__AVX512F__))
#pragma GCC optimize("fp-contract=off")
// GCC 12 would fuse products and sums of two neighbours all the same.
#pragma GCC optimize("no-tree-slp-vectorize")
#endif
