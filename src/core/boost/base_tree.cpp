#include "core/boost/base_tree.h"

#include "core/base/errors.h"
#include "core/boost/edge_score.h"

namespace rankmix::boost {

TreeLearner::TreeLearner(std::size_t leaves) : leaves_(leaves) {
  if (leaves < 2) {
    throw InvalidArgument("a tree needs at least two leaves");
  }
}

BaseClassifier TreeLearner::learn(const Weights& weights,
                                  const std::vector<std::uint8_t>& active,
                                  tree::Grower& grower, Host& host) {
  const std::size_t classes = weights.classes();
  tree::GrownTree tree =
      grower.grow(weights.channels(), EdgeScore(classes), leaves_, active, host);
  Votes votes = leaf_votes(tree, classes);
  return tree_classifier(std::move(tree), std::move(votes), grower, host);
}

}  // namespace rankmix::boost
