#include "core/boost/variance_score.h"

#include <algorithm>

#include "core/boost/wide_doubles.h"
#include "core/tree/scan_levels.h"

namespace rankmix::boost {
namespace {

// The sums of a wide number as doubles.
RANKMIX_INLINE double as_count(std::uint64_t wide) { return as_double(count_of(wide)); }
RANKMIX_INLINE double as_residual(std::uint64_t wide) {
  return signed_double(wide, kCountBits);
}

RANKMIX_INLINE void part(const std::uint64_t* left, std::size_t count,
                         std::uint64_t total, double least_weight, double* worth) {
  const double all = as_residual(total);
  const double all_weight = as_count(total);
  for (std::size_t i = 0; i < count; i += tree::kPartedAtOnce) {
    double lighter[tree::kPartedAtOnce];
    for (std::size_t k = 0; k < tree::kPartedAtOnce; ++k) {
      const double g = as_residual(left[i + k]);
      const double left_weight = as_count(left[i + k]);
      const double right_weight = all_weight - left_weight;
      worth[i + k] = parted_sums(g, left_weight, all - g, right_weight);
      lighter[k] = left_weight < right_weight ? left_weight : right_weight;
    }
    // In the loop above it would be a branch around the work.
    for (std::size_t k = 0; k < tree::kPartedAtOnce; ++k) {
      worth[i + k] = lighter[k] < least_weight ? -std::numeric_limits<double>::infinity()
                                               : worth[i + k];
    }
  }
}
RANKMIX_PLAIN void part_plain(const std::uint64_t* left, std::size_t count,
                              std::uint64_t total, double least_weight, double* worth) {
  part(left, count, total, least_weight, worth);
}
RANKMIX_AVX2 void part_avx2(const std::uint64_t* left, std::size_t count,
                            std::uint64_t total, double least_weight, double* worth) {
  part(left, count, total, least_weight, worth);
}

// Whether a part is worth `bar`, by a comparison without a division.
RANKMIX_INLINE bool exceeds(const std::uint64_t* left, std::size_t count,
                            std::uint64_t total, double least_weight, double bar) {
  const double all = as_residual(total);
  const double all_weight = as_count(total);
  std::int64_t any[tree::kPartedAtOnce] = {};
  for (std::size_t i = 0; i < count; i += tree::kPartedAtOnce) {
    double squares[tree::kPartedAtOnce];
    double needed[tree::kPartedAtOnce];
    double lighter[tree::kPartedAtOnce];
    for (std::size_t k = 0; k < tree::kPartedAtOnce; ++k) {
      const double g = as_residual(left[i + k]);
      const double left_weight = as_count(left[i + k]);
      const double right_weight = all_weight - left_weight;
      squares[k] = g * g * right_weight + (all - g) * (all - g) * left_weight;
      needed[k] = bar * (left_weight * right_weight);
      lighter[k] = left_weight < right_weight ? left_weight : right_weight;
    }
    for (std::size_t k = 0; k < tree::kPartedAtOnce; ++k) {
      any[k] |= static_cast<std::int64_t>(squares[k] >= needed[k]) &
                static_cast<std::int64_t>(lighter[k] >= least_weight);
    }
  }
  // No std::any_of(): see base/simd.h.
  std::int64_t some = 0;
  for (std::int64_t one : any) {
    some |= one;
  }
  return some != 0;
}
RANKMIX_PLAIN bool exceeds_plain(const std::uint64_t* left, std::size_t count,
                                 std::uint64_t total, double least_weight, double bar) {
  return exceeds(left, count, total, least_weight, bar);
}
RANKMIX_AVX2 bool exceeds_avx2(const std::uint64_t* left, std::size_t count,
                               std::uint64_t total, double least_weight, double bar) {
  return exceeds(left, count, total, least_weight, bar);
}

}  // namespace

void VarianceScore::parted_wide(const std::uint64_t* left, std::size_t count,
                                const std::uint32_t* total, double* worth) const {
  (has_avx2() ? part_avx2 : part_plain)(left, count, tree::read_wide(total),
                                        least_weight_, worth);
}
bool VarianceScore::may_exceed(const std::uint64_t* left, std::size_t count,
                               const std::uint32_t* total, double bar) const {
  return (has_avx2() ? exceeds_avx2 : exceeds_plain)(left, count, tree::read_wide(total),
                                                     least_weight_, bar);
}

std::unique_ptr<tree::LevelFinder> variance_finder(const VarianceScore& score) {
  return std::make_unique<tree::LevelScoreFinder<VarianceScore>>(score);
}
std::unique_ptr<tree::LevelFinder> variance_finder(const CountedVarianceScore& score) {
  return std::make_unique<tree::LevelScoreFinder<CountedVarianceScore>>(score);
}

}  // namespace rankmix::boost
