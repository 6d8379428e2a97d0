// Samples of documents. Whether a document is drawn depends on the seed, the number of
// the sample and the features and grade of the document. It depends neither on other
// documents, nor on the targets of a tree, nor on the order of rows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/regress/documents.h"
#include "core/regress/model_tree.h"

namespace rankmix::data {
class BinnedMatrix;
}

namespace rankmix::regress {

// Keys of documents from their features and grades, one per row. Documents with equal
// contents get different keys, numbered in their order. With `whole_queries`, all
// documents of a query have one key, which is computed from all of them. Documents
// without weight are not used. Empty `weights` means equal weights.
std::vector<std::uint64_t> bag_keys(const Values& values, View<const int> grades,
                                    View<const int> query, View<const double> weights,
                                    bool whole_queries, Host& host);

struct BagOptions {
  std::uint64_t seed = 0;
  double fraction = 1.0;          // expected number of draws per document
  bool replace = true;            // number of draws of a document is Poisson-distributed
  double feature_fraction = 1.0;  // fraction of the features that a tree uses
  void validate() const;
};

// How often each document is drawn for this sample. If no document is drawn, all
// documents count once.
std::vector<double> bag_counts(const std::vector<std::uint64_t>& keys,
                               View<const double> weights, const BagOptions& options,
                               std::size_t sample);

// Marks the features of a sample: the given fraction of features, with the smallest
// random numbers.
std::vector<std::uint8_t> bag_features(std::size_t features, const BagOptions& options,
                                       std::size_t sample);

// The data that all trees of a bag share. If `bins` is null, cuts between all values are
// searched.
struct BagData {
  const Values& values;
  const data::BinnedMatrix* bins;
  View<const double> targets;
  View<const double> weights;
  const std::vector<std::uint64_t>& keys;
};

// Grows a tree for each of `samples` samples.
std::vector<ModelTree> grow_bag(const BagData& data, std::size_t samples,
                                const BagOptions& bag, const TreeOptions& tree,
                                Host& host);

}  // namespace rankmix::regress
