// The leaf that each row reaches in a tree that has just been grown.
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/tree/grow.h"

namespace rankmix::tree {

// The leaf of each row. A leaf is a set of rows on which a booster's round is constant: a
// leaf of its only tree, or an intersection of leaves of its trees.
using LeafIds = std::vector<std::uint32_t>;

// The leaf of each row for a tree that `grower` has just grown on this sample. The result
// is valid until `grower` grows another tree.
const LeafIds& find_leaf_ids(const GrownTree& tree, const Sample& sample, Grower& grower,
                             Host& host);

}  // namespace rankmix::tree
