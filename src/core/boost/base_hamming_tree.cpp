#include "core/boost/base_hamming_tree.h"

#include <utility>

#include "core/base/errors.h"
#include "core/boost/confidence.h"
#include "core/boost/edge_score.h"

namespace rankmix::boost {
namespace {

// The votes of each leaf of a scalar tree, times v.
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

// The labels' weights times their votes, added up for each row as they are read, and the
// weights themselves where votes are confidence-rated.
tree::ChannelSource summed_channels(const Weights& weights, const std::vector<int>& v,
                                    bool confidence_rated) {
  tree::ChannelSource source = weights.channels();
  source.signs = v;
  source.magnitudes = confidence_rated ? 1 : 0;
  source.count = (confidence_rated ? 2 : 1) * (source.finer > 0.0 ? 2 : 1);
  return source;
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
  const tree::GrownTree stump = with_edge_score(source, classes, [&](const auto& score) {
    return grower.grow(source, score, {2}, sample, host);
  });
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
  const tree::ChannelSource source = summed_channels(weights, v, false);
  tree::GrownTree tree = with_edge_score(source, 1, [&](const auto& score) {
    return grower.grow(source, score, {leaves_}, sample, host);
  });
  const Cells& cells = find_cells(tree, sample, grower, host);
  Votes votes = spread_votes(leaf_votes(tree, 1, source), v);
  return tree_classifier(std::move(tree), std::move(votes), cells);
}

BaseClassifier HammingTreeLearner::learn_rated(const Weights& weights,
                                               const std::vector<int>& v,
                                               const tree::Sample& sample,
                                               tree::Grower& grower, Host& host) {
  const tree::ChannelSource source = summed_channels(weights, v, true);
  tree::GrownTree tree =
      grower.grow(source, ConfidenceScore(source, 1), {leaves_}, sample, host);
  const Cells& cells = find_cells(tree, sample, grower, host);
  const std::vector<double> sums = weights.class_sums(cells, tree.leaves.size(), host);
  std::vector<double> scalar(tree.leaves.size() * 2, 0.0);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::size_t leaf = i / (2 * v.size());
    const bool turned = v[i / 2 % v.size()] < 0;
    scalar[2 * leaf + (i % 2 + (turned ? 1 : 0)) % 2] += sums[i];
  }
  const ScaledVotes scaled = confidence_votes(scalar, smoothing_of(weights));
  BaseClassifier learned =
      tree_classifier(std::move(tree), spread_votes(scaled.votes, v), cells);
  learned.alpha = scaled.alpha;
  return learned;
}

}  // namespace rankmix::boost
