// Fusion by majority votes: each document is compared with each other document of its
// query.
//
// For each pair, a ranker votes with its weight for the document that it ranks higher. It
// does not vote if both share ranks. The document with more votes wins. The Copeland
// score of a document is its number of wins plus half the number of draws. If majorities
// have no cycle and no draw, the score sorts the documents in the order of the
// majorities. All documents of a cycle rank above a document if each of them wins against
// it. With `margins`, ties of the score are broken by the votes for a document minus the
// votes against it, over all pairs.
//
// Weights are integers in units of 2^-30 of their sum, so sums are exact. A margin of at
// most one unit for each ranker can come from rounding and counts as a draw.
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
  View<const double> weights;  // one for each ranker, positive
  // If true, documents that a ranker did not retrieve are below its list; else the ranker
  // does not vote on them.
  bool missing_last = true;
  bool margins = false;
};

// One score for each row; NaN if no ranker retrieved the document.
std::vector<double> majority_scores(const Lists& lists, const MajorityOptions& options,
                                    Host& host);

}  // namespace rankmix::mix
