// Interface of the learners of base classifiers. A new learner needs a class like those
// in base_tree.h, base_hamming_tree.h and base_product.h, and an entry in the code that R
// calls.
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

// A tree and the votes of its leaves, leaves x classes.
struct Term {
  tree::GrownTree tree;
  Votes votes;
};

// A base classifier h(x) in [-1, +1]^K: the product of the votes of its terms. Training
// row i is in leaf leaf_ids[i], and `votes` has the votes of each leaf, leaves x classes.
// A leaf of a product is a set of rows on which the product of votes is constant.
struct BaseClassifier {
  std::vector<Term> terms;
  const LeafIds* leaf_ids = nullptr;
  Votes votes;
  double alpha = 0.0;  // only for confidence-rated votes
};

class BaseLearner {
 public:
  explicit BaseLearner(bool confidence_rated) : confidence_rated_(confidence_rated) {}
  virtual ~BaseLearner() = default;
  bool confidence_rated() const { return confidence_rated_; }
  // Learns a classifier with a large edge on the rows and features of `sample`. Its leaf
  // ids cover all training rows and are valid until the next call.
  virtual BaseClassifier learn(const Weights& weights, const tree::Sample& sample,
                               tree::Grower& grower, Host& host) = 0;

 private:
  bool confidence_rated_;
};

// The votes of the leaves of a tree that was grown on `classes` sums of this source. A
// leaf votes as the stump of its parent node: v on the left and -v on the right. If the
// root is a leaf, its votes are the signs of its sums, +1 for 0.
Votes leaf_votes(const tree::GrownTree& tree, std::size_t classes,
                 const tree::ChannelSource& source);

// The classifier of a single tree with these votes of its leaves.
BaseClassifier tree_classifier(tree::GrownTree tree, Votes votes,
                               const LeafIds& leaf_ids);

}  // namespace rankmix::boost
