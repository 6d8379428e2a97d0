// Sums of slopes, of curvatures and of documents in one wide number of 64 bits.
//
// The lowest bits count documents; above them are curvatures, and above these slopes,
// signed. Neither of the lower two is ever negative, nor larger than its bits hold: so
// sums and differences of wide numbers are those of their parts.
#pragma once
#include <cstdint>

#include "core/base/simd.h"

namespace rankmix::boost {

struct PackedBits {
  int count = 0;
  int curvature = 0;

  int below_slope() const { return count + curvature; }
};

inline std::uint64_t low_bits(int bits) { return (std::uint64_t{1} << bits) - 1; }

inline std::uint64_t pack(const PackedBits& bits, std::int64_t slope,
                          std::uint64_t curvature, std::uint64_t count) {
  return (static_cast<std::uint64_t>(slope) << bits.below_slope()) +
         (curvature << bits.count) + count;
}
inline std::int64_t slope_of(const PackedBits& bits, std::uint64_t wide) {
  return static_cast<std::int64_t>(wide) >> bits.below_slope();
}
inline std::uint64_t curvature_of(const PackedBits& bits, std::uint64_t wide) {
  return (wide >> bits.count) & low_bits(bits.curvature);
}
inline std::uint64_t count_of(const PackedBits& bits, std::uint64_t wide) {
  return wide & low_bits(bits.count);
}

}  // namespace rankmix::boost
