// The best split of some rows, with their sums.
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

// Of the sampled rows. All bits of negated[i] are set where the i-th of them counts with
// its sign negated, else none; empty: none is negated.
Split search(RowAdder& adder, const ChannelSource& source, const SplitFinder& finder,
             const Sample& sample, Host& host, Sums& sums,
             View<const std::int8_t> negated = {});

// Of the rows that are picked, on the one feature that is chosen; the sums are those of
// this feature alone.
Split search_chosen(RowAdder& adder, const ChannelSource& source,
                    const PickedRows& picked, const SplitFinder& finder,
                    FeatureChooser& chooser, Host& host, Sums& sums);

// Of known sums.
Split search_known(const RowAdder& adder, const SplitFinder& finder, const Sample& sample,
                   Host& host, const Sums& sums);

}  // namespace rankmix::tree
