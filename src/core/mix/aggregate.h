// One ranking from those of several rankers, query by query, by ranks alone.
//
// With m rankers and n documents of a query, r ranks i above j if its score of i is
// higher. Borda:  B_i = 1/m sum over rankers of (the number of documents below i + 1/2
// the number of others tied with it). Markov chains over the documents; from i the next
// one is
//   MC1  uniform in the multiset of all documents that some ranker ranks as high as i or
//        higher, i itself included, once for each ranker;
//   MC2  a ranker is drawn, then uniform among the documents it ranks as high as i or
//        higher;
//   MC3  a ranker and a document j are drawn: j if the ranker ranks it above i, else i;
//   MC4  a document j is drawn: j if most rankers rank it above i, else i;
//   Borda chain  a document j is drawn: j with probability B_j / (B_i + B_j), else i.
// With probability `damping` the next document is uniform among all. The score of a
// document is its fraction of the chain's stationary distribution, times n.
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

// `scores` is documents x rankers. Gives one score a document.
std::vector<double> aggregate_ranks(MatrixView<const double> scores,
                                    const data::Queries& queries, Aggregation method,
                                    double damping, Host& host);

}  // namespace rankmix::mix
