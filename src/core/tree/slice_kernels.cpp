#include "core/tree/slice_kernels.h"

#if RANKMIX_HAS_AVX2
#include <immintrin.h>

#include "core/tree/byte_columns.h"

namespace rankmix::tree {
namespace {

// A node whose bytes are repeated in all 32 positions of a register.
struct WideNode {
  __m256i limit;
  __m256i path;
  __m256i change;
};

// The paths of 32 rows after the test of a node.
RANKMIX_AVX2 RANKMIX_INLINE __m256i ask(const WideNode& node, const std::int8_t* bytes,
                                        __m256i paths) {
  const __m256i x = _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes));
  const __m256i left = _mm256_cmpgt_epi8(node.limit, x);
  const __m256i here = _mm256_cmpeq_epi8(paths, node.path);
  const __m256i moves = _mm256_andnot_si256(left, here);
  return _mm256_xor_si256(paths, _mm256_and_si256(moves, node.change));
}

// Converts 32 bytes to 32-bit integers.
RANKMIX_AVX2 RANKMIX_INLINE void widen(__m256i bytes, std::uint32_t* to) {
  const __m128i low = _mm256_castsi256_si128(bytes);
  const __m128i high = _mm256_extracti128_si256(bytes, 1);
  auto* out = reinterpret_cast<__m256i*>(to);
  _mm256_store_si256(out, _mm256_cvtepu8_epi32(low));
  _mm256_store_si256(out + 1, _mm256_cvtepu8_epi32(_mm_srli_si128(low, 8)));
  _mm256_store_si256(out + 2, _mm256_cvtepu8_epi32(high));
  _mm256_store_si256(out + 3, _mm256_cvtepu8_epi32(_mm_srli_si128(high, 8)));
}

struct Add {
  RANKMIX_AVX2 RANKMIX_INLINE static __m256d of(__m256d a, __m256d b) {
    return _mm256_add_pd(a, b);
  }
};
struct Multiply {
  RANKMIX_AVX2 RANKMIX_INLINE static __m256d of(__m256d a, __m256d b) {
    return _mm256_mul_pd(a, b);
  }
};
struct Replace {
  RANKMIX_AVX2 RANKMIX_INLINE static __m256d of(__m256d, __m256d b) { return b; }
};

// The values of rows i .. i + 3 in a tree with one value per leaf.
RANKMIX_AVX2 RANKMIX_INLINE __m256d four_rows(const LeafValues& tree, std::size_t i) {
  const double* values = tree.values;
  const std::uint32_t* leaf = tree.leaves + i;
  const __m128d low = _mm_loadh_pd(_mm_load_sd(values + leaf[0]), values + leaf[1]);
  const __m128d high = _mm_loadh_pd(_mm_load_sd(values + leaf[2]), values + leaf[3]);
  return _mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1);
}

template <class Combine>
RANKMIX_AVX2 void combine_single(const LeafValues& tree, double* to) {
  for (std::size_t i = 0; i < kSliceRows; i += 4) {
    _mm256_store_pd(to + i, Combine::of(_mm256_load_pd(to + i), four_rows(tree, i)));
  }
}

RANKMIX_AVX2 void add_single(const std::array<LeafValues, kTogether>& trees,
                             double* sums) {
  const LeafValues tree0 = trees[0];
  const LeafValues tree1 = trees[1];
  const LeafValues tree2 = trees[2];
  const LeafValues tree3 = trees[3];
  for (std::size_t i = 0; i < kSliceRows; i += 4) {
    __m256d sum = _mm256_load_pd(sums + i);
    sum = _mm256_add_pd(sum, four_rows(tree0, i));
    sum = _mm256_add_pd(sum, four_rows(tree1, i));
    sum = _mm256_add_pd(sum, four_rows(tree2, i));
    sum = _mm256_add_pd(sum, four_rows(tree3, i));
    _mm256_store_pd(sums + i, sum);
  }
}

// The values of a row fill whole registers. Stride 0 means the stride of the tree, which
// is then not a compile-time constant.
template <class Combine, std::size_t Stride>
RANKMIX_AVX2 void combine_rows(const LeafValues& tree, double* to) {
  const std::size_t stride = Stride > 0 ? Stride : tree.stride;
  for (std::size_t i = 0; i < kSliceRows; ++i) {
    const double* values = tree.values + tree.leaves[i] * stride;
    double* row = to + i * stride;
    for (std::size_t l = 0; l < stride; l += 4) {
      _mm256_store_pd(row + l,
                      Combine::of(_mm256_load_pd(row + l), _mm256_load_pd(values + l)));
    }
  }
}

