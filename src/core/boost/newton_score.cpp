#include "core/boost/newton_score.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/boost/wide_doubles.h"
#include "core/tree/scan_levels.h"
#if RANKMIX_HAS_AVX2
#include <immintrin.h>
#endif

namespace rankmix::boost {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// If the hessian is 0, there is no Newton step.
double node_score_of(double g, double h) { return h > 0.0 ? g * g / h : 0.0; }

class NewtonScore {
 public:
  static constexpr tree::ScoreKind kScoreKind = tree::ScoreKind::kLoss;
  using Lanes = tree::LaneList<4>;

  explicit NewtonScore(const NewtonOptions& options)
      : options_(options), count_channel_(options.fine_unit > 0.0 ? 3 : 2) {}

  template <int Lanes>
  double node_score(const std::uint32_t* total) const {
    return node_score_of(gradient(total), hessian(total) + options_.l2);
  }
  template <int Lanes>
  double split_score(const std::uint32_t* left, const std::uint32_t* total) const {
    const std::uint32_t documents = left[count_channel_];
    if (documents < options_.min_documents ||
        total[count_channel_] - documents < options_.min_documents) {
      return kNever;
    }
    const double g = gradient(left);
    const double h = hessian(left);
    return node_score_of(g, h + options_.l2) +
           node_score_of(gradient(total) - g, hessian(total) - h + options_.l2);
  }

  template <int Lanes>
  bool too_few(const std::uint32_t* sums) const {
    return sums[count_channel_] < options_.min_documents;
  }

 private:
  double gradient(const std::uint32_t* sums) const {
    const double sum = static_cast<std::int32_t>(sums[0]);
    return options_.fine_unit > 0.0
               ? sum + options_.fine_unit * static_cast<std::int32_t>(sums[2])
               : sum;
  }
  static double hessian(const std::uint32_t* sums) {
    return static_cast<std::int32_t>(sums[1]);
  }

  NewtonOptions options_;
  std::size_t count_channel_;
};

// The parts of a wide number as doubles.
struct Parts {
  double gradient;
  double hessian;
  double count;

