#include "core/boost/variance_score.h"

#include <algorithm>

#include "core/boost/wide_doubles.h"
#include "core/tree/scan_levels.h"

namespace rankmix::boost {
namespace {

// The sums in a wide number as doubles.
RANKMIX_INLINE double as_count(std::uint64_t wide) { return as_double(count_of(wide)); }
RANKMIX_INLINE double as_residual(std::uint64_t wide) {
  return signed_double(wide, kCountBits);
}

RANKMIX_INLINE void score_splits(const std::uint64_t* left, std::size_t count,
                                 std::uint64_t total, double min_weight, double* scores) {
  const double all = as_residual(total);
  const double all_weight = as_count(total);
  for (std::size_t i = 0; i < count; i += tree::kScoredAtOnce) {
    double lighter[tree::kScoredAtOnce];
    for (std::size_t k = 0; k < tree::kScoredAtOnce; ++k) {
      const double g = as_residual(left[i + k]);
      const double left_weight = as_count(left[i + k]);
      const double right_weight = all_weight - left_weight;
      scores[i + k] = split_score_of_sums(g, left_weight, all - g, right_weight);
      lighter[k] = left_weight < right_weight ? left_weight : right_weight;
    }
    // A separate loop, because compilers would put a branch around the computation above.
    for (std::size_t k = 0; k < tree::kScoredAtOnce; ++k) {
      scores[i + k] = lighter[k] < min_weight ? -std::numeric_limits<double>::infinity()
                                              : scores[i + k];
    }
  }
}
void score_splits_plain(const std::uint64_t* left, std::size_t count, std::uint64_t total,
                        double min_weight, double* scores) {
  score_splits(left, count, total, min_weight, scores);
}
RANKMIX_AVX2 void score_splits_avx2(const std::uint64_t* left, std::size_t count,
                                    std::uint64_t total, double min_weight,
                                    double* scores) {
  score_splits(left, count, total, min_weight, scores);
}

// Whether any split has a score of at least `bar`, compared without a division.
RANKMIX_INLINE bool exceeds(const std::uint64_t* left, std::size_t count,
                            std::uint64_t total, double min_weight, double bar) {
  const double all = as_residual(total);
  const double all_weight = as_count(total);
  std::int64_t any[tree::kScoredAtOnce] = {};
  for (std::size_t i = 0; i < count; i += tree::kScoredAtOnce) {
    double squares[tree::kScoredAtOnce];
    double needed[tree::kScoredAtOnce];
    double lighter[tree::kScoredAtOnce];
    for (std::size_t k = 0; k < tree::kScoredAtOnce; ++k) {
      const double g = as_residual(left[i + k]);
      const double left_weight = as_count(left[i + k]);
      const double right_weight = all_weight - left_weight;
      squares[k] = g * g * right_weight + (all - g) * (all - g) * left_weight;
      needed[k] = bar * (left_weight * right_weight);
      lighter[k] = left_weight < right_weight ? left_weight : right_weight;
    }
    for (std::size_t k = 0; k < tree::kScoredAtOnce; ++k) {
      any[k] |= static_cast<std::int64_t>(squares[k] >= needed[k]) &
                static_cast<std::int64_t>(lighter[k] >= min_weight);
    }
  }
  // No std::any_of(): see base/simd.h.
  std::int64_t some = 0;
  for (std::int64_t one : any) {
    some |= one;
  }
  return some != 0;
}
bool exceeds_plain(const std::uint64_t* left, std::size_t count, std::uint64_t total,
                   double min_weight, double bar) {
  return exceeds(left, count, total, min_weight, bar);
}
RANKMIX_AVX2 bool exceeds_avx2(const std::uint64_t* left, std::size_t count,
                               std::uint64_t total, double min_weight, double bar) {
  return exceeds(left, count, total, min_weight, bar);
}

}  // namespace

void VarianceScore::split_scores_wide(const std::uint64_t* left, std::size_t count,
                                      const std::uint32_t* total, double* scores) const {
  (has_avx2() ? score_splits_avx2 : score_splits_plain)(
      left, count, tree::read_wide(total), min_weight_, scores);
}
bool VarianceScore::may_exceed(const std::uint64_t* left, std::size_t count,
                               const std::uint32_t* total, double bar) const {
  return (has_avx2() ? exceeds_avx2 : exceeds_plain)(left, count, tree::read_wide(total),
                                                     min_weight_, bar);
}

std::unique_ptr<tree::LevelFinder> variance_finder(const VarianceScore& score) {
  return std::make_unique<tree::LevelScoreFinder<VarianceScore>>(score);
}
std::unique_ptr<tree::LevelFinder> variance_finder(const CountedVarianceScore& score) {
  return std::make_unique<tree::LevelScoreFinder<CountedVarianceScore>>(score);
}

}  // namespace rankmix::boost
