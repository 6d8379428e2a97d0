// The best split where rows count with other signs than in sums that are at hand: those
// of a term of a product follow from the sums of another term.
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

// Rows of the sample count with the signs that they have in `from`, negated if all bits
// of `negated` are set, but for those in `flipped`: these count with the opposite, as
// their `negated` says, too. `from` and `sums` may be one. Not for wide channels or
// magnitudes.
Split search_flipped(RowAdder& adder, const Sums& from, std::uint32_t negated,
                     const PickedRows& flipped, const ChannelSource& source,
                     const SplitFinder& finder, const Sample& sample, Host& host,
                     Sums& sums);

}  // namespace rankmix::tree
