// The split score of AdaBoost.MH: the edge of the split.
//
// Channels are the signed weights w_il y_il. Let G_l be their sums over the rows of a
// node. With its best constant votes the node has the edge sum_l |G_l|. After a split by
// a stump with the best votes, v on the left and -v on the right, the edge is sum_l
// |G_l(left) - G_l(right)|.
//
// Weights in double precision have twice as many channels. The second half has the errors
// of rounding to units of 2^-30. The unit of these errors is 2^-60 times the number of
// rows, rounded up to a power of 2; see fine_units().
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/tree/channels.h"
#include "core/tree/split_finder.h"

namespace rankmix::boost {

// The sum of channel l, of `channels`. The finer channels, with the unit fine_unit, come
// after all others. fine_unit is 0 if there are no finer channels.
inline double sum_of_channel(const std::uint32_t* sums, std::size_t l,
                             std::size_t channels, double fine_unit) {
  const double sum = static_cast<std::int32_t>(sums[l]);
  return fine_unit > 0.0 ? sum + fine_unit * static_cast<std::int32_t>(sums[channels + l])
                         : sum;
}

// Creates a finder of splits by their edge, for a source with `channels` signed sums.
std::unique_ptr<tree::SplitFinder> edge_finder(const tree::ChannelSource& source,
                                               std::size_t channels);

}  // namespace rankmix::boost
