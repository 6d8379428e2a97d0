// Markov chains over the documents of a query, whose stationary distribution ranks them.
//
// From document i a document j is drawn, all with the same chance; the chain goes there
// with a given probability, the chance that j is better than i, and else stays. With
// probability `damping` the next document is any one instead. The score of a document is
// its fraction of the stationary distribution, times n.
//
// Reference: Dwork, Kumar, Naor & Sivakumar 2001, doi:10.1145/371920.372165; Busa-Fekete,
// Kegl, Elteto & Szarvas 2011, section 2.4. Cost: O(n^3) for a query of n documents.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::mix {

// The distribution pi = pi ((1 - damping) P + damping / n), times n. P is n x n, column
// by column, and its rows sum to 1.
std::vector<double> stationary(View<const double> moves, std::size_t n, double damping);

// `chances` has an n x n matrix for each query, column by column: (i, j) is the chance
// that j is better than i; what is on the diagonal is not read. `offsets` are where the
// documents of each query begin. Gives one score a document, query after query.
std::vector<double> chain_scores(View<const double> chances, View<const int> offsets,
                                 double damping, Host& host);

}  // namespace rankmix::mix
