#include "core/objective/lambda_pairs.h"

#include <cmath>

#include "core/base/simd.h"
#if RANKMIX_HAS_AVX2
#include <immintrin.h>
#endif

namespace rankmix::objective {
namespace {

// What the wide one below does as well, operation by operation.
template <bool ByGap>
RANKMIX_PLAIN PairSums add_plain(const UpperDocument& own, const LowerDocuments& to) {
  double slope[kPairsWide] = {};
  double curvature[kPairsWide] = {};
  double pulls[kPairsWide] = {};
  for (std::size_t j = to.begin; j < to.end; j += kPairsWide) {
    for (std::size_t k = 0; k < kPairsWide; ++k) {
      const double power = to.power[j + k];
      double change =
          (own.worth - to.worth[j + k]) * (own.discount - own.share * to.discount[j + k]);
      if (ByGap) {
        change /= kLeastGap + (own.score - to.scores[j + k]);
      }
      const double times = 1.0 / (own.power + power);
      const double better = change > 0.0 ? own.power : power;
      const double worse = change > 0.0 ? power : own.power;
      // Of the upper one; less than 0 where it is the worse one.
      const double pull = change * worse * times;
      const double size = std::abs(pull);
      const double curve = size * better * times;
      slope[k] -= pull;
      curvature[k] += curve;
      pulls[k] += size;
      to.slope[j + k] += pull;
      to.curvature[j + k] += curve;
    }
  }
  return {sum_lanes<kPairsWide>(slope), sum_lanes<kPairsWide>(curvature),
          sum_lanes<kPairsWide>(pulls)};
}

#if RANKMIX_HAS_AVX2
// By hand, as compilers leave the sums in memory.
struct FourSums {
  __m256d slope;
  __m256d curvature;
  __m256d pull;
};

template <bool ByGap>
RANKMIX_AVX2 RANKMIX_INLINE void add_four(const UpperDocument& own,
                                          const LowerDocuments& to, std::size_t j,
                                          FourSums& sums) {
  const __m256d own_power = _mm256_set1_pd(own.power);
  const __m256d power = _mm256_loadu_pd(to.power + j);
  const __m256d worth =
      _mm256_sub_pd(_mm256_set1_pd(own.worth), _mm256_loadu_pd(to.worth + j));
  const __m256d places = _mm256_sub_pd(
      _mm256_set1_pd(own.discount),
      _mm256_mul_pd(_mm256_set1_pd(own.share), _mm256_loadu_pd(to.discount + j)));
  __m256d change = _mm256_mul_pd(worth, places);
  if (ByGap) {
    change = _mm256_div_pd(change,
                           _mm256_add_pd(_mm256_set1_pd(kLeastGap),
                                         _mm256_sub_pd(_mm256_set1_pd(own.score),
                                                       _mm256_loadu_pd(to.scores + j))));
  }
  const __m256d times =
      _mm256_div_pd(_mm256_set1_pd(1.0), _mm256_add_pd(own_power, power));
  const __m256d upper_better = _mm256_cmp_pd(change, _mm256_setzero_pd(), _CMP_GT_OQ);
  const __m256d better = _mm256_blendv_pd(power, own_power, upper_better);
  const __m256d worse = _mm256_blendv_pd(own_power, power, upper_better);
  const __m256d pull = _mm256_mul_pd(_mm256_mul_pd(change, worse), times);
  const __m256d size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), pull);
  const __m256d curve = _mm256_mul_pd(_mm256_mul_pd(size, better), times);
  sums.slope = _mm256_sub_pd(sums.slope, pull);
  sums.curvature = _mm256_add_pd(sums.curvature, curve);
  sums.pull = _mm256_add_pd(sums.pull, size);
  _mm256_storeu_pd(to.slope + j, _mm256_add_pd(_mm256_loadu_pd(to.slope + j), pull));
  _mm256_storeu_pd(to.curvature + j,
                   _mm256_add_pd(_mm256_loadu_pd(to.curvature + j), curve));
}

RANKMIX_AVX2 RANKMIX_INLINE double sum_eight(__m256d low, __m256d high) {
  double parts[kPairsWide];
  _mm256_storeu_pd(parts, low);
  _mm256_storeu_pd(parts + 4, high);
  return sum_lanes<kPairsWide>(parts);
}

template <bool ByGap>
RANKMIX_AVX2 PairSums add_avx2(const UpperDocument& own, const LowerDocuments& to) {
  const __m256d zero = _mm256_setzero_pd();
  FourSums low = {zero, zero, zero};
  FourSums high = low;
  for (std::size_t j = to.begin; j < to.end; j += kPairsWide) {
    add_four<ByGap>(own, to, j, low);
    add_four<ByGap>(own, to, j + 4, high);
  }
  return {sum_eight(low.slope, high.slope), sum_eight(low.curvature, high.curvature),
          sum_eight(low.pull, high.pull)};
}
#endif

}  // namespace

PairSums add_pairs(const UpperDocument& own, const LowerDocuments& to, bool by_gap) {
#if RANKMIX_HAS_AVX2
  if (has_avx2()) {
    return by_gap ? add_avx2<true>(own, to) : add_avx2<false>(own, to);
  }
#endif
  return by_gap ? add_plain<true>(own, to) : add_plain<false>(own, to);
}

}  // namespace rankmix::objective
