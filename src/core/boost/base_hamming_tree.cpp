#include "core/boost/base_hamming_tree.h"

#include <cmath>
#include <utility>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/base/units.h"
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

std::uint32_t magnitude_of(std::uint32_t units) { return magnitude(units); }
double magnitude_of(double weight) { return std::abs(weight); }

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

// Calls add(weight, sums), where weight(i, l) is w_il y_il, in units, or a double where
// the search sees finer channels, which the source then has, too.
template <class Add>
void HammingTreeLearner::add_weights(const Weights& weights, const Add& add,
                                     tree::ChannelSource& source) {
  const tree::ChannelSource all = weights.channels();
  if (all.finer > 0.0) {
    const double* doubles = std::get<const double*>(all.values);
    add([doubles, classes = weights.classes()](
            std::size_t i, std::size_t l) { return doubles[i * classes + l]; },
        reals_);
    source.count *= 2;
    source.finer = all.finer;
  } else {
    weights.with_units([&](const auto& units) { add(units, scalar_); });
  }
}

// The labels' weights times their votes, added up for each row.
tree::ChannelSource HammingTreeLearner::add_up(const Weights& weights,
                                               const std::vector<int>& v, Host& host) {
  tree::ChannelSource source{std::as_const(scalar_).data(), 1};
  auto add = [&](const auto& weight, auto& sums) {
    sums.assign(weights.rows() + tree::kMaxLanes, 0);
    for_each_block(host, weights.rows(), RowCost::kLight,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     for (std::size_t i = begin; i < end; ++i) {
                       for (std::size_t l = 0; l < v.size(); ++l) {
                         sums[i] += v[l] > 0 ? weight(i, l) : 0 - weight(i, l);
                       }
                     }
                   });
    source.values = std::as_const(sums).data();
  };
  add_weights(weights, add, source);
  return source;
}

// The same, and the labels' weights.
tree::ChannelSource HammingTreeLearner::add_up_rated(const Weights& weights,
                                                     const std::vector<int>& v,
                                                     Host& host) {
  tree::ChannelSource source{std::as_const(scalar_).data(), 2};
  auto add = [&](const auto& weight, auto& sums) {
    sums.assign(2 * weights.rows() + tree::kMaxLanes, 0);
    for_each_block(host, weights.rows(), RowCost::kLight,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     for (std::size_t i = begin; i < end; ++i) {
                       auto sum = sums[2 * i];
                       auto magnitudes = sum;
                       for (std::size_t l = 0; l < v.size(); ++l) {
                         const auto w = weight(i, l);
                         sum += v[l] > 0 ? w : 0 - w;
                         magnitudes += magnitude_of(w);
                       }
                       sums[2 * i] = sum;
                       sums[2 * i + 1] = magnitudes;
                     }
                   });
    source.values = std::as_const(sums).data();
  };
  add_weights(weights, add, source);
  return source;
}

BaseClassifier HammingTreeLearner::learn(const Weights& weights,
                                         const tree::Sample& sample, tree::Grower& grower,
                                         Host& host) {
  const std::vector<int> v = stump_votes(weights, sample, grower, host);
  if (confidence_rated()) {
    return learn_rated(weights, v, sample, grower, host);
  }
  const tree::ChannelSource source = add_up(weights, v, host);
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
  const tree::ChannelSource source = add_up_rated(weights, v, host);
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
