// Trees in which all features of a branch are in the same group.
//
// Problem:   features i and j may both be tested on a path from the root to a leaf only
//            if a group contains both. If groups do not overlap, F is a sum of functions,
//            one for each group.
// Algorithm: a node stores the groups that contain all features tested above it. Any
//            feature of these groups may split the node. Any feature may split the root.
// Reference: interaction constraints of XGBoost and LightGBM.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/tree/split_finder.h"

namespace rankmix::boost {

// Each group lists its features, in increasing order.
using FeatureGroups = std::vector<std::vector<int>>;

// Throws InvalidArgument if a group is not a set of features, or if some feature is in no
// group.
void check_groups(const FeatureGroups& groups, std::size_t features);

// The groups that contain a feature and are among `above`. Empty `above`: all groups.
std::vector<std::uint32_t> groups_below(const FeatureGroups& groups,
                                        const std::vector<std::uint32_t>& above,
                                        int feature);
// The active features that are in one of the groups `open`.
std::vector<std::uint8_t> active_in(const FeatureGroups& groups,
                                    const std::vector<std::uint32_t>& open,
                                    const std::vector<std::uint8_t>& active);

// `groups` must outlive the finder.
std::unique_ptr<tree::SplitFinder> interaction_finder(
    std::unique_ptr<tree::SplitFinder> inner, const FeatureGroups& groups);

}  // namespace rankmix::boost
