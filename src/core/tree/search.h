// The best split of some rows, and the sums of these rows.
#pragma once
#include <cstdint>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/tree/channels.h"
#include "core/tree/histogram.h"
#include "core/tree/row_adder.h"
#include "core/tree/sample.h"
#include "core/tree/split.h"
#include "core/tree/split_finder.h"

namespace rankmix::tree {

// The best split of the sampled rows, whose sums are stored in `sums`. All bits of
// negated[i] are set if the i-th row counts with the opposite sign, else none. If
// `negated` is empty, no row is negated.
Split search(RowAdder& adder, const ChannelSource& source, const SplitFinder& finder,
             const Sample& sample, Host& host, Sums& sums,
             View<const std::int8_t> negated = {});

// The best split of the picked rows on the one feature that `chooser` selects. `sums`
// gets the sums of this feature only.
Split search_chosen(RowAdder& adder, const ChannelSource& source,
                    const PickedRows& picked, const SplitFinder& finder,
                    FeatureChooser& chooser, Host& host, Sums& sums);

// The best split of rows whose sums are known.
Split search_known(const RowAdder& adder, const SplitFinder& finder, const Sample& sample,
                   Host& host, const Sums& sums);

}  // namespace rankmix::tree
