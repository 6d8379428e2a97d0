// Included before every file of the package (src/Makevars). It forbids compilers to fuse
// a product and a sum into one operation, which rounds only once. Compilers for ARM fuse
// by default, and compilers for x86-64 fuse with -march=native. Results would then differ
// in the last bits between processors, and between code with and without wide registers.
// x86-64 without FMA has no fused operation, and GCC's pragma would slow down
// compilation.
#pragma once

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__) && (!defined(__x86_64__) || defined(__FMA__) || \
                            defined(__FMA4__) || defined(__AVX512F__))
#pragma GCC optimize("fp-contract=off")
// Without this option, GCC 12 still fuses products and sums of two adjacent numbers.
#pragma GCC optimize("no-tree-slp-vectorize")
#endif
