// Where a tree that has just been grown sends all rows.
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/tree/grow.h"

namespace rankmix::tree {

// The cell of each row: sets of rows on which a booster's round is constant, such as the
// leaves of its tree.
using LeafIds = std::vector<std::uint32_t>;

// The leaf of each row for a tree that `grower` has just grown on this sample; lives
// until it grows the next one.
const LeafIds& find_leaf_ids(const GrownTree& tree, const Sample& sample, Grower& grower,
                             Host& host);

}  // namespace rankmix::tree
