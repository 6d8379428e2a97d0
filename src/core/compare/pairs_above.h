// Counts of pairs of items for rank correlations of two orders.
//
// Given:     items in the order of y, the best first. Items of equal y are a group.
//            `rank` has the rank of the x of each item among the distinct values of x, from
//            0 for the lowest. `ends` has the number of items up to the end of each group.
// Result:    for each item, how many items have a higher x and how many have the same x:
//            among the items of the groups before, and among the other items of its group.
// Algorithm: a Fenwick tree of counts by rank, O(n log n) for n items.
// Reference: Fenwick 1994, doi:10.1002/spe.4380240306.
#pragma once
#include <vector>

#include "core/base/views.h"

namespace rankmix::compare {

struct PairsAbove {
  std::vector<int> higher_before;
  std::vector<int> equal_before;
  std::vector<int> higher_within;
  std::vector<int> equal_within;
};

PairsAbove pairs_above(View<const int> rank, View<const int> ends);

}  // namespace rankmix::compare
