// Grows an oblivious tree level by level. A level has one test for all leaves.
//
// Given:     an object that chooses the test of each level, and the maximum depth.
// Result:    a tree with nodes and leaves as in any other tree. Its nodes are stored
//            level by level: nodes of one level are adjacent and have the same feature,
//            threshold and side of missing values.
// Algorithm: greedy: each level is the allowed test whose gain minus cost is largest.
//            Growth ends if no gain is above its cost. A leaf in which the test would
//            leave too few documents on one side stays whole, and the next level may
//            split it. So no leaf is empty.
// Reference: Gulin, Kuralenok & Pavlov 2011, proceedings.mlr.press/v14/gulin11a.
#pragma once
#include <cstddef>

#include "core/base/host.h"
#include "core/data/bins.h"
#include "core/tree/grown_tree.h"
#include "core/tree/level_chooser.h"
#include "core/tree/level_rules.h"
#include "core/tree/partition.h"
#include "core/tree/sample.h"

namespace rankmix::tree {

// `rules` must belong to a tree without levels.
GrownTree grow_oblivious(LevelChooser& chooser, LevelRules& rules, std::size_t depth,
                         const Sample& sample, const data::BinnedMatrix& bins,
                         Partition& partition, Host& host);

}  // namespace rankmix::tree
