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
  lay_dense_nodes();
}

void BinTree::lay_dense_nodes() {
  if (nodes_.empty() ||
      std::any_of(nodes_.begin(), nodes_.end(), [](const BinNode& node) {
        return node.bin_of.tile->is_sparse() || !node.levels.empty();
      })) {
    return;
  }
  const auto position_of = [&](int child) {
    return static_cast<std::uint32_t>(
        child >= 0 ? child : static_cast<int>(nodes_.size()) + ~child);
  };
  for (const BinNode& node : nodes_) {
    const data::Tile& tile = *node.bin_of.tile;
    dense_.push_back({tile.bins + node.bin_of.offset,
                      static_cast<std::uint32_t>(tile.width()),
                      static_cast<std::int16_t>(node.last_left),
                      static_cast<std::int16_t>(node.missing_left ? node.missing : -1),
                      {position_of(node.right), position_of(node.left)}});
  }
  const std::uint8_t* any_bin = dense_.front().bins;
  for (std::uint32_t leaf = 0; leaf <= nodes_.size(); ++leaf) {
    const std::uint32_t self = position_of(~static_cast<int>(leaf));
    dense_.push_back({any_bin, 0, 255, -1, {self, self}});
  }
}

// Routes several rows at a time, so that their memory accesses overlap.
template <std::size_t Rows>
void BinTree::find_some(const std::uint32_t* rows, std::uint32_t* leaf_of_row) const {
  const auto first_leaf = static_cast<std::uint32_t>(nodes_.size());
  std::uint32_t at[Rows] = {};
  bool on = true;
  while (on) {
    on = false;
    for (std::size_t k = 0; k < Rows; ++k) {
      at[k] = dense_[at[k]].next(rows[k]);
      on = on || at[k] < first_leaf;
    }
  }
  for (std::size_t k = 0; k < Rows; ++k) {
    leaf_of_row[rows[k]] = at[k] - first_leaf;
  }
}

void BinTree::find_leaves(View<const std::uint32_t> rows,
                          std::vector<std::uint32_t>& leaf_of_row) const {
  constexpr std::size_t at_once = 8;
  std::size_t i = 0;
  if (!dense_.empty()) {
    for (; i + at_once <= rows.size(); i += at_once) {
      find_some<at_once>(rows.data() + i, leaf_of_row.data());
    }
  }
  for (; i < rows.size(); ++i) {
    leaf_of_row[rows[i]] = (*this)(rows[i]);
  }
}

BinTree::BinNode BinTree::bin_node(const Node& node, const data::BinnedMatrix& bins) {
  if (node.feature < 0 || static_cast<std::size_t>(node.feature) >= bins.features()) {
    throw InvalidArgument("the model has a feature that the data lack");
  }
  const auto f = static_cast<std::size_t>(node.feature);
  const data::FeatureBins& of = bins.feature(f);
  BinSet levels;
  for (int level : node.levels) {
    if (level < level_of_bin(0) || level > level_of_bin(of.value_bins() - 1)) {
      throw InvalidArgument("the model has a level that the data lack");
    }
    levels.add(level - level_of_bin(0));
  }
  int last_left = of.value_bins() - 1;
  if (std::isfinite(node.threshold)) {
    const auto at =
        std::lower_bound(of.thresholds.begin(), of.thresholds.end(), node.threshold);
    if (at == of.thresholds.end() || *at != node.threshold) {
      throw InvalidArgument("the model splits at what is no threshold of the data");
    }
    last_left = static_cast<int>(at - of.thresholds.begin());
  }
  return {bins.reader(f),
          last_left,
          of.has_missing ? of.missing_bin() : -1,
          node.missing_left,
          node.left,
          node.right,
          levels};
}

SideCounts find_sides(const Node& node, const data::BinnedMatrix& bins,
                      View<const std::uint32_t> rows, std::size_t count,
                      std::vector<std::uint32_t>& sides, Host& host) {
  const BinTree::BinNode split = BinTree::bin_node(node, bins);
  std::uint32_t side[256];
  for (int bin = 0; bin < 256; ++bin) {
    const bool left =
        split.levels.empty() ? bin <= split.last_left : split.levels.has(bin);
    side[bin] = left ? 0 : 1;
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
    nodes.push_back({forest.feature[node],
                     forest.threshold[node],
                     forest.missing_left[node] != 0,
                     forest.left[node],
                     forest.right[node],
                     {}});
    const View<const int> levels = forest.levels(node);
    nodes.back().levels.assign(levels.begin(), levels.end());
  }
  return BinTree(nodes, bins);
}

}  // namespace rankmix::tree
