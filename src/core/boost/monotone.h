// Splits of trees whose predictions rise, or fall, with some of the features.
//
// Problem:   a regression tree h with h(x) <= h(x') if x and x' differ only in one
//            feature of sign +1, and this feature is larger in x'. For sign -1, the
//            inequality is reversed.
// Algorithm: the values of a node's leaves stay within bounds, which are infinite for the
//            root. The score of a split is the sum of the scores of its sides, with their
//            best values within the bounds. A split on a constrained feature is only
//            allowed if these two values are in order. The mean of both values then
//            becomes a bound of both sides: for sign +1, the upper bound on the left and
//            the lower bound on the right. Leaf values are always clamped to the bounds
//            of their leaf. So the tree is monotone even if sums are rounded or computed
//            from a sample. A missing value has no position in the order: a split that
//            separates missing from present values sets no bounds.
// Reference: the basic method of XGBoost and LightGBM.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "core/boost/sum_meaning.h"
#include "core/tree/split_finder.h"

namespace rankmix::boost {

// `monotone` has +1, -1 or 0 for each feature.
std::unique_ptr<tree::SplitFinder> monotone_finder(const SumMeaning& meaning,
                                                   const std::vector<int>& monotone);

}  // namespace rankmix::boost
