// Splits of trees whose predictions rise, or fall, with some of the features.
//
// Problem:   a regression tree h with h(x) <= h(x') where x and x' differ in one feature
//            of sign +1 alone, which x' has the larger value of; the other way round for
//            the sign -1.
// Algorithm: the values of a node's leaves stay within bounds, none for the root. The
//            score of a split is the sum of its sides' scores at their best values within
//            the bounds; one on such a feature counts only where these are in order. Then
//            their mean is a bound of both sides, of the leaves on the left from above
//            for the sign +1, and from below of those on the right. Values are put within
//            the bounds of their leaf whatever they were computed of, so that the tree is
//            monotone however its sums were rounded or sampled. A missing value has no
//            position in the order: a split of missing from present values sets no
//            bounds.
// Reference: the basic method of XGBoost and LightGBM.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "core/boost/packed_sums.h"
#include "core/tree/split_finder.h"

namespace rankmix::boost {

// What sums of channels mean: the value of a node is sign G / (H + l2), G in the first
// channel and H in the second; or they are wide, G above the count that is H, or as in
// packed_sums.h.
struct SumMeaning {
  double sign = 1.0;
  double fine_unit = 0.0;  // of the third channel in units of the first, 0 without one
  double l2 = 0.0;
  std::size_t count_channel = 1;  // what `min_count` bounds on each side
  double min_count = 1.0;
  double min_weight = 0.0;  // H on each side
  PackedBits packed;
};

// `monotone` has +1, -1 or 0 for each feature.
std::unique_ptr<tree::SplitFinder> monotone_finder(const SumMeaning& meaning,
                                                   const std::vector<int>& monotone);

}  // namespace rankmix::boost
