#include "core/boost/adaboost_mh.h"

#include <algorithm>
#include <cmath>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/boost/edge_score.h"
#include "core/tree/grow.h"

namespace rankmix::boost {
namespace {

// A tree without an error has edge 1 and would get an infinite weight.
constexpr double kMaxEdge = 1.0 - 1e-12;
// One unit of the fixed-point weights; the search cannot see a smaller edge.
constexpr double kMinEdge = 1.0 / (1 << 30);

int sign_of(std::uint32_t bits) { return static_cast<std::int32_t>(bits) < 0 ? -1 : 1; }

// The best votes for the stump that parts `left` from `right`.
std::vector<int> stump_votes(const tree::Totals& left, const tree::Totals& right,
                             std::size_t classes) {
  std::vector<int> votes(classes);
  for (std::size_t l = 0; l < classes; ++l) {
    votes[l] = sign_of(left[l] - right[l]);
  }
  return votes;
}

Votes leaf_votes(const tree::GrownTree& tree, std::size_t classes) {
  Votes votes;
  votes.reserve(tree.leaves.size() * classes);
  for (const tree::Leaf& leaf : tree.leaves) {
    if (leaf.parent < 0) {
      for (std::size_t l = 0; l < classes; ++l) {
        votes.push_back(sign_of(leaf.total[l]));
      }
      continue;
    }
    const auto& sides = tree.sides[static_cast<std::size_t>(leaf.parent)];
    for (int vote : stump_votes(sides[0], sides[1], classes)) {
      votes.push_back(leaf.is_left ? vote : -vote);
    }
  }
  return votes;
}

// Marks the features of a round: all, or among those that can be split the share with
// the smallest random numbers.
std::vector<std::uint8_t> draw_features(const data::BinnedMatrix& bins,
                                        const AdaBoostOptions& options,
                                        std::size_t round) {
  if (options.feature_share == 1.0) {
    return std::vector<std::uint8_t>(bins.features(), 1);
  }
  std::vector<std::size_t> order;
  for (std::size_t f = 0; f < bins.features(); ++f) {
    if (bins.feature(f).bins() > 1) {
      order.push_back(f);
    }
  }
  const double wanted =
      std::round(options.feature_share * static_cast<double>(order.size()));
  const std::size_t count =
      std::min(order.size(), std::max<std::size_t>(1, static_cast<std::size_t>(wanted)));
  std::vector<std::uint8_t> active(bins.features(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return random_bits(options.seed, Purpose::kFeatureSample, round, a) <
           random_bits(options.seed, Purpose::kFeatureSample, round, b);
  });
  for (std::size_t i = 0; i < count; ++i) {
    active[order[i]] = 1;
  }
  return active;
}

// Writes each row's leaf into the partition's scratch space.
const std::vector<std::uint32_t>& mark_leaves(const tree::GrownTree& tree,
                                              tree::Partition& partition, Host& host) {
  std::vector<std::uint32_t>& leaf_of_row = partition.scratch();
  for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
    const auto rows = partition.rows(tree.leaves[leaf].begin, tree.leaves[leaf].end);
    for_each_block(host, rows.size(), RowCost::kLight,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     for (std::size_t i = begin; i < end; ++i) {
                       leaf_of_row[rows[i]] = static_cast<std::uint32_t>(leaf);
                     }
                   });
  }
  return leaf_of_row;
}

void append(const tree::GrownTree& tree, const Votes& votes, tree::Forest& forest) {
  for (const tree::Node& node : tree.nodes) {
    forest.feature.push_back(node.feature);
    forest.threshold.push_back(node.threshold);
    forest.missing_left.push_back(node.missing_left ? 1 : 0);
    forest.left.push_back(node.left);
    forest.right.push_back(node.right);
  }
  forest.values.insert(forest.values.end(), votes.begin(), votes.end());
  forest.node_begin.push_back(static_cast<int>(forest.feature.size()));
  forest.leaf_begin.push_back(static_cast<int>(forest.values.size() / forest.outputs));
}

struct LearnedTree {
  tree::GrownTree tree;
  Votes votes;
  double edge = 0.0;
};

// Grows a tree; the partition's scratch space then holds the leaf of each row.
LearnedTree learn(tree::Grower& grower, const Weights& weights, const EdgeScore& score,
                  std::size_t leaves, const std::vector<std::uint8_t>& active,
                  Host& host) {
  LearnedTree learned;
  learned.tree = grower.grow(weights.channels(), score, leaves, active, host);
  learned.votes = leaf_votes(learned.tree, weights.classes());
  const auto& leaf_of_row = mark_leaves(learned.tree, grower.partition(), host);
  learned.edge = weights.edge(leaf_of_row, learned.votes, host);
  return learned;
}

}  // namespace

void AdaBoostOptions::validate() const {
  if (rounds < 1 || leaves < 2) {
    throw InvalidArgument("rounds must be at least 1 and leaves at least 2");
  }
  if (!(feature_share > 0.0 && feature_share <= 1.0)) {
    throw InvalidArgument("feature_share must be in (0, 1]");
  }
}

AdaBoostModel fit_adaboost_mh(const data::BinnedMatrix& bins, View<const int> grades,
                              View<const double> document_weights, std::size_t classes,
                              const AdaBoostOptions& options, Host& host) {
  options.validate();
  if (grades.size() != bins.rows()) {
    throw InvalidArgument("grades and features differ in the number of rows");
  }
  if (!document_weights.empty() && document_weights.size() != grades.size()) {
    throw InvalidArgument("weights and grades differ in the number of rows");
  }
  Weights weights(grades, document_weights, classes, options.weights, host);
  const EdgeScore score(classes);
  tree::Grower grower(bins, classes);
  AdaBoostModel model;
  model.forest.outputs = classes;
  for (std::size_t round = 0; round < options.rounds; ++round) {
    host.checkpoint();
    LearnedTree learned = learn(grower, weights, score, options.leaves,
                                draw_features(bins, options, round), host);
    if (learned.edge <= kMinEdge && options.feature_share < 1.0) {
      // An unlucky draw is no reason to stop: all features have the last word.
      learned = learn(grower, weights, score, options.leaves,
                      std::vector<std::uint8_t>(bins.features(), 1), host);
    }
    if (learned.edge <= kMinEdge) {
      model.status = Status::kStalled;
      break;
    }
    const double edge = std::min(learned.edge, kMaxEdge);
    const double alpha = 0.5 * std::log((1.0 + edge) / (1.0 - edge));
    weights.update(grower.partition().scratch(), learned.votes, alpha, host);
    append(learned.tree, learned.votes, model.forest);
    model.alpha.push_back(alpha);
    model.edge.push_back(edge);
    host.progress(round + 1, options.rounds);
  }
  return model;
}

}  // namespace rankmix::boost
