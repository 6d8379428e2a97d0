// What a split is worth to AdaBoost.MH: its edge.
//
// Channels are the signed weights w_il y_il. A node with sums G_l over its rows has, with
// its best constant votes, the edge sum_l |G_l|; parted by a stump with best votes v on
// the left and -v on the right, the edge sum_l |G_l(left) - G_l(right)|.
//
// Weights in double precision have as many channels more, with what rounding to units of
// 2^-30 took from them, in units of 2^-60 times the number of rows, rounded up to a power
// of 2: see fine_units().
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/base/units.h"
#include "core/tree/channels.h"
#include "core/tree/split.h"

namespace rankmix::boost {

class EdgeScore {
 public:
  static constexpr tree::Worth kWorth = tree::Worth::kEdge;
  static constexpr bool kWide = false;

  explicit EdgeScore(std::size_t channels) {
    for (std::size_t l = 0; l < channels; ++l) {
      mask_[l] = ~std::int32_t{0};
    }
  }

  template <int Lanes>
  double whole(const std::uint32_t* total) const {
    std::int32_t edge = 0;
    for (int l = 0; l < Lanes; ++l) {
      edge += masked(total[l], l);
    }
    return edge;
  }

  template <int Lanes>
  double parted(const std::uint32_t* left, const std::uint32_t* total) const {
    std::int32_t edge = 0;
    for (int l = 0; l < Lanes; ++l) {
      // left - (total - left)
      edge += masked(2 * left[l] - total[l], l);
    }
    return edge;
  }

 private:
  // A spare lane may hold anything; its bits are masked.
  std::int32_t masked(std::uint32_t bits, int lane) const {
    return static_cast<std::int32_t>(magnitude(bits)) &
           mask_[static_cast<std::size_t>(lane)];
  }

  std::array<std::int32_t, tree::kMaxLanes> mask_{};
};

// The sum of channel l of so many, with the finer channel behind all of them, whose unit
// is given; a unit of 0 says that there is none.
inline double sum_of_channel(const std::uint32_t* sums, std::size_t l,
                             std::size_t channels, double fine_unit) {
  const double sum = static_cast<std::int32_t>(sums[l]);
  return fine_unit > 0.0 ? sum + fine_unit * static_cast<std::int32_t>(sums[channels + l])
                         : sum;
}

// The same with finer channels.
class FineEdgeScore {
 public:
  static constexpr tree::Worth kWorth = tree::Worth::kEdge;
  static constexpr bool kWide = false;

  FineEdgeScore(std::size_t channels, double fine_unit)
      : channels_(channels), fine_unit_(fine_unit) {}

  template <int Lanes>
  double whole(const std::uint32_t* total) const {
    double edge = 0.0;
    for (std::size_t l = 0; l < channels_; ++l) {
      edge += std::abs(sum_of_channel(total, l, channels_, fine_unit_));
    }
    return edge;
  }

  template <int Lanes>
  double parted(const std::uint32_t* left, const std::uint32_t* total) const {
    double edge = 0.0;
    for (std::size_t l = 0; l < channels_; ++l) {
      edge += std::abs(2.0 * sum_of_channel(left, l, channels_, fine_unit_) -
                       sum_of_channel(total, l, channels_, fine_unit_));
    }
    return edge;
  }

 private:
  std::size_t channels_;
  double fine_unit_;
};

// Calls use(score) with the score for so many sums of this source.
template <class Use>
auto with_edge_score(const tree::ChannelSource& source, std::size_t channels,
                     const Use& use) {
  return source.finer > 0.0 ? use(FineEdgeScore(channels, source.fine_unit()))
                            : use(EdgeScore(channels));
}

}  // namespace rankmix::boost
