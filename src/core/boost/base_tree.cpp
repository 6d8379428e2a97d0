#include "core/boost/base_tree.h"

#include "core/base/errors.h"
#include "core/boost/confidence.h"
#include "core/boost/edge_score.h"

namespace rankmix::boost {

TreeLearner::TreeLearner(std::size_t leaves, bool confidence_rated)
    : BaseLearner(confidence_rated), leaves_(leaves) {
  if (leaves < 2) {
    throw InvalidArgument("a tree needs at least two leaves");
  }
}

BaseClassifier TreeLearner::learn(const Weights& weights, const tree::Sample& sample,
                                  tree::Grower& grower, Host& host) {
  if (confidence_rated()) {
    return learn_rated(weights, sample, grower, host);
  }
  const std::size_t classes = weights.classes();
  const tree::ChannelSource source = weights.channels();
  tree::GrownTree tree =
      grower.grow(source, *edge_finder(source, classes), {leaves_}, sample, host);
  const LeafIds& leaf_ids = find_leaf_ids(tree, sample, grower, host);
  Votes votes = leaf_votes(tree, classes, source);
  return tree_classifier(std::move(tree), std::move(votes), leaf_ids);
}

BaseClassifier TreeLearner::learn_rated(const Weights& weights,
                                        const tree::Sample& sample, tree::Grower& grower,
                                        Host& host) {
  const tree::ChannelSource source = weights.magnitude_channels();
  tree::GrownTree tree = grower.grow(
      source, *confidence_finder(source, weights.classes()), {leaves_}, sample, host);
  const LeafIds& leaf_ids = find_leaf_ids(tree, sample, grower, host);
  ScaledVotes scaled = confidence_votes(
      weights.class_sums(leaf_ids, tree.leaves.size(), host), smoothing_of(weights));
  BaseClassifier learned =
      tree_classifier(std::move(tree), std::move(scaled.votes), leaf_ids);
  learned.alpha = scaled.alpha;
  return learned;
}

}  // namespace rankmix::boost
