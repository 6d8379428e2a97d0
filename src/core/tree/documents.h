// How many training documents come to each leaf of a tree.
//
// Counted are all training documents with a positive weight, also those that the search
// for splits left out. Where it saw all of them, growth has counted already.
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/bins.h"
#include "core/tree/grow.h"

namespace rankmix::tree {

// Marks the documents that count, 1 or 0; empty: all do.
using Counted = std::vector<std::uint8_t>;
// Those with a positive weight; no weights: all.
Counted counted_documents(View<const double> weights);

// For a tree that was grown on this sample. `cells` has the leaf of each document, or is
// empty.
std::vector<int> leaf_documents(const GrownTree& tree, const Sample& sample,
                                View<const std::uint32_t> cells, const Counted& counted,
                                const data::BinnedMatrix& bins, Host& host);

// The same for all trees of a forest that lacks them.
void append_all_documents(const data::BinnedMatrix& bins, const Counted& counted,
                          Host& host, Forest& forest);

}  // namespace rankmix::tree
