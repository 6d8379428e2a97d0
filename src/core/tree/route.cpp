#include "core/tree/route.h"

#include <algorithm>
#include <cmath>

#include "core/base/blocks.h"
#include "core/base/errors.h"

namespace rankmix::tree {

BinTree::BinTree(const std::vector<Node>& nodes, const data::BinnedMatrix& bins) {
  nodes_.reserve(nodes.size());
  for (const Node& node : nodes) {
    nodes_.push_back(bin_node(node, bins));
  }
}

BinTree::BinNode BinTree::bin_node(const Node& node, const data::BinnedMatrix& bins) {
  if (node.feature < 0 || static_cast<std::size_t>(node.feature) >= bins.features()) {
    throw InvalidArgument("the model has a feature that the data lack");
  }
  const auto f = static_cast<std::size_t>(node.feature);
  const data::FeatureBins& of = bins.feature(f);
  int last_left = of.value_bins() - 1;
  if (std::isfinite(node.threshold)) {
    const auto at =
        std::lower_bound(of.thresholds.begin(), of.thresholds.end(), node.threshold);
    if (at == of.thresholds.end() || *at != node.threshold) {
      throw InvalidArgument("the model splits at what is no threshold of the data");
    }
    last_left = static_cast<int>(at - of.thresholds.begin());
  }
  return {bins.reader(f),    last_left, of.has_missing ? of.missing_bin() : -1,
          node.missing_left, node.left, node.right};
}

SideCounts find_sides(const Node& node, const data::BinnedMatrix& bins,
                      View<const std::uint32_t> rows, std::size_t count,
                      std::vector<std::uint32_t>& sides, Host& host) {
  const BinTree::BinNode split = BinTree::bin_node(node, bins);
  std::uint32_t side[256];
  for (int bin = 0; bin < 256; ++bin) {
    side[bin] = bin > split.last_left ? 1 : 0;
  }
  if (split.missing >= 0) {
    side[split.missing] = split.missing_left ? 0 : 1;
  }
  SideCounts counts;
  bins.with_bins_of(static_cast<std::size_t>(node.feature), [&](const auto& bin_of) {
    counts =
        sum_over_blocks<SideCounts>(host, count, [&](std::size_t begin, std::size_t end) {
          std::size_t right = 0;
          std::size_t missing = 0;
          for (std::size_t i = begin; i < end; ++i) {
            const int bin = bin_of(rows.empty() ? i : rows[i]);
            sides[i] = side[bin];
            right += side[bin];
            missing += bin == split.missing ? 1 : 0;
          }
          return SideCounts{end - begin - right, missing};
        });
  });
  return counts;
}

BinTree bin_tree(const ForestView& forest, std::size_t t,
                 const data::BinnedMatrix& bins) {
  std::vector<Node> nodes;
  for (int at = forest.node_begin[t]; at < forest.node_begin[t + 1]; ++at) {
    const auto node = static_cast<std::size_t>(at);
    nodes.push_back({forest.feature[node], forest.threshold[node],
                     forest.missing_left[node] != 0, forest.left[node],
                     forest.right[node]});
  }
  return BinTree(nodes, bins);
}

}  // namespace rankmix::tree
