#include "core/boost/variance_score.h"

#include <cstring>

#include "core/tree/scan_levels.h"

namespace rankmix::boost {
namespace {

// The number 2^52 + whole, for whole below 2^52: its bits stand behind the exponent.
RANKMIX_INLINE double above_2_52(std::uint64_t whole) {
  const std::uint64_t bits = whole | 0x4330000000000000U;
  double number;
  std::memcpy(&number, &bits, sizeof(number));
  return number;
}
constexpr double k2To52 = 4503599627370496.0;

// The sums of a wide number as doubles, exactly, by what AVX2 can do for four at once:
// it neither turns 64-bit integers into doubles, nor does it shift signed ones.
RANKMIX_INLINE double as_count(std::uint64_t wide) {
  return above_2_52(count_of(wide)) - k2To52;
}
RANKMIX_INLINE double as_residual(std::uint64_t wide) {
  constexpr int bits = 64 - kCountBits;
  constexpr double least = static_cast<double>(std::uint64_t{1} << (bits - 1));
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return above_2_52((wide ^ sign) >> kCountBits) - (k2To52 + least);
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
void part_plain(const std::uint64_t* left, std::size_t count, std::uint64_t total,
                double least_weight, double* worth) {
  part(left, count, total, least_weight, worth);
}
RANKMIX_AVX2 void part_avx2(const std::uint64_t* left, std::size_t count,
                            std::uint64_t total, double least_weight, double* worth) {
  part(left, count, total, least_weight, worth);
}

}  // namespace

void VarianceScore::parted_wide(const std::uint64_t* left, std::size_t count,
                                const std::uint32_t* total, double* worth) const {
  (has_avx2() ? part_avx2 : part_plain)(left, count, tree::read_wide(total),
                                        least_weight_, worth);
}

std::unique_ptr<tree::LevelFinder> variance_finder(const VarianceScore& score) {
  return std::make_unique<tree::LevelScoreFinder<VarianceScore>>(score);
}
std::unique_ptr<tree::LevelFinder> variance_finder(const CountedVarianceScore& score) {
  return std::make_unique<tree::LevelScoreFinder<CountedVarianceScore>>(score);
}

}  // namespace rankmix::boost
