// Grows an oblivious tree: level by level, each with one test for all leaves.
//
// Given:     a chooser of levels, and their maximum number.
// Result:    a tree as others are, whose nodes stand level by level, so that the nodes of
//            a level are neighbours of one feature, threshold and side of missing values.
// Algorithm: greedy; a level is the test that gains most, and growth ends where none
//            gains. A leaf that a test would leave without enough documents on a side
//            stays whole and is tried again by the next, so that no leaf is empty.
// Reference: Gulin, Kuralenok & Pavlov 2011, proceedings.mlr.press/v14/gulin11a.
#pragma once
#include <cstddef>

#include "core/base/host.h"
#include "core/data/bins.h"
#include "core/tree/grown_tree.h"
#include "core/tree/level_chooser.h"
#include "core/tree/partition.h"
#include "core/tree/sample.h"

namespace rankmix::tree {

GrownTree grow_oblivious(LevelChooser& chooser, std::size_t depth, const Sample& sample,
                         const data::BinnedMatrix& bins, Partition& partition,
                         Host& host);

}  // namespace rankmix::tree
