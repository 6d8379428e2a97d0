// Hamming trees: h(x) = v phi(x) with one vector of votes v in {-1, +1}^K and a tree
// phi(x) = +-1.
//
// v are the votes of the best stump. phi is then grown on the single channel sum_l v_l
// w_il y_il, so that a tree costs little more than a stump. With confidence-rated votes
// phi(x) is any real number, one for each leaf. Reference: Kegl 2014, The return of
// AdaBoost.MH: multi-class Hamming trees.
#pragma once
#include "core/boost/base_learner.h"

namespace rankmix::boost {

class HammingTreeLearner : public BaseLearner {
 public:
  // Throws InvalidArgument unless there are at least two leaves.
  explicit HammingTreeLearner(std::size_t leaves, bool confidence_rated = false);
  BaseClassifier learn(const Weights& weights, const tree::Sample& sample,
                       tree::Grower& grower, Host& host) override;

 private:
  std::vector<int> stump_votes(const Weights& weights, const tree::Sample& sample,
                               tree::Grower& grower, Host& host) const;
  BaseClassifier learn_rated(const Weights& weights, const std::vector<int>& v,
                             const tree::Sample& sample, tree::Grower& grower,
                             Host& host);

  std::size_t leaves_;
};

}  // namespace rankmix::boost
