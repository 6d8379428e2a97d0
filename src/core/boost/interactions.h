// Trees in which only features of the same group meet in a branch.
//
// Problem:   features i and j may both be tested on a path from the root to a leaf only
//            if a group contains both. So F is a sum of functions of one group each, if
//            groups do not overlap.
// Algorithm: a node knows the groups that contain all features tested above it. It may be
//            split by any feature of these groups. The root may be split by all features.
// Reference: interaction constraints of XGBoost and LightGBM.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "core/tree/split_finder.h"

namespace rankmix::boost {

// Each group lists its features, in increasing order.
using FeatureGroups = std::vector<std::vector<int>>;

// Throws InvalidArgument if a group is no set of features, or if a feature is in no
// group.
void check_groups(const FeatureGroups& groups, std::size_t features);

// `groups` must outlive the finder.
std::unique_ptr<tree::SplitFinder> interaction_finder(
    std::unique_ptr<tree::SplitFinder> inner, const FeatureGroups& groups);

}  // namespace rankmix::boost
