#include "core/boost/base_hamming_tree.h"

#include <utility>

#include "core/base/errors.h"
#include "core/boost/confidence.h"
#include "core/boost/edge_score.h"

namespace rankmix::boost {
namespace {

// The votes of each leaf: the scalar vote times v.
Votes spread_votes(const Votes& scalar, const std::vector<int>& v) {
  Votes votes;
  votes.reserve(scalar.size() * v.size());
  for (double vote : scalar) {
    for (int sign : v) {
      votes.push_back(vote * sign);
    }
  }
  return votes;
}

}  // namespace

HammingTreeLearner::HammingTreeLearner(std::size_t leaves, bool confidence_rated)
    : BaseLearner(confidence_rated), leaves_(leaves) {
  if (leaves < 2) {
    throw InvalidArgument("a tree needs at least two leaves");
  }
}

// The votes of the best stump on its left side.
std::vector<int> HammingTreeLearner::stump_votes(const Weights& weights,
                                                 const tree::Sample& sample,
                                                 tree::Grower& grower, Host& host) const {
  const std::size_t classes = weights.classes();
  const tree::ChannelSource source = weights.channels();
  const tree::GrownTree stump =
      grower.grow(source, *edge_finder(source, classes), {2}, sample, host);
  const Votes votes = leaf_votes(stump, classes, source);
  return std::vector<int>(votes.begin(),
                          votes.begin() + static_cast<std::ptrdiff_t>(classes));
}

BaseClassifier HammingTreeLearner::learn(const Weights& weights,
                                         const tree::Sample& sample, tree::Grower& grower,
                                         Host& host) {
  const std::vector<int> v = stump_votes(weights, sample, grower, host);
  if (confidence_rated()) {
    return learn_rated(weights, v, sample, grower, host);
  }
  const tree::ChannelSource source = weights.summed_channels(v, false);
  tree::GrownTree tree =
      grower.grow(source, *edge_finder(source, 1), {leaves_}, sample, host);
  const LeafIds& leaf_ids = find_leaf_ids(tree, sample, grower, host);
  Votes votes = spread_votes(leaf_votes(tree, 1, source), v);
  return tree_classifier(std::move(tree), std::move(votes), leaf_ids);
}

BaseClassifier HammingTreeLearner::learn_rated(const Weights& weights,
                                               const std::vector<int>& v,
                                               const tree::Sample& sample,
                                               tree::Grower& grower, Host& host) {
  const tree::ChannelSource source = weights.summed_channels(v, true);
  tree::GrownTree tree =
      grower.grow(source, *confidence_finder(source, 1), {leaves_}, sample, host);
  const LeafIds& leaf_ids = find_leaf_ids(tree, sample, grower, host);
  const std::vector<double> sums = weights.class_sums(leaf_ids, tree.leaves.size(), host);
  std::vector<double> scalar(tree.leaves.size() * 2, 0.0);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::size_t leaf = i / (2 * v.size());
    const bool negated = v[i / 2 % v.size()] < 0;
    scalar[2 * leaf + (i % 2 + (negated ? 1 : 0)) % 2] += sums[i];
  }
  const ScaledVotes scaled = confidence_votes(scalar, smoothing_of(weights));
  BaseClassifier learned =
      tree_classifier(std::move(tree), spread_votes(scaled.votes, v), leaf_ids);
  learned.alpha = scaled.alpha;
  return learned;
}

}  // namespace rankmix::boost
