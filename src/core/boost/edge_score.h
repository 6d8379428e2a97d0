// The split score of AdaBoost.MH: the edge of the split.
//
// Channels are the signed weights w_il y_il. A node with sums G_l over its rows has, with
// its best constant votes, the edge sum_l |G_l|; split by a stump with best votes v on
// the left and -v on the right, the edge sum_l |G_l(left) - G_l(right)|.
//
// Weights in double precision have as many channels more, with what rounding to units of
// 2^-30 took from them, in units of 2^-60 times the number of rows, rounded up to a power
// of 2: see fine_units().
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/tree/channels.h"
#include "core/tree/split_finder.h"

namespace rankmix::boost {

// The sum of channel l of so many, with the finer channel behind all of them, whose unit
// is given; a unit of 0 means that there is none.
inline double sum_of_channel(const std::uint32_t* sums, std::size_t l,
                             std::size_t channels, double fine_unit) {
  const double sum = static_cast<std::int32_t>(sums[l]);
  return fine_unit > 0.0 ? sum + fine_unit * static_cast<std::int32_t>(sums[channels + l])
                         : sum;
}

// For so many sums of this source.
std::unique_ptr<tree::SplitFinder> edge_finder(const tree::ChannelSource& source,
                                               std::size_t channels);

}  // namespace rankmix::boost
