// Trees that vote as stumps: a leaf is split by the stump v phi(x), phi = +-1, with the
// largest edge in excess of the leaf's best constant votes; its children vote v and -v. A
// tree with two leaves is a decision stump. Where no stump beats the constant, the tree
// is a single leaf with the best constant votes. Reference: Schapire & Singer 1999,
// doi:10.1023/A:1007614523901.
#pragma once
#include "core/boost/base_learner.h"

namespace rankmix::boost {

class TreeLearner : public BaseLearner {
 public:
  // Throws InvalidArgument unless there are at least two leaves.
  explicit TreeLearner(std::size_t leaves);
  BaseClassifier learn(const Weights& weights, const std::vector<std::uint8_t>& active,
                       tree::Grower& grower, Host& host) override;

 private:
  std::size_t leaves_;
};

}  // namespace rankmix::boost
