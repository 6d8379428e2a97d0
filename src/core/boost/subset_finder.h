// Splits of factors by subsets of their levels.
//
// Problem:   split a node by a set S of levels of a factor, so that
//            G_S^2 / (H_S + l2 + cat_l2) + G_R^2 / (H_R + l2 + cat_l2) is largest. G and H
//            are the sums of gradients and hessians of both sides.
// Given:     the histogram of the node, in which each level has a bin.
// Algorithm: levels are sorted by -G / (H + smooth), ties by their number. A set consists
//            of the first levels in this order, or of the last ones, at most
//            `max_levels`. Each candidate has at least `min_group` documents more than
//            the candidate before. The levels outside the set have at least `min_group`
//            documents, too. Missing values and levels without documents in the node are
//            outside the set.
// Ties:      lower feature, then sets of first levels, then smaller sets.
// Reference: Fisher 1958, doi:10.1080/01621459.1958.10501479; LightGBM.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "core/boost/sum_meaning.h"
#include "core/data/bins.h"
#include "core/tree/split_finder.h"

namespace rankmix::boost {

struct SubsetOptions {
  // For each feature the number of its levels, which are its values 1, 2, ...; 0 if the
  // feature is not a factor. Empty: no factors.
  std::vector<int> levels;
  double smooth = 10.0;
  double l2 = 10.0;
  std::size_t max_levels = 32;
  double min_group = 100.0;  // documents
  void validate(const data::BinnedMatrix& bins) const;
};

// `numbers` finds the splits of features that are not factors. `min_group` is in the unit
// of counts.
std::unique_ptr<tree::SplitFinder> subset_finder(
    std::unique_ptr<tree::SplitFinder> numbers, const SumMeaning& meaning,
    double min_group, const SubsetOptions& options);

}  // namespace rankmix::boost
