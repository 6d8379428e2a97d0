// Fusion by majorities: each document against each other of its query.
//
// A ranker votes with its weight for the document of a pair that it ranks higher, and not
// where both share their ranks. The document with more votes wins. Copeland's score of a
// document is the number of those it wins against, plus half of those with as many votes.
// Where majorities have no cycle and no draw this is their order; with a cycle, all of
// its documents come before those that all of them win against. With `margins` ties
// between equal scores are broken by the votes for a document less those against it, over
// all pairs, as a part of less than a quarter.
//
// Weights are whole numbers of 2^-30 of their sum, so that sums are exact, and a draw is
// a margin that rounding of the weights can make: at most one unit a ranker.
//
// Sources: Copeland 1951; Montague & Aslam 2002, doi:10.1145/584792.584881. Cost: O(m
// N^2) for a query of N documents and m rankers.
#pragma once
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/mix/lists.h"

namespace rankmix::mix {

struct MajorityOptions {
  View<const double> weights;  // one a ranker, above 0
  // Whether documents that a ranker lacks are below those it retrieved; otherwise it has
  // no vote on them.
  bool missing_last = true;
  bool margins = false;
};

// One score a row; NaN for a document that no ranker retrieved.
std::vector<double> majority_scores(const Lists& lists, const MajorityOptions& options,
                                    Host& host);

}  // namespace rankmix::mix
