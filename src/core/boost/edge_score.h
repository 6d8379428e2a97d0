// What a split is worth to AdaBoost.MH: its edge.
//
// Channels are the signed weights w_il y_il. A node with sums G_l over its rows has, with
// its best constant votes, the edge sum_l |G_l|; parted by a stump with best votes v on
// the left and -v on the right, the edge sum_l |G_l(left) - G_l(right)|.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/tree/histogram.h"
#include "core/tree/split.h"

namespace rankmix::boost {

class EdgeScore {
 public:
  static constexpr tree::Worth kWorth = tree::Worth::kEdge;

  explicit EdgeScore(std::size_t channels) {
    for (std::size_t l = 0; l < channels; ++l) {
      mask_[l] = ~std::int32_t{0};
    }
  }

  template <int Lanes>
  double whole(const std::uint32_t* total) const {
    std::int32_t edge = 0;
    for (int l = 0; l < Lanes; ++l) {
      edge += magnitude(total[l]) & mask_[static_cast<std::size_t>(l)];
    }
    return edge;
  }

  template <int Lanes>
  double parted(const std::uint32_t* left, const std::uint32_t* total) const {
    std::int32_t edge = 0;
    for (int l = 0; l < Lanes; ++l) {
      // left - (total - left)
      edge += magnitude(2 * left[l] - total[l]) & mask_[static_cast<std::size_t>(l)];
    }
    return edge;
  }

 private:
  // |x| without a branch; a spare lane may hold INT32_MIN, whose bits are masked anyway.
  static std::int32_t magnitude(std::uint32_t bits) {
    const std::uint32_t sign =
        static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31);
    return static_cast<std::int32_t>((bits ^ sign) - sign);
  }

  std::array<std::int32_t, tree::kMaxLanes> mask_{};
};

}  // namespace rankmix::boost
