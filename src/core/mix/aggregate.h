// Rank aggregation: one ranking of each query from the rankings of several rankers, by
// ranks alone.
//
// With m rankers and n documents of a query, ranker r ranks i above j if its score of i
// is higher. Borda: B_i is the mean over rankers of (number of documents below i + 1/2
// number of other documents tied with i). The other methods are Markov chains over the
// documents. The document after i is
//   MC1  uniform in the multiset union, over rankers, of the documents that the ranker
//        ranks at least as high as i, including i;
//   MC2  for a random ranker, uniform among the documents that it ranks at least as high
//        as i;
//   MC3  for a random ranker and a random document j: j if the ranker ranks it above i,
//        else i;
//   MC4  for a random document j: j if most rankers rank it above i, else i;
//   Borda chain  for a random document j: j with probability B_j / (B_i + B_j), else i.
// With probability `damping`, the next document is a random document instead. The score
// of a document is its stationary probability times n.
//
// Source: Dwork, Kumar, Naor & Sivakumar 2001, doi:10.1145/371920.372165; Busa-Fekete,
// Kegl, Elteto & Szarvas 2011, section 2.4. Cost: O(m n^2 + n^3) for a query.
#pragma once
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/queries.h"

namespace rankmix::mix {

enum class Aggregation { kBorda, kMc1, kMc2, kMc3, kMc4, kBordaChain };

// `scores` is documents x rankers. Returns one score for each document.
std::vector<double> aggregate_ranks(MatrixView<const double> scores,
                                    const data::Queries& queries, Aggregation method,
                                    double damping, Host& host);

}  // namespace rankmix::mix
