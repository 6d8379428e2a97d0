// Problem:   the probability that one of two documents is better than the other, given
//            numbers of both. It defines the transitions of a Markov chain over documents.
// Input:     documents x numbers, and pairs of documents of which the second is better.
// Algorithm: a single-layer network whose inputs are the numbers of the first document,
//            then those of the second. Each pair is used in both orders. The loss is the
//            cross-entropy.
// Reference: Busa-Fekete, Kegl, Elteto & Szarvas 2011, section 2.4.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/network/single_layer_fit.h"

namespace rankmix::network {

struct DocumentPairs {
  View<const int> worse;  // rows, from 0
  View<const int> better;
  View<const double> weights;  // empty: all are 1
};

// Training stops when a step lowers the objective by less than 1e-10 of its value, or
// after `max_steps` steps.
SingleLayerFit fit_pair_network(MatrixView<const double> documents,
                                const DocumentPairs& pairs, double decay,
                                std::size_t max_steps, const std::vector<double>& start,
                                Host& host);

// The probability that the second document is better, for the pairs in the order (worse,
// better), then for all pairs in the order (better, worse).
std::vector<double> pair_outputs(View<const double> weights,
                                 MatrixView<const double> documents,
                                 const DocumentPairs& pairs, Host& host);

// For each query a column-major n x n matrix of probabilities that document j is better
// than document i. Elements (i, j) and (j, i) sum to 1. `offsets` are the first documents
// of the queries, and the end of the last query.
std::vector<double> pair_chances(View<const double> weights,
                                 MatrixView<const double> documents,
                                 View<const int> offsets, Host& host);

}  // namespace rankmix::network
