// Trees that vote like stumps. A leaf is split by the stump v phi(x), phi = +-1, whose
// edge is the largest and exceeds the edge of the leaf's best constant votes. Its
// children have the votes v and -v. A tree with two leaves is a decision stump. If no
// stump is better than constant votes, the tree is a single leaf with the best constant
// votes.
//
// With confidence-rated votes, splits minimise Z, and each leaf has its own votes.
// Reference: Schapire & Singer 1999, doi:10.1023/A:1007614523901.
#pragma once
#include "core/boost/base_learner.h"

namespace rankmix::boost {

class TreeLearner : public BaseLearner {
 public:
  // Throws InvalidArgument unless there are at least two leaves.
  explicit TreeLearner(std::size_t leaves, bool confidence_rated = false);
  BaseClassifier learn(const Weights& weights, const tree::Sample& sample,
                       tree::Grower& grower, Host& host) override;

 private:
  BaseClassifier learn_rated(const Weights& weights, const tree::Sample& sample,
                             tree::Grower& grower, Host& host);

  std::size_t leaves_;
};

}  // namespace rankmix::boost
