#include "core/objective/lambda_pairs.h"

#include <cmath>

#include "core/base/simd.h"
#if RANKMIX_HAS_AVX2
#include <immintrin.h>
#endif

namespace rankmix::objective {
namespace {

// Portable version of the AVX2 code below. Both do the same operations in the same order.
template <bool ByGap>
PairSums add_plain(const UpperDocument& own, const LowerDocuments& to) {
  double gradient[kPairsWide] = {};
  double hessian[kPairsWide] = {};
  double lambdas[kPairsWide] = {};
  for (std::size_t j = to.begin; j < to.end; j += kPairsWide) {
    for (std::size_t k = 0; k < kPairsWide; ++k) {
      const double power = to.power[j + k];
      double change = (own.gain - to.gain[j + k]) *
                      (own.discount - own.fraction * to.discount[j + k]);
      if (ByGap) {
        change /= kMinGap + (own.score - to.scores[j + k]);
      }
      const double times = 1.0 / (own.power + power);
      const double better = change > 0.0 ? own.power : power;
      const double worse = change > 0.0 ? power : own.power;
      // Lambda of the upper document; negative if the lower document is the better one.
      const double lambda = change * worse * times;
      const double size = std::abs(lambda);
      const double curve = size * better * times;
      gradient[k] -= lambda;
      hessian[k] += curve;
      lambdas[k] += size;
      to.gradient[j + k] += lambda;
      to.hessian[j + k] += curve;
    }
  }
  return {sum_lanes<kPairsWide>(gradient), sum_lanes<kPairsWide>(hessian),
          sum_lanes<kPairsWide>(lambdas)};
}

#if RANKMIX_HAS_AVX2
// Written with intrinsics, because compilers keep the sums in memory.
struct FourSums {
  __m256d gradient;
  __m256d hessian;
  __m256d lambda;
};

template <bool ByGap>
RANKMIX_AVX2 RANKMIX_INLINE void add_four(const UpperDocument& own,
                                          const LowerDocuments& to, std::size_t j,
                                          FourSums& sums) {
  const __m256d own_power = _mm256_set1_pd(own.power);
  const __m256d power = _mm256_loadu_pd(to.power + j);
  const __m256d gain =
      _mm256_sub_pd(_mm256_set1_pd(own.gain), _mm256_loadu_pd(to.gain + j));
  const __m256d ranks = _mm256_sub_pd(
      _mm256_set1_pd(own.discount),
      _mm256_mul_pd(_mm256_set1_pd(own.fraction), _mm256_loadu_pd(to.discount + j)));
  __m256d change = _mm256_mul_pd(gain, ranks);
  if (ByGap) {
    change = _mm256_div_pd(change,
                           _mm256_add_pd(_mm256_set1_pd(kMinGap),
                                         _mm256_sub_pd(_mm256_set1_pd(own.score),
                                                       _mm256_loadu_pd(to.scores + j))));
  }
  const __m256d times =
      _mm256_div_pd(_mm256_set1_pd(1.0), _mm256_add_pd(own_power, power));
  const __m256d upper_better = _mm256_cmp_pd(change, _mm256_setzero_pd(), _CMP_GT_OQ);
  const __m256d better = _mm256_blendv_pd(power, own_power, upper_better);
  const __m256d worse = _mm256_blendv_pd(own_power, power, upper_better);
  const __m256d lambda = _mm256_mul_pd(_mm256_mul_pd(change, worse), times);
  const __m256d size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), lambda);
  const __m256d curve = _mm256_mul_pd(_mm256_mul_pd(size, better), times);
  sums.gradient = _mm256_sub_pd(sums.gradient, lambda);
  sums.hessian = _mm256_add_pd(sums.hessian, curve);
  sums.lambda = _mm256_add_pd(sums.lambda, size);
  _mm256_storeu_pd(to.gradient + j,
                   _mm256_add_pd(_mm256_loadu_pd(to.gradient + j), lambda));
  _mm256_storeu_pd(to.hessian + j, _mm256_add_pd(_mm256_loadu_pd(to.hessian + j), curve));
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
  return {sum_eight(low.gradient, high.gradient), sum_eight(low.hessian, high.hessian),
          sum_eight(low.lambda, high.lambda)};
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
