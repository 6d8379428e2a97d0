// Samples of documents, each drawn by its own numbers: what a document is drawn for
// depends on the seed, the number of the sample and the document, not on others, on
// targets, or on the order of rows.
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

// Keys of documents from their features and grade: one number for each row. Documents of
// the same content are distinguished by how many there are before them. Whole queries
// have one number, by all their documents. Documents without weight do not count; no
// weights are all the same.
std::vector<std::uint64_t> bag_keys(const Values& values, View<const int> grades,
                                    View<const int> query, View<const double> weights,
                                    bool whole_queries, Host& host);

struct BagOptions {
  std::uint64_t seed = 0;
  double fraction = 1.0;          // documents that are drawn, on average
  bool replace = true;            // how often one is drawn has Poisson's distribution
  double feature_fraction = 1.0;  // of the features that a tree looks at
  void validate() const;
};

// How often each document is drawn for this sample; once each, where none would be.
std::vector<double> bag_counts(const std::vector<std::uint64_t>& keys,
                               View<const double> weights, const BagOptions& options,
                               std::size_t sample);

// Marks the features of a sample: the fraction with the smallest random numbers.
std::vector<std::uint8_t> bag_features(std::size_t features, const BagOptions& options,
                                       std::size_t sample);

// What all trees of a bag share. `bins` is null where all values are searched.
struct BagData {
  const Values& values;
  const data::BinnedMatrix* bins;
  View<const double> targets;
  View<const double> weights;
  const std::vector<std::uint64_t>& keys;
};

// A tree for each of so many samples.
std::vector<ModelTree> grow_bag(const BagData& data, std::size_t samples,
                                const BagOptions& bag, const TreeOptions& tree,
                                Host& host);

}  // namespace rankmix::regress
