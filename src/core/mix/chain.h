// A Markov chain over the documents of a query, whose stationary distribution ranks them.
//
// From document i, a document j is drawn uniformly. The chain moves to j with the
// probability that j is better than i, and otherwise stays at i. With probability
// `damping`, the next document is a random document instead. The score of a document is
// its stationary probability times n.
//
// Reference: Dwork, Kumar, Naor & Sivakumar 2001, doi:10.1145/371920.372165; Busa-Fekete,
// Kegl, Elteto & Szarvas 2011, section 2.4. Cost: O(n^3) for a query of n documents.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::mix {

// The solution of pi = pi ((1 - damping) P + damping / n), times n. P is n x n and
// column-major; its rows sum to 1.
std::vector<double> stationary(View<const double> moves, std::size_t n, double damping,
                               Host& host);

// `chances` has a column-major n x n matrix for each query; element (i, j) is the
// probability that j is better than i. The diagonal is ignored. `offsets` are the first
// documents of the queries, then the number of documents. Returns one score for each
// document, query by query.
std::vector<double> chain_scores(View<const double> chances, View<const int> offsets,
                                 double damping, Host& host);

}  // namespace rankmix::mix
