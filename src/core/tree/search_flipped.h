// The best split of rows from the sums of the same rows with other signs. The sums of one
// term of a product are computed in this way from the sums of another term.
#pragma once
#include <cstdint>

#include "core/base/host.h"
#include "core/tree/channels.h"
#include "core/tree/histogram.h"
#include "core/tree/row_adder.h"
#include "core/tree/sample.h"
#include "core/tree/split.h"
#include "core/tree/split_finder.h"

namespace rankmix::tree {

// The best split of the sampled rows, whose sums are stored in `sums`. Rows count with
// the same sign as in `from`, or all with the opposite sign if all bits of `negated` are
// set. Only the rows in `flipped` have the other sign, which flipped.negated must
// specify. `from` and `sums` may be the same. Not for wide channels or magnitudes.
Split search_flipped(RowAdder& adder, const Sums& from, std::uint32_t negated,
                     const PickedRows& flipped, const ChannelSource& source,
                     const SplitFinder& finder, const Sample& sample, Host& host,
                     Sums& sums);

}  // namespace rankmix::tree