  RANKMIX_INLINE Parts(const PackedBits& bits, std::uint64_t wide)
      : gradient(signed_double(wide, bits.below_gradient())),
        hessian(as_double((wide >> bits.count) & low_bits(bits.hessian))),
        count(as_double(wide & low_bits(bits.count))) {}
};

// Numbers per loop; compilers vectorise such loops.
constexpr std::size_t kAtOnce = tree::kScoredAtOnce;

// Adds the scores of sides with these sums. If the hessian is 0, there is no Newton step.
RANKMIX_INLINE void add_node_scores(const double* gradient, const double* hessian,
                                    double l2, double* scores) {
  double over[kAtOnce];
  double square[kAtOnce];
  for (std::size_t k = 0; k < kAtOnce; ++k) {
    over[k] = hessian[k] + l2;
    square[k] = gradient[k] * gradient[k];
  }
  for (std::size_t k = 0; k < kAtOnce; ++k) {
    square[k] = over[k] > 0.0 ? square[k] : 0.0;
    over[k] = over[k] > 0.0 ? over[k] : 1.0;
  }
  for (std::size_t k = 0; k < kAtOnce; ++k) {
    scores[k] += square[k] / over[k];
  }
}

RANKMIX_INLINE void score_splits(const NewtonOptions& options, const std::uint64_t* left,
                                 std::size_t count, std::uint64_t total, double* scores) {
  const PackedBits bits = options.packed;
  const double least = options.min_documents;
  const Parts all(bits, total);
  for (std::size_t i = 0; i < count; i += kAtOnce) {
    double gradient[kAtOnce];
    double hessian[kAtOnce];
    double fewer[kAtOnce];
    double both[kAtOnce] = {};
    for (std::size_t k = 0; k < kAtOnce; ++k) {
      gradient[k] = signed_double(left[i + k], bits.below_gradient());
    }
    for (std::size_t k = 0; k < kAtOnce; ++k) {
      hessian[k] = as_double((left[i + k] >> bits.count) & low_bits(bits.hessian));
    }
    for (std::size_t k = 0; k < kAtOnce; ++k) {
      const double documents = as_double(left[i + k] & low_bits(bits.count));
      const double others = all.count - documents;
      fewer[k] = documents < others ? documents : others;
    }
    add_node_scores(gradient, hessian, options.l2, both);
    for (std::size_t k = 0; k < kAtOnce; ++k) {
      gradient[k] = all.gradient - gradient[k];
      hessian[k] = all.hessian - hessian[k];
    }
    add_node_scores(gradient, hessian, options.l2, both);
    for (std::size_t k = 0; k < kAtOnce; ++k) {
      scores[i + k] = fewer[k] < least ? kNever : both[k];
    }
  }
}
// Whether any split has a score of at least `bar`, compared without a division. Also true
// if the hessian of a side is 0.
bool exceeds_plain(const NewtonOptions& options, const std::uint64_t* left,
                   std::size_t count, std::uint64_t total, double bar) {
  const Parts all(options.packed, total);
  for (std::size_t i = 0; i < count; ++i) {
    const Parts side(options.packed, left[i]);
    const double rest = all.gradient - side.gradient;
    const double left_over = side.hessian + options.l2;
    const double right_over = all.hessian - side.hessian + options.l2;
    const double square =
        side.gradient * side.gradient * right_over + rest * rest * left_over;
    if (square >= bar * left_over * right_over &&
        std::min(side.count, all.count - side.count) >= options.min_documents) {
      return true;
    }
  }
  return false;
}

#if RANKMIX_HAS_AVX2
// The parts of eight wide numbers as 32-bit integers, which can hold any gradient,
// hessian or count. The order of the eight is permuted.
struct EightParts {
  __m256i gradient;
  __m256i hessian;
  __m256i count;
};

// The lower or the upper halves of eight wide numbers.
template <int Halves>
RANKMIX_AVX2 RANKMIX_INLINE __m256i take_halves(__m256i first, __m256i second) {
  return _mm256_castps_si256(
      _mm256_shuffle_ps(_mm256_castsi256_ps(first), _mm256_castsi256_ps(second), Halves));
}

RANKMIX_AVX2 RANKMIX_INLINE __m256i lowest(int bits) {
  return _mm256_set1_epi32(static_cast<int>(low_bits(bits)));
}

RANKMIX_AVX2 RANKMIX_INLINE EightParts take_parts(const PackedBits& bits, __m256i first,
                                                  __m256i second) {
  constexpr int kLower = 0x88;
  constexpr int kUpper = 0xDD;
  const __m128i above_count = _mm_cvtsi32_si128(bits.count);
  const __m256i hessian = take_halves<kLower>(_mm256_srl_epi64(first, above_count),
                                              _mm256_srl_epi64(second, above_count));
  return {_mm256_sra_epi32(take_halves<kUpper>(first, second),
                           _mm_cvtsi32_si128(bits.below_gradient() - 32)),
          _mm256_and_si256(hessian, lowest(bits.hessian)),
          _mm256_and_si256(take_halves<kLower>(first, second), lowest(bits.count))};
}

// Like exceeds_plain(), in single precision. Only integers are subtracted, so the
// relative error of each side is a few times 2^-24. The bar is lowered by much more than
// that. NaN passes the test.
RANKMIX_AVX2 bool exceeds_avx2(const NewtonOptions& options, const std::uint64_t* left,
                               std::size_t count, std::uint64_t total, double bar) {
  constexpr double rounding = 1e-5;
  const auto most = static_cast<double>(std::numeric_limits<std::int32_t>::max());
  const double documents = options.min_documents < most ? options.min_documents : most;
  const auto enough = static_cast<std::int32_t>(documents);  // rounded down
  const __m256i least = _mm256_set1_epi32(enough - (enough >= documents ? 1 : 0));
  const __m256i wide_total = _mm256_set1_epi64x(static_cast<long long>(total));
  const EightParts all = take_parts(options.packed, wide_total, wide_total);
  const __m256 l2 = _mm256_set1_ps(static_cast<float>(options.l2));
  const double size = bar < 0.0 ? -bar : bar;
  const __m256 lower_bar = _mm256_set1_ps(static_cast<float>(bar - rounding * size));
  __m256i any = _mm256_setzero_si256();
  for (std::size_t i = 0; i < count; i += kAtOnce) {
    const auto* at = reinterpret_cast<const __m256i*>(left + i);
    const EightParts some =
        take_parts(options.packed, _mm256_loadu_si256(at), _mm256_loadu_si256(at + 1));
    const __m256 gradient = _mm256_cvtepi32_ps(some.gradient);
    const __m256 rest = _mm256_cvtepi32_ps(_mm256_sub_epi32(all.gradient, some.gradient));
    const __m256 left_over = _mm256_add_ps(_mm256_cvtepi32_ps(some.hessian), l2);
    const __m256 right_over = _mm256_add_ps(
        _mm256_cvtepi32_ps(_mm256_sub_epi32(all.hessian, some.hessian)), l2);
    const __m256 square =
        _mm256_add_ps(_mm256_mul_ps(_mm256_mul_ps(gradient, gradient), right_over),
                      _mm256_mul_ps(_mm256_mul_ps(rest, rest), left_over));
    const __m256 over = _mm256_mul_ps(_mm256_mul_ps(lower_bar, left_over), right_over);
    const __m256i exceeds = _mm256_castps_si256(_mm256_cmp_ps(square, over, _CMP_NLT_UQ));
    const __m256i fewer =
        _mm256_min_epi32(some.count, _mm256_sub_epi32(all.count, some.count));
    any =
        _mm256_or_si256(any, _mm256_and_si256(exceeds, _mm256_cmpgt_epi32(fewer, least)));
  }
  return _mm256_testz_si256(any, any) == 0;
}
#else
constexpr auto exceeds_avx2 = exceeds_plain;
#endif

void score_splits_plain(const NewtonOptions& options, const std::uint64_t* left,
                        std::size_t count, std::uint64_t total, double* scores) {
  score_splits(options, left, count, total, scores);
}
RANKMIX_AVX2 void score_splits_avx2(const NewtonOptions& options,
                                    const std::uint64_t* left, std::size_t count,
                                    std::uint64_t total, double* scores) {
  score_splits(options, left, count, total, scores);
}

class PackedNewtonScore {
 public:
  static constexpr tree::ScoreKind kScoreKind = tree::ScoreKind::kLoss;
  using Lanes = tree::LaneList<1>;

