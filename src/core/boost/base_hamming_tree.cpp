#include "core/boost/base_hamming_tree.h"

#include "core/base/blocks.h"
#include "core/base/errors.h"
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

}  // namespace

HammingTreeLearner::HammingTreeLearner(std::size_t leaves) : leaves_(leaves) {
  if (leaves < 2) {
    throw InvalidArgument("a tree needs at least two leaves");
  }
}

BaseClassifier HammingTreeLearner::learn(const Weights& weights,
                                         const std::vector<std::uint8_t>& active,
                                         tree::Grower& grower, Host& host) {
  const std::size_t classes = weights.classes();
  const tree::Channels channels = weights.channels();
  const std::size_t rows = weights.rows();
  const tree::GrownTree stump =
      grower.grow(channels, EdgeScore(classes), 2, active, host);
  const Votes stump_votes = leaf_votes(stump, classes);
  const std::vector<int> v(stump_votes.begin(),
                           stump_votes.begin() + static_cast<std::ptrdiff_t>(classes));
  scalar_.assign(rows + tree::kMaxLanes, 0U);
  for_each_block(host, rows, RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     const std::uint32_t* row = channels.values + i * classes;
                     for (std::size_t l = 0; l < classes; ++l) {
                       scalar_[i] += v[l] > 0 ? row[l] : 0U - row[l];
                     }
                   }
                 });
  tree::GrownTree tree =
      grower.grow({scalar_.data(), 1}, EdgeScore(1), leaves_, active, host);
  Votes votes = spread_votes(leaf_votes(tree, 1), v);
  return tree_classifier(std::move(tree), std::move(votes), grower, host);
}

}  // namespace rankmix::boost
