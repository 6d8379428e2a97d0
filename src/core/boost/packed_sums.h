// Sums of gradients, of hessians and of documents in one wide number of 64 bits.
//
// The lowest bits count documents. Above them are hessians, and above these are signed
// gradients. The lower two fields must never be negative or exceed their bits. Then
// adding and subtracting wide numbers adds and subtracts their parts.
#pragma once
#include <cstdint>

#include "core/base/simd.h"

namespace rankmix::boost {

struct PackedBits {
  int count = 0;
  int hessian = 0;

  int below_gradient() const { return count + hessian; }
};

inline std::uint64_t low_bits(int bits) { return (std::uint64_t{1} << bits) - 1; }

inline std::uint64_t pack(const PackedBits& bits, std::int64_t gradient,
                          std::uint64_t hessian, std::uint64_t count) {
  return (static_cast<std::uint64_t>(gradient) << bits.below_gradient()) +
         (hessian << bits.count) + count;
}
inline std::int64_t gradient_of(const PackedBits& bits, std::uint64_t wide) {
  return static_cast<std::int64_t>(wide) >> bits.below_gradient();
}
inline std::uint64_t hessian_of(const PackedBits& bits, std::uint64_t wide) {
  return (wide >> bits.count) & low_bits(bits.hessian);
}
inline std::uint64_t count_of(const PackedBits& bits, std::uint64_t wide) {
  return wide & low_bits(bits.count);
}

}  // namespace rankmix::boost
