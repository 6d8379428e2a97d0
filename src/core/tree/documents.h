// How many training documents come to each leaf of a tree.
//
// Counted are all training documents with a positive weight, also those that the search
// for splits left out. A document that stands for several counts as often. Where the
// search saw all of them and each counts once, growth has counted already.
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/bins.h"
#include "core/tree/grow.h"

namespace rankmix::tree {

// How often each document counts; empty: once. They sum to less than 2^31.
using Counted = std::vector<std::uint32_t>;
// `counts` times each, once if empty; documents without a weight do not count. No
// weights: all have one.
Counted counted_documents(View<const double> weights, View<const int> counts = {});
// Whether the weights of documents equal their counts, and are small enough for exact
// sums of single documents. Then a document equals its copies to the last bit.
bool weights_are_counts(View<const double> weights, View<const int> counts);
// How often all of so many documents count.
double sum_of_counts(const Counted& counted, std::size_t documents);
// A document that counts for a whole leaf need not count for more.
Counted capped(Counted counted, double most);

// For a tree that was grown on this sample. `leaf_ids` has the leaf of each document, or
// is empty.
std::vector<int> leaf_documents(const GrownTree& tree, const Sample& sample,
                                View<const std::uint32_t> leaf_ids,
                                const Counted& counted, const data::BinnedMatrix& bins,
                                Host& host);

// The same for all trees of a forest that lacks them.
void append_all_documents(const data::BinnedMatrix& bins, const Counted& counted,
                          Host& host, Forest& forest);

}  // namespace rankmix::tree
