// What learns the base classifier of a round. A new one is a file with a class like those
// of base_tree.h, base_hamming_tree.h and base_product.h, and a line in the glue.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/host.h"
#include "core/boost/weights.h"
#include "core/tree/grow.h"
#include "core/tree/leaf_ids.h"

namespace rankmix::boost {

// A tree with the votes of its leaves.
struct Term {
  tree::GrownTree tree;
  Votes votes;
};

// A base classifier h(x) in [-1, +1]^K: the product of the votes of its terms. On the
// training data it is constant on leaves: row i is in leaf leaf_ids[i], whose votes are
// in `votes`. A leaf of a product is a set of rows that are in the same leaves of all its
// trees.
struct BaseClassifier {
  std::vector<Term> terms;
  const LeafIds* leaf_ids = nullptr;
  Votes votes;
  double alpha = 0.0;  // of confidence-rated votes; that of others follows from the edge
};

class BaseLearner {
 public:
  explicit BaseLearner(bool confidence_rated) : confidence_rated_(confidence_rated) {}
  virtual ~BaseLearner() = default;
  bool confidence_rated() const { return confidence_rated_; }
  // A classifier with a large edge on what `sample` lets it see; its leaf ids cover all
  // rows and are valid until the next call.
  virtual BaseClassifier learn(const Weights& weights, const tree::Sample& sample,
                               tree::Grower& grower, Host& host) = 0;

 private:
  bool confidence_rated_;
};

// The votes of the leaves of a tree on `classes` sums of this source: a leaf votes as the
// stump above it, v on the left and -v on the right; a lone leaf as its sums, +1 for 0.
Votes leaf_votes(const tree::GrownTree& tree, std::size_t classes,
                 const tree::ChannelSource& source);

// The classifier of a single tree with these votes of its leaves.
BaseClassifier tree_classifier(tree::GrownTree tree, Votes votes,
                               const LeafIds& leaf_ids);

}  // namespace rankmix::boost