template <std::size_t Stride>
RANKMIX_AVX2 void add_rows(const std::array<LeafValues, kTogether>& trees, double* sums) {
  const LeafValues tree0 = trees[0];
  const LeafValues tree1 = trees[1];
  const LeafValues tree2 = trees[2];
  const LeafValues tree3 = trees[3];
  const std::size_t stride = Stride > 0 ? Stride : tree0.stride;
  for (std::size_t i = 0; i < kSliceRows; ++i) {
    const double* values0 = tree0.values + tree0.leaves[i] * stride;
    const double* values1 = tree1.values + tree1.leaves[i] * stride;
    const double* values2 = tree2.values + tree2.leaves[i] * stride;
    const double* values3 = tree3.values + tree3.leaves[i] * stride;
    double* row = sums + i * stride;
    for (std::size_t l = 0; l < stride; l += 4) {
      __m256d sum = _mm256_load_pd(row + l);
      sum = _mm256_add_pd(sum, _mm256_load_pd(values0 + l));
      sum = _mm256_add_pd(sum, _mm256_load_pd(values1 + l));
      sum = _mm256_add_pd(sum, _mm256_load_pd(values2 + l));
      sum = _mm256_add_pd(sum, _mm256_load_pd(values3 + l));
      _mm256_store_pd(row + l, sum);
    }
  }
}

template <class Combine>
void combine(const LeafValues& tree, double* to) {
  if (tree.stride == 1) {
    combine_single<Combine>(tree, to);
  } else if (tree.stride == 4) {
    combine_rows<Combine, 4>(tree, to);
  } else if (tree.stride == 8) {
    combine_rows<Combine, 8>(tree, to);
  } else {
    combine_rows<Combine, 0>(tree, to);
  }
}

}  // namespace

// Four registers of rows share the loads of a node and do not depend on each other. They
// are separate variables, because compilers would keep an array in memory.
RANKMIX_AVX2 void find_paths(View<const SlicedNode> nodes,
                             const std::int8_t* const* slots, std::uint32_t* paths) {
  static_assert(kSliceRows == 128, "four registers of bytes");
  __m256i paths0 = _mm256_setzero_si256();
  __m256i paths1 = paths0;
  __m256i paths2 = paths0;
  __m256i paths3 = paths0;
  for (const SlicedNode& node : nodes) {
    const std::int8_t* bytes = slots[node.slot];
    const WideNode wide{_mm256_set1_epi8(node.limit),
                        _mm256_set1_epi8(static_cast<char>(node.path)),
                        _mm256_set1_epi8(static_cast<char>(node.change))};
    paths0 = ask(wide, bytes, paths0);
    paths1 = ask(wide, bytes + 32, paths1);
    paths2 = ask(wide, bytes + 64, paths2);
    paths3 = ask(wide, bytes + 96, paths3);
  }
  widen(paths0, paths);
  widen(paths1, paths + 32);
  widen(paths2, paths + 64);
  widen(paths3, paths + 96);
}

RANKMIX_AVX2 void find_answers(View<const SlicedNode> tests,
                               const std::int8_t* const* slots, std::uint32_t* answers) {
  for (std::size_t i = 0; i < kSliceRows; i += 32) {
    __m256i found = _mm256_setzero_si256();
    for (const SlicedNode& test : tests) {
      const __m256i x =
          _mm256_load_si256(reinterpret_cast<const __m256i*>(slots[test.slot] + i));
      const __m256i left = _mm256_cmpgt_epi8(_mm256_set1_epi8(test.limit), x);
      const __m256i bit = _mm256_set1_epi8(static_cast<char>(test.change));
      found = _mm256_or_si256(found, _mm256_andnot_si256(left, bit));
    }
    widen(found, answers + i);
  }
}

void add_values(const std::array<LeafValues, kTogether>& trees, double* sums) {
  const std::size_t stride = trees[0].stride;
  if (stride == 1) {
    add_single(trees, sums);
  } else if (stride == 4) {
    add_rows<4>(trees, sums);
  } else if (stride == 8) {
    add_rows<8>(trees, sums);
  } else {
    add_rows<0>(trees, sums);
  }
}

void add_values(const LeafValues& tree, double* sums) { combine<Add>(tree, sums); }

void copy_values(const LeafValues& tree, double* products) {
  combine<Replace>(tree, products);
}

void multiply_by_values(const LeafValues& tree, double* products) {
  combine<Multiply>(tree, products);
}

RANKMIX_AVX2 void add_weighted(double weight, const double* products, std::size_t stride,
                               double* sums) {
  const __m256d wide = _mm256_set1_pd(weight);
  for (std::size_t i = 0; i < kSliceRows * stride; i += 4) {
    const __m256d weighted = _mm256_mul_pd(wide, _mm256_load_pd(products + i));
    _mm256_store_pd(sums + i, _mm256_add_pd(_mm256_load_pd(sums + i), weighted));
  }
}

}  // namespace rankmix::tree
#endif
