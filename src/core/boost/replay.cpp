#include "core/boost/replay.h"

#include <algorithm>
#include <cmath>

#include "core/base/blocks.h"
#include "core/base/errors.h"

namespace rankmix::boost {
namespace {

// A node that reads bins.
struct BinNode {
  data::BinReader bin_of;
  int last_left;  // bins up to it go left
  int missing;    // the bin of missing values, -1 where there is none
  bool missing_left;
  int left;
  int right;
};

BinNode bin_node(const tree::ForestView& forest, std::size_t node,
                 const data::BinnedMatrix& bins) {
  const int feature = forest.feature[node];
  if (feature < 0 || static_cast<std::size_t>(feature) >= bins.features()) {
    throw InvalidArgument("the model has a feature that the data lack");
  }
  const auto f = static_cast<std::size_t>(feature);
  const data::FeatureBins& of = bins.feature(f);
  const double threshold = forest.threshold[node];
  int last_left = of.value_bins() - 1;
  if (std::isfinite(threshold)) {
    const auto at =
        std::lower_bound(of.thresholds.begin(), of.thresholds.end(), threshold);
    if (at == of.thresholds.end() || *at != threshold) {
      throw InvalidArgument("the model splits at what is no threshold of the data");
    }
    last_left = static_cast<int>(at - of.thresholds.begin());
  }
  return {bins.reader(f),
          last_left,
          of.has_missing ? of.missing_bin() : -1,
          forest.missing_left[node] != 0,
          forest.left[node],
          forest.right[node]};
}

std::vector<BinNode> tree_nodes(const tree::ForestView& forest, std::size_t t,
                                const data::BinnedMatrix& bins) {
  std::vector<BinNode> nodes;
  for (int node = forest.node_begin[t]; node < forest.node_begin[t + 1]; ++node) {
    nodes.push_back(bin_node(forest, static_cast<std::size_t>(node), bins));
  }
  return nodes;
}

std::uint32_t leaf_of(const std::vector<BinNode>& nodes, std::size_t row) {
  int at = nodes.empty() ? -1 : 0;
  while (at >= 0) {
    const BinNode& node = nodes[static_cast<std::size_t>(at)];
    const int bin = node.bin_of(row);
    const bool left = bin == node.missing ? node.missing_left : bin <= node.last_left;
    at = left ? node.left : node.right;
  }
  return static_cast<std::uint32_t>(~at);
}

}  // namespace

Votes replay_round(const tree::ForestView& forest, std::size_t round,
                   const data::BinnedMatrix& bins, std::vector<std::uint32_t>& cells,
                   Host& host) {
  // Cells are numbered by the leaves of the terms, the first term's fastest.
  std::vector<std::vector<BinNode>> terms;
  std::vector<std::uint32_t> strides;
  Votes votes(forest.outputs, 1);
  std::uint32_t count = 1;
  for (int t = forest.round_begin[round]; t < forest.round_begin[round + 1]; ++t) {
    const auto tree = static_cast<std::size_t>(t);
    terms.push_back(tree_nodes(forest, tree, bins));
    strides.push_back(count);
    const auto first = static_cast<std::size_t>(forest.leaf_begin[tree]);
    const auto last = static_cast<std::size_t>(forest.leaf_begin[tree + 1]);
    Votes next;
    for (std::size_t leaf = first; leaf < last; ++leaf) {
      for (std::size_t i = 0; i < votes.size(); ++i) {
        next.push_back(votes[i] *
                       forest.values[leaf * forest.outputs + i % forest.outputs]);
      }
    }
    votes = std::move(next);
    count *= static_cast<std::uint32_t>(last - first);
  }
  for_each_block(host, bins.rows(), RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     std::uint32_t cell = 0;
                     for (std::size_t t = 0; t < terms.size(); ++t) {
                       cell += strides[t] * leaf_of(terms[t], i);
                     }
                     cells[i] = cell;
                   }
                 });
  return votes;
}

}  // namespace rankmix::boost
