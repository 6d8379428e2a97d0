#include "core/objective/yeti_pairs.h"

#include "core/base/simd.h"
#if RANKMIX_HAS_AVX2
#include <immintrin.h>
#endif

namespace rankmix::objective {
namespace {

// Portable version of the AVX2 code below. Both do the same operations in the same order.
template <bool Newton>
YetiSums add_plain(double power, const YetiRow& row) {
  double gradient[kYetiWide] = {};
  double hessian[kYetiWide] = {};
  for (std::size_t j = row.begin; j < row.end; j += kYetiWide) {
    for (std::size_t k = 0; k < kYetiWide; ++k) {
      const double seen = static_cast<double>(row.units[j + k - row.begin]) * row.unit;
      const double both = row.both[j + k] * seen;
      const double back = row.back[j + k] * seen;
      // The probability that the first document is below the second, 1 / (1 + exp(score
      // difference)).
      const double s = row.power[j + k] / (power + row.power[j + k]);
      const double push = both * s - back;
      const double curve = Newton ? both * (s * (1.0 - s)) : both + both;
      gradient[k] -= push;
      hessian[k] += curve;
      row.gradient[j + k] += push;
      row.hessian[j + k] += curve;
    }
  }
  return {sum_lanes<kYetiWide>(gradient), sum_lanes<kYetiWide>(hessian)};
}

#if RANKMIX_HAS_AVX2
// Rounds to the nearest doubles. The upper and lower 32 bits become the mantissas of two
// large numbers, which are then added without the large parts.
RANKMIX_AVX2 RANKMIX_INLINE __m256d to_doubles(__m256i whole) {
  const __m256d high = _mm256_castsi256_pd(_mm256_or_si256(
      _mm256_srli_epi64(whole, 32), _mm256_castpd_si256(_mm256_set1_pd(0x1p84))));
  const __m256d low = _mm256_castsi256_pd(
      _mm256_blend_epi32(whole, _mm256_castpd_si256(_mm256_set1_pd(0x1p52)), 0xAA));
  return _mm256_add_pd(_mm256_sub_pd(high, _mm256_set1_pd(0x1p84 + 0x1p52)), low);
}

struct WideSums {
  __m256d gradient;
  __m256d hessian;
};

// Written with intrinsics, because compilers keep the sums in memory.
template <bool Newton>
RANKMIX_AVX2 RANKMIX_INLINE void add_four(__m256d own_power, const YetiRow& row,
                                          std::size_t j, WideSums& sums) {
  const std::uint64_t* units = row.units + j - row.begin;
  const __m256d seen = _mm256_mul_pd(
      to_doubles(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(units))),
      _mm256_set1_pd(row.unit));
  const __m256d both = _mm256_mul_pd(_mm256_loadu_pd(row.both + j), seen);
  const __m256d back = _mm256_mul_pd(_mm256_loadu_pd(row.back + j), seen);
  const __m256d power = _mm256_loadu_pd(row.power + j);
  const __m256d s = _mm256_div_pd(power, _mm256_add_pd(own_power, power));
  const __m256d push = _mm256_sub_pd(_mm256_mul_pd(both, s), back);
  const __m256d curve =
      Newton
          ? _mm256_mul_pd(both, _mm256_mul_pd(s, _mm256_sub_pd(_mm256_set1_pd(1.0), s)))
          : _mm256_add_pd(both, both);
  sums.gradient = _mm256_sub_pd(sums.gradient, push);
  sums.hessian = _mm256_add_pd(sums.hessian, curve);
  _mm256_storeu_pd(row.gradient + j,
                   _mm256_add_pd(_mm256_loadu_pd(row.gradient + j), push));
  _mm256_storeu_pd(row.hessian + j,
                   _mm256_add_pd(_mm256_loadu_pd(row.hessian + j), curve));
}

template <bool Newton>
RANKMIX_AVX2 YetiSums add_avx2(double own, const YetiRow& row) {
  const __m256d own_power = _mm256_set1_pd(own);
  WideSums sums = {_mm256_setzero_pd(), _mm256_setzero_pd()};
  for (std::size_t j = row.begin; j < row.end; j += kYetiWide) {
    add_four<Newton>(own_power, row, j, sums);
  }
  double gradients[kYetiWide];
  double hessians[kYetiWide];
  _mm256_storeu_pd(gradients, sums.gradient);
  _mm256_storeu_pd(hessians, sums.hessian);
  return {sum_lanes<kYetiWide>(gradients), sum_lanes<kYetiWide>(hessians)};
}
#endif

template <bool Newton>
YetiSums add_pairs(double power, const YetiRow& row) {
#if RANKMIX_HAS_AVX2
  if (has_avx2()) {
    return add_avx2<Newton>(power, row);
  }
#endif
  return add_plain<Newton>(power, row);
}

}  // namespace

YetiSums add_yeti_pairs(double power, const YetiRow& row, bool newton) {
  return newton ? add_pairs<true>(power, row) : add_pairs<false>(power, row);
}

}  // namespace rankmix::objective