  explicit PackedNewtonScore(const NewtonOptions& options) : options_(options) {}

  template <int Lanes>
  double node_score(const std::uint32_t* total) const {
    const Parts all(options_.packed, tree::read_wide(total));
    return node_score_of(all.gradient, all.hessian + options_.l2);
  }
  bool may_exceed(const std::uint64_t* left, std::size_t count,
                  const std::uint32_t* total, double bar) const {
    return (has_avx2() ? exceeds_avx2 : exceeds_plain)(options_, left, count,
                                                       tree::read_wide(total), bar);
  }
  template <int Lanes>
  bool too_few(const std::uint32_t* sums) const {
    return Parts(options_.packed, tree::read_wide(sums)).count < options_.min_documents;
  }
  void split_scores_wide(const std::uint64_t* left, std::size_t count,
                         const std::uint32_t* total, double* scores) const {
    (has_avx2() ? score_splits_avx2 : score_splits_plain)(options_, left, count,
                                                          tree::read_wide(total), scores);
  }

 private:
  NewtonOptions options_;
};

}  // namespace

std::unique_ptr<tree::LevelFinder> newton_finder(const NewtonOptions& options) {
  if (options.packed.hessian > 0) {
    return std::make_unique<tree::LevelScoreFinder<PackedNewtonScore>>(
        PackedNewtonScore(options));
  }
  return std::make_unique<tree::LevelScoreFinder<NewtonScore>>(NewtonScore(options));
}

}  // namespace rankmix::boost
