// Number of training documents that reach each leaf of a tree.
//
// All training documents with a positive weight are counted, also those outside the
// sample on which splits were searched. A document with count c stands for c copies and
// counts c times. If the sample has all documents and each counts once, the leaves
// already have these numbers.
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/bins.h"
#include "core/tree/grow.h"

namespace rankmix::tree {

// How often each document counts. Empty: each counts once. The sum is below 2^31.
using Counted = std::vector<std::uint32_t>;
// counts[i] for documents with a positive weight, else 0. Empty `counts`: each document
// counts once. Empty `weights`: all weights are positive. Returns an empty vector if
// every count is 1.
Counted counted_documents(View<const double> weights, View<const int> counts = {});
// Whether each weight equals the count of its document, and their sum over all ranks is
// below 2^24, so that sums of weights are exact. A document of count c then has the same
// effect, to the last bit, as c copies of it.
bool weights_are_counts(View<const double> weights, View<const int> counts, Host& host);
// The sum of the counts of all ranks. If `counted` is empty, this rank has `documents`
// documents that count once.
double sum_of_counts(const Counted& counted, std::size_t documents, Host& host);
// Limits each count to `most`, rounded up. If a leaf needs `most` documents, larger
// counts make no difference.
Counted capped(Counted counted, double most);

// The document counts of the leaves of a tree that was grown on this sample. `leaf_ids`
// has the leaf of each document. If `leaf_ids` is empty, each document is routed through
// the tree.
std::vector<int> leaf_documents(const GrownTree& tree, const Sample& sample,
                                View<const std::uint32_t> leaf_ids,
                                const Counted& counted, const data::BinnedMatrix& bins,
                                Host& host);

// Computes the document counts of all nodes and leaves of a forest.
void append_all_documents(const data::BinnedMatrix& bins, const Counted& counted,
                          Host& host, Forest& forest);

}  // namespace rankmix::tree
